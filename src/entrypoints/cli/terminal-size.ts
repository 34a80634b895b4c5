// How wide a terminal is: the one place that knows what to do where it does not say, or is too narrow to draw in.

/** In a narrower terminal nothing is drawn or wrapped: plain lines, broken by the terminal itself, read better. */
export const LEAST_COLUMNS = 20;

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

/** Columns of a stream; 80 where it names none, as a pipe, or 0, as a pseudo terminal without a size. */
export function columnsOf(stream: { columns?: number }): number {
  return stream.columns || USUAL_COLUMNS;
}

/**
 * Gives a terminal that says 0 columns or rows the usual size, now and after each resize. The libraries that draw and ask
 * read it from the stream, and show nothing, or never end, in a terminal of no size.
 */
export function settleSize(stream: NodeJS.WriteStream): void {
  const settle = () => {
    if (stream.columns === 0) stream.columns = USUAL_COLUMNS;
    if (stream.rows === 0) stream.rows = USUAL_ROWS;
  };
  settle();
  stream.on("resize", settle);
}

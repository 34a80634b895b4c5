// Lines that fit a terminal: widths count columns, so wide characters count two.
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { LEAST_COLUMNS } from "./terminal-size.ts";

/** A piece of a line; `style` must not change its width. */
export type Segment = { text: string; style?: (text: string) => string };

const GRAPHEMES = new Intl.Segmenter();

/** Columns that a plain text takes. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** The text, or as much of it as fits with `…` at its end. Never cuts a character. */
export function cutText(text: string, width: number): string {
  if (width <= 0) return "";
  if (widthOf(text) <= width) return text;
  let fitting = "";
  let left = width - 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    fitting += segment;
  }
  return `${fitting}…`;
}

/** The segments as one styled line of at most `width` columns; with `isPadded` of exactly that many. */
export function fitLine(segments: readonly Segment[], width: number, isPadded = false): string {
  let left = width;
  let line = "";
  for (const { text, style } of segments) {
    const piece = cutText(text, left);
    left -= widthOf(piece);
    line += style && piece ? style(piece) : piece;
    if (piece !== text) break;
  }
  return isPadded ? line + " ".repeat(Math.max(0, left)) : line;
}

/** The text padded with spaces to at least `width` columns. */
export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The text in lines of at most `width` columns, broken at spaces where there are any. */
export function wrapText(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(width, 2), { hard: true }).split("\n");
}

/**
 * Each line in lines of at most `width` columns; what goes on stands a little further in than its beginning. A width too
 * small for that leaves the text as it is.
 */
export function wrapLines(text: string, width: number): string {
  if (width < LEAST_COLUMNS) return text;
  const wrapped = text.split("\n").flatMap((line) => {
    if (widthOf(line) <= width) return [line];
    const indent = " ".repeat(Math.min(line.search(/\S|$/), width >> 1));
    const pieces = wrapText(line.trimStart(), width - indent.length - 2);
    return pieces.map((piece, index) => `${indent}${index === 0 ? "" : "  "}${piece}`);
  });
  return wrapped.join("\n");
}

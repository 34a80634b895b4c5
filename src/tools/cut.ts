// Cuts long texts for a model and says so. Pure.

/** At most `limit` characters of a line, with a mark where it was cut. */
export function cutLine(line: string, limit: number): string {
  return line.length <= limit ? line : `${line.slice(0, limit).toWellFormed()}… (${line.length} characters)`;
}

/** The first and last half of a text over `limit` characters, with a note of how much is missing between them. */
export function cutMiddle(text: string, limit: number, note: string): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const [head, tail] = [text.slice(0, half), text.slice(text.length - half)];
  return `${head.toWellFormed()}\n[… ${text.length - 2 * half} characters left out; ${note} …]\n${tail.toWellFormed()}`;
}

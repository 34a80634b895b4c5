// Where a comment says its command: the first line of its first paragraph, as CommonMark reads it. Pure.

/** Inside a paragraph only lines matter. Without these constructs a hostile comment costs no time. */
const INLINE = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];
const BETWEEN = new Set(["lineEnding", "lineEndingBlank", "linePrefix", "whitespace", "content"]);

/**
 * The line and what follows it to the comment's end, as they were written (line ends become `\n`). Undefined where the
 * comment does not begin with a paragraph: with a quote, code, HTML, a list, a heading, a definition.
 */
export async function readFirstLine(body: string): Promise<{ line: string; rest: string } | undefined> {
  const text = body.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  // Nothing else can be a command, and most comments are none: they cost no parser.
  if (!/^\s*\//.test(text)) return undefined;
  const { parse, postprocess, preprocess } = await import("micromark");
  const parser = parse({ extensions: [{ disable: { null: INLINE } }] });
  const events = postprocess(parser.document().write(preprocess()(firstBlock(text), undefined, true)));
  const first = events.find(([kind, token]) => kind === "enter" && !BETWEEN.has(token.type));
  if (first?.[1].type !== "paragraph") return undefined;
  const start = first[1].start.offset;
  const end = text.indexOf("\n", start);
  return end < 0
    ? { line: text.slice(start), rest: "" }
    : { line: text.slice(start, end), rest: text.slice(end + 1) };
}

/** All that can decide what the first block is: hostile lines after it would take the parser minutes. */
function firstBlock(text: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => !/^[ \t]*$/.test(line));
  // A blank line and a quote end a paragraph; an underline makes it a heading, or has ended it.
  const end = lines.findIndex((line, at) => at > start && /^[ \t]*$|^ {0,3}>/.test(line));
  const block = lines.slice(0, end < 0 ? undefined : end);
  const underline = block.findIndex((line, at) => at > start && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line));
  return block.slice(0, underline < 0 ? undefined : underline + 1).join("\n");
}

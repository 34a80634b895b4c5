// Text of others inside our Markdown, and inside a runner's log: it can neither format, link, mention nor command. Pure.
import { toPlainLine, toPlainText } from "../session/plain-text.ts";

// Keeps GitHub from reading a name after @ or a number after # in the rendered text; it is not seen.
const BREAK = "\u200b";
// Only what means something where it stands, so that plain words stay readable in the raw text too.
const MARKUP =
  /[\\`*[\]<>|~@$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=[#\w])|:(?=\/\/)|^[-+#=]|#(?=#*$)|-(?=[->])/g;

/** One line that a Markdown renderer shows as it is: no markup, HTML, link, mention or reference; at most `limit`. */
export function escapeInline(text: string, limit = 500): string {
  return cut(toPlainLine(text.toWellFormed()), limit)
    .replace(MARKUP, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2")
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/@/g, `@${BREAK}`)
    .replace(/#(?=\w)/g, `#${BREAK}`)
    .replace(/\bGH-(?=\d)/gi, (found) => `${found}${BREAK}`);
}

/** A code block whose fence is longer than any run of backticks in the text. */
export function fence(text: string, limit = 4_000): string {
  const shown = cut(toPlainText(text.toWellFormed()), limit);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = "`".repeat(Math.max(3, longest + 1));
  return `${marks}text\n${shown}\n${marks}`;
}

/** One line for a title or a commit: plain text in which no mention, reference or closing word works. */
export function plainTitle(text: string, limit: number): string {
  return cut(toPlainLine(text.toWellFormed()), limit)
    .replace(/@(?=\w)/g, `@${BREAK}`)
    .replace(/#(?=\w)/g, `#${BREAK}`)
    .replace(/\bGH-(?=\d)/gi, (found) => `${found}${BREAK}`)
    .replace(/:\/\//g, `:${BREAK}//`);
}

/** One line for a runner's log that is never a workflow command, whatever stands in it. */
export function neutralizeLine(text: string): string {
  return toPlainLine(text.toWellFormed())
    .replace(/:(?=:)/g, ": ")
    .replace(/#(?=#\[)/g, "# ");
}

/** The text, or its beginning and an ellipsis; `limit` counts characters. */
export function cut(text: string, limit: number): string {
  const characters = [...text.slice(0, limit * 2 + 2)];
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

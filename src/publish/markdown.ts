// Text of others inside our Markdown, and inside a runner's log: it can neither format, link, mention nor command. Pure.
import { showUnseen, toPlainLine, toPlainText } from "../session/plain-text.ts";
import { showOneLine } from "../session/question-text.ts";

// Keeps GitHub from reading a name after @ or a number after # in the rendered text; it is not seen.
const BREAK = "\u200b";
/** A run without what would end a code span, a table cell or a tag. */
const WORD = /[^\s`|\\<>]+/g;
const REFERENCE = /@|#(?=\w)|\bGH-(?=\d)|:\/\/|www\./i;
// Only what means something where it stands, so that plain words stay readable in the raw text too.
const MARKUP = /[\\`*[\]<>|~@$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=[#\w])|^[-+#=:]|#(?=#*$)|-(?=[->])/g;

/** One line that a Markdown renderer shows as it is: no markup, HTML, link, mention or reference; at most `limit`. */
export function escapeInline(text: string, limit = 500): string {
  return escapeLine(cut(toPlainLine(text.toWellFormed()), limit));
}

/** As `escapeInline`, but nothing is left out: unseen characters are shown as `<U+XXXX>`. What approvals show. */
export function escapeShown(text: string, limit = Number.POSITIVE_INFINITY): string {
  return escapeLine(cut(showOneLine(text), limit));
}

/** A code block whose fence is longer than any run of backticks in the text; at most `limit` characters of it. */
export function fence(text: string, limit = 4_000): string {
  return fenced(cut(toPlainText(text.toWellFormed()), limit), "text");
}

/** A code block with exactly the text, every unseen character shown. */
export function fenceShown(text: string, language = "text"): string {
  return fenced(showUnseen(text), language);
}

/** One line in a code span: nothing in it means anything. Not for table cells. */
export function codeSpan(text: string): string {
  const shown = showOneLine(text);
  const marks = "`".repeat(longestRun(shown) + 1);
  const room = /^`|`$/.test(shown) || shown === "" ? " " : "";
  return `${marks}${room}${shown}${room}${marks}`;
}

function fenced(text: string, language: string): string {
  const marks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${marks}${language}\n${text}\n${marks}`;
}

/** How many backticks stand together at most. */
export function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Several lines of prose as a quotation: each stays one (comments keep line ends), none formats. */
export function quoteShown(text: string): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${escapeShown(line)}`.trimEnd())
    .join("\n");
}

/** A sentence of ours that may quote others: escaped, with a capital (an id keeps its own letters) and a full stop. */
export function sentence(text: string, limit = 2_000): string {
  const shown = escapeShown(cut(text.trim(), limit)).replace(/^[a-z](?!\S*\d)/, (letter) =>
    letter.toUpperCase(),
  );
  return shown === "" || /[.!?:…]$/.test(shown) ? shown : `${shown}.`;
}

/** The same words on one line, however narrow the screen. */
export function keepTogether(markdown: string): string {
  return markdown.replaceAll(" ", "\u00a0");
}

/** A boxed notice of our own words. */
export function alert(kind: "NOTE" | "WARNING" | "CAUTION", markdown: string): string {
  return [`[!${kind}]`, ...markdown.split("\n")].map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** A link of our own; what could end it is encoded. */
export function link(label: string, url: string): string {
  return `[${label}](<${encodeURI(url).replace(/[<>]/g, "")}>)`;
}

/** Words that GitHub reads as a mention, a reference or a link stand in code, where they are words. */
function escapeLine(line: string): string {
  let escaped = "";
  let plain = 0;
  for (const { 0: word, index } of line.matchAll(WORD)) {
    if (!REFERENCE.test(word)) continue;
    escaped += `${escapeMarkup(line.slice(plain, index))}\`${word}\``;
    plain = index + word.length;
  }
  return escaped + escapeMarkup(line.slice(plain));
}

function escapeMarkup(text: string): string {
  return text.replace(MARKUP, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2");
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

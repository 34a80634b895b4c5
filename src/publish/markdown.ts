// Escapes others' text inside Markdown and job logs, so that it can't format, link, mention or command. Pure.
import type { Usage } from "../core/events.ts";
import { showOneLine } from "../core/interaction.ts";
import { githubAccountOf, loginOf, showUnseen, toPlainLine, toPlainText } from "../core/json.ts";

// Formats times, tokens, dollars and lists for people. Pure.

/** `2ms`, `15.2s`, `3m 05s`, `1h 02m`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))}ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m ${String(whole % 60).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

/** `12,345 tokens in, 678 out`; tokens read from or written to a cache count as input. */
export function formatTokens(usage: Usage): string {
  return `${formatCount(totalInput(usage))} tokens in, ${formatCount(usage.outputTokens)} out`;
}

/** `$0.0123`; null: the model has no known price. */
export function formatCost(costUsd: number | null): string {
  return costUsd === null ? "price unknown" : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`;
}

/** Input tokens, including those read from or written to a cache. */
export function totalInput(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** True when no token was counted: a rehearsal. */
export function isFree(usage: Usage): boolean {
  return totalInput(usage) + usage.outputTokens === 0;
}

/** `2026-12-03 12:00 UTC`, from ISO 8601 or a Date; empty for an invalid time. */
export function formatMoment(at: string | Date): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "" : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** `a, b and c` */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** `25,645`. By hand, because the first use of a locale takes 10 ms, and every run ends with this. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

// An invisible character that keeps GitHub from reading a name after @ or a number after # in the rendered
// text.
const BREAK = "\u200b";
/** A run without characters that could end a code span, a table cell or a tag. */
const WORD = /[^\s`|\\<>]+/g;
const REFERENCE = /@|#(?=\w)|\bGH-(?=\d)|:\/\/|www\./i;
// Matches characters only where they have a meaning, so that plain words stay readable in the raw text too.
const MARKUP = /[\\`*[\]<>|~@$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=[#\w])|^[-+#=:]|#(?=#*$)|-(?=[->])/g;

/**
 * One line that a Markdown renderer shows literally: no markup, HTML, link, mention or reference; at most
 * `limit` characters.
 */
export function escapeInline(text: string, limit = 500): string {
  return escapeLine(cutMarkdown(toPlainLine(text.toWellFormed()), limit));
}

/**
 * Like `escapeInline`, but without omissions: unseen characters are shown as `<U+XXXX>`. Used for approvals.
 */
export function escapeShown(text: string, limit = Number.POSITIVE_INFINITY): string {
  return escapeLine(cutMarkdown(showOneLine(text), limit));
}

/** A code block whose fence is longer than any run of backticks in the text; at most `limit` characters. */
export function fence(text: string, limit = 4_000): string {
  return fenced(cutMarkdown(toPlainText(text.toWellFormed()), limit), "text");
}

/** A code block with the exact text, every unseen character made visible. */
export function fenceShown(text: string, language = "text"): string {
  return fenced(showUnseen(text), language);
}

/** One line in a code span, shown literally. Not for table cells. */
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

/** The length of the longest run of backticks. */
export function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Several lines of prose as a quotation: line breaks stay (as in comments), and markup has no effect. */
export function quoteShown(text: string): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${escapeShown(line)}`.trimEnd())
    .join("\n");
}

/**
 * One of our sentences, which may quote others: escaped, capitalized (unless it begins with an id), with a
 * full stop.
 */
export function sentence(text: string, limit = 2_000): string {
  const shown = escapeShown(cutMarkdown(text.trim(), limit)).replace(/^[a-z](?!\S*\d)/, (letter) =>
    letter.toUpperCase(),
  );
  return shown === "" || /[.!?:…]$/.test(shown) ? shown : `${shown}.`;
}

/** A boxed notice in our own words. */
export function alert(kind: "NOTE" | "WARNING" | "CAUTION", markdown: string): string {
  return [`[!${kind}]`, ...markdown.split("\n")].map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** One of our own links; characters that could end it are encoded. */
export function link(label: string, url: string): string {
  return `[${label}](<${encodeURI(url).replace(/[<>]/g, "")}>)`;
}

/** Puts words that GitHub would read as a mention, a reference or a link into code. */
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

/**
 * One line for a title or a commit (a squash merge makes one of the other): plain text without working mentions, references,
 * closing keywords or `[skip ci]` and the like.
 */
export function plainTitle(text: string, limit: number): string {
  return cutMarkdown(toPlainLine(text.toWellFormed()), limit)
    .replace(/@(?=\w)/g, `@${BREAK}`)
    .replace(/#(?=\w)/g, `#${BREAK}`)
    .replace(/\bGH-(?=\d)/gi, (found) => `${found}${BREAK}`)
    .replace(/:\/\//g, `:${BREAK}//`)
    .replace(/\[([^[\]]*\b(?:skip|no.ci)\b[^[\]]*)\]/gi, "($1)");
}

/** One line for a runner's log that can never be a workflow command. */
export function neutralizeLine(text: string): string {
  return toPlainLine(text.toWellFormed())
    .replace(/:(?=:)/g, ": ")
    .replace(/#(?=#\[)/g, "# ");
}

/** The text, or its beginning and an ellipsis; `limit` counts characters. */
export function cutMarkdown(text: string, limit: number): string {
  const characters = [...text.slice(0, limit * 2 + 2)];
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

// People in our comments: only logins that the program knows become mentions, never others' text. Pure.

const LOGIN = /^[a-z\d](?:-?[a-z\d]){0,38}$/i;
const TEAM = /^@?[a-z\d](?:-?[a-z\d]){0,38}\/[a-z\d][\w-]{0,99}$/i;
/** Notifying more people helps no one. */
const MOST = 20;

/** A person's GitHub login; undefined for bots and for actors without a GitHub account. */
export function personOf(actorId: string): string | undefined {
  const login = githubAccountOf(actorId)?.login;
  return login !== undefined && LOGIN.test(login) ? login : undefined;
}

/** Mentions and so notifies a person or a team; anything but a login becomes code. */
export function mention(name: string): string {
  const bare = name.replace(/^@/, "");
  return LOGIN.test(bare) || TEAM.test(bare) ? `@${bare}` : codeSpan(bare);
}

/** `@a, @b and @c`, twenty at most. */
export function mentionAll(names: readonly string[]): string {
  const shown = [...new Set(names)].slice(0, MOST).map(mention);
  const more = new Set(names).size - shown.length;
  return listWords(more > 0 ? [...shown, `${more} more`] : shown);
}

/** A person's name without a notification. */
export function nameOf(actorId: string): string {
  return codeSpan(loginOf(actorId));
}

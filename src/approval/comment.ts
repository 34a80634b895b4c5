// Finds the slash command in a comment, as CommonMark reads it, and parses its arguments. Pure.
import { distance } from "fastest-levenshtein";
import { SHORT_ID } from "../core/interaction.ts";

/** Only lines matter inside a paragraph. Disabling these constructs makes hostile comments cheap to parse. */
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
 * The command's line and the rest of the comment, as written, with `\n` as line end. Undefined unless the comment begins with a paragraph (not a quote, code, HTML, a list, a heading or a
 * definition).
 */
async function readFirstLine(body: string): Promise<{ line: string; rest: string } | undefined> {
  const text = body.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  // Nothing else can be a command, and most comments contain none, so they need no parser.
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

/**
 * All the text that can determine the first block: hostile lines after it could keep the parser busy for
 * minutes.
 */
function firstBlock(text: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => !/^[ \t]*$/.test(line));
  // A blank line and a quote end a paragraph; an underline turns it into a heading, or comes after its end.
  const end = lines.findIndex((line, at) => at > start && /^[ \t]*$|^ {0,3}>/.test(line));
  const block = lines.slice(0, end < 0 ? undefined : end);
  const underline = block.findIndex((line, at) => at > start && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line));
  return block.slice(0, underline < 0 ? undefined : underline + 1).join("\n");
}

// Slash commands of comments (INTERFACE §5). Pure.

/** `ids` are short ids of questions; without ids the command is bare. */
export type SlashCommand =
  /** `always`: only for an approval. */
  | { name: "approve" | "reject"; ids: string[]; always?: true; comment: string }
  | { name: "revoke"; number: number }
  | { name: "choose"; ids: string[]; option: string; comment: string }
  | { name: "answer" | "revise"; ids: string[]; text: string }
  /** `/looplia <text>` */
  | { name: "message"; text: string }
  /** `/looplia run`, `/looplia restart` and `/status` */
  | { name: "run" | "restart" | "status" }
  | { name: "cancel"; session?: string }
  | { name: "retry"; session?: string; target: string }
  /**
   * One of our command words with the wrong syntax; `usage` shows the right one. With `about` the word is not
   * ours: it counts only if a question with one of these ids is open.
   */
  | { name: "unclear"; word: string; problem: string; usage: string; about?: string[] };

/** The command word as the person wrote it, with its slash. */
export function slashWordOf(command: SlashCommand): string {
  if (command.name === "message") return "/looplia";
  if (command.name === "run" || command.name === "restart") return `/looplia ${command.name}`;
  return command.name === "unclear" ? `/${command.word}` : `/${command.name}`;
}

/** A mistyped id: reading it as comment text would decide another question. */
/** Digits and letters of any script: what looks like an id must not make a command a bare one. */
const ALMOST_ID =
  /(?<![\p{L}\p{N}])(?:q\p{N}+(?![\p{L}\p{N}])|\p{L}\p{N}+\p{Pd}[\p{L}\p{N}]{6}(?![\p{L}\p{N}]))/iu;
const WHOLE_ID = /(?<![\p{L}\p{N}])q\p{N}+\p{Pd}[0-9a-f]{6}(?![\p{L}\p{N}])/iu;
const ID_BELOW = "the id is on its own line: put it directly after the command";
const ALMOST_AN_ID = "a word in it looks like an id but is not one: ids look like q1-0a1b2c";
/** The commands that name a question. */
const ABOUT_QUESTIONS = ["approve", "reject", "choose", "answer", "revise"];
const NAME = /^[a-z0-9][a-z0-9-]{0,80}$/;

type Written = { word: string; line: string; rest: string };

const USAGES: Readonly<Record<string, string>> = {
  approve: "/approve <q> [always] [comment]",
  revoke: "/revoke <number>",
  reject: "/reject <q> [reason]",
  choose: "/choose <q> <option>",
  answer: "/answer <q> <text>",
  revise: "/revise <q> <text>",
  looplia: "/looplia <text>",
  cancel: "/cancel [<session>]",
  retry: "/retry [<session>/]<output>",
};

const READERS = new Map<string, (written: Written) => SlashCommand>([
  ["approve", (written) => readDecision("approve", written)],
  ["reject", (written) => readDecision("reject", written)],
  ["revoke", readRevocation],
  ["choose", readChoice],
  ["answer", (written) => readText("answer", written)],
  ["revise", (written) => readText("revise", written)],
  ["looplia", readMessage],
  ["status", () => ({ name: "status" })],
  ["cancel", readCancel],
  ["retry", readRetry],
]);

/**
 * The command of a comment, or undefined if it has none. The command word is case-insensitive; arguments are
 * kept as they are. Words in the form of a short id are ids; a near miss makes the command `unclear`, and so
 * does a second command.
 */
export async function parseSlashCommand(body: string): Promise<SlashCommand | undefined> {
  const first = await readFirstLine(body);
  const [, word = "", line = ""] = /^\/([A-Za-z]+)(?:\s+(.*))?$/s.exec(first?.line ?? "") ?? [];
  if (!first || word === "") return undefined;
  const written = { word: word.toLowerCase(), line: line.trim(), rest: first.rest };
  const read = READERS.get(written.word);
  if (!read) return readUnknown(written);
  const second = findSecondWord(written.rest);
  if (second === undefined) return read(written);
  return unclear(written, `a second command follows (/${second}): put each command in its own comment`);
}

/** Without a question's id it is another program's command. */
function readUnknown(written: Written): SlashCommand | undefined {
  const about = wordsOf(written.line).filter((word) => SHORT_ID.test(word));
  if (about.length === 0) return undefined;
  const steps = (name: string) => distance(name, written.word.slice(0, 100));
  const [nearest = ""] = [...ABOUT_QUESTIONS].sort((one, other) => steps(one) - steps(other));
  const { word, line } = written;
  return { name: "unclear", word, problem: "there is no such command", usage: `/${nearest} ${line}`, about };
}

/**
 * A command word at the beginning of a line, or any word with a slash there whose line names a question; the
 * contents of code fences are ignored.
 */
function findSecondWord(rest: string): string | undefined {
  let fence: string | undefined;
  for (const line of rest.split("\n")) {
    const [, mark] = /^ {0,3}(```|~~~)/.exec(line) ?? [];
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence ? undefined : mark;
    const [, word, after = ""] = /^ {0,3}\/([A-Za-z]+)(?=\s|$)(.*)$/.exec(line) ?? [];
    if (fence !== undefined || word === undefined) continue;
    const isMeant = READERS.has(word.toLowerCase()) || wordsOf(after).some((one) => SHORT_ID.test(one));
    if (isMeant) return word.toLowerCase();
  }
  return undefined;
}

function readDecision(name: "approve" | "reject", written: Written): SlashCommand {
  const { ids, words, after } = takeIds(written.line);
  const isStray = ids.length > 0 ? isAnotherId : isLikeId;
  const stray = [...words, ...idBelow(written)].find(isStray);
  if (stray !== undefined) {
    const problem = SHORT_ID.test(stray)
      ? "an id follows other words: put ids first, on the command's own line, separated by spaces"
      : "a word there looks like an id, but is not one: copy the id exactly, with a space after it";
    return unclear(written, problem);
  }
  const [, rest] = name === "approve" ? (/^always(?:\s+(.*))?$/is.exec(after) ?? []) : [];
  const isAlways = name === "approve" && /^always$/i.test(words[0] ?? "");
  const comment = textOf(isAlways ? (rest ?? "") : after, written.rest);
  return { name, ids, ...(isAlways ? { always: true } : {}), comment };
}

function readRevocation(written: Written): SlashCommand {
  const [, number] = /^#?([1-9]\d{0,8})$/.exec(written.line) ?? [];
  if (number === undefined) return unclear(written, "it needs the number of one standing approval");
  return { name: "revoke", number: Number(number) };
}

function readChoice(written: Written): SlashCommand {
  const words = wordsOf(written.line);
  const ids = words.filter((word) => SHORT_ID.test(word));
  const rest = words.filter((word) => !SHORT_ID.test(word));
  if (ids.length > 1) return unclear(written, "it decides one question at a time");
  if (ids.length === 0 && idBelow(written).length > 0) return unclear(written, ID_BELOW);
  if (rest.length === 0) return unclear(written, "it needs one option, by id, number or label");
  if (ids.length === 0 && rest.length > 1 && rest.some(isLikeId)) return unclear(written, ALMOST_AN_ID);
  return { name: "choose", ids, option: rest.join(" "), comment: written.rest.trim() };
}

function readText(name: "answer" | "revise", written: Written): SlashCommand {
  const { ids, words, after } = takeIds(written.line);
  if (ids.length > 1) return unclear(written, "it answers one question at a time");
  if (ids.length === 0 && words.length === 0 && idBelow(written).length > 0)
    return unclear(written, ID_BELOW);
  if (ids.length === 1 && WHOLE_ID.test(seen(words[0] ?? ""))) {
    return unclear(written, "it answers one question at a time");
  }
  if (ids.length === 0 && words[0] !== undefined && isLikeId(words[0])) {
    return unclear(written, ALMOST_AN_ID);
  }
  const text = textOf(after, written.rest);
  return text === "" && name === "revise"
    ? unclear(written, "it needs a text: what should be tried instead")
    : { name, ids, text };
}

function readMessage(written: Written): SlashCommand {
  const text = textOf(written.line, written.rest);
  if (text === "") return unclear(written, "it needs a text for the agent, or `run`");
  if (/^run$/i.test(text)) return { name: "run" };
  return /^restart$/i.test(text) ? { name: "restart" } : { name: "message", text };
}

function readCancel(written: Written): SlashCommand {
  const [session, ...more] = wordsOf(written.line);
  if (session === undefined) return { name: "cancel" };
  return more.length === 0 && NAME.test(session)
    ? { name: "cancel", session }
    : unclear(written, "it takes one session's id, or nothing for all of them");
}

/** Task ids may contain spaces and slashes; the text before the first slash may be a session. */
function readRetry(written: Written): SlashCommand {
  const [, session, rest] = /^([^\s/]+)\/(.*)$/s.exec(written.line) ?? [];
  const isSession = session !== undefined && NAME.test(session);
  const target = isSession ? (rest ?? "") : written.line;
  if (target.trim() === "") return unclear(written, "it needs the name of one task or output");
  return { name: "retry", target, ...(isSession ? { session } : {}) };
}

/** An id on the next line means a question: treating the command as bare could decide another one. */
function idBelow({ rest }: Written): string[] {
  return wordsOf(rest)
    .slice(0, 1)
    .filter((word) => isLikeId(word));
}

/** The ids that a line begins with, and the text after them. */
function takeIds(line: string): { ids: string[]; words: string[]; after: string } {
  const ids: string[] = [];
  let after = line;
  for (const word of wordsOf(line)) {
    if (!SHORT_ID.test(word)) break;
    ids.push(word);
    after = after.slice(word.length).trimStart();
  }
  return { ids: [...new Set(ids)], words: wordsOf(after), after };
}

/** Ignores surrounding punctuation, invisible characters and look-alike letters. */
function isLikeId(word: string): boolean {
  return ALMOST_ID.test(seen(word));
}

/** After an id, another one needs a lower-case `q` and a digit, or a dash: there `Q4` means a quarter. */
function isAnotherId(word: string): boolean {
  return isLikeId(word) && /q\p{N}|\p{Pd}/u.test(seen(word));
}

function seen(word: string): string {
  return word.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

function wordsOf(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== "");
}

function textOf(line: string, rest: string): string {
  return `${line}\n${rest}`.trim();
}

function unclear({ word }: Written, problem: string): SlashCommand {
  return { name: "unclear", word, problem, usage: USAGES[word] ?? `/${word}` };
}

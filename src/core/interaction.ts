// An interaction (UIP): one request to a person and the response. Field names are the protocol's.
import type { z } from "zod";
import { isObject, parseJson, showUnseen } from "./json.ts";
import type { conflictFile, eventPayloads, interactionAnswer } from "./line-shapes.ts";

/** A request as stored in `UserInteractionRequested`. */
export type InteractionRequest = z.infer<ReturnType<typeof eventPayloads.UserInteractionRequested>>;
export type InteractionOption = NonNullable<InteractionRequest["options"]>[number];
/** One question of a Composite; the answer's `inputValue` is a JSON object with these ids as keys. */
export type InteractionField = NonNullable<InteractionRequest["fields"]>[number];
/** A file that both a person and a run changed, with the merge commit that brought in the winning version. */
export type ConflictFile = z.infer<ReturnType<typeof conflictFile>>;
/** A cost limit that was reached, and the value to which an approval raises it. */
export type BudgetLimit = NonNullable<InteractionRequest["budget"]>;
/** A person's answer; either `selectedOptionId` or `inputValue` is set. */
export type InteractionAnswer = z.infer<ReturnType<typeof interactionAnswer>>;
/** An answer as stored in `UserInteractionResponded`. */
export type InteractionResponse = z.infer<ReturnType<typeof eventPayloads.UserInteractionResponded>>;
/** One person's approval of a request that several must approve, as stored in `ApprovalGiven`. */
export type Approval = z.infer<ReturnType<typeof eventPayloads.ApprovalGiven>>;

/** The id of a request that people type: `q<ordinal>-<six hex digits of the fingerprint>`. */
export const SHORT_ID = /^q[1-9]\d*-[0-9a-f]{6}$/;

/** Prefix of the comment in an answer to `/revise`, which declines and says what to try instead. */
export const TRY_AGAIN = "Try again: ";

/** What looks like keys in texts for people, of one work at a time: withheld until a person lets it through. */
export type WithheldKeys = {
  /** From now on, exactly the keys with these hashes stay in texts. */
  allow(hashes: Iterable<string>): void;
  /** Everything withheld since the last call, and the texts that it was meant for. */
  take(): { kind: string; hash: string; places: string[] }[];
  /** The same value without such keys. With a `place`, `take` tells of them. */
  withhold<T>(value: T, place?: string): Promise<T>;
};

/** A command's change to a path that decides what runs. */
export type RuleChange = Omit<NonNullable<InteractionRequest["kept"]>[number], "toolCallId">;

/**
 * True when the answer lets calls of the turn run: the gate's questions, and questions about calls in doubt.
 * A model's own question lets no call run, whatever its purpose is called.
 */
export function letsCallsRun({
  purpose,
  bindings,
}: Pick<InteractionRequest, "purpose" | "bindings">): boolean {
  return purpose === "confirm_risky_action" && bindings !== undefined;
}

// The answer to a Composite: `field: value` lines, or the JSON object itself. Pure.

/**
 * JSON text of an object by field ids. A line that begins with white space continues the value above it; any
 * other line must begin with a known field and a colon, each field once. Phones capitalize the start of a
 * line, so case matters only between fields that differ in nothing else. `wrongLine` counts from 1.
 */
export function readFields(
  text: string,
  fields: readonly InteractionField[],
): { value: string } | { wrongLine: number } {
  if (isJson(text)) return { value: text };
  const ids = fields.map(({ id }) => id);
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s/.test(line) && last !== undefined) {
      values.set(last, `${values.get(last) ?? ""}\n${line.trim()}`.trim());
      continue;
    }
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    const id = colon < 0 ? undefined : findId(ids, line.slice(0, colon).trim());
    if (id === undefined || values.has(id)) return { wrongLine: at + 1 };
    values.set(id, line.slice(colon + 1).trim());
    last = id;
  }
  return { value: JSON.stringify(Object.fromEntries(values)) };
}

function findId(ids: readonly string[], given: string): string | undefined {
  if (ids.includes(given)) return given;
  const alike = ids.filter((id) => id.toLowerCase() === given.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

/** Text that is not JSON is read as lines. */
function isJson(text: string): boolean {
  return text.trimStart().startsWith("{") && isObject(parseJson(text));
}

// The content of a Table: an array of objects or an array of arrays, as a grid and as lines of text. Pure.

/** `header` is empty when the rows have no names for their cells. */
type Table = { header: string[]; rows: string[][] };

/** Reads an array of objects (their keys are the header) or of arrays; undefined for anything else. */
export function readTable(content: unknown): Table | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const rows: unknown[] = content;
  if (rows.every((row): row is unknown[] => Array.isArray(row))) {
    return { header: [], rows: rows.map((row) => row.map(cellText)) };
  }
  if (!rows.every(isObject)) {
    return undefined;
  }
  const named = rows.map((row) => new Map<string, unknown>(Object.entries(row)));
  const header = [...new Set(named.flatMap((row) => [...row.keys()]))];
  return { header, rows: named.map((row) => header.map((name) => cellText(row.get(name)))) };
}

/** Aligns the table's columns; undefined if `content` is not a table. */
function tableLines(content: unknown): string[] | undefined {
  const table = readTable(content);
  if (!table) return undefined;
  const rows = [...(table.header.length > 0 ? [table.header] : []), ...table.rows].map((row) =>
    row.map((cell) => showUnseen(cell).replace(/\s+/g, " ").trim()),
  );
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    widths
      .map((width, column) => (row[column] ?? "").padEnd(width))
      .join("  ")
      .trimEnd(),
  );
  if (table.header.length > 0) lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  return lines;
}

function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

// A question to a person as plain text, without hiding any part of it. Pure.

/**
 * Title, description, content and possible answers: options by number and id, fields by id. Unseen characters
 * are made visible (`showUnseen`).
 */
export function questionLines(request: InteractionRequest): string[] {
  return [
    showOneLine(request.display.title),
    ...detailLines(request),
    ...optionLines(request.options),
    ...(request.fields ?? []).flatMap(fieldLines),
  ];
}

/** `questionLines` plus the cautions that a person in a terminal needs before answering. */
export function askedLines(request: InteractionRequest): string[] {
  const [title = "", ...rest] = questionLines(request);
  const details = detailLines(request).length;
  return [title, ...rest.slice(0, details), ...cautionLines(request), ...rest.slice(details)];
}

/** The form of a text answer, why the request is dangerous, how its commands would run, and what an approval is bound to. */
export function cautionLines(request: InteractionRequest): string[] {
  const { dangers = [], isolation, display, validation } = request;
  const isEdit = display.contentKind === "Diff";
  return [
    ...(validation?.regex === undefined ? [] : [`The answer must match ${showOneLine(validation.regex)}`]),
    ...dangers.map((danger) => `! Dangerous: ${briefly(showOneLine(danger))}`),
    ...(isolation && !isEdit ? [`${howIsolated(isolation)}.`] : []),
    ...(letsCallsRun(request) ? [isEdit ? EDIT_BINDING : COMMAND_BINDING] : []),
  ];
}

/** Shortens the command, because its full text is shown above. */
function briefly(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99).toWellFormed()}…`;
}

function howIsolated({ kind, network }: NonNullable<InteractionRequest["isolation"]>): string {
  if (kind === "none") return "! Commands run without isolation, as you can on this machine";
  return `Commands run isolated (${kind}), ${describeNetwork(network)}`;
}

const EDIT_BINDING = "Not made if the file changes first.";
const COMMAND_BINDING = "Not run if a file changes first. Files that git ignores do not count.";

/** Description and content of a question, one entry per line. */
export function detailLines(request: InteractionRequest): string[] {
  const { description, content, contentKind } = request.display;
  const lines = description === undefined ? [] : showUnseen(description).split("\n");
  if (content === undefined) return lines;
  const table = contentKind === "Table" ? tableLines(content) : undefined;
  return [...lines, ...(table ?? textLines(content, contentKind === "Json"))];
}

function textLines(content: unknown, isJson: boolean): string[] {
  const text = typeof content === "string" && !isJson ? content : JSON.stringify(content, null, 2);
  return showUnseen(text).replace(/\n$/, "").split("\n");
}

function fieldLines({ id, label, options }: InteractionField): string[] {
  const name = showOneLine(label);
  return [`  ${name === id ? id : `${id}  ${name}`}`, ...optionLines(options).map((line) => `  ${line}`)];
}

function optionLines(options: readonly InteractionOption[] = []): string[] {
  return options.map((option, index) => `  ${index + 1}  ${optionText(option)}`);
}

/** `id  label`, or only the label when both say the same. */
export function optionText(option: InteractionOption): string {
  const label = showOneLine(option.label);
  const id = showOneLine(option.id);
  if (label === "") return id;
  return label.toLowerCase() === id.toLowerCase() ? label : `${id}  ${label}`;
}

const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** A line `/choose q12-0123ab <id>` of a longer id is cut off on a phone. */
const MOST_ID = 16;

/**
 * The word to type after `/choose`: the id, or the number if the id can't be typed or is long. An exact id
 * takes precedence.
 */
export function optionWord(options: readonly InteractionOption[], at: number): string {
  const option = options[at];
  const number = String(at + 1);
  if (!option) return number;
  const isPlain = PLAIN_ID.test(option.id) && !SHORT_ID.test(option.id);
  const isLong = option.id.length > MOST_ID && !options.some(({ id }) => /^\d+$/.test(id));
  return (isPlain && !isLong) || options.some(({ id }) => id === number) ? option.id : number;
}

/** The option that is chosen by default: the marked one, else the first. */
export function defaultOption(question: {
  options?: readonly InteractionOption[];
}): InteractionOption | undefined {
  return question.options?.find((option) => option.isDefault) ?? question.options?.[0];
}

/** The text on one line, with every unseen character made visible. */
export function showOneLine(text: string): string {
  return showUnseen(text).replace(/\s+/g, " ").trim();
}

// Matches a typed word to an option. Pure.

const NUMBER = /^[1-9]\d*$/;

/**
 * Finds the option by its id, else by its number, else by its id or whole label in any letter case; undefined
 * if none or more than one matches.
 */
export function findOption(
  options: readonly InteractionOption[],
  given: string,
): InteractionOption | undefined {
  const byId = options.find(({ id }) => id === given);
  if (byId) return byId;
  if (isMistakable(options, given)) return undefined;
  const byNumber = NUMBER.test(given) ? options[Number(given) - 1] : undefined;
  if (byNumber) return byNumber;
  const wanted = fold(given);
  if (wanted === "") return undefined;
  const [only, ...more] = options.filter(({ id, label }) => fold(id) === wanted || fold(label) === wanted);
  return more.length === 0 ? only : undefined;
}

/**
 * Splits what was said into an option and a comment: the longest beginning that names an option. Words after it that name
 * an option as well make the choice unclear, and then all of it counts as the option.
 */
export function readOption(
  options: readonly InteractionOption[],
  said: string,
): { option: string; comment: string } {
  const words = said.split(" ");
  const isOption = (some: readonly string[]) =>
    findOption(options, some.join(" ").replace(/[,;:.!]+$/, "")) !== undefined;
  const whole = { option: said, comment: "" };
  for (let count = words.length; count > 0; count -= 1) {
    const [named, rest] = [words.slice(0, count), words.slice(count)];
    if (!isOption(named)) continue;
    if (count === words.length) return whole;
    const isUnclear = rest.some((_, at) =>
      rest.some((_, to) => to >= at && isOption(rest.slice(at, to + 1))),
    );
    if (isUnclear) return whole;
    return { option: named.join(" ").replace(/[,;:.!]+$/, ""), comment: rest.join(" ") };
  }
  return whole;
}

/** True if `given` is the number of one option and the whole label of another. */
export function isMistakable(options: readonly InteractionOption[], given: string): boolean {
  if (!NUMBER.test(given) || Number(given) > options.length) return false;
  const at = options.findIndex(({ label }) => label.trim() === given);
  return at >= 0 && at !== Number(given) - 1;
}

function fold(text: string): string {
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

// The network that isolated commands may reach, as the settings list it and as people see it. Pure.

/** `true`: this machine's network. A list: only its entries, each in the form of `readTarget`. */
export type Network = boolean | readonly string[];

/** A host in the form that `URL` gives it, IPv6 in brackets. Without `port`: every port. */
export type Target = { host: string; port?: number };

const ENTRY = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\%]+?)\.?(?::(\d{1,5}))?$/i;
const HOST = /^(?:\[[\da-f:.]+\]|[a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_])?)$/;

/**
 * Reads `host` or `host:port`; undefined for anything else. All spellings of an address give the same host.
 */
export function readTarget(entry: string): Target | undefined {
  const [, written = "", digits] = ENTRY.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (written === "" || (port !== undefined && (port < 1 || port > 65_535))) return undefined;
  try {
    const host = new URL(`http://${written}/`).hostname;
    if (!HOST.test(host)) return undefined;
    return { host, ...(port === undefined ? {} : { port }) };
  } catch {
    return undefined;
  }
}

/**
 * The canonical form that approvals are bound to: sorted entries without duplicates. An empty list means no
 * network.
 */
export function plainNetwork(given: boolean | readonly string[]): Network {
  if (typeof given === "boolean") return given;
  const targets = given.flatMap((entry) => readTarget(entry) ?? []);
  const entries = [
    ...new Set(targets.map(({ host, port }) => (port === undefined ? host : `${host}:${port}`))),
  ];
  return entries.length > 0 ? entries.sort() : false;
}

export function isSameNetwork(one: Network, other: Network): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** For example `without network`. `show` formats an entry. */
export function describeNetwork(
  network: Network,
  show: (entry: string) => string = (entry) => entry,
): string {
  if (network === false) return "without network";
  return network === true
    ? "with this machine's network, its own services and private addresses included"
    : `with network only to ${network.map(show).join(", ")}`;
}

/**
 * Asks the person at the terminal for single values. A value is undefined when the person leaves the question or the
 * signal aborts.
 */
export interface TerminalPrompts {
  /** Begins a question: what it is about, then the dangers and terms of an answer. */
  open(lines: readonly string[], cautions: readonly string[]): void;
  select(
    message: string,
    choices: readonly { id: string; label: string; isDefault: boolean }[],
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** `check` returns what is wrong with a text; the person then tries again. */
  text(
    message: string,
    check: (value: string) => Promise<string | undefined>,
    signal: AbortSignal,
  ): Promise<string | undefined>;
  close(): void;
}

/** What the task id of a question about an invalid edit begins with. */
export const INVALID_EDIT = "invalid-edit/";

/** True for the program's own question about an artifact that a person's edit made invalid, open or not. */
export function isInvalidEdit({ taskId }: Pick<InteractionRequest, "taskId">): boolean {
  return taskId.startsWith(INVALID_EDIT);
}

// Parses tool calls that a model writes as text into the same blocks as native calls. Parsing never fails: an
// unreadable call becomes a call whose input is its text, and the agent loop replies with the right form.

import type { ToolDefinition } from "../core/events.ts";
import { endOfObject, isObject, isShallow, parseJson } from "../core/json.ts";

/** A piece of a text: words, or a call. `input` is a string when the call is unreadable. */
type Piece = { text: string } | { name: string; input: Record<string, unknown> | string };

/** Further calls of a message stay text: reading them would become ever slower. */
const MOST_CALLS = 64;
/** Maximum characters that are kept of an unreadable call. */
const MOST_RAW = 4_000;

const OPENER =
  /<(tool_use|tool_code)((?:\s[^<>]{0,400})?)>|^ {0,3}```(?:json|tool_use|tool_code|tool)[ \t]*\n/gm;
/**
 * Where a call or a quotation may begin: a call's element, any fence with its label, thoughts and results, and elements
 * and comments that quote. Those begin a line or end in it: words about `<code>` quote nothing.
 */
const MARK = new RegExp(
  [
    /<(tool_use|tool_code)((?:\s[^<>]{0,400})?)>/,
    /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n`]{0,200})(?:\n|$)/,
    /<(tool_result|think|thinking)(?:\s[^<>]{0,400})?>/,
    /(?<=^[ \t]{0,20})(?:<(example|file|document|quote|pre|code)(?:\s[^<>]{0,400})?>|<(!)--)/,
    /<(?<tag>example|file|document|quote|pre|code)(?:\s[^<>\n]{0,400})?>[^\n]{0,2000}?<\/\k<tag>>|<!--[^\n]{0,2000}?-->/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);
/** Templates that open the thinking in the prompt leave only its end in the answer. */
const THOUGHT = /^[ \t]*<\/think(?:ing)?>[ \t]*$/m;
/** A model that continues by itself invents its results: everything after this mark is discarded. */
const IMAGINED = /<tool_result\b/;
const CALL_LABELS = new Set(["json", "tool_use", "tool_code", "tool"]);

type Found = { end: number; pieces: Piece[] };
type Call = { name: string; input: Record<string, unknown> };

/** The pieces of a message, in order. A call that the text only quotes or thinks about is words. */
export function readTextCalls(said: string, tools: readonly ToolDefinition[]): Piece[] {
  const pieces: Piece[] = [];
  const quotes = new LineQuotes(said);
  const unclosed = new Set<string>();
  const mark = new RegExp(MARK);
  let after = 0;
  let quotedTo = startOf(said);
  mark.lastIndex = quotedTo;
  for (let calls = 0; calls < MOST_CALLS; ) {
    const match = mark.exec(said);
    if (!match) break;
    const between = said.slice(after, match.index);
    if (calls > 0 && IMAGINED.test(between + match[0])) break;
    if (quotes.isInside(after, match.index)) continue;
    const found = readMark(said, match, { tools, unclosed });
    if (!found) continue;
    mark.lastIndex = found.end;
    if (found.pieces.length === 0) quotedTo = found.end;
    else {
      pieces.push({ text: between }, ...found.pieces);
      calls += found.pieces.length;
      after = found.end;
    }
  }
  const imagined = pieces.length === 0 ? -1 : said.slice(after).search(IMAGINED);
  const end = imagined < 0 ? said.length : after + imagined;
  pieces.push(...readEnd(said.slice(after, end), Math.max(0, quotedTo - after), tools));
  return pieces.filter((piece) => !("text" in piece) || piece.text.trim() !== "");
}

function startOf(said: string): number {
  const end = said.search(THOUGHT);
  return end < 0 || /<think/.test(said.slice(0, end)) ? 0 : end;
}

/** Whether a place is quoted by what stands before it in its line. Places only grow. */
class LineQuotes {
  readonly #said: string;
  #at = 0;
  #strings = 0;
  #ticks = 0;
  #isCited = false;

  constructor(said: string) {
    this.#said = said;
    this.#begin(0);
  }

  /** `after`: where the last call ended, which ends a quotation too. */
  isInside(after: number, place: number): boolean {
    if (this.#at < after) this.#begin(after);
    while (this.#at < place) this.#take(this.#said[this.#at] ?? "");
    return this.#isCited || this.#strings % 2 === 1 || this.#ticks % 2 === 1;
  }

  #begin(at: number): void {
    [this.#at, this.#strings, this.#ticks] = [at, 0, 0];
    this.#isCited = /^[ \t]*>/.test(this.#said.slice(at, at + 100));
  }

  #take(character: string): void {
    const isEscape = character === "\\" && this.#said[this.#at + 1] !== "\n";
    if (character === '"') this.#strings += 1;
    if (character === "`") this.#ticks += 1;
    this.#at += isEscape ? 2 : 1;
    if (character === "\n") this.#begin(this.#at);
  }
}

type Reading = {
  tools: readonly ToolDefinition[];
  /** Closers that the rest of the text lacks. */
  unclosed: Set<string>;
};

/** The calls at a mark, without pieces for a quotation, which is skipped as a whole; undefined where neither begins. */
function readMark(said: string, match: RegExpExecArray, { tools, unclosed }: Reading): Found | undefined {
  const [whole, element, , fence, label = "", thought, quoting, comment] = match;
  const start = match.index + whole.length;
  if (element !== undefined) return readElement(said, match, tools);
  if (fence !== undefined) {
    const isCall = fence === "```" && CALL_LABELS.has(label.trim());
    return (isCall ? readFence(said, match, tools) : undefined) ?? skipFence(said, match, tools);
  }
  const name = thought ?? quoting;
  if (name === undefined && comment === undefined) return { end: start, pieces: [] };
  const closer = comment === undefined ? `</${name}>` : "-->";
  const end = unclosed.has(closer) ? -1 : said.indexOf(closer, start);
  if (end >= 0) return { end: end + closer.length, pieces: [] };
  unclosed.add(closer);
  // Thoughts and imagined results that break off go on to the end.
  return thought === undefined ? undefined : { end: said.length, pieces: [] };
}

/**
 * A code block without a call. One that holds only calls and ends the message was probably meant as calls: it becomes an
 * unreadable one, so that the model is shown the right form.
 */
function skipFence(said: string, match: RegExpExecArray, tools: readonly ToolDefinition[]): Found {
  const [whole, , , fence = ""] = match;
  const start = match.index + whole.length;
  // By number: a model that repeats itself makes a fence which is too large for an expression.
  const closer = new RegExp(`^ {0,3}${fence[0]}{${fence.length}}[\`~]*[ \\t]*$`, "m").exec(said.slice(start));
  const inner = closer ? said.slice(start, start + closer.index) : said.slice(start);
  const end = start + inner.length + (closer?.[0].length ?? 0);
  const calls = callsOf(parseJson(inner)) ?? [];
  const isJson = calls.length > 0 && calls.every((call) => isKnown(call, tools));
  const isElement = /^\s*<(tool_use|tool_code)[\s>]/.test(inner);
  const isAlone = !closer || /<\/(tool_use|tool_code)>\s*$/.test(inner);
  if (said.slice(end).trim() !== "" || !(isJson || (isElement && isAlone))) return { end, pieces: [] };
  const input = said.slice(match.index, end).slice(0, MOST_RAW).toWellFormed();
  return { end, pieces: [{ name: nameIn(inner, tools) ?? "tool_use", input }] };
}

/** Lines at which JSON without a fence may begin. */
const BARE = /^[ \t]*[[{]/gm;
const MOST_BARE = 8;

/**
 * JSON without a fence is read only if it ends the message, begins at or after `from`, and holds calls of existing
 * tools alone.
 */
function readEnd(rest: string, from: number, tools: readonly ToolDefinition[]): Piece[] {
  const starts = /[\]}]\s*$/.test(rest) ? rest.matchAll(BARE) : [];
  let tries = 0;
  for (const { index } of starts) {
    if (index < from) continue;
    tries += 1;
    if (tries > MOST_BARE) break;
    const calls = callsOf(parseJson(rest.slice(index)));
    if (calls?.every((call) => isKnown(call, tools))) return [{ text: rest.slice(0, index) }, ...calls];
  }
  return [{ text: rest }];
}

function isKnown(call: Call, tools: readonly ToolDefinition[]): boolean {
  return tools.some(({ name }) => name === call.name);
}

/** Where JSON without a fence looks like a call, or like the first line of a list. */
const BARE_SHOWN = /^[ \t]*(?:\[[ \t]*\n|(?:\[\s*)?\{\s*"(?:name|tool|tool_name)"\s*:)/m;

/** The earliest possible start of the first call, so that words before it can be shown at once. */
export function firstOpener(said: string): number {
  const starts = [OPENER, BARE_SHOWN].flatMap((form) => new RegExp(form).exec(said)?.index ?? []);
  if (starts.length > 0) return Math.min(...starts);
  // The last line may become an opener.
  const tail =
    /(?:<[a-z_]{0,8}(?:\s[^<>]{0,400})?|^ {0,3}`{1,3}[a-z_]{0,9}[ \t]*|^[ \t]*[[{][\s"a-z_{]{0,20})$/m.exec(
      said.slice(-420),
    );
  return tail && tail.index + tail[0].length === Math.min(said.length, 420)
    ? said.length - tail[0].length
    : said.length;
}

/**
 * A fenced block is a call, or a list of calls, if it contains nothing else and names existing tools with their
 * inputs. JSON that is no call is data; a block that is labelled as a call, breaks off as one, or mixes calls
 * with names that are no tools is an unreadable call.
 */
function readFence(
  said: string,
  match: RegExpExecArray,
  tools: readonly ToolDefinition[],
): Found | undefined {
  const start = match.index + match[0].length;
  const closer = /^ {0,3}```[ \t]*$/m.exec(said.slice(start));
  const inner = closer ? said.slice(start, start + closer.index) : said.slice(start);
  const end = start + inner.length + (closer?.[0].length ?? 0);
  const value = closer ? parseJson(inner) : undefined;
  const calls = callsOf(value) ?? [];
  const known = calls.filter((call) => isKnown(call, tools));
  if (known.length > 0 && known.length === calls.length) return { end, pieces: known };
  const name = nameIn(inner, tools);
  const isMeant = closer && match[0].includes("tool");
  const isBroken = value === undefined && INPUT_KEYS.some((key) => inner.includes(`"${key}"`));
  if (!isMeant && known.length === 0 && !(isBroken && name !== undefined)) return undefined;
  const input = said.slice(match.index, end).slice(0, MOST_RAW).toWellFormed();
  return { end, pieces: [{ name: name ?? known[0]?.name ?? "tool_use", input }] };
}

function readElement(said: string, match: RegExpExecArray, tools: readonly ToolDefinition[]): Found {
  const [whole, tag = "", attributes = ""] = match;
  const start = match.index + whole.length;
  const closer = `</${tag}>`;
  const named = /\bname\s*=\s*["']([\w.-]{1,100})["']/.exec(attributes)?.[1];
  const read =
    readJsonBody(said, start, { closer, named }) ?? readXmlBody(said, start, { closer, named, tools });
  if (read) return read;
  const closed = said.indexOf(closer, start);
  const end = closed < 0 ? said.length : closed + closer.length;
  const name = named ?? nameIn(said.slice(start, end), tools) ?? tag;
  return { end, pieces: [{ name, input: said.slice(match.index, end).slice(0, MOST_RAW).toWellFormed() }] };
}

/** `{"name": …, "input": {…}}`, a list of these, or only the input if the element names the tool. */
function readJsonBody(
  said: string,
  start: number,
  { closer, named }: { closer: string; named: string | undefined },
): Found | undefined {
  const begin = skipBlanks(said, start);
  if (said[begin] !== "{" && said[begin] !== "[") return undefined;
  const bodyEnd = endOfObject(said, begin);
  if (bodyEnd === undefined) return undefined;
  const end = skipBlanks(said, bodyEnd);
  if (!said.startsWith(closer, end)) return undefined;
  const value = parseJson(said.slice(begin, bodyEnd));
  const isInput = named !== undefined && isObject(value);
  const pieces = callsOf(value) ?? (isInput ? [{ name: named, input: repaired(value) }] : undefined);
  return pieces && { end: end + closer.length, pieces };
}

const INPUT_KEYS = ["input", "arguments", "parameters", "args"];
const NAME_KEYS = ["name", "tool", "tool_name"];

/** The calls of an object or a list that contains nothing else. */
function callsOf(value: unknown): Call[] | undefined {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const calls = list.length > MOST_CALLS ? [] : list.flatMap((one) => callOf(one) ?? []);
  return calls.length > 0 && calls.length === list.length ? calls : undefined;
}

/** An object that is a call and nothing else. */
function callOf(value: unknown): Call | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value).filter((key) => key !== "id" && key !== "type");
  const nameKey = keys.find((key) => NAME_KEYS.includes(key));
  const inputKey = keys.find((key) => INPUT_KEYS.includes(key));
  if (nameKey === undefined || inputKey === undefined || keys.length !== 2) return undefined;
  const [name, given] = [value[nameKey], value[inputKey]];
  const input = typeof given === "string" ? parseJson(given) : given;
  return typeof name === "string" && name !== "" && isObject(input)
    ? { name: name.toWellFormed(), input: repaired(input) }
    : undefined;
}

/** Elements: `<name>`, and either `<input>` with JSON or one element per parameter. */
function readXmlBody(
  said: string,
  start: number,
  about: { closer: string; named: string | undefined; tools: readonly ToolDefinition[] },
): Found | undefined {
  const children = readChildren(said, start, about.closer);
  if (!children) return undefined;
  let name = about.named;
  const values = new Map<string, string>();
  for (const { tag, attribute, text } of children.list) {
    if (NAME_KEYS.includes(tag) && name === undefined) name = text.trim();
    else if (values.has(attribute ?? tag)) return undefined;
    else values.set(attribute ?? tag, text);
  }
  if (!name || !/^[\w.-]{1,100}$/.test(name)) return undefined;
  const [only] = values;
  if (values.size === 1 && only && INPUT_KEYS.includes(only[0])) {
    const inner = parseJson(only[1]);
    return isObject(inner) ? { end: children.end, pieces: [{ name, input: repaired(inner) }] } : undefined;
  }
  const schema = about.tools.find((tool) => tool.name === name)?.inputSchema.properties;
  const typed = [...values].map(([key, text]): [string, unknown] => [
    key,
    typedValue(text, isObject(schema) ? schema[key] : undefined),
  ]);
  return { end: children.end, pieces: [{ name, input: repaired(Object.fromEntries(typed)) }] };
}

type Child = { tag: string; attribute: string | undefined; text: string };

function readChildren(
  said: string,
  start: number,
  closer: string,
): { list: Child[]; end: number } | undefined {
  const list: Child[] = [];
  let at = skipBlanks(said, start);
  while (!said.startsWith(closer, at)) {
    const opened = /^<([A-Za-z_][\w.-]{0,60})(?:\s+name\s*=\s*["']([\w.-]{1,100})["'])?\s*>/.exec(
      said.slice(at, at + 250),
    );
    if (!opened || list.length >= 100) return undefined;
    const [whole, tag = "", attribute] = opened;
    const inner = readText(said, at + whole.length, `</${tag}>`);
    if (!inner) return undefined;
    list.push({ tag, attribute, text: inner.text });
    at = skipBlanks(said, inner.end);
  }
  return { list, end: at + closer.length };
}

const CDATA = "<![CDATA[";

/** Text up to its closer; closers within CDATA are ignored. */
function readText(said: string, start: number, closer: string): { text: string; end: number } | undefined {
  let text = "";
  let at = start;
  for (;;) {
    const closed = said.indexOf(closer, at);
    if (closed < 0) return undefined;
    const section = said.slice(at, closed).indexOf(CDATA);
    if (section < 0) {
      const plain = said.slice(at, closed);
      const isAlone = at === start;
      text += isAlone
        ? unescapeXml(plain.replace(/^\r?\n([\s\S]*)\n[ \t]*$/, "$1"))
        : plain.trim() === ""
          ? ""
          : unescapeXml(plain);
      return { text, end: closed + closer.length };
    }
    const before = said.slice(at, at + section);
    const end = said.indexOf("]]>", at + section + CDATA.length);
    if (end < 0) return undefined;
    text += (before.trim() === "" ? "" : unescapeXml(before)) + said.slice(at + section + CDATA.length, end);
    at = end + 3;
  }
}

const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["amp", "&"],
]);

function unescapeXml(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => ENTITIES.get(name) ?? whole);
}

/** A parameter is parsed as JSON unless the tool's schema makes it a string. */
function typedValue(text: string, schema: unknown): unknown {
  const type = isObject(schema) ? schema.type : undefined;
  if (type === "string") return text;
  const value = parseJson(text);
  return value === undefined ? text : value;
}

function nameIn(raw: string, tools: readonly ToolDefinition[]): string | undefined {
  const said = /(?:"(?:name|tool|tool_name)"\s*:\s*"|<(?:name|tool|tool_name)>\s*)([\w.-]{1,100})/.exec(
    raw,
  )?.[1];
  return tools.find(({ name }) => name === said)?.name;
}

/** Replaces lone surrogates, because no request may contain one. Leaves an input that is too deep to the loop. */
function repaired(input: Record<string, unknown>): Record<string, unknown> {
  if (!isShallow(input)) return input;
  const text = JSON.stringify(input);
  if (!/\\u[dD][89a-fA-F]/.test(text)) return input;
  return JSON.parse(text, (_key, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

// Reads YAML and front matter with line numbers.
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLParseError,
} from "yaml";
import { messageOf } from "../core/errors.ts";
import { type Diagnostic, suggestName, throwIfErrors } from "./diagnostics.ts";

// Reads YAML (and JSON, its subset) into a tree in which every value has its line, for diagnostics. Mappings
// become Maps, so a key such as `__proto__` is harmless.

/** `line` counts from 1 in the whole file. */
export type Located =
  | { kind: "map"; line: number; entries: Map<string, LocatedEntry> }
  | { kind: "list"; line: number; items: Located[] }
  | { kind: "scalar"; line: number; value: string | number | boolean | null };
export type LocatedEntry = { line: number; value: Located };

type ReadYaml = { root: Located | undefined; diagnostics: Diagnostic[] };

const MAX_CHARACTERS = 64_000;
const MAX_ERRORS = 10;
const MAX_DEPTH = 60;
const MAX_ALIASES = 100;

/**
 * Reads one document; `firstLine` is the line of its first character in `file`. Never throws: if
 * `diagnostics` has errors, `root` is undefined. An empty document is a null scalar.
 */
export function readYaml(text: string, file: string, firstLine = 1): ReadYaml {
  const problem = (message: string, line?: number): Diagnostic => ({
    severity: "error",
    file,
    message,
    ...(line === undefined ? {} : { line: line + firstLine - 1 }),
  });
  if (text.length > MAX_CHARACTERS) {
    return { root: undefined, diagnostics: [problem("is too large: at most 64,000 characters are read")] };
  }
  if (isTooDeep(text)) return { root: undefined, diagnostics: [problem("is nested too deeply")] };
  const lines = new LineCounter();
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  try {
    // The library's own check for duplicate keys takes quadratic time; the locator checks them instead.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    if (document.errors.length > 0) {
      const byLine = new Map(
        document.errors.toReversed().map((error) => [lineAt(placeOf(error, document)), error]),
      );
      const diagnostics = [...byLine]
        .sort(([one], [other]) => one - other)
        .slice(0, MAX_ERRORS)
        .map(([line, error]) => problem(`is not valid YAML: ${plainReason(error)}`, line));
      return { root: undefined, diagnostics };
    }
    const locate = createLocator(document, lineAt, firstLine - 1);
    return { root: locate(document.contents, 0), diagnostics: [] };
  } catch (error) {
    if (error instanceof PlacedError)
      return { root: undefined, diagnostics: [problem(error.message, error.line)] };
    return { root: undefined, diagnostics: [problem(`cannot be read: ${plainReason(error)}`)] };
  }
}

/** Thrown and caught in this file only; `line` counts in the text. */
class PlacedError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

// The parser recurses: deep nesting would slowly overflow the stack.
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (depth > 200) return true;
  }
  // Nested lists on one line: `- - - -`.
  return /^[ \t]*(?:[-?:][ \t]+){60}/m.test(text);
}

/** Where to mend it: a quotation mark or bracket that is never closed is missed only far below the place where it opens. */
function placeOf({ message, pos: [end] }: YAMLParseError, document: Document): number {
  if (!/Missing closing|end with a/.test(message)) return end;
  let opened = end;
  visit(document, {
    Node(_, node) {
      const [start = end] = node.range ?? [];
      const isUnclosed =
        (isCollection(node) && node.flow === true) || (isScalar(node) && node.type?.startsWith("QUOTE"));
      if (isUnclosed && start <= end && (node.range?.[2] ?? 0) >= end) opened = start;
    },
  });
  return opened;
}

function plainReason(error: unknown): string {
  const reason = messageOf(error);
  if (/call stack|stack overflow/i.test(reason)) return "it is nested too deeply";
  if (/compact mapping/i.test(reason)) return `${reason}: put a text with a colon in quotes`;
  return reason.replace(/; please use .*$/, "");
}

function createLocator(
  document: Document,
  lineAt: (offset: number | undefined) => number,
  linesBefore: number,
): (node: unknown, depth: number) => Located {
  let aliases = 0;
  const offsetOf = (node: unknown) => (isNode(node) ? node.range?.[0] : undefined);
  function locate(node: unknown, depth: number): Located {
    const place = lineAt(offsetOf(node));
    const line = place + linesBefore;
    if (depth > MAX_DEPTH) throw new PlacedError("is nested too deeply", place);
    if (isAlias(node)) {
      aliases += 1;
      if (aliases > MAX_ALIASES) throw new PlacedError(`has more than ${MAX_ALIASES} aliases`, place);
      const target = node.resolve(document);
      if (target === undefined) throw new PlacedError(`has no anchor "${node.source}" for its alias`, place);
      return { ...locate(target, depth + 1), line };
    }
    if (isSeq(node)) return { kind: "list", line, items: node.items.map((item) => locate(item, depth + 1)) };
    if (!isMap(node)) return { kind: "scalar", line, value: isScalar(node) ? plainScalar(node.value) : null };
    const entries = new Map<string, LocatedEntry>();
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
      const keyPlace = lineAt(offsetOf(pair.key));
      if (entries.has(key)) throw new PlacedError(`has the key "${key}" twice`, keyPlace);
      const keyLine = keyPlace + linesBefore;
      const value = pair.value === null ? nullAt(keyLine) : locate(pair.value, depth + 1);
      entries.set(key, { line: keyLine, value });
    }
    return { kind: "map", line, entries };
  }
  return locate;
}

function nullAt(line: number): Located {
  return { kind: "scalar", line, value: null };
}

function plainScalar(value: unknown): string | number | boolean | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" ? value : String(value);
}

/** The plain value: mappings as Maps, lists as arrays. */
export function plainOf(located: Located): unknown {
  if (located.kind === "scalar") return located.value;
  if (located.kind === "list") return located.items.map(plainOf);
  return new Map([...located.entries].map(([key, entry]) => [key, plainOf(entry.value)]));
}

/** The line of the value at `path`, or of its nearest existing ancestor. */
export function lineAtPath(root: Located, path: readonly PropertyKey[]): number {
  let here = root;
  let line = root.line;
  for (const step of path) {
    const entry = here.kind === "map" ? here.entries.get(String(step)) : undefined;
    const next = here.kind === "list" ? here.items[Number(step)] : entry?.value;
    if (next === undefined) return line;
    here = next;
    line = entry?.line ?? next.line;
  }
  return line;
}

/** The text of a scalar; undefined if it is no text or empty. */
export function textOfScalar(located: Located | undefined): string | undefined {
  if (located?.kind !== "scalar" || typeof located.value !== "string") return undefined;
  return located.value.trim() === "" ? undefined : located.value.trim();
}

export type FrontMatter = {
  /** Top-level keys; nested mappings are also Maps. Empty without front matter. */
  data: ReadonlyMap<string, unknown>;
  /** The same keys, each with its line. */
  entries: ReadonlyMap<string, LocatedEntry>;
  /** The text after the block, with its original line endings and without a byte order mark. */
  body: string;
  /** The line of the body's first character, from 1. */
  bodyLine: number;
};

/** Throws `config-invalid` with file and line when the block is not closed, not YAML or not a mapping. */
export function parseFrontMatter(text: string, file: string): FrontMatter {
  const diagnostics: Diagnostic[] = [];
  const read = readFrontMatter(text, file, diagnostics);
  throwIfErrors(diagnostics);
  return read;
}

/**
 * Like `parseFrontMatter`, but adds each problem to `diagnostics` instead of throwing; `data` is then empty.
 */
export function readFrontMatter(text: string, file: string, diagnostics: Diagnostic[]): FrontMatter {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(source);
  if (opening === null) return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
  const rest = source.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/m.exec(rest);
  if (closing === null) {
    diagnostics.push({
      severity: "error",
      file,
      line: 1,
      message: "the front matter is opened and never closed",
      hint: "close it with a line of three dashes, or begin the file with something else than three dashes",
    });
    return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
  }
  const entries = readEntries(rest.slice(0, closing.index), file, diagnostics);
  const end = closing.index + closing[0].length;
  return {
    data: new Map([...entries].map(([key, entry]) => [key, plainOf(entry.value)])),
    entries,
    body: rest.slice(end),
    bodyLine: 2 + rest.slice(0, end).split("\n").length - 1,
  };
}

function readEntries(block: string, file: string, diagnostics: Diagnostic[]): Map<string, LocatedEntry> {
  const { root, diagnostics: broken } = readYaml(block, file, 2);
  diagnostics.push(...broken);
  if (root === undefined || (root.kind === "scalar" && root.value === null)) return new Map();
  if (root.kind === "map") return root.entries;
  diagnostics.push({
    severity: "error",
    file,
    line: root.line,
    message: "the front matter is not a mapping",
    hint: "write one `key: value` per line between the two lines of three dashes",
  });
  return new Map();
}

// Collects the problems of one file.

export type DiagnosticReport = (line: number | undefined, message: string, hint?: string) => void;

/** A report that adds its findings to `diagnostics` as errors of `file`. */
export function createReport(
  file: string,
  diagnostics: Diagnostic[],
  severity: Diagnostic["severity"] = "error",
): DiagnosticReport {
  return (line, message, hint) => {
    const place = { file, ...(line === undefined ? {} : { line }) };
    diagnostics.push({ severity, ...place, message, ...(hint === undefined ? {} : { hint }) });
  };
}

/** Reports each key that is not in `known`. */
export function reportUnknownKeys(
  entries: ReadonlyMap<string, LocatedEntry>,
  known: readonly string[],
  report: DiagnosticReport,
): void {
  for (const [key, { line }] of entries) {
    if (!known.includes(key)) report(line, `unknown key "${key}"`, suggestName(key, known));
  }
}

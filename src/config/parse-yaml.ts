// The parser behind `readYaml`, in a file of its own because loading `yaml` takes long.
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
import type { Diagnostic } from "./diagnostics.ts";
import type { Located, LocatedEntry, ReadYaml } from "./located.ts";

const MAX_CHARACTERS = 64_000;
const MAX_ERRORS = 10;
const MAX_DEPTH = 60;
const MAX_ALIASES = 100;

/** Parses as `readYaml` promises. */
export function parseYaml(text: string, file: string, firstLine: number): ReadYaml {
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

/** Where to fix it: a quotation mark or bracket that is never closed is missed only far below the place where it opens. */
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

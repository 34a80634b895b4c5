// Reads YAML and front matter with line numbers.
import {
  createReport,
  type Diagnostic,
  type DiagnosticReport,
  suggestName,
  throwIfErrors,
} from "./diagnostics.ts";
import { type LocatedEntry, plainOf, type ReadYaml } from "./located.ts";
import { parseYaml } from "./parse-yaml.ts";

/**
 * Reads one document; `firstLine` is the line of its first character in `file`. Never throws: if
 * `diagnostics` has errors, `root` is undefined. An empty document is a null scalar.
 */
export async function readYaml(text: string, file: string, firstLine = 1): Promise<ReadYaml> {
  return parseYaml(text, file, firstLine);
}

type FrontMatter = {
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
export async function parseFrontMatter(text: string, file: string): Promise<FrontMatter> {
  const diagnostics: Diagnostic[] = [];
  const read = await readFrontMatter(text, file, diagnostics);
  throwIfErrors(diagnostics);
  return read;
}

/**
 * Like `parseFrontMatter`, but adds each problem to `diagnostics` instead of throwing; `data` is then empty.
 */
export async function readFrontMatter(
  text: string,
  file: string,
  diagnostics: Diagnostic[],
): Promise<FrontMatter> {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(source);
  if (opening === null) return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
  const rest = source.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/m.exec(rest);
  if (closing === null) {
    createReport(file, diagnostics)(
      1,
      "the front matter is opened and never closed",
      "close it with a line of three dashes, or begin the file with something else than three dashes",
    );
    return { data: new Map(), entries: new Map(), body: source, bodyLine: 1 };
  }
  const entries = await readEntries(rest.slice(0, closing.index), file, diagnostics);
  const end = closing.index + closing[0].length;
  return {
    data: new Map([...entries].map(([key, entry]) => [key, plainOf(entry.value)])),
    entries,
    body: rest.slice(end),
    bodyLine: 2 + rest.slice(0, end).split("\n").length - 1,
  };
}

async function readEntries(
  block: string,
  file: string,
  diagnostics: Diagnostic[],
): Promise<Map<string, LocatedEntry>> {
  const { root, diagnostics: broken } = await readYaml(block, file, 2);
  diagnostics.push(...broken);
  if (root === undefined || (root.kind === "scalar" && root.value === null)) return new Map();
  if (root.kind === "map") return root.entries;
  const hint = "write one `key: value` per line between the two lines of three dashes";
  createReport(file, diagnostics)(root.line, "the front matter is not a mapping", hint);
  return new Map();
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

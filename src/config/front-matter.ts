// The block of YAML between `---` lines at the start of a Markdown file: agents, skills, content items.
import { type Diagnostic, throwIfErrors } from "./diagnostics.ts";
import { type LocatedEntry, plainOf, readYaml } from "./located-yaml.ts";

export type FrontMatter = {
  /** Top-level keys; nested mappings are Maps as well. Empty without front matter. */
  data: ReadonlyMap<string, unknown>;
  /** The same keys with the line of each. */
  entries: ReadonlyMap<string, LocatedEntry>;
  /** What follows the block, line endings as they were, without a byte order mark. */
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

/** As `parseFrontMatter`, but adds each problem to `diagnostics` instead of throwing; `data` is then empty. */
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

// The plainest YAML there is, `name: value` lines, read without the library: that is what most settings and front matter
// are, and the library takes long to load. Whatever might mean anything else is left to the library.
/** `line` counts from 1 in the whole file. */
export type Located =
  | { kind: "map"; line: number; entries: Map<string, LocatedEntry> }
  | { kind: "list"; line: number; items: Located[] }
  | { kind: "scalar"; line: number; value: string | number | boolean | null };
export type LocatedEntry = { line: number; value: Located };

const LINE = /^([A-Za-z][\w-]*):(?:[ ]+(.*))?$/;
/** Begins with a letter, and is no text that YAML takes for something else. */
const PLAIN = /^[A-Za-z][^\p{C}\p{Z}#:]*(?:(?: |:(?=[^\p{C}\p{Z}#:]))[^\p{C}\p{Z}#:]+)*$/u;
const NO_TEXT = /^(?:true|false|null|y|n|yes|no|on|off)$/i;
const WHOLE = /^(?:0|[1-9]\d{0,8})$/;
const QUOTED = /^"([^"\\\p{C}]*)"$|^'([^'\p{C}]*)'$/u;

/** The tree that `readYaml` would give, or undefined where only the library can tell. */
export function readFlatYaml(text: string, firstLine: number): Located | undefined {
  const entries = new Map<string, LocatedEntry>();
  let first: number | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name, written = ""] = LINE.exec(line) ?? [];
    const value = scalarOf(written);
    if (name === undefined || value === undefined || entries.has(name) || NO_TEXT.test(name))
      return undefined;
    const place = firstLine + index;
    first ??= place;
    entries.set(name, { line: place, value: { kind: "scalar", line: place, value } });
  }
  return first === undefined ? undefined : { kind: "map", line: first, entries };
}

function scalarOf(written: string): string | number | boolean | undefined {
  if (written === "true" || written === "false") return written === "true";
  if (WHOLE.test(written)) return Number(written);
  if (PLAIN.test(written)) return NO_TEXT.test(written) ? undefined : written;
  const [, double, single] = QUOTED.exec(written) ?? [];
  return double ?? single;
}

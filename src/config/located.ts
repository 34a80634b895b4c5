import type { Diagnostic } from "./diagnostics.ts";

// Reads YAML (and JSON, its subset) into a tree in which every value has its line, for diagnostics. Mappings
// become Maps, so a key such as `__proto__` is harmless.

/** `line` counts from 1 in the whole file. */
export type Located =
  | { kind: "map"; line: number; entries: Map<string, LocatedEntry> }
  | { kind: "list"; line: number; items: Located[] }
  | { kind: "scalar"; line: number; value: string | number | boolean | null };
export type LocatedEntry = { line: number; value: Located };

export type ReadYaml = { root: Located | undefined; diagnostics: Diagnostic[] };

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

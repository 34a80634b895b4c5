// Inputs that other projects collected to break programs; test/data/README.md says whose.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DATA = join(import.meta.dirname, "../data");

export function naughtyStrings(): string[] {
  return JSON.parse(readFileSync(join(DATA, "naughty-strings/blns.json"), "utf8"));
}

/** Name and bytes of each file of the JSON test suite. */
export function jsonTestSuite(): [name: string, bytes: Buffer][] {
  const text = readFileSync(join(DATA, "json-test-suite/test_parsing.json"), "utf8");
  const small = Object.entries(JSON.parse(text) as Record<string, string>);
  return [
    ...small.map(([name, bytes]): [string, Buffer] => [name, Buffer.from(bytes, "base64")]),
    ["n_structure_100000_opening_arrays.json", Buffer.from("[".repeat(100_000))],
    ["n_structure_open_array_object.json", Buffer.from(`${'[{"":'.repeat(50_000)}\n`)],
  ];
}

/** Values as JSON and in the canonical form of RFC 8785, by name. */
export function canonicalForms(): [name: string, input: string, output: string][] {
  const folder = join(DATA, "json-canonicalization/testdata");
  const read = (kind: string, name: string) => readFileSync(join(folder, kind, name), "utf8");
  return readdirSync(join(folder, "input")).map((name) => [name, read("input", name), read("output", name)]);
}

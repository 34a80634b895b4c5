// What is read without the library must be what the library would read.

import { describe, expect, it, test } from "vitest";
import { readFlatYaml } from "../../src/config/flat-yaml.ts";
import { readAnyYaml } from "../../src/config/located-yaml.ts";
import fc from "../fakes/properties.ts";

const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z][\w-]{0,6}$/),
  fc.constantFrom("no", "null", "On", "__proto__"),
);
const odd =
  "true True No null Null ~ https://a.example/b?c=d é a:b #x : :: 1e3 0x1f .inf 0 7 08 -1 2024-01-02 << … --- &a *a !!str \\n ?";
const word = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[\w.,;/'?!-]{1,8}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[\w.,;*/'"!?&@%|>[\]{}()~`=+<$^-]{1,8}$/) },
  { weight: 2, arbitrary: fc.constantFrom(...odd.split(" "), "\t", "\u00a0", "\ufeff", "\u2028", "\u0007") },
);
const value = fc.oneof(
  fc.array(word, { maxLength: 4 }).map((words) => words.join(" ")),
  fc.array(word, { maxLength: 3 }).map((words) => `"${words.join(" ")}"`),
  fc.array(word, { maxLength: 3 }).map((words) => `'${words.join(" ")}'`),
);
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(name, fc.constantFrom(": ", ": ", ": ", ":  ", ":", " : "), value)
      .map((parts) => parts.join("")),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "# a remark", " # indented", "- item", "  more", "...", "%YAML 1.1", "a"),
  },
);
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => lines.join(end));

test("lines that are read at once mean what they mean to the library", async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(text, async (sent) => {
      const flat = readFlatYaml(sent, 2);
      if (flat === undefined) return;
      read += 1;
      expect(await readAnyYaml(sent, "a.yml", 2)).toEqual({ root: flat, diagnostics: [] });
    }),
    { numRuns: 6_000 },
  );
  expect(read).toBeGreaterThan(200);
});

describe("flat YAML", () => {
  it("is settings and front matter as most people write them", () => {
    const sent =
      '# remark\ntitle: Six minutes; a build, by us\nurl: https://example.com/a?b=c\nquoted: "1: 2"\n';
    const root = readFlatYaml(sent, 1);
    expect(root?.kind === "map" && [...root.entries].map(([key, { line }]) => [key, line])).toEqual([
      ["title", 2],
      ["url", 3],
      ["quoted", 4],
    ]);
  });

  it.each([
    "a: 05",
    "a: True",
    "a: 1.5",
    "a: [b]",
    "a:\n  b: c",
    "a: b\na: c",
    "a: b # c",
    "a: b: c",
    "- a",
    "",
  ])("leaves %j to the library", (sent) => {
    expect(readFlatYaml(sent, 1)).toBeUndefined();
  });
});

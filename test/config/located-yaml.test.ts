import { describe, expect, test } from "vitest";
import { formatDiagnostic } from "../../src/config/diagnostics.ts";
import { lineAtPath, plainOf } from "../../src/config/located.ts";
import { readYaml } from "../../src/config/yaml.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc from "../fakes/properties.ts";

async function errorsOf(text: string): Promise<string[]> {
  return (await readYaml(text, "f.yaml")).diagnostics.map(formatDiagnostic);
}

describe("readYaml", () => {
  test("every value knows its line, also behind a first line", async () => {
    const { root } = await readYaml("a: 1\nb:\n  - x\n  - y: [1,\n      2]\n", "f.yaml", 10);
    if (root === undefined) throw new Error("nothing was read");
    expect(lineAtPath(root, ["a"])).toBe(10);
    expect(lineAtPath(root, ["b", 1, "y", 1])).toBe(14);
    expect(lineAtPath(root, ["b", 7, "z"])).toBe(11);
  });

  test.each([
    ["a: 1\na: 2", ['f.yaml:2: has the key "a" twice']],
    ["a:\n\t- b", ["f.yaml:2: is not valid YAML: Tabs are not allowed as indentation"]],
    ["a: 1\n---\nb: 2", ["f.yaml:2: is not valid YAML: Source contains multiple documents"]],
    [
      "a: b: c",
      [
        "f.yaml:1: is not valid YAML: Nested mappings are not allowed in compact mappings: put a text with a colon in quotes",
      ],
    ],
    ["a: *gone", ['f.yaml:1: has no anchor "gone" for its alias']],
    ["a: &a [*a]", ["f.yaml:1: is nested too deeply"]],
    ["x".repeat(64_001), ["f.yaml: is too large: at most 64,000 characters are read"]],
    ["[".repeat(10_000), ["f.yaml: is nested too deeply"]],
  ])("refuses %#", async (text, errors) => {
    expect(await errorsOf(text)).toEqual(errors);
  });

  test("refuses an alias bomb and answers within a second for files built to break parsers", async () => {
    const ten = (name: string) => `[${Array(10).fill(`*${name}`).join(",")}]`;
    const bomb = `a: &a [x,x]\nb: &b ${ten("a")}\nc: &c ${ten("b")}\nd: &d ${ten("c")}\ne: ${ten("d")}`;
    const hostile = [
      bomb,
      "- ".repeat(30_000),
      "? ".repeat(30_000),
      Array.from({ length: 300 }, (_, index) => `${" ".repeat(index)}a:`).join("\n"),
      "{a: ".repeat(15_000),
    ];
    for (const text of hostile) {
      const took = startCpuClock();
      expect((await errorsOf(text)).length).toBeGreaterThan(0);
      expect(took()).toBeLessThan(2000);
    }
    const manyKeys = Array.from({ length: 5_000 }, (_, index) => `k${index}: 1`).join("\n");
    const took = startCpuClock();
    expect(await errorsOf(manyKeys)).toEqual([]);
    expect(took()).toBeLessThan(2000);
  });

  test("names of the language's own objects are only keys", async () => {
    const { root } = await readYaml("__proto__: { polluted: true }\nconstructor: 1\ntoString: 2", "f.yaml");
    if (root === undefined) throw new Error("nothing was read");
    expect(plainOf(root)).toEqual(
      new Map<string, unknown>([
        ["__proto__", new Map([["polluted", true]])],
        ["constructor", 1],
        ["toString", 2],
      ]),
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("never throws, whatever the text", async () => {
    const pieces = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "*a",
      "&a ",
      "'",
      '"',
      "|",
      "%",
      "\t",
      "!!x",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
        ),
        async (text) => {
          const { root, diagnostics } = await readYaml(text, "f.yaml");
          expect(root === undefined).toBe(diagnostics.length > 0);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("JSON is read as it stands", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (value) => {
        const { root } = await readYaml(JSON.stringify(value), "f.json");
        if (root === undefined) throw new Error("nothing was read");
        expect(JSON.parse(JSON.stringify(fromMaps(plainOf(root))))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });
});

function fromMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromMaps);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, inner]) => [key, fromMaps(inner)]));
}

import { describe, expect, test } from "vitest";
import { parseFrontMatter } from "../../src/config/yaml.ts";
import fc from "../fakes/properties.ts";

describe("parseFrontMatter", () => {
  test("reads keys, body and the body's line", async () => {
    const { data, body, bodyLine, entries } = await parseFrontMatter(
      "---\ntitle: A\ntags: [x, y]\n---\n# Hello\n",
      "a.md",
    );
    expect([...data]).toEqual([
      ["title", "A"],
      ["tags", ["x", "y"]],
    ]);
    expect(entries.get("tags")?.line).toBe(3);
    expect(body).toBe("# Hello\n");
    expect(bodyLine).toBe(5);
  });

  test.each([
    ["\uFEFF---\r\ntitle: A\r\n---\r\nbody\r\n", "A", "body\r\n", 4],
    ["---\n---\nbody", undefined, "body", 3],
    ["---\n# only a remark\n---", undefined, "", 3],
    ["--- \ntitle: A\n---  \n\nbody", "A", "\nbody", 4],
    ["no front matter\n---\ntitle: A\n---\n", undefined, "no front matter\n---\ntitle: A\n---\n", 1],
    ["----\nno\n----", undefined, "----\nno\n----", 1],
    ["---\ntitle: |\n  a\n  --- b\n---\nx\n---\n", "a\n--- b\n", "x\n---\n", 6],
    ["", undefined, "", 1],
  ])("%j", async (text, title, body, bodyLine) => {
    const read = await parseFrontMatter(text, "a.md");
    expect(read.data.get("title")).toBe(title);
    expect(read.body).toBe(body);
    expect(read.bodyLine).toBe(bodyLine);
  });

  test.each([
    ["---\ntitle: A\n\n# Hello", "a.md:1: the front matter is opened and never closed"],
    ["---\njust prose\n---\n", "a.md:2: the front matter is not a mapping"],
    ["---\n- a\n- b\n---\n", "a.md:2: the front matter is not a mapping"],
    ["---\na: 1\nb: [1\n---\n", "a.md:3: is not valid YAML"],
    ['---\na: "1\nb: 2\n---\n', "a.md:2: is not valid YAML"],
    ["---\na: 1\nb: [1, 2\nc: 3\n---\n", "a.md:3: is not valid YAML"],
    ["---\na: 1\nb: c: d\n---\n", "a.md:3: is not valid YAML"],
    ["---\na: 1\nb: 2\na: 3\n---\n", 'a.md:4: has the key "a" twice'],
  ])("refuses %j", async (text, message) => {
    await expect(parseFrontMatter(text, "a.md")).rejects.toThrowError(
      expect.objectContaining({ code: "config-invalid", message: expect.stringContaining(message) }),
    );
  });

  test("`__proto__` is only a key", async () => {
    const { data } = await parseFrontMatter("---\n__proto__: { polluted: true }\n---\n", "a.md");
    expect(data.get("__proto__")).toEqual(new Map([["polluted", true]]));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("body and block together are the whole text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.constantFrom("\n", "\r\n"), async (body, end) => {
        const read = await parseFrontMatter(`---${end}title: T${end}---${end}${body}`, "a.md");
        expect(read.body).toBe(body);
        expect(read.bodyLine).toBe(4);
      }),
    );
  });
});

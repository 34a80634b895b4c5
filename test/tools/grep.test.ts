import { expect, test } from "vitest";
import { grepTool } from "../../src/tools/files.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc, { anyCharacter, tries } from "../fakes/properties.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

async function grepper(files: Record<string, string | Uint8Array>) {
  const { workspace } = await makeWorktree(files);
  return (input: unknown) => callTool(grepTool, input, makeContext(workspace));
}

test("rows are path:line: text, in the order of paths", async () => {
  const grep = await grepper({ "b.ts": "x\r\nfoo()\r\n", "a.ts": "foo1\nbar\nfoo2", "docs/c.md": "Foo" });
  expect(await grep({ pattern: "foo" })).toEqual({ text: "a.ts:1: foo1\na.ts:3: foo2\nb.ts:2: foo()" });
  expect(await grep({ pattern: "foo\\(\\)$" })).toEqual({ text: "b.ts:2: foo()" });
  expect(await grep({ pattern: "(?i)^foo$", glob: "*.md" })).toEqual({ text: "docs/c.md:1: Foo" });
  expect(await grep({ pattern: "foo", path: "a.ts" })).toEqual({ text: "a.ts:1: foo1\na.ts:3: foo2" });
  expect(await grep({ pattern: "Foo", path: "docs" })).toEqual({ text: "docs/c.md:1: Foo" });
  expect(await grep({ pattern: "nothing" })).toEqual({ text: "No line matches nothing." });
});

test("what is cut or left out is said", async () => {
  const grep = await grepper({
    "a.txt": "hit\n".repeat(300),
    "b.txt": `hit ${"y".repeat(1_000)}`,
    "c.bin": new Uint8Array([104, 105, 116, 0]),
  });
  const { text } = await grep({ pattern: "hit" });
  expect(text.split("\n").filter((row) => row.startsWith("a.txt:"))).toHaveLength(200);
  expect(text).toContain("[the first 200 of 301 lines; narrow pattern, path or glob]");
  expect(text).toContain("[1 files that are binary, not UTF-8 or over 10 MiB were left out]");
  expect((await grep({ pattern: "hit", path: "b.txt" })).text).toMatch(
    /^b\.txt:1: hit y+… \(1004 characters\)$/,
  );
});

test.each([
  ["(?=a)b", "lookahead"],
  ["(?<!a)b", "lookbehind"],
  ["(a)\\1", "back-reference"],
  ["(", "unbalanced"],
  ["[z-a]", "range"],
  ["a{2000}", "repeat"],
  ["(\\pL?){1000}", "size"],
])("%s is refused with the reason (%s)", async (pattern) => {
  const grep = await grepper({ a: "x" });
  const reply = await grep({ pattern });
  expect(reply).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^The pattern was refused: .{10}/),
  });
});

test("catastrophic patterns are answered within a second", async () => {
  const files = {
    a: `${"a".repeat(50_000)}!`,
    b: "ab ".repeat(20_000),
    c: "x".repeat(100).concat("\n").repeat(500),
  };
  const grep = await grepper(files);
  const patterns = [
    ...[
      "(a+)+$",
      "(a|a)*b",
      "(a|aa)+$",
      "^(.*a){12}$",
      "(x+x+)+y",
      "(.*)*b",
      "([a-zA-Z]+)*$",
      "(a?){50}a{50}b",
    ],
    ...[
      "\\b(\\w+\\s*)+\\b!",
      "(.*?,){11}P",
      `${"a?".repeat(200)}${"a".repeat(200)}b`,
      "(?:a|b|c|d)*(?:a|b|c|d)*\\bz",
    ],
  ];
  for (const pattern of patterns) {
    const took = startCpuClock();
    await grep({ pattern });
    expect(took(), pattern.slice(0, 30)).toBeLessThan(1_000);
  }
});

test("any pattern gets an answer, quickly, and never more than the rows allowed", async () => {
  const grep = await grepper({
    a: "some text (with) [marks] {1,2} \\ ^ $ * +\n".repeat(50),
    b: "aaaa\nüñí 😀\n",
  });
  const piece = fc.constantFrom(
    ..."( ) [ ] { } * + ? | ^ $ . \\ a b 1 , - (?: (?i) \\w \\b \\d {2,3} {9} [^a] \\p{L}".split(" "),
  );
  const pattern = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 }),
  );
  await fc.assert(
    fc.asyncProperty(pattern, async (given) => {
      const took = startCpuClock();
      const reply = await grep({ pattern: given });
      expect(took()).toBeLessThan(1_000);
      expect(reply.text.length).toBeGreaterThan(0);
      if (reply.isError) expect(reply.text).toMatch(/refused/);
    }),
    tries(100),
  );
});

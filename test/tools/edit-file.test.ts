import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { redactNothing } from "../../src/core/redaction.ts";
import { applyEdit, editFileTool } from "../../src/tools/edit-file.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc from "../fakes/properties.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function editor(files: Record<string, string>) {
  const { workspace, root } = await makeWorktree(files);
  return {
    edit: (path: string, oldStr: string, newStr: string) =>
      callTool(editFileTool, { path, oldStr, newStr }, makeContext(workspace)),
    preview: async (path: string, oldStr: string, newStr: string, pending = new Map<string, string>()) => {
      const shown = await editFileTool.preview?.(
        { path, oldStr, newStr },
        { workspace, pending, redact: redactNothing },
      );
      if (!shown) throw new Error("no preview");
      return shown;
    },
    textOf: (path: string) => readFile(join(root, path), "utf8"),
  };
}

test("replaces the one place, creates, and keeps everything else", async () => {
  const { edit, textOf } = await editor({ "a.txt": "one\r\ntwo\nthree", empty: "" });
  expect(await edit("a.txt", "two", "$& $1 $$ 2")).toEqual({ text: "Edited a.txt." });
  expect(await textOf("a.txt")).toBe("one\r\n$& $1 $$ 2\nthree");
  expect(await edit("new/b.txt", "", "text")).toEqual({ text: "Created new/b.txt." });
  expect(await textOf("new/b.txt")).toBe("text");
  await edit("empty", "", "filled");
  expect(await textOf("empty")).toBe("filled");
});

test.each([
  ["a.txt", "", "x", /exists already/],
  ["a.txt", "line", "x", /occurs 3 times in a\.txt, at lines 1, 2, 3/],
  ["a.txt", "none", "x", /is not in a\.txt/],
  ["a.txt", "line 1", "line 1", /the same/],
  ["none.txt", "x", "y", /no file none\.txt/],
  ["aaa", "aa", "x", /2 times/],
  [".git/config", "", "x", /may not use/],
  [".looplia/contentItem/s/summary.json", "", "{}", /session folders/],
  ["../x", "", "x", /\.\./],
])("editing %j (%j) is refused and changes nothing", async (path, oldStr, newStr, expected) => {
  const { edit, preview, textOf } = await editor({ "a.txt": "line 1\nline 2\nline 3", aaa: "aaa" });
  expect(await edit(path, oldStr, newStr)).toMatchObject({
    isError: true,
    text: expect.stringMatching(expected),
  });
  await expect(preview(path, oldStr, newStr)).rejects.toThrow(expected);
  expect(await textOf("a.txt")).toBe("line 1\nline 2\nline 3");
});

test("a near miss says where to look", () => {
  const hintOf = (before: string, oldStr: string) => {
    try {
      return applyEdit({ path: "a", oldStr, newStr: "x" }, before);
    } catch (error) {
      return error instanceof Error && "hint" in error ? error.hint : undefined;
    }
  };
  expect(hintOf("a\r\nb\r\n", "a\nb")).toContain("\\r\\n");
  expect(hintOf("x\n    if (y) {\n", "if (y) {\n  z")).toContain("Line 2");
  expect(hintOf("x", "y")).toContain("Read the file again");
});

test("a preview shows a diff and is bound to the file before and after", async () => {
  const { preview } = await editor({ "a.txt": "one\ntwo\nthree\n" });
  const shown = await preview("./a.txt", "two", "2");
  expect(shown).toEqual({
    title: "Edit a.txt",
    content: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    contentKind: "Diff",
    binding: { path: "a.txt", before: sha256("one\ntwo\nthree\n"), after: sha256("one\n2\nthree\n") },
  });
  const created = await preview("b.txt", "", "new\n");
  expect(created.title).toBe("Create b.txt");
  expect(created.content).toContain("--- /dev/null\n+++ b/b.txt");
  expect(created.binding).toEqual({ path: "b.txt", before: "none", after: sha256("new\n") });
});

test("the second edit of a turn sees the first, in any spelling of the path", async () => {
  const { preview } = await editor({ "a.txt": "one" });
  const pending = new Map<string, string>();
  const first = await preview("a.txt", "one", "two", pending);
  const second = await preview(".//a.txt", "two", "three", pending);
  expect(second.binding.before).toBe(first.binding.after);
  expect(second.binding.after).toBe(sha256("three"));
  await preview("new.txt", "", "x", pending);
  expect((await preview("new.txt", "x", "y", pending)).binding.after).toBe(sha256("y"));
});

test("the diff of a rewritten large file comes in time and is whole", async () => {
  const text = (word: string) => Array.from({ length: 30_000 }, (_, at) => `${word} ${at * 7}`).join("\n");
  const { preview } = await editor({ "a.txt": text("old") });
  const took = startCpuClock();
  const { content } = await preview("a.txt", text("old"), text("new"));
  expect(took()).toBeLessThan(10_000);
  expect(content.match(/^\+new/gm)).toHaveLength(30_000);
  expect(content.match(/^-old/gm)).toHaveLength(30_000);
});

test("the diff that is shown is the edit that is made", async () => {
  const { preview, edit, textOf } = await editor({});
  const line = fc.constantFrom(
    "a",
    "b",
    "",
    "  x",
    "ü😀",
    "+",
    "-",
    "@@ -1 +1 @@",
    "\\ No newline at end of file",
  );
  const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"));
  let round = 0;
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (head, old, now, tail) => {
      round += 1;
      const path = `f${round}.txt`;
      const marked = `<${round}${old}>`;
      await edit(path, "", `${head}${marked}${tail}`);
      fc.pre(marked !== now);
      const before = await textOf(path);
      const { content, binding } = await preview(path, marked, now);
      await edit(path, marked, now);
      expect(applyPatch(before, content)).toBe(await textOf(path));
      expect(binding.after).toBe(sha256(await textOf(path)));
    }),
    { numRuns: 100 },
  );
});

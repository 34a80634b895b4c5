import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFilesTool, readFileTool } from "../../src/tools/files.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

async function reader(files: Record<string, string | Uint8Array>) {
  const { workspace, root } = await makeWorktree(files);
  const context = makeContext(workspace);
  return {
    root,
    read: (input: unknown) => callTool(readFileTool, input, context),
    list: (input: unknown) => callTool(listFilesTool, input, context),
  };
}

test("readFile gives the text as it is", async () => {
  const { read } = await reader({ "a.txt": "one\r\ntwo\n\nüber", empty: "" });
  expect(await read({ path: "a.txt" })).toEqual({ text: "one\r\ntwo\n\nüber" });
  expect(await read({ path: "empty" })).toEqual({ text: "(the file is empty)" });
});

test("readFile gives some lines and names the next offset", async () => {
  const { read } = await reader({ "a.txt": numbered(10) });
  expect((await read({ path: "a.txt", offset: 3, limit: 2 })).text).toBe(
    "line 3\nline 4\n\n[lines 3–4 of 10; go on with offset 5]",
  );
  expect((await read({ path: "a.txt", offset: 9, limit: 5 })).text).toBe("line 9\nline 10");
  expect(await read({ path: "a.txt", offset: 11 })).toEqual({
    text: "a.txt has 10 lines; there is no line 11.",
    isError: true,
  });
});

test("the parts of a long file are the file", async () => {
  const whole = `${numbered(20_000)}\n`;
  const { read } = await reader({ long: whole });
  let text = "";
  for (let offset: number | undefined = 1; offset !== undefined; ) {
    const part = (await read({ path: "long", offset })).text;
    expect(part.length).toBeLessThan(30_000);
    const note: RegExpExecArray | null = /\n\[lines \d+–\d+ of 20000; go on with offset (\d+)\]$/.exec(part);
    text += note ? part.slice(0, note.index) : part;
    offset = note ? Number(note[1]) : undefined;
  }
  expect(text).toBe(whole);
});

test("a line that is longer than a part is read to its end, not a character lost", async () => {
  const whole = `${"😀x".repeat(25_000)}\nnext\n`;
  const { read } = await reader({ wide: whole });
  const note =
    /\n\[lines \d+–\d+ of 8, each 8,000 characters of a long one counted; go on with offset (\d+)\]$/;
  const parts: string[] = [];
  for (let offset = 1; offset > 0; offset = Number(note.exec(parts.at(-1) ?? "")?.[1] ?? 0)) {
    parts.push((await read({ path: "wide", offset })).text);
    expect(parts.at(-1)?.length).toBeLessThan(30_000);
  }
  expect(parts.map((part) => part.replace(note, "")).join("")).toBe(whole);
});

test("readFile says what is wrong", async () => {
  const { read } = await reader({ "d/x": "", bin: new Uint8Array([0]) });
  expect(await read({ path: "none" })).toMatchObject({ isError: true, text: 'There is no file "none".' });
  expect((await read({ path: "d" })).text).toMatch(/is a folder/);
  expect((await read({ path: "bin" })).text).toMatch(/binary/);
});

test("listFiles lists below a folder, by glob, and says how many there are", async () => {
  const { list, root } = await reader(
    Object.fromEntries([
      ...Array.from({ length: 600 }, (_, at) => [`many/${String(at).padStart(3, "0")}.txt`, ""]),
      ["a.md", ""],
      ["docs/b.md", ""],
    ]),
  );
  await symlink("docs", join(root, "linked"));
  expect(await list({ glob: "*.md" })).toEqual({ text: "a.md\ndocs/b.md" });
  expect(await list({ path: "docs" })).toEqual({ text: "docs/b.md" });
  expect(await list({ path: "docs", glob: "*.txt" })).toEqual({ text: "No files match *.txt below docs." });
  const { text } = await list({ path: "many" });
  expect(text.split("\n")).toHaveLength(501);
  expect(text).toMatch(/\[the first 500 of 600 files; narrow path or glob\]$/);
  expect((await list({ path: "none" })).isError).toBe(true);
  expect((await list({ glob: "[z-a]" })).text).toMatch(/glob "\[z-a\]" was refused/);
});

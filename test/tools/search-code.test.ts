import { expect, test } from "vitest";
import { searchCodeTool, splitWords } from "../../src/tools/files.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

test.each([
  ["readFile", ["readfile", "read", "file"]],
  ["HTTPServer2 max_tokens", ["httpserver2", "http", "server2", "maxtokens", "max", "tokens"]],
  ["plain words, über!", ["plain", "words", "über"]],
  ["__proto__ constructor", ["proto", "constructor"]],
])("%s is split into %j", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test("what fits best comes first, with its lines", async () => {
  const filler = (count: number) =>
    Array.from({ length: count }, (_, at) => `const other${at} = ${at};`).join("\n");
  const { workspace } = await makeWorktree({
    "src/session.ts": `${filler(60)}\nfunction resumeSession(sessionId) {\n  return openStore(sessionId);\n}\n${filler(60)}`,
    "src/other.ts": filler(100),
    "docs/session.md": "A session may be stopped.",
    "bin.dat": new Uint8Array([0, 1]),
    "constructor.ts": "export const prototype = 1;",
  });
  const search = (input: unknown) => callTool(searchCodeTool, input, makeContext(workspace));
  const [first = ""] = (await search({ query: "resume session" })).text.split("\n\n");
  expect(first.split("\n")[0]).toBe("src/session.ts:60-65");
  expect(first).toContain("function resumeSession(sessionId) {");
  expect((await search({ query: "other7", limit: 1 })).text.match(/^\S+:\d+-\d+$/gm)).toHaveLength(1);
  expect((await search({ query: "constructor" })).text).toMatch(/^constructor\.ts:1-1/);
  expect(await search({ query: "zebra" })).toEqual({ text: "Nothing found for zebra." });
  expect(await search({ query: "!?" })).toEqual({ text: "Nothing found for !?." });
});

test("what was too large to search is said", async () => {
  const { workspace } = await makeWorktree({ "big.txt": "word ".repeat(100_000), "a.txt": "a zebra" });
  const { text } = await callTool(searchCodeTool, { query: "zebra" }, makeContext(workspace));
  expect(text).toBe("a.txt:1-1\n  a zebra\n[big.txt was not searched: it is too large]");
});

test("a search stops at a bounded amount of text, and says where", async () => {
  const text = "some words here\n".repeat(20_000);
  const files = Array.from({ length: 30 }, (_, at) => [`f${String(at).padStart(2, "0")}.txt`, text]);
  const { workspace } = await makeWorktree(Object.fromEntries(files));
  const { text: found } = await callTool(
    searchCodeTool,
    { query: "words", limit: 1 },
    makeContext(workspace),
  );
  expect(found).toMatch(/\[f25\.txt and what comes after it were not searched/);
});

import { expect, test } from "vitest";
import { skillTool } from "../../src/tools/people.ts";
import { allTools, inputProblems, toolDefinition } from "../../src/tools/registry.ts";
import { writeArtifactTool } from "../../src/tools/run-command.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

const NAMES = [
  ...["readFile", "listFiles", "grep", "searchCode", "editFile", "runCommand"],
  ...["writeArtifact", "askUser", "Task", "Skill"],
  "reportSummary",
];

test("the tools of the contract, with their risks", () => {
  expect(allTools().map(({ name }) => name)).toEqual(NAMES);
  const risky = allTools().filter(({ risk }) => risk === "risky");
  expect(risky.map(({ name }) => name)).toEqual(["editFile", "runCommand"]);
  for (const tool of risky) expect(tool.preview).toBeTypeOf("function");
  for (const tool of allTools()) expect(tool.effect === "read" && tool.risk === "risky").toBe(false);
});

test("definitions are small, the same every time, and plain JSON Schema", () => {
  const text = JSON.stringify(allTools().map(toolDefinition));
  expect(text.length).toBeLessThan(8_000);
  expect(JSON.stringify(allTools().map(toolDefinition))).toBe(text);
  for (const { inputSchema } of allTools().map(toolDefinition)) {
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(inputSchema).not.toHaveProperty("$schema");
  }
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test.each([
  ["readFile", {}, /path: .*expected string/],
  ["readFile", null, /expected object/],
  ["readFile", { path: "a", offset: 0 }, /offset: /],
  [
    "editFile",
    { path: "a", oldStr: 1, newStr: "", replaceAll: true },
    /oldStr: .*expected string.*; .*"replaceAll"/,
  ],
  ["writeArtifact", { output: "summary" }, /content: is missing/],
  [
    "askUser",
    { question: "q", options: [{ id: "x" }] },
    /options\.0: expected a label, or \{id, label, style\?, isDefault\?\}/,
  ],
])("a wrong input of %s (%j) is told in one reply", async (name, input, expected) => {
  const tool = allTools().find((each) => each.name === name);
  if (!tool) throw new Error("no such tool");
  const parsed = tool.input().safeParse(input);
  if (parsed.success) throw new Error("accepted");
  expect(inputProblems(parsed.error)).toMatch(expected);
});

test("writeArtifact hands the value on, also when it came as text", async () => {
  const { workspace } = await makeWorktree();
  const written: [string, unknown][] = [];
  const context = makeContext(workspace, {
    artifacts: {
      write: async (output, content) => {
        written.push([output, content]);
        return { text: "saved" };
      },
    },
  });
  for (const content of [{ a: 1 }, '{"a":1}', ' [{"b":2}]', "plain", null]) {
    expect(await callTool(writeArtifactTool, { output: "o", content }, context)).toEqual({ text: "saved" });
  }
  expect(written.map(([, content]) => content)).toEqual([{ a: 1 }, { a: 1 }, [{ b: 2 }], "plain", null]);
  expect(await callTool(writeArtifactTool, { output: "o", content: '{"a":' }, context)).toMatchObject({
    isError: true,
    text: expect.stringMatching(/not JSON/),
  });
  expect(written).toHaveLength(5);
});

test("Skill gives the body, a listed file, and nothing else", async () => {
  const { workspace } = await makeWorktree();
  const asked: string[] = [];
  const skill = {
    body: "Steps.",
    files: ["form.md", "gone.md"],
    read: async (file: string) => {
      asked.push(file);
      return file === "form.md" ? "Form." : undefined;
    },
  };
  const context = makeContext(workspace, { skills: new Map([["reviewer", skill]]) });
  const use = (input: unknown) => callTool(skillTool, input, context);
  expect(await use({ name: "reviewer" })).toEqual({
    text: "Steps.\n\nFiles of this skill: form.md, gone.md",
  });
  expect(await use({ name: "reviewer", file: "form.md" })).toEqual({ text: "Form." });
  for (const file of ["../../.git/config", "FORM.md", "gone.md"]) {
    expect(await use({ name: "reviewer", file })).toMatchObject({ isError: true });
  }
  expect(asked).toEqual(["form.md", "gone.md"]);
  expect(await use({ name: "__proto__" })).toEqual({
    text: 'There is no skill "__proto__". Skills: reviewer.',
    isError: true,
  });
});

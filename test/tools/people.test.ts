import { beforeAll, describe, expect, test } from "vitest";
import type { InteractionAnswer } from "../../src/core/interaction.ts";
import type { Workspace } from "../../src/core/ports.ts";
import { askUserTool, taskTool } from "../../src/tools/people.ts";
import { SUSPENDED, type ToolQuestion } from "../../src/tools/tool.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";

let workspace: Workspace;
beforeAll(async () => {
  workspace = (await makeWorktree()).workspace;
});

function person(answer: InteractionAnswer | typeof SUSPENDED | "nobody") {
  const asked: ToolQuestion[] = [];
  const context = makeContext(workspace, {
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  });
  return { asked, context };
}

describe("askUser", () => {
  test("asks a Select with labels that get ids of their own", async () => {
    const { asked, context } = person({ selectedOptionId: "the-second-one", comment: "because" });
    const reply = await callTool(
      askUserTool,
      {
        question: "Which hook?\nThey differ in tone.",
        options: ["The second one!", { id: "own", label: "Own" }, "own", "42", "日本", "The second one?"],
      },
      context,
    );
    expect(asked).toEqual([
      {
        kind: "Select",
        purpose: "generic",
        title: "Which hook?",
        description: "They differ in tone.",
        options: [
          { id: "the-second-one", label: "The second one!" },
          { id: "own", label: "Own" },
          { id: "option-3", label: "own" },
          { id: "option-4", label: "42" },
          { id: "option-5", label: "日本" },
          { id: "option-6", label: "The second one?" },
        ],
      },
    ]);
    expect(reply.text).toBe("The person chose the-second-one (The second one!).\nComment: because");
  });

  test("asks with options that have a style, one of them the default", async () => {
    const { asked, context } = person({ selectedOptionId: "keep" });
    const options = [
      { id: "keep", label: "Keep", style: "primary", isDefault: true },
      { id: "drop", label: "Drop", style: "danger", isDefault: false },
    ];
    const question = { question: "Drop the table?", purpose: "choose_strategy", options };
    await callTool(askUserTool, question, context);
    expect(asked[0]?.options).toEqual([options[0], { id: "drop", label: "Drop", style: "danger" }]);
  });

  test.each<[string, object, object]>([
    ["a text", { content: "one\ntwo" }, { content: "one\ntwo", contentKind: "PlainText" }],
    [
      "rows",
      { content: [{ hook: "A", score: 1 }] },
      { content: [{ hook: "A", score: 1 }], contentKind: "Table" },
    ],
    ["a value", { content: { a: [1] } }, { content: { a: [1] }, contentKind: "Json" }],
    ["a diff", { content: "-a\n+b", contentKind: "Diff" }, { content: "-a\n+b", contentKind: "Diff" }],
    ["rows as JSON", { content: [[1]], contentKind: "Json" }, { content: [[1]], contentKind: "Json" }],
  ])("shows content: %s", async (_, given, shown) => {
    const { asked, context } = person({ inputValue: "ok" });
    await callTool(askUserTool, { question: "This?", description: "Why.", ...given }, context);
    expect(asked[0]).toMatchObject({ title: "This?", description: "Why.", ...shown });
  });

  test.each<[object, RegExp]>([
    [{ content: "a", contentKind: "Table" }, /A Table is an array/],
    [{ content: [], contentKind: "Table" }, /A Table is an array/],
    [{ content: { a: 1 }, contentKind: "Diff" }, /content of kind Diff is a text/],
    [{ content: "x".repeat(20_001) }, /content is too long/],
    [{ contentKind: "Json" }, /contentKind says/],
  ])("asks nobody where the content is not of its kind: %j", async (given, problem) => {
    const { asked, context } = person({ inputValue: "ok" });
    const reply = await callTool(askUserTool, { question: "This?", ...given }, context);
    expect([reply.isError, asked]).toEqual([true, []]);
    expect(reply.text).toMatch(problem);
  });

  test("a heading is short, and the description has the whole question", async () => {
    const { asked, context } = person({ inputValue: "ok" });
    const question = `${"w".repeat(3_000)}\nMore.`;
    await callTool(askUserTool, { question, description: "Why." }, context);
    expect(asked[0]?.title).toBe(`${"w".repeat(199)}…`);
    expect(asked[0]?.description).toBe(`${question}\n\nWhy.`);
  });

  test("asks a Confirm with approve and reject", async () => {
    const { asked, context } = person({ selectedOptionId: "reject", comment: "not now" });
    const reply = await callTool(askUserTool, { question: "Go on?", kind: "Confirm" }, context);
    expect(asked[0]?.options?.map(({ id }) => id)).toEqual(["approve", "reject"]);
    expect(reply.text).toBe("The person chose reject (Reject).\nComment: not now");
  });

  test("asks an Input with its rule", async () => {
    const { asked, context } = person({ inputValue: "2026" });
    const validation = { regex: "^\\d{4}$", required: true };
    const reply = await callTool(
      askUserTool,
      { question: "Year?", purpose: "request_info", validation },
      context,
    );
    expect(asked[0]).toEqual({ kind: "Input", purpose: "request_info", title: "Year?", validation });
    expect(reply.text).toBe("The person answered:\n2026");
  });

  test("asks a Composite, each field with a kind of its own", async () => {
    const { asked, context } = person({ inputValue: '{"tone":"plain","year":"2026","sure":"approve"}' });
    const fields = [
      { id: "tone", label: "Which tone?", options: ["Plain", "Bold"] },
      { id: "year", label: "Which year?", validation: { regex: "^\\d{4}$" } },
      { id: "sure", label: "Are you sure?", kind: "Confirm" },
    ];
    const reply = await callTool(askUserTool, { question: "About the kit", fields }, context);
    expect(asked[0]).toMatchObject({
      kind: "Composite",
      title: "About the kit",
      fields: [
        { id: "tone", kind: "Select", options: [{ id: "plain" }, { id: "bold" }] },
        { id: "year", kind: "Input", validation: { regex: "^\\d{4}$" } },
        { id: "sure", kind: "Confirm", options: [{ id: "approve" }, { id: "reject" }] },
      ],
    });
    expect(reply.text).toBe(
      'The person answered, by field:\n{"tone":"plain","year":"2026","sure":"approve"}',
    );
  });

  test("tells that the person declined", async () => {
    const { context } = person({ selectedOptionId: "reject", comment: "ask me later" });
    const reply = await callTool(askUserTool, { question: "Year?" }, context);
    expect(reply.text).toBe("The person declined to answer.\nComment: ask me later");
  });

  test.each([
    [{ question: "q", kind: "Select" }, /needs options/],
    [
      {
        question: "q",
        options: [
          { id: "a", label: "1" },
          { id: "a", label: "2" },
        ],
      },
      /"a" is there twice/,
    ],
    [
      {
        question: "q",
        options: [
          { id: "2", label: "x" },
          { id: "a b", label: "y" },
        ],
      },
      /"a b" has spaces/,
    ],
    [
      {
        question: "q",
        options: [
          { id: "a", label: "1", isDefault: true },
          { id: "b", label: "2", isDefault: true },
        ],
      },
      /more than one default/,
    ],
    [{ question: "q", kind: "Composite" }, /needs fields/],
    [{ question: "q", kind: "Input", fields: [{ id: "f", label: "x" }] }, /belong to kind Composite/],
    [{ question: "q", fields: [{ id: "f", label: "x" }], options: ["a"] }, /in its fields/],
    [
      {
        question: "q",
        fields: [
          { id: "f", label: "x" },
          { id: "f", label: "y" },
        ],
      },
      /field id "f" is there twice/,
    ],
    [
      { question: "q", fields: [{ id: "f", label: "x", validation: { regex: "(" } }] },
      /^fields\.f\.validation\.regex was refused/,
    ],
    [
      { question: "q", fields: [{ id: "f", label: "x", kind: "Select" }] },
      /^fields\.f\.Select needs options/,
    ],
    [{ question: "q", validation: { regex: "(?=a)" } }, /validation\.regex was refused/],
    [{ question: "q", validation: { regex: "(" } }, /validation\.regex was refused/],
    [
      { question: "q", validation: { regex: "\\pL{1000}".repeat(40) } },
      /refused: it is too large \(\d+ instr/,
    ],
  ])("%j is refused before anybody is asked", async (input, expected) => {
    const { asked, context } = person("nobody");
    expect(await callTool(askUserTool, input, context)).toMatchObject({
      isError: true,
      text: expect.stringMatching(expected),
    });
    expect(asked).toEqual([]);
  });

  test.each([
    { question: "  " },
    { question: "q", options: [] },
    { question: "q", fields: Array.from({ length: 11 }, (_, at) => ({ id: `f${at}`, label: "x" })) },
    { question: "q", fields: [{ id: "__proto__", label: "x" }] },
    { question: "q", fields: [{ id: "f", label: "x", kind: "Composite" }] },
    { question: "q", purpose: "approve_all" },
    { question: "q", options: [{ id: "a", label: "A", style: "loud" }] },
    { question: "q", options: [{ id: "a\tb", label: "x" }] },
    { question: "q", options: [{ id: " a", label: "x" }] },
    { question: "q", fields: [] },
  ])("%j does not fit the schema", (input) => {
    expect(askUserTool.input().safeParse(input).success).toBe(false);
  });

  test("waits, or decides alone where nobody is", async () => {
    const input = askUserTool.input().parse({ question: "q" });
    expect(await askUserTool.run(input, person(SUSPENDED).context)).toEqual(SUSPENDED);
    const alone = await callTool(askUserTool, { question: "q" }, person("nobody").context);
    expect(alone.isError).toBeUndefined();
    expect(alone.text).toMatch(/Nobody can be asked here\. Decide yourself/);
  });
});

describe("Task", () => {
  function delegation(
    answer: InteractionAnswer | typeof SUSPENDED | "nobody",
    names = ["writer", "constructor"],
  ) {
    const { asked, context } = person(answer);
    const ran: [string, string][] = [];
    context.subagents = {
      names,
      run: async (agent, prompt) => {
        ran.push([agent, prompt]);
        return { text: "done by it" };
      },
    };
    return { asked, ran, context };
  }

  test("runs the agent that is named", async () => {
    const { ran, asked, context } = delegation("nobody");
    expect(await callTool(taskTool, { agent: "writer", prompt: "write" }, context)).toEqual({
      text: "done by it",
    });
    expect([ran, asked]).toEqual([[["writer", "write"]], []]);
  });

  test("an unknown agent gets the list", async () => {
    const { ran, context } = delegation("nobody");
    const reply = await callTool(taskTool, { agent: "toString", prompt: "x" }, context);
    expect(reply).toEqual({
      text: 'There is no agent "toString". Agents: writer, constructor.',
      isError: true,
    });
    expect(ran).toEqual([]);
    const none = await callTool(taskTool, { agent: "writer", prompt: "x" }, delegation("nobody", []).context);
    expect(none).toMatchObject({ isError: true, text: expect.stringContaining("no other agents") });
  });

  test("without an agent a person chooses", async () => {
    const { asked, ran, context } = delegation({ selectedOptionId: "constructor" });
    expect(await callTool(taskTool, { prompt: "write" }, context)).toEqual({ text: "done by it" });
    expect(asked[0]).toMatchObject({
      kind: "Select",
      purpose: "assign_subtask",
      description: "write",
      options: [{ id: "writer" }, { id: "constructor" }],
    });
    expect(ran).toEqual([["constructor", "write"]]);
  });

  test("nobody, nothing chosen, or later", async () => {
    expect(await callTool(taskTool, { prompt: "x" }, delegation("nobody").context)).toMatchObject({
      isError: true,
      text: "Nobody can be asked here. Name the agent yourself: writer, constructor.",
    });
    const declined = delegation({ selectedOptionId: "reject", comment: "do it yourself" });
    expect((await callTool(taskTool, { prompt: "x" }, declined.context)).text).toBe(
      "The person chose none of the agents.\nComment: do it yourself",
    );
    expect(declined.ran).toEqual([]);
    expect(await taskTool.run({ prompt: "x" }, delegation(SUSPENDED).context)).toEqual(SUSPENDED);
  });
});

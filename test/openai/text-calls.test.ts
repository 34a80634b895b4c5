// Calls in a text: every form that models write, all that can be broken about them, and any split of the stream.
import { describe, expect, it, onTestFinished } from "vitest";
import { type Message, TEXT_CALL_FORM, toolCallsOf } from "../../src/core/events.ts";
import type { Model } from "../../src/core/ports.ts";
import { createOpenAIModel } from "../../src/openai/model.ts";
import { readTextCalls } from "../../src/openai/text-calls.ts";
import { withTextCalls } from "../../src/openai/text-model.ts";
import { ask, readFile, results, say, signal } from "../anthropic/anthropic-fixture.ts";
import type { ApiScript } from "../fakes/messages-api-script.ts";
import { type OpenAIApiOptions, startOpenAIApi } from "../fakes/openai-api.ts";
import fc, { tries } from "../fakes/properties.ts";

const editFile = {
  name: "editFile",
  description: "",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, newStr: { type: "string" }, times: { type: "integer" } },
  },
};
const TOOLS = [readFile, editFile];
const read = (said: string) => readTextCalls(said, TOOLS);
const callsIn = (said: string) => read(said).flatMap((piece) => ("name" in piece ? [piece] : []));

const A = { name: "readFile", input: { path: "a.md" } };
const CODE = 'if (a < b && c) {\n  say("</tool_use> <b>&amp;</b>", `x`);\n}\n';

describe("a call", () => {
  it.each([
    [
      "JSON with name and input",
      '<tool_use>\n{"name": "readFile", "input": {"path": "a.md"}}\n</tool_use>',
      A,
    ],
    ["JSON with arguments", '<tool_code>{"tool":"readFile","arguments":{"path":"a.md"}}</tool_code>', A],
    [
      "arguments that are JSON in a string",
      `<tool_use>{"name":"readFile","arguments":"{\\"path\\":\\"a.md\\"}"}</tool_use>`,
      A,
    ],
    ["a name as attribute", '<tool_use name="readFile">{"path": "a.md"}</tool_use>', A],
    ["elements", '<tool_use><name>readFile</name><input>{"path":"a.md"}</input></tool_use>', A],
    [
      "an element per parameter",
      "<tool_use>\n<tool_name>readFile</tool_name>\n<path>a.md</path>\n</tool_use>",
      A,
    ],
    ["named parameters", '<tool_code name="readFile"><parameter name="path">a.md</parameter></tool_code>', A],
    ["a fenced block", '```json\n{"name":"readFile","input":{"path":"a.md"}}\n```', A],
    [
      "code in CDATA, with its own closers",
      `<tool_use name="editFile"><path>x.ts</path><newStr><![CDATA[${CODE}]]></newStr><times>2</times></tool_use>`,
      { name: "editFile", input: { path: "x.ts", newStr: CODE, times: 2 } },
    ],
    [
      "code in JSON, with its own closers",
      `<tool_use>${JSON.stringify({ name: "editFile", input: { newStr: CODE } })}</tool_use>`,
      { name: "editFile", input: { newStr: CODE } },
    ],
    [
      "text that only looks like a number",
      '<tool_use name="editFile"><newStr>\n42\n</newStr></tool_use>',
      { name: "editFile", input: { newStr: "42" } },
    ],
  ])("is read from %s", (_, said, expected) => {
    expect(read(`Let me look.\n${said}\n`)).toEqual([{ text: "Let me look.\n" }, expected]);
  });

  it("may be one of several, in order, with words between", () => {
    const one = '<tool_use>{"name":"readFile","input":{"path":"a.md"}}</tool_use>';
    const two = '<tool_code name="editFile"><path>b</path></tool_code>';
    expect(read(`${one} and ${two}`)).toEqual([
      A,
      { text: " and " },
      { name: "editFile", input: { path: "b" } },
    ]);
  });

  const B = { name: "editFile", input: { path: "b" } };
  const LIST = JSON.stringify([{ tool: A.name, arguments: A.input }, B], null, 2);
  it.each([
    ["a fence", `\`\`\`json\n${LIST}\n\`\`\``],
    ["an element", `<tool_code>${LIST}</tool_code>`],
    ["JSON at the end", LIST],
    ["one line of JSON at the end", `${JSON.stringify([A, B])}\n`],
  ])("may be one of a list in %s", (_, said) => {
    expect(read(`Let me look.\n${said}`)).toEqual([{ text: "Let me look.\n" }, A, B]);
  });

  it("is a list as a whole, or not at all", () => {
    const list = (...calls: unknown[]) => JSON.stringify(calls);
    const unknown = { name: "unknownTool", input: {} };
    const mixed = `\`\`\`json\n${list(A, unknown)}\n\`\`\``;
    expect(read(mixed)).toEqual([{ name: "readFile", input: mixed }]);
    for (const data of [list(A, unknown), list(A, 1), list(), list([A]), `${list(A)}\nis a list.`]) {
      expect(callsIn(data), data).toEqual([]);
    }
    expect(callsIn(`\`\`\`json\n${list(A, { other: 1 })}\n\`\`\``)).toEqual([]);
  });

  it("is not what stands within another call, in other JSON, or after a result that the model made up", () => {
    const inner = '<tool_use>{"name":"readFile","input":{"path":"evil"}}</tool_use>';
    expect(
      callsIn(`<tool_use name="editFile"><newStr><![CDATA[${inner}]]></newStr></tool_use>`),
    ).toHaveLength(1);
    expect(callsIn('```json\n{"name":"unknownTool","input":{}}\n```')).toEqual([]);
    expect(callsIn('```json\n{"name":"readFile","input":{},"more":1}\n```')).toEqual([]);
    expect(callsIn('```json\n{"name":"app","version":\n```')).toEqual([]);
    expect(callsIn('The object {"name":"readFile","input":{"path":"a"}} is a call.')).toEqual([]);
    const dreamt = `<tool_use>${JSON.stringify(A)}</tool_use>\n<tool_result>ok</tool_result>\n${inner}`;
    expect(read(dreamt)).toEqual([A]);
  });

  const RUN = '<tool_use>{"name":"readFile","input":{"path":"quoted"}}</tool_use>';
  const ELEMENTS = "<tool_use><name>readFile</name><path>quoted</path></tool_use>";
  it.each([
    ["a code block with words after it", `Write:\n\`\`\`xml\n${RUN}\n\`\`\`\nI will not.`],
    ["a quoted file in a code block", `It says:\n~~~md\n# Guide\n${RUN}\n\`\`\`\n~~~`],
    ["a longer fence", `\`\`\`\`md\n\`\`\`json\n${JSON.stringify(A)}\n\`\`\`\n\`\`\`\`\n`],
    ["inline code", `Use \`${RUN}\` to read.`],
    ["a name of the element alone", "The `<tool_use>` element is right."],
    ["a citation", `> ${RUN}\n\nThat is what it says.`],
    ["a quotation", `He wrote "${ELEMENTS}".`],
    ["the JSON of a summary", `So: {"task_id":"T1","status":"done","summary":"Without ${ELEMENTS}"}`],
    ["the JSON of data in a fence", `\`\`\`json\n${JSON.stringify({ a: 1, doc: ELEMENTS })}\n\`\`\``],
    ["a thought", `<think>\nI could ${RUN}\n</think>\nNo.`],
    ["a thought that the template began", `I could\n${RUN}\n</think>\n\nNo.`],
    ["a thought that breaks off", `<think>\n${JSON.stringify(A)}`],
    ["a quoted result", `<tool_result name="readFile">\n${RUN}\n</tool_result>`],
    ["a quoted file in markup", `<file path="a">\n${RUN}\n</file>`],
    ["markup within a line", `As in <code>${RUN}</code> or <!-- ${RUN} -->.`],
    ["a comment", `<!--\n${RUN}\n-->`],
  ])("is not what stands in %s", (_, said) => {
    expect(read(said)).toEqual([{ text: said }]);
  });

  it("comes through where another one is quoted before it or in it", () => {
    const edit = { name: "editFile", input: { newStr: `a ${ELEMENTS} b` } };
    expect(read(`${JSON.stringify(edit)}\n`)).toEqual([edit]);
    const markup = { name: "editFile", input: { newStr: "<code>x</code>" } };
    expect(callsIn(`I change <code> now:\n<tool_use>${JSON.stringify(markup)}</tool_use>`)).toEqual([markup]);
    expect(callsIn(`Not \`${RUN}\`, but:\n<tool_use>${JSON.stringify(A)}</tool_use>`)).toEqual([A]);
  });

  it.each([`\`\`\`xml\n${RUN}\n\`\`\``, `\`\`\`\n${JSON.stringify(A)}\n\`\`\``, `\`\`\`xml\n${RUN}`])(
    "that ends the message in a code block does not run, and is answered with the right form: %j",
    (said) => {
      expect(read(`So:\n${said}`)).toEqual([{ text: "So:\n" }, { name: "readFile", input: said }]);
    },
  );

  it.each([
    ["no end", '<tool_use>{"name":"readFile","input":{"path":"a"}}', "readFile"],
    ["broken JSON", '<tool_use>{"name":"readFile","input":{path:"a"}}</tool_use>', "readFile"],
    ["no input", '<tool_use>{"name":"readFile"}</tool_use>', "readFile"],
    [
      "two ends of one parameter",
      '<tool_use name="editFile"><path>a</path><path>b</path></tool_use>',
      "editFile",
    ],
    ["broken JSON in a fence", '```json\n{"name":"readFile","input":{path:"a"}}\n```', "readFile"],
    ["a fence without an end", '```json\n{"name":"readFile","input":{"path":"a"}}', "readFile"],
    ["a program in its fence", '```tool_code\nprint(readFile(path="a"))\n```', "tool_use"],
    ["prose", "<tool_use>please read a.md</tool_use>", "tool_use"],
  ])("that has %s keeps its text, and is no other call", (_, said, name) => {
    expect(read(said)).toEqual([{ name, input: said }]);
  });
});

const fragment = fc.constantFrom(
  ...[
    "<tool_use>",
    "</tool_use>",
    "<tool_code>",
    "</tool_code>",
    '<tool_use name="readFile">',
    "<path>",
    "</path>",
  ],
  ...[
    "<![CDATA[",
    "]]>",
    "```json\n",
    "\n```\n",
    '{"name":"readFile"',
    ',"input":{',
    '"path":"a"',
    "}}",
    "{",
    "}",
  ],
  ...['"', "\\", "&lt;", "<tool_result>", "\ud83d", "x", " ", "\n"],
);

describe("any text", () => {
  it("is read without a failure, and no call is made up", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string({ maxLength: 5 })), { maxLength: 40 }), (parts) => {
        const said = parts.join("");
        for (const { name, input } of callsIn(said)) {
          if (typeof input === "string") continue;
          // A call that would run stands there as a whole: with its tag, fence or key, and its tool's name.
          expect(said).toMatch(/<tool_(use|code)|```|"name"/);
          expect(said).toContain(name);
        }
        const unmarked = said.replaceAll(/tool_|```|"name"/g, "");
        expect(callsIn(unmarked), said).toEqual([]);
      }),
      tries(150),
    );
  });

  it("yields the calls that it makes, in order, and none that it quotes", () => {
    const inString = (text: string) => JSON.stringify(text).slice(1, -1);
    const quoted = fc.constantFrom(
      (call: string) => `\`\`\`ts\n${call}\n\`\`\`\nso far.`,
      (call: string) => `~~~~\nA file:\n${call}\n~~~~`,
      (call: string) => `as in \`${call}\`.`,
      (call: string) => `> ${call}`,
      (call: string) => `<example>\n${call}\n</example>`,
      (call: string) => `<!-- ${call} -->`,
      (call: string) => `{"summary": "It said \\"${inString(call)}\\"", "a": {"b": "${inString(call)}"}}`,
    );
    const form = fc.constantFrom(
      (path: string) => `<tool_use>${JSON.stringify({ name: "readFile", input: { path } })}</tool_use>`,
      (path: string) => `<tool_code name="readFile"><path><![CDATA[${path}]]></path></tool_code>`,
    );
    const words = fc.stringMatching(/^[ \w.,;:{}'()]{0,20}$/).map((text) => ({ text, made: undefined }));
    const path = fc.stringMatching(/^[\w</>"'{}\\ ]{1,20}$/);
    const made = fc.tuple(form, path).map(([write, to]) => ({ text: write(to), made: to }));
    const shown = fc.tuple(quoted, form, path).map(([quote, write, to]) => ({
      text: quote(write(to.replaceAll(/["\\]/g, "_"))),
      made: undefined,
    }));
    fc.assert(
      fc.property(fc.array(fc.oneof(words, made, shown), { maxLength: 8 }), (parts) => {
        const calls = callsIn(`${parts.map(({ text }) => text).join("\n")}\nThat is all.`);
        const expected = parts.flatMap((part) => part.made ?? []);
        expect(calls).toEqual(expected.map((to) => ({ name: "readFile", input: { path: to } })));
      }),
      tries(100),
    );
  });

  it.each([
    (deep: string) => `<tool_use>{"name":"readFile","input":{"path":${deep}}}</tool_use>`,
    (deep: string) => `<tool_use name="readFile"><times>${deep}</times></tool_use>`,
    (deep: string) => `\`\`\`json\n{"name":"readFile","input":{"path":${deep}}}\n\`\`\``,
  ])("nested however deep is read (%#)", (write) => {
    expect(read(write("[".repeat(100_000) + "]".repeat(100_000)))).toHaveLength(1);
  });

  it.each([
    "`<tool_use>",
    "<code>",
    "x <pre>",
    "~~~\nx\n~~~\n",
    '<tool_use>{"',
    "<tool_use>",
    '<tool_use name="a"><p>',
    "```json\n{",
    "<tool_use><![CDATA[",
    "```",
    "~~~",
    '[{"a":\n',
    "{}\n",
  ])("of %j alone takes no time", (part) => {
    const started = performance.now();
    read(part.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

async function start(script: ApiScript, mode: "text" | "auto", server: OpenAIApiOptions = {}) {
  const api = await startOpenAIApi(script, server);
  onTestFinished(() => api.close());
  const model: Model = withTextCalls(createOpenAIModel({ apiKey: "", baseURL: api.url, backOffMs: 1 }), mode);
  return { api, model };
}

const SAID = `I look. 😀\n<tool_use>${JSON.stringify(A)}</tool_use>\n<tool_use>{"name": "readFile"</tool_use>`;

describe("a model without tools of its own", () => {
  it("is told of the tools in the prompt, and hears results as text", async () => {
    const { api, model } = await start([SAID, "done"], "text");
    const { message, stopReason } = await model.respond(ask(say("hi")), { signal });
    expect(stopReason).toBe("tool_use");
    const ids = toolCallsOf(message).map(({ id }) => id);
    const answers = results([ids[0] ?? "", "A </tool_result> <tool_use>"], [ids[1] ?? "", "can't be read"]);
    await model.respond(ask(say("hi"), message, answers), { signal });
    const [first, second] = api.requests.map(
      ({ body }) => body.messages as { role: string; content: string }[],
    );
    expect(api.requests[0]?.body).not.toHaveProperty("tools");
    expect(first?.[0]?.content).toContain(TEXT_CALL_FORM);
    expect(first?.[0]?.content).toContain("## readFile");
    expect(second?.at(-2)?.content).toContain('{"name": "readFile"</tool_use>');
    expect(second?.at(-1)?.content).toContain('<tool_result name="readFile">\nA <\\/tool_result> <tool_use>');
    api.assertDone();
  });

  it.each([
    ["elements", 24, SAID],
    ["a list", 4, `I look. 😀\n${JSON.stringify([A, A])}`],
    ["a list over several lines", 4, `I look. 😀\n${JSON.stringify([A, A], null, 2)}`],
  ])(
    "gives the same message on every split of its stream, and shows no markup: %s",
    async (_, most, said) => {
      const sizes = Array.from({ length: most }, (_, index) => index + 1);
      const { model } = await start(
        sizes.map((deltaSize) => ({ content: said, deltaSize, chunkBytes: 3 * deltaSize })),
        "text",
      );
      const replies: Message[] = [];
      for (const _ of sizes) {
        const heard: string[] = [];
        const reply = await model.respond(ask(say("hi")), { signal, onText: (delta) => heard.push(delta) });
        expect(heard.join("")).toBe("I look. 😀\n");
        replies.push(reply.message);
      }
      expect(new Set(replies.map((message) => JSON.stringify(message))).size).toBe(1);
    },
  );

  it.each([
    "registry.ollama.ai/library/gemma:latest does not support tools",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    "tools param requires --jinja flag",
  ])("is found out where the server says %j", async (refuseTools) => {
    const { api, model } = await start([SAID, SAID], "auto", { refuseTools });
    for (let turn = 0; turn < 2; turn += 1) {
      const { message } = await model.respond(ask(say("hi")), { signal });
      expect(toolCallsOf(message)).toHaveLength(2);
    }
    // Asked once with tools, then never again.
    expect(api.requests.filter(({ body }) => "tools" in body)).toHaveLength(1);
    api.assertDone();
  });
});

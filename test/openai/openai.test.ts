// What is OpenAI's own: bodies as the two APIs want them, odd servers, keys and prices.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Message } from "../../src/core/events.ts";
import { createOpenAIModel } from "../../src/openai/model.ts";
import { priceOfOpenAI } from "../../src/openai/prices.ts";
import { ask, results, say, signal } from "../anthropic/anthropic-fixture.ts";
import type { ApiScript } from "../fakes/messages-api-script.ts";
import { type OpenAIApiOptions, startOpenAIApi } from "../fakes/openai-api.ts";

type OpenAIOptions = Parameters<typeof createOpenAIModel>[0];

const KEY = "sk-proj-canary-0123456789";
const call = (id: string, path: string) => ({
  type: "tool_use" as const,
  id,
  name: "readFile",
  input: { path },
});

async function start(script: ApiScript, model: Partial<OpenAIOptions>, server: OpenAIApiOptions = {}) {
  const api = await startOpenAIApi(script, server);
  onTestFinished(() => api.close());
  return { api, model: createOpenAIModel({ apiKey: KEY, baseURL: api.url, backOffMs: 1, ...model }) };
}

describe("a request to the Responses API", () => {
  it("keeps nothing on the server, and carries encrypted reasoning to where it stood", async () => {
    const script = [{ content: [{ type: "thinking", thinking: "hm" }, call("t1", "a")] }, "done"];
    const { api, model } = await start(script, { api: "responses" }, { apiKey: KEY });
    const first = await model.respond(ask(say("hi")), { signal });
    await model.respond(ask(say("hi"), first.message, results(["t1", "A"])), { signal });
    const [one, two] = api.requests.map(({ body }) => body);
    expect(one).toMatchObject({ store: false, include: ["reasoning.encrypted_content"], stream: true });
    expect(one?.prompt_cache_key).toBe(two?.prompt_cache_key);
    const types = ((two?.input ?? []) as { type: string }[]).map(({ type }) => type);
    expect(types).toEqual(["message", "reasoning", "function_call", "function_call_output"]);
    api.assertDone();
  });

  it("is refused without the reasoning that led to a call", async () => {
    const script = [{ content: [{ type: "thinking", thinking: "hm" }, call("t1", "a")] }];
    const { api, model } = await start(script, { api: "responses" });
    const { message } = await model.respond(ask(say("hi")), { signal });
    const forgetful: Message = { ...message, content: message.content.slice(1) };
    const pending = model.respond(ask(say("hi"), forgetful, results(["t1", "A"])), { signal });
    await expect(pending).rejects.toMatchObject({
      modelFailure: "bad-request",
      message: expect.stringMatching(/required 'reasoning'/),
    });
    expect(api.takeFaults()).toHaveLength(1);
  });

  it("asks for strict calls where the schema is closed, and says so of each tool", async () => {
    const { api, model } = await start(["ok"], { api: "responses" });
    const request = ask(say("hi"));
    const closed = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tools = [
      { name: "open", description: "", inputSchema: closed },
      { name: "closed", description: "", inputSchema: { ...closed, additionalProperties: false } },
      {
        name: "optional",
        description: "",
        inputSchema: { ...closed, required: [], additionalProperties: false },
      },
    ];
    await model.respond({ ...request, prefix: { ...request.prefix, tools } }, { signal });
    const sent = api.requests[0]?.body.tools as { name: string; strict: boolean }[];
    expect(sent.map(({ name, strict }) => [name, strict])).toEqual([
      ["open", false],
      ["closed", true],
      ["optional", false],
    ]);
    api.assertDone();
  });

  it("says in words that a call failed: there is no field for failures", async () => {
    const { api, model } = await start(["ok"], { api: "responses" });
    const failed: Message = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "no such file", is_error: true }],
    };
    await model.respond(ask(say("hi"), { role: "assistant", content: [call("t1", "a")] }, failed), {
      signal,
    });
    expect((api.requests[0]?.body.input as object[] | undefined)?.at(-1)).toMatchObject({
      output: "Error: no such file",
    });
    api.assertDone();
  });

  it.each([
    ["insufficient_quota", { status: 429, code: "insufficient_quota" }, "no-credit"],
    ["context_length_exceeded", { status: 400, code: "context_length_exceeded" }, "context-too-long"],
    [
      "a window in vLLM's words",
      { status: 400, message: "maximum context length is 4096 tokens" },
      "context-too-long",
    ],
  ])("tells %s", async (_, refusal, modelFailure) => {
    const { api, model } = await start([refusal], { api: "responses", maxRetries: 0 });
    await expect(model.respond(ask(say("hi")), { signal })).rejects.toMatchObject({ modelFailure });
    api.assertDone();
  });

  it("waits as long as the words of a rate limit say, where no header does", async () => {
    const message = "Rate limit reached. Please try again in 120ms.";
    const { api, model } = await start([{ status: 429, message }, "ok"], { api: "responses" });
    await model.respond(ask(say("hi")), { signal });
    const [first, second] = api.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(115);
  });

  it.each([
    [null, "server-error"],
    ["server_error", "server-error"],
    ["rate_limit_exceeded", "rate-limit"],
    ["context_length_exceeded", "context-too-long"],
  ])("tells an error event in mid-stream: %s", async (code, modelFailure) => {
    const error = JSON.stringify({ type: "error", code, message: "It broke.", param: null });
    const pending = answerOf([`event: error\ndata: ${error}\n\n`], { api: "responses" });
    await expect(pending).rejects.toMatchObject({
      modelFailure,
      message: expect.stringContaining("It broke."),
    });
  });

  it("goes on after a response that failed in mid-stream", async () => {
    const broken = { content: "x", streamError: "server_error" };
    const { api, model } = await start(
      [broken, "ok", { ...broken, streamError: "context_length_exceeded" }],
      {
        api: "responses",
      },
    );
    expect(await model.respond(ask(say("hi")), { signal })).toMatchObject({ stopReason: "end_turn" });
    await expect(model.respond(ask(say("hi")), { signal })).rejects.toMatchObject({
      modelFailure: "context-too-long",
    });
    api.assertDone();
  });
});

describe("a server of one's own", () => {
  it("is asked over Chat Completions, without a key and without a limit of its own", async () => {
    const { api, model } = await start(["ok"], { apiKey: "" });
    const reply = await model.respond(ask(say("hi")), { signal });
    expect(reply.usage.inputTokens).toBeGreaterThan(0);
    const [{ path, headers, body } = expect.fail("no request")] = api.requests;
    expect(path).toBe("chat/completions");
    expect(headers.authorization).toBeUndefined();
    expect(Object.keys(body)).toEqual(["model", "messages", "tools", "stream", "stream_options"]);
    api.assertDone();
  });

  it("may count its ids anew in each answer, or make ids that no file can have", async () => {
    const script = [
      { content: [call("call_0", "a"), call("functions.readFile:1", "b")] },
      { content: [call("call_0", "c")] },
    ];
    const { api, model } = await start([...script, "done"], {});
    const first = await model.respond(ask(say("hi")), { signal });
    const ids = first.message.content.map((block) => ("id" in block ? String(block.id) : ""));
    expect(ids).toEqual(["call_0", "call_1_1"]);
    const history = [say("hi"), first.message, results(...ids.map((id): [string, string] => [id, "x"]))];
    const second = await model.respond(ask(...history), { signal });
    expect(second.message.content).toEqual([call("call_3_0", "c")]);
    await model.respond(ask(...history, second.message, results(["call_3_0", "y"])), { signal });
    api.assertDone();
  });

  const A = call("a", "x");
  const B = call("b", "y");
  const [X, Y] = ['{"path":"x"}', '{"path":"y"}'];
  const one = (index: object, args: unknown, name = "readFile") => ({
    tool_calls: [{ ...index, function: { name, arguments: args } }],
  });
  it.each<[string, object[], object[]]>([
    [
      "whole, without an index, with an object as input",
      [one({ id: "a" }, { path: "x" }), one({ id: "b" }, Y)],
      [A, B],
    ],
    ["all with the index 0", [one({ index: 0, id: "a" }, X), one({ index: 0, id: "b" }, Y)], [A, B]],
    ["without ids", [one({}, X), one({}, Y)], [call("call_1_0", "x"), call("call_1_1", "y")]],
    [
      "without ids, in one chunk",
      [{ tool_calls: [...one({}, X).tool_calls, ...one({}, { path: "y" }).tool_calls] }],
      [call("call_1_0", "x"), call("call_1_1", "y")],
    ],
    [
      "with a new id for each piece",
      [
        one({ index: 0, id: "a" }, ""),
        one({ index: 0, id: "c" }, X.slice(0, 5), ""),
        one({ index: 0, id: "d" }, X.slice(5), ""),
      ],
      [A],
    ],
    ["as JSON in a string", [one({ index: 0, id: "a" }, JSON.stringify(X))], [A]],
    [
      "with an input that is no JSON",
      [one({ index: 0, id: "a" }, "{path: x}")],
      [{ ...A, input: "{path: x}" }],
    ],
  ])("may send calls %s", async (_, deltas, calls) => {
    const reply = await answerOf([
      ...deltas.map((delta) => chunk(delta)),
      chunk({ content: null }, "stop"),
      DONE,
    ]);
    expect(reply).toMatchObject({ stopReason: "tool_use", message: { content: calls } });
  });

  it("may send empty reasons before the end, empty pieces, thoughts, and no usage", async () => {
    const pieces = [
      null,
      { reasoning_content: "hm" },
      { content: "It " },
      { content: "" },
      { content: "is." },
    ];
    const reply = await answerOf([...pieces.map((delta) => chunk(delta, "")), chunk(null, "stop"), DONE]);
    expect(reply).toMatchObject({
      stopReason: "end_turn",
      message: { content: [{ type: "thinking" }, { type: "text", text: "It is." }] },
    });
    // Nothing was counted, so four characters are a token: the limit of tokens still holds.
    expect(reply.usage).toMatchObject({
      inputTokens: expect.toSatisfy((count) => count > 20),
      outputTokens: 2,
    });
    await expect(answerOf([chunk({ content: "cut" }, "")])).rejects.toMatchObject({
      message: expect.stringContaining("the answer was cut off (3 attempts)"),
    });
  });

  it("may end an answer with the reason `error`: it is asked again", async () => {
    const failed = answerOf([chunk({ content: "Half an" }), chunk({}, "error"), DONE]);
    await expect(failed).rejects.toMatchObject({
      modelFailure: "server-error",
      message: expect.stringContaining("(3 attempts)"),
    });
  });

  it("may send thoughts as text, and a refusal as a field of its own", async () => {
    const thought = await answerOf([
      chunk({ content: '<think>\n{"task_id":"T1"}\n</think>\n\nNo ' }),
      chunk({ content: "</think> here." }, "stop"),
    ]);
    expect(thought.message.content).toEqual([{ type: "text", text: "No </think> here." }]);
    expect(await answerOf([chunk({ refusal: "I won't." }), chunk({}, "stop")])).toMatchObject({
      ...{ stopReason: "refusal", message: { content: [{ text: "I won't." }] } },
    });
  });

  it("may answer as one JSON document, and fail in the middle with words alone", async () => {
    const message = { role: "assistant", content: "Whole." };
    const usage = { prompt_tokens: 90, completion_tokens: 2 };
    const whole = { model: "m", choices: [{ message, finish_reason: "stop" }], usage };
    const reply = await answerOf([JSON.stringify(whole)], { type: "application/json" });
    expect(reply).toMatchObject({
      message: { content: [{ text: "Whole." }] },
      usage: { inputTokens: 90, outputTokens: 2 },
    });
    const stopped = { modelFailure: "server-error", message: expect.stringContaining("runner stopped") };
    const words = { error: "model runner stopped" };
    await expect(answerOf([`data: ${JSON.stringify(words)}\n\n`])).rejects.toMatchObject(stopped);
    await expect(answerOf([JSON.stringify(words)], { type: "application/json" })).rejects.toMatchObject(
      stopped,
    );
  });
});

describe("the tokens of an answer", () => {
  const words = "w0rds ".repeat(400);
  const chat = (usage: object | undefined) => [
    chunk({ content: words }),
    `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }], usage })}\n\n`,
  ];
  const responses = (usage: object | undefined) => {
    const item = { type: "message", role: "assistant", content: [{ type: "output_text", text: words }] };
    const response = { status: "completed", output: [item], usage };
    return [
      { type: "response.output_text.delta", delta: words },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  it.each<[string, object | undefined]>([
    ["missing", undefined],
    ["zero", { prompt_tokens: 0, completion_tokens: 0, input_tokens: 0, output_tokens: 0 }],
    ["negative", { prompt_tokens: -9, completion_tokens: -1, input_tokens: -9, output_tokens: -1 }],
    ["partial: the sum alone", { total_tokens: 700 }],
    ["partial: the answer alone", { completion_tokens: 700, output_tokens: 700 }],
    ["one for each", { prompt_tokens: 1, completion_tokens: 1, input_tokens: 1, output_tokens: 1 }],
  ])("are estimated where the report can't be true: %s", async (_, usage) => {
    const replies = [await answerOf(chat(usage)), await answerOf(responses(usage), { api: "responses" })];
    for (const reply of replies) {
      expect(reply.usage.inputTokens).toBeGreaterThan(20);
      expect(reply.usage.outputTokens).toBeGreaterThanOrEqual(600);
    }
  });

  it("are those of the report where it can be true, however long a run of one character is", async () => {
    const ruled = chunk({ content: "=".repeat(4_000) });
    const usage = { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 80 }, completion_tokens: 63 };
    const end = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }], usage })}\n\n`;
    const reply = await answerOf([ruled, end]);
    const told = { inputTokens: 20, cacheReadTokens: 80, cacheWriteTokens: 0, outputTokens: 63 };
    expect(reply.usage).toEqual(told);
  });

  it("of an answer that was cut are counted too, although it reports none", async () => {
    const { model } = await start([{ content: words, cutAfter: 2 }, "ok"], {});
    const { usage } = await model.respond(ask(say("hi")), { signal });
    const whole = await (await start(["ok"], {})).model.respond(ask(say("hi")), { signal });
    expect(usage.inputTokens).toBeGreaterThan(1.5 * whole.usage.inputTokens);
  });
});

const DONE = "data: [DONE]\n\n";
const chunk = (delta: object | null, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ model: "m", choices: [{ delta, finish_reason }] })}\n\n`;

/** What the model makes of a server's bytes. */
async function answerOf(
  bytes: readonly string[],
  { type = "text/event-stream", api = "chat" }: { type?: string; api?: "chat" | "responses" } = {},
) {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": type }).end(bytes.join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return createOpenAIModel({ apiKey: "", baseURL, api, backOffMs: 1 }).respond(ask(say("hi")), { signal });
}

describe("the local server", () => {
  const made = { type: "function_call", call_id: "c1", name: "readFile", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "c1", output: "A" };
  const message = { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] };
  const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" };
  it.each<[string, object[], object, RegExp]>([
    ["two outputs for one call", [made, output, output], {}, /Duplicate function call output/],
    ["an output without a call", [message, output], {}, /No tool call found for function call output/],
    ["a call without an output", [message, made], {}, /No tool output found for function call c1/],
    ["an unknown parameter", [message], { temperatur: 1 }, /Unknown parameter: 'temperatur'/],
    [
      "an unknown field of an item",
      [{ ...message, colour: 1 }],
      {},
      /Unknown parameter: 'input\[0\].colour'/,
    ],
    ["reasoning that it did not write", [message, thought, made, output], {}, /could not be verified/],
    [
      "reasoning by reference",
      [message, { ...thought, encrypted_content: undefined }, made, output],
      { store: false },
      /not persisted/,
    ],
  ])("refuses, as the Responses API does, %s", async (_, input, more, words) => {
    const api = await startOpenAIApi([]);
    onTestFinished(() => api.close());
    const body = JSON.stringify({ model: "gpt-6.2-sol", stream: true, input, ...more });
    const response = await fetch(`${api.url}/responses`, { method: "POST", body });
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(words)]);
    expect(api.takeFaults()).toHaveLength(1);
  });

  it("refuses reasoning that is moved from its call", async () => {
    const { api, model } = await start(
      [{ content: [{ type: "thinking", thinking: "hm" }, call("t1", "a")] }],
      { api: "responses" },
    );
    const { message: said } = await model.respond(ask(say("hi")), { signal });
    const moved: Message = { ...said, content: [...said.content].reverse() };
    const pending = model.respond(ask(say("hi"), moved, results(["t1", "A"])), { signal });
    await expect(pending).rejects.toThrow(/without its required (following|'reasoning') item/);
    expect(api.takeFaults()).toHaveLength(1);
  });
});

describe("key and address", () => {
  it.each(["", "sk ant", "sk\nsecond line"])("refuses the key %j at OpenAI without showing it", (apiKey) => {
    expect(() => createOpenAIModel({ apiKey })).toThrow(expect.objectContaining({ code: "config-invalid" }));
    expect(() => createOpenAIModel({ apiKey })).not.toThrow(/second line|sk ant/);
  });

  it("refuses an address with a login without showing it", () => {
    const create = () => createOpenAIModel({ apiKey: "", baseURL: "http://me:hunter2@127.0.0.1/v1" });
    expect(create).toThrow(/openai-base-url/);
    expect(create).not.toThrow(/hunter2/);
  });
});

describe("prices", () => {
  const usage = { inputTokens: 100_000, outputTokens: 10_000, cacheReadTokens: 100_000, cacheWriteTokens: 0 };

  it("are known for the default model, per kind of token, more for a long prompt, and never guessed", () => {
    expect(priceOfOpenAI("gpt-6.2-sol", usage)).toBeCloseTo(0.2 + 0.1 + 0.01, 10);
    expect(priceOfOpenAI("gpt-6.2-sol", { ...usage, cacheReadTokens: 200_000 })).toBeCloseTo(
      0.4 + 0.15 + 0.04,
      10,
    );
    expect(priceOfOpenAI("gpt-5.4-2026-03-05", usage)).toBe(priceOfOpenAI("gpt-5.4", usage));
    for (const model of ["gpt-9", "qwen3:32b", "gpt-6.2-sol-preview", "__proto__", ""]) {
      expect(priceOfOpenAI(model, usage)).toBeNull();
    }
  });
});

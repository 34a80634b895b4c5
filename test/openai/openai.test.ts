// What is OpenAI's own: bodies as the two APIs want them, odd servers, keys and prices.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Message } from "../../src/core/events.ts";
import { createOpenAIModel, type OpenAIOptions } from "../../src/openai/model.ts";
import { priceOfOpenAI } from "../../src/openai/prices.ts";
import { ask, results, say, signal } from "../anthropic/anthropic-fixture.ts";
import type { ApiScript } from "../fakes/messages-api-script.ts";
import { type OpenAIApiOptions, startOpenAIApi } from "../fakes/openai-api.ts";

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

  it("may send calls whole and without places, and an object for their input", async () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ model: "m", choices: [{ delta, finish_reason }] })}\n\n`;
    const said = (id: string, input: unknown) => ({
      tool_calls: [{ id, function: { name: "readFile", arguments: input } }],
    });
    const stream = [
      chunk(said("a", { path: "x" })),
      chunk(said("b", '{"path":"y"}')),
      chunk({}, "stop"),
      "data: [DONE]\n\n",
    ];
    const server = createServer((_, response) => void response.end(stream.join("")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const reply = await createOpenAIModel({ apiKey: "", baseURL }).respond(ask(say("hi")), { signal });
    expect(reply).toMatchObject({
      stopReason: "tool_use",
      message: { content: [call("a", "x"), call("b", "y")] },
    });
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

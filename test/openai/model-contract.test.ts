// What every model over HTTP promises, whatever API is behind it: one suite, the same scripts.
import { describe, expect, it, onTestFinished } from "vitest";
import { createAnthropicModel } from "../../src/anthropic/model.ts";
import { LoopliaError, type ModelFailure } from "../../src/core/errors.ts";
import { type Message, toolCallsOf } from "../../src/core/events.ts";
import type { Model } from "../../src/core/ports.ts";
import { createOpenAIModel } from "../../src/openai/model.ts";
import { withTextCalls } from "../../src/openai/text-model.ts";
import { ask, KEY, results, say, signal } from "../anthropic/anthropic-fixture.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiScript, Refusal } from "../fakes/messages-api-script.ts";
import { startOpenAIApi } from "../fakes/openai-api.ts";
import { writtenScript } from "./written-calls.ts";

type Server = {
  requests: { at: number; status: number; abandoned: boolean }[];
  assertDone(): void;
  close(): Promise<void>;
};
type Started = { model: Model; api: Server };
type Maker = (script: ApiScript) => Promise<Started>;

const MAKERS: [string, Maker][] = [
  [
    "anthropic",
    async (script) => {
      const api = await startMessagesApi(script, { apiKey: KEY });
      return { api, model: createAnthropicModel({ apiKey: KEY, baseURL: api.url, backOffMs: 1 }) };
    },
  ],
  ...(["responses", "chat"] as const).map((kind): [string, Maker] => [
    `openai ${kind}`,
    async (script) => {
      const api = await startOpenAIApi(script, { apiKey: KEY });
      return { api, model: createOpenAIModel({ apiKey: KEY, baseURL: api.url, api: kind, backOffMs: 1 }) };
    },
  ]),
  [
    "calls from text",
    async (script) => {
      const api = await startOpenAIApi(writtenScript(script));
      const model = createOpenAIModel({ apiKey: "", baseURL: api.url, backOffMs: 1 });
      return { api, model: withTextCalls(model, "text") };
    },
  ],
];

const call = (id: string, path: string) => ({ type: "tool_use", id, name: "readFile", input: { path } });

/** Calls from text have ids of the program's own. */
function nameless(said: Message | object[] | undefined): object[] {
  const blocks = Array.isArray(said) ? said : (said?.content ?? []);
  return blocks.map((block) => ("id" in block ? { ...block, id: "" } : block));
}

function resultsOf(message: Message): Message {
  return results(...toolCallsOf(message).map(({ id }): [string, string] => [id, `result of ${id}`]));
}

async function failureOf(pending: Promise<unknown>): Promise<LoopliaError> {
  const thrown = await pending.catch((error: unknown) => error);
  if (thrown instanceof LoopliaError) return thrown;
  throw new Error(`it should fail: ${thrown}`);
}

const TOLD: [ModelFailure, Refusal][] = [
  ["bad-key", { status: 401, message: "Incorrect API key provided." }],
  ["no-credit", { status: 402, message: "Payment required: insufficient credits" }],
  ["context-too-long", { status: 413, message: "Request exceeds the maximum size" }],
  ["unavailable", { status: 404, message: "The model does not exist" }],
  ["unavailable", { status: 403, message: "Your key may not use this model" }],
  ["bad-request", { status: 400, message: "Unknown parameter" }],
];
const PASSING: [ModelFailure, Refusal][] = [
  ["rate-limit", { status: 429 }],
  ["overloaded", { status: 503 }],
  ["server-error", { status: 500 }],
  ["server-error", { status: 504, message: "gateway time-out" }],
];

describe.each(MAKERS)("%s", (_, make) => {
  async function start(script: ApiScript): Promise<Started> {
    const started = await make(script);
    onTestFinished(() => started.api.close());
    return started;
  }

  it("says text piece by piece, with usage, stop reason and model", async () => {
    const usage = { input_tokens: 90, output_tokens: 7, cache_read_input_tokens: 10 };
    const { model, api } = await start([{ content: "Hello there, reader.", deltaSize: 6, usage }]);
    const heard: string[] = [];
    const reply = await model.respond(ask(say("hi")), { signal, onText: (delta) => heard.push(delta) });
    expect(heard.length).toBeGreaterThan(2);
    expect(heard.join("")).toBe("Hello there, reader.");
    expect(reply.message).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "Hello there, reader." }],
    });
    expect(reply).toMatchObject({ stopReason: "end_turn", model: ask().model });
    expect(reply.usage).toMatchObject({ inputTokens: 90, outputTokens: 7, cacheReadTokens: 10 });
    api.assertDone();
  });

  it("makes one call, then parallel calls, and hears each result once", async () => {
    const { model, api } = await start([
      { content: [{ type: "text", text: "First." }, call("t1", "a")] },
      { content: [call("t2", "b"), call("t3", "c")] },
      "done",
    ]);
    const history: Message[] = [say("hi")];
    for (let turn = 0; turn < 2; turn += 1) {
      const reply = await model.respond(ask(...history), { signal });
      expect(reply.stopReason).toBe("tool_use");
      history.push(reply.message, resultsOf(reply.message));
    }
    expect(nameless(history[3])).toEqual(nameless([call("t2", "b"), call("t3", "c")]));
    expect(await model.respond(ask(...history), { signal })).toMatchObject({ stopReason: "end_turn" });
    api.assertDone();
  });

  it("carries thinking from turn to turn as the API demands", async () => {
    const { model, api } = await start([
      { content: [{ type: "thinking", thinking: "read first" }, call("t1", "a")] },
      {
        content: [
          { type: "thinking", thinking: "then say" },
          { type: "text", text: "So." },
        ],
      },
      "done",
    ]);
    const first = await model.respond(ask(say("hi")), { signal });
    const history = [say("hi"), first.message, resultsOf(first.message)];
    const second = await model.respond(ask(...history), { signal });
    await model.respond(ask(...history, second.message, say("more")), { signal });
    api.assertDone();
  });

  it("survives a long stream and awkward cuts: every byte, every code unit", async () => {
    const text = "Grüße, 世界 😀👩‍👩‍👧! ".repeat(4);
    const content = [{ type: "text", text }, call("t1", 'föö/😀/"quoted"\\back/\u2028.md')];
    const { model, api } = await start([
      { content, deltaSize: 1, chunkBytes: 7 },
      { content: "x".repeat(400_000) },
    ]);
    const reply = await model.respond(ask(say("hi")), { signal });
    expect(nameless(reply.message)).toEqual(nameless(content));
    const long = await model.respond(ask(say("hi")), { signal });
    expect(long.message.content).toEqual([{ type: "text", text: "x".repeat(400_000) }]);
    api.assertDone();
  });

  it("asks again as a whole when the stream is cut, and fails as network at last", async () => {
    const cut = { content: "Half an answer that ends", deltaSize: 4, cutAfter: 4 };
    const { model, api } = await start([cut, "Whole.", cut, cut, cut]);
    const reply = await model.respond(ask(say("hi")), { signal });
    expect(reply.message.content).toEqual([{ type: "text", text: "Whole." }]);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({ modelFailure: "network", message: expect.stringContaining("3 attempts") });
    api.assertDone();
  });

  it.each(TOLD)("tells %s, asked once for %o", async (modelFailure, refusal) => {
    const { model, api } = await start([refusal]);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({ code: "model-failed", modelFailure });
    expect(error.message).toContain(refusal.message);
    expect(error.hint).toMatch(/\w/);
    api.assertDone();
  });

  it.each(PASSING)("waits %s out, and tells it after three attempts at %o", async (modelFailure, refusal) => {
    const { model, api } = await start([refusal, "ok", refusal, refusal, refusal]);
    expect(await model.respond(ask(say("hi")), { signal })).toMatchObject({ stopReason: "end_turn" });
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({ modelFailure, message: expect.stringContaining("3 attempts") });
    api.assertDone();
  });

  it("waits as long as it is asked to, and tells a long wait instead", async () => {
    const { model, api } = await start([
      { status: 429, retryAfterMs: 150 },
      "ok",
      { status: 429, retryAfter: 3600 },
    ]);
    await model.respond(ask(say("hi")), { signal });
    const [first, second] = api.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(145);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error.message).toContain("3600 seconds");
    api.assertDone();
  });

  it("tells a refusal, a limit of length, and leaves out a call that was cut", async () => {
    const { model, api } = await start([
      { content: "I won't.", stopReason: "refusal" },
      { content: [call("t1", "a"), call("t2", "b")], stopReason: "max_tokens", cutJson: 3 },
      { content: [{ type: "thinking", thinking: "long" }], stopReason: "max_tokens" },
      { content: "x", stopReason: "bored" },
    ]);
    expect(await model.respond(ask(say("hi")), { signal })).toMatchObject({ stopReason: "refusal" });
    const cut = await model.respond(ask(say("hi")), { signal });
    expect(cut.stopReason).toBe("max_tokens");
    expect(nameless(cut.message)).toEqual(nameless([call("t1", "a")]));
    expect(await model.respond(ask(say("hi")), { signal })).toMatchObject({ stopReason: "max_tokens" });
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({
      modelFailure: "bad-request",
      message: expect.stringMatching(/unknown reason/),
    });
    api.assertDone();
  });

  it("stops in mid-stream and while it waits, with an AbortError", async () => {
    const { model, api } = await start([
      { content: "One two three four", deltaSize: 2, hangAfter: 6 },
      { status: 429, retryAfter: 30 },
    ]);
    const talking = new AbortController();
    const heard: string[] = [];
    const first = model.respond(ask(say("hi")), {
      signal: talking.signal,
      onText: (delta) => heard.push(delta) === 2 && talking.abort(new Error("deadline")),
    });
    await expect(first).rejects.toMatchObject({ name: "AbortError", cause: { message: "deadline" } });
    await expect.poll(() => api.requests[0]?.abandoned).toBe(true);
    const waiting = new AbortController();
    const second = model.respond(ask(say("hi")), { signal: waiting.signal });
    await expect.poll(() => api.requests[1]?.status).toBe(429);
    waiting.abort();
    await expect(second).rejects.toMatchObject({ name: "AbortError" });
    await expect(model.respond(ask(say("hi")), { signal: waiting.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    api.assertDone();
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAnthropicModel } from "../../src/anthropic/model.ts";
import { LoopliaError, type ModelFailure } from "../../src/core/errors.ts";
import type { Refusal } from "../fakes/messages-api-script.ts";
import { ask, KEY, say, signal, startModel } from "./anthropic-fixture.ts";

async function failureOf(pending: Promise<unknown>): Promise<LoopliaError> {
  const thrown = await pending.then(
    () => expect.fail("it should fail"),
    (error: unknown) => error,
  );
  if (thrown instanceof LoopliaError) return thrown;
  throw thrown;
}

const TOLD: [ModelFailure, Refusal][] = [
  ["bad-key", { status: 401, message: "invalid x-api-key" }],
  ["no-credit", { status: 400, message: "Your credit balance is too low to access the Anthropic API." }],
  ["no-credit", { status: 400, message: "You have reached your specified API usage limits." }],
  ["no-credit", { status: 403, message: "Billing is not set up for this organization." }],
  ["no-credit", { status: 402, message: "Payment required." }],
  ["context-too-long", { status: 400, message: "prompt is too long: 1048577 tokens > 1000000 maximum" }],
  [
    "context-too-long",
    { status: 400, message: "input length and `max_tokens` exceed context limit: 9 + 9 > 10" },
  ],
  ["context-too-long", { status: 413, message: "Request exceeds the maximum size" }],
  ["unavailable", { status: 404, message: "model: claude-opus-9" }],
  ["unavailable", { status: 403, message: "Your key may not use this model" }],
  ["bad-request", { status: 400, message: "messages.1: `tool_use` ids were found without `tool_result`" }],
  ["bad-request", { status: 422, message: "unprocessable" }],
];
const PASSING: [ModelFailure, Refusal][] = [
  ["rate-limit", { status: 429 }],
  ["overloaded", { status: 529 }],
  ["overloaded", { status: 503 }],
  ["server-error", { status: 500 }],
  ["server-error", { status: 502, message: "bad gateway" }],
  ["server-error", { status: 504, message: "gateway timeout" }],
];

describe("errors told apart", () => {
  it.each(TOLD)("%s: asked once for %o", async (modelFailure, refusal) => {
    const { model, api } = await startModel([refusal]);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({ code: "model-failed", modelFailure });
    expect(error.message).toContain(refusal.message);
    expect(error.message).toContain("req_local");
    expect(error.hint).toMatch(/\w/);
    api.assertDone();
  });

  it.each(PASSING)("%s: asked three times for %o, then told", async (modelFailure, refusal) => {
    const { model, api } = await startModel([refusal, refusal, refusal]);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({ modelFailure, message: expect.stringContaining("3 attempts") });
    api.assertDone();
  });

  it.each(PASSING)("%s: goes on when it is over", async (_, refusal) => {
    const { model, api } = await startModel([refusal, refusal, "ok"]);
    expect(await model.respond(ask(say("hi")), { signal })).toMatchObject({ stopReason: "end_turn" });
    api.assertDone();
  });

  it("calls a 502 the provider's failure, with no hint about the model", async () => {
    const refusal = { status: 502, message: "bad gateway" };
    const { model } = await startModel([refusal, refusal, refusal]);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error.message).toMatch(/^The Anthropic API failed: bad gateway/);
    expect(error.hint).not.toMatch(/`model`/);
  });

  it.each([
    ["before its first byte", { content: "late", delayMs: 60_000 }],
    ["in the middle", { content: "one two three", hangAfter: 3 }],
  ])("ends a request to a provider that hangs %s: once, as silence", async (_, answer) => {
    const { model, api } = await startModel([answer], { silenceMs: 150 });
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({ modelFailure: "network" });
    expect(error.message).toMatch(/^No complete answer from .*: no answer within 0\.15 s$/);
    expect(api.requests).toHaveLength(1);
  });

  it("tells a spend limit from a rate limit, though both are 429", async () => {
    const server = createServer((_, response) => {
      const error = {
        type: "rate_limit_error",
        message: "No.",
        details: { error_code: "enforced_spend_limit_reached" },
      };
      response.writeHead(429, { "content-type": "application/json", "x-should-retry": "false" });
      response.end(JSON.stringify({ type: "error", error }));
    });
    const error = await failureOf(modelAt(await listen(server)).respond(ask(say("hi")), { signal }));
    expect(error.modelFailure).toBe("no-credit");
  });
});

describe("retry-after", () => {
  it("is waited for", async () => {
    const { model, api } = await startModel([
      { status: 429, retryAfterMs: 150 },
      { status: 529, retryAfter: 1 },
      "ok",
    ]);
    await model.respond(ask(say("hi")), { signal });
    const times = api.requests.map((request) => request.at);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(145);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(990);
    api.assertDone();
  });

  it("is told, and not waited for, when it is long", async () => {
    const { model, api } = await startModel([{ status: 429, retryAfter: 3600 }]);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({
      modelFailure: "rate-limit",
      message: expect.stringContaining("3600 seconds"),
    });
    api.assertDone();
  });
});

describe("the network", () => {
  it("is told with what the system says, when nobody listens", async () => {
    // A port that the system gives to nobody by itself.
    const url = "http://127.0.0.1:2";
    const error = await failureOf(modelAt(url).respond(ask(say("hi")), { signal }));
    expect(error).toMatchObject({
      modelFailure: "network",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(error.message).toContain(new URL(url).host);
    expect(error.message.split("ECONNREFUSED").length, error.message).toBe(2);
  });

  it.each([
    ["an HTML page", "<html>login</html>"],
    [
      "a stream that stops before its end",
      'event: message_start\ndata: {"type":"message_start","message":{"usage":{}}}\n\n',
    ],
    ["events that are not JSON", "event: message_start\ndata: {\n\n"],
  ])("is at fault for %s", async (_, answer) => {
    const server = createServer((_request, response) => void response.writeHead(200).end(answer));
    const error = await failureOf(modelAt(await listen(server)).respond(ask(say("hi")), { signal }));
    expect(error.modelFailure).toBe("network");
  });
});

describe("the key", () => {
  it("is in no message, hint or cause, even when the other side repeats it", async () => {
    const refusal = { status: 401, message: `invalid bearer token ${KEY}` };
    const { model } = await startModel([refusal]);
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error.message).toContain("[key]");
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(KEY);
  });

  it("leaves words as they are when it is too short for a key", async () => {
    const error401 = { type: "error", error: { type: "authentication_error", message: "unknown key" } };
    const server = createServer((_, response) => void response.writeHead(401).end(JSON.stringify(error401)));
    const model = createAnthropicModel({ apiKey: "k", baseURL: await listen(server), maxRetries: 0 });
    const error = await failureOf(model.respond(ask(say("hi")), { signal }));
    expect(error.message).toContain("unknown key");
  });

  it.each([370, 380, 390])(
    "is not there in part when a message is cut after %i characters",
    async (length) => {
      const refusal = { status: 401, message: `${"x".repeat(length)} ${KEY}` };
      const { model } = await startModel([refusal]);
      const error = await failureOf(model.respond(ask(say("hi")), { signal }));
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("sk-ant");
    },
  );

  it("is not there when the answer ends for a reason that holds it", async () => {
    const delta = { type: "message_delta", delta: { stop_reason: KEY }, usage: {} };
    const error = await failureOf(modelAt(await serve(START, delta)).respond(ask(say("hi")), { signal }));
    expect(error.message).toMatch(/unknown reason\.$/);
  });

  it.each([301, 302, 307, 308])(
    "and the conversation go to no other host: a %i is an error",
    async (status) => {
      const asked: unknown[] = [];
      const other = await listen(
        createServer(({ url }, response) => {
          asked.push(url);
          response.end();
        }),
      );
      const server = createServer(
        (_, response) => void response.writeHead(status, { location: other }).end(),
      );
      const error = await failureOf(modelAt(await listen(server)).respond(ask(say("hi")), { signal }));
      expect(error.message).toContain(String(status));
      expect(asked).toEqual([]);
    },
  );
});

const START = { type: "message_start", message: { model: "m", usage: {} } };
const END = { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: {} };

describe("a gateway that sends what is no answer", () => {
  const block = (content_block: unknown) => ({ type: "content_block_start", index: 0, content_block });
  it.each([
    ["nothing", [null]],
    ["a start without a message", [{ type: "message_start" }]],
    ["a block that is none", [START, block(null), END]],
    ["a text that is none", [START, block({ type: "text", text: { a: 1 } }), END]],
    ["a call without a name", [START, block({ type: "tool_use", id: "t", input: {} }), END]],
    ["a call without input", [START, block({ type: "tool_use", id: "t", name: "n" }), END]],
  ])("is a fault of the network: %s", async (_, events) => {
    const error = await failureOf(modelAt(await serve(...events)).respond(ask(say("hi")), { signal }));
    expect(error.modelFailure).toBe("network");
  });

  it("has no say in counts, and its indexes take no time", async () => {
    const usage = { input_tokens: "7", output_tokens: -5, cache_read_input_tokens: 1.5 };
    const start = { type: "message_start", message: { model: "m", usage } };
    const far = {
      type: "content_block_start",
      index: 4_000_000_000,
      content_block: { type: "text", text: "hi" },
    };
    const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage };
    const reply = await modelAt(await serve(start, far, end)).respond(ask(say("hi")), { signal });
    expect(reply.message.content).toEqual([{ type: "text", text: "hi" }]);
    expect(Object.values(reply.usage)).toEqual([0, 0, 0, 0]);
  });
});

function serve(...events: unknown[]): Promise<string> {
  const lines = events.map((event) => `event: ${nameOf(event)}\ndata: ${JSON.stringify(event)}\n\n`);
  return listen(createServer((_, response) => void response.writeHead(200).end(lines.join(""))));
}

function nameOf(event: unknown): string {
  return (event as { type?: string } | null)?.type ?? "message_start";
}

function modelAt(baseURL: string) {
  return createAnthropicModel({ apiKey: KEY, baseURL, backOffMs: 1, maxRetries: 1 });
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

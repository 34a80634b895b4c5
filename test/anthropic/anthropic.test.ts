import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../src/anthropic/model.ts";
import type { Message } from "../../src/core/events.ts";
import { ask, KEY, MODEL, results, say, signal, startModel } from "./anthropic-fixture.ts";

const call = (id: string, path: string) => ({ type: "tool_use", id, name: "readFile", input: { path } });

describe("a streamed answer", () => {
  it("comes as text piece by piece, past pings, and ends with usage and model", async () => {
    const { model, api } = await startModel([
      {
        content: "Hello there, reader of files.",
        deltaSize: 6,
        pingEvery: 1,
        model: "claude-sonnet-5-5-20260928",
      },
    ]);
    const heard: string[] = [];
    const reply = await model.respond(ask(say("hi")), { signal, onText: (delta) => heard.push(delta) });
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.join("")).toBe("Hello there, reader of files.");
    expect(reply).toMatchObject({
      message: { role: "assistant", content: [{ type: "text", text: "Hello there, reader of files." }] },
      stopReason: "end_turn",
      model: "claude-sonnet-5-5-20260928",
    });
    expect(reply.usage.outputTokens).toBeGreaterThan(5);
    expect(reply.usage.cacheWriteTokens).toBeGreaterThan(0);
    api.assertDone();
  });

  it("asks with a bearer key, the dated version, and no sampling parameter", async () => {
    const { model, api } = await startModel(["ok"], { headers: { "x-gateway": "g1" }, maxTokens: 123 });
    await model.respond(ask(say("hi")), { signal });
    const { headers, body } = api.requests[0] ?? expect.fail("no request");
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, "x-gateway": "g1" });
    expect(headers["anthropic-version"]).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(headers["x-api-key"]).toBeUndefined();
    expect(Object.keys(body)).toEqual(["model", "max_tokens", "system", "tools", "messages", "stream"]);
    expect(body.max_tokens).toBe(123);
    api.assertDone();
  });

  it("holds parallel calls, answered together", async () => {
    const { model, api } = await startModel([
      { content: [{ type: "text", text: "Both." }, call("t1", "a"), call("t2", "b")] },
      "done",
    ]);
    const first = await model.respond(ask(say("hi")), { signal });
    expect(first).toMatchObject({
      stopReason: "tool_use",
      message: { content: [{}, call("t1", "a"), call("t2", "b")] },
    });
    await model.respond(ask(say("hi"), first.message, results(["t1", "A"], ["t2", "B"])), { signal });
    api.assertDone();
  });

  it("survives awkward cuts: every byte, every code unit, inside escapes and surrogate pairs", async () => {
    const path = 'föö/😀/"quoted"\\back/👩‍👩‍👧/\u2028.md';
    const text = "Grüße, 世界 😀👩‍👩‍👧!";
    const content = [{ type: "text", text }, call("t1", path)];
    const { model, api } = await startModel([
      { content, deltaSize: 1, chunkBytes: 1 },
      { content, deltaSize: 1, asciiJson: true, chunkBytes: 3 },
    ]);
    for (let turn = 0; turn < 2; turn += 1) {
      const reply = await model.respond(ask(say("hi")), { signal });
      expect(reply.message.content).toEqual(content);
    }
    api.assertDone();
  });

  it("keeps thinking, signatures, redacted thinking and unknown blocks byte for byte", async () => {
    const content = [
      { type: "thinking", thinking: "Let me see… 🤔\n\n", signature: "EqQBCkYIBxgCKkA/+=" },
      { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix/LafPsn4a" },
      { type: "web_search_tool_result", tool_use_id: "srv_1", content: [{ nested: { deep: [1, null] } }] },
      { type: "server_tool_use", id: "srv_2", name: "web_search", input: { query: "x" } },
      call("t1", "a"),
    ];
    const { model, api } = await startModel([{ content, deltaSize: 3 }, "done"]);
    const reply = await model.respond(ask(say("hi")), { signal });
    expect(JSON.stringify(reply.message.content)).toBe(JSON.stringify(content));
    await model.respond(ask(say("hi"), reply.message, results(["t1", "A"])), { signal });
    expect(JSON.stringify(api.requests[1]?.body.messages[1]?.content)).toBe(JSON.stringify(content));
    api.assertDone();
  });

  it("sends nothing that the API refuses to hear: blank text, half surrogate pairs", async () => {
    const { model, api } = await startModel([
      { content: [{ type: "text", text: "\n\n" }, call("t1", "half \ud83d pair")], asciiJson: true },
      "done",
    ]);
    const reply = await model.respond(ask(say("hi")), { signal });
    expect(reply.message.content).toEqual([call("t1", "half \ufffd pair")]);
    await model.respond(ask(say("hi"), reply.message, results(["t1", "cut here: \ud83d"])), { signal });
    api.assertDone();
  });
});

describe("how an answer ends", () => {
  it.each(["max_tokens", "refusal", "pause_turn", "stop_sequence", "model_context_window_exceeded"] as const)(
    "tells %s",
    async (stopReason) => {
      const { model } = await startModel([{ content: "As far as", stopReason }]);
      expect(await model.respond(ask(say("hi")), { signal })).toMatchObject({ stopReason });
    },
  );

  it("leaves out a call that max_tokens cut, and keeps what was whole", async () => {
    const { model, api } = await startModel([
      { content: [call("t1", "a"), call("t2", "b")], stopReason: "max_tokens", cutJson: 3 },
      { content: [call("t3", "c")], stopReason: "max_tokens", cutJson: 1 },
    ]);
    const reply = await model.respond(ask(say("hi")), { signal });
    expect(reply).toMatchObject({ stopReason: "max_tokens", message: { content: [call("t1", "a")] } });
    const empty = await model.respond(ask(say("hi")), { signal });
    expect(empty).toMatchObject({ stopReason: "max_tokens", message: { content: [] } });
    api.assertDone();
  });

  it("asks again when a call that may run is not JSON, then gives up", async () => {
    const broken = { content: [call("t1", "a")], cutJson: 2 };
    const { model, api } = await startModel([broken, broken, broken]);
    await expect(model.respond(ask(say("hi")), { signal })).rejects.toMatchObject({
      modelFailure: "network",
    });
    api.assertDone();
  });

  it("fails on a reason that it does not know, and asks only once", async () => {
    const { model, api } = await startModel([{ content: "x", stopReason: "bored" }]);
    await expect(model.respond(ask(say("hi")), { signal })).rejects.toMatchObject({
      modelFailure: "bad-request",
      message: expect.stringContaining("bored"),
    });
    api.assertDone();
  });
});

describe("a stream that breaks", () => {
  it("is asked for again as a whole, and what it cost is counted", async () => {
    const cost = {
      input_tokens: 100,
      output_tokens: 7,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    };
    const { model, api } = await startModel([
      { content: "Half an ans", deltaSize: 2, cutAfter: 4, usage: cost },
      { content: "never", cutAfter: 1, usage: cost },
      { content: "Whole.", usage: cost },
    ]);
    const reply = await model.respond(ask(say("hi")), { signal });
    expect(reply.message.content).toEqual([{ type: "text", text: "Whole." }]);
    expect(reply.usage).toMatchObject({ inputTokens: 300, outputTokens: 9 });
    expect(new Set(api.requests.map((request) => request.raw)).size).toBe(1);
    api.assertDone();
  });

  it("fails as network after two more attempts", async () => {
    const cut = { content: "Half", cutAfter: 3 };
    const { model, api } = await startModel([cut, cut, cut]);
    await expect(model.respond(ask(say("hi")), { signal })).rejects.toMatchObject({
      code: "model-failed",
      modelFailure: "network",
      message: expect.stringContaining("3 attempts"),
    });
    api.assertDone();
  });

  it("retries an overloaded error event, then tells it", async () => {
    const broken = { content: "x", streamError: "overloaded_error" };
    const { model, api } = await startModel([broken, "ok", broken, broken, broken]);
    expect(await model.respond(ask(say("hi")), { signal })).toMatchObject({ stopReason: "end_turn" });
    await expect(model.respond(ask(say("hi")), { signal })).rejects.toMatchObject({
      modelFailure: "overloaded",
    });
    api.assertDone();
  });

  it("does not retry an error event that would come again", async () => {
    const { model, api } = await startModel([{ content: "x", streamError: "invalid_request_error" }]);
    await expect(model.respond(ask(say("hi")), { signal })).rejects.toMatchObject({
      modelFailure: "bad-request",
    });
    api.assertDone();
  });
});

describe("stopping", () => {
  it("aborts in mid-stream: the server sees it, the caller gets an AbortError", async () => {
    const { model, api } = await startModel([{ content: "One two three", deltaSize: 2, hangAfter: 5 }]);
    const controller = new AbortController();
    const heard: string[] = [];
    const pending = model.respond(ask(say("hi")), {
      signal: controller.signal,
      onText: (delta) => {
        heard.push(delta);
        if (heard.length === 2) controller.abort(new Error("deadline"));
      },
    });
    await expect(pending).rejects.toMatchObject({ name: "AbortError", cause: { message: "deadline" } });
    await expect.poll(() => api.requests[0]?.abandoned).toBe(true);
    api.assertDone();
  });

  it("aborts while it waits to try again, and before it asks", async () => {
    const { model, api } = await startModel([{ status: 429, retryAfter: 30 }]);
    const controller = new AbortController();
    const pending = model.respond(ask(say("hi")), { signal: controller.signal });
    await expect.poll(() => api.requests[0]?.status).toBe(429);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    await expect(model.respond(ask(say("hi")), { signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    api.assertDone();
  });
});

describe("the cache", () => {
  it("is marked after system and tools, where the last request ended, and at the end; never in what is stored", async () => {
    const many = Array.from({ length: 25 }, (_, index) => call(`t${index}`, `file-${index}`));
    const thinking = { type: "thinking", thinking: "hm" };
    const { model, api } = await startModel([
      { content: [thinking, ...many] },
      { content: [thinking, call("u1", "z")] },
      "done",
    ]);
    const history: Message[] = [say("read them all")];
    const usages = [];
    for (const answer of [
      results(...many.map(({ id }): [string, string] => [id, "text"])),
      results(["u1", "Z"]),
    ]) {
      const reply = await model.respond(ask(...history), { signal });
      usages.push(reply.usage);
      history.push(reply.message, answer);
    }
    usages.push((await model.respond(ask(...history), { signal })).usage);
    const read = usages.map((usage) => usage.cacheReadTokens);
    expect(read[0]).toBe(0);
    // 51 blocks were added: without the mark where the first request ended only system and tools would be read.
    expect(read[1]).toBe(usages[0]?.cacheWriteTokens);
    expect(read[2]).toBe((read[1] ?? 0) + (usages[1]?.cacheWriteTokens ?? 0));
    const counts = api.requests.map(({ raw }) => raw.split('"cache_control"').length - 1);
    expect(counts).toEqual([2, 3, 3]);
    expect(JSON.stringify(history)).not.toContain("cache_control");
    api.assertDone();
  });

  it("marks the last tool where there is no system text, and nothing where it can't", async () => {
    const { model, api } = await startModel(["ok", "ok"]);
    const request = ask(say("hi"));
    await model.respond({ ...request, prefix: { ...request.prefix, system: "" } }, { signal });
    await model.respond({ ...request, prefix: { system: "", tools: [] } }, { signal });
    expect(api.requests[0]?.body.tools?.[0]).toHaveProperty("cache_control");
    expect(api.requests[1]?.body).not.toHaveProperty("tools");
    api.assertDone();
  });
});

describe("the model", () => {
  it("knows its provider and prices", async () => {
    const model = createAnthropicModel({ apiKey: KEY });
    expect(model.provider).toBe("anthropic");
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(model.priceOf(MODEL, usage)).toBe(2);
  });

  it.each(["", " ", "sk-ant\nsecond line", "sk ant"])("refuses the key %j without showing it", (apiKey) => {
    expect(() => createAnthropicModel({ apiKey })).toThrow(
      expect.objectContaining({ code: "config-invalid" }),
    );
    expect(() => createAnthropicModel({ apiKey })).not.toThrow(/second line|sk ant/);
  });

  it.each(["http://user:hunter2@127.0.0.1:1", "file:///etc/passwd", "api.anthropic.com"])(
    "refuses the base URL %s without showing it",
    (baseURL) => {
      const create = () => createAnthropicModel({ apiKey: KEY, baseURL });
      expect(create).toThrow(expect.objectContaining({ code: "config-invalid" }));
      expect(create).not.toThrow(/hunter2|passwd/);
    },
  );

  it("takes a key with a line break at its end", async () => {
    const { model, api } = await startModel(["ok"], { apiKey: `${KEY}\n` });
    await model.respond(ask(say("hi")), { signal });
    api.assertDone();
  });
});

import { describe, expect, it, onTestFinished } from "vitest";
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from "./messages-api.ts";
import type { ApiScript } from "./messages-api-script.ts";

const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });
const use = (id: string) => ({ type: "tool_use", id, name: "t", input: {} });
const result = (tool_use_id: string) => ({ type: "tool_result", tool_use_id, content: "r" });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const base = { model: "m", max_tokens: 1, messages: [user("hi")] };
const cached = { cache_control: { type: "ephemeral" } };

async function start(script: ApiScript, options?: MessagesApiOptions): Promise<MessagesApi> {
  const api = await startMessagesApi(script, options);
  onTestFinished(() => {
    // Here faults are provoked, and looked at by each test.
    api.takeFaults();
    return api.close();
  });
  return api;
}

async function post(api: MessagesApi, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/v1/messages`, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", authorization: "Bearer k", "anthropic-version": "2026-10-21" },
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const REFUSED: [string, RegExp, object][] = [
  ["temperature", /temperature/, { ...base, temperature: 1 }],
  ["an unknown field", /betas: Extra inputs/, { ...base, betas: [] }],
  ["a forced tool", /tool_choice/, { ...base, tool_choice: { type: "any" } }],
  ["no max_tokens", /max_tokens/, { ...base, max_tokens: undefined }],
  ["no messages", /at least one message/, { ...base, messages: [] }],
  ["an assistant first", /first message/, { ...base, messages: [assistant({ type: "text", text: "x" })] }],
  ["empty content", /non-empty content/, { ...base, messages: [user("hi"), assistant()] }],
  ["blank text", /non-whitespace/, { ...base, messages: [user(" ")] }],
  [
    "an unanswered call",
    /without `tool_result` blocks immediately after: a\./,
    { ...base, messages: [user("hi"), assistant(use("a")), user("go on")] },
  ],
  [
    "results in two messages",
    /immediately after: b\./,
    {
      ...base,
      messages: [
        user("hi"),
        assistant(use("a"), use("b")),
        { role: "user", content: [result("a")] },
        { role: "user", content: [result("b")] },
      ],
    },
  ],
  [
    "text before a result",
    /immediately after: a\./,
    {
      ...base,
      messages: [
        user("hi"),
        assistant(use("a")),
        { role: "user", content: [{ type: "text", text: "x" }, result("a")] },
      ],
    },
  ],
  [
    "a result of nothing",
    /unexpected `tool_use_id`/,
    {
      ...base,
      messages: [
        user("hi"),
        assistant({ type: "text", text: "x" }),
        { role: "user", content: [result("a")] },
      ],
    },
  ],
  [
    "a result twice",
    /single result/,
    {
      ...base,
      messages: [user("hi"), assistant(use("a")), { role: "user", content: [result("a"), result("a")] }],
    },
  ],
  [
    "input that is no object",
    /valid dictionary/,
    {
      ...base,
      messages: [
        user("hi"),
        assistant({ ...use("a"), input: "x" }),
        { role: "user", content: [result("a")] },
      ],
    },
  ],
  [
    "five cache marks",
    /maximum of 4/,
    {
      ...base,
      messages: [
        { role: "user", content: [1, 2, 3, 4, 5].map((n) => ({ type: "text", text: `${n}`, ...cached })) },
      ],
    },
  ],
  [
    "a mark on thinking",
    /cache_control/,
    {
      ...base,
      messages: [
        user("hi"),
        assistant({ type: "thinking", thinking: "x", signature: "s", ...cached }),
        user("y"),
      ],
    },
  ],
  [
    "words put into the model's mouth",
    /prefill/,
    { ...base, messages: [user("hi"), assistant({ type: "text", text: "Sure," })] },
  ],
  [
    "a block of a kind that nobody said",
    /Input tag 'riddle'/,
    { ...base, messages: [{ role: "user", content: [{ type: "riddle" }] }] },
  ],
  ["an absurd max_tokens", /max_tokens: 900000 > 128000/, { ...base, max_tokens: 900_000 }],
  ["thinking of no known type", /thinking\.type/, { ...base, thinking: { type: "hard" } }],
  ["thinking without a budget", /budget_tokens/, { ...base, thinking: { type: "enabled" } }],
  [
    "more thinking than the answer may have",
    /greater than `thinking\.budget_tokens`/,
    { ...base, max_tokens: 2000, thinking: { type: "enabled", budget_tokens: 4000 } },
  ],
  ["an effort that is none", /output_config\.effort/, { ...base, output_config: { effort: "heroic" } }],
  ["an unknown output setting", /output_config\.schema/, { ...base, output_config: { schema: {} } }],
  [
    "a tool schema that is none",
    /input_schema: JSON schema is invalid/,
    {
      ...base,
      tools: [{ name: "t", input_schema: { type: "object", properties: { a: { type: "text" } } } }],
    },
  ],
  [
    "a one-hour mark after a five-minute one",
    /ttl='1h'/,
    {
      ...base,
      system: [{ type: "text", text: "s", ...cached }],
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "1h" } }],
        },
      ],
    },
  ],
  ["half a surrogate pair", /no low surrogate/, { ...base, messages: [user("\ud83d")] }],
  [
    "two tools of a name",
    /unique/,
    { ...base, tools: ["t", "t"].map((name) => ({ name, input_schema: { type: "object" } })) },
  ],
];

describe("the local Messages API", () => {
  it.each(REFUSED)("refuses %s, and says so when the test ends", async (_, wording, body) => {
    const api = await start(() => "ok");
    const { status, text } = await post(api, body);
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toMatchObject({
      type: "invalid_request_error",
      message: expect.stringMatching(wording),
    });
    expect(() => api.assertDone()).toThrow(wording);
  });

  it("wants the key as a bearer token, unless the version is older", async () => {
    const api = await start(() => "ok", { apiKey: "k" });
    expect(await post(api, base)).toMatchObject({ status: 200 });
    expect(await post(api, base, { authorization: "Bearer other" })).toMatchObject({ status: 401 });
    expect(await post(api, base, { authorization: "", "x-api-key": "k" })).toMatchObject({ status: 401 });
    const older = { authorization: "", "x-api-key": "k", "anthropic-version": "2023-06-01" };
    expect(await post(api, base, older)).toMatchObject({ status: 200 });
  });

  it("refuses a conversation whose beginning changed, marks for the cache aside", async () => {
    const api = await start(() => "ok");
    const answer = assistant({ type: "text", text: "ok" });
    const marked = { role: "user", content: [{ type: "text", text: "hi", ...cached }] };
    await post(api, { ...base, messages: [marked] });
    await post(api, { ...base, messages: [user("hi"), answer, user("more")] });
    expect(api.faults).toEqual([]);
    const changed = {
      ...base,
      messages: [user("hi"), assistant({ type: "text", text: "OK" }), user("more")],
    };
    expect(await post(api, changed)).toMatchObject({ status: 400 });
    expect(await post(api, { ...base, messages: [user("hi")] })).toMatchObject({ status: 400 });
    const otherSystem = {
      ...base,
      system: "new",
      messages: [user("hi"), answer, user("more"), answer, user("x")],
    };
    expect((await post(api, otherSystem)).text).toContain("system or tools changed");
  });

  it("refuses thinking after another beginning, even in a conversation that it does not know", async () => {
    const answer = { content: [{ type: "thinking", thinking: "hm" }, use("a")] };
    let asked = 0;
    const api = await start(() => (asked++ === 0 ? answer : "ok"));
    const said = JSON.parse((await post(api, base)).text).content;
    const messages = (text: string) => [
      user(text),
      assistant(...said),
      { role: "user", content: [result("a")] },
    ];
    expect((await post(api, { ...base, messages: messages("ho") })).text).toContain("Invalid `signature`");
    expect((await post(api, { ...base, system: "s", messages: messages("hi") })).text).toContain("signature");
    expect(await post(api, { ...base, messages: messages("hi") })).toMatchObject({ status: 200 });
  });

  it("continues a turn that it paused itself, which is no prefill", async () => {
    let asked = 0;
    const api = await start(() => (asked++ === 0 ? { content: "one", stopReason: "pause_turn" } : "two"));
    const said = JSON.parse((await post(api, base)).text).content;
    const paused = { ...base, messages: [user("hi"), assistant(...said)] };
    expect(await post(api, paused)).toMatchObject({ status: 200 });
  });

  it("throws when it is closed with faults that nobody took", async () => {
    const api = await startMessagesApi(() => "ok");
    await post(api, { ...base, temperature: 1 });
    await expect(api.close()).rejects.toThrow(/temperature/);
  });

  it("lets a switch of model leave out thinking, and nothing else; thinking of another model is refused", async () => {
    const api = await start([{ content: [{ type: "thinking", thinking: "hm" }, use("a")] }, "ok"]);
    const said = JSON.parse((await post(api, base)).text).content;
    const rest = { role: "user", content: [result("a")] };
    const kept = { ...base, model: "other", messages: [user("hi"), assistant(...said), rest] };
    expect((await post(api, kept)).text).toContain("Invalid `signature`");
    const left = { ...kept, messages: [user("hi"), assistant(said[1]), rest] };
    expect(await post(api, left)).toMatchObject({ status: 200 });
  });

  it("fails on an unexpected and on an unused turn", async () => {
    const empty = await start([]);
    expect(await post(empty, base)).toMatchObject({ status: 500 });
    expect(() => empty.assertDone()).toThrow(/unexpected turn 1/);
    const unused = await start(["a", "b"]);
    await post(unused, base);
    expect(() => unused.assertDone()).toThrow(/1 unused turns/);
  });

  it("counts cached tokens from the real prefix", async () => {
    const api = await start(() => "ok", { minCacheTokens: 10 });
    const long = { role: "user", content: [{ type: "text", text: "x".repeat(400), ...cached }] };
    const usage = async (body: object) => JSON.parse((await post(api, body)).text).usage;
    expect(await usage({ ...base, messages: [long] })).toMatchObject({ cache_read_input_tokens: 0 });
    const { cache_read_input_tokens } = await usage({ ...base, messages: [long] });
    expect(cache_read_input_tokens).toBeGreaterThan(100);
    expect(await usage({ ...base, model: "n", messages: [long] })).toMatchObject({
      cache_read_input_tokens: 0,
    });
    const short = { role: "user", content: [{ type: "text", text: "y", ...cached }] };
    expect(await usage({ ...base, messages: [short] })).toMatchObject({ cache_creation_input_tokens: 0 });
  });
});

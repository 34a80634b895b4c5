// The rows of the models' contract (test/openai/model-contract.test.ts) for those that ask no server: a replay and the rehearsal.
import { expect, it, test } from "vitest";
import type { ConversationLine, Message, StopReason } from "../../src/core/events.ts";
import type { Model } from "../../src/core/ports.ts";
import { createOfflineModel } from "../../src/offline/model.ts";
import { Replay } from "../../src/offline/replay.ts";
import { ask, results, say, signal } from "../anthropic/anthropic-fixture.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const usage = { inputTokens: 9, outputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0 };
const call = (id: string, path: string) => ({
  type: "tool_use" as const,
  id,
  name: "readFile",
  input: { path },
});

/** A model that plays these turns; results between them are part of the record. */
function replayOf(...turns: [Message["content"], StopReason][]): { model: Model; replay: Replay } {
  const at = { conversationId: "t#1" };
  const lines: ConversationLine[] = [
    {
      store: "conversation",
      type: "ConversationStarted",
      payload: {
        ...at,
        taskId: "t",
        agent: "a",
        depth: 0,
        model: "m",
        frozen: "0".repeat(64),
        provider: "anthropic",
      },
    },
    { store: "conversation", type: "Message", payload: { ...at, message: say("hi") } },
  ];
  for (const [content, stopReason] of turns) {
    const message: Message = { role: "assistant", content };
    const response = { model: "m", stopReason, usage, costUsd: 0.1 };
    lines.push({ store: "conversation", type: "Message", payload: { ...at, message, response } });
  }
  const replay = new Replay("s", { events: [], conversation: lines, setAside: [] });
  return { model: replay.model, replay };
}

const asked = (...messages: Message[]) => ({ ...ask(...messages), conversationId: "s/t#1" });
const text = (words: string) => ({ type: "text" as const, text: words });
const thought = { type: "thinking" as const, thinking: "read first", signature: "s" };

test("replay says text, one call, parallel calls and thinking as they were recorded, and nothing after its end", async () => {
  const said: [Message["content"], StopReason][] = [
    [[thought, text("First."), call("t1", "a")], "tool_use"],
    [[call("t2", "b"), call("t3", "c")], "tool_use"],
    [[text("x".repeat(400_000))], "end_turn"],
  ];
  const { model } = replayOf(...said);
  const history: Message[] = [say("hi")];
  const heard: string[] = [];
  for (const [content, stopReason] of said) {
    const reply = await model.respond(asked(...history), { signal, onText: (delta) => heard.push(delta) });
    expect(reply).toMatchObject({ message: { role: "assistant", content }, stopReason, model: "m" });
    // What a recorded turn cost then costs nothing now.
    expect([reply.usage.outputTokens, model.priceOf("m", reply.usage)]).toEqual([0, 0]);
    history.push(
      reply.message,
      results(
        ...content.flatMap((block): [string, string][] => ("id" in block ? [[String(block.id), "r"]] : [])),
      ),
    );
  }
  expect(heard.join("")).toBe(`First.${"x".repeat(400_000)}`);
  await expect(model.respond(asked(...history), { signal })).rejects.toMatchObject({
    code: "model-failed",
    message: expect.stringContaining("ends here"),
  });
});

test.each(["refusal", "max_tokens", "model_context_window_exceeded"] as const)(
  "replay passes on a recorded %s",
  async (stopReason) => {
    const { model } = replayOf([[text("No.")], stopReason]);
    expect(await model.respond(asked(say("hi")), { signal })).toMatchObject({ stopReason });
  },
);

test.each([
  ["replay", replayOf([[text("hi")], "end_turn"]).model],
  ["offline", createOfflineModel()],
])("%s stops with an AbortError that has the reason", async (_, model) => {
  const aborted = AbortSignal.abort("deadline");
  await expect(model.respond(asked(say("hi")), { signal: aborted })).rejects.toMatchObject({
    name: "AbortError",
    cause: "deadline",
  });
});

it("offline says text, makes one call and then the next, and costs nothing", async () => {
  const model = createOfflineModel();
  const facts = {
    sessionFolder: "f/s",
    content: "f/s/content.md",
    requires: [],
    outputs: [{ name: "summary", artifact: "summary.json" }],
  };
  const opening = say(`\`\`\`json\n${JSON.stringify(facts)}\n\`\`\``);
  const heard: string[] = [];
  const first = await model.respond(ask(opening), { signal, onText: (delta) => heard.push(delta) });
  expect(first).toMatchObject({ stopReason: "tool_use", usage: { inputTokens: 0, outputTokens: 0 } });
  expect(heard).toEqual(["Reading the source."]);
  const [, read] = first.message.content;
  expect(read).toMatchObject({ name: "readFile", input: { path: "f/s/content.md" } });
  const told = results([String(read && "id" in read ? read.id : ""), ARTICLE]);
  const second = await model.respond(ask(opening, first.message, told), { signal });
  expect(second.message.content.at(-1)).toMatchObject({ name: "writeArtifact" });
  expect(model.priceOf("any", first.usage)).toBe(0);
});

/** Rows of the contract that need a server's answer, and why none can occur here. */
const NOT_HERE = {
  "cut streams, 429 with its wait, 5xx": "no request leaves the process",
  "context too long as an error":
    "a replay repeats the recorded stop reason; the rehearsal reads files in pieces and gives up on long ones",
  "parallel calls and refusal, offline":
    "the rehearsal makes the calls that it needs, and has no one to refuse",
};

it("names the rows that cannot apply: neither model opens a connection", async () => {
  const fetched: unknown[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (address) => {
    fetched.push(address);
    throw new Error("no network here");
  };
  try {
    await createOfflineModel().respond(ask(say("hi")), { signal });
    await replayOf([[text("hi")], "end_turn"]).model.respond(asked(say("hi")), { signal });
  } finally {
    globalThis.fetch = real;
  }
  expect(fetched, Object.values(NOT_HERE).join("; ")).toEqual([]);
});

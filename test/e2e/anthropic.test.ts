// Whole content runs with the provider `anthropic` over HTTP. The server refuses orphan calls, changed prefixes, thinking
// that was bound to something else, and turns nobody wrote down; each test ends by asking it.

import { describe, expect, it } from "vitest";
import type { RunResult } from "../../src/core/result.ts";
import { SUMMARY } from "../fakes/kit-script.ts";
import type { RuleBlock } from "../fakes/message-rules.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import {
  createKitWorld,
  FILE,
  type KitWorld,
  MODEL,
  REST,
  storedLines,
  use,
  write,
} from "./anthropic-kit.ts";

const DONE = { status: "completed", reasonCode: "done" };
const BAD = { ...SUMMARY, headline: "short", importantQuotes: [{ text: "nobody said this" }] };
const read = (id: string) => use(id, "readFile", { path: "a.md" });

function bodies(world: KitWorld): ApiBody[] {
  return world.api.requests.map((request) => request.body);
}

function lastBlocks(body: ApiBody | undefined): RuleBlock[] {
  const content = body?.messages.at(-1)?.content;
  return Array.isArray(content) ? content : [];
}

function thinkingIn(body: ApiBody | undefined): unknown[] {
  const blocks = body?.messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])) ?? [];
  return blocks.filter((block) => block.type === "thinking").map((block) => block.thinking);
}

function sessionIdOf(result: RunResult): string {
  return result.items[0]?.sessionId ?? "";
}

describe("a model that answers", () => {
  it("is heard as it speaks; calls made together have their results together, in order", async () => {
    const said = "I read it in three ways – ü, 😀 – at once.";
    const calls = [read("a"), use("b", "grep", { pattern: "kettle" }), use("c", "listFiles", { path: "." })];
    const world = await createKitWorld({
      summary: [
        { content: [{ type: "text", text: said }, ...calls], deltaSize: 1, pingEvery: 3, chunkBytes: 7 },
        { content: [write("summary")], deltaSize: 3, asciiJson: true },
      ],
      ...REST,
    });
    const result = await world.runKit(FILE);
    expect(result).toMatchObject(DONE);
    const results = lastBlocks(bodies(world)[1]);
    expect(results.map((block) => [block.type, block.tool_use_id])).toEqual(
      ["a", "b", "c"].map((id) => ["tool_result", id]),
    );
    const deltas = world.events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe(said);
    const { usage, costUsd } = result.items[0] ?? {};
    expect(usage?.cacheReadTokens).toBeGreaterThan(0);
    expect(costUsd).toBeGreaterThan(0);
    world.api.assertDone();
  });

  it("whose artifact is invalid twice hears why and may try again", async () => {
    const world = await createKitWorld({
      summary: [
        { content: [write("summary", "1", BAD)] },
        { content: [write("summary", "2", BAD)] },
        { content: [write("summary", "3")] },
      ],
      ...REST,
    });
    expect(await world.runKit(FILE)).toMatchObject(DONE);
    const [refusal] = lastBlocks(bodies(world)[2]);
    expect(refusal).toMatchObject({ tool_use_id: "2", is_error: true });
    expect(refusal?.content).toMatch(/headline/);
    expect(refusal?.content).toMatch(/nobody said this/);
    world.api.assertDone();
  });

  it("whose artifact is invalid three times fails the step: which field, what was expected, what came", async () => {
    const attempts = ["1", "2", "3"].map((id) => ({ content: [write("summary", id, BAD)] }));
    const world = await createKitWorld({ summary: attempts });
    const result = await world.runKit(FILE);
    expect(result).toMatchObject({ status: "failed", reasonCode: "invalid-artifact" });
    expect(result.items[0]?.message).toMatch(/summary was invalid 3 times.*headline.*10.*short/s);
    const folder = result.items[0]?.folder ?? "";
    await expect(world.read(`${folder}/summary.json`)).rejects.toThrow("ENOENT");
    expect(result.items[0]?.steps.map((step) => step.status)).toEqual([
      "failed",
      "pending",
      "pending",
      "pending",
    ]);
    world.api.assertDone();
  });

  it("that refuses ends the step; no call of that turn runs, and a later run begins the step anew", async () => {
    const refused = { content: [{ type: "text", text: "No." }, write("summary")], stopReason: "refusal" };
    const world = await createKitWorld({ summary: [refused, { content: [write("summary")] }], ...REST });
    const first = await world.runKit(FILE);
    expect(first).toMatchObject({ status: "failed", reasonCode: "model-failed" });
    expect(first.items[0]?.message).toContain("refused");
    await expect(world.read(`${first.items[0]?.folder}/summary.json`)).rejects.toThrow("ENOENT");
    expect(await world.runKit({ kind: "session", sessionId: sessionIdOf(first) })).toMatchObject(DONE);
    expect(bodies(world)[1]?.messages).toHaveLength(1);
    world.api.assertDone();
  });

  it("that is cut inside a call, or just behind one, makes it again: neither runs", async () => {
    const text = { type: "text", text: "Now I write it." };
    const world = await createKitWorld({
      summary: [
        { content: [text, write("summary", "cut")], stopReason: "max_tokens", cutJson: 30 },
        { content: [text, write("summary", "whole")], stopReason: "max_tokens" },
        { content: [write("summary", "again")] },
      ],
      ...REST,
    });
    expect(await world.runKit(FILE)).toMatchObject(DONE);
    const [, afterCut, afterWhole] = bodies(world);
    expect(lastBlocks(afterCut)).toMatchObject([{ type: "text", text: expect.stringContaining("cut") }]);
    expect(lastBlocks(afterWhole)).toMatchObject([{ tool_use_id: "whole", is_error: true }]);
    world.api.assertDone();
  });
});

describe("an API in trouble", () => {
  it("that limits the rate is asked again after the wait it names", async () => {
    const world = await createKitWorld({
      summary: [{ status: 429, retryAfter: 1 }, { content: [write("summary")] }],
      ...REST,
    });
    expect(await world.runKit(FILE)).toMatchObject(DONE);
    const [limited, again] = world.api.requests;
    expect((again?.at ?? 0) - (limited?.at ?? 0)).toBeGreaterThanOrEqual(990);
    expect(again?.raw).toBe(limited?.raw);
    world.api.assertDone();
  });

  it("that is overloaded loses the conversation to the fallback model, old thinking dropped, new kept", async () => {
    const world = await createKitWorld(
      {
        summary: [
          { content: [{ type: "thinking", thinking: "old" }, read("1")] },
          { status: 529, retryAfterMs: 1 },
          { status: 529, retryAfterMs: 1 },
          { content: [{ type: "thinking", thinking: "new" }, read("2")] },
          { content: [write("summary")] },
        ],
        ...REST,
      },
      {},
      { maxRetries: 1 },
    );
    const fallbackModel = "claude-haiku-4-5";
    const result = await world.runKit(FILE, { settings: { fallbackModel } });
    expect(result).toMatchObject(DONE);
    const sent = bodies(world).slice(0, 5);
    expect(sent.map((body) => body.model)).toEqual([MODEL, MODEL, MODEL, fallbackModel, fallbackModel]);
    expect(sent.map(thinkingIn)).toEqual([[], ["old"], ["old"], [], ["new"]]);
    expect(await storedLines(world, sessionIdOf(result), "ModelSwitched")).toMatchObject([
      { from: MODEL, to: fallbackModel, reason: expect.stringContaining("overloaded") },
    ]);
    world.api.assertDone();
  });

  it("that breaks off in mid-answer is asked the same again, and nothing of the cut one is kept", async () => {
    const cut = { content: [{ type: "text", text: "Half a" }, write("summary", "toolu_torn")], cutAfter: 6 };
    const world = await createKitWorld({ summary: [cut, { content: [write("summary")] }], ...REST });
    const result = await world.runKit(FILE);
    expect(result).toMatchObject(DONE);
    const [first, second] = world.api.requests;
    expect(first?.abandoned).toBe(true);
    expect(second?.raw).toBe(first?.raw);
    expect(JSON.stringify(await storedLines(world, sessionIdOf(result), "Message"))).not.toContain(
      "toolu_torn",
    );
    world.api.assertDone();
  });

  it.each([
    [{ status: 401, message: "invalid bearer token" }, /refuses the key.*ANTHROPIC_API_KEY/s],
    [{ status: 400, message: "Your credit balance is too low" }, /no credit.*Billing/s],
  ])("that answers %j fails the step with what to do, and a later run goes on", async (refusal, expected) => {
    const world = await createKitWorld({
      summary: [{ content: [read("1")] }, refusal, { content: [write("summary")] }],
      ...REST,
    });
    const failed = await world.runKit(FILE);
    expect(failed).toMatchObject({ status: "failed", reasonCode: "model-failed" });
    expect(failed.items[0]?.message).toMatch(expected);
    expect(await world.runKit({ kind: "session", sessionId: sessionIdOf(failed) })).toMatchObject(DONE);
    // It went on where it stood: what was read is not read again.
    expect(world.api.requests[2]?.raw).toBe(world.api.requests[1]?.raw);
    world.api.assertDone();
  });
});

describe("a subagent that asks", () => {
  const agent = (name: string, tools: string, text = "Do it.") => [
    `.looplia/.claude/agents/${name}.md`,
    `---\nname: ${name}\ndescription: The ${name}.\ntools: ${tools}\n---\n${text}\n`,
  ];
  const files = Object.fromEntries([
    agent("idea-generator", "Task, writeArtifact"),
    agent("asker", "askUser, readFile"),
  ]);
  const scripts = {
    summary: [{ content: [write("summary")] }],
    ideas: [
      { content: [use("task", "Task", { agent: "asker", prompt: "Which hook do they want?" })] },
      { content: [write("ideas")] },
    ],
    subagent: [
      { content: [{ type: "thinking", thinking: "first look" }, read("look")] },
      {
        content: [
          { type: "thinking", thinking: "then ask" },
          use("ask", "askUser", { question: "Which hook?", options: ["Number", "Voice"] }),
        ],
      },
      "They want the voice.",
    ],
    outline: REST.outline ?? [],
  };

  it("ends the run; the answer comes another day, after an upgrade, and the run goes on right there", async () => {
    const world = await createKitWorld(scripts, files);
    const first = await world.runKit(FILE);
    expect(first).toMatchObject({ status: "waiting", reasonCode: "open-questions" });
    const [question] = first.items[0]?.interactions ?? [];
    expect(question).toMatchObject({ kind: "Select", display: { title: "Which hook?" } });
    const asked = world.api.requests.length;

    // Nothing was answered: the same question, and no request.
    const again = await world.runKit({ kind: "session", sessionId: sessionIdOf(first) });
    expect(again.items[0]?.interactions.map((request) => request.interactionId)).toEqual([
      question?.interactionId,
    ]);
    expect(world.api.requests).toHaveLength(asked);

    // The agent is another one by now, but its conversation keeps the bytes that it began with.
    const [path = "", text = ""] = agent("asker", "askUser", "Do something else.");
    await world.write(path, text);
    const done = await world.runKit({
      kind: "answer",
      interactionId: question?.shortId ?? "",
      answer: { selectedOptionId: "2" },
      actorId: "terminal:t",
    });
    expect(done).toMatchObject(DONE);
    const [subagent, parent] = bodies(world).slice(asked);
    expect(lastBlocks(subagent)).toMatchObject([
      { tool_use_id: "ask", content: expect.stringMatching(/voice/i) },
    ]);
    expect(thinkingIn(subagent)).toEqual(["first look", "then ask"]);
    expect(lastBlocks(parent)).toMatchObject([{ tool_use_id: "task", content: "They want the voice." }]);
    world.api.assertDone();
  });
});

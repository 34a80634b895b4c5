// Limits hold while a program asks its model again and again by itself: each request is counted and priced as it passes.
import { expect, test } from "vitest";
import type { Limits } from "../../src/agent/session.ts";
import type { Usage } from "../../src/core/events.ts";
import type { ProgramName } from "../../src/programs/process.ts";
import { createWorld, runOnce, ScriptedHost } from "../fakes/agent-world.ts";
import { fakeProgram } from "../fakes/program-model.ts";
import fc, { tries } from "../fakes/properties.ts";

/** One way in which a service answers. The program answers `own` itself, and asks again. */
type Way = "own" | "own, uncounted" | "own, negative" | "call" | "text" | "cut" | "refused" | "failed";

const TOKENS = { input_tokens: 3_000, output_tokens: 1_000 };
const USD = 1 / 20_000;
const priceOf = (_: string, { inputTokens, outputTokens }: Usage) => (inputTokens + outputTokens) * USD;

function usageIn(way: Way) {
  if (way.includes("uncounted")) return undefined;
  return way.includes("negative") ? { input_tokens: -5, output_tokens: -1 } : TOKENS;
}

const eventsOf = (events: { type: string }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

function codexAnswer(way: Way, at: number): string {
  const id = `call_${at}`;
  const own = { type: "custom_tool_call", call_id: id, name: "exec", input: "1", status: "completed" };
  const call = { type: "function_call", call_id: id, name: "readFile", arguments: '{"path":"no"}' };
  const text = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hm." }] };
  const item = way.startsWith("own") ? own : way === "call" ? call : text;
  const response = { model: "some-model", usage: usageIn(way) };
  const events = [
    { type: "response.output_item.done", item },
    { type: "response.completed", response },
  ];
  return eventsOf(way === "cut" ? events.slice(0, 1) : events);
}

function claudeAnswer(way: Way, at: number): string {
  const isCall = way.startsWith("own") || way === "call";
  const name = "mcp__looplia__readFile";
  const [block, delta] = isCall
    ? [
        { type: "tool_use", id: `toolu_${at}`, name, input: {} },
        { type: "input_json_delta", partial_json: '{"path":"no"}' },
      ]
    : [
        { type: "text", text: "" },
        { type: "text_delta", text: "Hm." },
      ];
  const stop_reason = way === "call" ? "tool_use" : isCall ? "refusal" : "end_turn";
  const usage = usageIn(way);
  const message = { id: `m-${at}`, model: "some-model", role: "assistant", content: [], usage };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" },
  ];
  return eventsOf(way === "cut" ? events.slice(0, 4) : events);
}

/** Runs a task with a program whose service answers like this, the last way without end. */
async function run(name: ProgramName, ways: readonly Way[], limits: Partial<Limits>) {
  let requests = 0;
  const upstream = async () => {
    const way = ways[Math.min(requests, ways.length - 1)] ?? "own";
    requests += 1;
    // A program without limits would go on for ever.
    if (requests > 60) throw new Error("too many");
    if (way === "refused") return Response.json({ error: { message: "Slow down." } }, { status: 429 });
    if (way === "failed") throw new Error("no network");
    return new Response((name === "codex" ? codexAnswer : claudeAnswer)(way, requests), {
      headers: { "content-type": "text/event-stream" },
    });
  };
  const world = await createWorld();
  const once = async (given: Partial<Limits>) => {
    const model = await fakeProgram({ name, upstream, more: { priceOf } });
    return runOnce(world, model, { limits: given, host: new ScriptedHost("nobody") });
  };
  const outcomes: unknown[] = [];
  // What a run spent counts in the next one, also where the service failed.
  for (let at = 0; at < 2; at += 1) {
    await once(limits).then(
      ({ outcome }) => outcomes.push(outcome),
      (error: unknown) => outcomes.push(error),
    );
  }
  const { session } = await once({ maxTurns: 0 });
  const { usage, costUsd } = session.journal.totals;
  return { outcomes, requests, tokens: usage.inputTokens + usage.outputTokens, costUsd };
}

const twice = (reasonCode: string) => [{ reasonCode }, { reasonCode }];

test.each(["claude", "codex"] as const)("%s asks its model by itself: each limit ends it", async (name) => {
  const turns = await run(name, ["own"], { maxTurns: 3 });
  expect(turns).toMatchObject({ requests: 3, tokens: 12_000, outcomes: twice("max-turns") });
  const money = await run(name, ["call", "own"], { maxCostUsd: 0.5 });
  expect(money).toMatchObject({ requests: 3, tokens: 12_000, outcomes: twice("cost-limit") });
  const tokens = await run(name, ["own, uncounted"], { maxTokens: 1_000 });
  expect(tokens).toMatchObject({ outcomes: twice("cost-limit") });
  expect(tokens.requests).toBeLessThan(20);
});

test.each(["claude", "codex"] as const)(
  "%s and any sequence of answers: no limit is passed by more than one request",
  async (name) => {
    const way = fc.constantFrom<Way>(
      ...([
        "own",
        "own",
        "own, uncounted",
        "own, negative",
        "call",
        "text",
        "cut",
        "refused",
        "failed",
      ] as const),
    );
    const limits = fc.oneof(
      fc.record({ maxTurns: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ maxTurns: fc.constant(12), maxCostUsd: fc.constantFrom(0.1, 0.3, 0.7) }),
      fc.record({ maxTurns: fc.constant(12), maxTokens: fc.constantFrom(1_000, 9_000, 20_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(way, { minLength: 1, maxLength: 12 }), limits, async (ways, limit) => {
        const { requests, tokens, costUsd } = await run(name, [...ways, "own"], limit);
        expect(requests).toBeLessThanOrEqual(limit.maxTurns);
        if ("maxTokens" in limit) expect(tokens).toBeLessThan(limit.maxTokens + 4_000);
        if ("maxCostUsd" in limit) expect(costUsd).toBeLessThan(limit.maxCostUsd + 4_000 * USD);
      }),
      tries(6),
    );
  },
);

// What a run and a month may cost: estimates are reserved and settled, the month is leased in tranches.
import { describe, expect, it, test } from "vitest";
import { Budget } from "../../src/agent/budget.ts";
import { requirePrice } from "../../src/agent/limits.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import { figuresOf, type MonthLedger } from "../../src/core/money/ledger.ts";
import type { AskResult } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost } from "../fakes/agent-world.ts";
import { MemoryLedger } from "../fakes/memory-ledger.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";

let now = new Date("2026-11-20T12:00:00Z");
const clock = { now: () => now };

function open(
  changes: Partial<ConstructorParameters<typeof Budget>[0]> & {
    monthUsd?: number;
    ledger?: MonthLedger;
  } = {},
): Budget {
  const { monthUsd, ledger, ...place } = changes;
  const month = monthUsd !== undefined && ledger ? { limitUsd: monthUsd, ledger } : undefined;
  return new Budget({ clock, id: "1.1.a", by: "1.1", isLive: async () => true, month, ...place });
}

/** Requests that all cost what they were estimated at, or less, as many at once as there are. */
async function spend(budget: Budget, requests: number, estimate: number, cost: number) {
  const seen = { atOnce: 0, most: 0, spent: 0, refused: 0 };
  await Promise.all(
    Array.from({ length: requests }, async (_, at) => {
      const reserved = await budget.reserve(estimate);
      if (typeof reserved !== "function") {
        seen.refused += 1;
        return;
      }
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      await new Promise((resolve) => setTimeout(resolve, at % 3));
      seen.atOnce -= 1;
      seen.spent += cost;
      reserved(cost);
    }),
  );
  return seen;
}

describe("a run's limit", () => {
  it.each([
    [0.3, 0.3],
    [0.3, 0.11],
    [4, 4],
  ])(
    "50 requests at once with an estimate of $%d that cost $%d pass it by one estimate at most",
    async (estimate, cost) => {
      const seen = await spend(open({ runUsd: 2 }), 50, estimate, cost);
      expect(seen.refused).toBeGreaterThan(0);
      expect(seen.spent).toBeGreaterThanOrEqual(2);
      expect(seen.spent).toBeLessThanOrEqual(2 + estimate);
      if (estimate < 2) expect(seen.most).toBe(6);
    },
  );

  it("goes on where a person raised it", async () => {
    const budget = open({ runUsd: 1 });
    const first = await budget.reserve(1);
    if (typeof first === "function") first(1);
    const reached = await budget.reserve(1);
    if (typeof reached === "function") throw new Error("granted");
    expect(reached).toEqual({ of: "run", limitUsd: 1, spentUsd: 1 });
    await budget.raise(reached, "q1");
    expect(await budget.reserve(1)).toBeTypeOf("function");
  });
});

describe("a month's limit", () => {
  it("is leased a tenth at a time, and what is left is given back", async () => {
    const ledger = new MemoryLedger();
    const budget = open({ ledger, monthUsd: 50 });
    await spend(budget, 3, 1, 0.5);
    expect(figuresOf(ledger.stored, "2026-11", 50)).toMatchObject({ leasedUsd: 5, spentUsd: 0 });
    expect(budget.figures()).toMatchObject({ spentUsd: 1.5, limitUsd: 50 });
    await budget.close();
    expect(figuresOf(ledger.stored, "2026-11", 50)).toMatchObject({ leasedUsd: 0, spentUsd: 1.5 });
    expect(ledger.writes).toBe(2);
  });

  it("is shared by two runs at once, and passed by one estimate at most", async () => {
    const ledger = new MemoryLedger();
    const runs = ["1.1", "2.1"].map((by) => open({ ledger, monthUsd: 10, id: `${by}.a`, by }));
    const seen = await Promise.all(runs.map((run) => spend(run, 40, 0.5, 0.4)));
    await Promise.all(runs.map((run) => run.close()));
    const spent = seen.reduce((sum, { spent: one }) => sum + one, 0);
    expect(seen.every(({ spent: one }) => one > 2)).toBe(true);
    expect(spent).toBeLessThanOrEqual(10.5);
    expect(figuresOf(ledger.stored, "2026-11", 10).spentUsd).toBeCloseTo(spent);
  });

  it("starts over with the next month, also in the middle of a run", async () => {
    const ledger = new MemoryLedger();
    now = new Date("2026-11-30T23:59:59Z");
    const budget = open({ ledger, monthUsd: 1 });
    expect(await spend(budget, 3, 0.5, 0.5)).toMatchObject({ refused: 1 });
    now = new Date("2026-12-01T00:00:00Z");
    expect(await spend(budget, 3, 0.5, 0.5)).toMatchObject({ refused: 1 });
    await budget.close();
    expect(figuresOf(ledger.stored, "2026-11", 1)).toMatchObject({ spentUsd: 1, leasedUsd: 0 });
    expect(figuresOf(ledger.stored, "2026-12", 1)).toMatchObject({ spentUsd: 1, leasedUsd: 0 });
    now = new Date("2026-11-20T12:00:00Z");
  });

  it("counts the lease of a dead run as spent, when the next run begins", async () => {
    const ledger = new MemoryLedger();
    const dead = open({ ledger, monthUsd: 10, id: "1.1.a", by: "1.1" });
    await spend(dead, 1, 0.5, 0.5);
    const next = open({ ledger, monthUsd: 10, id: "2.1.a", by: "2.1", isLive: async (by) => by !== "1.1" });
    await spend(next, 1, 0.5, 0.5);
    await next.close();
    expect(figuresOf(ledger.stored, "2026-11", 10)).toMatchObject({ spentUsd: 1.5, leasedUsd: 0 });
  });

  it("is raised by a tenth once for each question", async () => {
    const ledger = new MemoryLedger();
    const budget = open({ ledger, monthUsd: 10 });
    await spend(budget, 11, 1, 1);
    const reached = await budget.reserve(1);
    if (typeof reached === "function") throw new Error("granted");
    await budget.raise(reached, "q1");
    await budget.raise(reached, "q1");
    expect(await spend(budget, 3, 1, 1)).toMatchObject({ spent: 1, refused: 2 });
  });
});

describe("a batch that outlives its run", () => {
  it("keeps its part of the month until its cost is known, whoever settles it, once", async () => {
    const ledger = new MemoryLedger();
    const sender = open({ ledger, monthUsd: 10 });
    const reserved = await sender.reserve(0.8);
    if (typeof reserved === "function") reserved(0.8);
    await sender.leaveToBatch("b", 0.8);
    await sender.close();
    expect(figuresOf(ledger.stored, "2026-11", 10)).toMatchObject({ spentUsd: 0, leasedUsd: 0.8 });
    // Its sender is long dead, and the month is over.
    now = new Date("2026-12-02T12:00:00Z");
    const next = open({ ledger, monthUsd: 10, id: "2.1.a", by: "2.1", isLive: async () => false });
    await spend(next, 1, 0.5, 0.5);
    expect(figuresOf(ledger.stored, "2026-11", 10)).toMatchObject({ spentUsd: 0, leasedUsd: 0.8 });
    await next.settleBatch("b", 0.1);
    await next.settleBatch("b", 0.1);
    await next.close();
    expect(figuresOf(ledger.stored, "2026-11", 10)).toMatchObject({ spentUsd: 0.1, leasedUsd: 0 });
    now = new Date("2026-11-20T12:00:00Z");
  });
});

// In a session.

const read = (id: string) => ({ content: [call(id, "readFile", { path: "a" })] });
const options = { price: () => 0.3 };

test.each<[string, AskResult[], string]>([
  ["is waiting for an answer", [], "waiting"],
  ["goes on once it is approved", [approve()], "completed"],
  [
    "stops where a person leaves it",
    [{ answer: { selectedOptionId: "reject" }, actorId: "terminal:test" }],
    "stopped",
  ],
])("a session at the run's limit %s", async (_name, answers, kind) => {
  const host = new ScriptedHost(answers);
  const model = new ScriptedModel(kind === "completed" ? [read("1"), "done"] : [read("1")], options);
  const { outcome } = await runOnce(await createWorld(), model, { host, budget: open({ runUsd: 0.2 }) });
  expect(outcome.kind).toBe(kind);
  expect(host.asked).toMatchObject([{ kind: "Confirm", budget: { of: "run", limit: 0.2, raiseTo: 0.4 } }]);
  model.assertDone();
});

test("one of many sessions asks, and the others get its answer", async () => {
  const budget = open({ runUsd: 0.2 });
  const settle = await budget.reserve(0.2);
  if (typeof settle === "function") settle(0.2);
  const hosts = Array.from({ length: 5 }, () => new ScriptedHost([approve()]));
  const ended = await Promise.all(
    hosts.map(async (host) =>
      runOnce(await createWorld(), new ScriptedModel(["done"], options), { host, budget }),
    ),
  );
  expect(ended.map(({ outcome }) => outcome.kind)).toContain("completed");
  expect(
    hosts.flatMap(({ asked }) => asked).filter(({ budget: asked }) => asked?.limit === 0.2),
  ).toHaveLength(1);
});

test("a request that failed costs nothing", async () => {
  const budget = open({ runUsd: 1 });
  const model = new ScriptedModel([{ error: new LoopliaError("model-failed", "down") }], options);
  await runOnce(await createWorld(), model, { budget }).catch(() => undefined);
  expect(budget.isSpent).toBe(false);
  expect(await spend(budget, 4, 0.3, 0.3)).toMatchObject({ refused: 0 });
});

test.each([
  [{ maxTurns: 9, maxCostUsd: 1 }, "max-cost-usd"],
  [{ maxTurns: 9, sharedUsd: "max-run-cost-usd" } as const, "max-run-cost-usd"],
  [{ maxTurns: 9, sharedUsd: "max-month-cost-usd" } as const, "max-month-cost-usd"],
])("a limit in dollars refuses a model without a price before anything is spent: %j", (limits, setting) => {
  const model = { ...new ScriptedModel([]), priceOf: (name: string) => (name === "known" ? 1 : null) };
  expect(() => requirePrice(limits, model as never, ["known", "other"])).toThrow(
    `${setting} is set, but there is no price for the model other.`,
  );
  requirePrice(limits, model as never, ["known"]);
  requirePrice({ maxTurns: 9, maxTokens: 5 }, model as never, ["other"]);
});

// "A checkpoint: every 5 minutes" (DURABILITY): while a run has its work, however long nothing else is to be saved.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followProgress } from "../../src/work/host.ts";
import type { WorkClaim } from "../../src/work/in-hand.ts";
import type { WakeRun, WorkInHand } from "../../src/work/run.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

test("every five minutes while the claim stands, and not before or after", async () => {
  const saved: string[] = [];
  const work = { stateRef: { checkpointSoon: (message: string) => void saved.push(message) } };
  const claim = { isTaken: false };
  const progress = followProgress({} as WakeRun, work as unknown as WorkInHand, claim as WorkClaim);
  vi.advanceTimersByTime(6 * MINUTE);
  expect(saved).toEqual([]);
  claim.isTaken = true;
  vi.advanceTimersByTime(4 * MINUTE - 1);
  expect(saved).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(saved).toHaveLength(1);
  vi.advanceTimersByTime(50 * MINUTE);
  expect(saved).toHaveLength(11);
  await progress.stop();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(saved).toHaveLength(11);
});

test.each([
  ["without a limit", undefined, [0.1, 0.1, 0.1], [0, 0, 1]],
  ["a twentieth of `max-cost-usd`", 1, [0.03, 0.03, 0.04, 0.01], [0, 1, 1, 2]],
] as const)("what was spent is saved before it is much: %s", (_, maxCostUsd, costs, saves) => {
  const saved: string[] = [];
  const work = { stateRef: { checkpointSoon: (message: string) => void saved.push(message) } };
  const run = { found: { settings: { maxCostUsd } } } as unknown as WakeRun;
  const progress = followProgress(run, work as unknown as WorkInHand, { isTaken: true } as WorkClaim);
  const counts = costs.map((cost) => {
    progress.spent(cost);
    return saved.length;
  });
  expect(counts).toEqual(saves);
});

test("what takes long to be shown is waited for at the end, and nothing is shown after it", async () => {
  let shown = 0;
  const { promise: slow, resolve: goOn } = Promise.withResolvers<void>();
  const checkpoints = [slow];
  const work = {
    forget: () => {},
    openQuestions: async () => [],
    checkpoint: async () => checkpoints.shift(),
    async questions() {
      shown += 1;
      throw new Error("nothing more is shown");
    },
  };
  const keys = { allow: () => {} };
  const run = { work: { pullRequest: {} }, told: {}, wiring: { keys } } as unknown as WakeRun;
  const progress = followProgress(run, work as unknown as WorkInHand, { isTaken: false } as WorkClaim);
  for (const _ of ["asked", "asked again"]) {
    progress.soon();
    await vi.advanceTimersByTimeAsync(MINUTE);
  }
  let isStopped = false;
  const stopping = progress.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(isStopped).toBe(false);
  goOn();
  await stopping;
  expect(shown).toBe(1);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(shown).toBe(1);
});

/** When a run that ends a step after 10 seconds, and one a minute from then on, tries to open a pull request: ms from its start. */
async function opening(changes: object, ended: object = {}): Promise<number[]> {
  const startedAt = new Date().toISOString();
  const at: number[] = [];
  const openPullRequest = async () => {
    at.push(Date.now() - Date.parse(startedAt));
    throw new Error("refused");
  };
  const work = {
    ...{ forget: () => {}, openQuestions: async () => [], questions: async () => [] },
    checkpoint: async () => {},
    stateRef: { checkpointSoon: () => {} },
  };
  const run = {
    ...{ work: {}, told: { items: [], pipeline: "tasks" }, facts: {}, startedAt, host: { openPullRequest } },
    clock: { now: () => new Date() },
    found: { settings: { provider: "anthropic" } },
    ...changes,
  } as unknown as WakeRun;
  const progress = followProgress(run, work as unknown as WorkInHand, { isTaken: true } as WorkClaim);
  const task = { sessionId: "s", folder: "", title: "A", outputs: ["summary"] };
  await vi.advanceTimersByTimeAsync(10_000);
  for (let minute = 0; minute < 5; minute += 1) {
    progress.ended({ ...task, status: "completed", ...ended });
    await vi.advanceTimersByTimeAsync(MINUTE);
  }
  await progress.stop();
  return at;
}

test("the first finished step opens the pull request once the run is 30 seconds old; a refusal is not tried again", async () => {
  expect(await opening({})).toEqual([40_000]);
});

test.each([
  ["a failed step", {}, { status: "failed" }],
  ["a task put back", {}, { todo: { label: "todo", tags: [], said: "" } }],
  ["a shard", { work: { shard: {} } }, {}],
  ["an item with a pull request of its own", { looksLater: true }, {}],
  ["a rehearsal", { found: { settings: { provider: "offline" } } }, {}],
])("%s opens none before the end", async (_, changes, ended) => {
  expect(await opening(changes, ended)).toEqual([]);
});

// Where answers come between the runs, a session that only waits is told and nothing of it is opened.
import { expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { Stores } from "../../src/core/ports.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, askingModel, dueOutputs, kitModel } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const WORK = { kind: "items", workId: "writing-kit-abcdef", key: "k" } as const;
const ITEMS = { ...WORK, sources: ["a.md"] } as const;

class AwayHost extends ScriptedHost {
  readonly answersLater = true;
}

function noOpening(stores: Stores): Stores {
  return { ...stores, open: () => Promise.reject(new Error("the work was opened")) };
}

async function waitingWorld(): Promise<{ world: ContentWorld; sessionId: string }> {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const first = await world.run(ITEMS, askingModel(), { host: new AwayHost([]) });
  expect(first).toMatchObject({ status: "waiting", reasonCode: "open-questions" });
  return { world, sessionId: (await sessionsOf(world))[0] ?? "" };
}

test("a waiting session is left alone: nothing is opened, no model is asked, its question is told", async () => {
  const { world } = await waitingWorld();
  const model = new ScriptedModel([]);
  const again = await world.run(ITEMS, model, { host: new AwayHost([]), stores: noOpening });
  expect(again).toMatchObject({ status: "waiting", reasonCode: "open-questions" });
  expect(again.items[0]?.interactions).toHaveLength(1);
  expect(again.items[0]?.usage.inputTokens).toBeGreaterThan(0);
});

test("a changed source wakes it: the question is closed and the step starts over", async () => {
  const { world } = await waitingWorld();
  await world.write("a.md", `${ARTICLE}\nOne more line.\n`);
  const again = await world.run(ITEMS, kitModel(), { host: new AwayHost([]) });
  expect(again).toMatchObject({ status: "completed", reasonCode: "done" });
});

/** How the session that failed with this model is told by a run that leaves it alone. */
async function toldAfter(model: ScriptedModel, now?: () => Date): Promise<{ status: string; code: string }> {
  const world = await createContentWorld({ "a.md": ARTICLE });
  await world.run(ITEMS, model, { host: new AwayHost([]) });
  if (now) await world.run(ITEMS, new ScriptedModel([]), { now });
  const [sessionId = ""] = await sessionsOf(world);
  const left = { ...WORK, sources: [], sessions: [{ sessionId, isLeftAlone: true as const }] };
  const told = await world.run(left, new ScriptedModel([]), { stores: noOpening });
  return { status: told.status, code: told.items[0]?.reasonCode ?? "" };
}

test("a failed session that is only told says why it failed, as it was recorded", async () => {
  const late = () => new Date(Date.now() + 365 * 86_400_000);
  expect(await toldAfter(askingModel(), late)).toEqual({ status: "failed", code: "expired" });
  const silent = new ScriptedModel(() => "I would rather not.");
  expect(await toldAfter(silent)).toEqual({ status: "failed", code: "invalid-artifact" });
  const unreachable = new ScriptedModel([{ error: new LoopliaError("model-failed", "nobody is there") }]);
  expect(await toldAfter(unreachable)).toEqual({ status: "failed", code: "model-failed" });
});

test("other sessions of the work run by their id, once, or are told only", async () => {
  const { world, sessionId } = await waitingWorld();
  const left = { ...WORK, sources: [], sessions: [{ sessionId, isLeftAlone: true as const }] };
  const told = await world.run(left, new ScriptedModel([]), { stores: noOpening });
  expect(told.items.map(({ status, source }) => ({ status, source }))).toEqual([
    { status: "waiting", source: "a.md" },
  ]);
  const both = { ...ITEMS, sessions: [{ sessionId }] };
  const answered = await world.run(both, askingModel(), {
    host: new ScriptedHost([{ answer: { selectedOptionId: "1" }, actorId: "terminal:test" }]),
  });
  expect(answered.items.map(({ status }) => status)).toEqual(["completed"]);
  const model = kitModel();
  const forced = await world.run(
    { ...WORK, sources: [], sessions: [{ sessionId, force: ["ideas"] }] },
    model,
  );
  expect(forced.status).toBe("completed");
  expect(model.requests.map(dueOutputs)).toEqual([["ideas"], ["outline"]]);
});

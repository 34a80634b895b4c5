// What people do, and do not do, to content sessions: cancel, let expire, leave many questions open.
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Cancellation, Cancellations, MAX_OPEN_QUESTIONS } from "../../src/agent/session.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, askingModel, dueOutputs, kitModel } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const work = { kind: "items", workId: "writing-kit-abcdef", key: "k" } as const;
const ITEM = { ...work, sources: ["a.md"] };
const settings = { output: "ideas" };

describe("a session that a person cancels while it runs", () => {
  it("stops, closes its questions, and no later run goes on with it: the item begins a session of its own", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const cancellations = new Cancellations();
    const hanging = new ScriptedModel([{ hang: true }]);
    const running = world.run(ITEM, hanging, { settings, cancellations });
    while (hanging.requests.length === 0) await wait(10);
    cancellations.cancel(new Cancellation("not needed", "github:1:ann"));
    expect(await running).toMatchObject({ status: "stopped", reasonCode: "closed" });
    const [canceled = ""] = await sessionsOf(world);

    const model = kitModel();
    const next = await world.run(ITEM, model, { settings });
    expect(next).toMatchObject({ status: "completed" });
    expect(next.items[0]?.sessionId).not.toBe(canceled);
    expect(model.requests.map(dueOutputs)).toEqual([["summary"], ["ideas"]]);
    expect((await world.run(ITEM, new ScriptedModel([]), { settings })).reasonCode).toBe("up-to-date");

    const by = { kind: "session", sessionId: canceled } as const;
    await expect(world.run(by, new ScriptedModel([]), { settings })).rejects.toMatchObject({
      code: "closed",
    });
  });
});

describe("a question that expires", () => {
  it("fails its step with the reason `expired` in any later run, and the one after that starts over", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const host = new ScriptedHost([]);
    expect((await world.run(ITEM, askingModel(), { settings, host })).status).toBe("waiting");
    const now = () => new Date(Date.parse(host.asked[0]?.expiresAt ?? "") + 1);

    const interactionId = host.asked[0]?.interactionId ?? "";
    const late = {
      kind: "answer",
      interactionId,
      answer: { selectedOptionId: "calm" },
      actorId: "terminal:t",
    } as const;
    await expect(world.run(late, new ScriptedModel([]), { settings, now })).rejects.toThrow(/expired at/);

    const expired = await world.run(ITEM, new ScriptedModel([]), { settings, now });
    expect(expired).toMatchObject({ status: "failed", reasonCode: "expired" });
    expect(expired.items[0]?.steps[1]).toMatchObject({ output: "ideas", status: "failed" });
    expect((await world.run(ITEM, kitModel(), { settings, now })).status).toBe("completed");
  });
});

describe("a work with as many open questions as it may have", () => {
  it("starts no new item, and goes on when there is room", async () => {
    const sources = Array.from({ length: MAX_OPEN_QUESTIONS + 2 }, (_, at) => `c${at}.md`);
    const world = await createContentWorld(Object.fromEntries(sources.map((name) => [name, ARTICLE])));
    const items = { ...work, sources };
    const serial = { ...settings, concurrency: 1 };
    const first = await world.run(items, askingModel(), { settings: serial });
    expect(first.items.flatMap(({ interactions }) => interactions)).toHaveLength(MAX_OPEN_QUESTIONS);
    expect(first.items.slice(-2).map(({ status, message }) => [status, message])).toEqual([
      ["waiting", "not started: 10 questions of this work are open already"],
      ["waiting", "not started: 10 questions of this work are open already"],
    ]);
    expect(await sessionsOf(world)).toHaveLength(MAX_OPEN_QUESTIONS);

    const answers = sources.map(() => ({ answer: { selectedOptionId: "calm" }, actorId: "terminal:t" }));
    const all = await world.run(items, askingModel(), { settings: serial, host: new ScriptedHost(answers) });
    expect(all.status).toBe("completed");
  });

  it("has no more of them when items run side by side", async () => {
    const sources = Array.from({ length: 16 }, (_, at) => `c${at}.md`);
    const world = await createContentWorld(Object.fromEntries(sources.map((name) => [name, ARTICLE])));
    const result = await world.run({ ...work, sources }, askingModel(), {
      settings: { ...settings, concurrency: 8 },
    });
    const shortIds = result.items.flatMap(({ interactions }) => interactions.map(({ shortId }) => shortId));
    expect(shortIds).toHaveLength(MAX_OPEN_QUESTIONS);
    const ordinals = shortIds.map((id) => Number(/^q(\d+)-/.exec(id)?.[1])).sort((a, b) => a - b);
    expect(ordinals).toEqual(ordinals.map((_, at) => at + 1));
  });
});

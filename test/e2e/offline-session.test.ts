// Whole sessions with the offline model: the same loop, gate, stores and validation as with any other.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { artifactSchemas } from "../../src/content/artifact.ts";
import type { Model } from "../../src/core/ports.ts";
import { createOfflineModel } from "../../src/offline/model.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld } from "../fakes/content-world.ts";

const SOURCE = "content/swifts-of-harrow-street.md";
const ARTICLE = readFileSync(resolve(import.meta.dirname, "../../examples", SOURCE), "utf8");

function counting(model: Model): { model: Model; requests: () => number } {
  let requests = 0;
  const respond: Model["respond"] = (request, options) => {
    requests += 1;
    return model.respond(request, options);
  };
  return { model: { provider: model.provider, priceOf: () => 0, respond }, requests: () => requests };
}

/** Text of each artifact with the session's id left out: it is all that may differ between sessions. */
async function artifactsOf(world: ContentWorld, folder: string, sessionId: string): Promise<string[]> {
  const names = [...artifactSchemas.keys()];
  const texts = await Promise.all(names.map((name) => world.read(`${folder}/${name}`)));
  return texts.map((text) => text.replaceAll(sessionId, "<session>"));
}

test("a program and a main agent that lead end with the same bytes", async () => {
  const made: string[][] = [];
  for (const orchestration of ["program", "agent"] as const) {
    const world = await createContentWorld({ [SOURCE]: ARTICLE });
    const settings = { orchestration };
    const result = await world.run({ kind: "file", source: SOURCE }, createOfflineModel(), { settings });
    expect(result).toMatchObject({ status: "completed", reasonCode: "done" });
    const [item] = result.items;
    if (!item) throw new Error("there is no item");
    made.push(await artifactsOf(world, item.folder, item.sessionId));
    expect(world.events.filter((event) => event.type === "validation-failed")).toEqual([]);
    for (const [name, schema] of artifactSchemas) {
      expect(schema().safeParse(JSON.parse(await world.read(`${item.folder}/${name}`))).success).toBe(true);
    }
  }
  expect(made[1]).toEqual(made[0]);
});

test("a session that stopped after the summary goes on, and one that is done makes no request", async () => {
  const world = await createContentWorld({ [SOURCE]: ARTICLE });
  const { model, requests } = counting(createOfflineModel());
  const first = await world.run({ kind: "file", source: SOURCE }, model, { settings: { output: "summary" } });
  expect(first.items[0]?.steps.map((step) => step.output)).toEqual(["summary"]);
  const sessionId = first.items[0]?.sessionId ?? "";
  const before = requests();
  const second = await world.run({ kind: "session", sessionId }, model);
  expect(second.status).toBe("completed");
  expect(requests()).toBeGreaterThan(before);
  const done = requests();
  expect((await world.run({ kind: "session", sessionId }, model)).reasonCode).toBe("up-to-date");
  expect(requests()).toBe(done);
});

test("the demo asks once which hook comes first, and goes on from the answer in another process", async () => {
  const world = await createContentWorld({ [SOURCE]: ARTICLE });
  const later = new ScriptedHost(["later"]);
  const waiting = await world.run({ kind: "file", source: SOURCE }, createOfflineModel({ askInDemo: true }), {
    host: later,
  });
  expect(waiting.status).toBe("waiting");
  const [request] = later.asked;
  if (!request) throw new Error("nothing was asked");
  expect(request).toMatchObject({ kind: "Select", purpose: "choose_strategy" });
  const answer = { selectedOptionId: "hook-2" };
  const interactionId = request.interactionId;
  const result = await world.run(
    { kind: "answer", interactionId, answer, actorId: "terminal:test" },
    createOfflineModel({ askInDemo: true }),
    { host: new ScriptedHost([]) },
  );
  expect(result.status).toBe("completed");
  const [item] = result.items;
  const ideas = JSON.parse(await world.read(`${item?.folder}/ideas.json`));
  expect(request.options?.[1]?.label).toBe(ideas.hooks[0].text.slice(0, request.options?.[1]?.label.length));
});

test("an item that it cannot rehearse fails with the reason, and leaves no artifact", async () => {
  const world = await createContentWorld({ "content/short.md": "# Short\n\nThis is all of it.\n" });
  const result = await world.run({ kind: "file", source: "content/short.md" }, createOfflineModel());
  expect(result).toMatchObject({ status: "failed" });
  expect(result.items[0]?.steps[0]).toMatchObject({
    output: "summary",
    status: "failed",
    message: expect.stringContaining("Cannot rehearse: too short for"),
  });
  expect(result.items[0]?.artifacts.size).toBe(0);
});

test("a pipeline with artifacts of its own stops at the one that takes a model", async () => {
  const world = await createContentWorld({ [SOURCE]: ARTICLE });
  const settings = { pipeline: "social-posts" };
  const result = await world.run({ kind: "file", source: SOURCE }, createOfflineModel(), { settings });
  const steps = result.items[0]?.steps.map(({ output, status }) => [output, status]);
  expect(steps).toEqual([
    ["summary", "completed"],
    ["posts", "failed"],
  ]);
  expect(result.items[0]?.steps[1]?.message).toMatch(/Cannot rehearse: it can't make .+\.json/);
});

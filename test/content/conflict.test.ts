// A person pushed over an artifact while a run was at work: their version is kept, and what becomes of them is what was answered.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConflict } from "../../src/approval/request.ts";
import type { DomainEvent } from "../../src/core/events.ts";
import { openWorkStore } from "../../src/store/work.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import { ARTICLE, dueOutputs, kitModel } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const WORK = { workId: "writing-kit-abcdef", kind: "content", key: "k" } as const;
const ITEMS = { kind: "items", workId: WORK.workId, key: "k", sources: ["a.md"] } as const;
const AFTER_SUMMARY = [["ideas"], ["outline"]];

class AwayHost extends ScriptedHost {
  readonly answersLater = true;
}

async function happen(world: ContentWorld, sessionId: string, event: DomainEvent): Promise<void> {
  const folder = join(world.root, ".looplia/state", WORK.workId);
  const store = await openWorkStore({
    folder,
    header: { ...WORK, codeVersion: "test" },
    clock: fixedClock(),
  });
  const session = await store.session(sessionId);
  await session.append([event]);
  await store.close();
}

/** A session that is done, and whose summary somebody replaced by `theirs` in a conflict. */
async function conflictWorld(theirs: object = VALID) {
  const world = await createContentWorld({ "a.md": ARTICLE });
  expect((await world.run(ITEMS, kitModel())).status).toBe("completed");
  const [sessionId = ""] = await sessionsOf(world);
  const path = `.looplia/contentItem/${sessionId}/summary.json`;
  const ours = JSON.parse(await world.read(path));
  const text = JSON.stringify(theirs === VALID ? { ...ours, ...theirs } : theirs);
  await world.write(path, text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const origin = {
    workId: WORK.workId,
    sessionId,
    ordinal: 1,
    workingDirectory: ".",
    expiresAt: "2099-01-01",
  };
  const files = [{ path: `docs/${path}`, commit: "c0ffee", sha256 }];
  const request = createConflict(origin, files, { names: [], isGuess: false });
  await happen(world, sessionId, { store: "events", type: "UserInteractionRequested", payload: request });
  const { interactionId, taskId } = request;
  const answer = (selectedOptionId: string) =>
    happen(world, sessionId, {
      store: "events",
      type: "UserInteractionResponded",
      payload: { interactionId, taskId, authorActorId: "github:1:ada", selectedOptionId },
    });
  const goOn = async () => {
    const model = kitModel();
    const { status, reasonCode } = await world.run(ITEMS, model, { host: new AwayHost([]) });
    return {
      end: `${status} ${reasonCode}`,
      made: model.requests.map(dueOutputs),
      text: await world.read(path),
    };
  };
  return { world, text, answer, goOn };
}

/** With the rest of what was there. */
const VALID = { headline: "A headline of a person's own about the kettle" };

test("until somebody answers nothing of the session runs, though its artifact was changed", async () => {
  const { world } = await conflictWorld();
  const told = await world.run(ITEMS, new ScriptedModel([]), { host: new AwayHost([]) });
  expect(told).toMatchObject({ status: "waiting", reasonCode: "open-questions" });
});

test.each(["keep", "reject"])(
  "%s: theirs stay, and only what is made from them is made again, once",
  async (option) => {
    const { text, answer, goOn } = await conflictWorld();
    await answer(option);
    expect(await goOn()).toEqual({ end: "completed done", made: AFTER_SUMMARY, text });
    expect(await goOn()).toEqual({ end: "completed up-to-date", made: [], text });
  },
);

test("keep: an artifact that is not valid is left as it is, and the run says so", async () => {
  const { text, answer, goOn } = await conflictWorld({ headline: "too little" });
  await answer("keep");
  expect(await goOn()).toEqual({ end: "failed invalid-artifact", made: [], text });
});

test("keep: what somebody changes later is kept as well", async () => {
  const { world, answer, goOn, text } = await conflictWorld();
  await answer("keep");
  const [sessionId = ""] = await sessionsOf(world);
  const later = text.replace("own", "later");
  await world.write(`.looplia/contentItem/${sessionId}/summary.json`, later);
  expect(await goOn()).toMatchObject({ made: AFTER_SUMMARY, text: later });
});

test("redo: the step is done again, over theirs", async () => {
  const { text, answer, goOn } = await conflictWorld();
  await answer("redo");
  const ended = await goOn();
  expect(ended).toMatchObject({ end: "completed done", made: [["summary"], ...AFTER_SUMMARY] });
  expect(ended.text).not.toBe(text);
  expect((await goOn()).end).toBe("completed up-to-date");
});

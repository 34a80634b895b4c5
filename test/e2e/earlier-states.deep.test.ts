// Work that an earlier version left open is resumed: what was approved runs once, and each conversation goes on byte for
// byte. `test/fakes/record-states.ts` recorded the states.
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { ActionWorld } from "../fakes/action-world.ts";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import { bytesOf, type RecordedWork, restoreWork } from "../fakes/recorded-work.ts";
import { deliverHere, type RanHere } from "../fakes/run-here.ts";
import { createTasksWorld, questionOf as taskQuestionOf } from "../fakes/tasks-world.ts";

const STATES = join(import.meta.dirname, "../data/states");
const versions = await readdir(STATES);

/** `/approve` an hour after the question was asked. */
async function approve(world: ActionWorld, question: string, { recordedAt }: RecordedWork): Promise<RanHere> {
  const begun = performance.now();
  const at = Date.parse(recordedAt) + 3_600_000;
  const now = () => new Date(at + performance.now() - begun);
  const createdAt = now().toISOString();
  const comment = world.github.comments.say("maintainer", `/approve ${question}`, { createdAt });
  const clock = { now, elapsed: () => performance.now() };
  return deliverHere(world, comment, {
    clock,
    environment: { GITHUB_RUN_ID: "900" },
    inputs: { content: "" },
  });
}

/** The first request since then has the last one of before as its exact beginning, and the command's result after it. */
function expectResumed(requests: readonly { body: ApiBody }[], recorded: ApiBody | undefined): void {
  const resumed = requests[0]?.body;
  if (!resumed || !recorded) throw new Error("nobody asked the model");
  const { length } = recorded.messages;
  expect(bytesOf(resumed, length)).toBe(bytesOf(recorded));
  expect(resumed.messages.length).toBe(length + 2);
  expect(JSON.stringify(resumed.messages.at(-1))).toMatch(/tool_result.*Exit code 0/);
}

async function commandsRun(world: ActionWorld): Promise<number> {
  const refs = await world.repository.git("for-each-ref", "--format=%(refname)", "refs/heads/looplia");
  const files = await world.repository.git("ls-tree", "-r", "--name-only", refs.split("\n")[0] ?? "");
  return files.split("\n").filter((file) => file.startsWith("ran-")).length;
}

test.each(versions)("%s: a content work whose second step waits for an approval", async (version) => {
  const world = await createAskingWorld();
  onTestFinished(() => world.close());
  const recorded = await restoreWork(world, join(STATES, version), "content");
  const ran = await approve(world, questionOf(world), recorded);
  expect(ran.ended, ran.said).toBe("completed done");
  expectResumed(world.model.requests, recorded.request);
  expect(await commandsRun(world)).toBe(1);
  expect((await world.files()).filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(1);
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
});

test.each(versions)("%s: a task list whose second task waits for an approval", async (version) => {
  const world = await createTasksWorld({});
  onTestFinished(() => world.close());
  const recorded = await restoreWork(world, join(STATES, version), "tasks");
  expect(await world.states()).toBe("T1 done, T2 doing");
  const ran = await approve(world, taskQuestionOf(world), recorded);
  expect(ran.ended, ran.said).toBe("completed done");
  expectResumed(world.model.requests, recorded.request);
  expect(await commandsRun(world)).toBe(1);
  expect(await world.states()).toMatch(/^T1 done, T2 done/);
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
});

test.each(versions)("%s: a session on the command line that waits for an approval", async (version) => {
  const folder = join(STATES, version);
  const { recordedAt, sessionId, interactionId, request } = JSON.parse(
    await readFile(join(folder, "local.json"), "utf8"),
  );
  const api = await startMessagesApi(writeDue);
  onTestFinished(() => api.close());
  const world = await makeCliWorld();
  // Under `looplia`, for git ignores `.looplia/state`.
  for (const name of await readdir(join(folder, "local"))) {
    await cp(join(folder, "local", name), join(world.folder, name.replace(/^looplia$/, ".looplia")), {
      recursive: true,
    });
  }
  const ran = await world.run(["answer", interactionId, "approve", "--json"], {
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: api.url,
    CLOCK_AT: recordedAt,
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "../fakes/clock-at.mjs"))}`,
  });
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", sessionId });
  expectResumed(api.requests, request);
  expect(await readFile(join(world.folder, "ran"), "utf8")).toBe("ran\n");
  expect(api.faults).toEqual([]);
});

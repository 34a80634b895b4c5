// Work that an earlier version left open is resumed: what was approved runs once, and each conversation goes on byte for
// byte. `test/fakes/record-states.ts` recorded the states.
import { cp, mkdtemp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../src/core/ports.ts";
import { claimState } from "../../src/store/origin.ts";
import type { ActionWorld } from "../fakes/action-world.ts";
import { approve as approved, ScriptedHost } from "../fakes/agent-world.ts";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { createContentWorld } from "../fakes/content-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { dueOutputs, writeDue as writeDueHere } from "../fakes/kit-script.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import { bytesOf, countCheckpoints, type RecordedWork, restoreWork } from "../fakes/recorded-work.ts";
import { deliverHere, type RanHere, runHere } from "../fakes/run-here.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";
import { createTasksWorld, questionOf as taskQuestionOf, use } from "../fakes/tasks-world.ts";

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

/** The world's time goes on from an hour after the recording: nothing expires, however old the recording is. */
function clockOf(world: ActionWorld, { recordedAt }: RecordedWork): Clock {
  const ahead = Date.parse(recordedAt) + 3_600_000 - Date.now();
  world.github.comments.aheadSeconds = ahead / 1000;
  return { now: () => new Date(Date.now() + ahead), elapsed: () => performance.now() };
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
  await writeFile(join(world.folder, IGNORED[0]), IGNORED[1]);
  const home = await mkdtemp(join(tmpdir(), "looplia-home-"));
  await signHere(world.folder, join(home, "looplia"));
  const ran = await world.run(["answer", interactionId, "approve", "--json"], {
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: api.url,
    XDG_STATE_HOME: home,
    CLOCK_AT: recordedAt,
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "../fakes/clock-at.mjs"))}`,
  });
  expect(ran.code, ran.stderr).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ status: "completed", sessionId });
  expectResumed(api.requests, request);
  expect(await readFile(join(world.folder, "ran"), "utf8")).toBe("ran\n");
  expect(api.faults).toEqual([]);
});

/** As version 0.1 wrote it: approvals are bound to it as to each other file. */
const IGNORED = [".looplia/.gitignore", "state/\n"] as const;

/** The recorded state counts as made here. */
async function signHere(root: string, keyFolder: string): Promise<void> {
  const stateFolder = join(root, ".looplia/state");
  await rename(stateFolder, `${stateFolder}-recorded`);
  const { sign } = await claimState({ root, stateFolder, keyFolder, isTracked: async () => false });
  await sign();
  for (const name of await readdir(`${stateFolder}-recorded`))
    await rename(join(`${stateFolder}-recorded`, name), join(stateFolder, name));
}

/** The checkpoints before the last one, at which a runner of that version may have died. */
const EARLIER = { content: 3, tasks: 6 };

test.each(
  versions.flatMap((version) =>
    Array.from({ length: EARLIER.content }, (_, at) => [version, at + 1] as const),
  ),
)("%s: a content work whose runner died, checkpoints before the last: %i", async (version, back) => {
  const world = await createAskingWorld();
  onTestFinished(() => world.close());
  const recorded = await restoreWork(world, join(STATES, version), "content", back);
  expect(await countCheckpoints(world)).toBe(EARLIER.content + 1 - back);
  const clock = clockOf(world, recorded);
  const asked = await runHere(world, { clock, environment: { GITHUB_RUN_ID: "900" } });
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const said = world.say("maintainer", `/approve ${questionOf(world)}`);
  const ran = await deliverHere(world, said, { clock, environment: { GITHUB_RUN_ID: "901" } });
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await commandsRun(world)).toBe(1);
  expect((await world.files()).filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(1);
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
});

test.each(
  versions.flatMap((version) => Array.from({ length: EARLIER.tasks }, (_, at) => [version, at + 1] as const)),
)("%s: a task list whose runner died, checkpoints before the last: %i", async (version, back) => {
  const edit = use("editFile", { path: "T1.md", oldStr: "", newStr: "one\n" });
  const world = await createTasksWorld(
    {},
    {
      T1: (turn) => (turn === 1 ? edit : undefined),
      T2: (turn) => (turn === 1 ? use("runCommand", { command: "mktemp ran-XXXXXX" }) : undefined),
    },
  );
  onTestFinished(() => world.close());
  const recorded = await restoreWork(world, join(STATES, version), "tasks", back);
  expect(await countCheckpoints(world)).toBe(EARLIER.tasks + 1 - back);
  const clock = clockOf(world, recorded);
  let ran = await world.here({ clock, environment: { GITHUB_RUN_ID: "900" } });
  for (let run = 901; ran.ended === "waiting open-questions" && run < 904; run += 1) {
    const said = world.say("maintainer", `/approve ${taskQuestionOf(world)}`);
    ran = await deliverHere(world, said, {
      clock,
      inputs: { content: "" },
      environment: { GITHUB_RUN_ID: `${run}`, LOOPLIA_UPLOAD_AUDIT: "false" },
    });
  }
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await commandsRun(world)).toBe(1);
  expect(await world.file("T1.md")).toBe("one");
  expect(await world.states()).toMatch(/^T1 done, T2 done/);
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
});

test.each(versions)("%s: every prefix of a session on the command line", async (version) => {
  const from = join(STATES, version, "local");
  const { recordedAt, sessionId } = JSON.parse(await readFile(join(STATES, version, "local.json"), "utf8"));
  const paths = await readdir(from, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    paths
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return [
          relative(from, path).replace(/^looplia\//, ".looplia/"),
          await readFile(path, "utf8"),
        ] as const;
      }),
  );
  const isStore = (path: string) => /\/(events|conversation|audit)\/\d{6}\.jsonl$/.test(path);
  const linesOf = (text: string) => text.split(/(?<=\n)/).filter((line) => line !== "");
  const stored = files.flatMap(([path, text]) => (isStore(path) ? linesOf(text) : []));
  const all: { seq: number; type: string; payload: { conversationId: string; message: unknown } }[] =
    stored.map((line) => JSON.parse(line));
  const cut = (text: string, count: number) =>
    linesOf(text)
      .filter((line) => JSON.parse(line).seq <= count)
      .join("");
  for (let count = 1; count <= all.length; count += 1) {
    const place = `${count} of ${all.length} lines`;
    const kept = files.map(([path, text]): [string, string] => [
      path,
      isStore(path) ? cut(text, count) : text,
    ]);
    const world = await createContentWorld(
      Object.fromEntries([IGNORED, ...kept.filter(([, text]) => text !== "")]),
    );
    const model = new ScriptedModel((request) => {
      const isAsking = dueOutputs(request)[0] === "ideas" && request.messages.length === 1;
      return isAsking
        ? { content: [call("run", "runCommand", { command: "echo ran >> ran" })] }
        : writeDueHere(request);
    });
    const host = new ScriptedHost([approved()]);
    const now = () => new Date(Date.parse(recordedAt) + 3_600_000);
    const gate = { policy: [], approval: "risky", sandbox: "off", settingsFile: "looplia.yml" } as const;
    const ran = await world.run({ kind: "session", sessionId }, model, { host, now, settings: { gate } });
    expect(ran.status, `${place}: ${ran.items[0]?.message}`).toBe("completed");
    expect(await world.read("ran"), place).toBe("ran\n");
    for (const { conversationId, messages } of model.requests) {
      const known = all.filter(
        ({ seq, type, payload }) =>
          seq <= count && type === "Message" && payload.conversationId.endsWith(conversationId),
      );
      const before = messages.slice(0, known.length);
      expect(JSON.stringify(before), place).toBe(JSON.stringify(known.map(({ payload }) => payload.message)));
    }
  }
});

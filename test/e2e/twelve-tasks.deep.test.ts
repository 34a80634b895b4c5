// A run of twelve tasks against the strict scripted model server, over the command line and in the Action: the file, the
// log, the commits and who was asked are golden.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import { behave, createTasksWorld, orderOf, type TasksWorld } from "../fakes/tasks-world.ts";
import { blotTwelve, readTold, TWELVE, TWELVE_FILES, TWELVE_ORDER } from "../fakes/twelve-tasks.ts";

const GOLDEN_FILE = "golden/twelve-tasks.to-do.golden.json";
const GOLDEN_LOG = "golden/twelve-tasks.log.golden.json";

test("twelve tasks with dependencies, priorities, one blocked, one failing, one skipping, one with a wrong id", async () => {
  const api = await startMessagesApi((body) => behave(TWELVE, body));
  onTestFinished(() => api.close());
  const world = await makeCliWorld(TWELVE_FILES);
  const { code, stdout, stderr } = await world.run(["run", "--mode", "tasks", "--model", "claude-opus-4-8"], {
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: api.url,
  });
  api.assertDone();
  expect([code, stdout]).toEqual([4, ""]);
  expect(orderOf(api.requests)).toEqual(TWELVE_ORDER);
  // One prefix for all tasks: the provider's cache is shared by them.
  expect(new Set(api.requests.map(({ body }) => JSON.stringify([body.system, body.tools]))).size).toBe(1);
  const todo = await readFile(join(world.folder, "to-do.json"), "utf8");
  await expect(blotTwelve(todo)).toMatchFileSnapshot(GOLDEN_FILE);
  await expect(blotTwelve(stderr).replace(/ in \d[\w. ]*|\(\d+ms\)/g, "")).toMatchFileSnapshot(
    "golden/twelve-tasks.progress.golden.txt",
  );
  const state = join(world.folder, ".looplia/state");
  const work = (await readdir(state)).find((name) => name !== "origin") ?? "";
  const logs = await readdir(join(state, work, "logs"));
  const log = join(state, work, "logs", logs.find((name) => name.endsWith(".jsonl")) ?? "");
  await expect(await readTold(log)).toMatchFileSnapshot(GOLDEN_LOG);
  expect(logs.filter((name) => name.endsWith(".last.json"))).toHaveLength(12);
});

test("the same twelve in the Action: the same file and log, and a commit each with what it changed", async () => {
  const world = await createTasksWorld(TWELVE_FILES, TWELVE);
  onTestFinished(() => world.close());
  const ran = await world.start({
    inputs: { model: "claude-opus-4-8" },
    environment: { LOOPLIA_UPLOAD_AUDIT: "false" },
  });
  expect(ended(ran), said(ran)).toBe("stopped blocked-tasks");
  expect(world.model.faults).toEqual([]);
  world.github.assertValid();
  expect(orderOf(world.model.requests)).toEqual(TWELVE_ORDER);
  await expect(await commitsOf(world)).toMatchFileSnapshot("golden/twelve-tasks.commits.golden.txt");
  const todo = await world.repository.git(
    "cat-file",
    "blob",
    `refs/heads/${await world.branch()}:to-do.json`,
  );
  await expect(blotTwelve(`${todo}\n`)).toMatchFileSnapshot(GOLDEN_FILE);
  const logs = (await readdir(world.root, { recursive: true })).filter((path) =>
    /\/logs\/[^/]+\.jsonl$/.test(path),
  );
  expect(logs).toHaveLength(1);
  await expect(await readTold(join(world.root, logs[0] ?? ""))).toMatchFileSnapshot(GOLDEN_LOG);
});

/**
 * The branch's commits, oldest first: whole messages, and the paths that changed since the one before. When work in
 * progress is saved is a matter of time, so those commits are part of the next task's.
 */
async function commitsOf(world: TasksWorld): Promise<string> {
  const { git } = world.repository;
  const branch = `refs/heads/${await world.branch()}`;
  const base = await git("merge-base", "main", branch);
  const log = await git("log", "--reverse", "--first-parent", "--format=%H%n%B%x00", `${base}..${branch}`);
  const commits = log.split("\0").map((entry) => entry.trim().split("\n"));
  let last = base;
  const told: string[] = [];
  for (const [commit = "", ...message] of commits) {
    if (commit === "" || /^chore: (?:begin|save)/.test(message[0] ?? "")) continue;
    const paths = await git("diff", "--name-status", "--no-renames", last, commit);
    told.push(`${blotTwelve(message.join("\n"))}\n\n${paths}\n`);
    last = commit;
  }
  // Nothing is left over for a commit of its own.
  expect(await git("diff", "--name-status", last, branch)).toBe("");
  return told.join("----\n");
}

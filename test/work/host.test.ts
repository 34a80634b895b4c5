// What the host makes of a task that ended, with real git.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TodoEnd } from "../../src/core/ports.ts";
import { foldWork } from "../../src/core/work-state.ts";
import { createPullRequestHost } from "../../src/work/host.ts";
import { startGitServer } from "../fakes/git-http.ts";
import { BRANCH, openRun, SESSION, STATE } from "../fakes/state-run.ts";

/** A run that has the work, and the host that its tasks are told to. */
async function openHost() {
  const root = await mkdtemp(join(tmpdir(), "looplia-host-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const server = await startGitServer({
    ...{ root: join(root, "served"), repository: "owner/repo", token: "ghs_canaryTokenCanaryToken" },
    files: { "to-do.json": "{}\n" },
  });
  onTestFinished(() => server.close());
  const run = await openRun(root, { name: "1.1", remote: server.url, token: "ghs_canaryTokenCanaryToken" });
  onTestFinished(() => run.store.close());
  await run.claim();
  const worktree = await run.state.openWorktree();
  const host = createPullRequestHost({
    work: {
      checkpoint: async (message) => {
        await run.state.checkpoint(message);
      },
      stateRef: run.state,
      state: foldWork([]),
      sessions: async () => [],
    },
    ...{ worktree, folder: "", isRehearsal: false, run: "1.1", redact: async (text) => text },
    mayDecide: async () => true,
    hearRevocations: async () => undefined,
    whenAsked: () => undefined,
    whenEnded: () => undefined,
  });
  return { server, run, worktree, host };
}

const TASK = { sessionId: SESSION, folder: "", title: "Say", outputs: ["T1"] };

test("a to-do task has a commit of its own, however it ended and though its change was saved before", async () => {
  const { server, run, worktree, host } = await openHost();
  const labels: TodoEnd["label"][] = ["done", "blocked", "skipped", "todo"];
  for (const label of labels) {
    await writeFile(join(worktree.root, "to-do.json"), `{"is": "${label}"}\n`);
    await run.state.checkpoint("chore: save a finished task");
    const todo = { label, tags: [], said: "" };
    const status = label === "done" ? "completed" : "failed";
    await host.taskEnded({ ...TASK, status, todo });
  }
  await run.state.checkpoint("chore: save the last");
  const log = await server.git("log", "--reverse", "--format=%s", `main..refs/heads/${BRANCH}`);
  expect(log.split("\n").filter((subject) => !/^chore: (?:begin|save)/.test(subject))).toEqual([
    "chore: Say",
    "chore: note that T1 is blocked",
    "chore: leave T1 for later",
    "chore: put T1 back",
  ]);
});

test("a checkpoint that comes while a task ends has its commit and how it ended, or neither: a runner may die after it", async () => {
  const { server, run, worktree, host } = await openHost();
  await writeFile(join(worktree.root, "to-do.json"), `{"is": "done"}\n`);
  const session = await run.store.session(SESSION);
  let saved: Promise<unknown> = Promise.resolve();
  await host.together?.(async () => {
    await host.taskEnded({ ...TASK, status: "completed", todo: { label: "done", tags: [], said: "" } });
    saved = run.state.checkpoint("chore: save work in progress");
    await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, 500))]);
    await session.append([{ store: "events", type: "TaskCompleted", payload: { taskId: "T1" } }]);
  });
  await saved;
  await session.close();
  const found: boolean[][] = [];
  for (const commit of (await server.git("rev-list", "--reverse", STATE)).split("\n")) {
    const [work = ""] =
      /^Work: (.*)$/m.exec(await server.git("log", "-1", "--format=%B", commit))?.slice(1) ?? [];
    const paths = (await server.git("ls-tree", "-r", "--name-only", commit)).split("\n");
    const texts = paths
      .filter((path) => path.includes("/events/"))
      .map((path) => server.git("show", `${commit}:${path}`));
    const isCommitted = (await server.git("log", "--format=%B", work)).includes("Looplia-Task: T1");
    found.push([isCommitted, (await Promise.all(texts)).join("").includes("TaskCompleted")]);
  }
  expect(found).toEqual([
    [false, false],
    [true, true],
  ]);
});

// What the host makes of a task that ended, with real git.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPullRequestHost } from "../../../src/entrypoints/wake/host.ts";
import type { TodoEnd } from "../../../src/ports.ts";
import { foldWork } from "../../../src/session/work-events.ts";
import { startGitServer } from "../../fakes/git-http.ts";
import { BRANCH, openRun, SESSION } from "../../fakes/state-run.ts";

test("a to-do task has a commit of its own, however it ended and though its change was saved before", async () => {
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
    },
    ...{ worktree, folder: "", isRehearsal: false, run: "1.1", redact: (text) => text },
    mayDecide: async () => true,
    whenAsked: () => undefined,
    whenEnded: () => undefined,
  });
  const labels: TodoEnd["label"][] = ["done", "blocked", "skipped", "todo"];
  for (const label of labels) {
    await writeFile(join(worktree.root, "to-do.json"), `{"is": "${label}"}\n`);
    await run.state.checkpoint("chore: save a finished task");
    const todo = { label, tags: [], said: "" };
    const status = label === "done" ? "completed" : "failed";
    await host.taskEnded({ sessionId: SESSION, folder: "", title: "Say", outputs: ["T1"], status, todo });
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

// At most eight status edits a run (issue 3, "Comments"), however long it is, and the last one always.
import { expect, test } from "vitest";
import { applyWorkEvent, foldWork } from "../../src/core/work-state.ts";
import { createGithubDiscussion } from "../../src/github/discussion.ts";
import { projectStatus } from "../../src/work/project.ts";
import { StatusEdits } from "../../src/work/run.ts";
import { startGithubServer } from "../fakes/github-server.ts";
import fc from "../fakes/properties.ts";
import { waitingWork } from "../publish/works.ts";

const MOST = 8;
const PATCH = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";

test("a run of twenty steps: at most eight edits, spread over it, and the last says how it ended", async () => {
  const github = await startGithubServer({ repository: "o/r", token: "t", git: async () => "" });
  github.profile.numbers.add(7);
  let minutes = 0;
  const clock = { now: () => new Date(60_000 * minutes), elapsed: () => 60_000 * minutes };
  const run = {
    discussion: createGithubDiscussion({ apiUrl: github.apiUrl, repository: "o/r", token: "t", secondMs: 1 }),
    facts: { runNumber: "45", serverUrl: "https://github.com", repository: "o/r", runId: "11" } as never,
    clock,
    statusEdits: new StatusEdits(clock),
  };
  const state = foldWork([]);
  const work = {
    workId: waitingWork.workId,
    state,
    stateRef: { branchTip: undefined } as never,
    openedTip: undefined,
    note: async (...events: Parameters<typeof applyWorkEvent>[1][]) => {
      for (const event of events) applyWorkEvent(state, event);
    },
  };
  const pullRequest = { number: 7 } as never;
  const { report } = waitingWork;
  const shownAt: number[] = [];
  for (let step = 0; step < 20; step += 1, minutes += 0.5) {
    const before = github.requests.length;
    await projectStatus(run, work, pullRequest, { report, runningSince: "2026-12-01T09:00:00Z" });
    if (github.requests.length > before) shownAt.push(minutes);
  }
  const done = { ...report, status: "completed", reasonCode: "done", questions: [] } as const;
  await projectStatus(run, work, pullRequest, { report: done });
  const [comment, ...others] = github.comments.all;
  expect(others).toEqual([]);
  expect(comment?.body).toMatch(/^## looplia: completed/m);
  expect(shownAt).toEqual([0, 0.5, 1.5, 4.5]);
  expect(github.countByKind()[PATCH]).toBe(shownAt.length);
  expect(shownAt.length + 1).toBeLessThanOrEqual(MOST);
  github.assertValid();
  await github.close();
});

test("however steps and rounds follow each other: seven edits by the run and one by post, each round's end among them", () => {
  const wish = fc.record({ isEnd: fc.boolean(), waitMs: fc.nat(200_000) });
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 60 }), (wishes) => {
      let now = 0;
      const edits = new StatusEdits({ elapsed: () => now });
      let used = 0;
      for (const { isEnd, waitMs } of wishes) {
        now += waitMs;
        // A round begins only while its end could still be shown.
        if (!edits.isLeft) break;
        const isShown = edits.take({ isRunning: !isEnd });
        if (isEnd) expect(isShown).toBe(true);
        if (isShown) used += 1;
      }
      expect(used).toBeLessThanOrEqual(MOST - 1);
    }),
  );
});

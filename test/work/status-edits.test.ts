// At most eight status edits a run (issue 3, "Comments"), however long it is, and the last one always.
import { expect, test } from "vitest";
import { applyWorkEvent, foldWork } from "../../src/core/work-state.ts";
import { createGithubDiscussion } from "../../src/github/discussion.ts";
import { projectStatus } from "../../src/work/project.ts";
import { StatusEdits } from "../../src/work/run.ts";
import { type GithubServer, startGithubServer } from "../fakes/github-server.ts";
import fc from "../fakes/properties.ts";
import { waitingWork } from "../publish/works.ts";

const MOST = 8;
const PATCH = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";

const { report } = waitingWork;

/** A run with a pull request, whose status is shown after each of `steps` steps; `minutes` says where time is. */
async function ticking(
  steps: number,
  minutesPerStep: number,
  before: (github: GithubServer) => void = () => {},
) {
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
    ...{ stateRef: { branchTip: undefined } as never, openedTip: undefined },
    note: async (...events: Parameters<typeof applyWorkEvent>[1][]) => {
      for (const event of events) applyWorkEvent(state, event);
    },
  };
  const pullRequest = { number: 7 } as never;
  const shownAt: number[] = [];
  let failures = 0;
  for (let step = 0; step < steps; step += 1, minutes += minutesPerStep) {
    if (step === 1) before(github);
    const count = github.requests.length;
    const telling = { report, runningSince: "2026-12-01T09:00:00Z" };
    // As in a run: what could not be shown is shown later.
    await projectStatus(run, work, pullRequest, telling).catch(() => {
      failures += 1;
    });
    if (github.requests.length > count) shownAt.push(minutes);
  }
  const done = { ...report, status: "completed", reasonCode: "done", questions: [] } as const;
  await projectStatus(run, work, pullRequest, { report: done });
  const [comment, ...others] = github.comments.all;
  expect(others).toEqual([]);
  expect(comment?.body).toMatch(/^## looplia: completed/m);
  expect(shownAt.length + 1).toBeLessThanOrEqual(MOST);
  github.assertValid();
  await github.close();
  return { shownAt, failures, edits: github.countByKind()[PATCH] };
}

test("a run of twenty steps: at most eight edits, spread over it, and the last says how it ended", async () => {
  const { shownAt, edits } = await ticking(20, 0.5);
  expect(shownAt).toEqual([0, 0.5, 1.5, 4.5]);
  expect(edits).toBe(shownAt.length);
});

test("200 steps in a minute take two edits; where GitHub's secondary limit refuses one, the next shows everything", async () => {
  expect(await ticking(200, 1 / 200)).toMatchObject({ failures: 0, edits: 2 });
  const { failures, shownAt } = await ticking(200, 1 / 200, ({ profile }) => {
    profile.secondaryLimit.left = 3;
  });
  expect(failures).toBe(1);
  expect(shownAt).toHaveLength(2);
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

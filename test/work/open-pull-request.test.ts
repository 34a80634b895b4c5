// A question needs a pull request: where GitHub opens none, the run must not end as if people could see it.
import { expect, test } from "vitest";
import { openPullRequest } from "../../src/work/project.ts";
import type { WakeRun, WorkInHand } from "../../src/work/run.ts";
import { question, waitingWork } from "../publish/works.ts";

function open(questions: object[]): Promise<void> {
  const run = {
    work: { workId: "writing-kit-abc123", branch: "looplia/writing-kit-abc123" },
    facts: { serverUrl: "https://github.com", repository: "o/r" },
    found: { base: "main", folder: "", settings: { minApprovals: 1 } },
    host: { openPullRequest: async () => undefined },
  };
  const work = {
    questions: async () => questions,
    state: { requestComments: new Map() },
  };
  return openPullRequest(run as unknown as WakeRun, work as unknown as WorkInHand, waitingWork.report);
}

test("GitHub sees no commits on the branch: with an open question the run fails, with none it goes on", async () => {
  const { interactionId, shortId, sessionId, title } = question;
  const asked = { request: { interactionId, shortId, display: { title } }, sessionId, approvals: [] };
  await expect(open([asked])).rejects.toMatchObject({
    code: "host-failed",
    hint: expect.stringContaining("run again"),
  });
  await open([]);
});

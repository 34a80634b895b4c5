// A work whose one item waits for an answer.
import type { OpenQuestion, ReportItem } from "../../src/publish/report.ts";
import type { WorkReport } from "../../src/publish/status-comment.ts";

export const item: ReportItem = {
  source: "content/tides.md",
  sessionId: "how-tides-work-2026-12-01-0a1b2c",
  title: "How tides work",
  status: "waiting",
  reasonCode: "open-questions",
  folder: ".looplia/contentItem/how-tides-work-2026-12-01-0a1b2c",
  output: "writing-kit",
  artifacts: new Map(),
  steps: [
    { output: "summary", status: "completed" },
    { output: "ideas", status: "in_progress" },
    { output: "outline", status: "pending" },
  ],
  usage: { inputTokens: 9_200, outputTokens: 345, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: 0.0421,
};
export const question: OpenQuestion = {
  interactionId: "how-tides-work-2026-12-01-0a1b2c.q2-b18f6d",
  shortId: "q2-b18f6d",
  sessionId: item.sessionId,
  title: "Which angle shall the text take?",
  commentUrl: "https://github.com/o/r/pull/7#issuecomment-101",
  expiresAt: "2026-12-08T09:00:00.000Z",
};

export const waitingWork: WorkReport = {
  workId: "writing-kit-abc123",
  run: { number: "45", url: "https://github.com/o/r/actions/runs/11" },
  at: "2026-12-01T09:00:05Z",
  report: {
    status: "waiting",
    reasonCode: "open-questions",
    pipeline: "writing-kit",
    isRehearsal: false,
    items: [item],
    questions: [question],
    pullRequest: { number: 7, url: "https://github.com/o/r/pull/7" },
    artifactUrl: "https://github.com/o/r/actions/runs/11/artifacts/2",
  },
};

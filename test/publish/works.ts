// A work whose one item is waiting for an answer.
import type { Result, TaskResult } from "../../src/core/result.ts";
import type { OpenQuestion } from "../../src/publish/report.ts";
import type { WorkReport } from "../../src/publish/status.ts";

export const item: Result = {
  source: "content/tides.md",
  sessionId: "how-tides-work-2026-12-01-0a1b2c",
  title: "How tides work",
  status: "waiting",
  reasonCode: "open-questions",
  folder: ".looplia/contentItem/how-tides-work-2026-12-01-0a1b2c",
  output: "writing-kit",
  pipeline: "writing-kit",
  finalOutput: "writing-kit",
  interactions: [],
  artifacts: new Map(),
  steps: [
    { output: "summary", status: "completed", reason: "" },
    { output: "ideas", status: "in_progress", reason: "" },
    { output: "outline", status: "pending", reason: "" },
  ],
  usage: { inputTokens: 9_200, outputTokens: 345, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: 0.0421,
};
export const question: OpenQuestion = {
  interactionId: "how-tides-work-2026-12-01-0a1b2c.q2-b18f6d",
  shortId: "q2-b18f6d",
  sessionId: item.sessionId,
  title: "Which angle should the text take?",
  commentUrl: "https://github.com/o/r/pull/7#issuecomment-101",
  expiresAt: "2026-12-08T09:00:00.000Z",
};

/** A release checklist whose second task waits for an approval. */
const tasks: TaskResult[] = [
  {
    id: "T1",
    title: "Check that there is something to release",
    status: "done",
    message: "$ cat VERSION\n  Exit code 0.\n  1.4.2\nApproved by octocat: q1-9c1e57",
    costUsd: 0,
  },
  { id: "T2", title: "Raise the version", status: "doing", costUsd: 0 },
  { id: "T3", title: "Write the release notes", status: "todo", costUsd: 0 },
  {
    id: "T4",
    title: "Thank the contributors",
    status: "blocked",
    message: "The list of contributors is not in the repository.",
    costUsd: 0.0421,
  },
];

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

export const waitingTasks: WorkReport = {
  ...waitingWork,
  workId: "tasks-0a1b2c",
  report: {
    ...waitingWork.report,
    pipeline: "tasks",
    items: [{ ...item, source: "to-do.json", title: "Release checklist", folder: "", steps: [], tasks }],
    questions: [{ ...question, shortId: "q2-4d2aa0", title: "Run (at most 600 s): mv VERSION.next VERSION" }],
  },
};

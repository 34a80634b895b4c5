// Where the safety code is, and which tests guard each part of it. All paths of the mutants stand here.

/** `tests`: folders and files that are run one group after another, until one notices the change. */
export type Area = { sources: string[]; tests: string[][] };

const AGENT = [
  "test/agent/gate.test.ts",
  "test/agent/doubt.test.ts",
  "test/agent/hostile-model.test.ts",
  "test/agent/loop.test.ts",
  "test/agent/attempt.test.ts",
  "test/agent/kept.test.ts",
];
const APPROVAL = ["test/approval"];
const TRIGGER = [
  "test/work/event.test.ts",
  "test/work/select-items.test.ts",
  "test/work/standing-of-who-may.test.ts",
  "test/work/respond.test.ts",
  "test/work/starters.test.ts",
  "test/work/letter.test.ts",
  "test/approval/judge.test.ts",
];
/** Starts many runs, so it comes last. */
const WHO_MAY = ["test/work/who-may.deep.test.ts"];
const SESSION = ["test/core", "test/agent/messages.test.ts"];
const WORK = [
  "test/work/standing.test.ts",
  "test/work/inbox.test.ts",
  "test/work/own-comments.test.ts",
  "test/work/starters.test.ts",
  "test/work/claim.test.ts",
  "test/work/base-edits.test.ts",
];
const QUESTIONS = ["test/agent/people.test.ts", "test/agent/suspend.test.ts"];

export const AREAS: readonly Area[] = [
  {
    sources: ["src/approval/*.ts"],
    tests: [APPROVAL, TRIGGER, AGENT, QUESTIONS, WHO_MAY],
  },
  {
    sources: ["src/core/json.ts"],
    tests: [APPROVAL, SESSION, ["test/files/workspace-paths.test.ts"]],
  },
  {
    sources: ["src/core/{state,conversation,redaction}.ts"],
    tests: [SESSION, APPROVAL, TRIGGER, AGENT, QUESTIONS, WHO_MAY],
  },
  {
    sources: ["src/entry/redact.ts"],
    tests: [
      ["test/entry/unknown-keys.test.ts", "test/entry/known-keys.test.ts", "test/work/own-comments.test.ts"],
    ],
  },
  {
    sources: ["src/core/{work-state,answer-fate}.ts"],
    tests: [SESSION, WORK, APPROVAL, QUESTIONS],
  },
  {
    sources: ["src/core/interaction.ts"],
    tests: [APPROVAL, SESSION, ["test/sandbox/network.test.ts"]],
  },
  {
    sources: ["src/work/trigger.ts"],
    tests: [TRIGGER, WHO_MAY],
  },
  {
    sources: ["src/agent/call.ts"],
    tests: [AGENT, QUESTIONS],
  },
];

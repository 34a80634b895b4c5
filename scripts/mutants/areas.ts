// Where the safety code is, and which tests guard each part of it. All paths of the mutants stand here.

/** `tests`: folders and files that are run one group after another, until one notices the change. */
export type Area = { sources: string[]; tests: string[][] };

const AGENT = ["test/agent/gate.test.ts", "test/agent/doubt.test.ts", "test/agent/hostile-model.test.ts"];
const APPROVAL = ["test/approval"];
const TRIGGER = ["test/trigger"];
const SESSION = ["test/session", "test/agent/messages.test.ts"];
const QUESTIONS = ["test/agent/people.test.ts", "test/agent/suspend.test.ts"];

export const AREAS: readonly Area[] = [
  {
    sources: ["src/approval/*.ts"],
    tests: [APPROVAL, TRIGGER, AGENT, QUESTIONS],
  },
  {
    sources: ["src/session/fold-name.ts"],
    tests: [APPROVAL, ["test/adapters/workspace-paths.test.ts"]],
  },
  {
    sources: ["src/session/{fold-state,state,conversation,conflict,redaction,redact-line,void-approval}.ts"],
    tests: [SESSION, APPROVAL, TRIGGER, AGENT, QUESTIONS],
  },
  {
    sources: ["src/trigger/{respond,who-may}.ts"],
    tests: [TRIGGER],
  },
  {
    sources: ["src/agent/decide.ts"],
    tests: [AGENT, QUESTIONS],
  },
];

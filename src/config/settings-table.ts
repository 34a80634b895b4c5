// The one table of settings. Inputs, flags, environment names, the JSON Schema of looplia.yml and the README's tables
// are made from it (scripts/generate.ts).
import { policyProblem } from "./policy.ts";

// What a row of the table of settings is.

export type SettingType =
  | { kind: "string"; pattern?: RegExp; form?: string }
  /** Below the folder that is worked in; kept in its plain form, so that one file has one name. */
  | { kind: "path" }
  /** `problemOf` says what is wrong with an entry. */
  | { kind: "list"; problemOf?: (entry: string) => string | undefined }
  | { kind: "enum"; values: readonly string[] }
  /** `above` is exclusive. */
  | { kind: "int" | "number"; minimum?: number; above?: number; maximum?: number }
  | { kind: "boolean" };

export type SettingDefinition = {
  name: string;
  /** An input of the Action as well; the others are flags, variables and keys of looplia.yml only. */
  isInput?: true;
  type: SettingType;
  default?: string | number | boolean;
  /** The default in words, where the program has none of its own. */
  defaultText?: string;
  description: string;
  /** Never accepted from looplia.yml, never shown in a diagnostic. */
  isSecret?: true;
  /** Cannot stand in looplia.yml: it says where that is, or where a key is sent to. */
  outsideFile?: true;
  /** A variable that is read below `LOOPLIA_<NAME>`. */
  usualName?: string;
};

// Settings about people, isolation and the stored state: rows of the one table in settings-table.ts.

const approvalSettings = [
  {
    name: "setup",
    type: { kind: "list" },
    description:
      "Commands that make a fresh worktree usable, one a line, isolated like any command; `network: npm ci` gives that one the network.",
  },
  {
    name: "approval",
    isInput: true,
    type: { kind: "enum", values: ["risky", "all", "none"] },
    default: "risky",
    description:
      "Which calls need a person where no rule of `policy` says otherwise. What is dangerous is asked under each of them.",
  },
  {
    name: "policy",
    isInput: true,
    type: { kind: "list", problemOf: policyProblem },
    description:
      "Rules, one a line: `deny`, `ask` or `allow`, a tool, and for `editFile` a glob of paths or for `runCommand` the words that a command begins with, for example `allow runCommand npm test`. deny beats ask beats allow.",
  },
  {
    name: "approvers",
    isInput: true,
    type: { kind: "list" },
    defaultText: "who has write access",
    description:
      "Logins of those who may decide, one a line; `@org/team` needs a token that can read teams. Each needs write access as well.",
  },
  {
    name: "min-approvals",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 20 },
    default: 1,
    description: "How many different people must approve a risky call; one rejection ends it.",
  },
  {
    name: "self-approval",
    isInput: true,
    type: { kind: "boolean" },
    default: true,
    description:
      "Whether whoever led to a question may answer it: who started the work or the run that asks, or left the agent a message. With `false` nobody may where GitHub does not say who that was.",
  },
  {
    name: "allowed-bots",
    type: { kind: "list" },
    defaultText: "none",
    description: "Apps whose commands count, one a line as `slug:numeric-id`.",
  },
  {
    name: "answer-ttl-hours",
    isInput: true,
    type: { kind: "number", above: 0, maximum: 8760 },
    default: 168,
    description: "A question expires after this many hours without an answer.",
  },
  {
    name: "sandbox",
    isInput: true,
    type: { kind: "enum", values: ["auto", "required", "off"] },
    default: "auto",
    description:
      "Isolation of commands by bubblewrap. `auto`: where there is none every command needs a person; `required`: then nothing runs; `off`: commands run as this process can.",
  },
  {
    name: "network",
    isInput: true,
    type: { kind: "boolean" },
    default: false,
    description: "Whether isolated commands may reach the network.",
  },
  {
    name: "state-ref-prefix",
    type: {
      kind: "string",
      pattern: /^refs\/(?:[A-Za-z0-9][A-Za-z0-9_-]*\/)+$/,
      form: "the beginning of a ref, for example refs/looplia-state/",
    },
    default: "refs/looplia-state/",
    description:
      "Where the state of works is kept in the repository; `refs/heads/looplia-state/` where other refs are refused.",
  },
  {
    name: "state-key",
    isInput: true,
    type: { kind: "string" },
    isSecret: true,
    description: "Encrypts what models and tools said in the stored state (AES-256-GCM).",
  },
] as const satisfies readonly SettingDefinition[];

// Settings about the task loop: rows of the one table in settings-table.ts.

const AGENT = {
  kind: "string",
  pattern: /^[a-z][a-z0-9-]{0,39}$/,
  form: "the name of an agent or provider: small letters, digits and dashes",
} as const;

const taskSettings = [
  {
    name: "todo",
    isInput: true,
    type: { kind: "path" },
    default: "to-do.json",
    description: "The task list.",
  },
  {
    name: "task",
    type: { kind: "string" },
    defaultText: "all",
    description: "Only the task of this id.",
  },
  {
    name: "source-files",
    type: { kind: "list" },
    defaultText: "README.md, docs/**/*.md",
    description: "Globs of documents that a first task list is made from, one a line.",
  },
  {
    name: "schedule",
    type: AGENT,
    defaultText: "the first agent",
    description:
      "Which agent runs iteration n of the session: one name, `odd-even` (the first two of `agents` in turn) or `round-robin` (all of them in turn; a name twice has two turns).",
  },
  {
    name: "agents",
    type: { kind: "list" },
    defaultText: "the provider alone",
    description:
      "Agents of the task loop, one a line: a name, then what it has of its own, for example `careful provider=anthropic model=claude-opus-4-8 max-turns=80 timeout-minutes=20`. A name alone is a provider, or another turn of an agent.",
  },
  {
    name: "review-agent",
    type: AGENT,
    defaultText: "whose turn it is",
    description: "The agent that looks once more when every task is done.",
  },
  {
    name: "repair-agent",
    type: AGENT,
    defaultText: "whose turn it is",
    description: "The agent that mends a task list that breaks its schema.",
  },
  {
    name: "apply-summary",
    type: { kind: "boolean" },
    default: true,
    description: "Write the files and blockers of a summary into the task list; its state is written always.",
  },
  {
    name: "hook",
    type: { kind: "string" },
    description:
      "A program to call after each task: `<hook> <task_id> <status> <last_message_path> <label>`, without a shell, without secrets, for at most 30 seconds.",
  },
  {
    name: "max-iterations",
    type: { kind: "int", minimum: 1, maximum: 10_000 },
    default: 50,
    description: "Tasks in a run.",
  },
  {
    name: "log-dir",
    type: { kind: "string" },
    defaultText: "in the folder of the state",
    description: "Where logs go: `<log-dir>/<project>-<hash>/`.",
  },
] as const satisfies readonly SettingDefinition[];

const NAME = {
  kind: "string",
  pattern: /^[a-z0-9][a-z0-9-]{0,63}$/,
  form: "small letters, digits and dashes",
} as const;

const settingsTable = [
  {
    name: "mode",
    isInput: true,
    type: { kind: "enum", values: ["auto", "content", "tasks", "respond"] },
    default: "auto",
    description:
      "What to do: `content` works on content items, `tasks` through the task list, `respond` acts on the comments of pull requests; `auto` is `respond` for a comment or a `looplia-answer` dispatch, else `content` where that is set, else `tasks`.",
  },
  {
    name: "content",
    isInput: true,
    type: { kind: "list" },
    description: "Globs of content items, one a line.",
  },
  ...taskSettings,
  {
    name: "session-id",
    isInput: true,
    type: {
      kind: "string",
      pattern: /^[a-z0-9][a-z0-9-]{0,80}$/,
      form: "the id of a session: small letters, digits and dashes",
    },
    description: "Continue this session.",
  },
  {
    name: "pipeline",
    isInput: true,
    type: NAME,
    default: "writing-kit",
    description: "The pipeline that every item goes through.",
  },
  {
    name: "output",
    type: NAME,
    defaultText: "the final one",
    description: "Stop once this output of the pipeline is done.",
  },
  { name: "force", type: NAME, description: "Run this output again, even if nothing changed." },
  {
    name: "provider",
    isInput: true,
    type: { kind: "enum", values: ["auto", "anthropic", "offline"] },
    default: "auto",
    description:
      "Where turns come from. `auto` is `anthropic` if its key is set; without a key the command line takes `offline` (an extractive rehearsal, no language model) and the Action fails.",
  },
  {
    name: "model",
    isInput: true,
    type: { kind: "string" },
    defaultText: "per provider",
    description: "The model, as the provider names it.",
  },
  {
    name: "fallback-model",
    type: { kind: "string" },
    description: "The model to go on with when the first is overloaded or gone.",
  },
  {
    name: "orchestration",
    type: { kind: "enum", values: ["program", "agent"] },
    default: "program",
    description: "Who leads a pipeline: the program, or a main agent that delegates each step.",
  },
  {
    name: "max-cost-usd",
    isInput: true,
    type: { kind: "number", above: 0 },
    description: "Stop at this many US dollars, counted over a session with its pauses.",
  },
  {
    name: "max-turns",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 10_000 },
    default: 50,
    description: "Turns in a task.",
  },
  {
    name: "max-tokens",
    type: { kind: "int", minimum: 1, maximum: 1_000_000_000_000 },
    description: "Stop at this many tokens, counted over a session with its pauses.",
  },
  {
    name: "timeout-minutes",
    isInput: true,
    type: { kind: "number", above: 0, maximum: 7200 },
    default: 300,
    description: "Save and stop before this many minutes have passed.",
  },
  {
    name: "concurrency",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 64 },
    default: 4,
    description: "Content items at once.",
  },
  ...approvalSettings,
  {
    name: "branch-prefix",
    type: {
      kind: "string",
      pattern: /^(?!.*\.lock(?:\/|$))[A-Za-z0-9]+(?:[._/-][A-Za-z0-9]+)*[/_-]?$/,
      form: "the beginning of a branch name, for example looplia/",
    },
    default: "looplia/",
    description: "How the names of work branches begin.",
  },
  {
    name: "upload-audit",
    type: { kind: "boolean" },
    default: true,
    description: "Upload state and audit log as a workflow artifact.",
  },
  {
    name: "retention-days",
    type: { kind: "int", minimum: 1, maximum: 400 },
    default: 90,
    description: "How long the workflow artifact is kept.",
  },
  {
    name: "config",
    isInput: true,
    type: { kind: "string" },
    default: "looplia.yml",
    outsideFile: true,
    description: "The file of settings.",
  },
  {
    name: "working-directory",
    isInput: true,
    type: { kind: "string" },
    default: ".",
    outsideFile: true,
    description: "The folder of the repository to work in.",
  },
  {
    name: "dry-run",
    isInput: true,
    type: { kind: "boolean" },
    default: false,
    description: "Select, render and validate; call no model, change nothing.",
  },
  {
    name: "github-token",
    isInput: true,
    type: { kind: "string" },
    defaultText: "the job's",
    isSecret: true,
    usualName: "GITHUB_TOKEN",
    description: "The token for branches and pull requests.",
  },
  {
    name: "anthropic-api-key",
    isInput: true,
    type: { kind: "string" },
    isSecret: true,
    usualName: "ANTHROPIC_API_KEY",
    description: "The key of the provider `anthropic`.",
  },
  {
    name: "anthropic-base-url",
    isInput: true,
    type: {
      kind: "string",
      pattern: /^https?:\/\/\S+$/,
      form: "an address that begins with https:// or http://",
    },
    usualName: "ANTHROPIC_BASE_URL",
    outsideFile: true,
    defaultText: "the provider's",
    description: "Another address for the provider `anthropic`, for example a proxy.",
  },
] as const satisfies readonly SettingDefinition[];

/** The same table, its rows without their literal types. */
export const settingDefinitions: readonly SettingDefinition[] = settingsTable;

type Row = (typeof settingsTable)[number];
type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
type ValueOf<Type extends SettingType> = Type extends { kind: "enum"; values: readonly (infer Value)[] }
  ? Value
  : Type extends { kind: "boolean" }
    ? boolean
    : Type extends { kind: "int" | "number" }
      ? number
      : string;
type SettingValue<Definition extends Row> = Definition["type"] extends { kind: "list" }
  ? string[]
  : Definition extends { default: unknown }
    ? ValueOf<Definition["type"]>
    : ValueOf<Definition["type"]> | undefined;

/** All settings, in camelCase. A list that nobody set is empty; any other setting without a default is undefined. */
export type Settings = { [Definition in Row as CamelCase<Definition["name"]>]: SettingValue<Definition> };

/** `max-turns` → `maxTurns` */
export function settingKey(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `max-turns` → `LOOPLIA_MAX_TURNS` */
export function environmentName(name: string): string {
  return `LOOPLIA_${name.toUpperCase().replaceAll("-", "_")}`;
}

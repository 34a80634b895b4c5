// The one table of settings. Inputs, flags, variables, the JSON Schema and the docs are generated from it.
import type { z } from "zod";
import { readTarget } from "../core/interaction.ts";
import { limitSettings } from "./limits.ts";
import { policyProblem } from "./policy.ts";
import { accessSettings } from "./providers.ts";
import type { serverSchema } from "./servers.ts";

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
  | { kind: "boolean" }
  /** True, false, or a list. */
  | { kind: "switch"; problemOf: (entry: string) => string | undefined }
  /** MCP servers: a mapping, or its JSON. */
  | { kind: "servers" };

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
  /** Cannot are in looplia.yml: it says where that is, or where a key is sent to. */
  outsideFile?: true;
  /** A variable that is read below `LOOPLIA_<NAME>`. */
  usualName?: string;
};

// Settings about people, isolation and the stored state: rows of the one table in settings-table.ts.

/** What is wrong with a path of `sandbox-read`; undefined when nothing is. */
function readableProblem(path: string): string | undefined {
  const shown = `the path ${JSON.stringify(path)}`;
  if (!/^(?:~?\/.)/.test(path)) return `${shown} begins with neither / nor ~/, or is the whole disk or home`;
  if (/(?:^|\/)\.\.(?:\/|$)|\0/.test(path)) return `${shown} has \`..\` or a NUL character`;
  return /^\/+(?:proc|dev|tmp|sys)(?:\/|$)/.test(path)
    ? `${shown} is in a folder that commands have of their own`
    : undefined;
}

/** What is wrong with an entry of `network`; undefined when nothing is. */
function targetProblem(entry: string): string | undefined {
  const isTarget = readTarget(entry) !== undefined && !/^(?:true|false)$/i.test(entry);
  return isTarget
    ? undefined
    : `${JSON.stringify(entry)} is neither \`host\` nor \`host:port\` (no wildcards, no URLs; an IPv6 address in brackets)`;
}

const approvalSettings = [
  {
    name: "setup",
    type: { kind: "list" },
    description:
      "Commands that prepare a fresh worktree, one per line, isolated like any command; `network: npm ci` gives this one command the network.",
  },
  {
    name: "approval",
    isInput: true,
    type: { kind: "enum", values: ["risky", "all", "none"] },
    default: "risky",
    description:
      "Which calls need a person when no rule of `policy` applies. Dangerous calls always need a person.",
  },
  {
    name: "policy",
    isInput: true,
    type: { kind: "list", problemOf: policyProblem },
    description:
      "Rules, one a line: `deny`, `ask` or `allow`, a tool, and for `editFile` a glob of paths or for `runCommand` one whole command, for example `allow runCommand npm test`; `…` or `...` at its end allows more words. Each command of a line needs a rule, except `head`, `tail`, `grep` and `wc` after a pipe. `deny` and `ask` rules also match longer commands. deny beats ask beats allow.",
  },
  {
    name: "approvers",
    isInput: true,
    type: { kind: "list" },
    defaultText: "who has write access",
    description:
      "Logins of the people who may decide, one per line; `@org/team` needs a token that can read teams. Each person needs write access as well.",
  },
  {
    name: "min-approvals",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 20 },
    default: 1,
    description: "How many different people must approve a risky call; one rejection declines it.",
  },
  {
    name: "self-approval",
    isInput: true,
    type: { kind: "boolean" },
    default: true,
    description:
      "Allow people to answer questions that they led to: by starting the work or the run that asks, or by leaving the agent a message. With `false`, nobody may answer if GitHub does not say who that was.",
  },
  {
    name: "allowed-bots",
    type: { kind: "list" },
    defaultText: "none",
    description: "Apps whose commands count, one per line as `slug:numeric-id`.",
  },
  {
    name: "answer-ttl-hours",
    isInput: true,
    type: { kind: "number", above: 0, maximum: 8760 },
    default: 168,
    description: "Hours until a question without an answer expires.",
  },
  {
    name: "sandbox",
    isInput: true,
    type: { kind: "enum", values: ["auto", "required", "off"] },
    default: "auto",
    description:
      "Isolation of commands by bubblewrap. `auto`: without bubblewrap, every command needs a person; `required`: without it, no command runs; `off`: commands run with the rights of this process.",
  },
  {
    name: "sandbox-read",
    type: { kind: "list", problemOf: readableProblem },
    defaultText: "none",
    description:
      "More absolute paths that isolated commands may read, one per line (`~/` is your home), for example a toolchain in an unusual place. Programs of the system, toolchains that are found, and the repository need no line.",
  },
  {
    name: "network",
    isInput: true,
    type: { kind: "switch", problemOf: targetProblem },
    default: false,
    description:
      "The network of isolated commands. `true`: this machine's network, its own services and private addresses included. A list of `host` or `host:port`, one per line, for example `registry.npmjs.org`, or `localhost:5432` for a service container: only these, through a proxy; private addresses only with their port.",
  },
  {
    name: "mcp-servers",
    type: { kind: "servers" },
    defaultText: "none",
    description:
      "MCP servers whose tools agents get, by name, each with `command`, `args` and `env`, or with `url` and `headers`; see [MCP servers](agents.md#mcp-servers). As a flag or variable: JSON.",
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
      "Prefix of the refs that hold the state; use `refs/heads/looplia-state/` if the repository refuses other refs.",
  },
  {
    name: "state-key",
    isInput: true,
    type: { kind: "string" },
    isSecret: true,
    description:
      "Key that encrypts the words of models and tools in the stored state (AES-256-GCM). To change it, put the new key on a line before the old one: the first key writes, all of them read.",
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
    description: "Run only the task with this id.",
  },
  {
    name: "source-files",
    type: { kind: "list" },
    defaultText: "README.md, docs/**/*.md",
    description: "Globs of the documents that a first task list is made from, one per line.",
  },
  {
    name: "schedule",
    type: AGENT,
    defaultText: "the first agent",
    description:
      "Which agent runs iteration n of the session: one name, `odd-even` (the first two of `agents` in turn) or `round-robin` (all of them in turn; repeat a name to give it more turns).",
  },
  {
    name: "agents",
    type: { kind: "list" },
    defaultText: "the provider alone",
    description:
      "Agents of the task loop, one per line: a name, then its own settings, for example `careful provider=anthropic model=claude-opus-4-8 max-turns=80 timeout-minutes=20`. A name alone is a provider, or one more turn for an agent.",
  },
  {
    name: "review-agent",
    type: AGENT,
    defaultText: "whose turn it is",
    description: "The agent that reviews the list when every task is done.",
  },
  {
    name: "repair-agent",
    type: AGENT,
    defaultText: "whose turn it is",
    description: "The agent that repairs a task list that breaks its schema.",
  },
  {
    name: "apply-summary",
    type: { kind: "boolean" },
    default: true,
    description:
      "Write the files and blockers of a summary into the task list; the status is always written.",
  },
  {
    name: "hook",
    type: { kind: "string" },
    description:
      "A program to run after each task: `<hook> <task_id> <status> <last_message_path> <label>`, without a shell, without secrets, for at most 30 seconds.",
  },
  {
    name: "max-iterations",
    type: { kind: "int", minimum: 1, maximum: 10_000 },
    default: 50,
    description: "Maximum number of tasks per run.",
  },
  {
    name: "log-dir",
    type: { kind: "string" },
    defaultText: "in the folder of the state",
    description: "Folder for logs, as `<log-dir>/<project>-<hash>/`.",
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
    type: { kind: "enum", values: ["auto", "content", "tasks", "respond", "plan"] },
    default: "auto",
    description:
      "What to do: `content` processes content items, `tasks` works through the task list, `respond` acts on comments of pull requests, `plan` only says which content items are due, why, and about what they cost; `auto` is `respond` for a comment or a `looplia-answer` dispatch, otherwise `content` if that is set, otherwise `tasks`.",
  },
  {
    name: "content",
    isInput: true,
    type: { kind: "list" },
    description: "Globs of content items, one per line; prefix a pattern with `!` to exclude files.",
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
    type: { kind: "enum", values: ["auto", "anthropic", "openai", "offline"] },
    default: "auto",
    description:
      "The source of model turns. `auto` is `anthropic` if its key is set, otherwise `openai` if its key is set; without a key, the command line uses `offline` (an extractive rehearsal without a language model) and the Action fails.",
  },
  {
    name: "model",
    isInput: true,
    type: { kind: "string" },
    defaultText: "per provider",
    description: "The model, by the provider's name for it.",
  },
  {
    name: "fallback-model",
    type: { kind: "string" },
    description: "The model to use when the first one is overloaded or gone.",
  },
  {
    name: "orchestration",
    type: { kind: "enum", values: ["program", "agent"] },
    default: "program",
    description: "Who leads a pipeline: the program, or a main agent that delegates each step.",
  },
  ...limitSettings,
  ...approvalSettings,
  {
    name: "branch-prefix",
    type: {
      kind: "string",
      pattern: /^(?!.*\.lock(?:\/|$))[A-Za-z0-9]+(?:[._/-][A-Za-z0-9]+)*[/_-]?$/,
      form: "the beginning of a branch name, for example looplia/",
    },
    default: "looplia/",
    description: "Prefix of the names of work branches.",
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
    description: "Days to keep the workflow artifact.",
  },
  {
    name: "config",
    isInput: true,
    type: { kind: "string" },
    default: "looplia.yml",
    outsideFile: true,
    description: "The settings file.",
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
  ...accessSettings,
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
    : Type extends { kind: "switch" }
      ? boolean | string[]
      : Type extends { kind: "int" | "number" }
        ? number
        : string;
type SettingValue<Definition extends Row> = Definition["type"] extends { kind: "servers" }
  ? ({ name: string } & z.infer<typeof serverSchema>)[]
  : Definition["type"] extends { kind: "list" }
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

// Rows of the table in settings-table.ts, by topic.
import { readTarget } from "../core/interaction.ts";
import { policyProblem } from "./policy.ts";
import { secretSettings } from "./secrets.ts";

export type SettingType =
  | { kind: "string"; pattern?: RegExp; form?: string }
  /** Below the working folder; normalized, so that one file has one name. */
  | { kind: "path" }
  /** `problemOf` says what is wrong with an entry. */
  | { kind: "list"; problemOf?: (entry: string) => string | undefined }
  | { kind: "enum"; values: readonly string[] }
  /** `above` is exclusive; `word` is allowed instead of a number. */
  | { kind: "int" | "number"; minimum?: number; above?: number; maximum?: number; word?: string }
  | { kind: "boolean" }
  /** True, false, or a list. */
  | { kind: "switch"; problemOf: (entry: string) => string | undefined }
  /** MCP servers: a mapping, or its JSON. */
  | { kind: "servers" };

export type SettingDefinition = {
  name: string;
  /** Also an input of the Action; the others are flags, variables and keys of looplia.yml only. */
  isInput?: true;
  type: SettingType;
  default?: string | number | boolean;
  /** The default in words, when the program has no default of its own. */
  defaultText?: string;
  description: string;
  /** Never accepted from looplia.yml, never shown in a diagnostic. */
  isSecret?: true;
  /** Not allowed in looplia.yml: the setting says where that file is, or where a key is sent. */
  outsideFile?: true;
  /** A common variable that is read if `LOOPLIA_<NAME>` is not set. */
  usualName?: string;
};

function variableProblem(name: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not the name of a variable`;
}

// Settings about the task loop: rows of the table in settings-table.ts.

const AGENT = {
  kind: "string",
  pattern: /^[a-z][a-z0-9-]{0,39}$/,
  form: "the name of an agent or provider: lower-case letters, digits and hyphens",
} as const;

export const taskSettings = [
  {
    name: "todo",
    isInput: true,
    type: { kind: "path" },
    default: "to-do.json",
    description: "Path of the task list.",
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
    description: "Globs of the documents to make the first task list from, one per line.",
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
    defaultText: "the provider",
    description:
      "Agents of the task loop, one per line: a name, then its own settings, for example `careful provider=anthropic model=claude-opus-4-8 max-turns=80 timeout-minutes=20`. A line with only a name adds a provider as an agent, or gives an agent one more turn.",
  },
  {
    name: "review-agent",
    type: AGENT,
    defaultText: "the agent whose turn it is",
    description: "The agent that reviews the list when every task is done.",
  },
  {
    name: "repair-agent",
    type: AGENT,
    defaultText: "the agent whose turn it is",
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
      "A program to run after each task, without a shell or secrets, for at most 30 seconds: `<hook> <task_id> <status> <last_message_path> <label>`. A path is a file of the trusted ref; it starts among the trusted files, isolated, and can read its message file.",
  },
  {
    name: "hook-network",
    type: { kind: "boolean" },
    default: false,
    description: "Whether the `hook` has network access.",
  },
  {
    name: "hook-env",
    type: { kind: "list", problemOf: variableProblem },
    defaultText: "none",
    description: "Names of variables that the `hook` gets, one per line; each must be set.",
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
    defaultText: "in the state folder",
    description: "Folder for logs, as `<log-dir>/<project>-<hash>/`.",
  },
] as const satisfies readonly SettingDefinition[];

// What a run may cost and take, and how it is distributed: rows of the one table in settings-table.ts.

export const limitSettings = [
  {
    name: "max-cost-usd",
    isInput: true,
    type: { kind: "number", above: 0 },
    description:
      "Stop once a session has cost this many US dollars, all its runs together, and ask whether to raise the limit.",
  },
  {
    name: "max-run-cost-usd",
    type: { kind: "number", above: 0 },
    description:
      "Stop once a run has cost this many US dollars, all sessions together, and ask whether to raise the limit. Each request first reserves an upper estimate of its cost.",
  },
  {
    name: "max-month-cost-usd",
    type: { kind: "number", above: 0 },
    description:
      "Stop once a calendar month (UTC) has cost this many US dollars, all runs of the repository together, and ask whether to raise the limit.",
  },
  {
    name: "max-turns",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 10_000 },
    default: 50,
    description: "Maximum number of turns per task.",
  },
  {
    name: "max-tokens",
    type: { kind: "int", minimum: 1, maximum: 1_000_000_000_000 },
    description: "Stop once a session has used this many tokens, all its runs together.",
  },
  {
    name: "timeout-minutes",
    isInput: true,
    type: { kind: "number", above: 0, maximum: 7200 },
    default: 300,
    description: "Save and stop before the run has taken this many minutes.",
  },
  {
    name: "continue",
    type: { kind: "boolean" },
    default: false,
    description:
      "When a run stops at `timeout-minutes` or `max-iterations`, it starts its own workflow again, at most 20 times in a row. The job needs `actions: write`, and the workflow needs `workflow_dispatch` with the input `looplia-continuation` (docs/scale.md).",
  },
  {
    name: "concurrency",
    isInput: true,
    type: { kind: "int", minimum: 1, maximum: 64, word: "auto" },
    default: 4,
    description:
      "How many content items are processed at once; `auto` starts at four and rises until the API limits requests.",
  },
  {
    name: "shard",
    isInput: true,
    type: {
      kind: "string",
      pattern: /^(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-6])\/(?:[1-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-6])$/,
      form: "i/n with numbers from 1 to 256, for example 2/16",
    },
    description:
      "Process only part `i` of `n` of the due items, with a separate state. The parts come from this run's plan (`matrix` of `mode: plan`); `mode: collect` merges their results.",
  },
  {
    name: "batch",
    type: { kind: "boolean" },
    default: false,
    description:
      "Send the requests of agents with `batch: true` in their front matter through Anthropic's Message Batches API, at half price. The run ends as `waiting`, and a later run collects the answers, within a day (docs/scale.md).",
  },
  {
    name: "pull-request",
    type: { kind: "enum", values: ["one", "per-item"] },
    default: "one",
    description: "One pull request for all items of a run, or one for each item.",
  },
  {
    name: "max-pull-requests",
    type: { kind: "int", minimum: 1, maximum: 100 },
    default: 10,
    description:
      "With `pull-request: per-item`, how many pull requests may be open at once; the other items wait for a later run.",
  },
  {
    name: "state-retention-days",
    type: { kind: "int", minimum: 1, maximum: 3650 },
    defaultText: "forever",
    description:
      "Days to keep the stored state of a work after its pull request was merged or closed; scheduled runs then delete its ref. A state with an open question is kept.",
  },
] as const;

// Settings about people, isolation and the stored state: rows of the table in settings-table.ts.

/** What is wrong with a path of `sandbox-read`; undefined for a valid one. */
function readableProblem(path: string): string | undefined {
  const shown = `the path ${JSON.stringify(path)}`;
  if (!/^(?:~?\/.)/.test(path)) return `${shown} begins with neither / nor ~/, or is the whole disk or home`;
  if (/(?:^|\/)\.\.(?:\/|$)|\0/.test(path)) return `${shown} has \`..\` or a NUL character`;
  return /^\/+(?:proc|dev|tmp|sys)(?:\/|$)/.test(path)
    ? `${shown} is in a folder that commands have of their own`
    : undefined;
}

/** What is wrong with an entry of `network`; undefined for a valid one. */
function targetProblem(entry: string): string | undefined {
  const isTarget = readTarget(entry) !== undefined && !/^(?:true|false)$/i.test(entry);
  return isTarget
    ? undefined
    : `${JSON.stringify(entry)} is neither \`host\` nor \`host:port\` (no wildcards, no URLs; an IPv6 address in brackets)`;
}

export const approvalSettings = [
  {
    name: "setup",
    type: { kind: "list" },
    description:
      "Commands that prepare a fresh worktree of the Action, one per line, isolated like any command; `network: npm ci` gives only that command network access. They also run in the copy of the trusted files that a hook or an MCP server starts in; on the command line only there, because the worktree is your own. Where nothing isolates commands they do not run, unless `sandbox` is `off`.",
  },
  {
    name: "approval",
    isInput: true,
    type: { kind: "enum", values: ["risky", "all", "none"] },
    default: "risky",
    description:
      "Which calls need a person's approval when no `policy` rule matches. Dangerous calls always need approval.",
  },
  {
    name: "policy",
    isInput: true,
    type: { kind: "list", problemOf: policyProblem },
    description:
      "Rules, one per line: `deny`, `ask` or `allow`, then a tool, then a glob of paths (for `editFile`) or one complete command (for `runCommand`), for example `allow runCommand npm test`; a final `…` or `...` allows more words that begin with neither `-` nor `@`. Each command of a command line needs a rule, except `head`, `tail`, `grep` and `wc` after a pipe. `deny` and `ask` rules also match longer commands. `deny` overrides `ask`, and `ask` overrides `allow`.",
  },
  {
    name: "approvers",
    isInput: true,
    type: { kind: "list" },
    defaultText: "everyone with write access",
    description:
      "Logins of the people who may decide, one per line; `@org/team` needs a token that can read teams. Each person also needs write access.",
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
      "Allow people to answer questions that they caused: by starting the work or the run that asks, or by leaving the agent a message. With `false`, nobody may answer a question if GitHub does not say who caused it.",
  },
  {
    name: "allowed-bots",
    type: { kind: "list" },
    defaultText: "none",
    description: "GitHub Apps whose commands are accepted, one per line as `slug:numeric-id`.",
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
      "Isolation of commands by bubblewrap. `auto`: without bubblewrap, every command needs approval; `required`: without bubblewrap, no command runs; `off`: commands run with the permissions of this process.",
  },
  {
    name: "sandbox-read",
    type: { kind: "list", problemOf: readableProblem },
    defaultText: "none",
    description:
      "More absolute paths that isolated commands may read, one per line (`~/` is your home), for example a toolchain in an unusual place. System programs, detected toolchains and the repository are readable without an entry.",
  },
  {
    name: "network",
    isInput: true,
    type: { kind: "switch", problemOf: targetProblem },
    default: false,
    description:
      "Network access of isolated commands. `true`: this machine's whole network, including local services and private addresses. A list of `host` or `host:port`, one per line, for example `registry.npmjs.org`, or `localhost:5432` for a service container: only these targets, through a proxy; a private address needs its port.",
  },
  {
    name: "mcp-servers",
    type: { kind: "servers" },
    defaultText: "none",
    description:
      "MCP servers that provide tools to agents, by name, each with `command`, `args` and `env`, or with `url` and `headers`; see [MCP servers](agents.md#mcp-servers). A flag or variable takes JSON.",
  },
  {
    name: "state-ref-prefix",
    type: {
      kind: "string",
      pattern: /^refs\/(?:[A-Za-z0-9][A-Za-z0-9_-]*\/)+$/,
      form: "the first part of a ref, for example refs/looplia-state/",
    },
    default: "refs/looplia-state/",
    description:
      "Prefix of the refs that hold the state; use `refs/heads/looplia-state/` if the repository refuses other refs.",
  },
  {
    ...secretSettings.stateKey,
    isInput: true,
    type: { kind: "string" },
    description:
      "Key that encrypts the text of models and tools in the stored state (AES-256-GCM). To rotate it, add the new key on a line above the old one: the first key encrypts, all keys decrypt.",
  },
] as const satisfies readonly SettingDefinition[];

// Settings about pull requests: rows of the table in settings-table.ts.

export const pullRequestSettings = [
  {
    name: "commits",
    type: { kind: "enum", values: ["git", "api"] },
    default: "git",
    description:
      "Who makes the commits of the work branch: `git` on the runner, without a signature, or GitHub's `api`, which signs them in the name of the token's app: for branches whose rules require signed commits.",
  },
  {
    name: "title",
    type: {
      kind: "string",
      pattern: /^(?:(?!\{\{)[^\r\n]|\{\{ ?(?:work|items|first) ?\}\}){1,200}$/,
      form: "one line of at most 200 characters with only the names {{ work }}, {{ items }} and {{ first }}",
    },
    defaultText: "what the work is about",
    description:
      "Title of the pull request: `{{ work }}` is the id of the work, `{{ items }}` the number of items or tasks, `{{ first }}` the title of the first item or of the task list. A title that a person edited is never overwritten.",
  },
  {
    name: "labels",
    type: { kind: "list" },
    defaultText: "none",
    description: "Labels of the pull request, one per line. Set once, when the work is done.",
  },
  {
    name: "reviewers",
    type: { kind: "list" },
    defaultText: "none",
    description:
      "Logins or `@org/team` to request a review from, one per line. Requested once, when the work is done.",
  },
  {
    name: "assignees",
    type: { kind: "list" },
    defaultText: "none",
    description: "Logins to assign the pull request to, one per line. Assigned once, when the work is done.",
  },
] as const satisfies readonly SettingDefinition[];

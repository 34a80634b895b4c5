// Settings about people, isolation and the stored state: rows of the table in settings-table.ts.
import { readTarget } from "../../core/interaction.ts";
import { policyProblem } from "../policy.ts";
import type { SettingDefinition } from "./definition.ts";

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
      "Commands that prepare a fresh worktree, one per line, isolated like any command; `network: npm ci` gives only that command network access.",
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
      "Rules, one per line: `deny`, `ask` or `allow`, then a tool, then a glob of paths (for `editFile`) or one complete command (for `runCommand`), for example `allow runCommand npm test`; a final `…` or `...` allows more words. Each command of a command line needs a rule, except `head`, `tail`, `grep` and `wc` after a pipe. `deny` and `ask` rules also match longer commands. `deny` overrides `ask`, and `ask` overrides `allow`.",
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
    name: "state-key",
    isInput: true,
    type: { kind: "string" },
    isSecret: true,
    description:
      "Key that encrypts the text of models and tools in the stored state (AES-256-GCM). To rotate it, add the new key on a line above the old one: the first key encrypts, all keys decrypt.",
  },
] as const satisfies readonly SettingDefinition[];

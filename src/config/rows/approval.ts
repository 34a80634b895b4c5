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
      "Rules, one per line: `deny`, `ask` or `allow`, a tool, and for `editFile` a glob of paths or for `runCommand` one whole command, for example `allow runCommand npm test`; `…` or `...` at its end allows more words. Each command of a line needs a rule, except `head`, `tail`, `grep` and `wc` after a pipe. `deny` and `ask` rules also match longer commands. deny beats ask beats allow.",
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

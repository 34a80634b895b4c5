// Settings about people, isolation and the stored state: rows of the one table in settings-table.ts.
import { policyProblem } from "./policy.ts";
import type { SettingDefinition } from "./setting-definition.ts";

export const approvalSettings = [
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

// The one table of settings. Inputs, flags, environment names, the JSON Schema of looplia.yml and the README's tables
// are made from it (scripts/generate.ts).

import { approvalSettings } from "./approval-settings.ts";
import type { SettingDefinition, SettingType } from "./setting-definition.ts";
import { taskSettings } from "./task-settings.ts";

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

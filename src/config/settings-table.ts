// The one table of settings. Inputs, flags, variables, the JSON Schema and the docs are generated from it.
import type { z } from "zod";
import { accessSettings } from "./providers.ts";
import { secretSettings } from "./secrets.ts";
import type { serverSchema } from "./servers.ts";
import {
  approvalSettings,
  limitSettings,
  pullRequestSettings,
  type SettingDefinition,
  type SettingType,
  taskSettings,
} from "./setting-rows.ts";

const NAME = {
  kind: "string",
  pattern: /^[a-z0-9][a-z0-9-]{0,63}$/,
  form: "lower-case letters, digits and hyphens",
} as const;

const settingsTable = [
  {
    name: "mode",
    isInput: true,
    type: { kind: "enum", values: ["auto", "content", "tasks", "respond", "plan", "collect"] },
    default: "auto",
    description:
      "Kind of run: `content` processes content items, `tasks` works through the task list, `respond` acts on comments of pull requests, `plan` only reports which content items are due, why, and their estimated cost, and divides them into shards (`matrix`), `collect` merges the results of shards; `auto` is `respond` for a comment or a `looplia-answer` dispatch, otherwise `content` if that is set, otherwise `tasks`.",
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
      form: "the id of a session: lower-case letters, digits and hyphens",
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
    defaultText: "the final output",
    description: "Stop once this output of the pipeline is done.",
  },
  { name: "force", type: NAME, description: "Run this output again, even if nothing changed." },
  {
    name: "provider",
    isInput: true,
    type: { kind: "enum", values: ["auto", "anthropic", "openai", "claude", "codex", "offline"] },
    default: "auto",
    description:
      "The source of model turns: a model (`anthropic`, `openai`), an agent program that is installed (`claude`: Claude Code, `codex`: Codex; docs/agents.md), or `offline`. `auto` is `anthropic` if its key is set, otherwise `openai` if its key is set; without a key, the command line uses `offline` (an extractive rehearsal without a language model) and the Action fails.",
  },
  {
    name: "model",
    isInput: true,
    type: { kind: "string" },
    defaultText: "per provider",
    description: "Name of the model, as the provider spells it.",
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
  {
    name: "choose-angle",
    type: { kind: "boolean" },
    default: false,
    description: "Ask a person to choose the angle, after the ideas and before the outline.",
  },
  ...limitSettings,
  ...approvalSettings,
  {
    name: "branch-prefix",
    type: {
      kind: "string",
      pattern: /^(?!.*\.lock(?:\/|$))[A-Za-z0-9]+(?:[._/-][A-Za-z0-9]+)*[/_-]?$/,
      form: "the first part of a branch name, for example looplia/",
    },
    default: "looplia/",
    description: "Prefix of the names of work branches.",
  },
  ...pullRequestSettings,
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
    ...secretSettings.githubToken,
    isInput: true,
    type: { kind: "string" },
    defaultText: "the job's token",
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
        ? number | (Type extends { word: infer Word } ? Word : never)
        : string;
type SettingValue<Definition extends Row> = Definition["type"] extends { kind: "servers" }
  ? ({ name: string } & z.infer<ReturnType<typeof serverSchema>>)[]
  : Definition["type"] extends { kind: "list" }
    ? string[]
    : Definition extends { default: unknown }
      ? ValueOf<Definition["type"]>
      : ValueOf<Definition["type"]> | undefined;

/**
 * All settings, in camelCase. An unset list is empty; any other unset setting without a default is undefined.
 */
export type Settings = { [Definition in Row as CamelCase<Definition["name"]>]: SettingValue<Definition> };

/** `max-turns` → `maxTurns` */
export function settingKey(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

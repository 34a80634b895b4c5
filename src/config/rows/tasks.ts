// Settings about the task loop: rows of the table in settings-table.ts.
import type { SettingDefinition } from "./definition.ts";

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
      "A program to run after each task, without a shell or secrets, for at most 30 seconds: `<hook> <task_id> <status> <last_message_path> <label>`.",
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

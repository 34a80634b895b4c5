// The table of commands and flags.
import type { SettingDefinition } from "../config/setting-rows.ts";
import { settingDefinitions } from "../config/settings-table.ts";

export type CommandName =
  | "run"
  | "plan"
  | "answer"
  | "status"
  | "ls"
  | "tail"
  | "report"
  | "replay"
  | "audit"
  | "expire"
  | "init"
  | "doctor"
  | "demo"
  | "version"
  | "help";

export type CommandDefinition = {
  name: CommandName;
  /** The command's own arguments, as help shows them. */
  own: string;
  summary: string;
  /** `place`: only the settings that locate the configuration and the repository. */
  settings: "all" | "place" | "none";
  takesFolder: boolean;
  flags: readonly string[];
  details: readonly string[];
};

export const commandDefinitions: readonly CommandDefinition[] = [
  {
    name: "demo",
    own: "[content|tasks]",
    summary: "Show both kinds of work on examples in temporary folders; needs no key",
    settings: "none",
    takesFolder: false,
    flags: ["ui"],
    details: [
      "Copies examples/ and needs no model: `content` makes a kit from one article, `tasks` works through a",
      "release checklist whose steps are commands. Every question and answer is shown.",
    ],
  },
  {
    name: "run",
    own: "",
    summary: "Process content or the task list, step by step (the default command)",
    settings: "all",
    takesFolder: true,
    flags: ["file", "agent", "ui", "json"],
    details: [
      "--file starts a new session and --session-id resumes one. Without either, the run continues every",
      "item that `content` matches, or the task list if `content` is not set.",
    ],
  },
  {
    name: "plan",
    own: "",
    summary: "Show which content items are new, changed, failed or stale, and roughly what a run would cost",
    settings: "all",
    takesFolder: true,
    flags: ["json"],
    details: [
      "Asks no model and changes nothing. An item that was renamed keeps its session; the sessions of items",
      "that are gone are listed and kept. Tokens and dollars are estimates.",
    ],
  },
  {
    name: "answer",
    own: "<interaction-id> approve [always] | reject | choose <option> | input <text>",
    summary: "Answer an open question and resume its session",
    settings: "all",
    takesFolder: true,
    flags: ["comment", "ui", "json"],
    details: [
      "A question is named by its id or by the short id beside its title. <option> is an option's id, number or",
      "label; an exact id takes precedence. `looplia answer revoke <number>` ends an approval that was given with",
      "`always`; `looplia status` lists them.",
    ],
  },
  {
    name: "status",
    own: "[<session-id>]",
    summary: "Summarize the task list and show all sessions, newest first: steps, open questions, cost",
    settings: "place",
    takesFolder: true,
    flags: ["json", "todo"],
    details: [],
  },
  {
    name: "ls",
    own: "<status>",
    summary: "List the tasks that are todo, doing, blocked or done",
    settings: "place",
    takesFolder: true,
    flags: ["json", "todo"],
    details: ["Tasks are listed in the order in which they are chosen: by priority, then by id."],
  },
  {
    name: "tail",
    own: "",
    summary: "Show the end of the newest log; with --follow, also new lines",
    settings: "place",
    takesFolder: true,
    flags: ["follow", "log-dir"],
    details: ["Works from a second terminal during a run."],
  },
  {
    name: "report",
    own: "[<session-id>]",
    summary: "Report on a session, else the last one, in Markdown: steps or tasks, questions, calls, cost",
    settings: "place",
    takesFolder: true,
    flags: ["json", "html", "state-key"],
    details: [
      "--html prints one file with every turn, call and decision, the result and the state of the audit chain; it loads",
      "nothing from anywhere. The workflow artifact has the same file for each session.",
    ],
  },
  {
    name: "replay",
    own: "[<session-id | recording.json>]",
    summary: "Run a recorded session again without a model, and name the first result that differs",
    settings: "place",
    takesFolder: true,
    flags: ["record", "json", "state-key"],
    details: [
      "Works in a temporary copy of the folder, with the recorded turns and answers. Commands and MCP servers do",
      "not run again: their recorded results are used. Exit code 1 if a result differs.",
    ],
  },
  {
    name: "audit",
    own: "verify <state folder | artifact zip | exported file | ref>",
    summary: "Verify the audit log: name the first line that was changed, and what is missing",
    settings: "place",
    takesFolder: true,
    flags: ["export", "json"],
    details: [
      "A ref is a state ref or the id of a work. The log is compared with the heads that commits of the state ref",
      "name and, with GITHUB_TOKEN, those in request comments. Exit code 1 if something does not fit.",
    ],
  },
  {
    name: "expire",
    own: "",
    summary: "Delete the stored states of pull requests that were merged or closed long ago",
    settings: "place",
    takesFolder: true,
    flags: ["state-retention-days", "dry-run", "state-ref-prefix", "json", "github-token"],
    details: [
      "Deletes state refs on the server, as scheduled runs do where `state-retention-days` is set; branches and their",
      "kits stay. A work with an open question never ends, so its state is kept. Needs GITHUB_TOKEN with `contents: write`.",
    ],
  },
  {
    name: "init",
    own: "",
    summary: "Set up a repository: settings, workflows that run as they are, and a task list",
    settings: "none",
    takesFolder: true,
    flags: ["articles", "tasks", "claude", "codex", "ref"],
    details: [
      "Asks what to set up, unless a flag says so. Writes at the root of the repository, with its default branch and",
      "the newest release of the action (without one: the commit of this clone or package), and says what remains to be",
      "done on GitHub. Existing files are never overwritten; zeros that an earlier `init` left in them are filled in.",
      "With --claude or --codex, or where looplia.yml names them, the workflows install these agent programs.",
    ],
  },
  {
    name: "doctor",
    own: "",
    summary: "Check the setup: everything that a run needs, with a fix for each problem",
    settings: "all",
    takesFolder: true,
    flags: ["json"],
    details: [
      "Node, git, settings, pipelines, prompts, task list, isolation, folders, key and provider.",
      "With GITHUB_TOKEN: its permissions, whether Actions may open pull requests, the state ref.",
      "Exit code 0 means that no problem was found.",
    ],
  },
  {
    name: "version",
    own: "",
    summary: "Show the versions of looplia and Node, and each provider's default model",
    settings: "none",
    takesFolder: false,
    flags: ["json"],
    details: [],
  },
  {
    name: "help",
    own: "[<command>]",
    summary: "Show this help, or the help of one command",
    settings: "none",
    takesFolder: false,
    flags: [],
    details: [],
  },
];

export const commandsByName: ReadonlyMap<string, CommandDefinition> = new Map(
  commandDefinitions.map((command) => [command.name, command]),
);

// All flags: the command line's own, and one for each setting.

export type FlagDefinition = {
  name: string;
  /** Undefined: a switch. */
  value?: string;
  isRepeatable?: true;
  /** A switch that accepts `true` or `false` after it. */
  takesTruth?: true;
  /** A switch that accepts entries after `=`. */
  takesEntries?: true;
  description: string;
};

const OWN_FLAGS: readonly FlagDefinition[] = [
  { name: "file", value: "path", description: "The content item of a new session." },
  { name: "agent", value: "name", description: "The agent that runs every task (same as --schedule)." },
  {
    name: "ui",
    value: "none|tui",
    description:
      "tui: fill the terminal with a list, logs, diffs and open questions; needs Node 22 (default: none).",
  },
  { name: "comment", value: "text", description: "A remark or reason that reaches the agent." },
  {
    name: "export",
    value: "path",
    description: "Also write the audit log as one file that can be verified.",
  },
  {
    name: "record",
    value: "path",
    description: "Also keep the session as one JSON file, secrets removed, that can be replayed later.",
  },
  { name: "html", description: "Print the report as one HTML file." },
  { name: "articles", description: "Set up articles: a writing kit for each text in a folder." },
  { name: "tasks", description: "Set up tasks: an agent works through to-do.json." },
  { name: "claude", description: "Let Claude Code do the work, and install it in the workflows." },
  { name: "codex", description: "Let Codex do the work, and install it in the workflows." },
  {
    name: "ref",
    value: "owner/looplia-action@commit|tag",
    description: "The action that the workflows use.",
  },
  { name: "follow", description: "Continue until Ctrl-C." },
  { name: "json", description: "Print the result as JSON on standard output." },
  { name: "help", description: "Show help." },
];

/** Lists whose entries are globs. */
const GLOBS = new Set(["content", "source-files"]);

/** How to give more entries. */
const MORE = new Map([
  ["list", " Give the flag again for more."],
  ["switch", " Put an entry after `=`; repeat the flag for more entries."],
]);

/** All flags: the command line's own, then one per setting, with `no-` forms of switches. */
export const flagsByName: ReadonlyMap<string, FlagDefinition> = new Map(
  [...OWN_FLAGS, ...settingDefinitions.flatMap(settingFlags)].map((flag) => [flag.name, flag]),
);

/** Names of the flags that a command takes, in the order of help. */
export function flagNamesOf(command: CommandDefinition): string[] {
  const settings = settingDefinitions
    .filter((setting) => takesSetting(command, setting))
    .flatMap(settingFlags);
  return [...command.flags, ...settings.map((flag) => flag.name), "help"];
}

function takesSetting(command: CommandDefinition, setting: SettingDefinition): boolean {
  if (command.settings !== "place") return command.settings === "all";
  return setting.outsideFile === true && !setting.name.endsWith("-base-url");
}

function settingFlags(setting: SettingDefinition): FlagDefinition[] {
  const more = MORE.get(setting.type.kind) ?? "";
  const description = `${setting.description}${more}${defaultNote(setting)}`;
  const { kind } = setting.type;
  if (kind !== "boolean" && kind !== "switch")
    return [{ name: setting.name, ...shownValue(setting), description }];
  const [shown, other] = setting.default ? ["no-", ""] : ["", "no-"];
  return [
    {
      name: `${shown}${setting.name}`,
      description: shown ? `Turn ${setting.name} off. ${setting.description}` : description,
    },
    { name: `${other}${setting.name}`, description: "" },
  ].map((flag) =>
    flag.name === setting.name
      ? { ...flag, takesTruth: true, ...(kind === "switch" ? { takesEntries: true } : {}) }
      : flag,
  );
}

function shownValue(setting: SettingDefinition): Pick<FlagDefinition, "value" | "isRepeatable"> {
  switch (setting.type.kind) {
    case "enum":
      return { value: setting.type.values.join("|") };
    case "list":
      return { value: GLOBS.has(setting.name) ? "glob" : "entry", isRepeatable: true };
    case "int":
    case "number":
      return { value: "number" };
    case "path":
      return { value: "path" };
    default:
      return { value: "text" };
  }
}

function defaultNote(setting: SettingDefinition): string {
  const shown = setting.defaultText ?? setting.default;
  return shown === undefined || typeof shown === "boolean" ? "" : ` (default: ${shown})`;
}

// The table of commands. Parsing and help are made from it.

export type CommandName =
  | "run"
  | "answer"
  | "status"
  | "ls"
  | "tail"
  | "report"
  | "init"
  | "doctor"
  | "demo"
  | "version"
  | "help";

export type CommandDefinition = {
  name: CommandName;
  /** The command's own arguments as help shows them. */
  own: string;
  summary: string;
  /** `place`: only where the settings and the repository are. */
  settings: "all" | "place" | "none";
  takesFolder: boolean;
  flags: readonly string[];
  details: readonly string[];
};

export const commandDefinitions: readonly CommandDefinition[] = [
  {
    name: "demo",
    own: "[content|tasks]",
    summary: "Rehearse both main jobs on examples in temporary folders; needs no key",
    settings: "none",
    takesFolder: false,
    flags: [],
    details: [
      "Copies examples/ and needs no model: `content` makes a kit from one article, `tasks` works through a",
      "release checklist whose steps are commands. Every question is answered visibly.",
    ],
  },
  {
    name: "run",
    own: "",
    summary: "Turn content into artifacts or work through the task list, step by step (the default command)",
    settings: "all",
    takesFolder: true,
    flags: ["file", "agent", "json"],
    details: [
      "--file begins a fresh session, --session-id goes on with one; without either, every item that",
      "`content` matches goes on where it stands, or where that is not set, the task list.",
    ],
  },
  {
    name: "answer",
    own: "<interaction-id> approve | reject | choose <option> | input <text>",
    summary: "Answer an open question and go on with its session",
    settings: "all",
    takesFolder: true,
    flags: ["comment", "json"],
    details: ["<option> is an option's id or its number; an exact id wins."],
  },
  {
    name: "status",
    own: "[<session-id>]",
    summary: "Show the task list in numbers and all sessions, newest first: steps, open questions, cost",
    settings: "place",
    takesFolder: true,
    flags: ["json", "todo"],
    details: [],
  },
  {
    name: "ls",
    own: "<status>",
    summary: "List the tasks of the task list that are todo, doing, blocked or done",
    settings: "place",
    takesFolder: true,
    flags: ["json", "todo"],
    details: ["In the order in which they are chosen: by priority, then by id."],
  },
  {
    name: "tail",
    own: "",
    summary: "Show the end of the newest log, and with --follow what comes after it",
    settings: "place",
    takesFolder: true,
    flags: ["follow", "log-dir"],
    details: ["From a second terminal while a run goes on, too."],
  },
  {
    name: "report",
    own: "<session-id>",
    summary: "Report on a session in Markdown: steps or tasks, questions, calls, cost",
    settings: "place",
    takesFolder: true,
    flags: ["json", "state-key"],
    details: [],
  },
  {
    name: "init",
    own: "",
    summary: "Write looplia.yml, an example task list, two workflows and .gitignore, where there is none",
    settings: "none",
    takesFolder: true,
    flags: [],
    details: ["What is there already is left as it is."],
  },
  {
    name: "doctor",
    own: "",
    summary:
      "Check all that a run needs: Node to provider and GitHub; each line is well or says how to mend it",
    settings: "all",
    takesFolder: true,
    flags: ["json"],
    details: [
      "Node, git, settings, pipelines, prompts, task list, isolation, folders, key and provider.",
      "With GITHUB_TOKEN: its permissions, whether Actions may open pull requests, the state ref.",
      "Exit code 0 only if all is well.",
    ],
  },
  {
    name: "version",
    own: "",
    summary: "Show the version, Node and each provider's default model",
    settings: "none",
    takesFolder: false,
    flags: ["json"],
    details: [],
  },
  {
    name: "help",
    own: "[<command>]",
    summary: "Show this, or all about a command",
    settings: "none",
    takesFolder: false,
    flags: [],
    details: [],
  },
];

export const commandsByName: ReadonlyMap<string, CommandDefinition> = new Map(
  commandDefinitions.map((command) => [command.name, command]),
);

// Generates help from the tables of commands and settings.
import { suggestName } from "../config/diagnostics.ts";
import { LoopliaError } from "../core/errors.ts";
import {
  type CommandDefinition,
  type CommandName,
  commandDefinitions,
  commandsByName,
  flagNamesOf,
  flagsByName,
} from "./commands-table.ts";
import { padText, wrapText } from "./live/view.ts";

type Row = readonly [name: string, description: string];

const COMMAND_GROUPS: readonly (readonly [title: string, names: readonly CommandName[]])[] = [
  ["Work", ["run", "plan", "answer"]],
  ["Look", ["status", "ls", "tail", "report", "replay", "audit"]],
  ["Set up", ["demo", "init", "doctor", "expire", "version", "help"]],
];

/** Settings by topic. What is in no group belongs to the command itself. */
const FLAG_GROUPS: readonly (readonly [title: string, names: string])[] = [
  ["What to work on", "mode content session-id dry-run config working-directory"],
  ["Content", "pipeline output force orchestration choose-angle"],
  [
    "Task list",
    "todo task source-files schedule agents review-agent repair-agent apply-summary hook hook-network hook-env max-iterations log-dir",
  ],
  [
    "Model",
    "provider model fallback-model anthropic-api-key anthropic-base-url anthropic-cloud openai-api-key openai-base-url openai-api claude-code-oauth-token tool-calls batch",
  ],
  ["Commands and approval", "approval policy setup sandbox sandbox-read network mcp-servers state-key"],
  [
    "Limits",
    "max-cost-usd max-run-cost-usd max-month-cost-usd max-tokens max-turns timeout-minutes concurrency",
  ],
];

/** Settings that count on a runner only. */
const RUNNER_ONLY = new Set(
  "approvers min-approvals self-approval allowed-bots answer-ttl-hours state-ref-prefix continue shard pull-request max-pull-requests state-retention-days branch-prefix title labels reviewers assignees commits upload-audit retention-days github-token".split(
    " ",
  ),
);

const EXIT_CODES: readonly Row[] = [
  ["0", "completed, or nothing to do"],
  ["1", "failed"],
  ["2", "bad usage or configuration"],
  ["3", "waiting for a person; the command that answers is printed"],
  ["4", "stopped by a limit, a deadline or a signal; everything is saved"],
];

/** The help of a command, or of all. Throws LoopliaError `config-invalid` for an unknown command. */
export function helpText(topic: string | undefined, width: number): string {
  const columns = Math.min(Math.max(width, 40), 110);
  if (topic === undefined || topic === "help") return overview(columns).join("\n");
  const command = commandsByName.get(topic);
  if (command) return commandHelp(command, columns).join("\n");
  const hint = suggestName(topic, commandsByName.keys()) ?? "`looplia help` lists the commands";
  throw new LoopliaError("config-invalid", `Unknown command ${JSON.stringify(topic)}.`, { hint });
}

function overview(columns: number): string[] {
  const row = ({ name, own, summary }: CommandDefinition): Row => [`${name} ${own}`.trim(), summary];
  return [
    ...wrapText(
      "looplia turns content into artifacts or works through a task list, and asks a person when it matters",
      columns,
    ),
    "",
    ...wrapText("Usage: looplia [<command>] [<flags>] [<folder of the repository>]", columns),
    ...COMMAND_GROUPS.flatMap(([title, names]) => [
      "",
      title,
      ...table(commandDefinitions.filter(({ name }) => names.includes(name)).map(row), columns),
    ]),
    "",
    ...wrapText(
      "`looplia help <command>` shows its flags. Most flags are also settings: keys of looplia.yml (except secrets) and variables LOOPLIA_<NAME>.",
      columns,
    ),
    "",
    "Exit codes",
    ...table(EXIT_CODES, columns),
  ];
}

function commandHelp(command: CommandDefinition, columns: number): string[] {
  const folder = command.takesFolder ? " [<folder of the repository>]" : "";
  const own = command.own ? ` ${command.own}` : "";
  const names = flagNamesOf(command).filter((name) => flagsByName.get(name)?.description);
  const runnerOnly = names.filter((name) => RUNNER_ONLY.has(settingOf(name)));
  const shown = names.filter((name) => !runnerOnly.includes(name));
  const details = command.details.join(" ");
  return [
    ...wrapText(command.summary, columns),
    "",
    ...wrapText(`Usage: looplia ${command.name}${own} [<flags>]${folder}`, columns),
    ...(details ? ["", ...wrapText(details, columns)] : []),
    ...groupsOf(shown).flatMap(([title, group]) => ["", title, ...table(group.map(flagRow), columns)]),
    ...(runnerOnly.length > 0
      ? ["", ...wrapText(`On GitHub only (docs/settings.md): ${runnerOnly.join(", ")}.`, columns)]
      : []),
  ];
}

/** A flag's setting: `no-review` turns `review` off. */
function settingOf(flag: string): string {
  return flag.startsWith("no-") ? flag.slice(3) : flag;
}

/** The command's own flags first, then each group that has any. */
function groupsOf(names: readonly string[]): [title: string, names: string[]][] {
  const inGroup = FLAG_GROUPS.map(([title, group]): [string, string[]] => {
    const settings = group.split(" ");
    return [title, names.filter((name) => settings.includes(settingOf(name)))];
  });
  const grouped = new Set(inGroup.flatMap(([, group]) => group));
  const own = names.filter((name) => !grouped.has(name));
  return [["Flags", own] as [string, string[]], ...inGroup].filter(([, group]) => group.length > 0);
}

function flagRow(name: string): Row {
  const flag = flagsByName.get(name);
  const value = flag?.value === undefined ? "" : ` <${flag.value}>`;
  // A link of the docs becomes the page's name.
  const description = flag?.description.replace(/\[[^\]]+\]\(([^)#]+)[^)]*\)/g, "docs/$1") ?? "";
  return [`--${name}${value}`, description];
}

/** Two columns; a long name has its own line. */
function table(rows: readonly Row[], columns: number): string[] {
  const nameWidth = Math.min(30, columns >> 1, Math.max(...rows.map(([name]) => name.length)));
  const indent = " ".repeat(nameWidth + 4);
  return rows.flatMap(([name, description]) => {
    const lines = wrapText(description.replaceAll("`", ""), columns - indent.length);
    const isLong = name.length > nameWidth;
    const head = isLong
      ? wrapText(name, columns - 2).map((line) => `  ${line}`)
      : [`  ${padText(name, nameWidth)}  ${lines.shift() ?? ""}`];
    return [...head, ...lines.map((line) => indent + line)];
  });
}

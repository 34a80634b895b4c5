// Help is made from the tables of commands and settings.
import { suggestName } from "../../config/suggest.ts";
import { LoopliaError } from "../../errors.ts";
import { type CommandDefinition, commandDefinitions, commandsByName } from "./commands.ts";
import { padText, wrapText } from "./fit-line.ts";
import { flagNamesOf, flagsByName } from "./flags.ts";

const EXIT_CODES = [
  ["0", "completed, or nothing to do"],
  ["1", "failed"],
  ["2", "bad usage or configuration"],
  ["3", "waits for a person: the command to answer with is printed"],
  ["4", "stopped by a limit, the clock or a signal: everything is saved"],
] as const;

/** The help of a command, or of all. Throws LoopliaError `config-invalid` for an unknown command. */
export function helpText(topic: string | undefined, width: number): string {
  const columns = Math.min(Math.max(width, 40), 110);
  if (topic === undefined || topic === "help") return overview(columns).join("\n");
  const command = commandsByName.get(topic);
  if (command) return commandHelp(command, columns).join("\n");
  const hint = suggestName(topic, commandsByName.keys()) ?? "`looplia help` lists the commands";
  throw new LoopliaError("config-invalid", `There is no command ${JSON.stringify(topic)}.`, { hint });
}

function overview(columns: number): string[] {
  return [
    "looplia: content becomes artifacts, a task list is worked through, and a person is asked where it matters",
    "",
    "Usage: looplia [<command>] [<flags>] [<folder of the repository>]",
    "",
    "Commands",
    ...table(
      commandDefinitions.map((command) => [`${command.name} ${command.own}`.trim(), command.summary]),
      columns,
    ),
    "",
    "`looplia help <command>` shows its flags. All but --file, --agent, --comment, --follow, --json and --help are settings as well: variables LOOPLIA_<NAME> and, secrets aside, keys of looplia.yml.",
    "",
    "Exit codes",
    ...table(EXIT_CODES, columns),
  ].flatMap((line) => (line.startsWith(" ") ? [line] : wrapText(line, columns)));
}

function commandHelp(command: CommandDefinition, columns: number): string[] {
  const folder = command.takesFolder ? " [<folder of the repository>]" : "";
  const own = command.own ? ` ${command.own}` : "";
  const flags = flagNamesOf(command).flatMap((name) => {
    const flag = flagsByName.get(name);
    if (!flag?.description) return [];
    return [[`--${name}${flag.value === undefined ? "" : ` <${flag.value}>`}`, flag.description] as const];
  });
  return [
    ...wrapText(command.summary, columns),
    "",
    ...wrapText(`Usage: looplia ${command.name}${own} [<flags>]${folder}`, columns),
    ...(command.details.length ? ["", ...command.details.flatMap((line) => wrapText(line, columns))] : []),
    "",
    "Flags",
    ...table(flags, columns),
  ];
}

/** Two columns; a long name stands on a line of its own. */
function table(rows: readonly (readonly [string, string])[], columns: number): string[] {
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

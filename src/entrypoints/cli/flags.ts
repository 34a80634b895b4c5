// The flags that there are: the command line's own, and one for each setting.
import type { SettingDefinition } from "../../config/setting-definition.ts";
import { settingDefinitions } from "../../config/settings-table.ts";
import type { CommandDefinition } from "./commands.ts";

export type FlagDefinition = {
  name: string;
  /** Undefined: a switch. */
  value?: string;
  isRepeatable?: true;
  /** A switch that may be followed by `true` or `false`. */
  takesTruth?: true;
  description: string;
};

const OWN_FLAGS: readonly FlagDefinition[] = [
  { name: "file", value: "path", description: "The content item to begin a fresh session with." },
  { name: "agent", value: "name", description: "The agent that runs every task: the same as --schedule." },
  { name: "comment", value: "text", description: "A remark or reason that reaches the agent." },
  { name: "follow", description: "Go on until Ctrl-C." },
  { name: "json", description: "Print the result as JSON on standard output." },
  { name: "help", description: "Show help." },
];

/** Lists whose entries are globs. */
const GLOBS = new Set(["content", "source-files"]);

/** Every flag there is: the command line's own, then one for each setting, with `no-` forms of switches. */
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
  return command.settings === "place" ? setting.outsideFile === true : command.settings === "all";
}

function settingFlags(setting: SettingDefinition): FlagDefinition[] {
  const more = setting.type.kind === "list" ? " Give the flag again for more." : "";
  const description = `${setting.description}${more}${defaultNote(setting)}`;
  if (setting.type.kind !== "boolean") return [{ name: setting.name, ...shownValue(setting), description }];
  const [shown, other] = setting.default ? ["no-", ""] : ["", "no-"];
  return [
    { name: `${shown}${setting.name}`, description: shown ? `Do not: ${setting.description}` : description },
    { name: `${other}${setting.name}`, description: "" },
  ].map((flag) => (flag.name === setting.name ? { ...flag, takesTruth: true } : flag));
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

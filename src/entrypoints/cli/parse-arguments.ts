// Arguments become a command with its settings, or a usage error that says what to write instead.
import { suggestName } from "../../config/suggest.ts";
import type { InteractionAnswer } from "../../session/interaction.ts";
import { type CommandDefinition, type CommandName, commandsByName } from "./commands.ts";
import type { PromptOverride } from "./developer-flags.ts";
import { flagNamesOf } from "./flags.ts";
import { type Flags, readTokens, usage } from "./read-tokens.ts";

export type CommandLine = {
  command: CommandName;
  /** False: `run` because nothing else was said. */
  isNamed: boolean;
  isHelp: boolean;
  isJson: boolean;
  /** `tail --follow` */
  isFollowing: boolean;
  /** Settings by their name, as given. */
  overrides: Record<string, string | boolean | string[]>;
  file?: string;
  /** Folder of the repository, as given. */
  folder?: string;
  /** `status`, `ls` and `help`: the session, status or command that is asked about. */
  topic?: string;
  answer?: { interactionId: string; answer: InteractionAnswer };
  /** Of a developer. */
  prompts?: PromptOverride;
};

/** `isFolder` tells folders from other arguments. Throws LoopliaError `config-invalid` for bad usage. */
export function parseArguments(argv: readonly string[], isFolder: (path: string) => boolean): CommandLine {
  const { flags, positionals } = readTokens(argv);
  const { command, isNamed } = takeCommand(positionals, isFolder);
  const line: CommandLine = {
    command: command.name,
    isNamed,
    isHelp: flags.has("help"),
    isJson: flags.get("json") === true,
    isFollowing: flags.get("follow") === true,
    overrides: {},
  };
  if (line.isHelp) return line;
  takeFlags(line, command, flags);
  takeArguments(line, positionals, flags, isFolder);
  takeFolder(line, command, positionals, isFolder);
  return line;
}

/** The first argument if it is a command, else `run`: a lone folder is run in. */
function takeCommand(
  positionals: string[],
  isFolder: (path: string) => boolean,
): { command: CommandDefinition; isNamed: boolean } {
  const [first] = positionals;
  const named = first === undefined ? undefined : commandsByName.get(first);
  if (named) positionals.shift();
  else if (first !== undefined && !isFolder(first)) {
    const suggestion = suggestName(first, commandsByName.keys());
    throw usage(
      `There is no command ${JSON.stringify(first)}, and no folder of that name.`,
      suggestion ?? "`looplia help` lists the commands; a content item is given with --file",
    );
  }
  const command = named ?? commandsByName.get("run");
  if (!command) throw new Error("The table of commands has no `run`.");
  return { command, isNamed: named !== undefined };
}

function takeFlags(line: CommandLine, command: CommandDefinition, flags: Flags): void {
  const allowed = new Set(flagNamesOf(command));
  for (const [name, value] of flags) {
    if (!allowed.has(name)) {
      throw usage(
        `--${name} is no flag of \`looplia ${command.name}\`.`,
        `see \`looplia help ${command.name}\``,
      );
    }
    if (name === "file") line.file = String(value);
    else if (name === "agent") takeAgent(line, flags, String(value));
    else if (!NO_SETTINGS.has(name)) takeSetting(line, name, value);
  }
}

/** A short name of `schedule`. */
function takeAgent(line: CommandLine, flags: Flags, name: string): void {
  if (flags.has("schedule")) throw usage("--agent says the same as --schedule.", "give only one of them");
  line.overrides.schedule = name;
}

const NO_SETTINGS = new Set(["json", "comment", "follow"]);

function takeSetting(line: CommandLine, name: string, value: string | boolean | string[]): void {
  const isNegative = value === true && name.startsWith("no-");
  line.overrides[isNegative ? name.slice(3) : name] = isNegative ? false : value;
}

function takeArguments(
  line: CommandLine,
  positionals: string[],
  flags: Flags,
  isFolder: (path: string) => boolean,
): void {
  if (line.command === "answer") {
    const comment = flags.get("comment");
    line.answer = takeAnswer(positionals, typeof comment === "string" ? comment : undefined);
    return;
  }
  const [first] = positionals;
  if (first === undefined) return;
  const isDemo = line.command === "demo" && (first === "content" || first === "tasks");
  const isTopic =
    isDemo ||
    line.command === "help" ||
    line.command === "ls" ||
    line.command === "report" ||
    (line.command === "status" && !isFolder(first));
  if (isTopic) line.topic = positionals.shift() ?? "";
}

function takeAnswer(positionals: string[], comment: string | undefined): NonNullable<CommandLine["answer"]> {
  const form = "write `looplia answer <interaction-id> approve|reject|choose <option>|input <text>`";
  const [interactionId, verb, value] = positionals;
  if (!interactionId) throw usage("`answer` needs the id of a question.", form);
  if (!verb) throw usage("`answer` needs an answer.", form);
  positionals.splice(0, 2);
  const remark = comment === undefined ? {} : { comment };
  if (verb === "approve" || verb === "reject") {
    return { interactionId, answer: { selectedOptionId: verb, ...remark } };
  }
  if (verb !== "choose" && verb !== "input") {
    const suggestion = suggestName(verb, ["approve", "reject", "choose", "input"]);
    throw usage(`There is no answer ${JSON.stringify(verb)}.`, suggestion ?? form);
  }
  if (value === undefined)
    throw usage(`\`${verb}\` needs ${verb === "choose" ? "an option" : "a text"}.`, form);
  positionals.shift();
  const said = verb === "choose" ? { selectedOptionId: value } : { inputValue: value };
  return { interactionId, answer: { ...said, ...remark } };
}

function takeFolder(
  line: CommandLine,
  command: CommandDefinition,
  positionals: string[],
  isFolder: (path: string) => boolean,
): void {
  const [folder, ...more] = positionals;
  if (folder === undefined) return;
  const [extra] = command.takesFolder ? more : [folder];
  if (extra !== undefined) {
    throw usage(
      `${JSON.stringify(extra)} is one argument too many for \`looplia ${command.name}\`.`,
      command.name === "answer" ? "quote a text of several words; a remark is --comment" : undefined,
    );
  }
  if (!isFolder(folder)) {
    throw usage(`There is no folder ${folder}.`, "the last argument is the folder of the repository");
  }
  line.folder = folder;
}

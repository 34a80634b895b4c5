// Parses command line arguments.
import { parseArgs } from "node:util";
import { suggestName } from "../config/diagnostics.ts";
import { LoopliaError } from "../core/errors.ts";
import type { InteractionAnswer } from "../core/interaction.ts";
import {
  type CommandDefinition,
  type CommandName,
  commandsByName,
  type FlagDefinition,
  flagNamesOf,
  flagsByName,
} from "./commands-table.ts";

/** A folder of prompts that override the program's own, and whether to print each rendered prompt. */
export type PromptOverride = { folder?: string; isPrinted: boolean };

// Splits a command line into flags with values and positional arguments.

type Flags = Map<string, string | boolean | string[]>;

const SHORT_FORMS = new Map([
  ["-h", "--help"],
  ["-v", "version"],
  ["--version", "version"],
]);

/** Independent of commands. Throws LoopliaError `config-invalid` for an unknown flag or a wrong value. */
function readTokens(argv: readonly string[]): { flags: Flags; positionals: string[] } {
  const options = Object.fromEntries(
    [...flagsByName.values()].map((flag) => [
      flag.name,
      { type: flag.value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const args = argv.map((argument) => SHORT_FORMS.get(argument) ?? argument);
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true, allowPositionals: true });
  const flags: Flags = new Map();
  const positionals: string[] = [];
  let before: FlagDefinition | undefined;
  for (const token of tokens) {
    const last = before;
    before = undefined;
    if (token.kind === "positional") {
      if (last?.takesTruth && isTruth(token.value)) flags.set(last.name, token.value === "true");
      else positionals.push(token.value);
    }
    if (token.kind !== "option") continue;
    const flag = flagsByName.get(token.name);
    if (!flag) throw usage(`Unknown flag ${token.rawName}.`, suggestFlag(token.name));
    addFlag(flags, flag, token.value, token.inlineValue === true);
    if (token.inlineValue !== true) before = flag;
  }
  return { flags, positionals };
}

function isTruth(value: string): boolean {
  return value === "true" || value === "false";
}

function addFlag(flags: Flags, flag: FlagDefinition, value: string | undefined, isInline: boolean): void {
  if (flag.takesEntries && value !== undefined && !isTruth(value)) {
    addEntry(flags, flag, value);
    return;
  }
  if (flag.value === undefined) {
    if (value !== undefined && !(flag.takesTruth && isTruth(value))) {
      throw usage(
        `--${flag.name} takes ${flag.takesTruth ? "only true or false" : "no value"}.`,
        `write --${flag.name}, or --no-${flag.name} where there is one`,
      );
    }
    flags.set(flag.name, value !== "false");
    return;
  }
  if (value === undefined || (!isInline && value.startsWith("-") && value.length > 1)) {
    throw usage(`--${flag.name} needs a value.`, `write --${flag.name}=<${flag.value}>`);
  }
  if (flag.isRepeatable) addEntry(flags, flag, value);
  else flags.set(flag.name, value);
}

function addEntry(flags: Flags, { name }: FlagDefinition, value: string): void {
  const earlier = flags.get(name);
  flags.set(name, [...(Array.isArray(earlier) ? earlier : []), value]);
}

function suggestFlag(name: string): string {
  const suggestion = suggestName(name, flagsByName.keys());
  return suggestion?.replace(/"(.+)"/, '"--$1"') ?? "`looplia help <command>` lists the flags";
}

/** An error of usage. */
function usage(message: string, hint: string | undefined): LoopliaError {
  return new LoopliaError("config-invalid", message, hint === undefined ? {} : { hint });
}

// Parses arguments to a command with its settings; a usage error says what to write instead.

export type CommandLine = {
  command: CommandName;
  /** False: `run` is only the default. */
  isNamed: boolean;
  isHelp: boolean;
  isJson: boolean;
  /** `report --html` */
  isHtml?: true;
  /** `tail --follow` */
  isFollowing: boolean;
  /** Settings by their name, as given. */
  overrides: Record<string, string | boolean | string[]>;
  file?: string;
  /** Folder of the repository, as given. */
  folder?: string;
  /** `audit verify --export` */
  exportTo?: string;
  /** `replay --record` */
  recordTo?: string;
  /** `status`, `ls` and `help`: the session, status or command in question. */
  topic?: string;
  answer?: { interactionId: string; answer: InteractionAnswer };
  /** `init --articles --tasks` */
  purposes?: ("articles" | "tasks")[];
  /** `init --claude --codex` */
  programs?: ("claude" | "codex")[];
  /** `init --ref` */
  ref?: string;
  /** `answer revoke`: the number of a standing approval, and optionally its work. */
  revoke?: { number: number; workId?: string };
  ui?: "none" | "tui";
  /** Only for developers. */
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
    ...(flags.get("html") === true ? { isHtml: true } : {}),
  };
  if (line.isHelp) return line;
  takeFlags(line, command, flags);
  takeArguments(line, positionals, flags, isFolder);
  takeFolder(line, command, positionals, isFolder);
  return line;
}

/** The first argument if it is a command, else `run`; a folder alone is the folder to run in. */
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
      `Unknown command ${JSON.stringify(first)}, and no folder of that name.`,
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
    if (name === "articles" || name === "tasks") line.purposes = [...(line.purposes ?? []), name];
    else if (name === "claude" || name === "codex") line.programs = [...(line.programs ?? []), name];
    else if (name === "file") line.file = String(value);
    else if (name === "ref") line.ref = String(value);
    else if (name === "export") line.exportTo = String(value);
    else if (name === "record") line.recordTo = String(value);
    else if (name === "ui") line.ui = takeUi(value);
    else if (name === "agent") takeAgent(line, flags, String(value));
    else if (!NO_SETTINGS.has(name)) takeSetting(line, name, value);
  }
}

function takeUi(value: string | boolean | string[]): "none" | "tui" {
  if (value === "none" || value === "tui") return value;
  throw usage(
    `--ui takes none or tui, not ${JSON.stringify(value)}.`,
    suggestName(String(value), ["none", "tui"]),
  );
}

/** `--agent` is short for `--schedule`. */
function takeAgent(line: CommandLine, flags: Flags, name: string): void {
  if (flags.has("schedule")) throw usage("--agent says the same as --schedule.", "give only one of them");
  line.overrides.schedule = name;
}

const NO_SETTINGS = new Set(["json", "html", "comment", "export", "record", "follow"]);

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
    if (positionals[0] === "revoke") {
      line.revoke = takeRevocation(positionals);
      return;
    }
    line.answer = takeAnswer(positionals, typeof comment === "string" ? comment : undefined);
    return;
  }
  if (line.command === "audit" && positionals.shift() !== "verify") {
    throw usage("`audit` needs a subcommand.", "write `looplia audit verify <what>`");
  }
  const [first] = positionals;
  if (first === undefined) return;
  const isDemo = line.command === "demo" && (first === "content" || first === "tasks");
  const isTopic =
    isDemo ||
    line.command === "help" ||
    line.command === "ls" ||
    line.command === "report" ||
    line.command === "replay" ||
    line.command === "audit" ||
    (line.command === "status" && !isFolder(first));
  if (isTopic) line.topic = positionals.shift() ?? "";
}

function takeRevocation(positionals: string[]): NonNullable<CommandLine["revoke"]> {
  const [, given = ""] = positionals.splice(0, 2);
  const [, workId, number] = /^(?:([a-z0-9][a-z0-9-]{0,80})\/)?([1-9]\d{0,8})$/.exec(given) ?? [];
  if (number === undefined) {
    throw usage("`revoke` needs the number of a standing approval.", "`looplia status` lists them");
  }
  return { number: Number(number), ...(workId === undefined ? {} : { workId }) };
}

function takeAnswer(positionals: string[], comment: string | undefined): NonNullable<CommandLine["answer"]> {
  const form = "write `looplia answer <interaction-id> approve [always]|reject|choose <option>|input <text>`";
  const [interactionId, verb, value] = positionals;
  if (!interactionId) throw usage("`answer` needs the id of a question.", form);
  if (!verb) throw usage("`answer` needs an answer.", form);
  positionals.splice(0, 2);
  const remark = comment === undefined ? {} : { comment };
  if (verb === "approve" || verb === "reject") {
    const isAlways = verb === "approve" && value === "always";
    if (isAlways) positionals.shift();
    return {
      interactionId,
      answer: { selectedOptionId: verb, ...(isAlways ? { always: true } : {}), ...remark },
    };
  }
  if (verb !== "choose" && verb !== "input") {
    const suggestion = suggestName(verb, ["approve", "reject", "choose", "input"]);
    throw usage(`Unknown answer ${JSON.stringify(verb)}.`, suggestion ?? form);
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
      `${JSON.stringify(extra)} is an extra argument for \`looplia ${command.name}\`.`,
      command.name === "answer"
        ? "quote a text of several words; a remark is --comment"
        : `see \`looplia help ${command.name}\``,
    );
  }
  if (!isFolder(folder)) {
    throw usage(`There is no folder ${folder}.`, "the last argument is the folder of the repository");
  }
  line.folder = folder;
}

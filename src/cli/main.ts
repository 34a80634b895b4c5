// The command line from arguments to exit code.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { printedJson, toPlainText } from "../core/json.ts";
import { failureJson } from "../publish/summary.ts";
import { type CommandLine, type PromptOverride, parseArguments } from "./arguments.ts";
import { exitCodeOf } from "./result.ts";
import { runSubcommand } from "./run.ts";
import { colorsFor, columnsOf, type Surface, type Wiring } from "./surface.ts";

/** Runs one command and returns its exit code. Never throws: an unexpected failure is shown as a bug. */
export async function main(
  argv: readonly string[],
  surface: Surface,
  loadWiring: () => Promise<Wiring>,
): Promise<number> {
  const isJson = argv.includes("--json");
  try {
    const taken = takeDeveloperFlags(argv, surface.environment);
    const line = parseArguments(taken.argv, (path) => isFolder(resolve(surface.cwd, path)));
    if (taken.prompts) line.prompts = taken.prompts;
    return await runLine(line, surface, loadWiring);
  } catch (thrown) {
    if (thrown instanceof LoopliaError) return showError(thrown, isJson, surface);
    surface.stderr.write(
      `This is a bug in looplia: ${String(thrown instanceof Error ? thrown.stack : thrown)}\n`,
    );
    if (isJson) surface.stdout.write(printedJson(failureJson({ status: "failed", reasonCode: "bug" })));
    return 1;
  }
}

/** Takes `--prompt-dir` and `--print-prompt` out of the arguments, only with `LOOPLIA_PROMPT_MODE=dev`. */
function takeDeveloperFlags(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): { argv: string[]; prompts?: PromptOverride } {
  if (environment.LOOPLIA_PROMPT_MODE !== "dev") return { argv: [...argv] };
  const left: string[] = [];
  const prompts: PromptOverride = { isPrinted: false };
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? "";
    if (argument === "--print-prompt") prompts.isPrinted = true;
    else if (argument === "--prompt-dir" || argument.startsWith("--prompt-dir=")) {
      const isApart = argument === "--prompt-dir";
      const folder = isApart ? argv[at + 1] : argument.slice("--prompt-dir=".length);
      if (isApart) at += 1;
      if (!folder)
        throw new LoopliaError("config-invalid", "--prompt-dir needs a value.", { hint: "name a folder" });
      prompts.folder = folder;
    } else left.push(argument);
  }
  return { argv: left, prompts };
}

/**
 * One bundle file contains everything that `run` needs before its first model request, because each further
 * file delays that request by milliseconds. The rest is loaded on demand.
 */
async function runLine(
  line: CommandLine,
  surface: Surface,
  loadWiring: () => Promise<Wiring>,
): Promise<number> {
  if (line.isHelp || line.command === "help") {
    const { helpText } = await import("./help.ts");
    const topic = line.isHelp && line.isNamed ? line.command : line.topic;
    surface.stdout.write(`${helpText(topic, columnsOf(surface.stdout))}\n`);
    return 0;
  }
  if (line.command === "tail") return (await import("./read.ts")).tailCommand(line, surface);
  const command = line.revoke ? COMMANDS.revoke : COMMANDS[line.command];
  return (await command())(line, surface, await loadWiring());
}

type Command = (line: CommandLine, surface: Surface, wiring: Wiring) => number | Promise<number>;

const COMMANDS: Record<
  Exclude<CommandLine["command"], "help" | "tail"> | "revoke",
  () => Command | Promise<Command>
> = {
  run: () => runSubcommand,
  plan: () => runSubcommand,
  answer: () => runSubcommand,
  revoke: async () => (await import("./read.ts")).revokeCommand,
  demo: async () => (await import("./demo.ts")).demoCommand,
  status: async () => (await import("./status.ts")).statusCommand,
  ls: async () => (await import("./status.ts")).lsCommand,
  report: async () => (await import("./read.ts")).reportCommand,
  replay: async () => (await import("./read.ts")).replayCommand,
  audit: async () => (await import("./read.ts")).auditCommand,
  expire: async () => (await import("./read.ts")).expireCommand,
  init: async () => (await import("./init.ts")).initCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  version: async () => (await import("./read.ts")).versionCommand,
};

function showError(error: LoopliaError, isJson: boolean, surface: Surface): number {
  const { red, dim } = colorsFor(surface, surface.stderr);
  surface.stderr.write(`${red("error:")} ${toPlainText(error.message)}\n`);
  if (error.hint) surface.stderr.write(`${dim(toPlainText(error.hint))}\n`);
  const code = exitCodeOfError(error);
  const status = code === 4 ? "stopped" : code === 0 ? "ignored" : "failed";
  const failed = { status, reasonCode: error.code, message: error.message };
  if (isJson) surface.stdout.write(printedJson(failureJson(failed)));
  return code;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The exit code for an expected failure of the whole run. */
function exitCodeOfError(error: LoopliaError): number {
  if (error.code === "interrupted" || error.code === "deadline" || error.code === "cost-limit") return 4;
  if (error.code === "busy" || error.code === "lost-race") return 0;
  return exitCodeOf({ status: "failed", reasonCode: error.code });
}

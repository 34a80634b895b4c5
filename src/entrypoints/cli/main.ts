// The command line from arguments to exit code.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { LoopliaError } from "../../errors.ts";
import { failureJson } from "../../publish/outputs.ts";
import { toPlainText } from "../../session/plain-text.ts";
import { takeDeveloperFlags } from "./developer-flags.ts";
import { type CommandLine, parseArguments } from "./parse-arguments.ts";
import { runCommand } from "./run-command.ts";
import { exitCodeOfError } from "./show-result.ts";
import { colorsFor, type Surface } from "./surface.ts";
import { columnsOf } from "./terminal-size.ts";
import type { Wiring } from "./wiring.ts";

const EXIT_FAILED = 1;

/** Runs one command and returns its exit code. Never throws: what is no expected failure is shown as a bug. */
export async function main(
  argv: readonly string[],
  surface: Surface,
  loadWiring: () => Promise<Wiring>,
): Promise<number> {
  try {
    const taken = takeDeveloperFlags(argv, surface.environment);
    const line = parseArguments(taken.argv, (path) => isFolder(resolve(surface.cwd, path)));
    if (taken.prompts) line.prompts = taken.prompts;
    return await runLine(line, surface, loadWiring);
  } catch (thrown) {
    if (thrown instanceof LoopliaError) return showError(thrown, argv.includes("--json"), surface);
    surface.stderr.write(
      `This is a bug in looplia: ${String(thrown instanceof Error ? thrown.stack : thrown)}\n`,
    );
    if (argv.includes("--json")) printJson(surface, failureJson({ status: "failed", reasonCode: "bug" }));
    return EXIT_FAILED;
  }
}

/**
 * What `run` needs up to its first model request is loaded at once, in one file; the rest when it is asked for, because
 * each file more costs that request milliseconds.
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
  switch (line.command) {
    case "run":
    case "answer":
      return runCommand(line, surface, await loadWiring());
    case "demo":
      return (await import("./demo.ts")).demoCommand(line.topic, surface, await loadWiring());
    case "status":
      return (await import("./status.ts")).statusCommand(line, surface, await loadWiring());
    case "ls":
      return (await import("./ls.ts")).lsCommand(line, surface, await loadWiring());
    case "tail":
      return (await import("./tail.ts")).tailCommand(line, surface);
    case "report":
      return (await import("./report.ts")).reportCommand(line, surface, await loadWiring());
    case "init":
      return (await import("./init.ts")).initCommand(line, surface, await loadWiring());
    case "doctor":
      return (await import("./doctor.ts")).doctorCommand(line, surface, await loadWiring());
    case "version":
      return (await import("./version.ts")).versionCommand(line, surface, await loadWiring());
  }
}

function showError(error: LoopliaError, isJson: boolean, surface: Surface): number {
  const { red, dim } = colorsFor(surface, surface.stderr);
  surface.stderr.write(`${red("error:")} ${toPlainText(error.message)}\n`);
  if (error.hint) surface.stderr.write(`${dim(toPlainText(error.hint))}\n`);
  const code = exitCodeOfError(error);
  const status = code === 4 ? "stopped" : code === 0 ? "ignored" : "failed";
  if (isJson) printJson(surface, failureJson({ status, reasonCode: error.code, message: error.message }));
  return code;
}

function printJson(surface: Surface, value: unknown): void {
  surface.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

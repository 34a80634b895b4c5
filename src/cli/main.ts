// The command line from arguments to exit code.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { printedJson, toPlainText } from "../core/json.ts";
import { failureJson } from "../publish/summary.ts";
import { type CommandLine, parseArguments, takeDeveloperFlags } from "./arguments.ts";
import { exitCodeOfError } from "./result.ts";
import { runSubcommand } from "./run.ts";
import { colorsFor, columnsOf, type Surface, type Wiring } from "./surface.ts";

const EXIT_FAILED = 1;

/** Runs one command and returns its exit code. Never throws: an unexpected failure is shown as a bug. */
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
  switch (line.command) {
    case "run":
    case "plan":
      return runSubcommand(line, surface, await loadWiring());
    case "answer": {
      const { revoke } = line;
      if (!revoke) return runSubcommand(line, surface, await loadWiring());
      const { revokeCommand } = await import("./standing.ts");
      return revokeCommand({ ...line, revoke }, surface, await loadWiring());
    }
    case "demo":
      return (await import("./demo.ts")).demoCommand(line, surface, await loadWiring());
    case "status":
      return (await import("./status.ts")).statusCommand(line, surface, await loadWiring());
    case "ls":
      return (await import("./status.ts")).lsCommand(line, surface, await loadWiring());
    case "tail":
      return (await import("./status.ts")).tailCommand(line, surface);
    case "report":
      return (await import("./status.ts")).reportCommand(line, surface, await loadWiring());
    case "replay":
      return (await import("./status.ts")).replayCommand(line, surface, await loadWiring());
    case "audit":
      return (await import("./read.ts")).auditCommand(line, surface, await loadWiring());
    case "expire":
      return (await import("./standing.ts")).expireCommand(line, surface, await loadWiring());
    case "init":
      return (await import("./init.ts")).initCommand(line, surface, await loadWiring());
    case "doctor":
      return (await import("./doctor.ts")).doctorCommand(line, surface, await loadWiring());
    case "version":
      return (await import("./status.ts")).versionCommand(line, surface, await loadWiring());
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
  surface.stdout.write(printedJson(value));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

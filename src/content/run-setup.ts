// `setup`: the commands of the trusted ref that make a fresh worktree usable, before the first task.
import { LoopliaError } from "../errors.ts";
import type { Observer, Workspace } from "../ports.ts";

/** One command; installing takes minutes. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_OUTPUT = 100_000;
const SHOWN = 2_000;

/**
 * Runs the lines in order, isolated like any command; `network: npm ci` gives that one the network. Throws
 * `config-invalid` with the end of its output at the first that fails, and the signal's reason when it is aborted.
 */
export async function runSetup(
  workspace: Workspace,
  lines: readonly string[],
  around: { observe: Observer; signal: AbortSignal },
): Promise<void> {
  const { observe, signal } = around;
  const commands = lines.map(parseLine).filter(({ command }) => command !== "");
  for (const { command, network } of commands) {
    const message = `setup: ${command}${network ? " (with network)" : ""}`;
    observe({ type: "notice", level: "info", message });
    const result = await workspace.run(command, {
      timeoutMs: TIMEOUT_MS,
      maxOutput: MAX_OUTPUT,
      signal,
      ...(network ? { network } : {}),
    });
    signal.throwIfAborted();
    if (result.exitCode === 0) continue;
    const how = result.timedOut
      ? `did not end within ${TIMEOUT_MS / 60_000} minutes`
      : `failed with exit code ${result.exitCode ?? "none"}`;
    throw new LoopliaError(
      "config-invalid",
      `The setup command \`${command}\` ${how}:\n${tailOf(result.output)}`,
      {
        hint: "mend `setup` in looplia.yml on the default branch; write `network: ` before what must download",
      },
    );
  }
}

function parseLine(line: string): { command: string; network: boolean } {
  const marked = /^\s*network:\s+(.*)$/s.exec(line);
  return { command: (marked?.[1] ?? line).trim(), network: marked !== null };
}

function tailOf(output: string): string {
  return output.trimEnd().slice(-SHOWN).toWellFormed() || "(no output)";
}

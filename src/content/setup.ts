// Runs `setup`, and reports sessions whose folder was removed.

import { lookAt } from "../agent/job.ts";
import type { SessionView } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { Observer, Workspace } from "../core/ports.ts";
import type { Result } from "../core/result.ts";
import { isUnderWay } from "../core/state.ts";
import { tellExceeded } from "../tools/run-command.ts";
import { hasSession } from "./folder.ts";
import type { ContentPorts, ContentSettings } from "./ports.ts";
import { bareItem } from "./result.ts";

/** The stored session; undefined if its folder exists or nothing is stored. */
export async function lookAtRemoved(
  ports: Pick<ContentPorts, "workspace" | "stores">,
  sessionId: string,
): Promise<SessionView | undefined> {
  return (await hasSession(ports.workspace, sessionId)) ? undefined : lookAt(ports, sessionId);
}

/**
 * The result of a session that people ended by removing its folder, which is no failure. Throws `config-invalid` if a
 * task of the session is under way or somebody asked for the session (`isWanted`).
 */
export function tellRemoved(
  sessionId: string,
  settings: ContentSettings,
  { state, totals }: SessionView,
  isWanted: boolean,
): Result {
  if (isUnderWay(state) || isWanted) {
    throw new LoopliaError(
      "config-invalid",
      `the folder of session ${sessionId} is no longer on the branch`,
      {
        hint: `restore it (\`git revert\`, or push the branch as it was), or end the session: /cancel ${sessionId}`,
      },
    );
  }
  const message = state.canceled?.reason ?? "its folder was removed from the branch";
  return {
    ...bareItem(sessionId, settings, { status: "stopped", reasonCode: "closed", message }),
    sessionId,
    usage: totals.usage,
    costUsd: totals.unpriced ? null : totals.costUsd,
  };
}

// `setup`: the commands of the trusted ref that make a fresh worktree usable, before the first task.

/** Per command; installing packages takes minutes. */
const TIMEOUT_MS = 15 * 60_000;
const MAX_OUTPUT = 100_000;
const SHOWN = 2_000;

/**
 * Runs the commands in order, isolated like any command; `network: npm ci` gives only that command network access.
 * Stops at the first failure with `config-invalid` and the end of the command's output. Throws the signal's reason on
 * abort.
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
    const how = result.exceeded
      ? `was stopped: ${tellExceeded(result.exceeded)}`
      : result.timedOut
        ? `did not end within ${TIMEOUT_MS / 60_000} minutes`
        : `failed with exit code ${result.exitCode ?? "none"}`;
    throw new LoopliaError(
      "config-invalid",
      `The setup command \`${command}\` ${how}:\n${tailOf(result.output)}`,
      {
        hint: "fix `setup` in looplia.yml on the default branch; put `network: ` before a command that downloads",
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

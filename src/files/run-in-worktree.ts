// Runs a command in the worktree, with what must be known before and restored after.
import type { CommandResult, PutBack, Workspace } from "../core/ports.ts";
import type { Redact } from "../core/redaction.ts";
import type { Isolator } from "../sandbox/isolation.ts";
import { standardLimits } from "../sandbox/limits.ts";
import { findOwnTool, writableFolders } from "../sandbox/own-tools.ts";
import type { RuleFiles } from "../sandbox/rule-files.ts";

type CommandPlace = {
  root: string;
  environment: Record<string, string>;
  redact: Redact;
  /** Without it commands run as this process can. */
  isolator: Isolator | undefined;
  /** Without them a command may change every file. */
  rules: RuleFiles | undefined;
};

/** Runs it as `Workspace.run` promises. Whatever becomes of it, `notify` is told what was put back. */
export async function runInWorktree(
  command: string,
  limits: Parameters<Workspace["run"]>[1],
  place: CommandPlace,
  notify: (putBack: PutBack) => void,
): Promise<CommandResult> {
  const { root, environment, isolator, rules } = place;
  // Before the first command: what a command leaves is never taken for it.
  findOwnTool("git", environment.PATH ?? "", writableFolders(root));
  const held = rules?.hold(isolator?.isolation.kind === "bubblewrap");
  const release = (): PutBack | undefined => {
    const putBack = held?.release();
    if (putBack) notify(putBack);
    return putBack;
  };
  let result: CommandResult;
  try {
    result = await runLaunched(command, limits, place, held?.mounts ?? []);
  } catch (error) {
    release();
    throw error;
  }
  const putBack = release();
  return putBack ? { ...result, putBack } : result;
}

async function runLaunched(
  command: string,
  limits: Parameters<Workspace["run"]>[1],
  { root, environment, redact, isolator }: CommandPlace,
  kept: readonly string[],
): Promise<CommandResult> {
  const { runCommand } = await import("../sandbox/run.ts");
  const bare = { before: [], environment, setUp: "", limits: standardLimits(), finish: () => {} };
  const launch = (await isolator?.launch(limits.network, kept)) ?? bare;
  try {
    const own = { ...launch, environment: { ...launch.environment, ...limits.variables } };
    return await runCommand(command, { folder: root, launch: own, redact }, limits);
  } finally {
    launch.finish();
  }
}

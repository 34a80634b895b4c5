// Runs a command in the worktree, with the checks before it and the restoration after it.
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
  /** Without it commands run with this process's rights. */
  isolator: Isolator | undefined;
  /** Without it a command may change every file. */
  rules: RuleFiles | undefined;
};

/** Runs a command as `Workspace.run` promises. However it ends, `notify` learns which files were restored. */
export async function runInWorktree(
  command: string,
  limits: Parameters<Workspace["run"]>[1],
  place: CommandPlace,
  notify: (putBack: PutBack) => void,
): Promise<CommandResult> {
  const { root, environment, isolator, rules } = place;
  // Before the first command, so that no file of a command is taken for git.
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

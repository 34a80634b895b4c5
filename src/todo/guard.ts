// Agents work in the repository, the program keeps the to-do file: an agent's own edit of it is undone and reported.
import { LoopliaError } from "../errors.ts";
import type { CommandResult, HeldFile, Ids, ToolFiles, Workspace } from "../ports.ts";
import { look, putBack } from "./put-back.ts";

export type Guard = {
  path: string;
  /**
   * Told of an edit that was undone; `discarded` is what the file had become, undefined when it was none any more. What
   * comes while a command runs may be somebody else's: nobody can tell.
   */
  onUndone(discarded: Uint8Array | undefined, by: "edit" | "command"): Promise<void>;
  /** Told before each act. */
  beforeAct(): Promise<void>;
  /** Called while a command runs: what others bring of the file meanwhile stands. */
  hold(): HeldFile | undefined;
  /** What commands get in their environment beside what all get. */
  variables(): Readonly<Record<string, string>>;
};

const ADVICE = "Its states are the program's: say how your task ended with reportSummary.";

/** Where what agents made of the list is kept. */
export function undoneName(ids: Ids): string {
  return `undone-${ids.hex(4)}.json`;
}

/** The workspace as agents of the task loop have it. */
export function guardTodo(workspace: Workspace, guard: Guard): Workspace {
  const undo = async (before: Uint8Array | undefined, by: "edit" | "command"): Promise<boolean> => {
    const found = await look(workspace, guard.path);
    const after = found === "strange" ? undefined : found;
    const isSame = before && after ? Buffer.compare(before, after) === 0 : before === found;
    if (isSame) return false;
    await putBack(workspace, guard.path, before);
    await guard.onUndone(after, by);
    return true;
  };
  const forTools: ToolFiles = {
    ...workspace.forTools,
    async writeText(path, text, place) {
      await guard.beforeAct();
      const before = await workspace.read(guard.path);
      await workspace.forTools.writeText(path, text, place);
      if (await undo(before, "edit")) throw refused(guard.path);
    },
  };
  const { root, read, writeAtomic, remove, list, snapshot, requireWritable } = workspace;
  return {
    ...{ root, read, writeAtomic, remove, list, snapshot, requireWritable, forTools },
    // Found out at the first look, which costs a moment.
    get isolation() {
      return workspace.isolation;
    },
    get variables() {
      return guard.variables();
    },
    async run(command, options) {
      await guard.beforeAct();
      const variables = { ...options.variables, ...guard.variables() };
      const held = guard.hold();
      try {
        const before = await workspace.read(guard.path);
        const run = workspace.run(command, { ...options, variables });
        await run.catch(() => undefined);
        const brought = held?.brought();
        const isUndone = await undo(brought ? brought.bytes : before, "command");
        return withAdvice(await run, isUndone, guard.path);
      } finally {
        held?.release();
      }
    },
  };
}

function withAdvice(result: CommandResult, isUndone: boolean, path: string): CommandResult {
  if (!isUndone) return result;
  return { ...result, output: `${result.output}\n[${path} was changed, which was undone. ${ADVICE}]` };
}

function refused(path: string): LoopliaError {
  return new LoopliaError("config-invalid", `${path} was not changed: only the program writes it.`, {
    hint: ADVICE,
  });
}

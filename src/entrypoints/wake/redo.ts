// What is done again where a person pushed over the files of a session and wants the session's work there. Pure.
import { authorsOf } from "../../session/conflict.ts";
import type { ConflictFile } from "../../session/interaction.ts";
import type { TaskState } from "../../session/state.ts";
import type { WorkKind } from "../action/choose-work.ts";
import type { StoredSession } from "../action/wiring.ts";

/**
 * `names`: outputs, or tasks of a list, to be made again; none where all of it is in the session's own folder, for a step
 * whose artifact was changed runs again by itself. `isGuess`: which of them made some of the files is not known, so the
 * one begun last is among them.
 */
export type Redo = { names: string[]; isGuess: boolean };

export function redoOf(
  { sessionId, state }: Pick<StoredSession, "sessionId" | "state">,
  files: readonly ConflictFile[],
  kind: WorkKind,
): Redo {
  const elsewhere = files.filter((file) => !isInFolder(file, sessionId));
  if (elsewhere.length === 0) return { names: [], isGuess: false };
  // What leads a session, or makes the list itself, is no step of it.
  const isStep = ({ outputs }: TaskState) => outputs.length > 0 === (kind === "content");
  const { tasks, unknown } = authorsOf(state, elsewhere);
  const isGuess = unknown || !tasks.every(isStep);
  const all = [...state.tasks.values()].filter(isStep);
  const chosen = all.filter((task) => tasks.includes(task) || (isGuess && task === all.at(-1)));
  return { names: chosen.map(({ taskId, outputs: [first] }) => first ?? taskId), isGuess };
}

/** Whether a file is in a session's own folder, where its artifacts are. */
export function isInFolder({ path }: Pick<ConflictFile, "path">, sessionId: string): boolean {
  return path.split("/").slice(0, -1).includes(sessionId);
}

// Files that a person pushed while a run changed them as well: theirs stand, and the session waits for a person's word.
import type { ConflictFile } from "./interaction.ts";
import type { InteractionState, State } from "./state.ts";

export type ConflictAnswer = "keep" | "redo" | "stop";

/** True while nobody has said what becomes of such files: nothing of the session goes on. */
export function waitsForConflict(state: State): boolean {
  return conflictsOf(state).some(({ response, closed }) => !response && !closed);
}

/** Files whose other version stays: so it was chosen, or nobody chose anything else. */
export function keptFiles(state: State): ConflictFile[] {
  return conflictsOf(state)
    .filter(({ response, closed }) => closed || (response && !isUndone(response.selectedOptionId)))
    .flatMap(({ request }) => request.conflict ?? []);
}

/** Those of `files` that no request of these sessions asks about. */
export function unaskedFiles(states: readonly State[], files: readonly ConflictFile[]): ConflictFile[] {
  const requests = states.flatMap(conflictsOf).map(({ request }) => request);
  const asked = new Set(requests.flatMap(({ conflict }) => conflict?.map(nameOf) ?? []));
  return files.filter((file) => !asked.has(nameOf(file)));
}

function conflictsOf(state: State): InteractionState[] {
  return [...state.interactions.values()].filter(({ request }) => request.conflict !== undefined);
}

function isUndone(answer: string | undefined): boolean {
  return answer === "redo" || answer === "stop";
}

function nameOf({ commit, path }: ConflictFile): string {
  return `${commit}:${path}`;
}

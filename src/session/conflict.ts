// Files that a person pushed while a run changed them as well: theirs stand, and the session waits for a person's word.
import type { ConflictFile } from "./interaction.ts";
import { showUnseen } from "./plain-text.ts";
import type { InteractionState, State, TaskState } from "./state.ts";

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

/**
 * Tasks whose tools left one of these files as the run had it, in the order in which they were first begun; `unknown`: a
 * file among them is nobody's that is known here, for example a command's.
 */
export function authorsOf(
  state: State,
  files: readonly ConflictFile[],
): { tasks: TaskState[]; unknown: boolean } {
  const writers = new Map<string, string>();
  for (const [key, { image }] of state.calls) {
    if (image) writers.set(image.after, key.slice(0, key.indexOf("\n")));
  }
  const conversations = new Set(files.map(({ ours = "" }) => writers.get(ours)));
  const owners = new Set([...conversations].map((one) => one && taskOf(state, one)));
  const tasks = [...state.tasks.values()].filter((task) => owners.has(task));
  return { tasks, unknown: owners.has(undefined) };
}

/** Whose conversation it is, of this attempt or an earlier one, or whose subagent's. */
function taskOf({ tasks }: State, conversation: string): TaskState | undefined {
  const owners = [...tasks.values()].filter(({ taskId, conversationId }) => {
    const attempt = conversation.startsWith(`${taskId}#`) ? conversation.slice(taskId.length + 1) : "";
    return `${conversation}/`.startsWith(`${conversationId}/`) || /^\d+(?:\/|$)/.test(attempt);
  });
  return owners.toSorted((one, other) => other.conversationId.length - one.conversationId.length)[0];
}

/**
 * The files, one a line each whatever is in their names, as many as `room` characters take when they are shown; then how
 * many more there are, and which commits have them all.
 */
export function listFiles(
  files: readonly ConflictFile[],
  room: number,
): { shown: string[]; more?: { count: number; commits: string[] } } {
  const shown: string[] = [];
  let left = room;
  for (const { path, sha256 } of files) {
    const name = /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path;
    const line = sha256 === undefined ? `${name} (removed)` : name;
    left -= showUnseen(line).length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const count = files.length - shown.length;
  if (count === 0) return { shown };
  return { shown, more: { count, commits: [...new Set(files.map(({ commit }) => commit))].slice(-COMMITS) } };
}

/** Merges that a list names: each is a checkpoint's. */
const COMMITS = 3;

function conflictsOf(state: State): InteractionState[] {
  return [...state.interactions.values()].filter(({ request }) => request.conflict !== undefined);
}

function isUndone(answer: string | undefined): boolean {
  return answer === "redo" || answer === "stop";
}

function nameOf({ commit, path }: ConflictFile): string {
  return `${commit}:${path}`;
}

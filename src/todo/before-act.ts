// What agents find before they act: whether they changed anything is judged by the worktree, and an edit of the list by a
// command that was killed is undone by the next run.

import { messageOf } from "../errors.ts";
import { hashContent } from "../session/hash.ts";
import { toolCallsOf } from "../session/message.ts";
import type { SessionView } from "../session/session-view.ts";
import { callKey, isOpen, type State, type TaskState } from "../session/state.ts";
import { undoneName } from "./guard.ts";
import { look, putBack } from "./put-back.ts";
import { notify, type TodoRun } from "./todo-run.ts";

/** The list as it was before the last act, beside the session's stores. */
const KEPT = "to-do.before.json";
const ACTS = new Set(["editFile", "runCommand"]);

/** Called before each act of a task's agent. Stores the worktree's hash before the first, and the list whenever it is another. */
export async function noteBeforeAct(run: TodoRun, { taskId }: TaskState): Promise<void> {
  const { journal, ports, settings } = run;
  const known = journal.state.tasks.get(taskId)?.before;
  const bytes = await ports.workspace.read(settings.todo);
  const list = bytes ? hashContent(bytes) : "";
  if (known?.list === list) return;
  const tree = known?.tree ?? (await treeOf(run));
  // The text first: an event without it would have nothing to put back.
  if (bytes) await ports.log.keepText(journal.sessionId, KEPT, decode(bytes));
  await journal.append({ store: "events", type: "ActAhead", payload: { taskId, tree, list } });
}

/** True where the worktree is another than before the first act, the list aside. */
export async function hasChanged(run: TodoRun, { taskId }: TaskState): Promise<boolean> {
  const before = run.journal.state.tasks.get(taskId)?.before;
  if (before === undefined) return false;
  return before.tree === "" || before.tree !== (await treeOf(run));
}

/** Puts the list back where a call was killed that had changed it; what it had become is kept. */
export async function undoKilledEdit(run: TodoRun): Promise<void> {
  const { ports, settings, journal } = run;
  const killed = findKilled(journal);
  if (!killed?.before) return;
  const kept = await ports.log.readText(journal.sessionId, KEPT);
  if (kept === undefined || hashContent(kept) !== killed.before.list) return;
  const there = await look(ports.workspace, settings.todo);
  const found = there === "strange" ? undefined : there;
  if (found && hashContent(found) === killed.before.list) return;
  const text = found && decode(found);
  const name = undoneName(ports.ids);
  const where = text === undefined ? "" : await ports.log.keepText(journal.sessionId, name, text);
  await putBack(ports.workspace, settings.todo, new TextEncoder().encode(kept));
  const aside = where === "" ? "" : ` What it had become is in ${where}.`;
  notify(
    run,
    "warning",
    `${settings.todo} was changed while ${killed.agent} was killed at it, which was undone.${aside}`,
  );
}

/** The open task in whose act, or an agent's below it, an earlier process died. For sessions that nothing has gone on with. */
export function findKilled({ state, conversations }: Stored): TaskState | undefined {
  return [...state.tasks.values()].find((task) => {
    if (!isOpen(task)) return false;
    const below = `${task.conversationId}/`;
    return [...conversations.values()]
      .filter(({ conversationId: id }) => id === task.conversationId || id.startsWith(below))
      .some(({ conversationId: id, messages }) =>
        messages
          .flatMap(toolCallsOf)
          .some((call) => ACTS.has(call.name) && isInDoubt(state, callKey(id, call.id))),
      );
  });
}

type Stored = Pick<SessionView, "state" | "conversations">;

function isInDoubt(state: State, key: string): boolean {
  const call = state.calls.get(key);
  return call !== undefined && call.outcome === undefined;
}

/** Empty where it can't be told: too many files, for example. The list's own text counts for nothing. */
async function treeOf({ ports, settings }: TodoRun): Promise<string> {
  try {
    return await ports.workspace.snapshot(new Map([[settings.todo, ""]]));
  } catch (error) {
    const message = `whether a task changed anything can't be told: ${messageOf(error)}`;
    ports.observe({ type: "notice", level: "info", message });
    return "";
  }
}

/** Byte order mark and all. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

// The to-do file of the base while a work is open: what people change there is reported, never merged by the program.
import { posix } from "node:path";
import { hashContent } from "../../config/content-hash.ts";
import { readTodo, type TodoReading } from "../../todo/document.ts";
import type { TodoTask } from "../../todo/schema.ts";
import { taskDigest } from "../../todo/task-digest.ts";
import { settle } from "../action/outcome.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Remembers how the list was when the work began. */
export async function rememberBaseList(run: WakeRun, work: WorkInHand): Promise<void> {
  if (run.work.kind !== "tasks" || work.state.baseList !== undefined) return;
  await work.note({ type: "BaseListSeen", payload: { hash: hashOf(await listOf(run)) } });
}

/** Warns of tasks that are new on the base, or read differently there, since the work began. */
export async function reportBaseEdits(run: WakeRun, work: WorkInHand): Promise<void> {
  const { baseList } = work.state;
  const { stateRef } = work;
  if (run.work.kind !== "tasks" || baseList === undefined || stateRef.branchTip === undefined) return;
  const base = await listOf(run);
  if (hashOf(base) === baseList) return;
  const [theirs, ours] = await Promise.all([
    tasksOf(run, base),
    tasksOf(run, await listAt(run, stateRef.branchTip)),
  ]);
  const known = new Map(ours.map((task) => [task.id, taskDigest(task)]));
  const edits = theirs.flatMap((task) => {
    const digest = known.get(task.id);
    if (digest === undefined) return [`${task.id} is new there`];
    return digest === taskDigest(task) ? [] : [`${task.id} reads differently there`];
  });
  if (edits.length === 0) return;
  const { base: name, settings } = run.found;
  const said = `${edits.slice(0, SHOWN).join(", ")}${edits.length > SHOWN ? ", …" : ""}`;
  const message = `${settings.todo} was changed on ${name} since this work began, and nothing of it is merged: ${said}. Merge ${name} into ${run.work.branch}, or change the list there.`;
  run.observe({ type: "notice", level: "warning", message });
}

const SHOWN = 10;

async function listOf({ items, found }: WakeRun): Promise<Uint8Array | undefined> {
  return items.read(posix.normalize(found.settings.todo));
}

async function listAt({ repository, found }: WakeRun, commit: string): Promise<Uint8Array | undefined> {
  const path = posix.join(found.folder, found.settings.todo);
  const file = (await repository.listFiles(commit, found.folder)).find((one) => one.path === path);
  return file && (await repository.readBlobs([file.oid]))[0];
}

/** A list that can't be read has no tasks to tell of. */
async function tasksOf({ found }: WakeRun, bytes: Uint8Array | undefined): Promise<readonly TodoTask[]> {
  if (!bytes) return [];
  const reading = await settle<TodoReading | undefined>(
    () => readTodo(bytes, found.settings.todo),
    () => undefined,
  );
  return reading?.kind === "valid" ? reading.document.file.tasks : [];
}

function hashOf(bytes: Uint8Array | undefined): string {
  return bytes ? hashContent(bytes) : "";
}

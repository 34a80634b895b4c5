// The to-do file of the base while a work is open: what people change there is reported, never merged by the program.
import { posix } from "node:path";
import { hashContent } from "../../session/hash.ts";
import type { BaseList } from "../../session/work-events.ts";
import { readTodo, type TodoReading } from "../../todo/document.ts";
import type { TodoTask } from "../../todo/schema.ts";
import { settle } from "../action/outcome.ts";
import { baseEdits } from "./base-edits.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** Remembers how the list was when the work began. */
export async function rememberBaseList(run: WakeRun, work: WorkInHand): Promise<void> {
  if (run.work.kind !== "tasks" || work.state.baseList !== undefined) return;
  const hash = hashOf(await listOf(run));
  await work.note({ type: "BaseListSeen", payload: { hash, commit: run.found.baseCommit } });
}

/** Warns of what people changed in the base's list since the work began, and the work's own list has not. */
export async function reportBaseEdits(run: WakeRun, work: WorkInHand): Promise<void> {
  const { baseList } = work.state;
  const { stateRef } = work;
  if (run.work.kind !== "tasks" || baseList === undefined || stateRef.branchTip === undefined) return;
  const base = await listOf(run);
  if (hashOf(base) === baseList.hash) return;
  const [before, theirs, ours] = await Promise.all([
    tasksThen(run, baseList),
    tasksOf(run, base),
    tasksOf(run, await listAt(run, stateRef.branchTip)),
  ]);
  const edits = theirs ? baseEdits({ before, theirs, ours: ours ?? [] }) : ["it can't be read there"];
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

/** The base's when the work began; undefined where its commit can't be had any more. */
function tasksThen(run: WakeRun, { commit }: BaseList): Promise<readonly TodoTask[] | undefined> {
  if (commit === undefined) return Promise.resolve(undefined);
  return settle(
    async () => {
      await run.repository.fetchCommit(commit, run.found.base);
      return tasksOf(run, await listAt(run, commit));
    },
    () => undefined,
  );
}

/** None where there is no list; undefined where it can't be read. */
async function tasksOf(
  { found }: WakeRun,
  bytes: Uint8Array | undefined,
): Promise<readonly TodoTask[] | undefined> {
  if (!bytes) return [];
  const reading = await settle<TodoReading | undefined>(
    () => readTodo(bytes, found.settings.todo),
    () => undefined,
  );
  return reading?.kind === "valid" ? reading.document.file.tasks : undefined;
}

function hashOf(bytes: Uint8Array | undefined): string {
  return bytes ? hashContent(bytes) : "";
}

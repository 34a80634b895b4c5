// What a work itself asks people about: its task list on the base, and texts that hold keys.

// Reports changes to the task list on the base while a work is open, and asks whether to take them.
import { readFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { approvedKeys, askedKeys } from "../../agent/kept.ts";
import { MAX_OPEN_QUESTIONS } from "../../agent/session.ts";
import { createBaseEdits, createProgramQuestion } from "../../approval/request.ts";
import type { BaseList } from "../../core/events.ts";
import { hashContent, PROGRAM } from "../../core/json.ts";
import { isPending } from "../../core/state.ts";
import { readTodo, type TodoReading, type TodoTask, taskDigest } from "../../todo/document.ts";
import { takeTasks } from "../../todo/edit.ts";
import { settle, type WakeRun, type WorkInHand } from "../run.ts";
import { startersOf } from "../trigger.ts";
import { originOf, type Takable } from "./conflicts.ts";

type Tasks = readonly TodoTask[];

/**
 * One phrase per changed task. `before`: the base's list when the work began; undefined if its commit is
 * gone.
 */
export function baseEdits(lists: { before: Tasks | undefined; theirs: Tasks; ours: Tasks }): string[] {
  const { theirs } = lists;
  const ours = byId(lists.ours);
  const before = lists.before && byId(lists.before);
  const edits = theirs.flatMap((task) => {
    const { id } = task;
    const [own, was] = [ours.get(id), before?.get(id)];
    if (!own) return was ? [] : [`${id} is new there`];
    const differs = before && was ? isEdited(was, task, own) : taskDigest(own) !== taskDigest(task);
    return differs ? [`${id} reads differently there`] : [];
  });
  const there = byId(theirs);
  const gone = [...(before?.keys() ?? [])].filter((id) => !there.has(id) && ours.has(id));
  return [...edits, ...gone.map((id) => `${id}${GONE}`)];
}

const GONE = " is gone there";

/** True if a field of theirs differs both from its old value and from ours. */
function isEdited(was: TodoTask, theirs: TodoTask, own: TodoTask): boolean {
  const fields = new Set([...Object.keys(was), ...Object.keys(theirs)]);
  fields.delete("updated_at");
  return [...fields].some((field) => {
    const text = JSON.stringify(theirs[field]);
    return text !== JSON.stringify(was[field]) && text !== JSON.stringify(own[field]);
  });
}

function byId(tasks: Tasks): Map<string, TodoTask> {
  return new Map(tasks.map((task) => [task.id, task]));
}

// The program never merges the base's to-do file by itself: it reports changes and asks.

/** Records the base's list when the work begins. */
export async function rememberBaseList(run: WakeRun, work: WorkInHand): Promise<void> {
  if (run.work.kind !== "tasks" || work.state.baseList !== undefined) return;
  const hash = hashOf(await listOf(run));
  await work.note({ type: "BaseListSeen", payload: { hash, commit: run.found.baseCommit } });
}

/** `offered`: the edits that can be taken; a task that is gone there stays here until a person removes it. */
type BaseChange = { edits: string[]; offered: string[]; hash: string };

/** Changes on the base's list, since the work began or the last question, that the work's own list lacks. */
async function findEdits(run: WakeRun, work: WorkInHand): Promise<BaseChange> {
  const { baseList } = work.state;
  const { stateRef } = work;
  const none = { edits: [], offered: [], hash: "" };
  if (run.work.kind !== "tasks" || baseList === undefined || stateRef.filesTip === undefined) return none;
  const base = await listOf(run);
  const hash = hashOf(base);
  if (hash === baseList.hash) return none;
  const [before, theirs, ours] = await Promise.all([
    tasksThen(run, baseList),
    baseTasks(run, base),
    baseTasks(run, await listAt(run, stateRef.filesTip)),
  ]);
  if (!theirs) return { ...none, edits: ["it can't be read there"], hash };
  const edits = baseEdits({ before, theirs, ours: ours ?? [] });
  return { edits, offered: edits.filter((edit) => !edit.endsWith(GONE)), hash };
}

/** Warns of these changes: nothing is merged before a person decides. */
export async function reportBaseEdits(run: WakeRun, work: WorkInHand): Promise<void> {
  const { edits } = await findEdits(run, work);
  if (edits.length === 0) return;
  const { base: name, settings } = run.found;
  const said = `${edits.slice(0, SHOWN).join(", ")}${edits.length > SHOWN ? ", …" : ""}`;
  const message = `${settings.todo} was changed on ${name} since this work began, and nothing of it is merged: ${said}. Merge ${name} into ${run.work.branch}, or change the list there.`;
  run.observe({ type: "notice", level: "warning", message });
}

/**
 * Asks once per version of the base's list whether to take the changes, even if the work's own list is done.
 */
export async function askBaseEdits(run: WakeRun, work: WorkInHand, claim: Takable): Promise<void> {
  const { offered, hash } = await findEdits(run, work);
  const owner = (await work.sessions()).findLast(({ state }) => !state.canceled);
  const isFull = (await work.openQuestions()).length >= MAX_OPEN_QUESTIONS;
  if (offered.length === 0 || !owner || isFull) return;
  const asked = (await work.questions()).filter(({ request }) => request.baseList);
  // A question about an older version is answered first.
  if (asked.some((one) => isPending(one) || one.request.baseList?.hash === hash)) return;
  await claim.take();
  const { base, baseCommit: commit, settings } = run.found;
  const origin = await originOf(run, work, owner.sessionId);
  const about = { list: settings.todo, base, edits: offered, baseList: { hash, commit } };
  const payload = createBaseEdits(origin, about);
  await work.change(owner.sessionId, [{ store: "events", type: "UserInteractionRequested", payload }]);
  await work.checkpoint("chore: save a question");
}

/**
 * Carries out the answer: takes the base's changes into the worktree's list, or records never to ask about
 * them again.
 */
export async function settleBaseEdits(run: WakeRun, work: WorkInHand, root: string): Promise<void> {
  const { baseList } = work.state;
  if (run.work.kind !== "tasks" || baseList === undefined) return;
  const asked = (await work.questions()).findLast(({ request }) => request.baseList);
  const wanted = asked?.request.baseList;
  if (!asked?.response || !wanted || wanted.hash === baseList.hash) return;
  if (asked.response.selectedOptionId === "take") await take(run, root, { before: baseList, wanted });
  await work.note({ type: "BaseListSettled", payload: wanted });
}

async function take(
  run: WakeRun,
  root: string,
  { before, wanted }: { before: BaseList; wanted: BaseList },
): Promise<void> {
  const place = join(root, run.found.folder, run.found.settings.todo);
  const [was, theirs, own] = await Promise.all([
    tasksThen(run, before),
    tasksThen(run, wanted),
    readFile(place),
  ]);
  const taken = theirs && (await takeTasks(own, { path: place, before: was, theirs }));
  if (taken) await writeFile(place, taken);
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

/** The base's tasks in a recorded commit; undefined if the commit is gone. */
function tasksThen(run: WakeRun, { commit }: BaseList): Promise<readonly TodoTask[] | undefined> {
  if (commit === undefined) return Promise.resolve(undefined);
  return settle(
    async () => {
      await run.repository.fetchCommit(commit, run.found.base);
      return baseTasks(run, await listAt(run, commit));
    },
    () => undefined,
  );
}

/** Empty without a list; undefined if the list can't be read. */
async function baseTasks(
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

// Asks people whether what looks like keys may be told where people read: in comments, pull requests and commits.

/** From now on, texts contain the keys that people let through in this work, and no others. */
export async function letThrough({ wiring }: WakeRun, work: WorkInHand): Promise<void> {
  wiring.keys.allow(approvedKeys(await work.questions()));
}

/**
 * Raises one question about all keys that were withheld and that nobody was asked about before, and saves it. True if it
 * did. The text stays withheld until a person approves; then it is published as it is.
 */
export async function askWithheld(run: WakeRun, work: WorkInHand): Promise<boolean> {
  const withheld = run.wiring.keys.take();
  const asked = (await work.questions()).flatMap(({ request }) => askedKeys(request));
  const found = withheld.filter(({ hash }) => !asked.includes(hash));
  const owner = (await work.sessions()).findLast(({ state }) => !state.canceled);
  const isFull = (await work.openQuestions()).length >= MAX_OPEN_QUESTIONS;
  const [first] = found;
  if (!first || !owner || isFull) return false;
  const origin = await originOf(run, work, owner.sessionId);
  const places = [...new Set(found.flatMap((one) => one.places))];
  const what = found.length === 1 ? `what looks like a key (${first.kind})` : "what looks like keys";
  const where = places.length === 1 ? places[0] : `${places.length} texts`;
  const startedBy = startersOf(work.state, [
    run.startedBy,
    ...(run.rerunBy === undefined ? [] : [run.rerunBy]),
  ]);
  const place = { taskId: PUBLISH, conversationId: PUBLISH, agent: PROGRAM, startedBy };
  const payload = createProgramQuestion(
    { ...origin, ...place },
    {
      kind: "Confirm",
      purpose: "generic",
      display: {
        title: `Publish ${what} in ${where}?`,
        description:
          "It is withheld there until a person allows it. Whoever can read this pull request could use the key.",
        content: found.map(({ kind, places }) => `${kind}: in ${places.join(", ")}`).join("\n"),
        contentKind: "PlainText",
      },
      options: [
        { id: "approve", label: "Publish it as it is", style: "danger" },
        { id: "reject", label: "Leave it out", isDefault: true },
      ],
    },
  );
  const keyHashes = found.map(({ hash }) => hash);
  const asking = { ...payload, keyHashes };
  await work.change(owner.sessionId, [
    { store: "events", type: "UserInteractionRequested", payload: asking },
  ]);
  await work.checkpoint("chore: save a question");
  return true;
}

/** Used in place of an agent question's task and conversation. */
const PUBLISH = "publish";

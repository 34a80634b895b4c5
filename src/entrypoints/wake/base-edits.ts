// What people changed of a to-do file on the base since a work began, as far as the work's own list lacks it. Pure.

import type { TodoTask } from "../../todo/schema.ts";
import { taskDigest } from "../../todo/task-digest.ts";

type Tasks = readonly TodoTask[];

/** A phrase for each task. `before`: the base's when the work began; undefined where that can't be had any more. */
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
  return [...edits, ...gone.map((id) => `${id} is gone there`)];
}

/** True where a field is neither as it was nor as we have it. */
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

// Which task a run takes next: the list's order, a setting, or what a person wants first.
import { LoopliaError } from "../errors.ts";
import type { TodoSettings } from "./ports.ts";
import type { TodoTask } from "./schema.ts";
import { isProjectDone, type Selection, selectTask } from "./select.ts";
import type { TodoRun } from "./todo-run.ts";

/** A task that is under way was begun after the end marker: somebody had it tried again. */
export function isOver(tasks: readonly TodoTask[], { task }: TodoSettings): boolean {
  if (task === undefined) return isProjectDone(tasks) && tasks.every(({ status }) => status !== "doing");
  return tasks.find(({ id }) => id === task)?.status === "done";
}

type Choosing = Pick<TodoRun, "settings" | "tried" | "first">;

/** With `task` set, that one or nothing; what a person wants first, if it may be chosen. */
export function choose(
  { settings, tried, first }: Choosing,
  tasks: readonly TodoTask[],
): Selection<TodoTask> {
  const only = settings.task;
  const wanted = tasks.find(({ id }) => id === first);
  const selection = wanted && wanted.status !== "done" ? selectAlone(tasks, wanted, tried) : undefined;
  if (selection?.kind === "task") return selection;
  if (only === undefined) return selectTask(tasks, tried);
  const task = requireTask(tasks, settings.todo, only);
  return task.status === "done" ? { kind: "none" } : selectAlone(tasks, task, tried);
}

/** The task of this id. Throws `config-invalid` where the list has none. */
export function requireTask(tasks: readonly TodoTask[], todo: string, wanted: string): TodoTask {
  const task = tasks.find(({ id }) => id === wanted);
  if (task) return task;
  throw new LoopliaError("config-invalid", `There is no task ${JSON.stringify(wanted)} in ${todo}.`, {
    hint: "`task` is the id of one task of the list, as it stands there.",
  });
}

function selectAlone(
  tasks: readonly TodoTask[],
  task: TodoTask,
  tried: Choosing["tried"],
): Selection<TodoTask> {
  const others = tasks.filter((other) => other !== task && other.status !== "done").map(({ id }) => id);
  return selectTask(tasks, { ...tried, skipped: new Set([...tried.skipped, ...others]) });
}

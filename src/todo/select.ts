// Selects the next task (INTERFACE §7). Pure.
import type { TodoStatus, TodoTask } from "./document.ts";
import { compareIds } from "./locate.ts";

// Which agent runs an iteration. Pure.

/**
 * `shown`: the schedule's name in the settings. The agents take turns; an agent listed twice has two turns.
 */
export type Schedule = { shown: string; agents: readonly string[] };

/** The agent of iteration n of a session; n starts at 1. */
export function agentAt({ agents }: Schedule, iteration: number): string {
  const agent = agents[(iteration - 1) % agents.length];
  if (agent === undefined) throw new Error("a schedule has no agent");
  return agent;
}

type Selectable = Pick<TodoTask, "id" | "status" | "priority" | "depends_on" | "tags">;

/** Tasks that this run has tried and does not choose again. */
type EarlierTries = {
  /** Blocked tasks that had their try, and tasks that became blocked. */
  blocked: ReadonlySet<string>;
  skipped: ReadonlySet<string>;
};

export type Selection<Task extends Selectable> =
  | { kind: "task"; task: Task }
  /** All tasks are done. */
  | { kind: "none" }
  /** None of the remaining tasks can be chosen now. */
  | { kind: "stuck"; left: Task[] };

/**
 * Any `doing` (lowest id), else `todo` by priority, else `blocked` by priority; ties by natural id order.
 * Leaves out tasks whose `depends_on` are not all done. The dependencies must be valid.
 */
export function selectTask<Task extends Selectable>(
  tasks: readonly Task[],
  tried: EarlierTries,
): Selection<Task> {
  const left = tasks.filter((task) => task.status !== "done");
  if (left.length === 0) return { kind: "none" };
  const open = new Set(left.map((task) => task.id));
  const isReady = ({ id, status, depends_on = [] }: Task) =>
    !tried.skipped.has(id) &&
    !(status === "blocked" && tried.blocked.has(id)) &&
    depends_on.every((needed) => !open.has(needed));
  let best: Task | undefined;
  for (const task of left) {
    if ((best === undefined || compareTasks(task, best) < 0) && isReady(task)) best = task;
  }
  return best === undefined ? { kind: "stuck", left } : { kind: "task", task: best };
}

/** Ids of the task's dependencies that are not done. */
export function neededBy<Task extends Selectable>(
  { depends_on = [] }: Task,
  tasks: readonly Task[],
): string[] {
  const open = new Set(tasks.filter(({ status }) => status !== "done").map(({ id }) => id));
  return depends_on.filter((needed) => open.has(needed));
}

const RANKS: Record<TodoStatus, number> = { doing: 0, todo: 1, blocked: 2, done: 3 };

function compareTasks(one: Selectable, other: Selectable): number {
  if (one.status !== other.status) return RANKS[one.status] - RANKS[other.status];
  const byPriority = one.status === "doing" ? 0 : one.priority - other.priority;
  return byPriority === 0 ? compareIds(one.id, other.id) : byPriority;
}

const DONE_TAG = "project-done";

/** The end marker is an entry of the list but no task, so it is not counted. */
export function isEndMarker({ status, tags }: Pick<Selectable, "status" | "tags">): boolean {
  return status === "done" && tags?.includes(DONE_TAG) === true;
}

/** True if the end marker is last: no task was added since the review found nothing. */
export function isProjectDone(tasks: readonly Selectable[]): boolean {
  const last = tasks.at(-1);
  return last !== undefined && isEndMarker(last);
}

/** The end marker of a to-do file. */
export function projectDoneTask(tasks: readonly Pick<TodoTask, "id">[]): TodoTask {
  const taken = new Set(tasks.map((task) => task.id));
  let id = DONE_TAG;
  for (let number = 2; taken.has(id); number += 1) id = `${DONE_TAG}-${number}`;
  return { id, title: "Project done", status: "done", priority: 5, tags: [DONE_TAG] };
}

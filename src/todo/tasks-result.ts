// The result of a task list as a run reports it.
import { noUsage, type SessionView } from "../core/conversation.ts";
import type { TaskSummary } from "../core/events.ts";
import type { End, Result, TaskResult } from "../core/result.ts";
import { openInteractions } from "../core/state.ts";
import { isEndMarker, neededBy, type TodoFile, type TodoStatus, type TodoTask } from "./document.ts";

/** The stored part of a session. */
type Stored = Pick<SessionView, "state" | "conversations" | "totals">;

/** The state of a list, and of the session that works through it. */
export type ListStanding = {
  path: string;
  file: TodoFile | undefined;
  sessionId: string;
  view?: Stored | undefined;
};

const STEP_STATES = { todo: "pending", doing: "in_progress", blocked: "failed", done: "completed" } as const;

/** The result of a list's run with this end; its steps are the list's tasks. */
export function describeTasks(end: End, { path, file, view, sessionId }: ListStanding): Result {
  const tasks = rowsOf(file?.tasks.filter((task) => !isEndMarker(task)) ?? [], view);
  const steps = tasks.map(({ id, title, status, message }) => ({
    output: id,
    status: STEP_STATES[status],
    reason: title,
    ...(message === undefined || status !== "blocked" ? {} : { message }),
  }));
  return {
    ...end,
    ...{ source: path, sessionId, title: file?.project?.name ?? path, pipeline: "tasks", folder: "" },
    ...{ output: "to-do", finalOutput: "to-do", artifacts: new Map(), steps, tasks },
    ...(file ? { artifactPath: path, artifact: file } : {}),
    interactions: view ? openInteractions(view.state) : [],
    usage: view?.totals.usage ?? noUsage(),
    costUsd: view === undefined ? 0 : view.totals.unpriced ? null : view.totals.costUsd,
  };
}

function rowsOf(
  tasks: readonly TodoTask[],
  view: Stored | undefined,
): (TaskResult & { status: TodoStatus })[] {
  const costs = new Map<string, number | null>();
  for (const { taskId, costUsd } of view?.conversations.values() ?? []) {
    const known = costs.get(taskId);
    costs.set(taskId, known === null || costUsd === null ? null : (known ?? 0) + costUsd);
  }
  return tasks.map((task) => {
    const { id, title, status, blockers } = task;
    const summary = view?.state.tasks.get(id)?.summary;
    const said = summary?.task_id === id ? saidOf(summary) : undefined;
    const waits = status === "todo" || status === "blocked" ? waitsFor(task, tasks) : undefined;
    const message = (status === "blocked" ? blockers?.at(-1) : said) || waits;
    const costUsd = costs.has(id) ? (costs.get(id) ?? null) : 0;
    return { id, title, status, ...(message ? { message } : {}), costUsd };
  });
}

function saidOf({ status, summary = "" }: TaskSummary): string {
  const said = summary.trim();
  if (status !== "skipped") return said;
  return said === "" ? "skipped" : `skipped: ${said}`;
}

const SHOWN = 5;

/** What a blocked task waits for. */
const UNBLOCK =
  "a blocked task waits for a person (`/retry <id>`, or set it to `todo`) or for a change of its text, a dependency or the model";

/** `waits for T1, T3`: the task's unfinished dependencies; undefined if there are none. */
export function waitsFor(task: TodoTask, tasks: readonly TodoTask[]): string | undefined {
  const needed = neededBy(task, tasks);
  if (needed.length === 0) return undefined;
  return `waits for ${needed.slice(0, SHOWN).join(", ")}${needed.length > SHOWN ? ", …" : ""}`;
}

/**
 * `3 tasks are left: T1 (blocked: no key), T2 (waits for T1), …`; `skipped`: ids of tasks skipped in this
 * run; `only`: reports only this task.
 */
export function whatIsLeft(
  tasks: readonly TodoTask[],
  { skipped, only }: { skipped?: ReadonlySet<string>; only?: string | undefined } = {},
): string {
  const left = tasks.filter(({ id, status }) => status !== "done" && (only === undefined || id === only));
  if (left.length === 0) return "no task is left";
  const names = left.slice(0, SHOWN).map((task) => {
    const { id, status, blockers } = task;
    const why = status === "blocked" ? blockers?.at(-1) : undefined;
    if (status === "todo" && skipped?.has(id)) return `${id} (skipped)`;
    const state = status === "todo" ? [] : [`${status}${why === undefined ? "" : `: ${why}`}`];
    const waits = waitsFor(task, tasks);
    const told = [...state, ...(waits === undefined ? [] : [waits])];
    return told.length === 0 ? id : `${id} (${told.join("; ")})`;
  });
  const more = left.length > SHOWN ? ", …" : "";
  const advice = left.some(({ status }) => status === "blocked") ? `; ${UNBLOCK}` : "";
  return `${left.length} ${left.length === 1 ? "task is" : "tasks are"} left: ${names.join(", ")}${more}${advice}`;
}

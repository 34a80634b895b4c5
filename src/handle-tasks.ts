// The story of a to-do file: open its session, perhaps record an answer, run the loop, tell the result.
import { Mailbox } from "./agent/messages.ts";
import { OpenQuestions } from "./agent/open-questions.ts";
import { type OutsideAnswer, takeAnswer } from "./agent/take-answer.ts";
import type { RunResult } from "./content/item-result.ts";
import type { ContentPorts } from "./content/ports.ts";
import { createSessionId } from "./content/session-id.ts";
import type { TodoPorts, TodoSettings } from "./todo/ports.ts";
import type { TasksResult } from "./todo/tasks-result.ts";
import type { TodoRun } from "./todo/todo-run.ts";

/**
 * `sessionId`: the session that the work has already. `retry`: these tasks are set back and tried first. `isLeftAlone`: how
 * it stands is told, and nothing of it is run.
 */
export type TasksWork = {
  workId: string;
  key: string;
  sessionId?: string;
  retry?: readonly string[];
  isLeftAlone?: true;
};

/** What the task loop needs beside what content needs. */
export type TasksSide = Pick<TodoPorts, "agent" | "log"> & { settings: TodoSettings };

/** True for the ids of works that hold a to-do file. */
export function isTasksWork(workId: string): boolean {
  return /^tasks-[0-9a-f]{6}(?:-\d+)?$/.test(workId);
}

/** True for the ids of sessions that work through a to-do file, as far as an id can tell. */
export function isTasksSession(sessionId: string): boolean {
  return /^to-do-\d{4}-\d{2}-\d{2}-[0-9a-f]{6}$/.test(sessionId);
}

/** Runs the loop, after an answer if one is given; a wrong answer changes nothing. */
export async function handleTasks(
  { workId, key, sessionId: known, retry, isLeftAlone }: TasksWork,
  ports: ContentPorts,
  tasks: TasksSide,
  answered?: OutsideAnswer,
): Promise<RunResult> {
  const { todo } = tasks.settings;
  const named = { slugHint: undefined, title: "to-do", source: todo };
  const sessionId = known ?? createSessionId(named, ports.clock.now(), ports.ids.hex(3));
  const work: { store?: Awaited<ReturnType<typeof ports.stores.open>> } = {};
  const openWork = async () => {
    work.store = await ports.stores.open({ workId, kind: "tasks", key });
    const questions = new OpenQuestions(await ports.stores.openInteractions(workId));
    return { store: work.store, questions, mailbox: await Mailbox.open(work.store) };
  };
  const before =
    answered &&
    (({ journal, asking, ports: { observe, clock } }: TodoRun) =>
      takeAnswer({ journal, asking, observe, clock }, answered));
  const { runTasks } = await import("./todo/run-tasks.ts");
  try {
    const toRun = {
      ...{ sessionId, openWork },
      ...(before ? { before } : {}),
      ...(retry === undefined ? {} : { retry }),
      ...(isLeftAlone ? { isLeftAlone } : {}),
    };
    return toRunResult(await runTasks(toRun, { ...ports, ...tasks }, tasks.settings));
  } finally {
    await work.store?.close();
  }
}

const STEP_STATES = { todo: "pending", doing: "in_progress", blocked: "failed", done: "completed" } as const;

/** A to-do file is told as an item whose steps are its tasks. */
function toRunResult(result: TasksResult): RunResult {
  const { status, reasonCode, message, sessionId, path, file, interactions, usage, costUsd, notice } = result;
  const said = message === undefined ? {} : { message };
  const steps = result.tasks.map((task) => ({
    output: task.id,
    status: STEP_STATES[task.status],
    reason: task.title,
    ...(task.message === undefined || task.status !== "blocked" ? {} : { message: task.message }),
  }));
  const artifact = file ? { artifactPath: path, artifact: file } : {};
  const item = {
    ...{ source: path, sessionId, title: file?.project?.name ?? path, pipeline: "tasks", folder: "" },
    ...{ status, reasonCode, ...said, output: "to-do", finalOutput: "to-do", ...artifact },
    ...{ artifacts: new Map(), steps, tasks: result.tasks, interactions, usage, costUsd },
    ...(notice === undefined ? {} : { notice }),
  };
  return { status, reasonCode, items: [item] };
}

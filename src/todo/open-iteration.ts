// An attempt at a to-do task begins: it is recorded with the state that the task had, then the task is marked.
import { isOpen, type TaskState } from "../session/state.ts";
import { findTask } from "./document.ts";
import { editTask } from "./edit.ts";
import type { TaskAgent } from "./ports.ts";
import { agentAt } from "./schedule.ts";
import type { TodoTask } from "./schema.ts";
import { taskDigest } from "./task-digest.ts";
import { change, type TodoRun } from "./todo-run.ts";

/** Puts `doing` into the list. False where somebody took the task out of it just now: the attempt is over then. */
export async function markDoing(run: TodoRun, taskId: string): Promise<boolean> {
  let isThere = true;
  await change(run, (document) => {
    isThere = findTask(document, taskId) !== undefined;
    return isThere ? editTask(document, taskId, { set: { status: "doing" } }) : document;
  });
  if (isThere) return true;
  const payload = { taskId, reason: "the task is gone" };
  await run.journal.append({ store: "events", type: "TaskCanceled", payload });
  return false;
}

/** Attempts at to-do tasks so far: the number of the newest iteration. */
export function countIterations(run: TodoRun): number {
  const tasks = [...run.journal.state.tasks.values()].filter((task) => task.outputs.length === 0);
  return tasks.reduce((sum, task) => sum + task.attempt, 0);
}

/** The attempt that is open, else a new one by the agent whose turn it is. */
export async function openIteration(
  run: TodoRun,
  task: TodoTask,
): Promise<{ number: number; agent: TaskAgent; state: TaskState }> {
  const { journal, ports, settings } = run;
  const known = journal.state.tasks.get(task.id);
  if (isOpen(known))
    return { number: countIterations(run), agent: await ports.agent(known.agent), state: known };
  const number = countIterations(run) + 1;
  const agent = await ports.agent(agentAt(settings.schedule, number));
  const taskId = task.id;
  const payload = {
    taskId,
    agent: agent.name,
    outputs: [],
    inputs: { source: taskDigest(task), agent: "", profile: "" },
    conversationId: `${taskId}#${(known?.attempt ?? 0) + 1}`,
    from: task.status === "doing" ? "todo" : task.status,
  };
  await journal.append(
    { store: "events", type: "TaskCreated", payload },
    { store: "events", type: "TaskStarted", payload: { taskId } },
  );
  const state = journal.state.tasks.get(taskId);
  if (!state) throw new Error(`task ${taskId} was not folded`);
  return { number, agent, state };
}

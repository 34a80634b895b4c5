// What observers are told of the list and of an iteration.
import type { RunEvent } from "../ports.ts";
import type { TaskAgent } from "./ports.ts";
import type { TodoTask } from "./schema.ts";
import type { TodoRun } from "./todo-run.ts";

type Event = Extract<RunEvent, { type: "iteration" }>;

/** Tells of an iteration, and of the task as a step of the session. */
export function observeIteration(
  run: TodoRun,
  task: Pick<TodoTask, "id" | "title">,
  { number, agent }: { number: number; agent: TaskAgent },
  end: Pick<Event, "status" | "message" | "summary" | "errorCode">,
): void {
  const { sessionId } = run.journal;
  run.ports.observe({
    type: "iteration",
    sessionId,
    iteration: number,
    taskId: task.id,
    title: task.title,
    agent: agent.name,
    model: agent.modelName,
    schedule: run.settings.schedule.shown,
    ...end,
  });
  const { status, message } = end;
  const said = message === undefined ? {} : { message };
  run.ports.observe({ type: "step", sessionId, output: task.id, agent: agent.name, status, ...said });
}

/** The list as a session of steps. A long list is told by what is open of it. */
export function observeList(run: TodoRun): void {
  const tasks = run.stored?.document.file.tasks ?? [];
  const { sessionId } = run.journal;
  run.ports.observe({
    type: "session",
    sessionId,
    source: run.settings.todo,
    pipeline: "tasks",
    folder: "",
    steps: tasks
      .filter((task) => tasks.length <= SHOWN_STEPS || task.status === "doing")
      .map(({ id, status }) => ({
        output: id,
        due: status !== "done",
        reason: status,
      })),
  });
}

const SHOWN_STEPS = 30;

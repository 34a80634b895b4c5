// What observers are told of an iteration.
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
  end: Pick<Event, "status" | "message" | "summary">,
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

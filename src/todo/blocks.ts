// When a blocked task is tried again: a person says so, or what it depends on has changed.
import { hashContent } from "../core/json.ts";
import { isOpen, type State } from "../core/state.ts";
import { neededBy, type TodoTask, taskDigest } from "./document.ts";
import { readRunbook, type TaskAgent, type TodoPorts, type TodoRun, type TodoSettings } from "./run-state.ts";

/**
 * The ids of blocked tasks that wait for a person: nothing has changed since they were blocked. `under`: the
 * circumstances to record, for tasks that are seen blocked for the first time or that changed too early to be tried.
 */
export function judgeBlocks(
  tasks: readonly TodoTask[],
  { blocks, tasks: attempts }: Pick<State, "blocks" | "tasks">,
  models: string,
): { waiting: Set<string>; under: Record<string, string> } {
  const statuses = new Map(tasks.map(({ id, status }) => [id, status]));
  const waiting = new Set<string>();
  const under = new Map<string, string>();
  for (const task of tasks) {
    const { id, status, depends_on = [] } = task;
    if (status !== "blocked" || isOpen(attempts.get(id))) continue;
    // Its one try; the commands of a runbook may have run in an earlier work.
    if (!attempts.has(id) && readRunbook(task).every(({ kind }) => kind !== "command")) continue;
    const around = [taskDigest(task), depends_on.map((needed) => [needed, statuses.get(needed)]), models];
    const now = hashContent(JSON.stringify(around));
    const seen = blocks?.get(id);
    if (seen === undefined) under.set(id, now);
    else if (seen !== "" && seen !== now && neededBy(task, tasks).length > 0) under.set(id, "");
    if (seen === undefined || seen === now) waiting.add(id);
  }
  return { waiting, under: Object.fromEntries(under) };
}

/** The models of the schedule and their settings, as one text. */
export async function modelsOf(ports: TodoPorts, { schedule }: TodoSettings): Promise<string> {
  const agents = [...new Set(schedule.agents)].map(async (name) => {
    // An agent that can't work here is refused when its turn comes.
    const agent = await ports.agent(name).catch((): Partial<TaskAgent> => ({}));
    return [name, agent.provider, agent.modelName, agent.fallbackModel, agent.limits];
  });
  return JSON.stringify(await Promise.all(agents));
}

/** Records what has become blocked, and returns the tasks that wait for a person. */
export async function waitingBlocks(run: TodoRun, tasks: readonly TodoTask[]): Promise<Set<string>> {
  const { journal } = run;
  if (!tasks.some(({ status }) => status === "blocked")) return new Set();
  run.models ??= await modelsOf(run.ports, run.settings);
  const { waiting, under } = judgeBlocks(tasks, journal.state, run.models);
  if (Object.keys(under).length > 0) {
    await journal.append({ store: "events", type: "BlocksSeen", payload: { under } });
  }
  return waiting;
}

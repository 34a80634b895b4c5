// How the loop over a list ends: at what an outcome ends, or where nothing more can be chosen.
import { asOne } from "../agent/as-one.ts";
import type { Outcome } from "../agent/outcome.ts";
import { appendTasks } from "./edit.ts";
import { observeList } from "./observe-iteration.ts";
import { reviewList } from "./phases.ts";
import type { TodoTask } from "./schema.ts";
import { isProjectDone, projectDoneTask, type Selection } from "./select.ts";
import { type TasksEnd, whatIsLeft } from "./tasks-result.ts";
import { change, refresh, type TodoRun } from "./todo-run.ts";

/** Nothing more to choose: blocked, or the review. Undefined: the review found more. */
export async function endOfList(
  run: TodoRun,
  selection: Exclude<Selection<TodoTask>, { kind: "task" }>,
  tasks: readonly TodoTask[],
): Promise<TasksEnd | undefined> {
  const { task } = run.settings;
  if (selection.kind === "stuck") {
    const left = task === undefined ? selection.left : selection.left.filter(({ id }) => id === task);
    return { status: "stopped", reasonCode: "blocked-tasks", message: whatIsLeft(left, run.tried.skipped) };
  }
  if (task !== undefined) return endOfTask(task, tasks);
  if (isProjectDone(tasks)) return { status: "completed", reasonCode: "done" };
  const early = endOf(await reviewList(run), run);
  if (early) return early;
  const { document } = await refresh(run);
  if (document.file.tasks.some(({ status }) => status !== "done")) {
    observeList(run);
    return undefined;
  }
  await asOne(run.ports.host, async () => {
    await change(run, (now) =>
      isProjectDone(now.file.tasks) ? now : appendTasks(now, [projectDoneTask(now.file.tasks)]),
    );
    const marker = run.stored?.document.file.tasks.at(-1)?.id ?? "";
    await run.ports.host.taskEnded({
      ...{ sessionId: run.journal.sessionId, folder: "", title: "Project done", outputs: [marker] },
      ...{ status: "completed", todo: { label: "done", tags: [], said: "" } },
    });
  });
  return { status: "completed", reasonCode: "done" };
}

/** One task alone was to be done: what else is left is said, so that nobody takes the list for done. */
function endOfTask(id: string, tasks: readonly TodoTask[]): TasksEnd {
  const isLeft = tasks.some(({ status }) => status !== "done");
  const message = `${id} is done; ${whatIsLeft(tasks)}`;
  return { status: "completed", reasonCode: "done", ...(isLeft ? { message } : {}) };
}

/** What an outcome ends, or undefined where the loop goes on. */
export function endOf(outcome: Outcome, run?: TodoRun): TasksEnd | undefined {
  switch (outcome.kind) {
    case "completed":
      return undefined;
    case "waiting":
      return { status: "waiting", reasonCode: "open-questions" };
    case "stopped": {
      const left = run ? `; ${leftIn(run)}` : "";
      return { status: "stopped", reasonCode: outcome.reasonCode, message: `${outcome.message}${left}` };
    }
    case "failed":
      return { status: "failed", reasonCode: outcome.reasonCode, message: outcome.message };
  }
}

/** What is left of the list, in words. */
export function leftIn(run: TodoRun): string {
  return whatIsLeft(run.stored?.document.file.tasks ?? [], run.tried.skipped);
}

// The task loop, readable top to bottom: list → task after task → review → the end marker.
import { createAsking, type OpenWork } from "../agent/asking.ts";
import { Journal } from "../agent/journal.ts";
import { stoppedBySignal } from "../agent/limits.ts";
import type { Outcome } from "../agent/outcome.ts";
import { throwIfErrors } from "../config/diagnostics.ts";
import { LoopliaError } from "../errors.ts";
import { dependencyDiagnostics } from "./document.ts";
import { appendTasks } from "./edit.ts";
import { endIteration, settleOpenTasks } from "./end-iteration.ts";
import { ensureList, reviewList } from "./phases.ts";
import type { TodoPorts, TodoSettings } from "./ports.ts";
import { renderIteration, runIteration } from "./run-iteration.ts";
import { agentAt } from "./schedule.ts";
import type { TodoFile, TodoTask } from "./schema.ts";
import { isProjectDone, projectDoneTask, type Selection, selectTask } from "./select.ts";
import { describeTasks, type TasksEnd, type TasksResult, whatIsLeft } from "./tasks-result.ts";
import { loadTodo } from "./todo-file.ts";
import { change, refresh, type TodoRun } from "./todo-run.ts";

export type TasksToRun = {
  sessionId: string;
  /** Opens the work; called only when there is something to do. */
  openWork(): Promise<OpenWork>;
  /** Sees the opened session first, e.g. to record an answer. */
  before?(run: TodoRun): Promise<void>;
};

/**
 * Works through the to-do file until nothing is left, a person must answer or a limit is reached. Throws `config-invalid`
 * for a file that can't be run: no JSON object, or dependencies that can't be met.
 */
export async function runTasks(
  { sessionId, openWork, before }: TasksToRun,
  ports: TodoPorts,
  settings: TodoSettings,
): Promise<TasksResult> {
  const path = settings.todo;
  const reading = await loadTodo(ports.workspace, path);
  const document = reading?.kind === "valid" ? reading.document : undefined;
  if (document) throwIfErrors(dependencyDiagnostics(document));
  const standing = { path, file: document?.file, sessionId };
  if (document && !before && isOver(document.file.tasks, settings)) {
    return describeTasks({ status: "completed", reasonCode: "up-to-date" }, { ...standing, sessionId: "" });
  }
  if (settings.dryRun) return describeTasks(await rehearse(ports, settings, document?.file), standing);
  const work = await openWork();
  const opened = await Journal.open(work.store.workId, await work.store.session(sessionId), ports.redact);
  const { journal } = opened;
  for (const message of opened.setAside)
    ports.observe({ type: "notice", level: "warning", message, sessionId });
  const tried = { blocked: new Set<string>(), skipped: new Set<string>() };
  const asking = createAsking(settings.people, work, ports.startedBy);
  const fresh = { stored: undefined, tried, iterations: 0, failures: 0 };
  const run: TodoRun = { ports, settings, work, journal, asking, ...fresh };
  try {
    // What is observed is logged: a refused answer leaves nothing, so it comes first.
    await before?.(run);
    const end = await runLoop(run);
    return describeTasks(end, { ...standing, file: run.stored?.document.file, journal });
  } finally {
    await journal.close();
  }
}

function isOver(tasks: readonly TodoTask[], { task }: TodoSettings): boolean {
  if (task === undefined) return isProjectDone(tasks);
  return tasks.find(({ id }) => id === task)?.status === "done";
}

/** What the first task would begin with, so that a broken prompt shows. Calls no model, changes nothing. */
async function rehearse(
  ports: TodoPorts,
  settings: TodoSettings,
  file: TodoFile | undefined,
): Promise<TasksEnd> {
  const run = { ports, settings, tried: { blocked: new Set<string>(), skipped: new Set<string>() } };
  const selection = file ? choose(run, file.tasks) : undefined;
  if (selection?.kind !== "task") return { status: "completed", reasonCode: "done" };
  const agent = await ports.agent(agentAt(settings.schedule, 1));
  await renderIteration(run, { task: selection.task, agent, number: 1 });
  return { status: "completed", reasonCode: "done", message: `${selection.task.id} would be next` };
}

async function runLoop(run: TodoRun): Promise<TasksEnd> {
  const early = endOf(await ensureList(run));
  if (early) return early;
  await settleOpenTasks(run);
  observeList(run);
  for (;;) {
    const { tasks } = (await refresh(run)).document.file;
    const selection = choose(run, tasks);
    const end =
      selection.kind === "task" ? await runNext(run, selection.task) : await endOfList(run, selection, tasks);
    if (end) return end;
  }
}

type Choosing = Pick<TodoRun, "settings" | "tried">;

/** With `task` set, that one or nothing. */
function choose({ settings, tried }: Choosing, tasks: readonly TodoTask[]): Selection<TodoTask> {
  const only = settings.task;
  if (only === undefined) return selectTask(tasks, tried);
  const task = tasks.find(({ id }) => id === only);
  if (!task)
    throw new LoopliaError("config-invalid", `There is no task ${JSON.stringify(only)} in ${settings.todo}.`);
  if (task.status === "done") return { kind: "none" };
  const others = tasks.filter((other) => other !== task && other.status !== "done").map(({ id }) => id);
  return selectTask(tasks, { ...tried, skipped: new Set([...tried.skipped, ...others]) });
}

/** One task. Undefined: the loop goes on. */
async function runNext(run: TodoRun, task: TodoTask): Promise<TasksEnd | undefined> {
  const { maxIterations } = run.settings;
  if (run.ports.signal.aborted) return endOf(stoppedBySignal(run.ports.signal), run);
  if (run.iterations >= maxIterations) {
    const message = `${maxIterations} tasks were run (max-iterations); ${leftIn(run)}`;
    return { status: "stopped", reasonCode: "max-iterations", message };
  }
  run.iterations += 1;
  if (task.status === "blocked") run.tried.blocked.add(task.id);
  const iteration = await runIteration(run, task);
  const early = iteration.outcome.kind === "failed" ? undefined : endOf(iteration.outcome, run);
  if (early) return early;
  const end = await endIteration(run, task, iteration);
  if (run.failures < MAX_FAILURES) return undefined;
  const message = `${MAX_FAILURES} tasks in a row failed; last: ${end.message}`;
  return { status: "failed", reasonCode: "model-failed", message };
}

/** Tasks in a row whose agents failed: what comes after them would fail as well. */
const MAX_FAILURES = 3;

/** Nothing more to choose: blocked, or the review. Undefined: the review found more. */
async function endOfList(
  run: TodoRun,
  selection: Exclude<Selection<TodoTask>, { kind: "task" }>,
  tasks: readonly TodoTask[],
): Promise<TasksEnd | undefined> {
  const { task } = run.settings;
  if (selection.kind === "stuck") {
    const left = task === undefined ? selection.left : selection.left.filter(({ id }) => id === task);
    return { status: "stopped", reasonCode: "blocked-tasks", message: whatIsLeft(left) };
  }
  if (task !== undefined || isProjectDone(tasks)) return { status: "completed", reasonCode: "done" };
  const early = endOf(await reviewList(run), run);
  if (early) return early;
  const { document } = await refresh(run);
  if (document.file.tasks.some(({ status }) => status !== "done")) {
    observeList(run);
    return undefined;
  }
  await change(run, (now) =>
    isProjectDone(now.file.tasks) ? now : appendTasks(now, [projectDoneTask(now.file.tasks)]),
  );
  const marker = run.stored?.document.file.tasks.at(-1)?.id ?? "";
  await run.ports.host.taskEnded({
    ...{ sessionId: run.journal.sessionId, folder: "", title: "Project done", outputs: [marker] },
    status: "completed",
  });
  return { status: "completed", reasonCode: "done" };
}

/** What an outcome ends, or undefined where the loop goes on. */
function endOf(outcome: Outcome, run?: TodoRun): TasksEnd | undefined {
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

function leftIn(run: TodoRun): string {
  return whatIsLeft(run.stored?.document.file.tasks ?? []);
}

/** The list as a session of steps. A long list is told by what is open of it. */
function observeList(run: TodoRun): void {
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
        reason: status === "done" ? "done" : "",
      })),
  });
}

const SHOWN_STEPS = 30;

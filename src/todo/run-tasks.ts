// The loop over a to-do file: choose a task, run it, end it, until nothing is left.
import { recordCancellation } from "../agent/cancellations.ts";
import { stoppedBySignal } from "../agent/limits.ts";
import { formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { viewSession } from "../session/session-view.ts";
import { putBackCanceled } from "./after-cancel.ts";
import { findKilled, undoKilledEdit } from "./before-act.ts";
import { choose, isOver, requireTask } from "./choose.ts";
import { dependencyDiagnostics, type TodoReading } from "./document.ts";
import { endIteration, settleOpenTasks } from "./end-iteration.ts";
import { endOf, endOfList, leftIn } from "./end-of-list.ts";
import { leaveAlone, onlyWaits, tellTasks } from "./left-alone.ts";
import { observeList } from "./observe-iteration.ts";
import { lookFirst, openRun } from "./open-run.ts";
import { ensureList, requireMaker } from "./phases.ts";
import type { TodoPorts, TodoSettings } from "./ports.ts";
import { reapplyEnds } from "./reapply-ends.ts";
import { renderIteration, runIteration } from "./run-iteration.ts";
import { agentAt } from "./schedule.ts";
import type { TodoTask } from "./schema.ts";
import { setBack } from "./set-back.ts";
import { describeTasks, type Standing, type TasksEnd, type TasksResult } from "./tasks-result.ts";
import { loadTodo } from "./todo-file.ts";
import { refresh, type TodoRun, type TodoWork } from "./todo-run.ts";

export type TasksToRun = {
  sessionId: string;
  /** Opens the work; called only when there is something to do. */
  openWork(): Promise<TodoWork>;
  /** Sees the opened session first, e.g. to record an answer. */
  before?(run: TodoRun): Promise<void>;
  /** These tasks are set back, done or not, and the first of them is tried before all others. */
  retry?: readonly string[];
  /** How the list stands is told, and nothing of it is run. */
  isLeftAlone?: true;
};

/**
 * Works through the to-do file until nothing is left, a person must answer or a limit is reached. Where answers come
 * later, a list that only waits is told, and nothing of it is opened. Throws `config-invalid` for a file that can't be
 * run: no JSON object, or dependencies that can't be met.
 */
export async function runTasks(
  toRun: TasksToRun,
  ports: TodoPorts,
  settings: TodoSettings,
): Promise<TasksResult> {
  const { sessionId, openWork, before, retry } = toRun;
  const path = settings.todo;
  const reading = await readList(toRun, ports, path);
  const document = reading?.kind === "valid" ? reading.document : undefined;
  if (document) throwIfErrors(dependencyDiagnostics(document));
  const view = await lookFirst(toRun, ports, document);
  const standing: Standing = { path, file: document?.file, sessionId, view };
  if (toRun.isLeftAlone) return leaveAlone({ ports, settings, stored: undefined }, standing);
  if (document && settings.task !== undefined) requireTask(document.file.tasks, path, settings.task);
  const isSpokenTo = before !== undefined || retry !== undefined;
  if (document && !isSpokenTo && isOver(document.file.tasks, settings)) {
    const end = { status: "completed", reasonCode: "up-to-date" } as const;
    return describeTasks(end, { ...standing, sessionId: view ? sessionId : "" });
  }
  if (settings.dryRun) return describeTasks(await rehearse(ports, settings, reading), standing);
  if (!isSpokenTo && view && document && onlyWaits(view.state, document)) return tellTasks(standing);
  // Before anything is opened: what can't be begun leaves no trace.
  if (!document && !view) await requireMaker(ports, settings, reading);
  const work = await openWork();
  const run = await openRun({ ports, settings, work }, sessionId);
  try {
    // What is observed is logged: a refused answer leaves nothing, so it comes first.
    await before?.(run);
    const end = await runLoop(run, retry);
    await recordCancellation({ ...run.ports, journal: run.journal });
    await putBackCanceled(run, run.journal);
    return describeTasks(end, { ...standing, file: run.stored?.document.file, view: run.journal });
  } finally {
    await run.journal.close();
  }
}

/** What can't be read was somebody's, and is refused; but for what a killed act left: that is undone. */
async function readList(
  { sessionId }: TasksToRun,
  { workspace, stores }: TodoPorts,
  path: string,
): ReturnType<typeof loadTodo> {
  try {
    return await loadTodo(workspace, path);
  } catch (thrown) {
    const lines = await stores.look(sessionId);
    if (lines && findKilled(viewSession(sessionId, lines))) return undefined;
    throw thrown;
  }
}

/**
 * What the first task would begin with, so that a broken prompt shows, or what is wrong with the list. Fails where a run
 * could not begin. Calls no model, changes nothing.
 */
async function rehearse(
  ports: TodoPorts,
  settings: TodoSettings,
  reading: TodoReading | undefined,
): Promise<TasksEnd> {
  if (reading?.kind !== "valid") {
    await requireMaker(ports, settings, reading);
    const problems = reading?.broken.diagnostics.map(formatDiagnostic) ?? [];
    const first = `${settings.todo} would be ${reading ? "repaired" : "made"} first`;
    return { status: "completed", reasonCode: "done", message: [first, ...problems].join("\n") };
  }
  const run = { ports, settings, tried: { blocked: new Set<string>(), skipped: new Set<string>() } };
  const selection = choose(run, reading.document.file.tasks);
  if (selection.kind !== "task") return { status: "completed", reasonCode: "done" };
  const agent = await ports.agent(agentAt(settings.schedule, 1));
  // Nothing is kept: the prompt is only tried.
  await renderIteration(run, { task: selection.task, agent, number: 1, schemaPath: "to-do.schema.json" });
  return { status: "completed", reasonCode: "done", message: `${selection.task.id} would be next` };
}

async function runLoop(run: TodoRun, retry: readonly string[] = []): Promise<TasksEnd> {
  const { canceled } = run.journal.state;
  if (canceled) return { status: "ignored", reasonCode: "closed", message: canceled.reason };
  await undoKilledEdit(run);
  const early = endOf(await ensureList(run));
  if (early) return early;
  await reapplyEnds(run);
  await settleOpenTasks(run);
  // The one that was set back last is the first to be chosen.
  for (const taskId of retry.toReversed()) await setBack(run, taskId);
  observeList(run);
  for (;;) {
    await reapplyEnds(run);
    const { tasks } = (await refresh(run)).document.file;
    const selection = choose(run, tasks);
    const end =
      selection.kind === "task" ? await runNext(run, selection.task) : await endOfList(run, selection, tasks);
    if (end) return end;
  }
}

/** One task. Undefined: the loop goes on. */
async function runNext(run: TodoRun, task: TodoTask): Promise<TasksEnd | undefined> {
  const { maxIterations } = run.settings;
  if (run.ports.signal.aborted) return endOf(stoppedBySignal(run.ports.signal), run);
  if (run.iterations >= maxIterations) {
    const ran = maxIterations === 1 ? "1 task was" : `${maxIterations} tasks were`;
    const message = `${ran} run (max-iterations); ${leftIn(run)}`;
    return { status: "stopped", reasonCode: "max-iterations", message };
  }
  run.iterations += 1;
  if (task.status === "blocked") run.tried.blocked.add(task.id);
  const iteration = await runIteration(run, task);
  if (!iteration) return undefined;
  const early = iteration.outcome.kind === "failed" ? undefined : endOf(iteration.outcome, run);
  if (early) return early;
  const end = await endIteration(run, task, iteration);
  if (run.failures < MAX_FAILURES) return undefined;
  const message = `${MAX_FAILURES} tasks in a row failed; last: ${end.message}`;
  return { status: "failed", reasonCode: "model-failed", message };
}

/** Tasks in a row whose agents failed: what comes after them would fail as well. */
const MAX_FAILURES = 3;

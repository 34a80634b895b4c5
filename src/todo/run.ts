// Runs a task list: chooses the next task until nothing is left.

import { cancelAttempt } from "../agent/attempt.ts";
import { type ClaimedWork, lookAt, openJobSession, type SessionJob } from "../agent/job.ts";
import { asOne, type Outcome, stoppedBySignal } from "../agent/session.ts";
import { formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { isWaiting, type SessionView } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import type { End, Result } from "../core/result.ts";
import { emptyState, isOpen, type State } from "../core/state.ts";
import { renderIteration, runIteration } from "./attempt.ts";
import { judgeBlocks, modelsOf, waitingBlocks } from "./blocks.ts";
import {
  agentAt,
  dependencyDiagnostics,
  findTask,
  isEndMarker,
  isProjectDone,
  loadTodo,
  projectDoneTask,
  type Selection,
  selectTask,
  type TodoDocument,
  type TodoReading,
  type TodoTask,
} from "./document.ts";
import { appendTasks } from "./edit.ts";
import { reapplyEnds, settleOpenIterations, whyIterationRestarts } from "./end.ts";
import { ensureList, requireMaker, reviewList } from "./phases.ts";
import { findKilled, undoKilledEdit } from "./revise.ts";
import {
  change,
  changeTask,
  type Editing,
  notify,
  refresh,
  type TodoPorts,
  type TodoRun,
  type TodoSettings,
} from "./run-state.ts";
import { describeTasks, type ListStanding, whatIsLeft } from "./tasks-result.ts";

/** A task under way after the end marker was retried by a person, so the list is not over. */
function isOver(tasks: readonly TodoTask[], { task }: TodoSettings): boolean {
  if (task === undefined) return isProjectDone(tasks) && tasks.every(({ status }) => status !== "doing");
  return tasks.find(({ id }) => id === task)?.status === "done";
}

type Choosing = Pick<TodoRun, "settings" | "first"> & {
  tried: { skipped: ReadonlySet<string>; blocked: ReadonlySet<string> };
};

/** With `task` set, only that task; else the task that a person wants first, if it can be chosen. */
function choose({ settings, tried, first }: Choosing, tasks: readonly TodoTask[]): Selection<TodoTask> {
  const only = settings.task;
  const wanted = tasks.find(({ id }) => id === first);
  const selection = wanted && wanted.status !== "done" ? selectAlone(tasks, wanted, tried) : undefined;
  if (selection?.kind === "task") return selection;
  if (only === undefined) return selectTask(tasks, tried);
  const task = requireTask(tasks, settings.todo, only);
  return task.status === "done" ? { kind: "none" } : selectAlone(tasks, task, tried);
}

/** The task with this id. Throws `config-invalid` if the list has none. */
function requireTask(tasks: readonly TodoTask[], todo: string, wanted: string): TodoTask {
  const task = tasks.find(({ id }) => id === wanted);
  if (task) return task;
  throw new LoopliaError("config-invalid", `There is no task ${JSON.stringify(wanted)} in ${todo}.`, {
    hint: "`task` must be the id of a task, spelled as in the list.",
  });
}

function selectAlone(
  tasks: readonly TodoTask[],
  task: TodoTask,
  tried: Choosing["tried"],
): Selection<TodoTask> {
  const others = tasks.filter((other) => other !== task && other.status !== "done").map(({ id }) => id);
  return selectTask(tasks, { ...tried, skipped: new Set([...tried.skipped, ...others]) });
}

// How the loop over a list ends: by the outcome of a task, or because no task can be chosen.

/** The end if no task can be chosen: blocked, or reviewed. Undefined: the review added tasks. */
async function endOfList(
  run: TodoRun,
  selection: Exclude<Selection<TodoTask>, { kind: "task" }>,
  tasks: readonly TodoTask[],
): Promise<End | undefined> {
  const { task } = run.settings;
  if (selection.kind === "stuck") {
    const message = whatIsLeft(tasks, { skipped: run.tried.skipped, only: task });
    return { status: "stopped", reasonCode: "blocked-tasks", message };
  }
  if (task !== undefined) return endOfTask(task, tasks);
  if (isProjectDone(tasks)) return { status: "completed", reasonCode: "done" };
  const early = listEnd(await reviewList(run), run);
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

/** The end of a run for one task: names the remaining tasks, so that the list does not look done. */
function endOfTask(id: string, tasks: readonly TodoTask[]): End {
  const isLeft = tasks.some(({ status }) => status !== "done");
  const message = `${id} is done; ${whatIsLeft(tasks)}`;
  return { status: "completed", reasonCode: "done", ...(isLeft ? { message } : {}) };
}

/** The end that an outcome leads to; undefined if the loop continues. */
function listEnd(outcome: Outcome, run?: TodoRun): End | undefined {
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

/** The remaining tasks of the list, in words. */
function leftIn(run: TodoRun): string {
  return whatIsLeft(run.stored?.document.file.tasks ?? [], { skipped: run.tried.skipped });
}

// Lists that a run only reports: a person must answer first, or a person canceled them.

/** True if every task under way waits for a person, so that a run could do nothing. */
function isListWaiting(state: State, document: TodoDocument): boolean {
  const open = [...state.tasks.values()].filter(isOpen);
  if (open.length === 0 || !open.every((task) => isWaiting(state, task))) return false;
  return open.every(
    (task) =>
      task.outputs.length > 0 || whyIterationRestarts(findTask(document, task.taskId), task) === undefined,
  );
}

/** Reports the list's state; resets the tasks under way if the session was canceled. */
async function leaveAlone(run: Editing, standing: ListStanding): Promise<Result> {
  const { view, sessionId, file } = standing;
  if (!view || !file || run.settings.dryRun) return tellTasks(standing);
  await putBackCanceled(run, { sessionId, state: view.state });
  return tellTasks({ ...standing, file: run.stored?.document.file ?? file });
}

/** Reports the list's state and runs nothing. */
function tellTasks(standing: ListStanding): Result {
  const told = describeTasks(waitingEnd(standing), standing);
  const { canceled } = standing.view?.state ?? {};
  if (canceled) return { ...told, ...canceledEnd(canceled) };
  return told.interactions.length > 0 ? { ...told, status: "waiting", reasonCode: "open-questions" } : told;
}

/** A person canceled the list, so this run was not ignored. */
function canceledEnd({ reason }: { reason: string }): End {
  return { status: "stopped", reasonCode: "closed", message: `${reason}; \`/looplia run\` starts over` };
}

function waitingEnd({ file, path }: ListStanding): End {
  if (!file) return { status: "stopped", reasonCode: "interrupted", message: `${path} is not there yet` };
  const { tasks } = file;
  if (isProjectDone(tasks) || tasks.every(({ status }) => status === "done")) {
    return { status: "completed", reasonCode: "up-to-date" };
  }
  const blocked = new Set(tasks.filter(({ status }) => status === "blocked").map(({ id }) => id));
  const isStuck = selectTask(tasks, { blocked, skipped: new Set() }).kind === "stuck";
  const message = whatIsLeft(tasks);
  return { status: "stopped", reasonCode: isStuck ? "blocked-tasks" : "interrupted", message };
}

// The loop over a to-do file: choose a task, run it, end it, until none remains.

/** The list as the session found it, stored beside the session; empty if there was none. */
export const BEGAN = "to-do.began.json";

type TasksToRun = {
  sessionId: string;
  /** Tasks to reset, done or not; the first of them runs before all others. */
  retry?: readonly string[];
  /** Only reports the list's state and runs nothing. */
  isLeftAlone?: true;
};

/**
 * Works through the to-do file until no task remains, a person must answer or a limit is reached. If answers
 * can arrive later, a list that only waits is reported without opening its work. Throws `config-invalid` for
 * a file that can't be run: not a JSON object, or dependencies that can't be met.
 */
export class ListJob implements SessionJob<TodoRun, End> {
  readonly #toRun: TasksToRun;
  readonly #ports: TodoPorts;
  readonly #settings: TodoSettings;
  #reading: Awaited<ReturnType<typeof readList>>;
  #standing: ListStanding;

  constructor(toRun: TasksToRun, ports: TodoPorts, settings: TodoSettings) {
    const { sessionId } = toRun;
    this.#toRun = toRun;
    this.#ports = { ...ports, workspace: ports.workspaceOf?.(sessionId) ?? ports.workspace };
    this.#settings = settings;
    this.#standing = { path: settings.todo, file: undefined, sessionId, view: undefined };
  }

  async look(): Promise<Result | undefined> {
    const [ports, settings] = [this.#ports, this.#settings];
    const { sessionId, retry, isLeftAlone } = this.#toRun;
    const path = settings.todo;
    const reading = await readList(sessionId, ports, path);
    this.#reading = reading;
    const document = reading?.kind === "valid" ? reading.document : undefined;
    if (document) throwIfErrors(dependencyDiagnostics(document));
    const mayBeIdle = !document || ports.host.answersLater || isLeftAlone;
    const view = mayBeIdle ? await lookAt(ports, sessionId) : undefined;
    const standing: ListStanding = { path, file: document?.file, sessionId, view };
    this.#standing = standing;
    if (isLeftAlone) return leaveAlone({ ports, settings, stored: undefined }, standing);
    if (document && settings.task !== undefined) requireTask(document.file.tasks, path, settings.task);
    if (document && retry === undefined && isOver(document.file.tasks, settings)) {
      const end = { status: "completed", reasonCode: "up-to-date" } as const;
      return describeTasks(end, { ...standing, sessionId: view ? sessionId : "" });
    }
    if (settings.dryRun) {
      const { state } = (await lookAt(ports, sessionId)) ?? {};
      return describeTasks(await rehearse(ports, settings, { reading, state }), standing);
    }
    if (retry === undefined && view && document && isListWaiting(view.state, document))
      return tellTasks(standing);
    // Checked before anything is opened, so that a run that can't begin leaves no trace.
    if (!document && !view) await requireMaker(ports, settings, reading);
    return undefined;
  }

  open(work: ClaimedWork): Promise<TodoRun> {
    return openRun({ ports: this.#ports, settings: this.#settings, work }, this.#toRun.sessionId);
  }

  async run(run: TodoRun): Promise<End> {
    const end = await runLoop(run, this.#toRun.retry);
    if (!this.#standing.view) await keepBeginning(run, this.#reading);
    return end;
  }

  async tell(run: TodoRun, end: End): Promise<Result> {
    await putBackCanceled(run, run.journal);
    return describeTasks(end, {
      ...this.#standing,
      file: run.stored?.document.file,
      view: run.journal,
    });
  }
}

/** For `looplia replay`. The session has no folder until its first line is stored. */
async function keepBeginning(
  { ports, journal }: TodoRun,
  reading: Awaited<ReturnType<typeof readList>>,
): Promise<void> {
  const text = reading ? new TextDecoder().decode(reading.bytes) : "";
  await ports.log.keepText(journal.sessionId, BEGAN, text);
}

/** An unreadable list is a person's and is refused, unless a killed edit left it: that edit is undone. */
async function readList(
  sessionId: string,
  { workspace, stores }: TodoPorts,
  path: string,
): ReturnType<typeof loadTodo> {
  try {
    return await loadTodo(workspace, path);
  } catch (thrown) {
    const view = await lookAt({ stores }, sessionId);
    if (view && findKilled(view)) return undefined;
    throw thrown;
  }
}

/**
 * Renders the first task's opening to find a broken prompt, or reports the list's problems. Throws if a run
 * could not begin. Calls no model and changes nothing.
 */
async function rehearse(
  ports: TodoPorts,
  settings: TodoSettings,
  { reading, state = emptyState() }: { reading: TodoReading | undefined; state: State | undefined },
): Promise<End> {
  if (reading?.kind !== "valid") {
    await requireMaker(ports, settings, reading);
    const problems = reading?.broken.diagnostics.map(formatDiagnostic) ?? [];
    const first = `${settings.todo} would be ${reading ? "repaired" : "made"} first`;
    return { status: "completed", reasonCode: "done", message: [first, ...problems].join("\n") };
  }
  const { tasks } = reading.document.file;
  const { waiting } = judgeBlocks(tasks, state, await modelsOf(ports, settings));
  const run = { ports, settings, tried: { blocked: waiting, skipped: new Set<string>() } };
  const selection = choose(run, tasks);
  if (selection.kind !== "task")
    return { status: "completed", reasonCode: "done", message: whatIsLeft(tasks) };
  const agent = await ports.agent(agentAt(settings.schedule, 1));
  // Only tries the prompt and keeps nothing.
  await renderIteration(run, { task: selection.task, agent, number: 1, schemaPath: "to-do.schema.json" });
  return { status: "completed", reasonCode: "done", message: `${selection.task.id} would be next` };
}

async function runLoop(run: TodoRun, retry: readonly string[] = []): Promise<End> {
  const { canceled } = run.journal.state;
  if (canceled) return canceledEnd(canceled);
  await undoKilledEdit(run);
  const early = listEnd(await ensureList(run));
  if (early) return early;
  await reapplyEnds(run);
  await settleOpenIterations(run);
  // The task that is reset last is chosen first.
  for (const taskId of retry.toReversed()) await setBack(run, taskId);
  observeList(run);
  for (;;) {
    await reapplyEnds(run);
    const { tasks } = (await refresh(run)).document.file;
    const blocked = await waitingBlocks(run, tasks);
    const selection = choose({ ...run, tried: { ...run.tried, blocked } }, tasks);
    const end =
      selection.kind === "task" ? await runNext(run, selection.task) : await endOfList(run, selection, tasks);
    if (end) return end;
  }
}

/** Runs one task. Undefined: the loop continues. */
async function runNext(run: TodoRun, task: TodoTask): Promise<End | undefined> {
  const { maxIterations } = run.settings;
  if (run.ports.signal.aborted) return listEnd(stoppedBySignal(run.ports.signal), run);
  if (run.iterations >= maxIterations) {
    const ran = maxIterations === 1 ? "1 task was" : `${maxIterations} tasks were`;
    const message = `${ran} run (max-iterations); ${leftIn(run)}`;
    return { status: "stopped", reasonCode: "max-iterations", message };
  }
  run.iterations += 1;
  if (task.id === run.first) delete run.first;
  const ran = await runIteration(run, task);
  if (!ran) return undefined;
  if (!ran.end) return listEnd(ran.outcome, run);
  if (run.failures < MAX_FAILURES) return undefined;
  const message = `${MAX_FAILURES} tasks in a row failed; last: ${ran.end.message}`;
  return { status: "failed", reasonCode: "model-failed", message };
}

/** After this many failed agents in a row the next task would fail as well. */
const MAX_FAILURES = 3;

/**
 * Resets the session's open tasks to their earlier status. The agents' changes stay. Does nothing unless the
 * session was canceled.
 */
async function putBackCanceled(
  run: Editing,
  { sessionId, state }: Pick<SessionView, "sessionId" | "state">,
): Promise<void> {
  const { canceled } = state;
  if (!canceled) return;
  const { tasks } = (await refresh(run)).document.file;
  for (const task of tasks) {
    const known = state.tasks.get(task.id);
    if (task.status !== "doing" || known?.status !== "canceled") continue;
    const status = known.from === "blocked" ? "blocked" : "todo";
    await asOne(run.ports.host, async () => {
      await changeTask(run, task.id, () => ({ set: { status } }));
      await run.ports.host.taskEnded({
        ...{ sessionId, folder: "", title: task.title, outputs: [task.id], status: "failed" },
        todo: { label: "todo", tags: task.tags ?? [], said: canceled.reason },
      });
    });
    const message = `${task.id} is ${status} again: ${canceled.reason}`;
    run.ports.observe({ type: "notice", level: "info", message, sessionId });
  }
}

// `/retry <task>`: a person wants another attempt at a task.

/** Resets a task, done or not, and ends its open attempt and questions. It is chosen next. */
async function setBack(run: TodoRun, taskId: string): Promise<void> {
  if (!findTask((await refresh(run)).document, taskId)) {
    const message = `The task ${JSON.stringify(taskId)} is no longer in ${run.settings.todo}.`;
    return notify(run, "warning", message);
  }
  if (isOpen(run.journal.state.tasks.get(taskId))) {
    await cancelAttempt(run.journal, taskId, "it is tried again", run.ports.clock.now().toISOString());
  }
  // Only a done task needs a change to be chosen; any other change would need a commit.
  await run.journal.append({ store: "events", type: "BlocksSeen", payload: { under: { [taskId]: "" } } });
  await changeTask(run, taskId, ({ status }) => (status === "done" ? { set: { status: "todo" } } : {}));
  run.first = taskId;
}

/** Reports the list as a session of steps; a long list only by its open tasks. */
function observeList(run: TodoRun): void {
  const tasks = run.stored?.document.file.tasks.filter((task) => !isEndMarker(task)) ?? [];
  const { sessionId } = run.journal;
  run.ports.observe({
    type: "session",
    sessionId,
    source: run.settings.todo,
    pipeline: "tasks",
    folder: "",
    steps: tasks
      .filter((task) => tasks.length <= SHOWN_STEPS || task.status === "doing")
      .map(({ id, title, status }) => ({
        output: id,
        title,
        due: status !== "done",
        reason: status,
      })),
  });
}

const SHOWN_STEPS = 30;

/** The run of a session whose work is open. */
async function openRun(
  { ports, settings, work }: Pick<TodoRun, "ports" | "settings" | "work">,
  sessionId: string,
): Promise<TodoRun> {
  const opened = await openJobSession(ports, work, sessionId, settings.people);
  const { journal, asking, signal, workspace } = opened;
  const tried = { skipped: new Set<string>() };
  const fresh = { stored: undefined, tried, ranHere: new Set<string>(), iterations: 0, failures: 0 };
  return { ports: { ...ports, signal, workspace }, settings, work, opened, journal, asking, ...fresh };
}

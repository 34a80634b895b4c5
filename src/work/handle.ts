// Runs a trigger: items, one file or the task list, and returns one result.

import { Mailbox, modelFor } from "../agent/attempt.ts";
import { requirePrice } from "../agent/limits.ts";
import { type OutsideAnswer, takeAnswer } from "../agent/people.ts";
import { OpenQuestions } from "../agent/session.ts";
import { createSessionId } from "../content/item.ts";
import { readItem, runItems, type WorkToRun } from "../content/items.ts";
import { type ContentPorts, type ContentSettings, openOnce } from "../content/ports.ts";
import { runPlanned, type SessionToContinue } from "../content/run.ts";
import { planAnswered, planItem, planSession, type SessionPlan } from "../content/session.ts";
import { whyTaskRestarts } from "../content/task.ts";
import { LoopliaError } from "../core/errors.ts";
import type { InteractionAnswer } from "../core/interaction.ts";
import { type RunResult, summarizeResults } from "../core/result.ts";
import type { TodoPorts, TodoRun, TodoSettings } from "../todo/run-state.ts";

// Runs a to-do file: opens its session, records an answer if there is one, runs the loop, returns the result.

/**
 * `sessionId`: the work's existing session. `retry`: tasks to reset and try first. `isLeftAlone`: only
 * reports the state and runs nothing.
 */
type TasksWork = {
  workId: string;
  key: string;
  sessionId?: string;
  retry?: readonly string[];
  isLeftAlone?: true;
};

/** Ports and settings for the task loop, in addition to those for content. */
export type TasksSide = Pick<TodoPorts, "agent" | "log"> & { settings: TodoSettings };

/** True for ids of to-do works. */
export function isTasksWork(workId: string): boolean {
  return /^tasks-[0-9a-f]{6}(?:-\d+)?$/.test(workId);
}

/** True if the id looks like one of a to-do session. */
export function isTasksSession(sessionId: string): boolean {
  return /^to-do-\d{4}-\d{2}-\d{2}-[0-9a-f]{6}$/.test(sessionId);
}

/** Records the answer, if any, then runs the loop; an invalid answer changes nothing. */
async function handleTasks(
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
  const { runTasks } = await import("../todo/run.ts");
  try {
    const toRun = {
      ...{ sessionId, openWork },
      ...(before ? { before } : {}),
      ...(retry === undefined ? {} : { retry }),
      ...(isLeftAlone ? { isLeftAlone } : {}),
    };
    const workspace = ports.workspaceOf?.(sessionId) ?? ports.workspace;
    return summarizeResults([await runTasks(toRun, { ...ports, workspace, ...tasks }, tasks.settings)]);
  } finally {
    await work.store?.close();
  }
}

/** What starts the program. `items` continue a work's sessions; `file` always begins a new session. */
export type Trigger =
  | { kind: "file"; source: string }
  | ({ kind: "items" } & WorkToRun)
  | ({ kind: "tasks" } & TasksWork)
  | { kind: "session"; sessionId: string }
  | { kind: "answer"; interactionId: string; answer: InteractionAnswer; actorId: string };

/**
 * Runs a trigger to its end. An expected failure of one item becomes that item's result; failures of the
 * whole run (configuration, a store that is in use or damaged) are thrown as LoopliaError.
 */
export async function handle(
  trigger: Trigger,
  ports: ContentPorts,
  settings: ContentSettings,
  tasks?: TasksSide,
): Promise<RunResult> {
  const ofTasks = tasks && (await findTasks(trigger, ports));
  if (tasks && ofTasks) return handleTasks(ofTasks, ports, tasks, ofTasks.answered);
  const own = { ...ports, tools: withoutTool(ports.tools, "reportSummary") };
  requirePrice(settings.limits, ports.model, modelNames(ports.configuration, settings));
  switch (trigger.kind) {
    case "file":
      return handleFile(trigger.source, own, settings);
    case "items":
      return runItems(trigger, own, settings);
    case "tasks":
      throw new Error("the task loop is not wired here");
    case "session":
      return handleSession(trigger.sessionId, own, settings);
    case "answer":
      return handleAnswer(trigger, own, settings);
  }
}

/** Removes a tool: only to-do tasks end with a summary. */
function withoutTool(tools: ContentPorts["tools"], left: string): ContentPorts["tools"] {
  return new Map([...tools].filter(([name]) => name !== left));
}

/** The to-do work that a trigger starts, if any. */
async function findTasks(
  trigger: Trigger,
  { stores }: ContentPorts,
): Promise<(TasksWork & { answered?: Extract<Trigger, { kind: "answer" }> }) | undefined> {
  if (trigger.kind === "tasks") return trigger;
  if (trigger.kind === "session") {
    const { sessionId } = trigger;
    const workId = (await stores.findSession(sessionId)) ?? "";
    return isTasksWork(workId) ? { workId, key: workId, sessionId } : undefined;
  }
  if (trigger.kind !== "answer") return undefined;
  const found = await stores.findInteraction(trigger.interactionId);
  if (!found || !isTasksWork(found.workId)) return undefined;
  const { workId, sessionId, interactionId } = found;
  return { workId, key: workId, sessionId, answered: { ...trigger, interactionId } };
}

/** All models that the run may use. */
function modelNames(configuration: ContentPorts["configuration"], settings: ContentSettings): string[] {
  const { model, fallbackModel } = settings;
  const agents = [...configuration.agents.values()].map((agent) => modelFor({ modelName: model }, agent));
  return [...new Set([model, ...(fallbackModel === undefined ? [] : [fallbackModel]), ...agents])];
}

async function handleFile(
  source: string,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<RunResult> {
  const planned = await planItem(ports, settings, { ...(await readItem(ports, source)), fresh: true });
  return runAlone(ports, settings, {
    workId: planned.sessionId,
    key: planned.sessionId,
    plan: async () => planned,
  });
}

async function handleSession(
  sessionId: string,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<RunResult> {
  const workId = (await ports.stores.findSession(sessionId)) ?? sessionId;
  return runAlone(ports, settings, {
    workId,
    key: sessionId,
    plan: () => planSession(ports, settings, sessionId),
  });
}

/** Checks and stores an answer before anything runs; an invalid one changes nothing. */
async function handleAnswer(
  { interactionId: id, answer, actorId }: Extract<Trigger, { kind: "answer" }>,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<RunResult> {
  const found = await ports.stores.findInteraction(id);
  if (!found) {
    throw new LoopliaError("config-invalid", `There is no question ${JSON.stringify(id)}.`, {
      hint: "`looplia status` lists the open questions.",
    });
  }
  const { workId, sessionId, interactionId } = found;
  const plan = () => planAnswered(ports, settings, sessionId);
  const before: SessionToContinue["before"] = (run, groups) =>
    takeAnswer(run.session, { interactionId, answer, actorId }, (task) =>
      whyTaskRestarts(run, groups, settings, task),
    );
  return runAlone(ports, settings, { workId, key: sessionId, plan, before });
}

type SessionAlone = {
  workId: string;
  key: string;
  plan(): Promise<SessionPlan>;
  before?: SessionToContinue["before"];
};

async function runAlone(
  ports: ContentPorts,
  settings: ContentSettings,
  { workId, key, plan, before }: SessionAlone,
): Promise<RunResult> {
  const works = openOnce(ports, { workId, key });
  const planOpen = async (canceled: ReadonlySet<string>): Promise<SessionPlan> => {
    const [sessionId] = canceled;
    if (sessionId === undefined) return plan();
    throw new LoopliaError("closed", `The session ${sessionId} was canceled.`, {
      hint: "Begin a new one with --file.",
    });
  };
  try {
    return summarizeResults([
      await runPlanned(ports, settings, { plan: planOpen, openWork: works.open, before }),
    ]);
  } finally {
    await works.close();
  }
}

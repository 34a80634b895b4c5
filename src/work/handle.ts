// Runs a trigger: items, one file, one session or the task list, and returns one result.

import { modelFor } from "../agent/attempt.ts";
import { type OpenSession, openOnce, runJob, type SessionJob } from "../agent/job.ts";
import { requirePrice } from "../agent/limits.ts";
import { createSessionId } from "../content/item.ts";
import { readItem, runItems, type WorkToRun } from "../content/items.ts";
import { type ContentPorts, type ContentSettings, withBatches } from "../content/ports.ts";
import { ContentJob } from "../content/run.ts";
import { planAnswered, planItem, planSession, type SessionPlan } from "../content/session.ts";
import { LoopliaError } from "../core/errors.ts";
import type { Stores } from "../core/ports.ts";
import { type RunResult, summarizeResults } from "../core/result.ts";
import type { TodoPorts, TodoSettings } from "../todo/run-state.ts";

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

/**
 * What a run works on. `items` continue a work's sessions; `file` always begins a new session; a `session`
 * whose question was just answered runs no further than the output that it was asked for.
 */
export type Trigger =
  | { kind: "file"; source: string }
  | ({ kind: "items" } & WorkToRun)
  | ({ kind: "tasks" } & TasksWork)
  | { kind: "session"; sessionId: string; isAnswered?: true };

/**
 * Runs a trigger to its end. An expected failure of one item becomes that item's result; failures of the
 * whole run (configuration, a store that is in use or damaged) are thrown as LoopliaError. Opens the work
 * through the ports, and never closes it.
 */
export async function handle(
  trigger: Trigger,
  ports: ContentPorts,
  settings: ContentSettings,
  tasks?: TasksSide,
): Promise<RunResult> {
  const list = tasks && (await findTasks(trigger, ports));
  if (tasks && list) return handleTasks(list, ports, tasks);
  const own = { ...ports, tools: withoutTool(ports.tools, "reportSummary") };
  requirePrice(settings.limits, ports.model, modelNames(ports.configuration, settings));
  requireBatches(settings, ports.model);
  switch (trigger.kind) {
    case "file":
      return handleFile(trigger.source, own, settings);
    case "items":
      return runItems(trigger, own, settings);
    case "tasks":
      throw new Error("the task loop is not available here");
    case "session":
      return handleSession(trigger, own, settings);
  }
}

/** The rehearsal costs nothing, so it ignores the setting. */
function requireBatches({ batch }: ContentSettings, { batches, provider }: ContentPorts["model"]): void {
  if (!batch || batches || provider === "offline") return;
  throw new LoopliaError("config-invalid", `batch: the provider ${provider} does not support batches here.`, {
    hint: "Use `provider: anthropic` with a key for Anthropic's own API, or remove `batch`.",
  });
}

/** Removes a tool: only to-do tasks end with a summary. */
function withoutTool(tools: ContentPorts["tools"], left: string): ContentPorts["tools"] {
  return new Map([...tools].filter(([name]) => name !== left));
}

/** The to-do work that a trigger starts, if any. */
async function findTasks(trigger: Trigger, { stores }: ContentPorts): Promise<TasksWork | undefined> {
  if (trigger.kind === "tasks") return trigger;
  if (trigger.kind !== "session") return undefined;
  const { sessionId } = trigger;
  const workId = (await stores.findSession(sessionId)) ?? "";
  return isTasksWork(workId) ? { workId, key: workId, sessionId } : undefined;
}

async function handleTasks(
  { workId, key, sessionId: known, ...how }: TasksWork,
  ports: ContentPorts,
  tasks: TasksSide,
): Promise<RunResult> {
  const { todo } = tasks.settings;
  const named = { slugHint: undefined, title: "to-do", source: todo };
  const sessionId = known ?? createSessionId(named, ports.clock.now(), ports.ids.hex(3));
  const { ListJob } = await import("../todo/run.ts");
  const job = new ListJob({ sessionId, ...how }, { ...ports, ...tasks }, tasks.settings);
  return runAlone(ports, { workId, kind: "tasks", key }, job);
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
  const { sessionId } = planned;
  const job = new ContentJob(
    ports,
    settings,
    unlessCanceled(async () => planned),
  );
  return runAlone(ports, { workId: sessionId, kind: "content", key: sessionId }, job, settings);
}

async function handleSession(
  { sessionId, isAnswered }: Extract<Trigger, { kind: "session" }>,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<RunResult> {
  const workId = (await ports.stores.findSession(sessionId)) ?? sessionId;
  const plan = () => (isAnswered ? planAnswered : planSession)(ports, settings, sessionId);
  const job = new ContentJob(ports, settings, unlessCanceled(plan));
  return runAlone(ports, { workId, kind: "content", key: sessionId }, job, settings);
}

function unlessCanceled(plan: () => Promise<SessionPlan>) {
  return async (canceled: ReadonlySet<string>): Promise<SessionPlan> => {
    const [sessionId] = canceled;
    if (sessionId === undefined) return plan();
    throw new LoopliaError("closed", `The session ${sessionId} was canceled.`, {
      hint: "Start a new session with --file.",
    });
  };
}

async function runAlone<Session extends { opened: OpenSession }, End>(
  ports: ContentPorts,
  work: Parameters<Stores["open"]>[0],
  job: SessionJob<Session, End>,
  settings: Pick<ContentSettings, "batch"> = {},
): Promise<RunResult> {
  const { open, send } = withBatches(ports, settings, openOnce(ports, work));
  const result = await runJob(job, open);
  await send();
  return summarizeResults([result]);
}

// The story, readable top to bottom: a trigger selects sessions, each runs what is due, one result is told.
import { requirePrice } from "./agent/limits.ts";
import { modelFor } from "./agent/prefix.ts";
import { takeAnswer } from "./agent/take-answer.ts";
import { type RunResult, summarizeItems } from "./content/item-result.ts";
import { type PlannedSession, planAnswered, planItem, planSession } from "./content/open-session.ts";
import { whyAnew } from "./content/open-tasks.ts";
import type { ContentPorts, ContentSettings } from "./content/ports.ts";
import { runPlanned } from "./content/run-item.ts";
import { openOnce, readItem, runItems, type WorkToRun } from "./content/run-items.ts";
import { LoopliaError } from "./errors.ts";
import { handleTasks, isTasksWork, type TasksSide, type TasksWork } from "./handle-tasks.ts";
import type { InteractionAnswer } from "./session/interaction.ts";

/** What wakes the program. `items` of one work go on where their sessions stand; `file` always begins one. */
export type Trigger =
  | { kind: "file"; source: string }
  | ({ kind: "items" } & WorkToRun)
  | ({ kind: "tasks" } & TasksWork)
  | { kind: "session"; sessionId: string }
  | { kind: "answer"; interactionId: string; answer: InteractionAnswer; actorId: string };

/**
 * Runs a trigger to its end. Expected failures of one item are that item's result; what concerns the whole run
 * (configuration, a store that is in use or damaged) is thrown as LoopliaError.
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

/** To-do tasks alone end with a summary. */
function withoutTool(tools: ContentPorts["tools"], left: string): ContentPorts["tools"] {
  return new Map([...tools].filter(([name]) => name !== left));
}

/** The work with a to-do file that a trigger wakes, if it is one. */
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

/** Every model that may be asked. */
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
  return runAlone(ports, settings, planned.sessionId, planned.sessionId, async () => planned);
}

async function handleSession(
  sessionId: string,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<RunResult> {
  const workId = (await ports.stores.findSession(sessionId)) ?? sessionId;
  return runAlone(ports, settings, workId, sessionId, () => planSession(ports, settings, sessionId));
}

/** An answer is checked and stored before anything runs; a wrong one changes nothing. */
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
  return runAlone(ports, settings, workId, sessionId, plan, (run, groups) =>
    takeAnswer(run.session, { interactionId, answer, actorId }, (task) =>
      whyAnew(run, groups, settings, task),
    ),
  );
}

async function runAlone(
  ports: ContentPorts,
  settings: ContentSettings,
  workId: string,
  key: string,
  plan: () => Promise<PlannedSession>,
  before?: Parameters<typeof runPlanned>[4],
): Promise<RunResult> {
  const works = openOnce(ports, { workId, key });
  const planOpen = async (canceled: ReadonlySet<string>): Promise<PlannedSession> => {
    const [sessionId] = canceled;
    if (sessionId === undefined) return plan();
    throw new LoopliaError("closed", `The session ${sessionId} was canceled.`, {
      hint: "Begin a new one with --file.",
    });
  };
  try {
    return summarizeItems([await runPlanned(ports, settings, planOpen, works.open, before)]);
  } finally {
    await works.close();
  }
}

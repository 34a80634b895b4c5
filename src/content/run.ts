// Runs content sessions: opens their stores, runs the due steps, reports each outcome.
import { buildPrefix, type Mailbox, openAttempt, runAttempt } from "../agent/attempt.ts";
import { type ClaimedWork, lookAt, type OpenSession, openJobSession, type SessionJob } from "../agent/job.ts";
import {
  type AgentSession,
  isEndedByPeople,
  MAX_OPEN_QUESTIONS,
  type Outcome,
  type SubagentCall,
  type SubagentOutcome,
  stoppedBySignal,
} from "../agent/session.ts";
import type { SessionView } from "../core/conversation.ts";
import { inTurn } from "../core/json.ts";
import type { Result } from "../core/result.ts";
import type { State } from "../core/state.ts";
import { askAboutInvalid, closeCorrected } from "./asking.ts";
import { createSessionFolder, requireRoomForSession, writeContent, writeManifest } from "./folder.ts";
import { hashOfAll } from "./item.ts";
import { applyPlan, type SessionManifest } from "./manifest.ts";
import { currentInputs, groupTasks, type TaskGroup } from "./plan.ts";
import {
  type ContentPorts,
  type ContentSettings,
  isReady,
  type SessionRun,
  usableOutputs,
  withPages,
} from "./ports.ts";
import { createEstimate, requireReadable } from "./reading/parts.ts";
import { describeSession } from "./result.ts";
import { adoptEdits, failureCodeOf, isSessionWaiting, planAnswered, type SessionPlan } from "./session.ts";
import { groupDue, renderStep, runTask, settleOpenTasks, whyTaskRestarts } from "./task.ts";

// Runs the due tasks of a session: independent ones in parallel (limited), dependent ones in order.

/** Tasks of one session at once. */
const TASKS_AT_ONCE = 4;

/** Runs the groups and returns one outcome for the session: failed > waiting > stopped > completed. */
async function runSession(
  run: SessionRun,
  groups: readonly TaskGroup[],
  settings: Pick<ContentSettings, "orchestration" | "force">,
): Promise<Outcome> {
  await settleOpenTasks(run, groups, settings);
  const outcomes = new Map<TaskGroup, Outcome>();
  if (settings.orchestration === "agent") {
    const led = await orchestrate(run, groups, outcomes);
    if (led.kind !== "completed") return led;
  }
  // With either orchestration, the program runs the steps that are still due.
  await runGroups(run, groups, outcomes);
  const { signal } = run.session;
  if (signal.aborted && outcomes.size < groups.length) return stoppedBySignal(signal);
  return worstOf([...outcomes.values()]);
}

/** The most serious of several outcomes. */
function worstOf(outcomes: readonly Outcome[]): Outcome {
  for (const kind of ["failed", "waiting", "stopped"] as const) {
    const found = outcomes.find((outcome) => outcome.kind === kind);
    if (found) return found;
  }
  return { kind: "completed", text: "" };
}

async function runGroups(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
): Promise<void> {
  const running = new Map<TaskGroup, Promise<void>>();
  const errors: unknown[] = [];
  const isStopped = () => run.session.signal.aborted || errors.length > 0;
  const start = async (group: TaskGroup): Promise<void> => {
    try {
      outcomes.set(group, await runTask(run, group));
    } catch (error) {
      errors.push(error);
    } finally {
      running.delete(group);
    }
  };
  for (;;) {
    for (const group of groups) {
      if (running.size >= TASKS_AT_ONCE || isStopped()) break;
      if (outcomes.has(group) || running.has(group) || !isReady(run, group)) continue;
      running.set(group, start(group));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (errors.length > 0) throw errors[0];
}

/** Plans again, without sessions that a person canceled. */
type PlanSession = (canceled: ReadonlySet<string>) => Promise<SessionPlan>;

/** A planned session of the open work. */
type PlannedRun = { planned: SessionPlan; opened: OpenSession; work: ClaimedWork; manifest: SessionManifest };

/**
 * Runs the due steps of a session. If answers can arrive later, a session that only waits is reported without
 * opening its work.
 */
export class ContentJob implements SessionJob<PlannedRun, Outcome> {
  readonly #ports: ContentPorts;
  readonly #settings: ContentSettings;
  readonly #plan: PlanSession;
  readonly #isByClock: boolean;

  /** `isByClock`: nobody asked for this run, so what is left to people does not begin again. */
  constructor(ports: ContentPorts, settings: ContentSettings, plan: PlanSession, isByClock = false) {
    this.#ports = ports;
    this.#settings = settings;
    this.#plan = plan;
    this.#isByClock = isByClock;
  }

  async look(): Promise<Result | undefined> {
    const [ports, settings] = [this.#ports, this.#settings];
    const first = await this.#plan(new Set());
    if (settings.dryRun) return tellDry(ports, settings, first);
    if (!hasWork(first)) return leaveAlone(ports, first);
    if (ports.host.answersLater && settings.force === undefined) {
      const view = await lookAt(ports, first.sessionId);
      if (view && isSessionWaiting(first, view.state)) return tellOf(ports, first);
      if (view && this.#isByClock && isLeftToPeople(first, view.state)) return tellOf(ports, first);
    }
    if (isBlocked(first) && !ports.host.answersLater) return tellBlocked(ports, first);
    // Checked before anything is opened, so that a run that can't begin leaves no trace.
    if (first.isNew && ports.budget?.isSpent) return tellUnpaid(ports, first);
    await requireReadable(ports, settings, first);
    if (first.isNew) await requireRoomForSession(ports.workspace);
    return undefined;
  }

  /** Another process may have continued the session before the work was opened, so this plans again. */
  async open(work: ClaimedWork): Promise<PlannedRun> {
    const canceled = new Set<string>();
    for (;;) {
      const planned = await this.#plan(canceled);
      const { sessionId, manifest } = planned;
      const opened = await openJobSession(this.#ports, work, sessionId, this.#settings.people);
      if (!opened.journal.state.canceled) return { planned, opened, work, manifest };
      await opened.journal.close();
      canceled.add(sessionId);
    }
  }

  async lookAgain({ planned, opened, work }: PlannedRun): Promise<Result | undefined> {
    const ports = this.#ports;
    if (!hasWork(planned)) return leaveAlone(ports, planned);
    if (isBlocked(planned)) {
      // A pull request shows the state of a work only after the work was opened.
      if (ports.host.answersLater) await askAboutInvalid(this.#agentSession(opened), planned);
      return tellBlocked(ports, planned);
    }
    return planned.isNew && work.questions.isFull ? leaveForLater(ports, planned) : undefined;
  }

  async run(session: PlannedRun): Promise<Outcome> {
    const { planned, opened, work } = session;
    const run = sessionRun(planned, this.#agentSession(opened), work.mailbox, this.#settings);
    const groups = await groupDue(run, planned.plans, this.#settings);
    await closeCorrected(run.session);
    observePlan(this.#ports, planned);
    await saveStart(run, planned);
    try {
      return await runSession(run, groups, this.#settings);
    } finally {
      session.manifest = run.manifest;
    }
  }

  tell({ planned, opened, manifest }: PlannedRun, outcome: Outcome): Promise<Result> {
    return describeSession(this.#ports, planned, { manifest, view: opened.journal, outcome });
  }

  #agentSession(opened: OpenSession): AgentSession {
    const { model: modelName, fallbackModel, limits, gate } = this.#settings;
    const fallback = fallbackModel === undefined ? {} : { fallbackModel };
    return { ...opened, model: this.#ports.model, modelName, ...fallback, limits, gate };
  }
}

/** Why an answer to a question of this task would let nothing run, as a piece of a sentence. */
export async function whyAnswerIsUseless(
  ports: ContentPorts,
  settings: ContentSettings,
  { sessionId, state }: Pick<SessionView, "sessionId" | "state">,
  taskId: string,
): Promise<string | undefined> {
  const task = state.tasks.get(taskId);
  if (!task) return undefined;
  const planned = await planAnswered(ports, settings, sessionId);
  const run = { ...planned, session: { workspace: ports.workspace, journal: { state } } };
  return whyTaskRestarts(run, await groupDue(run, planned.plans, settings), settings, task);
}

/**
 * True if a person canceled the session, or nobody answered its question in time, and the item has not
 * changed since: only a person starts it again.
 */
function isLeftToPeople({ plans, manifest, isSourceChanged }: SessionPlan, state: State): boolean {
  if (isSourceChanged) return false;
  const hasExpired = plans.some(
    ({ output, due }) =>
      due && manifest.steps.get(output)?.status === "failed" && failureCodeOf(state, output) === "expired",
  );
  return state.canceled?.actorId !== undefined || hasExpired;
}

/** No new item starts while the limit of open questions is reached. */
async function leaveForLater(ports: ContentPorts, planned: SessionPlan): Promise<Result> {
  const result = await leaveAlone(ports, planned);
  const message = `not started: ${MAX_OPEN_QUESTIONS} questions of this work are open already`;
  return { ...result, status: "waiting", reasonCode: "open-questions", message };
}

async function tellUnpaid(ports: ContentPorts, planned: SessionPlan): Promise<Result> {
  const result = await leaveAlone(ports, planned);
  const message = "not started: the limit of cost for this run, or for the month, is reached";
  return { ...result, status: "stopped", reasonCode: "cost-limit", message };
}

/** Reports a session's state and changes nothing. */
export async function tellOf(ports: ContentPorts, planned: SessionPlan): Promise<Result> {
  const { view, result } = await describeStored(ports, planned);
  if (view?.state.canceled) {
    return { ...result, status: "stopped", reasonCode: "closed", message: view.state.canceled.reason };
  }
  if (isBlocked(planned)) return tellBlocked(ports, planned);
  if (result.interactions.length > 0) return { ...result, status: "waiting", reasonCode: "open-questions" };
  const failed = planned.plans.find(({ output }) => planned.manifest.steps.get(output)?.status === "failed");
  if (failed) {
    const message = planned.manifest.steps.get(failed.output)?.errorMessage ?? `${failed.output} failed`;
    return { ...result, status: "failed", reasonCode: failureCodeOf(view?.state, failed.output), message };
  }
  if (!hasDue(planned)) return { ...result, reasonCode: "up-to-date" };
  return { ...result, status: "stopped", reasonCode: "interrupted" };
}

const NOTHING_RUN: Outcome = { kind: "completed", text: "" };

/**
 * Nothing is due, or it is a dry run: that only renders the openings of the due tasks, so that a broken
 * prompt shows.
 */
async function leaveAlone(ports: ContentPorts, planned: SessionPlan): Promise<Result> {
  observePlan(ports, planned);
  for (const group of groupTasks(planned.pipeline, planned.plans)) {
    const agent = ports.configuration.agents.get(group.agent);
    if (agent) await buildPrefix(ports, agent);
    await renderStep({ ...planned, session: ports }, group);
  }
  const result = await describeSession(ports, planned, {
    manifest: planned.manifest,
    view: undefined,
    outcome: NOTHING_RUN,
  });
  return hasDue(planned) ? result : { ...result, reasonCode: "up-to-date" };
}

/** As `leaveAlone`, with an estimate. Throws `config-invalid` where a run would not begin, too. */
async function tellDry(
  ports: ContentPorts,
  settings: ContentSettings,
  planned: SessionPlan,
): Promise<Result> {
  await requireReadable(ports, settings, planned);
  const result = await leaveAlone(ports, planned);
  return hasDue(planned) ? { ...result, estimate: await createEstimate(ports, settings)(planned) } : result;
}

function hasDue({ plans }: SessionPlan): boolean {
  return plans.some((plan) => plan.due);
}

/** True if a step is due, an edit or a new name must be recorded, or a page must be made again. */
function hasWork(planned: SessionPlan): boolean {
  if (hasDue(planned) || planned.adopted.size > 0 || planned.renamedFrom !== undefined) return true;
  return planned.missingPages.size > 0;
}

async function describeStored(ports: ContentPorts, planned: SessionPlan) {
  const view = await lookAt(ports, planned.sessionId);
  const end = { manifest: planned.manifest, view, outcome: NOTHING_RUN };
  return { view, result: await describeSession(ports, planned, end) };
}

function isBlocked({ plans }: SessionPlan): boolean {
  return plans.some((plan) => plan.isBlocked);
}

/** A person's edit of an artifact is invalid: keeps the edit and runs nothing. */
async function tellBlocked(ports: ContentPorts, planned: SessionPlan): Promise<Result> {
  const { result } = await describeStored(ports, planned);
  const told = planned.plans.flatMap(({ output, reason, isBlocked }) => {
    if (!isBlocked) return [];
    const file = planned.pipeline.outputs.find(({ name }) => name === output)?.artifact ?? output;
    const again = ports.host.answersLater ? `comment \`/retry ${output}\`` : `run with \`--force ${output}\``;
    return [
      `${planned.folder}/${file} was edited, and ${reason}. It was left as it is. Correct it, or ${again} to make it again (a copy is kept).`,
    ];
  });
  const message = told.join(" ");
  if (result.interactions.length > 0)
    return { ...result, status: "waiting", reasonCode: "open-questions", message };
  return { ...result, status: "failed", reasonCode: "invalid-artifact", message };
}

function observePlan(ports: ContentPorts, planned: SessionPlan): void {
  const { sessionId, pipeline, plans, folder, item } = planned;
  const steps = plans.map(({ output, due, reason }) => ({ output, due, reason }));
  const { source } = item;
  ports.observe({ type: "session", sessionId, source, pipeline: pipeline.name, folder, steps });
}

function sessionRun(
  planned: SessionPlan,
  session: AgentSession,
  mailbox: Mailbox,
  { chooseAngle = false }: Pick<ContentSettings, "chooseAngle">,
): SessionRun {
  const { sessionId, folder, item, pipeline, manifest } = planned;
  const own = [...manifest.steps].filter(([name, step]) => !step.editedBy && !planned.adopted.has(name));
  const ownHashes = new Set(own.flatMap(([, { contentHash }]) => contentHash ?? []));
  return { sessionId, folder, item, pipeline, manifest, session, mailbox, ownHashes, chooseAngle };
}

/** Creates the folder, or updates `content.md` and the manifest for the item and the desired output. */
async function saveStart(run: SessionRun, planned: SessionPlan): Promise<void> {
  const { workspace, clock } = run.session;
  if (planned.isNew) {
    run.manifest = withNotice(planned.manifest, run.session.model.notice, true);
    await createSessionFolder(workspace, run.manifest, planned.item.bytes);
    return;
  }
  if (planned.isSourceChanged) await writeContent(workspace, run.sessionId, planned.item.bytes);
  const { pipeline, plans: steps, item, desiredOutput } = planned;
  const { sourceHash, parts } = item;
  const plan = { pipeline, steps, sourceHash, parts, desiredOutput };
  const isAll = steps.length === pipeline.outputs.length && steps.every((step) => step.due);
  const edited = await adoptEdits(run, planned.adopted);
  const known = withNotice(edited, run.session.model.notice, isAll);
  const pages = await writeMissing(run, planned.missingPages);
  const manifest = withPages(applyPlan(known, plan, clock.now().toISOString()), pages);
  if (manifest === run.manifest && planned.renamedFrom === undefined) return;
  await writeManifest(workspace, manifest);
  run.manifest = manifest;
}

async function writeMissing(run: SessionRun, missing: SessionPlan["missingPages"]) {
  const page = missing.size > 0 && (await import("./kit/page.ts"));
  return page ? page.writePages(run, [...missing], usableOutputs(run)) : new Map<string, string>();
}

/**
 * The manifest notes artifacts that no language model made; only a run that makes all of them again removes
 * the note.
 */
function withNotice(manifest: SessionManifest, notice: string | undefined, isAll: boolean): SessionManifest {
  if (manifest.extra.get("notice") === notice || (notice === undefined && !isAll)) return manifest;
  const extra = new Map(manifest.extra);
  if (notice === undefined) extra.delete("notice");
  else extra.set("notice", notice);
  return { ...manifest, extra };
}

// Orchestration `agent`: a main agent delegates each due step through `Task`.

const TASK_ID = "orchestrate";

/** Runs the main agent. Records the outcomes of its tasks in `outcomes`; steps that it forgot are absent. */
async function orchestrate(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
): Promise<Outcome> {
  const { session } = run;
  const { mainAgent: definition } = session.configuration;
  const { name: agent } = definition;
  const inputs = currentInputs(session.configuration, agent, hashOfAll(run.item));
  const task = await openAttempt(session.journal, { taskId: TASK_ID, agent, outputs: [], inputs });
  let interruption: Outcome | undefined;
  return runAttempt({
    ...{ session, task, depth: 0, subagents: [...new Set(groups.map((group) => group.agent))] },
    definition: () => definition,
    opening: () => renderOrchestration(run, groups),
    accept: async () => ({ text: "The main agent writes no artifacts: use Task.", isError: true }),
    // Steps depend on earlier ones: none begins while another of the same turn waits.
    delegate: (call) =>
      inTurn(outcomes, async () => {
        if (interruption) return { outcome: interruption };
        const ended = await delegate(run, groups, outcomes, call);
        if ("outcome" in ended) interruption = ended.outcome;
        return ended;
      }),
    isDone: () => (groups.every((group) => outcomes.get(group)?.kind === "completed") ? DONE : undefined),
    // The program continues without a failed main agent.
    end: (outcome, isOpen) => {
      const isOver = outcome.kind === "failed" && !isOpen && !isEndedByPeople(outcome);
      return { outcome: isOver ? DONE : outcome };
    },
  });
}

const DONE: Outcome = { kind: "completed", text: "" };

function renderOrchestration(run: SessionRun, groups: readonly TaskGroup[]): Promise<string> {
  const steps = groups.map(({ agent, outputs }) => ({ agent, outputs }));
  const { pipeline, folder, item } = run;
  return run.session.configuration.prompts.render("orchestrate.md", {
    pipeline,
    sessionFolder: folder,
    title: item.title,
    steps,
    facts: JSON.stringify({ sessionFolder: folder, steps }),
  });
}

/** One `Task` call: runs the due task of that agent, or reports the due tasks. */
async function delegate(
  run: SessionRun,
  groups: readonly TaskGroup[],
  outcomes: Map<TaskGroup, Outcome>,
  call: SubagentCall,
): Promise<SubagentOutcome> {
  const earlier = [...run.session.journal.state.tasks.values()].find(
    (task) => task.conversationId === call.conversationId && task.status === "completed",
  );
  if (earlier) return { reply: { text: `Completed: ${earlier.outputs.join(", ")}.` } };
  const left = groups.filter((group) => !outcomes.has(group));
  const group = left.find((candidate) => candidate.agent === call.agent && isReady(run, candidate));
  if (!group) {
    const due = left.filter((candidate) => isReady(run, candidate)).map((candidate) => candidate.agent);
    const text = `Nothing is due for ${JSON.stringify(call.agent)} now. Due now: ${due.join(", ") || "nothing"}.`;
    return { reply: { text, isError: true } };
  }
  const { conversationId, prompt } = call;
  const outcome = await runTask(run, group, { conversationId, depth: 1, prompt });
  if (outcome.kind === "waiting" || outcome.kind === "stopped") return { outcome };
  outcomes.set(group, outcome);
  if (outcome.kind === "failed") return { reply: { text: `Failed: ${outcome.message}.`, isError: true } };
  return {
    reply: { text: `Completed: ${group.outputs.join(", ")}. The program validated and recorded it.` },
  };
}

// The state of the progress display: a fold over run events. Pure.
import { addUsage, noUsage } from "../../core/conversation.ts";
import type { Usage } from "../../core/events.ts";
import { toPlainLine, toPlainText } from "../../core/json.ts";
import type { RunEvent } from "../../core/ports.ts";

export type StepProgress = "pending" | "skipped" | "started" | "stopped" | "completed" | "failed" | "waiting";

export type StepView = {
  output: string;
  /** Of a to-do task; otherwise empty. */
  title: string;
  agent: string;
  state: StepProgress;
  /** Why it runs or was skipped; later its error. */
  reason: string;
  /** Why it runs again; empty for the first run. */
  again: string;
  costUsd: number;
  startedAt?: number;
  endedAt?: number;
};

/** One tool call. `refused`: the call did not run, or its artifact failed validation. */
export type Activity = {
  id: string;
  /** The steps of its task. */
  outputs: string[];
  label: string;
  state: "running" | "stopped" | "done" | "failed" | "refused";
  startedAt: number;
  durationMs?: number;
  problems: string[];
  /** How a command ended, and the last lines of its output. */
  ending: string[];
  /** Removed and added lines of an edit or artifact. */
  change: string[];
};

/** What a session did, in order. `outputs`: the steps that it belongs to; empty for the whole session. */
type LogEntry = { outputs: string[]; agent: string } & (
  | { kind: "said" | "asked" | "answered" | "noted"; text: string }
  | { kind: "called"; activity: Activity }
);

export type SessionProgress = {
  sessionId: string;
  source: string;
  pipeline: string;
  folder: string;
  steps: StepView[];
  activities: Activity[];
  /** `about`: the task or step with the question. */
  questions: { shortId: string; title: string; about: string; outputs: string[] }[];
  /** The end of the model's current text. */
  saying: string;
  /** The newest entries only. */
  log: LogEntry[];
  costUsd: number;
};

export type ProgressState = {
  startedAt: number;
  sessions: Map<string, SessionProgress>;
  usage: Usage;
  costUsd: number;
  isUnpriced: boolean;
  /** How many items the run has, and how those that ended did; `troubles`: the last failures. */
  items: { count: number; ended: number; byStatus: Map<string, number>; troubles: string[] };
  /** Keeps a line of each ended session among many; otherwise these are only counted. */
  isListed: boolean;
};

/** More items than this are shown as counts. */
const MOST_SHOWN = 12;
const SHOWN_TROUBLES = 3;

export function hasMany({ items }: Pick<ProgressState, "items">): boolean {
  return items.count > MOST_SHOWN;
}

const KEPT_TEXT = 400;
const KEPT_ENTRIES = 400;
const KEPT_SAID = 4_000;
/** The plan's reason for a step that runs for the first time. */
const NEVER_DONE = "not done yet";

/** The state before the first event. */
export function beginProgress(now: number, isListed = false): ProgressState {
  const items = { count: 0, ended: 0, byStatus: new Map(), troubles: [] };
  const sums = { usage: noUsage(), costUsd: 0, isUnpriced: false };
  return { startedAt: now, sessions: new Map(), ...sums, items, isListed };
}

/** Applies one event in place. Converts text of models and content to plain text once, here. */
export function applyProgress(state: ProgressState, event: RunEvent, now: number): void {
  if (event.type === "session") {
    state.sessions.set(event.sessionId, beginSession(event));
    return;
  }
  if (event.type === "usage") {
    state.usage = addUsage(state.usage, event.usage);
    state.costUsd += event.costUsd ?? 0;
    state.isUnpriced ||= event.costUsd === null;
    const session = state.sessions.get(event.sessionId);
    if (session) applyCost(session, event);
    return;
  }
  if (event.type === "item") {
    applyItem(state, event);
    return;
  }
  const session = event.sessionId === undefined ? undefined : state.sessions.get(event.sessionId);
  if (session) applyToSession(session, event, now);
}

function applyItem(state: ProgressState, { count, ended }: Extract<RunEvent, { type: "item" }>): void {
  const { items } = state;
  items.count = count;
  if (!ended) return;
  items.ended += 1;
  items.byStatus.set(ended.status, (items.byStatus.get(ended.status) ?? 0) + 1);
  // Of many items only the running ones are kept: memory must not grow with their number.
  const session = state.sessions.get(ended.sessionId);
  if (hasMany(state) && !state.isListed) state.sessions.delete(ended.sessionId);
  else if (hasMany(state) && session) Object.assign(session, { activities: [], log: session.log.slice(-5) });
  if (ended.status !== "failed") return;
  items.troubles.push(toPlainLine(`${ended.source}: ${ended.message ?? "failed"}`));
  if (items.troubles.length > SHOWN_TROUBLES) items.troubles.shift();
}

/** A task of several steps: the last one has the cost, as it has the calls. */
function applyCost(session: SessionProgress, event: Extract<RunEvent, { type: "usage" }>): void {
  const costUsd = event.costUsd ?? 0;
  const output = outputsOf(session, event).at(-1);
  const step = session.steps.find((one) => one.output === output);
  session.costUsd += costUsd;
  if (step) step.costUsd += costUsd;
}

/** Ends a run: nothing is active any more. */
export function endProgress(state: ProgressState, now: number): void {
  for (const session of state.sessions.values()) {
    session.saying = "";
    for (const step of session.steps) {
      if (step.state !== "started") continue;
      step.state = "stopped";
      step.endedAt = now;
    }
    for (const call of session.activities) if (call.state === "running") call.state = "stopped";
  }
}

/** Tool and summary on one line; files in the session's folder by their names. */
export function callLabel(
  session: Pick<SessionProgress, "folder"> | undefined,
  call: { toolName: string; summary: string },
): string {
  const label = toPlainLine(`${call.toolName} ${call.summary}`);
  return session?.folder ? label.replaceAll(`${session.folder}/`, "") : label;
}

function beginSession(event: Extract<RunEvent, { type: "session" }>): SessionProgress {
  return {
    sessionId: event.sessionId,
    source: toPlainLine(event.source),
    pipeline: event.pipeline,
    folder: event.folder,
    steps: event.steps.map((step) => ({
      output: toPlainLine(step.output),
      title: toPlainLine(step.title ?? ""),
      agent: "",
      costUsd: 0,
      state: step.due ? "pending" : "skipped",
      reason: toPlainLine(step.reason),
      again:
        step.due && step.title === undefined && step.reason !== NEVER_DONE ? toPlainLine(step.reason) : "",
    })),
    activities: [],
    questions: [],
    saying: "",
    log: [],
    costUsd: 0,
  };
}

function applyToSession(session: SessionProgress, event: RunEvent, now: number): void {
  switch (event.type) {
    case "step":
      applyStep(session, event, now);
      return;
    case "tool-started":
      session.saying = "";
      addActivity(session, beginActivity(session, event, now), event.agent);
      return;
    case "tool-ended": {
      if (event.refused !== undefined) {
        const problems = [toPlainLine(event.refused)];
        const refused = { ...beginActivity(session, event, now), state: "refused" as const, problems };
        addActivity(session, refused, event.agent);
        return;
      }
      const activity = session.activities.findLast((one) => one.id === event.toolCallId);
      if (!activity) return;
      activity.durationMs = event.durationMs;
      activity.ending = endingLines(event);
      activity.change = event.change === undefined ? [] : toPlainText(event.change).split("\n");
      if (activity.state === "running") activity.state = event.isError ? "failed" : "done";
      return;
    }
    case "validation-failed":
      applyRefusal(session, event, now);
      return;
    case "text":
      session.saying = (session.saying + toPlainText(event.delta)).slice(-KEPT_TEXT);
      return;
    case "message": {
      session.saying = "";
      const text = toPlainText(event.text).slice(0, KEPT_SAID).trim();
      addEntry(session, { kind: "said", outputs: outputsOf(session, event), agent: event.agent, text });
      return;
    }
    case "question":
      session.questions.push({
        shortId: event.request.shortId,
        title: toPlainLine(event.request.display.title),
        about: aboutOf(session, event.request.taskId),
        outputs: outputsOf(session, event.request),
      });
      addEntry(session, toEntry(session, event.request, "asked", event.request.display.title));
      return;
    case "answered":
      session.questions = session.questions.filter((open) => open.shortId !== event.request.shortId);
      addEntry(session, toEntry(session, event.request, "answered", answerText(event)));
      return;
    case "notice":
      addEntry(session, { kind: "noted", outputs: [], agent: "", text: toPlainLine(event.message) });
  }
}

/** A to-do task is one step, whatever its id contains. */
function outputsOf({ pipeline }: SessionProgress, { taskId }: { taskId: string }): string[] {
  return pipeline === "tasks" ? [toPlainLine(taskId)] : toPlainLine(taskId).split("+");
}

function addActivity(session: SessionProgress, activity: Activity, agent: string): void {
  session.activities.push(activity);
  addEntry(session, { kind: "called", outputs: activity.outputs, agent, activity });
}

function addEntry(session: SessionProgress, entry: LogEntry): void {
  session.log.push(entry);
  if (session.log.length <= KEPT_ENTRIES) return;
  const dropped = session.log.shift();
  if (dropped?.kind === "called") dropped.activity.change = [];
}

function toEntry(
  session: SessionProgress,
  request: { taskId: string; authorActorId: string },
  kind: "asked" | "answered",
  text: string,
): LogEntry {
  return {
    kind,
    outputs: outputsOf(session, request),
    agent: request.authorActorId,
    text: toPlainLine(text),
  };
}

/** The answer in words, and who gave it. */
export function answerText({ answer, actorId }: Extract<RunEvent, { type: "answered" }>): string {
  const said = answer.selectedOptionId ?? answer.inputValue ?? "";
  return `${toPlainLine(said)} (${toPlainLine(actorId)})`;
}

function beginActivity(
  session: SessionProgress,
  event: Extract<RunEvent, { type: "tool-started" | "tool-ended" }>,
  now: number,
): Activity {
  return {
    id: event.toolCallId,
    outputs: outputsOf(session, event),
    label: callLabel(session, event),
    state: "running",
    startedAt: now,
    problems: [],
    ending: [],
    change: [],
  };
}

/** A task by id and title, a step by name. */
export function aboutOf(session: SessionProgress | undefined, taskId: string): string {
  const output = toPlainLine(taskId);
  const title = session?.steps.find((step) => step.output === output)?.title ?? "";
  return title === "" ? output : `${output} ${title}`;
}

/** How a command ended, line by line. */
export function endingLines({ ending }: { ending?: string }): string[] {
  return ending?.split("\n").map(toPlainLine) ?? [];
}

function applyStep(session: SessionProgress, event: Extract<RunEvent, { type: "step" }>, now: number): void {
  const output = toPlainLine(event.output);
  let step = session.steps.find((one) => one.output === output);
  if (!step) {
    step = { output, title: "", agent: "", state: "pending", reason: "", again: "", costUsd: 0 };
    session.steps.push(step);
  }
  step.agent = toPlainLine(event.agent);
  step.state = event.status;
  step.reason = toPlainLine(event.message ?? "");
  if (event.title !== undefined) step.title = toPlainLine(event.title);
  if (event.status === "started") {
    if (session.pipeline === "tasks") step.again = step.reason;
    step.startedAt ??= now;
    delete step.endedAt;
  } else {
    step.endedAt = now;
  }
}

function applyRefusal(
  session: SessionProgress,
  event: Extract<RunEvent, { type: "validation-failed" }>,
  now: number,
): void {
  const running = session.activities.findLast(
    (one) => one.state === "running" && one.label.startsWith("writeArtifact"),
  );
  const refused: Activity = running ?? {
    id: "",
    outputs: [event.output],
    label: "",
    state: "refused",
    startedAt: now,
    problems: [],
    ending: [],
    change: [],
  };
  if (!running) addActivity(session, refused, "");
  refused.state = "refused";
  refused.label = `Write ${toPlainLine(event.artifact)} - validation failed`;
  refused.problems = event.errors.map(toPlainLine);
}

// A job is one session of a work, from the first look to the result. Content and task lists are the two kinds.

import { type SessionView, viewSession } from "../core/conversation.ts";
import type { Ids, Stores, WorkStore, Workspace } from "../core/ports.ts";
import type { Redact } from "../core/redaction.ts";
import type { Result } from "../core/result.ts";
import { cancelTasks } from "../core/state.ts";
import { Mailbox } from "./attempt.ts";
import type { Wave } from "./batch.ts";
import {
  type AgentSession,
  type Asking,
  Cancellation,
  type Cancellations,
  hasOpenApproval,
  Journal,
  OpenQuestions,
  type QuestionSettings,
} from "./session.ts";

/** The ports that every session needs. */
export type SessionPorts = Pick<
  AgentSession,
  "clock" | "workspace" | "host" | "observe" | "signal" | "configuration" | "tools" | "budget"
> & {
  ids: Ids;
  /** The workspace of a session with its own worktree; absent if all sessions share one. */
  workspaceOf?(sessionId: string): Workspace;
  stores: Stores;
  /** Removes secrets from texts for models, stores and people. */
  redact: Redact;
  /** Cancellations of sessions while they run. */
  cancellations?: Cancellations;
  /** The people behind this run's questions, its starter first (`startersOf`). */
  startedBy?: readonly string[];
};

/** A session as stored now, without opening it; undefined if nothing is stored. */
export async function lookAt(
  { stores }: Pick<SessionPorts, "stores">,
  sessionId: string,
): Promise<SessionView | undefined> {
  const lines = await stores.look(sessionId);
  return lines && viewSession(sessionId, lines);
}

/** A claimed work with its questions, the messages that people left, and its batches of requests. */
export type ClaimedWork = { store: WorkStore; questions: OpenQuestions; mailbox: Mailbox; wave?: Wave };

/** Opens the work when the first session starts, so that a run without work leaves no trace. The wake closes it. */
export function openOnce(
  { stores }: Pick<SessionPorts, "stores">,
  work: Parameters<Stores["open"]>[0],
  whenOpen: () => Promise<void> = async () => {},
): () => Promise<ClaimedWork> {
  const open = async (): Promise<ClaimedWork> => {
    const store = await stores.open(work);
    const asked = await stores.openQuestions(work.workId);
    await whenOpen();
    const questions = new OpenQuestions(asked.map(({ interactionId }) => interactionId));
    return { store, questions, mailbox: await Mailbox.open(store) };
  };
  let opened: Promise<ClaimedWork> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}

/** An open session without the model of its agent. */
export type OpenSession = Omit<AgentSession, "model" | "modelName" | "fallbackModel" | "limits" | "gate">;

/** Opens a session of the work. Its signal is also aborted when a person cancels the session. */
export async function openJobSession(
  ports: SessionPorts,
  work: ClaimedWork,
  sessionId: string,
  people: QuestionSettings,
): Promise<OpenSession> {
  const { configuration, host, tools, clock, observe, redact, budget } = ports;
  const stored = await work.store.session(sessionId);
  const { journal, setAside } = await Journal.open(work.store.workId, stored, redact);
  for (const message of setAside) observe({ type: "notice", level: "warning", message, sessionId });
  const canceled = ports.cancellations?.signalOf(sessionId);
  return {
    ...{ journal, configuration, host, tools, clock, observe },
    workspace: ports.workspaceOf?.(sessionId) ?? ports.workspace,
    ...(budget === undefined ? {} : { budget }),
    ...(work.wave === undefined ? {} : { wave: work.wave }),
    // A separate signal per session, because Node 20 warns if one signal has more than ten listeners.
    signal: AbortSignal.any(canceled === undefined ? [ports.signal] : [ports.signal, canceled]),
    asking: createAsking(people, work, ports.startedBy),
  };
}

/** Created per session; questions that sessions share are raised one at a time. */
function createAsking(
  people: QuestionSettings,
  { store, questions }: ClaimedWork,
  startedBy: readonly string[] | undefined,
): Asking {
  return {
    nextOrdinal: () => store.nextOrdinal(),
    log: store,
    open: questions,
    ttlHours: people.answerTtlHours,
    minApprovals: people.minApprovals,
    workingDirectory: people.workingDirectory,
    ...(startedBy === undefined ? {} : { startedBy }),
  };
}

/** One session of a work. `Session` is what the job knows of it while it is open, `End` how it ended. */
export interface SessionJob<Session extends { opened: OpenSession }, End> {
  /** The result if nothing needs to run: then the work stays closed. */
  look(): Promise<Result | undefined>;
  open(work: ClaimedWork): Promise<Session>;
  /** The result if nothing needs to run, because another process has continued the session. */
  lookAgain?(session: Session): Promise<Result | undefined>;
  run(session: Session): Promise<End>;
  tell(session: Session, end: End): Promise<Result>;
}

/** Runs a job to its result. */
export async function runJob<Session extends { opened: OpenSession }, End>(
  job: SessionJob<Session, End>,
  openWork: () => Promise<ClaimedWork>,
): Promise<Result> {
  const idle = await job.look();
  if (idle) return idle;
  const session = await job.open(await openWork());
  const { opened } = session;
  try {
    const done = await job.lookAgain?.(session);
    if (done) return done;
    const end = await job.run(session).finally(() => leaveTree(opened));
    await recordCancellation(opened);
    return await job.tell(session, end);
  } finally {
    await opened.journal.close();
  }
}

/** Releases the session's own worktree. A run that must end skips this: it has only seconds, for saving. */
async function leaveTree({
  workspace,
  signal,
  journal,
}: Pick<AgentSession, "workspace" | "signal" | "journal">): Promise<void> {
  if (!signal.aborted) await workspace.own?.leave(hasOpenApproval(journal.state));
}

/** Stored once all running calls have ended: from then on no part of the session continues. */
async function recordCancellation({
  signal,
  journal,
  clock,
}: Pick<AgentSession, "signal" | "journal" | "clock">): Promise<void> {
  if (!(signal.reason instanceof Cancellation)) return;
  const { reason, actorId } = signal.reason;
  const at = clock.now().toISOString();
  const payload = { reason, at, ...(actorId === undefined ? {} : { actorId }) };
  const tasks = actorId === undefined ? [] : cancelTasks(journal.state, { reason, at });
  await journal.append(...tasks, { store: "events", type: "SessionCanceled", payload });
}

// The wake on the command line: the lock is the claim, one command is the inbox, the caller shows the result.

import type { ContentPorts, ContentSettings } from "../content/ports.ts";
import { whyAnswerIsUseless } from "../content/run.ts";
import { LoopliaError } from "../core/errors.ts";
import type { InteractionAnswer } from "../core/interaction.ts";
import type { Stores, WorkStore } from "../core/ports.ts";
import type { RunResult } from "../core/result.ts";
import { foldEvents, isPending } from "../core/state.ts";
import { expiryOf } from "../core/work-state.ts";
import { handle, isTasksWork, type TasksSide, type Trigger } from "./handle.ts";
import type { FailedChange } from "./people.ts";
import type { WorkRecord } from "./run.ts";

type Answer = { kind: "answer"; interactionId: string; answer: InteractionAnswer; actorId: string };

/** What a command starts: a run, or an answer that a run follows. */
export type TerminalTrigger = Trigger | Answer;

type RecordPorts = Pick<ContentPorts, "stores" | "clock" | "redact">;

/** Hears an answer, if there is one, then runs what is due. Throws as `handle`; a refused answer changes nothing. */
export async function wakeFromTerminal(
  trigger: TerminalTrigger,
  ports: ContentPorts,
  settings: ContentSettings,
  tasks?: TasksSide,
): Promise<RunResult> {
  const held: { store?: WorkStore } = {};
  const claimed = { ...ports, stores: claimOnce(ports, held) };
  try {
    const due = trigger.kind === "answer" ? await hear(trigger, claimed, settings) : trigger;
    return await handle(due, claimed, settings, tasks);
  } finally {
    await held.store?.close();
  }
}

/** Stores that lock the work when it is opened first, and close the questions that nobody answered in time. */
function claimOnce(ports: RecordPorts, held: { store?: WorkStore }): Stores {
  const { stores, clock } = ports;
  const asked: { open?: Awaited<ReturnType<Stores["openQuestions"]>> } = {};
  const claim = async (work: Parameters<Stores["open"]>[0]): Promise<WorkStore> => {
    const store = await stores.open(work);
    held.store = store;
    const now = clock.now();
    const open = await stores.openQuestions(work.workId);
    const due = open.filter((request) => expiryOf(request, now));
    asked.open = open.filter((request) => !due.includes(request));
    if (due.length > 0) {
      const sessions = due.map(({ sessionId }) => sessionId);
      const { expireQuestions } = await import("./people.ts");
      await expireQuestions(await recordOf(ports, store, sessions), now);
    }
    return store;
  };
  let claiming: Promise<WorkStore> | undefined;
  return {
    ...stores,
    open(work) {
      claiming ??= claim(work);
      return claiming;
    },
    openQuestions: async (workId) => asked.open ?? stores.openQuestions(workId),
  };
}

/** Records the answer and returns the run that follows. Throws `config-invalid` if it does not count. */
async function hear(
  { interactionId: id, answer, actorId }: Answer,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<Trigger> {
  const found = await ports.stores.findInteraction(id);
  if (!found) {
    throw new LoopliaError("config-invalid", `There is no question ${JSON.stringify(id)}.`, {
      hint: "`looplia status` lists the open questions.",
    });
  }
  const { workId, sessionId, interactionId } = found;
  const trigger = { kind: "session", sessionId, isAnswered: true } as const;
  if (settings.dryRun) return trigger;
  const kind = isTasksWork(workId) ? "tasks" : "content";
  const store = await ports.stores.open({ workId, kind, key: kind === "tasks" ? workId : sessionId });
  const record = await recordOf(ports, store, [sessionId]);
  if (kind === "content") await requireUse(record, interactionId, ports, settings);
  await obey(record, { type: "answer", interactionId, answer }, actorId, {
    minApprovals: settings.people.minApprovals,
    now: () => ports.clock.now(),
  });
  await tellAnswered(record, { interactionId, actorId }, ports, settings);
  return trigger;
}

/** Throws `config-invalid` if the task that asked would start over and so never see the answer. */
async function requireUse(
  record: WorkRecord,
  interactionId: string,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<void> {
  for (const { sessionId, state } of await record.sessions()) {
    const interaction = state.interactions.get(interactionId);
    if (!interaction || !isPending(interaction)) continue;
    const { taskId } = interaction.request;
    const reason = await whyAnswerIsUseless(ports, settings, { sessionId, state }, taskId);
    if (reason === undefined) continue;
    throw new LoopliaError("config-invalid", `${interactionId} cannot be answered: ${reason}.`, {
      hint: `Resume with \`looplia run --session-id ${sessionId}\`; looplia asks again if needed.`,
    });
  }
}

async function tellAnswered(
  record: WorkRecord,
  { interactionId, actorId }: Pick<Answer, "interactionId" | "actorId">,
  { observe }: ContentPorts,
  { people: { minApprovals } }: ContentSettings,
): Promise<void> {
  const question = (await record.questions()).find(({ request }) => request.interactionId === interactionId);
  if (!question) return;
  const { request, response: answer, sessionId } = question;
  if (answer) return observe({ type: "answered", sessionId, request, answer, actorId });
  const message = `${actorId} approved ${request.shortId}; it needs ${minApprovals} different people.`;
  observe({ type: "notice", level: "info", sessionId, message });
}

/** Ends a standing approval of a work that no run holds. Throws `busy`, or `config-invalid` if there is none. */
export async function revokeFromTerminal(
  ports: RecordPorts,
  work: Parameters<Stores["open"]>[0],
  number: number,
  actorId: string,
): Promise<void> {
  const store = await ports.stores.open(work);
  try {
    const record = await recordOf(ports, store, []);
    await obey(record, { type: "revoke", number }, actorId, {
      minApprovals: 1,
      now: () => ports.clock.now(),
    });
  } finally {
    await store.close();
  }
}

/** Carries out a command of the person at this terminal, who may decide everything here. */
async function obey(
  record: WorkRecord,
  effect:
    | { type: "answer"; interactionId: string; answer: InteractionAnswer }
    | { type: "revoke"; number: number },
  actorId: string,
  { minApprovals, now }: { minApprovals: number; now(): Date },
): Promise<void> {
  const { carryOut } = await import("./inbox.ts");
  const deciding = { minApprovals, now, mayDecide: async () => true, outputsOf: async () => [] };
  const done = await carryOut(record, [effect], { actorId, createdAt: now().toISOString() }, deciding);
  if ("reason" in done) throw refused(done);
}

function refused({ reason, whatToDo }: FailedChange): LoopliaError {
  const message = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return new LoopliaError("config-invalid", message, { hint: whatToDo });
}

/** The record of a work with these of its sessions. */
async function recordOf(
  { stores, redact }: RecordPorts,
  store: WorkStore,
  sessionIds: readonly string[],
): Promise<WorkRecord> {
  const { WorkRecord: Opened } = await import("./run.ts");
  const readSessions = async () => {
    const read = [...new Set(sessionIds)].map(async (sessionId) => {
      const lines = await stores.look(sessionId);
      return lines ? [{ sessionId, state: foldEvents(lines.events) }] : [];
    });
    return (await Promise.all(read)).flat();
  };
  return Opened.openRecord({ store, redact, readSessions });
}

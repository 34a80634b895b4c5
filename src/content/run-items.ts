// Many items of one work, some at once. One that fails stops no other; what damages the run as a whole does.

import { Mailbox } from "../agent/messages.ts";
import { OpenQuestions } from "../agent/open-questions.ts";
import { explain, LoopliaError } from "../errors.ts";
import { bareItem, type ItemResult, type RunResult, summarizeItems } from "./item-result.ts";
import { planAnswered, planItem } from "./open-session.ts";
import type { ContentPorts, ContentSettings } from "./ports.ts";
import { lookAtRemoved, tellRemoved } from "./removed-session.ts";
import { type ContentWork, type PlanSession, runPlanned, tellOf } from "./run-item.ts";

/** A session of the work that goes on by its id, whatever its source. */
export type SessionToRun = {
  sessionId: string;
  /** These outputs are made again. */
  force?: readonly string[];
  /** How it stands is told, and nothing of it is run. */
  isLeftAlone?: true;
};

export type WorkToRun = {
  workId: string;
  key: string;
  sources: readonly string[];
  /** Those among them that are an item's already are run once. */
  sessions?: readonly SessionToRun[];
};

/** Runs the items, then the other sessions. Throws `no-items` where there is neither. */
export async function runItems(
  trigger: WorkToRun,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<RunResult> {
  const { sources, sessions = [] } = trigger;
  if (sources.length + sessions.length === 0) {
    throw new LoopliaError("no-items", "No file matches `content`.", {
      hint: "Check the globs and the working directory.",
    });
  }
  const { default: limitConcurrency } = await import("p-limit");
  const works = openOnce(ports, trigger);
  const limit = limitConcurrency(settings.concurrency);
  const runAll = async (runs: readonly (() => Promise<ItemResult>)[]): Promise<ItemResult[]> => {
    const results = await Promise.allSettled(runs.map((run) => limit(run)));
    return results.map((result) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
  };
  try {
    const ofItems = await runAll(sources.map((source) => () => runItem(ports, settings, source, works.open)));
    const known = new Set(ofItems.map((result) => result.sessionId));
    const others = sessions.filter(({ sessionId }) => !known.has(sessionId));
    const ofOthers = await runAll(
      others.map((session) => () => runOther(ports, settings, session, works.open)),
    );
    return summarizeItems([...ofItems, ...ofOthers]);
  } finally {
    await works.close();
  }
}

/** A session of the work by its id, no further than the output that was asked for when it began. */
async function runOther(
  ports: ContentPorts,
  settings: ContentSettings,
  { sessionId, force, isLeftAlone }: SessionToRun,
  openWork: () => Promise<ContentWork>,
): Promise<ItemResult> {
  const own = force === undefined ? settings : { ...settings, force };
  const plan = () => planAnswered(ports, own, sessionId);
  return failSoftly(sessionId, settings, async () => {
    const removed = await lookAtRemoved(ports, sessionId);
    if (removed) return tellRemoved(sessionId, settings, removed, force !== undefined);
    return isLeftAlone ? tellOf(ports, await plan()) : runPlanned(ports, own, plan, openWork);
  });
}

async function runItem(
  ports: ContentPorts,
  settings: ContentSettings,
  source: string,
  openWork: () => Promise<ContentWork>,
): Promise<ItemResult> {
  return failSoftly(source, settings, async () => {
    const read = await readItem(ports, source);
    const plan: PlanSession = (canceled) => planItem(ports, settings, { ...read, fresh: false, canceled });
    return runPlanned(ports, settings, plan, openWork);
  });
}

/** What concerns one item only is its result; `name` says which. */
async function failSoftly(
  name: string,
  settings: ContentSettings,
  run: () => Promise<ItemResult>,
): Promise<ItemResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof LoopliaError) || OF_THE_RUN.has(error.code)) throw error;
    const ended = { status: "failed", reasonCode: error.code, message: explain(error) } as const;
    return bareItem(name, settings, ended);
  }
}

/** Another run has the work, or there is none any more: no item of this one goes on. */
const OF_THE_RUN: ReadonlySet<string> = new Set(["busy", "lost-race", "closed"]);

/** The bytes of a source. Throws `config-invalid` where there is none. */
export async function readItem(
  ports: ContentPorts,
  source: string,
): Promise<{ path: string; bytes: Uint8Array }> {
  const bytes = await ports.readSource(source);
  if (bytes) return { path: source, bytes };
  throw new LoopliaError("config-invalid", `There is no file ${source}.`, { hint: "Check the path." });
}

/** The work is opened when the first session has something to do, so a run without work leaves no trace. */
export function openOnce(ports: Pick<ContentPorts, "stores">, work: { workId: string; key: string }) {
  let opened: Promise<ContentWork> | undefined;
  const open = async (): Promise<ContentWork> => {
    const store = await ports.stores.open({ workId: work.workId, kind: "content", key: work.key });
    const questions = new OpenQuestions(await ports.stores.openInteractions(work.workId));
    return { store, questions, mailbox: await Mailbox.open(store) };
  };
  return {
    open: (): Promise<ContentWork> => {
      opened ??= open();
      return opened;
    },
    close: async (): Promise<void> => {
      await (await opened?.catch(() => undefined))?.store.close();
    },
  };
}

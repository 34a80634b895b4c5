// Many items of one work, some at once. One that fails stops no other; what damages the run as a whole does.

import { explain, LoopliaError } from "../core/errors.ts";
import { type ContentPorts, type ContentSettings, type ContentWork, openOnce } from "./ports.ts";
import {
  bareItem,
  briefResult,
  type ItemResult,
  type RunResult,
  summarizeItems,
  withoutArtifacts,
} from "./result.ts";
import { type PlanSession, runPlanned, tellOf } from "./run.ts";
import { findUpToDate, planAnswered, planItem } from "./session.ts";
import { SessionIndex } from "./session-index.ts";
import { lookAtRemoved, tellRemoved } from "./setup.ts";

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
  const index = new SessionIndex(ports.workspace, (message) =>
    ports.observe({ type: "notice", level: "warning", message }),
  );
  // Until the work was open another process may have begun sessions.
  const works = openOnce(ports, trigger, () => index.refresh());
  const { concurrency } = settings;
  try {
    const ofItems = await runInParallel(sources, concurrency, (source, at) =>
      runItem(ports, settings, { source, index, isBrief: at >= MOST_SHOWN }, works.open),
    );
    const known = new Set(ofItems.map((result) => result.sessionId));
    const others = sessions.filter(({ sessionId }) => !known.has(sessionId));
    const ofOthers = await runInParallel(others, concurrency, (session) =>
      runOther(ports, settings, session, works.open),
    );
    return summarizeItems([...ofItems, ...ofOthers]);
  } finally {
    await works.close();
  }
}

/** Runs all, `atOnce` of them side by side, whatever fails; then throws the first failure. Results are in the order of `all`. */
async function runInParallel<T>(
  all: readonly T[],
  atOnce: number,
  run: (one: T, at: number) => Promise<ItemResult>,
): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  const failures: unknown[] = [];
  // One iterator for all: each takes the next that nobody took.
  const entries = all.entries();
  const work = async (): Promise<void> => {
    for (const [at, one] of entries) {
      try {
        results[at] = await run(one, at);
      } catch (thrown) {
        failures.push(thrown);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
  return results;
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

/** So many items are told with what their artifacts say; of more, memory has no room for. */
const MOST_SHOWN = 100;

async function runItem(
  ports: ContentPorts,
  settings: ContentSettings,
  { source, index, isBrief }: { source: string; index: SessionIndex; isBrief: boolean },
  openWork: () => Promise<ContentWork>,
): Promise<ItemResult> {
  return failSoftly(source, settings, async () => {
    const read = await readItem(ports, source);
    const upToDate = isBrief && (await findUpToDate(ports, settings, { ...read, index }));
    if (upToDate) return briefResult(source, upToDate);
    const plan: PlanSession = (canceled) =>
      planItem(ports, settings, { ...read, fresh: false, canceled, index });
    const result = await runPlanned(ports, settings, plan, openWork);
    return isBrief ? withoutArtifacts(result) : result;
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

// Runs many items of one work concurrently. A failed item does not stop the others; a failure of the whole run does.

import { type ClaimedWork, lookAt, openOnce, runJob } from "../agent/job.ts";
import { queueRequests } from "../agent/request-queue.ts";
import { noUsage, type SessionView } from "../core/conversation.ts";
import { explain, LoopliaError } from "../core/errors.ts";
import { groupBy } from "../core/json.ts";
import {
  type ContentPlan,
  type End,
  type ItemState,
  type PlannedItem,
  type Result,
  type RunResult,
  summarizeResults,
} from "../core/result.ts";
import { isUnderWay } from "../core/state.ts";
import { hasSession, sessionFolder } from "./folder.ts";
import { hashOfAll } from "./item.ts";
import { currentInputs, digestSchemas, INPUTS_CHANGED, isOtherSchema } from "./plan.ts";
import { type ContentPorts, type ContentSettings, withBatches } from "./ports.ts";
import { createEstimate } from "./reading/parts.ts";
import { ContentJob, tellOf } from "./run.ts";
import { findUpToDate, planAnswered, planItem, type SessionPlan, type SessionUpToDate } from "./session.ts";
import { SessionIndex } from "./session-index.ts";

/** A session of the work that continues by its id, even if its source is gone. */
export type SessionToRun = {
  sessionId: string;
  /** These outputs are made again. */
  force?: readonly string[];
  /** Only report the session's state; run nothing. */
  isLeftAlone?: true;
};

export type WorkToRun = {
  workId: string;
  key: string;
  sources: readonly string[];
  /** Sessions to continue by id; a session that also belongs to one of the items runs once. */
  sessions?: readonly SessionToRun[];
  /** Only list the work to do: no model is asked, nothing changes. */
  isPlan?: true;
  /** True for a scheduled run: sessions that wait for people or that a person canceled do not start again. */
  isByClock?: true;
};

/** Runs the items, then the other sessions. Throws `no-items` if there are neither. */
export async function runItems(
  trigger: WorkToRun,
  ports: ContentPorts,
  settings: ContentSettings,
): Promise<RunResult> {
  const { sources, sessions = [] } = trigger;
  if (sources.length + sessions.length === 0) {
    throw new LoopliaError("no-items", "No file matches `content`.", {
      hint: "Put an item where the globs look, or correct them: they are relative to the working directory.",
    });
  }
  const index = new SessionIndex(ports.workspace, (message) =>
    ports.observe({ type: "notice", level: "warning", message }),
  );
  if (trigger.isPlan) {
    const plan = await planAll(ports, settings, sources, index);
    return { status: "completed", reasonCode: "done", items: [], plan };
  }
  // Another process may have started sessions before this one opened the work.
  const { workId, key, isByClock = false } = trigger;
  const opening = openOnce(ports, { workId, kind: "content", key }, () => index.refresh());
  const { open: openWork, send } = withBatches(ports, settings, opening);
  const { concurrency } = settings;
  const atOnce = concurrency === "auto" ? () => ports.model.atOnce ?? FEW_AT_ONCE : () => concurrency;
  const shared = { ...ports, model: queueRequests(ports.model, atOnce) };
  const count = sources.length;
  ports.observe({ type: "item", count });
  const ofItems = await runInParallel(
    sources,
    () => withItemsAhead(atOnce()),
    async (source, at) => {
      const ended = await runItem(
        shared,
        settings,
        { source, index, isBrief: at >= MOST_SHOWN, isByClock },
        openWork,
      );
      ports.observe({ type: "item", count, ended });
      return ended;
    },
  );
  const known = new Set(ofItems.map((result) => result.sessionId));
  const others = sessions.filter(({ sessionId }) => !known.has(sessionId));
  const ofOthers = await runInParallel(others, atOnce, (session) =>
    runOther(shared, settings, session, openWork),
  );
  await send();
  return summarizeResults([...ofItems, ...ofOthers]);
}

/** For `concurrency: auto` with a model that reports no limit, such as one on this machine. */
const FEW_AT_ONCE = 4;

/**
 * Items in work, of which `atOnce` are with the model: beside many, one in eight is being prepared or written down, so that
 * the model never waits for the disk.
 */
function withItemsAhead(atOnce: number): number {
  return atOnce + Math.floor(atOnce / 8);
}

/**
 * Runs all entries, at most `atOnce()` of them at a time, even if some fail; then throws the first failure. Calls
 * `atOnce` again after each entry. Results are in the order of `all`.
 */
async function runInParallel<T>(
  all: readonly T[],
  atOnce: () => number,
  run: (one: T, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const running = new Set<Promise<void>>();
  for (const [at, one] of all.entries()) {
    while (running.size >= Math.max(1, atOnce())) await Promise.race(running);
    const work = run(one, at).then(
      (result) => {
        results[at] = result;
      },
      (thrown: unknown) => {
        failures.push(thrown);
      },
    );
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Continues a session by its id, up to the output that was requested when it started. */
async function runOther(
  ports: ContentPorts,
  settings: ContentSettings,
  { sessionId, force, isLeftAlone }: SessionToRun,
  openWork: () => Promise<ClaimedWork>,
): Promise<Result> {
  const own = force === undefined ? settings : { ...settings, force };
  const plan = () => planAnswered(ports, own, sessionId);
  return failSoftly(sessionId, settings, async () => {
    const removed = await lookAtRemoved(ports, sessionId);
    if (removed) return tellRemoved(sessionId, settings, removed, force !== undefined);
    return isLeftAlone ? tellOf(ports, await plan()) : runJob(new ContentJob(ports, own, plan), openWork);
  });
}

/** The results of this many items include their artifacts; more would take too much memory. */
const MOST_SHOWN = 100;

async function runItem(
  ports: ContentPorts,
  settings: ContentSettings,
  item: { source: string; index: SessionIndex; isBrief: boolean; isByClock: boolean },
  openWork: () => Promise<ClaimedWork>,
): Promise<Result> {
  const { source, index, isBrief, isByClock } = item;
  return failSoftly(source, settings, async () => {
    const read = await readItem(ports, source);
    const upToDate = isBrief && (await findUpToDate(ports, settings, { ...read, index }));
    if (upToDate) return briefResult(source, upToDate);
    const plan = (canceled: ReadonlySet<string>) =>
      planItem(ports, settings, { ...read, fresh: false, canceled, index });
    const result = await runJob(new ContentJob(ports, settings, plan, isByClock), openWork);
    return isBrief ? withoutArtifacts(result) : result;
  });
}

/** Turns a failure of a single item into its result; `name` names the item. */
async function failSoftly(
  name: string,
  settings: ContentSettings,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof LoopliaError) || OF_THE_RUN.has(error.code)) throw error;
    const ended = { status: "failed", reasonCode: error.code, message: explain(error) } as const;
    return bareItem(name, settings, ended);
  }
}

/** Another run took the work, or the work was closed: no item of this run can continue. */
const OF_THE_RUN: ReadonlySet<string> = new Set(["busy", "lost-race", "closed"]);

/** The bytes of a source. Throws `config-invalid` if the file is missing. */
export async function readItem(
  ports: ContentPorts,
  source: string,
): Promise<{ path: string; bytes: Uint8Array }> {
  const bytes = await ports.readSource(source);
  if (bytes) return { path: source, bytes };
  throw new LoopliaError("config-invalid", `There is no file ${source}.`, { hint: "Check the path." });
}

// The plan of a run: the due items, and estimates of their tokens and cost.

async function planAll(
  ports: ContentPorts,
  settings: ContentSettings,
  sources: readonly string[],
  index: SessionIndex,
): Promise<ContentPlan> {
  const estimate = createEstimate(ports, settings);
  const items: PlannedItem[] = [];
  for (const source of sources) items.push(await planOne(ports, settings, { source, index, estimate }));
  const matched = new Set(sources);
  const deleted: ContentPlan["deleted"] = [];
  const taken = new Set(items.map(({ sessionId }) => sessionId));
  for (const { sessionId, source } of await index.sessionsOf(settings.pipeline)) {
    if (matched.has(source) || taken.has(sessionId)) continue;
    if ((await ports.readSource(source)) === undefined) deleted.push({ sessionId, source });
  }
  const costs = items.map(({ costUsd }) => costUsd);
  const isPriced = costs.every((cost) => cost !== null);
  return {
    items,
    deleted,
    tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: isPriced ? costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0) : null,
  };
}

type PlanLook = { source: string; index: SessionIndex; estimate: ReturnType<typeof createEstimate> };

async function planOne(
  ports: ContentPorts,
  settings: ContentSettings,
  { source, index, estimate }: PlanLook,
): Promise<PlannedItem> {
  const nothing = { source, sessionId: "", reasons: [], outputs: [], tokens: 0, costUsd: 0 };
  try {
    const read = await readItem(ports, source);
    const upToDate = await findUpToDate(ports, settings, { ...read, index });
    if (upToDate) return { ...nothing, sessionId: upToDate.manifest.contentId, state: "up-to-date" };
    const planned = await planItem(ports, settings, { ...read, fresh: false, canceled: new Set(), index });
    const due = planned.plans.filter((step) => step.due);
    const named = planned.renamedFrom === undefined ? [] : [`was ${planned.renamedFrom}`];
    const stale = await staleInputs(ports, planned);
    return {
      ...nothing,
      sessionId: planned.isNew ? "" : planned.sessionId,
      state: stateOfPlan(planned),
      ...(stale.length > 0 ? { stale } : {}),
      reasons: [...named, ...reasonsOf(due)],
      outputs: due.map(({ output }) => output),
      ...(await estimate(planned)),
    };
  } catch (error) {
    if (!(error instanceof LoopliaError)) throw error;
    return { ...nothing, state: "unreadable", reasons: [explain(error)] };
  }
}

/** Each reason once, after the outputs that it applies to. */
function reasonsOf(due: SessionPlan["plans"]): string[] {
  const groups = groupBy(due, ({ reason }) => reason);
  return [...groups].map(([reason, of]) => `${of.map(({ output }) => output).join(", ")}: ${reason}`);
}

function stateOfPlan({ isNew, isSourceChanged, plans, manifest, ...planned }: SessionPlan): ItemState {
  if (isNew) return "new";
  if (isSourceChanged) return "changed";
  const due = plans.filter((step) => step.due);
  if (due.some((step) => step.isBlocked)) return "edited";
  const statuses = new Set(due.map(({ output }) => manifest.steps.get(output)?.status));
  if (statuses.has("failed")) return "failed";
  if (statuses.has("in_progress") || statuses.has("pending") || statuses.has(undefined)) return "unfinished";
  if (due.length > 0) return "stale";
  return planned.adopted.size > 0 || planned.renamedFrom !== undefined ? "edited" : "up-to-date";
}

/** Names the changed inputs. The manifest only has one hash for all of them; the session's events have one for each. */
async function staleInputs(ports: ContentPorts, planned: SessionPlan): Promise<string[]> {
  if (planned.isNew || planned.isSourceChanged) return [];
  const { pipeline, manifest, plans, item } = planned;
  const completed = plans.filter(
    ({ output, due }) => due && manifest.steps.get(output)?.status === "completed",
  );
  const stale = new Set<string>();
  const changed = completed.filter(({ reason }) => reason === INPUTS_CHANGED);
  if (completed.some(({ output }) => isOtherSchema(manifest.steps.get(output)))) stale.add("schema");
  const view = changed.length > 0 ? await lookAt(ports, planned.sessionId) : undefined;
  for (const { output } of changed) {
    const made = [...(view?.state.tasks.values() ?? [])].findLast(({ outputs }) => outputs.includes(output));
    if (!made) continue;
    const agent = pipeline.outputs.find(({ name }) => name === output)?.agent ?? "";
    const now = currentInputs(ports.configuration, agent, hashOfAll(item));
    const before = stale.size;
    const isSkill = made.inputs.skills !== undefined && made.inputs.skills !== now.skills;
    if (made.inputs.agent !== now.agent) stale.add(isSkill ? "skill" : "agent");
    if (made.inputs.profile !== now.profile) stale.add("profile");
    const { schemas } = made.inputs;
    if (schemas !== undefined && schemas !== digestSchemas(pipeline, made.outputs)) stale.add("schema");
    if (stale.size === before) stale.add("pipeline");
  }
  return [...stale].sort();
}

// Sessions whose folder was removed.

/** The stored session; undefined if its folder exists or nothing is stored. */
async function lookAtRemoved(
  ports: Pick<ContentPorts, "workspace" | "stores">,
  sessionId: string,
): Promise<SessionView | undefined> {
  return (await hasSession(ports.workspace, sessionId)) ? undefined : lookAt(ports, sessionId);
}

/**
 * The result of a session that people ended by removing its folder, which is no failure. Throws `config-invalid` if a
 * task of the session is under way or somebody asked for the session (`isWanted`).
 */
function tellRemoved(
  sessionId: string,
  settings: ContentSettings,
  { state, totals }: SessionView,
  isWanted: boolean,
): Result {
  if (isUnderWay(state) || isWanted) {
    throw new LoopliaError(
      "config-invalid",
      `the folder of session ${sessionId} is no longer on the branch`,
      {
        hint: `restore it (\`git revert\`, or push the branch as it was), or end the session: /cancel ${sessionId}`,
      },
    );
  }
  const message = state.canceled?.reason ?? "its folder was removed from the branch";
  return {
    ...bareItem(sessionId, settings, { status: "stopped", reasonCode: "closed", message }),
    sessionId,
    usage: totals.usage,
    costUsd: totals.unpriced ? null : totals.costUsd,
  };
}

/** The result of an unreadable item; `name` identifies it. */
function bareItem(name: string, settings: Pick<ContentSettings, "pipeline" | "output">, ended: End): Result {
  return {
    source: name,
    sessionId: "",
    title: name,
    ...ended,
    folder: "",
    pipeline: settings.pipeline,
    output: settings.output ?? "",
    finalOutput: "",
    artifacts: new Map(),
    steps: [],
    interactions: [],
    usage: noUsage(),
    costUsd: 0,
  };
}

/** The short result of an item without due steps, because nobody reads the details of many. */
function briefResult(source: string, { manifest, pipeline, desiredOutput }: SessionUpToDate): Result {
  const folder = sessionFolder(manifest.contentId);
  const wanted = pipeline.outputs.find((output) => output.name === desiredOutput);
  const notice = manifest.extra.get("notice");
  return {
    ...bareItem(source, { pipeline: pipeline.name, output: desiredOutput }, UP_TO_DATE),
    sessionId: manifest.contentId,
    folder,
    finalOutput: pipeline.final,
    ...(wanted ? { artifactPath: `${folder}/${wanted.artifact}` } : {}),
    ...(typeof notice === "string" ? { notice } : {}),
  };
}

const UP_TO_DATE = { status: "completed", reasonCode: "up-to-date" } as const;

/** The result without artifact contents, which are in its folder. */
function withoutArtifacts({ artifact: _, kit: __, ...result }: Result): Result {
  return { ...result, artifacts: new Map() };
}

// Shards: divides the items of a plan, finds the items of one shard, and merges what shards made into the work.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { SESSIONS } from "../../content/folder.ts";
import { manifestsAmong } from "../../content/manifest.ts";
import { LoopliaError } from "../../core/errors.ts";
import { showOneLine } from "../../core/interaction.ts";
import { groupBy, parseJson } from "../../core/json.ts";
import {
  type Repository,
  RUN_TRAILER,
  type Shards,
  type StoredShard,
  type TreePair,
} from "../../core/ports-host.ts";
import type { ContentPlan } from "../../core/result.ts";
import { callKey, isOpen, isPending, type State } from "../../core/state.ts";
import type { RunReport } from "../../publish/report.ts";
import { type Items, stateRefsOf, type Work } from "../find.ts";
import { type ActionOutcome, type Collecting, runIdOf, type WakeRun } from "../run.ts";

/** GitHub's maximum number of jobs in a matrix. */
const MOST_SHARDS = 256;
/** A few minutes of work. With fewer items, a job's start would take longer than its work. */
const ITEMS_PER_SHARD = 20;

/** Parts with about equal estimated work: assigns the largest item first, always to the smallest part. Empty without items. */
export function divide(
  items: readonly { source: string; tokens: number }[],
  parts = Math.min(MOST_SHARDS, Math.ceil(items.length / ITEMS_PER_SHARD)),
): string[][] {
  const shards = Array.from({ length: parts }, () => ({ load: 0, sources: [] as string[] }));
  const heaviest = items.toSorted(
    (one, other) => other.tokens - one.tokens || (one.source < other.source ? -1 : 1),
  );
  for (const { source, tokens } of heaviest) {
    const [first, ...others] = shards;
    if (!first) break;
    const least = others.reduce((best, shard) => (shard.load < best.load ? shard : best), first);
    least.load += tokens + 1;
    least.sources.push(source);
  }
  return shards.map(({ sources }) => sources.sort());
}

/** By run: the items of its shards. */
const plansShape = z.record(z.string().regex(/^\d{1,20}$/), z.array(z.array(z.string())));

/** What planning, running and collecting shards need of a run. */
type Scene = Pick<WakeRun, "repository" | "found" | "facts" | "items" | "discussion" | "observe">;
type Plans = z.infer<typeof plansShape>;

/** Unreadable plans count as none: shards then divide the items by themselves. */
function readPlans(text: string | undefined): Plans {
  const parsed = plansShape.safeParse(parseJson(text ?? ""));
  return parsed.success ? parsed.data : {};
}

/** The plans of runs that are still at work, without those of `own`. */
async function livePlans({ discussion }: Scene, plans: Plans, own: string): Promise<[string, string[][]][]> {
  const live: [string, string[][]][] = [];
  for (const [run, shards] of Object.entries(plans)) {
    if (run !== own && (await discussion.isRunLive(run, "1")) === true) live.push([run, shards]);
  }
  return live;
}

/** The plans and shards of a work. */
function shardsOf({ repository, found }: Scene, work: Work): Shards {
  const [stateRef] = stateRefsOf(found.settings, work.workId);
  return repository.shards({ stateRef, branch: work.branch });
}

/**
 * The jobs for the due items, without those that shards of another run are at work on. The plans are stored beside the
 * work's state, because a job's outputs must not contain paths.
 */
export async function planShards(
  scene: Scene & { isDryRun: boolean },
  work: Work,
  plan: ContentPlan,
): Promise<NonNullable<RunReport["matrix"]>> {
  const { runId } = scene.facts;
  const due = plan.items.filter(({ state }) => state !== "up-to-date" && state !== "unreadable");
  let shards = divide(due);
  let taken = 0;
  const decide = async (text: string | undefined): Promise<string | undefined> => {
    const others = await livePlans(scene, readPlans(text), runId);
    const elsewhere = new Set(others.flatMap(([, parts]) => parts.flat()));
    const free = due.filter(({ source }) => !elsewhere.has(source));
    taken = due.length - free.length;
    shards = divide(free);
    // A plan only tells what is due: a shard that has all items reserves them itself.
    if (shards.length <= 1 && others.length === 0) return text;
    const all: Plans = { ...Object.fromEntries(others), ...(shards.length > 0 ? { [runId]: shards } : {}) };
    return Object.keys(all).length === 0 ? undefined : `${JSON.stringify(all)}\n`;
  };
  if (due.length > 0 && !scene.isDryRun) await shardsOf(scene, work).changePlans(decide);
  if (taken > 0) {
    const message = `another run is at work on ${taken} of the due items: this run leaves them to it`;
    scene.observe({ type: "notice", level: "info", message });
  }
  tellUnreadable(scene, plan);
  const base = scene.found.baseCommit;
  const name = `plan-${runId}`;
  return { include: shards.map((_, at) => ({ shard: `${at + 1}/${shards.length}`, base, plan: name })) };
}

/** No shard of several gets these items, so no other job tells of them. */
function tellUnreadable({ observe }: Scene, { items }: ContentPlan): void {
  const sources = items.flatMap(({ state, source }) => (state === "unreadable" ? source : []));
  if (sources.length === 0) return;
  const named = sources.slice(0, MOST_NAMED).map(showOneLine).join(", ");
  const more = sources.length > MOST_NAMED ? ` and ${sources.length - MOST_NAMED} more` : "";
  const message = `no kit can be made of ${named}${more}: the table of the plan says why`;
  observe({ type: "notice", level: "warning", message });
}

const MOST_NAMED = 10;

/** Drops the plans of this run and of runs that ended. */
async function dropPlans(scene: Scene, work: Work): Promise<void> {
  await shardsOf(scene, work).changePlans(async (text) => {
    const others = await livePlans(scene, readPlans(text), scene.facts.runId);
    return others.length === 0 ? undefined : `${JSON.stringify(Object.fromEntries(others))}\n`;
  });
}

type OwnShard = { items: Items; bring(folder: string): Promise<void>; trees: Trees };
type Trees = Map<string, TreePair | undefined>;

/** Opens a shard and runs it through `wake`. Undefined if another run is at work on all its items. */
export async function runShard<Outcome>(
  scene: Scene & Pick<WakeRun, "signal" | "wiring" | "temporary">,
  named: { work: Work; shard: string },
  wake: (part: Work, own: OwnShard) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  const { repository, found, signal } = scene;
  const { work: part, ...own } = await openShard(scene, named.work, named.shard);
  if (own.items.sources.length === 0) return undefined;
  const outcome = await wake(part, own);
  if (part.shard?.of !== 1 || found.settings.dryRun || signal.aborted) return outcome;
  // A single shard has reserved all items. If none of them was due, it ends without a state, and has not died.
  const state = await repository.stateTip(stateRefsOf(found.settings, part.workId, part.shard));
  if (state === undefined) await dropPlans(scene, named.work);
  return outcome;
}

/** The items and the work of `shard: i/n`; the shard's state starts with the work's lines of its sessions. */
async function openShard(
  scene: Scene & Pick<WakeRun, "wiring" | "temporary">,
  work: Work,
  shard: string,
): Promise<OwnShard & { work: Work }> {
  const [index = 0, of = 0] = shard.split("/").map(Number);
  if (index > of) throw wrong(`shard: there is no part ${index} of ${of}`);
  const { repository, facts, found } = scene;
  // Batches are recorded in the log of the work, and a shard's log ends with the shard.
  if (found.settings.batch) {
    const hint = "remove `shard` (one run sends the requests of all items together), or remove `batch`";
    throw new LoopliaError("config-invalid", "`batch` and `shard` cannot be combined", { hint });
  }
  const shards = shardsOf(scene, work);
  const parts = await partsOf(scene, shards, of);
  if (parts.length !== of) throw wrong(`shard: the plan of this run has ${parts.length} parts, not ${of}`);
  const sources = parts[index - 1] ?? [];
  const tip = await repository.tipOf(work.branch);
  if (tip !== undefined) await repository.fetchCommit(tip, work.branch);
  const from = tip ?? found.baseCommit;
  repository.sharePushes({ index, of });
  const name = `shard-${facts.runId}-${index}`;
  const brought =
    tip === undefined ? undefined : await findStates(scene, shards, { tip, sources: new Set(sources) });
  const begun = await repository.stateTip(
    stateRefsOf(found.settings, work.workId, { name, index, of, from }),
  );
  return {
    work: {
      ...work,
      branch: `${work.branch}.${name}`,
      pullRequest: undefined,
      shard: { name, index, of, from },
    },
    items: {
      ...scene.items,
      sources: scene.items.sources.filter(
        (source) => sources.includes(source) && brought?.held.has(source) !== true,
      ),
    },
    bring: async (folder) => {
      if (brought) await writeBlobs(repository, brought.files, { root: folder, flag: "wx" });
    },
    // What the shard has stored already is newer.
    trees: begun ? new Map() : (brought?.trees ?? new Map()),
  };
}

/** Of the plan; without one all items are divided, and a single shard leaves out what shards of other runs are at work on. */
async function partsOf(scene: Scene, shards: Shards, of: number): Promise<string[][]> {
  const { runId } = scene.facts;
  const all = divide(await weighted(scene), of);
  let parts = all;
  await shards.changePlans(async (text) => {
    const plans = readPlans(text);
    parts = plans[runId] ?? all;
    if (plans[runId] || of > 1 || scene.found.settings.dryRun) return text;
    const others = await livePlans(scene, plans, runId);
    const elsewhere = new Set(others.flatMap(([, taken]) => taken.flat()));
    parts = all.map((sources) => sources.filter((source) => !elsewhere.has(source)));
    return `${JSON.stringify({ ...Object.fromEntries(others), [runId]: parts })}\n`;
  });
  return parts;
}

/** Without a plan, an item's weight is its size. */
async function weighted({ items, repository, found }: Scene): Promise<{ source: string; tokens: number }[]> {
  const files = await repository.listFiles(found.baseCommit, found.folder);
  const prefix = found.folder === "" ? "" : `${found.folder}/`;
  const ids = new Map(files.map(({ path, oid }) => [path.slice(prefix.length), oid]));
  const sizes = await repository.sizesOf(items.sources.flatMap((source) => ids.get(source) ?? []));
  return items.sources.map((source) => ({ source, tokens: sizes.get(ids.get(source) ?? "") ?? 0 }));
}

/** The folder of the sessions, relative to the repository, with a slash at its end. */
function sessionsBelow({ folder }: Scene["found"]): string {
  return folder === "" ? `${SESSIONS}/` : `${folder}/${SESSIONS}/`;
}

/**
 * The sessions of these sources in the work's state, with their unfinished files. `held`: sources that stay with the work,
 * because a person was asked about them.
 */
async function findStates(
  scene: Scene & Pick<WakeRun, "wiring" | "temporary">,
  shards: Shards,
  { tip, sources }: { tip: string; sources: ReadonlySet<string> },
): Promise<{ files: Entry[]; trees: Trees; held: ReadonlySet<string> } | undefined> {
  const { repository, found, observe } = scene;
  const state = await shards.ownState();
  if (state === undefined) return undefined;
  const below = sessionsBelow(found);
  const wanted = new Map<string, string>();
  for (const { path, manifest } of await manifestsAmong(
    repository,
    await repository.listFiles(tip, below.slice(0, -1)),
  )) {
    if (sources.has(manifest.source))
      wanted.set(path.slice(below.length).split("/")[0] ?? "", manifest.source);
  }
  const stored = (await listStored(repository, state)).filter(
    ({ sessionId }) => sessionId === undefined || wanted.has(sessionId),
  );
  const asked = await askedSessions(scene, stored);
  const held = new Set(asked.flatMap((sessionId) => wanted.get(sessionId) ?? []));
  if (held.size > 0) {
    const message = `left to the pull request, where people are asked: ${[...held].map(showOneLine).join(", ")}`;
    observe({ type: "notice", level: "info", message });
  }
  const isBrought = (sessionId: string | undefined) =>
    sessionId === undefined || (wanted.has(sessionId) && !asked.includes(sessionId));
  const trees = [...(await repository.sessionTrees(state))].filter(([sessionId]) => isBrought(sessionId));
  return { files: stored.filter(({ sessionId }) => isBrought(sessionId)), trees: new Map(trees), held };
}

/** Sessions that only the work goes on with: there the answer arrives, and what it allows must not run twice. */
async function askedSessions(
  { repository, wiring, temporary }: Pick<WakeRun, "repository" | "wiring" | "temporary">,
  stored: readonly Entry[],
): Promise<string[]> {
  const folder = await mkdtemp(join(temporary, "asked-"));
  const isEvents = ({ path, sessionId }: Entry) =>
    path === "header.json" || (sessionId !== undefined && path.startsWith(`sessions/${sessionId}/events/`));
  await writeBlobs(repository, stored.filter(isEvents), { root: folder, flag: "wx" });
  const sessions = await wiring.readSessions({ folder });
  await rm(folder, { recursive: true, force: true });
  return sessions.filter(({ state }) => isAsked(state)).map(({ sessionId }) => sessionId);
}

/** True while a question is open, and while what was answered is not over. */
function isAsked({ interactions, calls, tasks, canceled }: State): boolean {
  if (canceled) return false;
  return [...interactions.values()].some((one) => {
    const { conversationId, toolCallIds, taskId } = one.request;
    const isOver = toolCallIds.every((id) => calls.get(callKey(conversationId, id))?.outcome !== undefined);
    return isPending(one) || (isOpen(tasks.get(taskId)) && !isOver);
  });
}

function wrong(message: string): LoopliaError {
  return new LoopliaError("config-invalid", message, { hint: "copy it from the plan's output `matrix`" });
}

// Copies files of a stored state from one state folder to another.

/** A file of a state; `sessionId` is undefined for files that all sessions share. */
type Entry = { path: string; oid: string; sessionId: string | undefined };

const SEGMENT =
  /^sessions\/([a-z0-9][a-z0-9-]{0,80})\/(?:(?:events|conversation|audit)\/\d{6}\.jsonl|packed\/\d{6}\.br)$/;
const SHARED = /^(?:header\.json|frozen\/[0-9a-f]{64})$/;
const AT_ONCE = 50;

type Reading = Pick<Repository, "listFiles" | "readBlobs">;

/** The segments and packs of sessions and their shared files, without the work's own log. */
async function listStored(repository: Reading, state: string): Promise<Entry[]> {
  const files = await repository.listFiles(state, "");
  return files.flatMap((file) => {
    const sessionId = SEGMENT.exec(file.path)?.[1];
    return sessionId !== undefined || SHARED.test(file.path) ? [{ ...file, sessionId }] : [];
  });
}

/** Writes blobs below a folder, a few at a time; with `wx`, existing files are kept. */
async function writeBlobs(
  repository: Reading,
  files: readonly { path: string; oid: string }[],
  { root, flag }: { root: string; flag: "w" | "wx" },
): Promise<void> {
  for (let next = 0; next < files.length; next += AT_ONCE) {
    const some = files.slice(next, next + AT_ONCE);
    const blobs = await repository.readBlobs(some.map(({ oid }) => oid));
    for (const [at, { path }] of some.entries()) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), blobs[at] ?? "", { flag }).catch((error: unknown) => {
        if (!(flag === "wx" && error instanceof Error && "code" in error && error.code === "EEXIST"))
          throw error;
      });
    }
  }
}

/** Where a state has the program's files as of its checkpoint, if some of them are not committed. */
const UNFINISHED_FILES = "sessions/program/worktree";

/** The name of the last checkpoint of a shard that finished. */
const GIVEN_BACK = "give the work back";

/** Sessions of which a shard has more lines than the work, with their files, also the unfinished ones. */
type Share = { shard: StoredShard; sessions: ReadonlyMap<string, Entry[]>; shared: Entry[]; trees: Trees };

/**
 * The shards to collect, without those of other runs that are still active. If nothing is stored anywhere, only the outcome
 * of the shards that died, if any did.
 */
export async function collectShards(
  scene: Scene,
  work: Work,
): Promise<(Omit<OwnShard, "items"> & { collects: Collecting }) | ActionOutcome | undefined> {
  const { repository } = scene;
  const store = shardsOf(scene, work);
  const shards: StoredShard[] = [];
  for (const shard of await store.list()) if (!(await isAtWork(scene, shard))) shards.push(shard);
  const missing = await partsWithoutState(scene, store, shards);
  if (shards.length + missing.length === 0) {
    if (!scene.found.settings.dryRun) await dropPlans(scene, work);
    return undefined;
  }
  const own = await store.ownState();
  const outcome = tellDead(scene, shards, missing);
  if (shards.length === 0 && own === undefined) {
    if (!scene.found.settings.dryRun) await dropPlans(scene, work);
    return outcome;
  }
  const known = bySession(own === undefined ? [] : await listStored(repository, own));
  const shares: Share[] = [];
  for (const shard of shards) shares.push(await shareOf(scene, shard, known));
  return {
    async bring(folder) {
      for (const { sessions, shared } of shares) {
        for (const sessionId of sessions.keys())
          await rm(join(folder, "sessions", sessionId), { recursive: true, force: true });
        const files = sessions.size === 0 ? [] : [...shared, ...[...sessions.values()].flat()];
        await writeBlobs(repository, files, { root: folder, flag: "wx" });
      }
    },
    trees: new Map(shares.flatMap(({ trees }) => [...trees])),
    collects: {
      writeFiles: (root, tip) => writeShares(scene, shares, { root, tip }),
      finish: async () => {
        await store.remove(shards);
        await dropPlans(scene, work);
      },
      outcome,
    },
  };
}

/** A shard's name has its run's id. This run's own shards have ended, because this job waits for them. */
async function isAtWork({ facts, discussion }: Scene, { name }: StoredShard): Promise<boolean> {
  const run = name.split("-")[1] ?? "";
  return run !== facts.runId && (await discussion.isRunLive(run, "1")) === true;
}

function bySession(entries: readonly Entry[]): Map<string, Entry[]> {
  return groupBy(
    entries.flatMap((entry) =>
      entry.sessionId === undefined ? [] : [{ ...entry, sessionId: entry.sessionId }],
    ),
    ({ sessionId }) => sessionId,
  );
}

/** Takes a session as a whole, and only if the shard has all of the work's lines and more. */
async function shareOf(
  { repository, observe }: Scene,
  shard: StoredShard,
  known: ReadonlyMap<string, readonly Entry[]>,
): Promise<Share> {
  const entries = await listStored(repository, shard.state);
  const sessions = new Map<string, Entry[]>();
  for (const [sessionId, files] of bySession(entries)) {
    const before = known.get(sessionId) ?? [];
    const [own, others] = [loose(files, before), loose(before, files)];
    const oids = new Map(own.map(({ path, oid }) => [path, oid]));
    if (others.length >= own.length) continue;
    if (others.every(({ path, oid }) => oids.get(path) === oid)) sessions.set(sessionId, files);
    else {
      const message = `${shard.name} and the work both continued ${sessionId}: the work's version is kept`;
      observe({ type: "notice", level: "warning", message });
    }
  }
  const stored = await repository.sessionTrees(shard.state);
  const trees = new Map([...sessions.keys()].map((sessionId) => [sessionId, stored.get(sessionId)]));
  return { shard, sessions, trees, shared: entries.filter(({ sessionId }) => sessionId === undefined) };
}

/** The files by which two states of a session compare: in a packed session only its events are as they were. */
function loose(files: readonly Entry[], other: readonly Entry[]): Entry[] {
  const isPacked = [...files, ...other].some(({ path }) => path.endsWith(".br"));
  return files.filter(({ path }) => !isPacked || path.includes("/events/"));
}

/** The numbers of this run's parts whose shard died before it stored anything. */
async function partsWithoutState(
  { facts }: Scene,
  store: ReturnType<typeof shardsOf>,
  shards: readonly StoredShard[],
): Promise<string[]> {
  const parts = readPlans(await store.changePlans((text) => text))[facts.runId] ?? [];
  const names = new Set(shards.map(({ name }) => name));
  const numbers = parts.flatMap((sources, at) => (sources.length === 0 ? [] : [`${at + 1}`]));
  return numbers.filter((number) => !names.has(`shard-${facts.runId}-${number}`));
}

/** Reports shards that died. The next run continues their sessions from their last checkpoint. */
function tellDead(
  { observe }: Scene,
  shards: readonly StoredShard[],
  missing: readonly string[],
): ActionOutcome | undefined {
  const stopped = shards.filter(({ message }) => !message.includes(GIVEN_BACK));
  const dead = [...stopped.map(({ name }) => name.split("-")[2] ?? ""), ...missing];
  if (dead.length === 0) return undefined;
  const names = dead.sort((a, b) => Number(a) - Number(b)).join(", ");
  const message = `${dead.length === 1 ? "shard" : "shards"} ${names} did not finish; the next run continues with what is left`;
  observe({ type: "notice", level: "warning", message });
  return { status: "stopped", reasonCode: "interrupted", message };
}

/** Takes files of collected sessions, and other files that the work did not change. Returns the commit's message. */
async function writeShares(
  scene: Scene,
  shares: readonly Share[],
  { root, tip }: { root: string; tip: string },
): Promise<string | undefined> {
  const { repository, found, facts } = scene;
  const below = sessionsBelow(found);
  const [base, own] = await Promise.all([oidsAt(scene, found.baseCommit), oidsAt(scene, tip)]);
  let count = 0;
  for (const { shard, sessions } of shares) {
    const files = (await filesOf(scene, shard)).filter(({ path, oid }) => {
      if (own.get(path) === oid) return false;
      if (path.startsWith(below)) return sessions.has(path.slice(below.length).split("/")[0] ?? "");
      return base.get(path) !== oid && own.get(path) === base.get(path);
    });
    await writeBlobs(repository, files, { root, flag: "w" });
    count += files.length === 0 ? 0 : sessions.size;
  }
  if (count === 0) return undefined;
  const many = shares.length === 1 ? "1 shard" : `${shares.length} shards`;
  return `feat(content): ${count === 1 ? "1 session" : `${count} sessions`} of ${many}\n\n${RUN_TRAILER}: ${runIdOf({ facts })}\n`;
}

/** The files of a shard: with those that belong to no finished step, if there are any. */
async function filesOf({ repository }: Scene, shard: StoredShard): Promise<{ path: string; oid: string }[]> {
  const unfinished = await repository.listFiles(shard.state, UNFINISHED_FILES);
  if (unfinished.length > 0) {
    return unfinished.map(({ path, oid }) => ({ path: path.slice(UNFINISHED_FILES.length + 1), oid }));
  }
  return shard.branch === undefined ? [] : repository.listFiles(shard.branch, "");
}

async function oidsAt({ repository }: Scene, commit: string): Promise<Map<string, string>> {
  return new Map((await repository.listFiles(commit, "")).map(({ path, oid }) => [path, oid]));
}

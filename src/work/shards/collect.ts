// Merges the results of shards into the work: their sessions into its state, their files onto its branch.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SESSIONS } from "../../content/folder.ts";
import { RUN_TRAILER, type StoredShard } from "../../core/ports-host.ts";
import type { Work } from "../find.ts";
import { type ActionOutcome, type Collecting, runIdOf, type WakeRun } from "../run.ts";
import { dropPlans, type Entry, listStored, readPlans, shardsOf, writeBlobs } from "./plan.ts";

type Scene = Pick<WakeRun, "repository" | "found" | "facts" | "discussion" | "observe">;

/** Where a state has the program's files as of its checkpoint, if some of them are not committed. */
const UNFINISHED_FILES = "sessions/program/worktree";
/** The name of the last checkpoint of a shard that finished. */
const GIVEN_BACK = "give the work back";

/** Sessions of which a shard has more lines than the work, with their files. */
type Share = { shard: StoredShard; sessions: ReadonlyMap<string, Entry[]>; shared: Entry[] };

/**
 * The shards to collect, without those of other runs that are still active. If nothing is stored anywhere, only the outcome
 * of the shards that died, if any did.
 */
export async function collectShards(
  scene: Scene,
  work: Work,
): Promise<{ bring(folder: string): Promise<void>; collects: Collecting } | ActionOutcome | undefined> {
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
  const sessions = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.sessionId === undefined) continue;
    const files = sessions.get(entry.sessionId) ?? [];
    files.push(entry);
    sessions.set(entry.sessionId, files);
  }
  return sessions;
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
  return { shard, sessions, shared: entries.filter(({ sessionId }) => sessionId === undefined) };
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
  const below = `${found.folder === "" ? SESSIONS : `${found.folder}/${SESSIONS}`}/`;
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

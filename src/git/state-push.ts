// Pushes state ref and branch together, with explicit leases and a rate limit.
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import type { Letters, StateTip, StoredWork } from "../core/ports-host.ts";
import { type Git, gitEnvironment } from "../sandbox/git-process.ts";
import { writableFolders } from "../sandbox/own-tools.ts";
import { checkedId, readRef, writeObject } from "./object-store.ts";
import { commitTree, gitText, isRefusal, readCommit } from "./objects.ts";
import { createClone, findRemote, findRepository, listRequest } from "./remote.ts";

// GitHub recommends at most six pushes per minute to a repository.

const MINUTE_MS = 60_000;
const A_MINUTE = 6;
/** Shards push in turn, one in each slot. Six pushes that are each up to a slot late still take a minute. */
const SLOT_MS = MINUTE_MS / (A_MINUTE - 1);

export type PushRate = {
  /** Resolves when a push is allowed, or as soon as `hurry` resolves. Says so when it waits for long. */
  turn(hurry: Promise<void>): Promise<void>;
  /** Counts a push. */
  count(): void;
  /** Milliseconds until a push that can wait; leaves room for urgent ones. */
  untilSoft(): number;
  /**
   * From now on this process is shard `index` of `of`: it pushes only in its own slots of the wall clock, so that all
   * shards together keep the limit, whenever their jobs start, die and start again.
   */
  share(shard: { index: number; of: number }): void;
};

/**
 * Uses this machine's clock. All clones of a repository share one rate, because GitHub counts pushes per
 * repository.
 */
export function pushRate(aMinute = A_MINUTE, tell?: (message: string) => void): PushRate {
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const clocks = { elapsed: () => performance.now(), now: () => Date.now() };
  return createPushRate({ aMinute, ...clocks, sleep, ...(tell ? { tell } : {}) });
}

/** A longer wait than this is said. */
const SILENT_MS = 5_000;

/** `elapsed`: monotonic milliseconds; `now`: of the clock that all shards share. */
export function createPushRate(options: {
  aMinute: number;
  elapsed: () => number;
  now?: () => number;
  sleep: (ms: number) => Promise<void>;
  tell?: (message: string) => void;
}): PushRate {
  const { aMinute, elapsed, sleep, tell, now = elapsed } = options;
  let times: number[] = [];
  let slots: Slots | undefined;
  const recent = (): number[] => {
    const since = elapsed() - MINUTE_MS;
    times = times.filter((time) => time > since);
    return times;
  };
  const wait = (): number => {
    if (slots) return slots.wait(now());
    const [oldest = 0, ...others] = recent();
    return times.length === 0 || others.length + 1 < aMinute ? 0 : oldest + MINUTE_MS - elapsed();
  };
  return {
    async turn(hurry) {
      let isHurried = false;
      const hurried = hurry.then(() => {
        isHurried = true;
      });
      const first = wait();
      if (first > SILENT_MS) tell?.(describeWait(first, aMinute));
      for (let ms = first; ms > 0 && !isHurried; ms = wait()) {
        await Promise.race([sleep(Math.max(1, ms)), hurried]);
      }
    },
    count() {
      times.push(elapsed());
      slots?.use(now());
    },
    untilSoft() {
      if (slots) return slots.wait(now());
      const last = recent().at(-1);
      // Half of a minute's pushes may follow each other at once, so that finished work is saved within
      // seconds.
      if (last === undefined || times.length < aMinute / 2) return 0;
      return Math.max(0, last + (2 * MINUTE_MS) / aMinute - elapsed());
    },
    share(shard) {
      if (shard.of > 1) slots = slotsOf(shard, now());
    },
  };
}

function describeWait(ms: number, aMinute: number): string {
  return `The next save waits ${Math.ceil(ms / 1_000)} s: a repository gets at most ${aMinute} pushes in a minute.`;
}

/** `wait`: milliseconds until this shard may push; `use`: it has pushed in the slot of that time. */
type Slots = { wait(at: number): number; use(at: number): void };

/** A slot that has begun at the `start` may be used already, by a process that died. */
function slotsOf({ index, of }: { index: number; of: number }, start: number): Slots {
  const roundMs = of * SLOT_MS;
  const first = (index - 1) * SLOT_MS;
  const roundOf = (at: number) => Math.floor((at - first) / roundMs);
  let used = roundOf(start);
  return {
    wait(at) {
      const round = roundOf(at);
      const isIn = at - first - round * roundMs < SLOT_MS / 2;
      return isIn && round > used ? 0 : first + (round + 1) * roundMs - at;
    },
    use(at) {
      used = roundOf(at);
    },
  };
}

// State ref and branch move together. After a doubtful push the remote is asked for its refs, because
// `--atomic` does not cover refs that the server rejects later (hidden refs, or missing history): the other
// ref then moves alone.

const WAITS_MS = [500, 2_000];

/** A clone and its remote. */
export type Remote = { git: Git; remote: string };

/**
 * A wanted move of a ref to a commit, or its removal if that is empty; `expected` is its present commit on the remote,
 * undefined if the ref does not exist there.
 */
type Move = { ref: string; commit: string; expected: string | undefined };

/** The words for git that move refs, each with an explicit lease. */
function pushRequest(remote: string, moves: readonly Move[], ...how: "--atomic"[]): string[] {
  const leases = moves.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ""}`);
  const specs = moves.map(({ ref, commit }) => `${commit}:${ref}`);
  return ["push", "--quiet", "--no-verify", ...how, ...leases, "--", remote, ...specs];
}

/** Deletes refs that are still at these commits; a ref that moved since, or is gone, is left alone. */
export async function removeRefs(
  { git, remote, rate }: Remote & { rate: PushRate },
  gone: Iterable<readonly [ref: string, commit: string]>,
): Promise<void> {
  const moves = [...gone].map(([ref, expected]) => ({ ref, commit: "", expected }));
  if (moves.length === 0) return;
  rate.count();
  await git(pushRequest(remote, moves), { authorized: true, answers: [1] });
}

/**
 * `moved`: another pusher changed the branch. `half`: the state moved but the branch did not, for `reason`.
 */
type PushResult = { kind: "won" | "lost" | "gone" | "moved" } | { kind: "half"; reason: LoopliaError };

/**
 * Pushes both refs with explicit leases, with up to two more tries if the server did not apply the push. The
 * state commit must have the expected commit as its parent, because a lease alone would let an unrelated
 * commit through. Throws `host-failed`. Calls `beforeTry` before every push.
 */
export async function pushTogether(
  place: Remote,
  { state, branch }: { state: Move; branch?: Move },
  beforeTry: () => void,
): Promise<PushResult> {
  const { git, remote } = place;
  await checkParent(git, state);
  const both = branch ? [state, branch] : [state];
  const refs = both.map(({ ref }) => ref);
  for (let attempt = 0; ; attempt += 1) {
    try {
      beforeTry();
      await git(pushRequest(remote, both, "--atomic"), { authorized: true });
      return { kind: "won" };
    } catch (thrown) {
      if (!(thrown instanceof LoopliaError)) throw thrown;
      const found = await readTips(place, refs).catch(() => undefined);
      const judged = found && judge(found, state, branch);
      if (judged) return judged === "half" ? { kind: judged, reason: thrown } : { kind: judged };
      const wait = WAITS_MS[attempt];
      if (wait === undefined || isRefusal(thrown)) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Undefined if neither ref has moved, so that another try may help. */
function judge(
  found: ReadonlyMap<string, string>,
  state: Move,
  branch: Move | undefined,
): PushResult["kind"] | undefined {
  const tip = branch && found.get(branch.ref);
  const stateTip = found.get(state.ref);
  if (stateTip === state.commit) return tip === branch?.commit ? "won" : "half";
  if (stateTip !== state.expected) return stateTip === undefined ? "gone" : "lost";
  if (tip === branch?.expected || tip === branch?.commit) return undefined;
  return tip === undefined ? "gone" : "moved";
}

async function checkParent(git: Git, { ref, commit, expected }: Move): Promise<void> {
  const { parents } = await readCommit(git, commit);
  if (parents.length <= 1 && parents[0] === expected) return;
  throw new LoopliaError("lost-race", `${commit} does not follow the checkpoint at ${ref}`, {
    hint: "run again to continue from the newest checkpoint",
  });
}

/** The refs' commits on the remote; missing refs are absent. */
export async function readTips(place: Remote, refs: readonly string[]): Promise<Map<string, string>> {
  const listed = await listTips(place, refs);
  return new Map([...listed].filter(([name]) => refs.includes(name)));
}

/** The remote's commits of all refs that match a pattern (`*` matches any text) or end like one. */
export async function listTips(
  { git, remote }: Remote,
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const listed = await git(listRequest(remote, patterns), { authorized: true });
  const tips = new Map<string, string>();
  for (const row of listed.stdout.toString("utf8").split("\n")) {
    const [oid, name] = row.split("\t");
    if (oid && name) tips.set(name, checkedId(oid));
  }
  return tips;
}

/**
 * Fetches the newest `depth` commits of each ref, all as of one moment, and returns their tips; missing refs
 * are absent. Keeps the fetched commits under `refs/fetched/`. `listed`: the remote's refs, if they are known.
 */
export async function fetchTips(
  place: Remote,
  refs: readonly string[],
  depth = 1,
  listed?: Promise<Map<string, string>>,
): Promise<Map<string, string>> {
  for (let attempt = 0; ; attempt += 1) {
    const tips = await ((attempt === 0 && listed) || readTips(place, refs));
    const there = refs.filter((ref) => tips.has(ref));
    const specs = there.map((ref, index) => `+${ref}:refs/fetched/${index}`);
    if (specs.length === 0) return new Map();
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", `--depth=${depth}`, "--"];
    try {
      await place.git([...fetch, place.remote, ...specs], { authorized: true });
    } catch (thrown) {
      // The ref may have been deleted after it was listed.
      if (attempt > 0 || isRefusal(thrown)) throw thrown;
      continue;
    }
    return readFetched(place.git, there);
  }
}

/** One commit per ref that was fetched to `refs/fetched/<index>`. */
async function readFetched(git: Git, refs: readonly string[]): Promise<Map<string, string>> {
  const names = refs.map((_, index) => `refs/fetched/${index}`);
  const loose = names.map((name) => (git.isClone ? readRef(git, name) : undefined));
  const tips = loose.includes(undefined) ? (await gitText(git, ["rev-parse", ...names])).split("\n") : loose;
  return new Map(tips.map((oid = "", index) => [refs[index] ?? "", checkedId(oid)]));
}

const AT_ONCE = 100;
/** A letter is not urgent, so its push waits its turn. */
const NEVER = new Promise<void>(() => {});
const SUBJECT = "chore: leave an answer";

/**
 * `stateRefs`: the possible state refs of the work (`<state-ref-prefix><work-id>`); letters are beside them.
 */
export function openLetters(
  place: Remote & { rate: PushRate },
  stateRefs: readonly [string, ...string[]],
): Letters {
  const { git, rate } = place;
  return {
    async leave(text) {
      const known = stateRefs.length === 1 ? new Map() : await readTips(place, stateRefs);
      const stateRef = stateRefs.find((ref) => known.has(ref)) ?? stateRefs[0];
      const ref = `${stateRef}.letter-${randomBytes(8).toString("hex")}`;
      const tree = await writeObject(git, "tree", "");
      const commit = await commitTree(git, tree, [], `${SUBJECT}\n\n${text}`);
      const move = { state: { ref, commit, expected: undefined } };
      await rate.turn(NEVER);
      const { kind } = await pushTogether(place, move, () => rate.count());
      if (kind !== "won") throw new LoopliaError("host-failed", `an answer could not be stored at ${ref}`);
    },
    async list() {
      const listed = await listTips(
        place,
        stateRefs.map((ref) => `${ref}.letter-*`),
      );
      const names = [...listed.keys()].filter((ref) => /\.letter-[0-9a-f]{16}$/.test(ref)).slice(0, AT_ONCE);
      if (names.length === 0) return [];
      const letters = [...(await fetchTips(place, names))].map(async ([ref, commit]) => {
        const { at, message } = await readCommit(git, commit);
        return { id: `${ref} ${commit}`, at, text: message.slice(message.indexOf("\n\n") + 2).trimEnd() };
      });
      const read = await Promise.all(letters);
      return read.sort((one, other) => (one.at < other.at ? -1 : 1)).map(({ id, text }) => ({ id, text }));
    },
    async remove(letters) {
      if (letters.length === 0) return;
      await rate.turn(NEVER);
      // Another run may have deleted one first.
      await removeRefs(
        place,
        letters.map(({ id }) => id.split(" ") as [string, string]),
      );
    },
  };
}

// Sets an unreadable state aside, so that a new one can take its place.

/** As `Repository.setStateAside`. The dot makes sure that the name is no work's. */
export async function setStateAside(
  place: Remote & { rate: PushRate },
  { ref, commit }: StateTip,
): Promise<string> {
  const kept = `${ref}.damaged-${checkedId(commit).slice(0, 12)}`;
  const tips = await fetchTips(place, [ref]);
  if (tips.get(ref) !== commit) throw movedMeanwhile(ref);
  const moves = [
    { ref, commit: "", expected: commit },
    { ref: kept, commit, expected: undefined },
  ];
  await place.rate.turn(NEVER);
  place.rate.count();
  try {
    await place.git(pushRequest(place.remote, moves, "--atomic"), { authorized: true });
  } catch (thrown) {
    // The push may have succeeded although its acknowledgement was lost.
    const found = await readTips(place, [ref, kept]);
    if (found.get(kept) !== commit || found.has(ref)) throw thrown;
  }
  return kept;
}

function movedMeanwhile(ref: string): LoopliaError {
  return new LoopliaError("lost-race", `${ref} changed while this run read it`, {
    hint: "run again to continue from its new state",
  });
}

// Tests whether a repository accepts state refs: pushes two unused refs together and deletes them together.

/**
 * Tests the remote of a checkout and returns what it tested; undefined if the remote is not on the server.
 * Throws `host-failed` with the setting to change. Deletes its refs even after a failure.
 */
export async function probeStateRef(place: {
  checkout: string;
  serverUrl: string;
  /** `owner/name`, if the environment has it. */
  repository: string | undefined;
  token: string;
  /** `state-ref-prefix` */
  prefix: string;
  systemTemp: string;
  environment: Readonly<Record<string, string | undefined>>;
}): Promise<string | undefined> {
  const { checkout, serverUrl, token, prefix } = place;
  const repository = place.repository ?? (await findRepository(checkout, serverUrl));
  if (repository === undefined) return undefined;
  const remote = await findRemote({ checkout, serverUrl, repository });
  const home = await mkdtemp(join(place.systemTemp, "looplia-probe-"));
  try {
    const writable = writableFolders(checkout);
    const environment = gitEnvironment(place.environment, writable);
    const git = createClone({ folder: home, home, remote, token, environment, writable });
    await pushAndDelete({ git, remote }, prefix);
    return `${prefix} of ${repository} takes refs, two at once`;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Whether a ref name (without prefix) is a probe's: a killed probe may leave one. */
function isProbe(name: string): boolean {
  return /^probe-[0-9a-f]{12}(?:-2)?$/.test(name);
}

async function pushAndDelete(place: Remote, prefix: string): Promise<void> {
  const { git, remote } = place;
  const tree = await writeObject(git, "tree", "");
  const commit = await commitTree(git, tree, [], "chore: probe whether this repository takes state refs\n");
  const name = `${prefix}probe-${randomBytes(6).toString("hex")}`;
  const refs = [name, `${name}-2`];
  const push = async (commit: string, expected: string) => {
    const moves = refs.map((ref) => ({ ref, commit, expected }));
    await git(pushRequest(remote, moves, "--atomic"), { authorized: true });
  };
  try {
    await push(commit, "");
    if ((await readTips(place, refs)).size < refs.length) {
      throw new LoopliaError("host-failed", `the server accepted ${name} but does not list it`, {
        hint: "set `state-ref-prefix: refs/heads/looplia-state/`",
      });
    }
  } finally {
    const left = await readTips(place, refs).catch(() => new Map());
    if (left.size === refs.length) await push("", commit);
  }
}

// Lists the works with a state on the remote, by their newest checkpoints; fetches only those commits.

const WORK_ID = /^[a-z0-9][a-z0-9-]{0,80}$/;

/**
 * The works whose state refs begin with one of the prefixes, each once, in no order. `createClone` makes a
 * git in an empty folder, because a clone without the commits' trees is good for nothing else.
 */
export async function listStoredWorks(
  place: Remote & { temporary: string; createClone(folder: string): Git },
  prefixes: readonly string[],
): Promise<StoredWork[]> {
  const patterns = prefixes.map((prefix) => `${prefix}*`);
  const refs = chooseRefs([...(await listTips(place, patterns)).keys()], prefixes);
  if (refs.size === 0) return [];
  const folder = join(place.temporary, `states-${randomBytes(6).toString("hex")}.git`);
  await mkdir(folder);
  try {
    const git = place.createClone(folder);
    const specs = [...refs].map(([workId, ref]) => `+${ref}:refs/states/${workId}\n`).join("");
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", "--filter=tree:0"];
    await git([...fetch, "--stdin", "--", place.remote], { authorized: true, input: specs });
    const format = "--format=%(refname:lstrip=2) %(objectname) %(committerdate:unix) %(contents:subject)";
    const { stdout } = await git(["for-each-ref", format, "refs/states"]);
    return stdout.toString("utf8").split("\n").flatMap(readRow);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The state ref of each work; if a work has two, the one of the earlier prefix counts. */
function chooseRefs(refs: readonly string[], prefixes: readonly string[]): Map<string, string> {
  const chosen = new Map<string, string>();
  for (const prefix of prefixes) {
    for (const ref of refs.filter((one) => one.startsWith(prefix))) {
      const workId = ref.slice(prefix.length);
      const isWork = WORK_ID.test(workId) && !isProbe(workId);
      if (isWork && !chosen.has(workId)) chosen.set(workId, ref);
    }
  }
  return chosen;
}

function readRow(row: string): StoredWork[] {
  const [, workId, commit, seconds, message] = /^(\S+) (\S+) (\d+) (.*)$/.exec(row) ?? [];
  if (workId === undefined || commit === undefined || message === undefined) return [];
  return [{ workId, commit, at: new Date(Number(seconds) * 1000).toISOString(), message }];
}

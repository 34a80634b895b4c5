// Refs beside a work's state ref: the month's ledger, and plans and results of shards.
import { setTimeout as sleep } from "node:timers/promises";
import { LoopliaError } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import { EMPTY_LEDGER, type Ledger, ledgerShape, type MonthLedger } from "../core/money/ledger.ts";
import type { Shards, StoredShard } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { EMPTY_TREE, editTree, readObject, writeObject } from "./object-store.ts";
import { commitTree, findEntry, readCommit } from "./objects.ts";
import { fetchTips, listTips, type PushRate, pushTogether } from "./state-push.ts";

/** After each try another run was faster. */
const TRIES = 20;
const LONGEST_WAIT_MS = 400;

type Tools = { git: Git; remote: string; rate: PushRate };

/**
 * Replaces the text that a ref of its own holds; undefined for no ref. `change` sees the newest text, and again after a
 * run that was faster. Returns the text as it is then.
 */
async function changeText(
  { git, remote, rate }: Tools,
  place: { ref: string; file: string; subject: string },
  change: (text: string | undefined, commit: string) => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  const { ref, file, subject } = place;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const expected = (await fetchTips({ git, remote }, [ref])).get(ref);
    const found = expected === undefined ? undefined : await findEntry(git, expected, file);
    const stored =
      expected === undefined
        ? undefined
        : typeof found === "object"
          ? (await readObject(git, found.oid, "blob")).toString("utf8")
          : "";
    const next = await change(stored, expected ?? "");
    if (next === stored) return stored;
    if (next === undefined) {
      await removeRefs({ git, remote, rate }, new Map([[ref, expected ?? ""]]));
      return next;
    }
    const oid = await writeObject(git, "blob", next);
    const tree = await editTree(git, EMPTY_TREE, new Map([[file, { mode: "100644", oid }]]));
    const commit = await commitTree(git, tree, expected === undefined ? [] : [expected], `${subject}\n`);
    const { kind } = await pushTogether({ git, remote }, { state: { ref, commit, expected } }, () =>
      rate.count(),
    );
    if (kind === "won") return next;
    // Random waits, so that runs that lost together do not collide again.
    await sleep(Math.random() * Math.min(LONGEST_WAIT_MS, 20 * 2 ** tries));
  }
  throw new LoopliaError("host-failed", `too many runs write to ${ref} at once`, {
    hint: "run again in a minute",
  });
}

/** `prefix`: of the state refs. The dot in the ref's name makes sure that it is no work's. */
export function openBudgetRef(tools: Tools, prefix: string): MonthLedger {
  const place = {
    ref: `${prefix}month.budget`,
    file: "budget.json",
    subject: "chore: settle the month's budget",
  };
  return {
    async update(change) {
      let ledger = EMPTY_LEDGER;
      await changeText(tools, place, (text, commit) => {
        const stored = text === undefined ? EMPTY_LEDGER : readLedger(text, commit);
        ledger = change(stored);
        return ledger === stored ? text : `${JSON.stringify(ledger, null, 1)}\n`;
      });
      return ledger;
    },
  };
}

function readLedger(text: string, commit: string): Ledger {
  const parsed = ledgerShape().safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LoopliaError("store-corrupt", `the month's budget (commit ${commit}) can't be read`, {
    hint: "delete its ref, <state-ref-prefix>month.budget: the month then starts at zero",
  });
}

// The refs of a work's shards beside its state: the plans of all runs, and the state and branch of each shard.

/**
 * `stateRef`: of the work's own state; `branch`: its branch. Shard names contain a dot, so none is a work's.
 */
export function openShards(
  { git, remote, rate }: Tools,
  place: { stateRef: string; branch: string },
): Shards {
  const plans = { ref: `${place.stateRef}.plans`, file: "plans.json", subject: "chore: plan shards" };
  return {
    changePlans: (change) => changeText({ git, remote, rate }, plans, change),
    async ownState() {
      return (await fetchTips({ git, remote }, [place.stateRef])).get(place.stateRef);
    },
    async list() {
      const listed = await listTips({ git, remote }, [
        `${place.stateRef}.shard-*`,
        `refs/heads/${place.branch}.shard-*`,
      ]);
      const names = [...listed.keys()].flatMap((ref) => shardName(ref, `${place.stateRef}.`) ?? []);
      if (names.length === 0) return [];
      const refs = names.flatMap((name) => [
        `${place.stateRef}.${name}`,
        `refs/heads/${place.branch}.${name}`,
      ]);
      const tips = await fetchTips({ git, remote }, refs);
      const shards: StoredShard[] = [];
      for (const name of names.sort()) {
        const state = tips.get(`${place.stateRef}.${name}`);
        if (state === undefined) continue;
        const branch = tips.get(`refs/heads/${place.branch}.${name}`);
        const { message } = await readCommit(git, state);
        shards.push({ name, state, branch, message: message.split("\n")[0] ?? "" });
      }
      return shards;
    },
    remove: (shards) => removeShards({ git, remote, rate }, place, shards),
  };
}

async function removeShards(
  tools: Tools,
  place: { stateRef: string; branch: string },
  shards: readonly StoredShard[],
): Promise<void> {
  const gone = new Map<string, string>();
  for (const { name, state, branch } of shards) {
    gone.set(`${place.stateRef}.${name}`, state);
    if (branch !== undefined) gone.set(`refs/heads/${place.branch}.${name}`, branch);
  }
  await removeRefs(tools, gone);
}

/** Deletes refs that are still at these commits; a ref that moved since is kept. */
export async function removeRefs(
  { git, remote, rate }: Tools,
  gone: ReadonlyMap<string, string>,
): Promise<void> {
  if (gone.size === 0) return;
  const leases = [...gone].map(([ref, commit]) => `--force-with-lease=${ref}:${commit}`);
  const specs = [...gone.keys()].map((ref) => `:${ref}`);
  rate.count();
  const args = ["push", "--quiet", "--no-verify", ...leases, "--", remote, ...specs];
  await git(args, { authorized: true, answers: [1] });
}

function shardName(ref: string, prefix: string): string | undefined {
  const name = ref.startsWith(prefix) ? ref.slice(prefix.length) : "";
  return /^shard-\d{1,20}-\d{1,3}$/.test(name) ? name : undefined;
}

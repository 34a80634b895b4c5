// The refs of a work's shards beside its state: a plan per run, and the state and branch of each shard.
import { LoopliaError } from "../core/errors.ts";
import type { Shards, StoredShard } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { writeObject } from "./object-store.ts";
import { commitTree, readCommit } from "./objects.ts";
import { fetchTips, listTips, type PushRate, pushTogether } from "./state-push.ts";

type Tools = { git: Git; remote: string; rate: PushRate };

/**
 * `stateRef`: of the work's own state; `branch`: its branch. Shard names contain a dot, so none is a work's.
 */
export function openShards(
  { git, remote, rate }: Tools,
  place: { stateRef: string; branch: string },
): Shards {
  const planOf = (run: string) => `${place.stateRef}.plan-${run}`;
  return {
    async savePlan(run, text) {
      const ref = planOf(run);
      const expected = (await fetchTips({ git, remote }, [ref])).get(ref);
      const tree = await writeObject(git, "tree", "");
      const parents = expected === undefined ? [] : [expected];
      const commit = await commitTree(git, tree, parents, `chore: plan shards\n\n${text}\n`);
      const { kind } = await pushTogether({ git, remote }, { state: { ref, commit, expected } }, () =>
        rate.count(),
      );
      if (kind !== "won") throw new LoopliaError("host-failed", `the plan could not be stored at ${ref}`);
    },
    async readPlan(run) {
      const commit = (await fetchTips({ git, remote }, [planOf(run)])).get(planOf(run));
      if (commit === undefined) return undefined;
      const { message } = await readCommit(git, commit);
      return message.slice(message.indexOf("\n\n") + 2).trim();
    },
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
  { git, remote, rate }: Tools,
  place: { stateRef: string; branch: string },
  shards: readonly StoredShard[],
): Promise<void> {
  const gone = new Map(await listTips({ git, remote }, [`${place.stateRef}.plan-*`]));
  for (const { name, state, branch } of shards) {
    gone.set(`${place.stateRef}.${name}`, state);
    if (branch !== undefined) gone.set(`refs/heads/${place.branch}.${name}`, branch);
  }
  await removeRefs({ git, remote, rate }, gone);
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

// State ref and branch move together. After any doubt the remote says what became of it, for `--atomic` is not all that it
// says: a ref that the server refuses by itself (hidden, or of a history that it has not) stays, and the other moves.
import { LoopliaError } from "../errors.ts";
import { checkedId, isRefusal, readCommit, textOf } from "./git-commit.ts";
import type { Git } from "./git-process.ts";

const WAITS_MS = [500, 2_000];

/** A ref as it should become; `expected` is where the remote has it, undefined: nowhere. */
export type Move = { ref: string; commit: string; expected: string | undefined };

/** `moved`: somebody else pushed to the branch. `half`: the state stands there, the branch does not, for such a reason. */
export type Pushed = { kind: "won" | "lost" | "gone" | "moved" } | { kind: "half"; reason: LoopliaError };

/**
 * Pushes both refs with explicit leases, with two more tries where the server did not carry it out. The commit of the
 * state ref must be made on what the ref is expected to be: a lease alone lets an unrelated one through. Fails with
 * `host-failed`. `beforeTry` is called before every push.
 */
export async function pushTogether(
  { git, remote }: { git: Git; remote: string },
  moves: { state: Move; branch?: Move },
  beforeTry: () => void,
): Promise<Pushed> {
  const { state, branch } = moves;
  await checkParent(git, state);
  const both = branch ? [state, branch] : [state];
  const leases = both.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ""}`);
  const refs = both.map(({ ref, commit }) => `${commit}:${ref}`);
  const args = ["push", "--quiet", "--no-verify", "--atomic", ...leases, "--", remote, ...refs];
  for (let attempt = 0; ; attempt += 1) {
    try {
      beforeTry();
      await git(args, { authorized: true });
      return { kind: "won" };
    } catch (thrown) {
      if (!(thrown instanceof LoopliaError)) throw thrown;
      const found = await readTips(
        { git, remote },
        both.map(({ ref }) => ref),
      ).catch(() => undefined);
      const judged = found && judge(found, state, branch);
      if (judged) return judged === "half" ? { kind: judged, reason: thrown } : { kind: judged };
      const wait = WAITS_MS[attempt];
      if (wait === undefined || isRefusal(thrown)) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Undefined where nothing has moved, so that another try may help. */
function judge(
  found: ReadonlyMap<string, string>,
  state: Move,
  branch: Move | undefined,
): Pushed["kind"] | undefined {
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
  throw new LoopliaError("lost-race", `${commit} was not made on the checkpoint that ${ref} has`, {
    hint: "run again, from the newest checkpoint",
  });
}

/** Where the remote has each of the refs; those it has not are missing. */
export async function readTips(
  { git, remote }: { git: Git; remote: string },
  refs: readonly string[],
): Promise<Map<string, string>> {
  const listed = await listTips({ git, remote }, refs);
  return new Map([...listed].filter(([name]) => refs.includes(name)));
}

/** Where the remote has each ref that one of the patterns matches (`*` matches any text), and what ends like one. */
export async function listTips(
  { git, remote }: { git: Git; remote: string },
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const listed = await git(["ls-remote", "--refs", "--", remote, ...patterns], { authorized: true });
  const tips = new Map<string, string>();
  for (const row of listed.stdout.toString("utf8").split("\n")) {
    const [oid, name] = row.split("\t");
    if (oid && name) tips.set(name, checkedId(oid));
  }
  return tips;
}

/**
 * Brings the newest `depth` commits of each of the refs here and says which the newest is, all as the remote had them at
 * one moment; a ref that is not there is missing. What came is kept under `refs/fetched/`.
 */
export async function fetchTips(
  place: { git: Git; remote: string },
  refs: readonly string[],
  depth = 1,
): Promise<Map<string, string>> {
  for (let attempt = 0; ; attempt += 1) {
    const there = [...(await readTips(place, refs)).keys()];
    const specs = there.map((ref, index) => `+${ref}:refs/fetched/${index}`);
    if (specs.length === 0) return new Map();
    const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", `--depth=${depth}`, "--"];
    try {
      await place.git([...fetch, place.remote, ...specs], { authorized: true });
    } catch (thrown) {
      // It may have been deleted since it was listed.
      if (attempt > 0 || isRefusal(thrown)) throw thrown;
      continue;
    }
    const tips = await textOf(place.git, ["rev-parse", ...there.map((_, index) => `refs/fetched/${index}`)]);
    return new Map(tips.split("\n").map((oid, index) => [there[index] ?? "", checkedId(oid)]));
  }
}

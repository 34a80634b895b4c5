// What happens to commits before they reach the branch.

// Keeps files with new keys out of the branch until a person lets them in. The state has them all the same.
import { hashContent } from "../core/json.ts";
import type { FileKey } from "../core/ports.ts";
import type { CodeHost, FindKeys, TreePair } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { checkedId, diffTrees, editTree, type TreeEntry } from "./object-store.ts";
import { gitText, partsOf, readBlobs, readCommit, sizesOf } from "./objects.ts";

/** Larger files are not searched: the patterns read a few megabytes a second. */
const MOST_BYTES = 5 * 1024 * 1024;

type Tools = { git: Git; findKeys?: FindKeys | undefined };
/** A path that differs; `before` is missing where the file is new. */
type Changed = { path: string; before?: TreeEntry; after: TreeEntry; size: number };
type WithKeys = Changed & { keys: FileKey[] };

/** Says once about each file of a work that it is left out. */
export class KeyFilter {
  readonly #tools: Tools;
  readonly #notice: (message: string) => void;
  readonly #told = new Set<string>();
  readonly #allowed = new Set<string>();
  #last: { pair: TreePair; found: WithKeys[] } | undefined;

  constructor(tools: Tools, notice: (message: string) => void) {
    this.#tools = tools;
    this.#notice = notice;
  }

  /** The keys in files of `worktree` that their version in `base` has not, but for those that a person let in. */
  async find(pair: TreePair): Promise<FileKey[]> {
    return (await this.#filesWithKeys(pair)).flatMap(({ keys }) => keys);
  }

  /** Lets keys into the branch, by their ids. */
  allow(ids: readonly string[]): void {
    for (const id of ids) this.#allowed.add(id);
  }

  /** `worktree` with the files of `base` in place of those with such keys. */
  async apply(pair: TreePair): Promise<string> {
    const withKeys = await this.#filesWithKeys(pair);
    for (const { path, keys } of withKeys) {
      this.#tell(path, [...new Set(keys.map(({ kind }) => kind))].join(", "));
    }
    const before = new Map(withKeys.map(({ path, before }) => [path, before]));
    return editTree(this.#tools.git, pair.worktree, before);
  }

  async #filesWithKeys({ base, worktree }: TreePair): Promise<WithKeys[]> {
    if (this.#last?.pair.base !== base || this.#last.pair.worktree !== worktree) {
      this.#last = { pair: { base, worktree }, found: await this.#search({ base, worktree }) };
    }
    return this.#last.found.flatMap((one) => {
      const keys = one.keys.filter(({ id }) => !this.#allowed.has(id));
      return keys.length === 0 ? [] : [{ ...one, keys }];
    });
  }

  async #search({ base, worktree }: TreePair): Promise<WithKeys[]> {
    const { git, findKeys } = this.#tools;
    if (!findKeys || base === worktree) return [];
    const found: WithKeys[] = [];
    for (const part of partsOf(await listChanged(git, base, worktree))) {
      const texts = await readTexts(git, part);
      for (const one of part) {
        const known = await findKeys(texts.get(one.before?.oid ?? "") ?? "");
        const added = (await findKeys(texts.get(one.after.oid) ?? "")).filter(
          ({ key }) => !known.some((other) => other.key === key),
        );
        const { path } = one;
        const keys = added.map(({ key, kind }) => ({ path, kind, id: hashContent(key) }));
        if (keys.length > 0) found.push({ ...one, keys });
      }
    }
    return found;
  }

  #tell(path: string, kinds: string): void {
    if (this.#told.has(path)) return;
    this.#told.add(path);
    const why = `${path} was left out of the branch: it contains what looks like a key (${kinds})`;
    this.#notice(`${why}. Remove the key from it, or commit the file yourself if everybody may read it.`);
  }
}

/** Files and links that are new or changed, but for large ones. */
async function listChanged(git: Git, base: string, worktree: string): Promise<Changed[]> {
  const changed = (await diffTrees(git, base, worktree)).flatMap(
    ({ path, before, after }): Omit<Changed, "size">[] =>
      after && isBlob(after.mode)
        ? [{ path, after, ...(before && isBlob(before.mode) ? { before } : {}) }]
        : [],
  );
  const sizes = await sizesOf(git, [...new Set(changed.flatMap(oidsOf))]);
  return changed
    .filter(({ after }) => (sizes.get(after.oid) ?? 0) <= MOST_BYTES)
    .map((one) => ({ ...one, size: oidsOf(one).reduce((sum, oid) => sum + (sizes.get(oid) ?? 0), 0) }));
}

/** Neither nothing nor a repository inside. */
function isBlob(mode: string): boolean {
  return mode.startsWith("100") || mode === "120000";
}

function oidsOf({ before, after }: Pick<Changed, "before" | "after">): string[] {
  return before ? [before.oid, after.oid] : [after.oid];
}

async function readTexts(git: Git, changed: readonly Changed[]): Promise<Map<string, string>> {
  const oids = [...new Set(changed.flatMap(oidsOf))];
  const blobs = await readBlobs(git, oids);
  return new Map(oids.map((oid, at) => [oid, Buffer.from(blobs[at] ?? "").toString("utf8")]));
}

// Has the server make the commits that this clone made, and fetches them.

/** The commits after `from` up to `to`, oldest first. */
export async function commitsBetween(git: Git, from: string, to: string): Promise<string[]> {
  if (from === to) return [];
  const listed = await gitText(git, ["rev-list", "--reverse", `${from}..${to}`]);
  return listed.split("\n").filter((line) => line !== "");
}

/**
 * Makes the commits after `from` up to `to` on the server, with the same trees and messages, and fetches them. `from` is
 * there. Until they are pushed, no ref points to them: a crash leaves nothing that counts.
 */
export async function makeOnServer(
  { git, remote }: { git: Git; remote: string },
  { from, to }: { from: string; to: string },
  make: CodeHost["makeCommit"],
): Promise<{ made: string; isSigned: boolean }> {
  let made = from;
  let isSigned = true;
  let base = (await readCommit(git, from)).tree;
  const sent = new Set<string>();
  for (const commit of await commitsBetween(git, from, to)) {
    const { tree, message } = await readCommit(git, commit);
    const changes = await changesBetween(git, { base, tree }, sent);
    const done = await make({ message, parent: made, base, tree, changes });
    made = checkedId(done.commit);
    isSigned &&= done.isSigned;
    base = tree;
  }
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", `--negotiation-tip=${from}`];
  if (made !== from) await git([...fetch, "--", remote, made], { authorized: true });
  return { made, isSigned };
}

/** `sent`: files that the server got with earlier commits; adds those of this one. */
async function changesBetween(git: Git, { base, tree }: { base: string; tree: string }, sent: Set<string>) {
  const different = await diffTrees(git, base, tree);
  const known = new Set([...sent, ...different.flatMap(({ before }) => before?.oid ?? [])]);
  return different.map(({ path, after }) => {
    if (!after) return { path, file: undefined };
    const isKnown = known.has(after.oid) || after.mode === "160000";
    sent.add(after.oid);
    const read = async () => (await readBlobs(git, [after.oid]))[0] ?? new Uint8Array();
    return { path, file: { ...after, read: isKnown ? undefined : read } };
  });
}

// Has the server make the commits that this clone made, and fetches them.
import type { CodeHost } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { checkedId, diffTrees } from "./object-store.ts";
import { gitText, readBlobs, readCommit } from "./objects.ts";

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

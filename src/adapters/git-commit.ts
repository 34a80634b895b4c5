// Commits by plumbing, with the bot as author; what every part of git here shares.
import { LoopliaError } from "../errors.ts";
import type { Git, GitCall } from "./git-process.ts";

const AUTHOR = "github-actions[bot]";
const EMAIL = "41898282+github-actions[bot]@users.noreply.github.com";
const OBJECT_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
/** What `update-index --index-info` takes for "no such file". */
export const NO_OBJECT = "0".repeat(40);

export const MERGE_MESSAGE = "chore: merge what was pushed to the branch\n";

/** True for what another try can't mend. */
export function isRefusal(thrown: unknown): boolean {
  return thrown instanceof LoopliaError && thrown.hint !== undefined;
}

/** The id, or `host-failed` where it is none. */
export function checkedId(oid: string): string {
  if (OBJECT_ID.test(oid)) return oid;
  throw new LoopliaError("host-failed", `not a commit id: ${JSON.stringify(oid)}`);
}

/** What git printed, without the white space around it. */
export async function textOf(git: Git, args: readonly string[], call?: GitCall): Promise<string> {
  return (await git(args, call)).stdout.toString("utf8").trim();
}

/** Id of a new commit; nothing points to it yet. */
export async function commitTree(
  git: Git,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const who = ["-c", `user.name=${AUTHOR}`, "-c", `user.email=${EMAIL}`];
  const by = parents.flatMap((parent) => ["-p", parent]);
  return checkedId(await textOf(git, [...who, "commit-tree", tree, ...by, "-F", "-"], { input: message }));
}

export type Commit = { tree: string; parents: string[]; at: string; message: string };

/** A commit as it was made: its parents are told in a shallow clone too. */
export async function readCommit(git: Git, commit: string): Promise<Commit> {
  const text = (await git(["cat-file", "commit", checkedId(commit)])).stdout.toString("utf8");
  const end = text.indexOf("\n\n");
  const header = text.slice(0, end).split("\n");
  const valuesOf = (name: string) =>
    header.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const seconds = Number(/ (\d+) [+-]\d{4}$/.exec(valuesOf("committer")[0] ?? "")?.[1] ?? 0);
  return {
    tree: valuesOf("tree")[0] ?? "",
    parents: valuesOf("parent"),
    at: new Date(seconds * 1000).toISOString(),
    message: text.slice(end + 2),
  };
}

/** Rows of git's `-z` output. */
export function rowsOf(output: Buffer): string[] {
  return output.toString("utf8").split("\0").filter(Boolean);
}

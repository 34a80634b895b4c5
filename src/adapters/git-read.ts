// Reads objects of a repository: one process for many, as many bytes at a time as fit well into memory.
import { LoopliaError } from "../errors.ts";
import { checkedId } from "./git-commit.ts";
import type { Git } from "./git-process.ts";

const MOST_BYTES = 64 * 1024 * 1024;

/** Things of `size` bytes, in their order, in parts of at most 64 MiB; what is larger is a part of its own. */
export function partsOf<One extends { size: number }>(all: readonly One[], most = MOST_BYTES): One[][] {
  const parts: One[][] = [];
  let free = 0;
  for (const one of all) {
    const part = parts.at(-1);
    if (part && one.size <= free) part.push(one);
    else {
      parts.push([one]);
      free = most;
    }
    free -= one.size;
  }
  return parts;
}

export type FoundObject = { oid: string; type: string; size: number };

/**
 * The object at each `<commit>:<path>` (no line breaks in it), undefined where there is none. Links are followed;
 * `leads-away` is one that leads out of the tree, to nothing, or in a circle.
 */
export async function findObjects(
  git: Git,
  names: readonly string[],
): Promise<(FoundObject | "leads-away" | undefined)[]> {
  const args = ["--no-replace-objects", "cat-file", "--batch-check", "--follow-symlinks"];
  const { stdout } = await git(args, { input: names.map((name) => `${name}\n`).join("") });
  let at = 0;
  return names.map(() => {
    const end = endOfLine(stdout, at);
    const line = stdout.toString("utf8", at, end);
    at = end + 1;
    const [, link, length] = /^(symlink|dangling|loop|notdir) (\d+)$/.exec(line) ?? [];
    if (link !== undefined) {
      at += Number(length) + 1;
      return link === "notdir" ? undefined : "leads-away";
    }
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
    return oid && type ? { oid, type, size: Number(size) } : undefined;
  });
}

/** How many bytes each object has, by its id. */
export async function sizesOf(git: Git, oids: readonly string[]): Promise<Map<string, number>> {
  if (oids.length === 0) return new Map();
  const args = ["--no-replace-objects", "cat-file", "--batch-check=%(objectsize)"];
  const { stdout } = await git(args, { input: oids.map((oid) => `${checkedId(oid)}\n`).join("") });
  const rows = stdout.toString("latin1").split("\n");
  return new Map(oids.map((oid, index) => [oid, Number(rows[index]) || 0]));
}

/** Bytes of blobs, in the order asked. Fails with `host-failed` where one is no file of the repository. */
export function readBlobs(git: Git, oids: readonly string[]): Promise<Uint8Array[]> {
  return readTogether(
    git,
    oids.map((oid) => ({ oid, type: "blob" })),
  );
}

/** Bytes of what was found, in the order asked. */
export async function readObjects(git: Git, found: readonly FoundObject[]): Promise<Buffer[]> {
  const read: Buffer[] = [];
  for (const part of partsOf(found)) read.push(...(await readTogether(git, part)));
  return read;
}

async function readTogether(git: Git, objects: readonly { oid: string; type: string }[]): Promise<Buffer[]> {
  if (objects.length === 0) return [];
  const input = objects.map(({ oid }) => `${checkedId(oid)}\n`).join("");
  const { stdout } = await git(["--no-replace-objects", "cat-file", "--batch"], { input });
  let at = 0;
  return objects.map(({ oid, type }) => {
    const end = endOfLine(stdout, at);
    const [, is, size] = stdout.toString("latin1", at, end).split(" ");
    if (is !== type) throw new LoopliaError("host-failed", `${oid} is not a file of the repository`);
    const from = end + 1;
    at = from + Number(size) + 1;
    return stdout.subarray(from, at - 1);
  });
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf("\n", from);
  return end < 0 ? bytes.length : end;
}

/** Names in the bytes of a tree object, whose ids have `idLength` bytes each. */
export function namesOfTree(tree: Buffer, idLength: number): string[] {
  const names: string[] = [];
  for (let at = 0; at < tree.length; ) {
    const end = tree.indexOf(0, at);
    if (end < 0) break;
    names.push(tree.toString("utf8", tree.indexOf(" ", at) + 1, end));
    at = end + 1 + idLength;
  }
  return names;
}

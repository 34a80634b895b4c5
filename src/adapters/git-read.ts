// Reads objects of a repository.
import { LoopliaError } from "../errors.ts";
import { checkedId } from "./git-commit.ts";
import type { Git } from "./git-process.ts";

/** Bytes of blobs, in the order asked. Fails with `host-failed` where one is no file of the repository. */
export async function readBlobs(git: Git, oids: readonly string[]): Promise<Uint8Array[]> {
  if (oids.length === 0) return [];
  const input = oids.map((oid) => `${checkedId(oid)}\n`).join("");
  const { stdout } = await git(["cat-file", "--batch"], { input });
  let at = 0;
  return oids.map((oid) => {
    const end = stdout.indexOf("\n", at);
    const [, kind, size] = stdout.toString("latin1", at, end).split(" ");
    if (end < 0 || kind !== "blob")
      throw new LoopliaError("host-failed", `${oid} is not a file of the repository`);
    const from = end + 1;
    at = from + Number(size) + 1;
    return stdout.subarray(from, at - 1);
  });
}

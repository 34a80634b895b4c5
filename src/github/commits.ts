// Makes commits through GitHub's API, which signs those that an app makes without an author.
import { LoopliaError } from "../core/errors.ts";
import { textOfBytes } from "../core/json.ts";
import type { CodeHost, CommitRequest } from "../core/ports-host.ts";
import { type Api, statusOf, translated, wordsOf } from "./client.ts";

/** GitHub refuses larger files in this way. */
const LARGEST_BYTES = 40 * 1024 * 1024;
/** Texts up to this size are sent within their tree; all other files are requests of their own. */
const INLINE_BYTES = 64 * 1024;
const MOST_INLINE_BYTES = 1024 * 1024;
const MOST_ENTRIES = 500;

type Change = CommitRequest["changes"][number];
type Entry = {
  path: string;
  mode: "100644" | "100755" | "120000" | "160000";
  type: "blob" | "commit";
} & ({ sha: string | null } | { content: string });

/** As `CodeHost.makeCommit`. A commit that is made twice is harmless: no ref points to the first one. */
export async function makeCommit(api: Api, request: CommitRequest): ReturnType<CodeHost["makeCommit"]> {
  try {
    const tree = await makeTree(api, request);
    if (tree !== request.tree) {
      throw new LoopliaError("host-failed", `GitHub made the tree ${tree} instead of ${request.tree}`, {
        hint: "set `commits: git`, and report this with the files of the step",
      });
    }
    const { client, owner, repo } = api;
    const fields = { owner, repo, message: request.message, tree, parents: [request.parent] };
    const { data } = await (await client()).request("POST /repos/{owner}/{repo}/git/commits", fields);
    return { commit: data.sha, isSigned: data.verification?.verified === true };
  } catch (thrown) {
    if (statusOf(thrown) !== 403 || /rate limit/i.test(wordsOf(thrown)))
      throw translated("make a commit", thrown);
    throw new LoopliaError("host-failed", `GitHub did not make a commit (403): ${wordsOf(thrown)}`, {
      hint: "give the job `permissions: contents: write`, or set `commits: git`",
      cause: thrown,
    });
  }
}

/** A file where a folder was, or the other way round, needs the removals first. */
async function makeTree(api: Api, { base, changes }: CommitRequest): Promise<string> {
  const removed = changes.filter(({ file }) => !file);
  const left = changes.filter(({ file }) => file);
  const isWithin = (inner: Change, outer: Change) => inner.path.startsWith(`${outer.path}/`);
  const isInWay = removed.some((one) => left.some((other) => isWithin(one, other) || isWithin(other, one)));
  let tree = base;
  for (const part of isInWay ? [removed, left] : [changes]) {
    for (let at = 0; at < part.length; at += MOST_ENTRIES) {
      tree = await addToTree(api, tree, part.slice(at, at + MOST_ENTRIES));
    }
  }
  return tree;
}

async function addToTree({ client, owner, repo }: Api, base: string, changes: readonly Change[]) {
  const octokit = await client();
  let left = MOST_INLINE_BYTES;
  const send = async (bytes: Uint8Array, path: string): Promise<{ sha: string } | { content: string }> => {
    if (bytes.length > LARGEST_BYTES) throw tooLarge(path);
    const text = bytes.length <= Math.min(left, INLINE_BYTES) ? textOfBytes(bytes) : undefined;
    if (text !== undefined) {
      left -= bytes.length;
      return { content: text };
    }
    const content = Buffer.from(bytes).toString("base64");
    const fields = { owner, repo, content, encoding: "base64" };
    return { sha: (await octokit.request("POST /repos/{owner}/{repo}/git/blobs", fields)).data.sha };
  };
  const entries: Entry[] = [];
  for (const { path, file } of changes) {
    const mode = (file?.mode ?? "100644") as Entry["mode"];
    const type = mode === "160000" ? "commit" : "blob";
    const content = file?.read ? await send(await file.read(), path) : { sha: file?.oid ?? null };
    entries.push({ path, mode, type, ...content });
  }
  const fields = { owner, repo, base_tree: base, tree: entries };
  // The types do not know that no `sha` of a file means that it is removed.
  const { data } = await octokit.request("POST /repos/{owner}/{repo}/git/trees", fields as never);
  return data.sha;
}

function tooLarge(path: string): LoopliaError {
  return new LoopliaError("host-failed", `${path} is larger than 40 MiB, which GitHub's API does not take`, {
    hint: "leave it out with .gitignore, or set `commits: git`",
  });
}

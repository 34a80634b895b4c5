// Reads a work's stores from its state ref, with the message of each checkpoint.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { createGit, type Git, gitEnvironment } from "../sandbox/git-process.ts";
import { writableFolders } from "../sandbox/own-tools.ts";
import { isOfPack, openPacks } from "../store/packed.ts";
import { createClone, listTree } from "./object-store.ts";
import { gitText, readBlobs, readCommit, rowsOf } from "./objects.ts";
import { findRemote } from "./remote.ts";
import { fetchTips } from "./state-push.ts";

const READ =
  /^(?:header\.json|sessions\/[a-z0-9][a-z0-9-]{0,80}\/(?:events|conversation|audit)\/\d{6}\.jsonl)$/;
/** A depth that means the whole history. */
const ALL_COMMITS = 2_147_483_647;

type StoredAudit = {
  ref: string;
  files: { path: string; text: string }[];
  /** Newest first. */
  commits: { id: string; message: string }[];
};

type Place = {
  checkout: string;
  systemTemp: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** The repository on a server, with a token. */
  server?: { serverUrl: string; repository: string; token: string };
};

/**
 * Reads the first of `refs` in the checkout, else on the server; undefined if neither has one. Throws
 * `host-failed`. Changes nothing in the checkout.
 */
export async function readStoredAudit(
  { checkout, systemTemp, environment, server }: Place,
  refs: readonly string[],
): Promise<StoredAudit | undefined> {
  const temporary = await mkdtemp(join(systemTemp, "looplia-audit-"));
  try {
    const writable = [temporary, ...writableFolders(checkout)];
    const around = { home: temporary, environment: gitEnvironment({ ...environment }, writable), writable };
    const local = createGit({ ...around, folder: checkout, remote: "", token: undefined });
    for (const ref of refs) {
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
      const tip = await gitText(local, args, { answers: [1, 128] }).catch(() => "");
      if (tip !== "") return await readAt(local, ref, tip);
    }
    const full = refs.filter((ref) => ref.startsWith("refs/"));
    if (!server || full.length === 0) return undefined;
    const remote = await findRemote({ checkout, ...server });
    const folder = await mkdtemp(join(temporary, "clone-"));
    const git = createClone({ ...around, folder, remote, token: server.token });
    const tips = await fetchTips({ git, remote }, full, ALL_COMMITS);
    const ref = full.find((one) => tips.has(one));
    return ref === undefined ? undefined : await readAt(git, ref, tips.get(ref) ?? "");
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function readAt(git: Git, ref: string, tip: string): Promise<StoredAudit> {
  const listed = await listTree(git, (await readCommit(git, tip)).tree);
  const wanted = listed.filter(({ path }) => READ.test(path) || isOfPack(path));
  const found = wanted.sort((a, b) => (a.path < b.path ? -1 : 1));
  const odd = found.find(({ mode }) => !mode.startsWith("100"));
  if (odd) throw new LoopliaError("store-corrupt", `${ref}: ${odd.path} is not a file.`);
  const blobs = await readBlobs(
    git,
    found.map(({ oid }) => oid),
  );
  const log = await git(["log", "--first-parent", "-z", "--format=%H%n%B", tip]);
  const commits = rowsOf(log.stdout).map((row) => {
    const end = row.indexOf("\n");
    return { id: row.slice(0, end), message: row.slice(end + 1) };
  });
  const files = found.map(({ path }, index) => ({ path, bytes: Buffer.from(blobs[index] ?? "") }));
  return { ref, commits, files: await openPacks(files) };
}

// Whether a repository takes state refs: two that nobody needs are pushed together, and deleted together.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError } from "../errors.ts";
import { commitTree, textOf } from "./git-commit.ts";
import { createGit, gitEnvironment } from "./git-process.ts";
import { findRemote, findRepository } from "./git-remote.ts";
import { writableFolders } from "./own-tools.ts";
import { readTips } from "./state-ref-push.ts";

/**
 * Tries it on the remote of a checkout and says what was tried; undefined where its remote is not on the server. Fails
 * with `host-failed` and what to set. What was made there is deleted, also when it failed.
 */
export async function probeStateRef(place: {
  checkout: string;
  serverUrl: string;
  /** `owner/name`, where the environment says it. */
  repository: string | undefined;
  token: string;
  /** `state-ref-prefix` */
  prefix: string;
  systemTemp: string;
  environment: Readonly<Record<string, string | undefined>>;
}): Promise<string | undefined> {
  const { checkout, serverUrl, token, prefix } = place;
  const repository = place.repository ?? (await findRepository(checkout, serverUrl));
  if (repository === undefined) return undefined;
  const remote = await findRemote({ checkout, serverUrl, repository });
  const home = await mkdtemp(join(place.systemTemp, "looplia-probe-"));
  try {
    const writable = writableFolders(checkout);
    const environment = gitEnvironment(place.environment, writable);
    const git = createGit({ folder: home, home, remote, token, environment, writable });
    await git(["init", "--quiet", "--bare", "--template=", "."]);
    await pushAndDelete({ git, remote }, prefix);
    return `${prefix} of ${repository} takes refs, two at once`;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Whether a ref of this name (without the prefix) is one that a probe made; where it was killed one may be left. */
export function isProbe(name: string): boolean {
  return /^probe-[0-9a-f]{12}(?:-2)?$/.test(name);
}

async function pushAndDelete(place: Parameters<typeof readTips>[0], prefix: string): Promise<void> {
  const { git, remote } = place;
  const tree = await textOf(git, ["hash-object", "-t", "tree", "-w", "--stdin"]);
  const commit = await commitTree(git, tree, [], "chore: probe whether this repository takes state refs\n");
  const name = `${prefix}probe-${randomBytes(6).toString("hex")}`;
  const refs = [name, `${name}-2`];
  const push = async (source: string, expected: string) => {
    const leases = refs.map((ref) => `--force-with-lease=${ref}:${expected}`);
    const specs = refs.map((ref) => `${source}:${ref}`);
    const args = ["push", "--quiet", "--no-verify", "--atomic", ...leases, "--", remote, ...specs];
    await git(args, { authorized: true });
  };
  try {
    await push(commit, "");
    if ((await readTips(place, refs)).size < refs.length) {
      throw new LoopliaError("host-failed", `the server took ${name} and does not show it`, {
        hint: "set `state-ref-prefix: refs/heads/looplia-state/`",
      });
    }
  } finally {
    const left = await readTips(place, refs).catch(() => new Map());
    if (left.size === refs.length) await push("", commit);
  }
}

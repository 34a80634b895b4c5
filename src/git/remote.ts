// Finds the repository of a checkout.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createGit, type Git, gitEnvironment } from "../sandbox/git-process.ts";
import { writableFolders } from "../sandbox/own-tools.ts";

/**
 * The URL of the repository on the server, or the checkout's `origin` if that is on this machine. Any other
 * `origin` is ignored: it would get the token, and it may be another repository.
 */
export async function findRemote(place: {
  checkout: string;
  serverUrl: string;
  repository: string;
}): Promise<string> {
  const onServer = `${place.serverUrl.replace(/\/+$/, "")}/${place.repository}.git`;
  const address = await originOf(place.checkout);
  if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address)) return onServer;
  const origin = new URL(address);
  origin.username = "";
  origin.password = "";
  return isLocal(origin) ? origin.href : onServer;
}

/**
 * `owner/name` of a checkout's `origin` on the server (or on this machine), by its https or ssh URL;
 * undefined for another server or without `origin`.
 */
export async function findRepository(checkout: string, serverUrl: string): Promise<string | undefined> {
  const address = await originOf(checkout);
  if (address === undefined || !URL.canParse(serverUrl)) return undefined;
  const [, sshHost, sshPath] = /^(?:ssh:\/\/)?(?:[^@/]+@)([^:/]+)[:/](.+)$/.exec(address) ?? [];
  const origin = sshHost === undefined && URL.canParse(address) ? new URL(address) : undefined;
  const isThere = sshHost === new URL(serverUrl).hostname || origin?.host === new URL(serverUrl).host;
  if (!isThere && !(origin && isLocal(origin))) return undefined;
  return /^\/?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(sshPath ?? origin?.pathname ?? "")?.[1];
}

async function originOf(checkout: string): Promise<string | undefined> {
  const text = await readFile(join(checkout, ".git", "config"), "utf8").catch(() => "");
  return /^\[remote "origin"\]\s*(?:\n(?!\[)[^\n]*)*?\n\s*url\s*=\s*(\S+)/m.exec(text)?.[1];
}

function isLocal({ hostname }: URL): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|.*\.localhost|\[::1\])$/.test(hostname);
}

/**
 * The default branch of a checkout: that of `origin` when it was cloned, else the branch that is checked out.
 * Undefined if neither is known.
 */
export async function findDefaultBranch(checkout: string): Promise<string | undefined> {
  const read = (path: string) => readFile(join(checkout, ".git", path), "utf8").catch(() => "");
  const ofOrigin = /^ref: refs\/remotes\/origin\/(\S+)/.exec(await read("refs/remotes/origin/HEAD"))?.[1];
  return ofOrigin ?? /^ref: refs\/heads\/(\S+)/.exec(await read("HEAD"))?.[1];
}

/** An installed copy of this program: a clone, or a package whose `package.json` names its repository. */
type Install = { folder: string; version: string; environment: Readonly<Record<string, string | undefined>> };

/**
 * The release of an install: the commit of the tag `v<version>`, or the checked-out commit in a clone without
 * that tag. Undefined if neither is known.
 */
export async function findInstalledRelease({
  folder,
  version,
  environment,
}: Install): Promise<{ repository: string; commit: string; name: string } | undefined> {
  const git = createGit({
    ...{ folder, home: "/dev/null", remote: "", token: undefined },
    ...{
      environment: gitEnvironment(environment, writableFolders(folder)),
      writable: writableFolders(folder),
    },
  });
  const tag = `v${version}`;
  const cloned = await findRepository(folder, "https://github.com");
  if (cloned !== undefined) {
    const tagged = await commitAt(git, `refs/tags/${tag}^{commit}`);
    const commit = tagged ?? (await commitAt(git, "HEAD"));
    return commit === undefined
      ? undefined
      : { repository: cloned, commit, name: tagged ? tag : "a commit of your clone" };
  }
  const address = await packageRepository(folder);
  const repository = address && /([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(new URL(address).pathname)?.[1];
  if (!address || !repository) return undefined;
  const args = ["ls-remote", "--", address, `refs/tags/${tag}`, `refs/tags/${tag}^{}`];
  const listed = await git(args, { answers: [128] });
  // For an annotated tag the second row is the commit.
  const commit = listed.stdout.toString("utf8").trim().split("\n").at(-1)?.split("\t")[0];
  return commit ? { repository, commit, name: tag } : undefined;
}

async function commitAt(git: Git, name: string): Promise<string | undefined> {
  const found = await git(["rev-parse", "--verify", "--quiet", name], { answers: [1, 128] });
  return found.exitCode === 0 ? found.stdout.toString("utf8").trim() : undefined;
}

/** The https URL in `package.json`. */
async function packageRepository(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
  const { repository } = JSON.parse(text) as { repository?: string | { url?: string } };
  const url = (typeof repository === "string" ? repository : repository?.url)?.replace(/^git\+/, "");
  return url !== undefined && /^https?:/.test(url) && URL.canParse(url) ? url : undefined;
}

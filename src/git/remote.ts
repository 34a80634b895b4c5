// Finds the repository of a checkout.
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createGit, type Git, type GitCall, gitEnvironment } from "../sandbox/git-process.ts";
import { writableFolders } from "../sandbox/own-tools.ts";
import { createClone } from "./object-store.ts";

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
  const [, sshHost, sshPath] = SSH.exec(address) ?? [];
  const origin = sshHost === undefined && URL.canParse(address) ? new URL(address) : undefined;
  const isThere = sshHost === new URL(serverUrl).hostname || origin?.host === new URL(serverUrl).host;
  if (!isThere && !(origin && isLocal(origin))) return undefined;
  return /^\/?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(sshPath ?? origin?.pathname ?? "")?.[1];
}

const SSH = /^(?:ssh:\/\/)?(?:[^@/]+@)([^:/]+)[:/](.+)$/;

/** The page of a checkout's `origin`, on github.com or a server of one's own; undefined on this machine or without `origin`. */
export async function findPage(checkout: string): Promise<string | undefined> {
  const address = (await originOf(checkout)) ?? "";
  const host = SSH.exec(address)?.[1] ?? (URL.canParse(address) ? new URL(address).host : "");
  const server = `https://${host}`;
  if (host === "" || !URL.canParse(server) || isLocal(new URL(server))) return undefined;
  const repository = await findRepository(checkout, server);
  return repository === undefined ? undefined : `${server}/${repository}`;
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

// The clone of a run. Its first two requests can begin before the rest of the program is loaded.

/** A clone below `temporary`; the first call of each request that has begun gets its result. */
export type BegunClone = { temporary: string; git: Git };

/**
 * Makes an empty clone of the remote (a URL or a path) below `temporary`, without fetching. `environment`:
 * chosen by `gitEnvironment`.
 */
export function makeClone(place: {
  temporary: string;
  remote: string;
  token: string | undefined;
  environment: Record<string, string>;
  /** Folders that commands can write to. */
  writable: readonly string[];
}): Git {
  const [folder, home] = [join(place.temporary, "repository.git"), join(place.temporary, "home")];
  for (const made of [folder, home]) mkdirSync(made, { recursive: true });
  return createClone({ ...place, folder, home });
}

/** Lists the refs and fetches the branch; a failure is thrown by the call that asks for the result. */
export async function beginClone(
  {
    temporary,
    token,
    branch,
    ...where
  }: Parameters<typeof findRemote>[0] & {
    temporary: string;
    token: string;
    branch: string;
  },
  environment: Readonly<Record<string, string | undefined>>,
): Promise<BegunClone> {
  const remote = await findRemote(where);
  const writable = [temporary, ...writableFolders(where.checkout)];
  const own = gitEnvironment(environment, writable);
  const git = makeClone({ temporary, remote, token, environment: own, writable });
  const begun = new Map(
    [listRequest(remote, []), fetchRequest(remote, branch)].map((words) => {
      const result = git(words, { authorized: true });
      result.catch(() => undefined);
      return [words.join("\0"), result];
    }),
  );
  const call = (words: readonly string[], how?: GitCall) => {
    const name = words.join("\0");
    const result = begun.get(name) ?? git(words, how);
    begun.delete(name);
    return result;
  };
  return { temporary, git: Object.assign(call, { ...git }) };
}

/** The words for git that list the remote's refs which match a pattern; without patterns all. */
export function listRequest(remote: string, patterns: readonly string[]): string[] {
  return ["ls-remote", "--refs", "--", remote, ...patterns];
}

/** The words for git that fetch the newest commit of a branch as `refs/fetched/heads/<branch>`. */
export function fetchRequest(remote: string, branch: string): string[] {
  const how = ["--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1"];
  return ["fetch", ...how, "--", remote, `+refs/heads/${branch}:refs/fetched/heads/${branch}`];
}

/** An installed copy of this program: a clone, or a package whose `package.json` names its repository. */
type Install = { folder: string; environment: Readonly<Record<string, string | undefined>> };

/**
 * The newest release that the clone or the package's repository has, by its tag; in a clone without one, the checked-out
 * commit. Undefined if neither is known.
 */
export async function findNewestRelease({
  folder,
  environment,
}: Install): Promise<{ repository: string; commit: string; name: string } | undefined> {
  const writable = writableFolders(folder);
  const own = gitEnvironment(environment, writable);
  const git = createGit({
    ...{ folder, home: "/dev/null", remote: "", token: undefined },
    ...{ environment: own, writable },
  });
  const cloned = await findRepository(folder, "https://github.com");
  const address = cloned === undefined ? await packageRepository(folder) : undefined;
  const ofPackage = address && /([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(new URL(address).pathname)?.[1];
  const repository = cloned ?? ofPackage;
  if (!repository) return undefined;
  const list = ["ls-remote", "--tags", "--", address ?? ".", "v*"];
  const release = newestOf((await git(list, { answers: [128] })).stdout.toString("utf8"));
  if (release) return { repository, ...release };
  const commit = cloned === undefined ? undefined : await commitAt(git, "HEAD");
  return commit === undefined ? undefined : { repository, commit, name: "a commit of your clone" };
}

/** Of rows as git lists tags; a row of an annotated tag is followed by the one of its commit, which ends in `^{}`. */
function newestOf(listed: string): { commit: string; name: string } | undefined {
  const releases = new Map<string, string>();
  for (const row of listed.split("\n")) {
    const [, commit, name] = /^(\w+)\trefs\/tags\/(v\d+\.\d+\.\d+)(?:\^\{\})?$/.exec(row) ?? [];
    if (commit && name) releases.set(name, commit);
  }
  const byNumber = new Intl.Collator("en", { numeric: true });
  const [name] = [...releases.keys()].sort((one, other) => byNumber.compare(other, one));
  return name === undefined ? undefined : { name, commit: releases.get(name) ?? "" };
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

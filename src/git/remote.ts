// Finds the repository of a checkout.
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createGit, type Git, type GitCall, gitEnvironment } from "../sandbox/git-process.ts";
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

/** An empty bare clone in a folder, as `git init` makes it. Its objects are read and written in this process. */
export function createClone(place: Omit<Parameters<typeof createGit>[0], "isClone">): Git {
  const { folder } = place;
  for (const part of ["objects/pack", "refs", "info"]) mkdirSync(join(folder, part), { recursive: true });
  const settings = [
    "repositoryformatversion = 0",
    `filemode = ${process.platform !== "win32"}`,
    "bare = true",
    ...(process.platform === "win32" ? ["symlinks = false"] : []),
    ...(process.platform === "linux" ? [] : ["ignorecase = true", "precomposeunicode = true"]),
  ];
  writeFileSync(join(folder, "config"), `[core]\n${settings.map((line) => `\t${line}\n`).join("")}`);
  writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  return createGit({ ...place, isClone: true });
}

/** Lists the refs and fetches the branch; a failure is thrown by the call that asks for the result. */
export async function beginClone(
  place: Parameters<typeof findRemote>[0] & Record<"temporary" | "token" | "branch", string>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<BegunClone> {
  const { temporary, token, branch } = place;
  const remote = await findRemote(place);
  const writable = [temporary, ...writableFolders(place.checkout)];
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

/**
 * An installed copy of this program: a clone of a repository on GitHub, or a package that names its repository, in
 * `package.json` or where npm installed it from git.
 */
type Install = { folder: string; environment: Readonly<Record<string, string | undefined>> };

/** The commit that workflows use, and what it is, for people. */
type FoundRelease = { repository: string; commit: string; name: string };

/**
 * The newest release that the clone or the package's repository has, by its tag. Without one: the newest commit of the
 * clone that its remote has too, or the commit that the package was made from. Undefined if neither is known.
 */
export async function findNewestRelease({ folder, environment }: Install): Promise<FoundRelease | undefined> {
  const git = localGit(folder, environment);
  const cloned = await findRepository(folder, "https://github.com");
  const { address, commit: packed } = cloned === undefined ? await packageOrigin(folder) : {};
  const repository = cloned ?? repositoryAt(address);
  if (!repository) return undefined;
  const release = newestOf(await tagsAt(git, address ?? "."));
  if (release) return { repository, ...release };
  const commit = cloned === undefined ? packed : await newestPushed(git);
  if (commit === undefined) return undefined;
  return { repository, commit, name: cloned === undefined ? "made this package" : "a commit of your clone" };
}

/**
 * What `owner/name@commit` or `owner/name@tag` names; a tag is looked up on the server. Undefined for another form, and
 * for a tag that is not found.
 */
export async function findNamedRelease(
  ref: string,
  serverUrl: string,
  { folder, environment }: Install,
): Promise<FoundRelease | undefined> {
  const [, repository, name] = /^([\w.-]+\/[\w.-]+)@([\w./-]+)$/.exec(ref) ?? [];
  if (repository === undefined || name === undefined) return undefined;
  if (/^[0-9a-f]{40}$/.test(name)) return { repository, commit: name, name: "chosen with --ref" };
  const server = serverUrl.replace(/\/+$/, "");
  const rows = await tagsAt(localGit(folder, environment), `${server}/${repository}.git`, name);
  // The row of an annotated tag is followed by the one of its commit.
  const [commit] = rows.trim().split("\n").at(-1)?.split("\t") ?? [];
  return commit ? { repository, commit, name } : undefined;
}

/** Rows of tags; empty if the remote does not answer. */
async function tagsAt(git: Git, remote: string, name = "v*"): Promise<string> {
  const words = ["ls-remote", "--", remote, `refs/tags/${name}`, `refs/tags/${name}^{}`];
  return (await git(words, { answers: [128] })).stdout.toString("utf8");
}

function localGit(folder: string, environment: Install["environment"]): Git {
  const writable = writableFolders(folder);
  const own = gitEnvironment(environment, writable);
  return createGit({
    ...{ folder, home: "/dev/null", remote: "", token: undefined },
    ...{ environment: own, writable },
  });
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

/** The newest commit of the checked-out history that `origin` had when it was last fetched. */
async function newestPushed(git: Git): Promise<string | undefined> {
  const listed = await git(["for-each-ref", "--format=%(objectname)", "refs/remotes/origin"]);
  const commits = listed.stdout.toString("utf8").split("\n").filter(Boolean);
  if (commits.length === 0) return undefined;
  const found = await git(["merge-base", "HEAD", ...commits], { answers: [1, 128] });
  return found.exitCode === 0 ? found.stdout.toString("utf8").trim() : undefined;
}

/** Where a package is from: as its maker wrote (`scripts/package.ts`), else as npm noted when it installed it from git. */
async function packageOrigin(folder: string): Promise<{ address?: string; commit?: string }> {
  const read = async (path: string) =>
    JSON.parse(await readFile(join(folder, path), "utf8").catch(() => "{}")) as Record<string, unknown>;
  const { repository, gitHead } = (await read("package.json")) as { repository?: unknown; gitHead?: string };
  const written = typeof repository === "string" ? repository : (repository as { url?: string })?.url;
  const installed = (await read("../.package-lock.json")) as {
    packages?: Record<string, { resolved?: string }>;
  };
  const resolved = installed.packages?.[`node_modules/${basename(folder)}`]?.resolved;
  const [, fromGit, commit] = /^git\+((?:https?|ssh):.*)#([0-9a-f]{40})$/.exec(resolved ?? "") ?? [];
  const url = (written ?? fromGit)?.replace(/^git\+/, "").replace(/^ssh:\/\/git@/, "https://");
  const head = gitHead ?? commit;
  if (url === undefined || !/^https?:/.test(url) || !URL.canParse(url)) return {};
  return { address: url, ...(head === undefined ? {} : { commit: head }) };
}

function repositoryAt(address: string | undefined): string | undefined {
  return address && /([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(new URL(address).pathname)?.[1];
}

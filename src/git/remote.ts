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

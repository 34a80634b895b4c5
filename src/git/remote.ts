// Finds the repository of a checkout.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The address of the repository on the server, or the checkout's `origin` where that is this machine. Any other `origin`
 * does not count: the token goes there, and the checkout may be of another repository.
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
 * `owner/name` of the repository that a checkout's `origin` is on the server (or on this machine), by its https or ssh
 * address; undefined where it is another's or none.
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

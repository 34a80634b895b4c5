// What there is in a worktree of the files that decide what runs or who has permission.
import { type BigIntStats, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isInside } from "./inside.ts";

/** Paths are relative to the worktree. */
export type RuleList = {
  /** Whether the path is on the list, itself or with a folder above it. */
  decides(path: string): boolean;
  /** Whether a link of this path may lead to what is on the list. */
  leadsThere(path: string): boolean;
};

export type RuleEntry =
  | { kind: "file"; mark: string; mode: number; links: number; bytes?: Buffer }
  | { kind: "link"; target: string }
  /** `sealed`: what is in it can't change. */
  | { kind: "folder"; sealed?: true }
  /** A socket, a device. */
  | { kind: "other"; mark: string };

/** Beyond these, looking would hold the run up; what is behind them is not compared. */
const MOST_FOLDERS = 20_000;
/** A change within one tick of the clock leaves the time of a file as it was: a file as new as this is always read. */
const FRESH_NS = 50_000_000n;

/**
 * Every listed path that is there, folders before what is in them. `seal` says of a file or folder that it need not be
 * looked into. Outside of listed folders `node_modules` and `.git` are passed over.
 */
export function scanRules(
  root: string,
  list: RuleList,
  seal: (path: string, found: RuleEntry) => boolean,
): Map<string, RuleEntry> {
  const found = new Map<string, RuleEntry>();
  const listed: string[] = [];
  const take = (path: string): void => {
    const entry = describe(root, path);
    if (!entry || found.has(path)) return;
    const isSealed = seal(path, entry);
    found.set(path, isSealed && entry.kind === "folder" ? { ...entry, sealed: true } : entry);
    if (entry.kind === "folder" && !isSealed) listed.push(path);
    const target = entry.kind === "link" ? targetOf(root, path) : undefined;
    if (target !== undefined) take(target);
  };
  const open = [""];
  for (let next = 0; next < open.length && next < MOST_FOLDERS; next += 1) {
    const folder = open[next] ?? "";
    for (const { name, isFolder } of entriesOf(root, folder)) {
      if (isFolder && (name === "node_modules" || name.toLowerCase() === ".git")) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (list.decides(path) || (!isFolder && list.leadsThere(path))) take(path);
      else if (isFolder) open.push(path);
    }
  }
  for (let folder = listed.pop(); folder !== undefined; folder = listed.pop()) {
    for (const { name } of entriesOf(root, folder)) take(`${folder}/${name}`);
  }
  return found;
}

/** The bytes of a file that was found, from `known` where it is the same. */
export function withBytes(
  root: string,
  entries: Map<string, RuleEntry>,
  known: ReadonlyMap<string, RuleEntry>,
  isWanted: (path: string) => boolean,
): void {
  for (const [path, entry] of entries) {
    if (entry.kind !== "file" || !isWanted(path)) continue;
    const before = known.get(path);
    const isSame = before?.kind === "file" && before.bytes && before.mark === entry.mark && entry.mark !== "";
    const bytes = isSame ? before.bytes : readBytes(join(root, path));
    if (bytes) entry.bytes = bytes;
  }
}

/** Whether a path is as it was; a file whose name is one of more by now is not. */
export function isUnchanged(
  root: string,
  path: string,
  before: RuleEntry,
  after: RuleEntry | undefined,
): boolean {
  if (!after) return false;
  if (before.kind === "file" && after.kind === "file") {
    if (before.mark === after.mark && before.mark !== "") return true;
    if (before.mode !== after.mode || after.links > Math.max(before.links, 1)) return false;
    return readBytes(join(root, path))?.equals(before.bytes ?? Buffer.alloc(0)) === true;
  }
  if (before.kind === "link" && after.kind === "link") return before.target === after.target;
  if (before.kind === "other" && after.kind === "other") return before.mark === after.mark;
  return before.kind === "folder" && after.kind === "folder";
}

function describe(root: string, path: string): RuleEntry | undefined {
  const place = join(root, path);
  const found = quietly(() => lstatSync(place, { bigint: true, throwIfNoEntry: false }));
  if (!found) return undefined;
  if (found.isDirectory()) return { kind: "folder" };
  if (found.isSymbolicLink()) return { kind: "link", target: quietly(() => readlinkSync(place)) ?? "" };
  if (!found.isFile()) return { kind: "other", mark: markOf(found) };
  const mode = Number(found.mode) & 0o7777;
  return { kind: "file", mark: markOf(found), mode, links: Number(found.nlink) };
}

function markOf({ dev, ino, size, mode, ctimeNs }: BigIntStats): string {
  const isFresh = BigInt(Date.now()) * 1_000_000n - ctimeNs < FRESH_NS;
  return isFresh ? "" : [dev, ino, size, mode, ctimeNs].join(":");
}

/** Where a link leads in the worktree; undefined where that is outside, or nowhere. */
function targetOf(root: string, path: string): string | undefined {
  const real = quietly(() => realpathSync(join(root, path)));
  return real !== undefined && real !== root && isInside(root, real) ? relative(root, real) : undefined;
}

function entriesOf(root: string, folder: string): { name: string; isFolder: boolean }[] {
  const entries = quietly(() => readdirSync(join(root, folder), { withFileTypes: true })) ?? [];
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

function readBytes(path: string): Buffer | undefined {
  return quietly(() => readFileSync(path));
}

/** Undefined where the system refused: what this process can't look at counts as gone. */
function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

// Protects the files that decide what runs: read-only for isolated commands, compared after every command.
import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, posix, relative, resolve } from "node:path";
import { errnoOf, quietly } from "../core/errors.ts";
import type { RuleChange } from "../core/interaction.ts";
import { textOfBytes } from "../core/json.ts";
import type { PutBack } from "../core/ports.ts";
import { isInside, realOrExpected } from "./visible.ts";

// Finds the files of a worktree that decide what runs or who has permission ("rule files").

/** The rule files. Paths are relative to the worktree. */
export type RuleList = {
  /** A cheap first check. False: no path that ends in this name is on the list or can be a link to a listed path. */
  mayMatter(name: string): boolean;
  /** Whether the path, or a folder above it, is on the list. */
  decides(path: string): boolean;
  /** Whether a link at this path may lead to a listed path. */
  leadsThere(path: string): boolean;
};

type RuleEntry =
  | { kind: "file"; mark: string; mode: number; links: number; bytes?: Buffer }
  | { kind: "link"; target: string }
  /** `sealed`: its contents cannot change. */
  | { kind: "folder"; sealed?: true }
  /** A socket or a device. */
  | { kind: "other"; mark: string };

/** Two changes within one clock tick have the same timestamp, so a file that is newer than this is always read. */
const FRESH_NS = 50_000_000n;

/** The contents of a folder that matter here. Valid as long as the folder's mark is the same. */
type Listing = {
  mark: string;
  folders: string[];
  candidates: { path: string; isFolder: boolean }[];
  isRead: boolean;
};

/** What was found when a scan looked for rule files. */
type Scan = {
  /** Folders before their contents. */
  found: Map<string, RuleEntry>;
  /** Where links of rule files lead and nothing was. */
  absent: Set<string>;
  /** Folders that this process could not read: what appears below them may have been there before. */
  unread: Set<string>;
};

/** Where a scan looks for rule files. */
type ScanPlace = {
  root: string;
  list: RuleList;
  /** The program's own folder. Never compared, because the program and other processes write to it at any time. */
  state: string;
  /** A cache by folder, so that the next scan reads only the folders that changed. */
  listings: Map<string, Listing>;
};

/** `seal`: true for a file or folder whose contents the scan need not read. `follows`: whether a link's target counts too. */
type ScanRules = {
  seal: (path: string, found: RuleEntry) => boolean;
  follows: (path: string, link: RuleEntry) => boolean;
};

/** Every listed path that exists. Outside listed folders, the scan skips `node_modules` and `.git`. */
function scanRules({ root, list, state, listings }: ScanPlace, { seal, follows }: ScanRules): Scan {
  const found = new Map<string, RuleEntry>();
  const absent = new Set<string>();
  const unread = new Set<string>();
  const listed: string[] = [];
  const take = (path: string): void => {
    if (isInside(state, join(root, path))) return;
    const entry = describe(root, path);
    if (!entry || found.has(path)) return;
    const isSealed = seal(path, entry);
    found.set(path, isSealed && entry.kind === "folder" ? { ...entry, sealed: true } : entry);
    if (entry.kind === "folder" && !isSealed) listed.push(path);
    if (entry.kind !== "link" || !follows(path, entry)) return;
    const target = targetOf(root, path);
    if (target === undefined) return;
    if (lstatSync(join(root, target), { throwIfNoEntry: false })) take(target);
    else absent.add(target);
  };
  const open = [""];
  // Every folder, however many: a command takes longer to make them than they take to be read.
  for (const folder of open) {
    const { folders, candidates, isRead } = listFolder(root, folder, list, listings);
    if (!isRead) unread.add(folder);
    for (const path of folders) open.push(path);
    for (const { path, isFolder } of candidates) {
      if (list.decides(path) || (!isFolder && list.leadsThere(path))) take(path);
      else if (isFolder) open.push(path);
    }
  }
  for (let folder = listed.pop(); folder !== undefined; folder = listed.pop()) {
    const entries = entriesOf(root, folder);
    if (!entries) unread.add(folder);
    for (const { name } of entries ?? []) take(`${folder}/${name}`);
  }
  return { found, absent, unread };
}

/** Reads a folder only if an entry was added or removed since the last scan. */
function listFolder(root: string, folder: string, list: RuleList, listings: Map<string, Listing>): Listing {
  const found = quietly(() => lstatSync(join(root, folder), { bigint: true, throwIfNoEntry: false }));
  const mark = found?.isDirectory() ? markOf(found) : "";
  const known = listings.get(folder);
  if (known && mark !== "" && known.mark === mark) return known;
  const entries = found?.isDirectory() ? entriesOf(root, folder) : undefined;
  const listing: Listing = { mark, folders: [], candidates: [], isRead: entries !== undefined };
  for (const { name, isFolder } of entries ?? []) {
    if (isFolder && (name === "node_modules" || name.toLowerCase() === ".git")) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (list.mayMatter(name)) listing.candidates.push({ path, isFolder });
    else if (isFolder) listing.folders.push(path);
  }
  if (listing.isRead) listings.set(folder, listing);
  return listing;
}

/** Adds the bytes of each wanted file, taken from `known` if the file is unchanged. */
function withBytes(
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

/** Whether a path is unchanged. A file with an additional hard link counts as changed. */
function isUnchanged(root: string, path: string, before: RuleEntry, after: RuleEntry | undefined): boolean {
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

/** A path that this process cannot read counts as missing. */
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

/**
 * The real path to which a link leads, whether something is there or not; undefined if it is outside the worktree. A link that
 * leads nowhere is followed one step: what a command makes there by further links is not ours to remove.
 */
function targetOf(root: string, path: string): string | undefined {
  const place = join(root, path);
  const real =
    quietly(() => realpathSync(place)) ??
    quietly(() => {
      const wanted = resolve(dirname(place), readlinkSync(place));
      return join(realpathSync(dirname(wanted)), basename(wanted));
    });
  return real !== undefined && real !== root && isInside(root, real) ? relative(root, real) : undefined;
}

/** Undefined for a folder that can't be read. */
function entriesOf(root: string, folder: string): { name: string; isFolder: boolean }[] | undefined {
  const entries = quietly(() => readdirSync(join(root, folder), { withFileTypes: true }));
  return entries?.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

function readBytes(path: string): Buffer | undefined {
  return quietly(() => readFileSync(path));
}

// Restores files. Whatever a command put in their place moves to another folder and is never deleted.

/**
 * Restores each path to its entry; undefined means that the path must not exist. Moves the current content to the same
 * path below `aside`. Returns the paths that could not be restored.
 */
function restoreRules(
  root: string,
  aside: string,
  wanted: ReadonlyMap<string, RuleEntry | undefined>,
): string[] {
  // Folders come before their contents, both for moving aside and for restoring.
  const paths = [...wanted.keys()].sort((one, other) => one.length - other.length);
  const failed = new Set<string>();
  const attempt = (path: string, act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      failed.add(path);
    }
  };
  for (const path of paths) attempt(path, () => moveAside(root, path, aside));
  for (const path of paths) {
    const entry = wanted.get(path);
    if (entry) attempt(path, () => makeAgain(root, path, entry, aside));
  }
  return [...failed];
}

function moveAside(root: string, path: string, aside: string): void {
  if (!isReached(root, path)) return;
  const target = join(aside, path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  rmSync(target, { recursive: true, force: true });
  const source = join(root, path);
  unlocked(dirname(source), () => {
    try {
      renameSync(source, target);
    } catch (error) {
      if (errnoOf(error) !== "EXDEV") throw error;
      moveAcross(source, target);
    }
  });
}

/** Moves to another disk. Pipes, sockets and devices cannot be copied and are only removed. */
function moveAcross(source: string, target: string): void {
  const filter = (from: string): boolean => {
    const found = lstatSync(from);
    return found.isFile() || found.isDirectory() || found.isSymbolicLink();
  };
  cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter });
  rmSync(source, { recursive: true, force: true });
}

function makeAgain(root: string, path: string, entry: RuleEntry, aside: string): void {
  const names = dirname(path) === "." ? [] : dirname(path).split("/");
  names.forEach((_, at) => {
    makeFolder(root, names.slice(0, at + 1).join("/"), aside);
  });
  const place = join(root, path);
  unlocked(dirname(place), () => {
    if (entry.kind === "folder") makeFolder(root, path, aside);
    else if (entry.kind === "link") symlinkSync(entry.target, place);
    else if (entry.kind === "file" && entry.bytes) {
      writeFileSync(place, entry.bytes, { flag: "wx" });
      chmodSync(place, entry.mode);
    } else throw Object.assign(new Error(`${path} can't be made again`), { code: "ENOTSUP" });
  });
}

/** Creates a folder; first moves aside a link or a file of that name. */
function makeFolder(root: string, path: string, aside: string): void {
  const place = join(root, path);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) moveAside(root, path, aside);
  unlocked(dirname(place), () => mkdirSync(place));
}

/** Whether the path exists and all folders above it are real folders, not links. */
function isReached(root: string, path: string): boolean {
  const names = path.split("/");
  return names.every((_, at) => {
    const found = lstatSync(join(root, ...names.slice(0, at + 1)), { throwIfNoEntry: false });
    return found !== undefined && (at === names.length - 1 || found.isDirectory());
  });
}

/** Makes the folder writable if needed: a command may have removed the permission. */
function unlocked(folder: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    chmodSync(folder, (lstatSync(folder).mode & 0o7777) | 0o700);
    act();
  }
}

/** A mount takes 0.2 ms. Paths beyond this number are compared after the command instead. */
const MOST_MOUNTS = 40;

type Watch = {
  before: Map<string, RuleEntry>;
  /** Where links led and nothing was before the command. */
  absent: ReadonlySet<string>;
  /** Folders that could not be read before the command. */
  unread: ReadonlySet<string>;
  /** Paths that isolated commands cannot change, because they are mounted read-only. */
  sealed: Set<string>;
  running: number;
  /** Paths that the program is writing. */
  writing: string[];
  list: RuleList;
  look(): Map<string, RuleEntry>;
};

const watches = new Map<string, Watch>();

/** `root`: the real path of the worktree; `aside`: the folder that receives the commands' versions of restored files. */
export function openRuleFiles(root: string, list: RuleList, aside: string) {
  let known: ReadonlyMap<string, RuleEntry> = new Map();
  const state = realOrExpected(dirname(aside));
  // If the worktree is inside the state folder, the whole worktree would otherwise count as the program's own.
  const own = isInside(state, root) ? realOrExpected(aside) : state;
  const place: ScanPlace = { root, list, state: own, listings: new Map() };
  const begin = (isIsolated: boolean): Watch => {
    const sealed = new Set<string>();
    const seal = (path: string, found: RuleEntry): boolean => {
      const isFirm = found.kind === "folder" || (found.kind === "file" && found.links === 1);
      if (!isIsolated || !isFirm || sealed.size >= MOST_MOUNTS) return false;
      sealed.add(path);
      return true;
    };
    const { found: before, absent, unread } = scanRules(place, { seal, follows: () => true });
    withBytes(root, before, known, (path) => !sealed.has(path));
    known = before;
    // A target that only a new link names was not compared: it is somebody else's file.
    const isKnown = (path: string, link: RuleEntry) => {
      const old = before.get(path);
      return old?.kind === "link" && link.kind === "link" && old.target === link.target;
    };
    const look = () => scanRules(place, { seal: (path) => sealed.has(path), follows: isKnown }).found;
    return { before, absent, unread, sealed, running: 0, writing: [], list, look };
  };
  return {
    /** Call before a command. Overlapping commands share the scan of the first one. */
    hold(isIsolated: boolean) {
      const watch = watches.get(root) ?? begin(isIsolated);
      watches.set(root, watch);
      watch.running += 1;
      return {
        /** Absolute paths to mount read-only. */
        mounts: [...watch.sealed].map((path) => join(root, path)),
        /** Call when the command has ended. Undefined if nothing changed. */
        release(): PutBack | undefined {
          watch.running -= 1;
          if (watch.running === 0) watches.delete(root);
          return putBack(root, watch, aside);
        },
      };
    },
  };
}

/** Keeps changes that the program itself makes while a command runs. `paths` are relative to the real folder `root`. */
export async function writeByProgram<T>(
  root: string,
  paths: readonly string[],
  act: () => Promise<T>,
): Promise<T> {
  const watch = watches.get(root);
  const own = paths.map((path) => posix.normalize(path)).filter((path) => watch && isCompared(watch, path));
  if (!watch || own.length === 0) return act();
  watch.writing.push(...own);
  try {
    return await act();
  } finally {
    watch.writing = watch.writing.filter((path) => !own.includes(path));
    takeOver(root, watch, own);
  }
}

/** False for a path that is not on the list, and for a path in a sealed folder, which no command can change. */
function isCompared({ list, sealed }: Watch, path: string): boolean {
  if (!list.decides(path) && !list.leadsThere(path)) return false;
  return ![...sealed].some((folder) => isAbove(folder, path));
}

/** Compares these paths from now on: the read-only mount covers the replaced file, not the new one. */
function takeOver(root: string, watch: Watch, paths: readonly string[]): void {
  const isAbout = (path: string) => paths.some((own) => isInside(own, path) || isInside(path, own));
  for (const path of paths) watch.sealed.delete(path);
  for (const path of [...watch.before.keys()].filter(isAbout)) watch.before.delete(path);
  const now = watch.look();
  withBytes(root, now, new Map(), isAbout);
  for (const [path, entry] of now) if (isAbout(path)) watch.before.set(path, entry);
}

function putBack(root: string, watch: Watch, aside: string): PutBack | undefined {
  const after = watch.look();
  const isOurs = (path: string) =>
    watch.sealed.has(path) || watch.writing.some((own) => isInside(own, path) || isInside(path, own));
  const wanted = new Map<string, RuleEntry | undefined>();
  for (const [path, entry] of watch.before) {
    if (!isOurs(path) && !isUnchanged(root, path, entry, after.get(path))) wanted.set(path, entry);
  }
  const unknown: string[] = [];
  for (const path of after.keys()) {
    if (watch.before.has(path) || isOurs(path)) continue;
    if ([...watch.unread].some((folder) => folder === "" || isInside(folder, path))) unknown.push(path);
    else if (mayHaveAppeared(watch, path)) wanted.set(path, undefined);
  }
  if (wanted.size === 0 && unknown.length === 0) return undefined;
  const copy = join(aside, randomBytes(4).toString("hex"));
  const failed = [...restoreRules(root, copy, wanted), ...unknown];
  const changed = [...wanted.keys(), ...unknown];
  const paths = changed.filter((path) => !changed.some((other) => isAbove(other, path)));
  const before = [...wanted].map(([path, entry]) => {
    const known = entry?.kind === "link" ? { mode: 0 } : undefined;
    return [path, entry?.kind === "file" ? entry : known] as const;
  });
  return { paths: paths.sort(), failed: failed.sort(), copy, changes: changesOf(copy, new Map(before)) };
}

/**
 * Whether a path that the scan before the command did not find was missing then. Only such a path may be moved away: a scan
 * looks at each name on the list, at what links there name, and into listed folders, but into no sealed one.
 */
function mayHaveAppeared({ list, before, absent, sealed }: Watch, path: string): boolean {
  if ([...sealed].some((folder) => isAbove(folder, path))) return false;
  if ([...absent].some((target) => isInside(target, path))) return true;
  const wasListed = [...before].some(([folder, { kind }]) => kind === "folder" && isAbove(folder, path));
  return wasListed || list.decides(path) || list.leadsThere(path);
}

function isAbove(folder: string, path: string): boolean {
  return path !== folder && isInside(folder, path);
}

/** The limits of one question; further changes are only in the copy. */
const MOST_CHANGES = 50;
const MOST_BYTES = 1024 * 1024;

/** A path before the command: undefined if it was missing or not a file. */
type Before = { bytes?: Buffer; mode: number } | undefined;

/** Reads the changes from the copy of a command's versions. Removals come first: a link may replace a folder. */
function changesOf(copy: string, wanted: ReadonlyMap<string, Before>): RuleChange[] {
  const removed: RuleChange[] = [];
  const made: RuleChange[] = [];
  for (const [path, before] of [...wanted].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const was = textOf(before);
    const change = changeOf(join(copy, path), before);
    if (change === undefined || leadsOut(path, change.link)) continue;
    const isRemoval = Object.keys(change).length === 0;
    (isRemoval ? removed : made).push({ path, ...(was === undefined ? {} : { before: was }), ...change });
  }
  let room = MOST_BYTES;
  const fitting = [...removed, ...made].filter(({ before = "", after = "", bytes = "" }) => {
    room -= before.length + after.length + bytes.length;
    return room >= 0;
  });
  return fitting.slice(0, MOST_CHANGES);
}

/** An empty object means removed. Undefined means unchanged, or a change that cannot be kept. */
function changeOf(path: string, before: Before): Omit<RuleChange, "path" | "before"> | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return { link: readlinkSync(path) };
  if (!found || found.isDirectory()) return before && {};
  if (!found.isFile() || found.size > MOST_BYTES) return undefined;
  const bytes = readFileSync(path);
  const isExecutable = (found.mode & 0o111) !== 0;
  const wasExecutable = before !== undefined && (before.mode & 0o111) !== 0;
  if (before?.bytes?.equals(bytes) && isExecutable === wasExecutable) return undefined;
  const after = textOfBytes(bytes);
  const isText = after !== undefined && (before === undefined || textOf(before) !== undefined);
  if (isText && isExecutable === wasExecutable) return { after };
  return { ...(isText ? { after } : { bytes: bytes.toString("base64") }), isExecutable };
}

/** Whether a link leads out of the worktree; such a link is never kept. */
function leadsOut(path: string, link = ""): boolean {
  return posix.isAbsolute(link) || posix.join(posix.dirname(path), link).startsWith("../");
}

function textOf(before: Before): string | undefined {
  return before?.bytes && textOfBytes(before.bytes);
}

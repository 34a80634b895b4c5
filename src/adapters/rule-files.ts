// The files that decide what runs or who has permission, around each command: isolated commands can only read those that
// are there, and what any command changed or made of them is put back before anything reads it.
import { randomBytes } from "node:crypto";
import { join, posix } from "node:path";
import type { PutBack } from "../ports.ts";
import { isInside } from "./inside.ts";
import { restoreRules } from "./rule-restore.ts";
import { isUnchanged, type RuleEntry, type RuleList, scanRules, withBytes } from "./rule-scan.ts";

/** A mount takes a fifth of a millisecond; what is beyond these is compared instead. */
const MOST_MOUNTS = 40;

export type HeldRules = {
  /** Absolute; to be mounted read-only. */
  mounts: string[];
  /** When the command has ended. Undefined where all is as it was. */
  release(): PutBack | undefined;
};

export type RuleFiles = {
  /** Before a command. Commands that overlap share what the first of them found. */
  hold(isIsolated: boolean): HeldRules;
};

type Watch = {
  before: Map<string, RuleEntry>;
  /** Of isolated commands: what they can't change. */
  sealed: Set<string>;
  running: number;
  /** Paths that the program is writing. */
  writing: string[];
  list: RuleList;
  look(): Map<string, RuleEntry>;
};

const watches = new Map<string, Watch>();

/** `root`: the real worktree; `aside`: where folders are made for what was put back. */
export function openRuleFiles(root: string, list: RuleList, aside: string): RuleFiles {
  let known: ReadonlyMap<string, RuleEntry> = new Map();
  const begin = (isIsolated: boolean): Watch => {
    const sealed = new Set<string>();
    const seal = (path: string, found: RuleEntry): boolean => {
      const isFirm = found.kind === "folder" || (found.kind === "file" && found.links === 1);
      if (!isIsolated || !isFirm || sealed.size >= MOST_MOUNTS) return false;
      sealed.add(path);
      return true;
    };
    const before = scanRules(root, list, seal);
    withBytes(root, before, known, (path) => !sealed.has(path));
    known = before;
    const look = () => scanRules(root, list, (path) => sealed.has(path));
    return { before, sealed, running: 0, writing: [], list, look };
  };
  return {
    hold(isIsolated) {
      const watch = watches.get(root) ?? begin(isIsolated);
      watches.set(root, watch);
      watch.running += 1;
      return {
        mounts: [...watch.sealed].map((path) => join(root, path)),
        release() {
          watch.running -= 1;
          if (watch.running === 0) watches.delete(root);
          return putBack(root, watch, aside);
        },
      };
    },
  };
}

/** Whatever the program itself changes while a command runs stays: `paths` are relative to the real folder `root`. */
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

/** False for what is on no list, and for what no command can change though it is replaced. */
function isCompared({ list, sealed }: Watch, path: string): boolean {
  if (!list.decides(path) && !list.leadsThere(path)) return false;
  return ![...sealed].some((folder) => isAbove(folder, path));
}

/** A file that was replaced is no longer the one that is mounted. */
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
  for (const path of after.keys()) if (!watch.before.has(path) && !isOurs(path)) wanted.set(path, undefined);
  if (wanted.size === 0) return undefined;
  const copy = join(aside, randomBytes(4).toString("hex"));
  const failed = restoreRules(root, copy, wanted);
  const paths = [...wanted.keys()].filter(
    (path) => ![...wanted.keys()].some((other) => isAbove(other, path)),
  );
  return { paths: paths.sort(), failed: failed.sort(), copy };
}

function isAbove(folder: string, path: string): boolean {
  return path !== folder && isInside(folder, path);
}

// Puts files back as they were; what stood in their place is moved to another folder, never thrown away.
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errnoOf } from "../errors.ts";
import type { RuleEntry } from "./rule-scan.ts";

/**
 * Each path as its entry says, undefined: not there. What is found there goes into `aside`, under its own path. Returns the
 * paths that could not be put back.
 */
export function restoreRules(
  root: string,
  aside: string,
  wanted: ReadonlyMap<string, RuleEntry | undefined>,
): string[] {
  // Folders before what is in them, on the way out and on the way back.
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

/** To another disk. What can't be copied (a pipe, a device) is only removed. */
function moveAcross(source: string, target: string): void {
  try {
    cpSync(source, target, { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
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

/** A link or a file in the place of a folder goes aside as well. */
function makeFolder(root: string, path: string, aside: string): void {
  const place = join(root, path);
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) moveAside(root, path, aside);
  unlocked(dirname(place), () => mkdirSync(place));
}

/** Whether something is there, with nothing but real folders above it. */
function isReached(root: string, path: string): boolean {
  const names = path.split("/");
  return names.every((_, at) => {
    const found = lstatSync(join(root, ...names.slice(0, at + 1)), { throwIfNoEntry: false });
    return found !== undefined && (at === names.length - 1 || found.isDirectory());
  });
}

/** A command may have taken the right to write in a folder away. */
function unlocked(folder: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    chmodSync(folder, (lstatSync(folder).mode & 0o7777) | 0o700);
    act();
  }
}

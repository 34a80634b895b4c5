// Where there is no repository, commands must not make one: its hooks would run whenever a person uses git there. What
// hides `.git` from them is mounted on a folder, so there has to be one for as long as commands run. Each process leaves a
// mark in it, for whoever takes the folder away takes the cover of every command that still runs.

import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../errors.ts";
import { isLive } from "./live-process.ts";

const MARK = /^looplia-cover-(\d+)-[0-9a-f]{8}$/;
/** Nobody makes a folder with this mode by chance: it says whose it is before its first mark is there. */
const MODE = 0o1700;
/** As often as others may take the folder away in between. */
const TRIES = 5;

export type Cover = {
  /** Before a command; gives what is to be called when it has ended. A folder that is somebody's is left alone. */
  hold(): () => void;
  /** Takes away what processes left that were killed. */
  clean(): void;
};

/** `folder`: absolute, where the repository would be. */
export function openCover(folder: string): Cover {
  let holders = 0;
  let mark: string | undefined;
  return {
    hold() {
      mark ??= cover(folder);
      if (mark === undefined) return () => {};
      holders += 1;
      return () => {
        holders -= 1;
        if (holders > 0 || mark === undefined) return;
        remove(mark);
        mark = undefined;
        removeEmpty(folder);
      };
    },
    clean() {
      if (holders === 0 && marksIn(folder)?.every(isGone)) removeEmpty(folder);
    },
  };
}

/** The path of this process's mark; undefined where the folder is not ours, or can't be made. */
function cover(folder: string): string | undefined {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const isMade = quietly(() => mkdirSync(folder, { mode: MODE }));
    const marks = isMade ? [] : marksIn(folder);
    if (!marks) return undefined;
    marks.forEach(isGone);
    const mark = join(folder, `looplia-cover-${process.pid}-${randomBytes(4).toString("hex")}`);
    if (quietly(() => writeFileSync(mark, "", { flag: "wx" }))) return mark;
  }
  return undefined;
}

/** The marks of a folder that has nothing else; undefined for any other folder. */
function marksIn(folder: string): string[] | undefined {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory()) return undefined;
    const names = readdirSync(folder);
    if (names.length === 0 && (found.mode & 0o1777) !== MODE) return undefined;
    return names.every((name) => MARK.test(name)) ? names.map((name) => join(folder, name)) : undefined;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** True where the process of a mark is no more; its mark goes as well. */
function isGone(mark: string): boolean {
  const pid = Number(/-(\d+)-[0-9a-f]+$/.exec(mark)?.[1]);
  if (isLive(pid)) return false;
  remove(mark);
  return true;
}

function remove(mark: string): void {
  quietly(() => unlinkSync(mark));
}

function removeEmpty(folder: string): void {
  quietly(() => rmdirSync(folder));
}

/** False where the system refused: what can't be made is told by the one who needs it, what can't be removed stays. */
function quietly(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

// Describes a command's changes to rule files, so that a person can decide whether to keep them.
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join, posix } from "node:path";
import type { RuleChange } from "../core/interaction.ts";
import { textOfBytes } from "../core/json.ts";

/** The limits of one question; further changes are only in the copy. */
const MOST_CHANGES = 50;
const MOST_BYTES = 1024 * 1024;

/** A path before the command: undefined if it was missing or not a file. */
type Before = { bytes?: Buffer; mode: number } | undefined;

/** Reads the changes from the copy of a command's versions. Removals come first: a link may replace a folder. */
export function changesOf(copy: string, wanted: ReadonlyMap<string, Before>): RuleChange[] {
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

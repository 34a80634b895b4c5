// Checks the names in a path before the disk is read. Pure. `pinned.ts` checks whether links lead out.
import { LoopliaError } from "../core/errors.ts";

/** The names of a path below the root; empty for the root itself. Refuses absolute paths, `..` and NUL. */
export function splitPath(path: string): string[] {
  const shown = showPath(path);
  if (path.includes("\0"))
    throw refusal(`${shown} was refused: it contains a NUL character.`, "Give a plain path.");
  if (/^(?:[/\\]|[a-z]:)/i.test(path)) {
    throw refusal(
      `${shown} was refused: it is absolute.`,
      "Give the path relative to the root of the repository.",
    );
  }
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) {
    throw refusal(
      `${shown} was refused: it has "..", which may lead out of the repository.`,
      "Give the path from the root.",
    );
  }
  return parts;
}

/** Prefix of unfinished files; the next write of the same file removes one that a crash left behind. */
export const TEMPORARY_PREFIX = ".looplia-write-";

/** An expected refusal; the model sees the message and the advice. */
export function refusal(message: string, advice: string, cause?: unknown): LoopliaError {
  return new LoopliaError("config-invalid", message, {
    hint: advice,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The path quoted, controls escaped, long ones cut. */
export function showPath(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

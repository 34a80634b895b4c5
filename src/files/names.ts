// Checks the names in a path before the disk is read. Pure. `pinned.ts` checks whether links lead out.
import { LoopliaError } from "../core/errors.ts";
import { foldName } from "../core/json.ts";

export type Use = "read" | "write";

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

/**
 * Refuses paths that tools may not touch, by name alone, in every spelling that a file system treats as
 * equal.
 */
export function checkForTools(path: string, parts: readonly string[], use: Use): void {
  const shown = showPath(path);
  if (/[\p{Cc}\\]/u.test(path)) {
    throw refusal(
      `${shown} was refused: it has a backslash or a control character.`,
      'Put "/" between names.',
    );
  }
  const names = parts.map(foldName);
  if (names.some((name) => name === ".git" || /^git~\d+$/.test(name))) {
    throw refusal(`${shown} was refused:  tools may not use .git.`, "Work with the files themselves.");
  }
  if (names.some((name) => name.startsWith(TEMPORARY_PREFIX))) {
    throw refusal(`${shown} was refused: only the program uses files of this name.`, "Choose another name.");
  }
  if (!/^(?:\.looplia|loopli~\d+)$/.test(names[0] ?? "")) return;
  if (names[1] === "state") {
    throw refusal(`${shown} was refused: this folder is the program's own state.`, "You do not need it.");
  }
  if (use === "write" && /^(?:contentitem|conten~\d+)$/.test(names[1] ?? "")) {
    throw refusal(`${shown} was refused: only the program writes session folders.`, "Use writeArtifact.");
  }
}

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

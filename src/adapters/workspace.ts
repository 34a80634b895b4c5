// The worktree on the local disk: files that can't leave the root, and commands that can't see a key.
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { errnoOf, LoopliaError } from "../errors.ts";
import type { Isolation, PutBack, Workspace } from "../ports.ts";
import { type Redact, redactNothing } from "../session/redaction.ts";
import { readInside, removeInside, requireWritable, writeInside } from "./file-access.ts";
import { isInside, realOrExpected } from "./inside.ts";
import type { Isolator } from "./isolation.ts";
import { refusal, showPath, splitPath } from "./path-rules.ts";
import { locate, type Place, reasonOf } from "./pinned-files.ts";
import { openRuleFiles, writeByProgram } from "./rule-files.ts";
import type { RuleList } from "./rule-scan.ts";
import { openToolFiles } from "./tool-files.ts";
import { listFolder } from "./walk-files.ts";

/** No file of the program is near this; beyond it reading would only exhaust memory. */
const MAX_BYTES = 256 * 1024 * 1024;

const NO_ISOLATION: Isolation = { kind: "none", network: true, reason: "nothing isolates commands here" };

/**
 * Opens the worktree at `root`. Commands get exactly `environment`. `stateFolder` (moved state) and `systemTemp` are
 * closed to tools where they lie inside the root. What tools read and what commands say goes through `redact`.
 */
export async function openWorkspace(
  root: string,
  options: {
    environment: Record<string, string>;
    stateFolder?: string;
    systemTemp: string;
    redact?: Redact;
    /** Without it commands run as this process can. */
    isolate?: (root: string) => Isolator;
    /** What commands may not change, where a copy of such a change is kept, and who is told. */
    rules?: RuleList & { aside: string; notify(putBack: PutBack): void };
  },
): Promise<Workspace> {
  const base = realRoot(root);
  const closed = closedFolders(base, [options.stateFolder, options.systemTemp, "/proc", "/sys", "/dev"]);
  const { redact = redactNothing } = options;
  const files = openToolFiles(base, closed);
  const isolator = options.isolate?.(base);
  const rules = options.rules && openRuleFiles(base, options.rules, options.rules.aside);
  return {
    root: base,
    read: async (path) => readInside(base, splitPath(path), MAX_BYTES, refuseLinks(base, path)),
    // async: a refused path is a rejection, like every other refusal
    writeAtomic: (path, bytes) =>
      writeByProgram(base, [path], async () =>
        writeInside(base, splitPath(path), bytes, refuseLinks(base, path)),
      ),
    remove: (path) => writeByProgram(base, [path], async () => removeInside(base, splitPath(path))),
    requireWritable: async (folder) => requireWritable(base, splitPath(folder), refuseLinks(base, folder)),
    list: (folder) => listInside(base, folder),
    get isolation() {
      return isolator?.isolation ?? NO_ISOLATION;
    },
    // Only what is shown: an edit needs the text as it is.
    forTools: {
      ...files,
      readText: async (path) => redact(await files.readText(path)),
      writeText: (path, text, place) =>
        writeByProgram(base, [path, place ?? path], () => files.writeText(path, text, place)),
    },
    async run(command, limits) {
      const { runInWorktree } = await import("./run-in-worktree.ts");
      const place = { root: base, environment: options.environment, redact, isolator, rules };
      return runInWorktree(command, limits, place, (putBack) => options.rules?.notify(putBack));
    },
    async snapshot(pending) {
      const { takeSnapshot } = await import("./snapshot.ts");
      const own = closedFolders(base, [".looplia/state", ".looplia/contentItem"]);
      const { environment } = options;
      return takeSnapshot(base, { environment, closed: [...closed, ...own] }, pending);
    },
  };
}

/**
 * The program's own files are what they are called: a link that somebody committed in their place must not have it read
 * or write another file.
 */
function refuseLinks(root: string, path: string): (place: Place) => void {
  return ({ real, missing }) => {
    if (join(real, ...missing) === join(root, path)) return;
    throw refusal(`${showPath(path)} was refused: a link is on it.`, "Put a real file or folder there.");
  };
}

/**
 * Entries of a folder below the root, sorted; empty when there is none. A link counts as no folder. Throws
 * `config-invalid` for what is no folder, or can't be read.
 */
export async function listInside(
  root: string,
  folder: string,
): Promise<{ name: string; isFolder: boolean }[]> {
  const { real, missing } = locate(root, splitPath(folder));
  const entries =
    missing.length > 0
      ? []
      : await listFolder(real).catch((error: unknown) => {
          if (error instanceof LoopliaError || errnoOf(error) === undefined) throw error;
          const isFile = errnoOf(error) === "ENOTDIR";
          const why = isFile ? "is no folder" : `can't be read: ${reasonOf(error)}`;
          throw refusal(`${showPath(folder)} ${why}.`, "Move it away, or make it readable.", error);
        });
  return entries
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The root without links; `config-invalid` when it is no folder that can be opened. */
export function realRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (error) {
    throw new LoopliaError("config-invalid", `The folder ${root} can't be opened: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** Only those below the root: a worktree may itself lie in the system's temporary folder. */
function closedFolders(root: string, folders: (string | undefined)[]): string[] {
  const named = folders.filter((folder) => folder !== undefined);
  const real = named.map((folder) => realOrExpected(resolve(root, folder)));
  return real.filter((folder) => folder !== root && isInside(root, folder));
}

// The worktree for agents: files that can't leave the root, and commands that can't see a key.
import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { errnoOf, LoopliaError, quietly } from "../core/errors.ts";
import { foldName } from "../core/json.ts";
import type { Isolation, PlacedFile, PutBack, ToolFiles, Workspace } from "../core/ports.ts";
import { type Redact, redactNothing } from "../core/redaction.ts";
import type { Isolator } from "../sandbox/isolation.ts";
import { openRuleFiles, type RuleList, writeByProgram } from "../sandbox/rule-files.ts";
import { isInside, realOrExpected } from "../sandbox/visible.ts";
import { refusal, showPath, splitPath, TEMPORARY_PREFIX } from "./names.ts";
import {
  hashSeveralInside,
  isStrayTemporary,
  linkInside,
  locate,
  openPinned,
  type PinnedPlace,
  readInside,
  reasonOf,
  removeInside,
  requireWritable,
  writeInside,
} from "./pinned.ts";
import { compileGlob, listFolder, takeSnapshot, walkFiles } from "./walk.ts";

// The files for a model's tools: the same root with fewer places.

const MAX_READ_BYTES = 10 * 1024 * 1024;

type Use = "read" | "write";

/**
 * Refuses paths that tools may not touch, by name alone, in every spelling that a file system treats as
 * equal.
 */
function checkForTools(path: string, parts: readonly string[], use: Use): void {
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

/** `closed` are real folders that tools never see. */
function openToolFiles(root: string, closed: readonly string[]): ToolFiles {
  const workspaceFolder = linkedFolder(root, ".looplia");
  const check = (path: string, use: Use) => (place: PinnedPlace) => {
    const real = realOf(place);
    if (closed.some((folder) => isInside(folder, real))) {
      throw refusal(`${showPath(path)} was refused: tools may not use this folder.`, "You do not need it.");
    }
    checkForTools(path, namesOf(root, real), use);
    if (workspaceFolder !== undefined && isInside(workspaceFolder, real)) {
      checkForTools(path, [".looplia", ...namesOf(workspaceFolder, real)], use);
    }
  };
  const read = async (path: string, use: Use): Promise<string | undefined> => {
    const parts = splitPath(path);
    checkForTools(path, parts, use);
    const bytes = await readInside(root, parts, MAX_READ_BYTES, check(path, use));
    return bytes === undefined ? undefined : decode(path, bytes);
  };
  return {
    async readText(path) {
      const text = await read(path, "read");
      if (text !== undefined) return text;
      throw refusal(`There is no file ${showPath(path)}.`, "Find its name with listFiles.");
    },
    readForEdit: (path) => read(path, "write"),
    async locate(path) {
      const parts = splitPath(path);
      checkForTools(path, parts, "write");
      const place = await locate(root, parts);
      check(path, "write")(place);
      return namesOf(root, realOf(place)).join("/");
    },
    async writeText(path, text, expected) {
      const parts = splitPath(path);
      checkForTools(path, parts, "write");
      if (!text.isWellFormed()) {
        throw refusal(
          `${showPath(path)} was not written: the text has half of a surrogate pair.`,
          "Send valid Unicode.",
        );
      }
      await writeInside(root, parts, text, (place) => {
        check(path, "write")(place);
        if (expected === undefined || namesOf(root, realOf(place)).join("/") === expected) return;
        throw refusal(`${showPath(path)} was not written: it leads somewhere else now.`, "Look again.");
      });
    },
    lookAt: async (path) => lookAt(root, path, check(path, "write")),
    replace: (path, made) => replace(root, path, made, check(path, "write")),
    walk: (folder, glob) => walkForTools(root, folder, glob, check(folder, "read")),
  };
}

type Check = (place: PinnedPlace) => void;

async function lookAt(root: string, path: string, check: Check): Promise<PlacedFile | "folder" | undefined> {
  const parts = splitPath(path);
  checkForTools(path, parts, "write");
  const { real, missing } = locate(root, parts.slice(0, -1));
  const name = parts.at(-1);
  check({ real, missing: [...missing, ...parts.slice(-1)] });
  const found =
    name === undefined || missing.length > 0
      ? undefined
      : lstatSync(join(real, name), { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isDirectory()) return "folder";
  if (found.isSymbolicLink()) return { link: readlinkSync(join(real, name ?? "")) };
  const bytes = await readInside(root, parts, MAX_READ_BYTES, check);
  return bytes && { bytes, isExecutable: (found.mode & 0o111) !== 0 };
}

/** Not atomic: what was there is removed first. */
async function replace(
  root: string,
  path: string,
  made: PlacedFile | undefined,
  check: Check,
): Promise<void> {
  const parts = splitPath(path);
  if (made && "link" in made) checkTarget(root, path, made.link);
  if ((await lookAt(root, path, check)) === "folder" && hasFiles(join(root, ...parts))) {
    throw refusal(`${showPath(path)} was refused: it is a folder with files.`, "Leave it.");
  }
  await removeInside(root, parts);
  if (made && "link" in made) await linkInside(root, parts, made.link);
  if (!made || "link" in made) return;
  await writeInside(root, parts, made.bytes, check);
  if (!made.isExecutable) return;
  const descriptor = openPinned(locate(root, parts).real, constants.O_RDONLY);
  fchmodSync(descriptor, 0o755);
  closeSync(descriptor);
}

function hasFiles(folder: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => !entry.isDirectory());
}

function checkTarget(root: string, path: string, target: string): void {
  const leads = posix.join(posix.dirname(path), target);
  if (isAbsolute(target) || leads.startsWith("../")) {
    throw refusal(`${showPath(path)} was refused: the link leads out of the repository.`, "Leave it.");
  }
  const parts = splitPath(leads);
  checkForTools(leads, parts, "write");
  locate(root, parts);
}

async function* walkForTools(
  root: string,
  folder: string,
  glob: string | undefined,
  check: (place: PinnedPlace) => void,
): AsyncGenerator<string> {
  const parts = splitPath(folder);
  checkForTools(folder, parts, "read");
  const place = locate(root, parts);
  check(place);
  if (place.missing.length > 0)
    throw refusal(`There is no folder ${showPath(folder)}.`, 'List the root: path ".".');
  if (statSync(place.real).isFile()) {
    yield parts.join("/");
    return;
  }
  const isWanted = glob === undefined ? () => true : await compileGlob(glob);
  const isOpen = (path: string) => {
    if (path === "node_modules" || path.endsWith("/node_modules")) return false;
    try {
      checkForTools(path, path.split("/"), "read");
      check({ real: join(place.real, path), missing: [] });
      return true;
    } catch {
      return false;
    }
  };
  for await (const path of walkFiles(place.real, isOpen)) {
    if (isWanted(path)) yield [...parts, path].join("/");
  }
}

function decode(path: string, bytes: Uint8Array): string {
  const isBinary = bytes.subarray(0, 8_000).includes(0);
  try {
    if (!isBinary) return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refusal(`${showPath(path)} was refused: it is not UTF-8.`, "Convert a copy with a command.");
  }
  throw refusal(`${showPath(path)} was refused: it is binary.`, "Look at it with a command.");
}

function realOf({ real, missing }: PinnedPlace): string {
  return join(real, ...missing);
}

function namesOf(folder: string, real: string): string[] {
  return relative(folder, real)
    .split(sep)
    .filter((name) => name !== "");
}

/** The real place of the workspace folder if it is a link: its rules apply there too. */
function linkedFolder(root: string, name: string): string | undefined {
  const real = quietly(() => realpathSync.native(join(root, name)));
  return real === join(root, name) ? undefined : real;
}

/** No file of the program is nearly this large; reading a larger one would exhaust memory. */
const MAX_BYTES = 256 * 1024 * 1024;

const NO_ISOLATION: Isolation = { kind: "none", network: true, reason: "nothing isolates commands here" };

/**
 * Opens the worktree at `root`. Commands get exactly `environment`. Tools can't use `stateFolder` (moved
 * state) and `systemTemp` if they are inside the root. Redacts files that tools read and output of commands.
 */
export async function openWorkspace(
  root: string,
  options: {
    environment: Record<string, string>;
    stateFolder?: string;
    systemTemp: string;
    redact?: Redact;
    /** Without it commands run with this process's rights. */
    isolate?: (root: string) => Isolator;
    /**
     * Files that commands may not change, the place for copies of such changes, and the function to notify.
     */
    rules?: RuleList & { aside: string; notify(putBack: PutBack): void };
  },
): Promise<Workspace> {
  const base = realRoot(root);
  const closed = closedFolders(base, [options.stateFolder, options.systemTemp, "/proc", "/sys", "/dev"]);
  const { redact = redactNothing } = options;
  const files = openToolFiles(base, closed);
  const isolator = options.isolate?.(base);
  const rules = options.rules && openRuleFiles(base, withTemporaries(options.rules), options.rules.aside);
  return {
    root: base,
    read: async (path) => readInside(base, splitPath(path), MAX_BYTES, refuseLinks(base, path)),
    // async: a refused path is a rejection, like every other refusal
    hashSeveral: async (folder, names) =>
      hashSeveralInside(base, { folder: splitPath(folder), names }, MAX_BYTES, (path) =>
        refuseLinks(base, path),
      ),
    async modifiedAt(path) {
      const place = locate(base, splitPath(path));
      refuseLinks(base, path)(place);
      return place.missing.length > 0 ? undefined : statSync(place.real).mtime;
    },
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
    // Redacts only displayed text: an edit needs the original.
    forTools: {
      ...files,
      readText: async (path) => redact(await files.readText(path)),
      writeText: (path, text, place) =>
        writeByProgram(base, [path, place ?? path], () => files.writeText(path, text, place)),
      replace: (path, made) => writeByProgram(base, [path], () => files.replace(path, made)),
    },
    async run(command, limits) {
      const { runInWorktree } = await import("../sandbox/run.ts");
      const place = { root: base, environment: options.environment, redact, isolator, rules };
      return runInWorktree(command, limits, place, (putBack) => options.rules?.notify(putBack));
    },
    async snapshot(pending) {
      const own = closedFolders(base, [".looplia/state", ".looplia/contentItem"]);
      const { environment } = options;
      return takeSnapshot(base, { environment, closed: [...closed, ...own] }, pending);
    },
  };
}

/** Also lists temporary files of the program, so that a command can't leave a file with such a name. */
function withTemporaries(list: RuleList): RuleList {
  return {
    ...list,
    mayMatter: (name) => isStrayTemporary(name) || list.mayMatter(name),
    decides: (path) => isStrayTemporary(posix.basename(path)) || list.decides(path),
  };
}

/**
 * The program's own files must be at their real path: a committed link must not make it read or write another
 * file.
 */
function refuseLinks(root: string, path: string): (place: PinnedPlace) => void {
  return ({ real, missing }) => {
    const place = [real, ...missing].join("/");
    if (place === `${root}/${path}` || join(place) === join(root, path)) return;
    throw refusal(`${showPath(path)} was refused: a link is on it.`, "Put a real file or folder there.");
  };
}

/**
 * Sorted entries of a folder below the root; empty if it does not exist. A link is no folder. Throws
 * `config-invalid` for a path that is no folder or can't be read.
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

/** The root without links; throws `config-invalid` if it is no folder that can be opened. */
export function realRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (error) {
    throw new LoopliaError("config-invalid", `The folder ${root} can't be opened: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** Only folders below the root: a worktree may itself be in the system's temporary folder. */
function closedFolders(root: string, folders: (string | undefined)[]): string[] {
  const named = folders.filter((folder) => folder !== undefined);
  const real = named.map((folder) => realOrExpected(resolve(root, folder)));
  return real.filter((folder) => folder !== root && isInside(root, folder));
}

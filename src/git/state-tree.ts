// Converts the files of a work's state to the tree of its state ref, and back.

import { lstatSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import type { TreePair } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { namesIn } from "../store/durable.ts";
import { raiseVersion, refuseNewer } from "../store/scan.ts";
import { findObjects, gitText, NO_OBJECT, partsOf, readBlobs, rowsOf } from "./objects.ts";
import { unlockIndex } from "./worktree.ts";

const STORES = ["events", "conversation", "audit"];
const KNOWN = new RegExp(
  `^(header\\.json|frozen/[0-9a-f]{64}|(work|sessions/[a-z0-9][a-z0-9-]{0,80}/(${STORES.join("|")}))/\\d{6}\\.jsonl|sessions/[a-z0-9][a-z0-9-]{0,80}/packed/\\d{6}\\.br)$`,
);
const AT_ONCE = 64;
/** Paths in one command line of git: a path takes up to 110 bytes, and Linux accepts two megabytes. */
const PATHS_AT_ONCE = 1_000;
/** The bytes are the real limit. This one only stops a tree of a million empty files. */
const MOST_FILES = 250_000;
const MOST_BYTES = 512 * 1024 * 1024;
const HEADER = "header.json";
const MOST_HEADER_BYTES = 64 * 1024;

type Known = { oid: string; size: number };

/** The part of a work's state folder that git stores; other files (locks, logs) stay on this machine. */
export class StateTree {
  readonly #git: Git;
  readonly #folder: string;
  readonly #index: string;
  readonly #known = new Map<string, Known>();
  #stored = new Map<string, TreePair>();

  /** `index`: absolute path of a file that only this tree uses. */
  constructor(git: Git, folder: string, index: string) {
    this.#git = git;
    this.#folder = folder;
    this.#index = index;
  }

  /** The session trees in the checkpoint that `fill` read. */
  get stored(): ReadonlyMap<string, TreePair> {
    return this.#stored;
  }

  /**
   * Writes a checkpoint's files into the folder, which must not have any of them. Throws `store-corrupt`
   * before writing if a newer version made the commit or if a file is not part of a work's state.
   */
  async fill(commit: string): Promise<void> {
    const { rows, trees } = await listCheckpoint(this.#git, commit);
    const files = knownFiles(commit, rows);
    for (const part of partsOf(files)) await this.#writeOut(commit, part);
    for (const { path, oid, size } of files) this.#known.set(path, { oid, size });
    const input = files.map(({ path, oid }) => `100644 ${oid}\t${path}\0`).join("");
    await this.#git(["update-index", "--add", "-z", "--index-info"], { index: this.#index, input });
    this.#stored = trees;
  }

  /** The header is in the first part, so that it is judged before anything is written. */
  async #writeOut(commit: string, files: readonly ({ path: string } & Known)[]): Promise<void> {
    const oids = files.map(({ oid }) => oid);
    const blobs = await readBlobs(this.#git, oids);
    if (files[0]?.path === HEADER) refuseNewer(parseHeader(blobs[0]), placeOf(commit));
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
      await mkdir(join(this.#folder, folder), { recursive: true });
    }
    for (let next = 0; next < files.length; next += AT_ONCE) {
      const some = files.slice(next, next + AT_ONCE).map(({ path }, offset) => {
        return writeFile(join(this.#folder, path), blobs[next + offset] ?? "", { flag: "wx" });
      });
      await Promise.all(some);
    }
  }

  /**
   * The id of the tree of the folder's present files and the session trees; reads only new files. The stores
   * must be sealed.
   */
  async write(pairs: ReadonlyMap<string, TreePair> = new Map()): Promise<string> {
    if (pairs.size > 0) await raiseVersion(this.#folder, "trees");
    const tree = await this.#writeFiles();
    return pairs.size === 0 ? tree : addTrees(this.#git, tree, pairs);
  }

  async #writeFiles(): Promise<string> {
    const paths = listState(this.#folder);
    if (paths.some((path) => path.endsWith(".br"))) await raiseVersion(this.#folder, "packs");
    const present = new Map(paths.map((path) => [path, this.#sizeOf(path)]));
    // A raised version leaves its size as it was.
    this.#known.delete(HEADER);
    const gone = [...this.#known.keys()].filter((path) => !present.has(path));
    const fresh = [...present].filter(([path, size]) => this.#known.get(path)?.size !== size);
    const hashed = await this.#hash(fresh.map(([path]) => path));
    const rows = [
      ...gone.map((path) => `0 ${NO_OBJECT}\t${path}\0`),
      ...fresh.map(([path], index) => `100644 ${hashed[index]}\t${path}\0`),
    ];
    const input = rows.join("");
    await unlockIndex({ index: this.#index });
    await this.#git(["update-index", "-z", "--index-info"], { index: this.#index, input });
    // Only now: after a failure the next checkpoint must still add what the index lacks.
    for (const path of gone) this.#known.delete(path);
    for (const [index, [path, size]] of fresh.entries()) {
      this.#known.set(path, { oid: hashed[index] ?? "", size });
    }
    return gitText(this.#git, ["write-tree"], { index: this.#index });
  }

  #sizeOf(path: string): number {
    const found = lstatSync(join(this.#folder, path));
    if (found.isFile()) return found.size;
    throw new LoopliaError("store-corrupt", `${join(this.#folder, path)} is no regular file.`);
  }

  async #hash(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const input = paths.map((path) => `${join(this.#folder, path)}\n`).join("");
    const hashed = await gitText(this.#git, ["hash-object", "-w", "--no-filters", "--stdin-paths"], {
      input,
    });
    return hashed.split("\n");
  }
}

const SESSION = /^sessions\/([a-z0-9][a-z0-9-]{0,80})$/;
const TREE = /^sessions\/([a-z0-9][a-z0-9-]{0,80})\/(base|worktree)$/;

/** The files of a checkpoint outside the session trees, as listed by `ls-tree -l`, and those trees. */
async function listCheckpoint(
  git: Git,
  commit: string,
): Promise<{ rows: string[]; trees: Map<string, TreePair> }> {
  const list = async (args: readonly string[], paths: readonly string[]): Promise<TreeRow[]> => {
    const found: TreeRow[][] = [];
    for (let next = 0; next < paths.length; next += PATHS_AT_ONCE) {
      const some = paths.slice(next, next + PATHS_AT_ONCE);
      const listed = await git([
        "--literal-pathspecs",
        "ls-tree",
        "-l",
        "-z",
        ...args,
        commit,
        "--",
        ...some,
      ]);
      found.push(rowsOf(listed.stdout).map(readTreeRow));
    }
    return found.flat();
  };
  const top = rowsOf((await git(["ls-tree", "-l", "-z", commit])).stdout).map(readTreeRow);
  const sessions = await list(
    [],
    top.some(({ path, type }) => path === "sessions" && type === "tree") ? ["sessions/"] : [],
  );
  const known = sessions.filter(({ path, type }) => type === "tree" && SESSION.test(path));
  const inside = await list(
    [],
    known.map(({ path }) => `${path}/`),
  );
  const whole = new Set(known);
  const found = new Map<string, Partial<TreePair>>();
  for (const { path, type, oid } of inside) {
    const [, sessionId, name] = TREE.exec(path) ?? [];
    if (type === "tree" && sessionId && name) found.set(sessionId, { ...found.get(sessionId), [name]: oid });
  }
  const isTree = ({ path, type }: TreeRow) => type === "tree" && TREE.test(path);
  const all = [...top, ...sessions, ...inside].filter(
    (row) => row.path !== "sessions" && !whole.has(row) && !isTree(row),
  );
  const below = all.filter(({ type }) => type === "tree").map(({ path }) => path);
  const deep = await list(["-r"], below);
  const trees = new Map<string, TreePair>();
  for (const [sessionId, { base, worktree }] of found) {
    if (base && worktree) trees.set(sessionId, { base, worktree });
    else throw notState(commit, `session ${sessionId} has one tree of two`);
  }
  return { rows: [...all.filter(({ type }) => type !== "tree"), ...deep].map(({ row }) => row), trees };
}

type TreeRow = { row: string; path: string; type: string; oid: string };

function readTreeRow(row: string): TreeRow {
  const [, type = "", oid = "", path = ""] = /^\d+ (\w+) ([0-9a-f]+) +(?:\d+|-)\t(.*)$/s.exec(row) ?? [];
  return { row, path, type, oid };
}

/** The tree of a state, with the session trees beside the sessions' stores. */
async function addTrees(git: Git, state: string, pairs: ReadonlyMap<string, TreePair>): Promise<string> {
  const entriesOf = async (tree: string) => rowsOf((await git(["ls-tree", "-z", tree])).stdout);
  const make = async (entries: readonly string[]) =>
    gitText(git, ["mktree", "-z"], { input: entries.map((entry) => `${entry}\0`).join("") });
  const put = (entries: readonly string[], name: string, tree: string) => [
    ...entries.filter((entry) => !entry.endsWith(`\t${name}`)),
    `040000 tree ${tree}\t${name}`,
  ];
  const idOf = (entries: readonly string[], name: string) =>
    /^\d+ tree ([0-9a-f]+)\t/.exec(entries.find((entry) => entry.endsWith(`\t${name}`)) ?? "")?.[1];
  const top = await entriesOf(state);
  const before = idOf(top, "sessions");
  let sessions = before === undefined ? [] : await entriesOf(before);
  for (const [sessionId, { base, worktree }] of pairs) {
    const known = idOf(sessions, sessionId);
    const own = known === undefined ? [] : await entriesOf(known);
    const tree = await make(put(put(own, "base", base), "worktree", worktree));
    sessions = put(sessions, sessionId, tree);
  }
  return make(put(top, "sessions", await make(sessions)));
}

/** Throws `store-corrupt` if a newer version made the commit, judged only by its header. */
export async function refuseNewerCommit(git: Git, commit: string): Promise<void> {
  const [found] = await findObjects(git, [placeOf(commit)]);
  if (typeof found !== "object" || found.type !== "blob" || found.size > MOST_HEADER_BYTES) return;
  const [bytes] = await readBlobs(git, [found.oid]);
  refuseNewer(parseHeader(bytes), placeOf(commit));
}

function parseHeader(bytes: Uint8Array = new Uint8Array()): unknown {
  return parseJson(Buffer.from(bytes).toString("utf8"));
}

function placeOf(commit: string): string {
  return `${commit}:${HEADER}`;
}

/** The paths of the state files in a work's folder, in no order. */
function listState(folder: string): string[] {
  const below = (place: string) => namesIn(join(folder, place)).map((name) => `${place}/${name}`);
  const stores = below("sessions").flatMap((session) =>
    [...STORES, "packed"].map((store) => `${session}/${store}`),
  );
  const all = [...namesIn(folder), ...["frozen", "work", ...stores].flatMap(below)];
  return all.filter((path) => KNOWN.test(path));
}

/** The files of a commit with the listing `rows`, the header first. Throws if a file is not part of a state. */
function knownFiles(commit: string, rows: readonly string[]): ({ path: string } & Known)[] {
  const files = rows.map((row) => {
    const [, mode, oid, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(row) ?? [];
    if (mode === "100644" && oid && path && KNOWN.test(path)) return { path, oid, size: Number(size) };
    throw notState(commit, `it has ${JSON.stringify(path ?? row)}${mode === "100644" ? "" : ` (${mode})`}`);
  });
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size < files.length) throw notState(commit, "it has a file twice");
  if (!paths.has(HEADER)) throw notState(commit, "it has no header.json");
  checkSize(commit, files);
  const isHeader = ({ path }: { path: string }) => Number(path === HEADER);
  return files.sort((one, other) => isHeader(other) - isHeader(one));
}

function checkSize(commit: string, files: readonly { size: number }[]): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > MOST_FILES)
    throw notState(commit, `it has ${files.length} files, at most ${MOST_FILES} are read`);
  if (bytes <= MOST_BYTES) return;
  const [has, most] = [bytes, MOST_BYTES].map((size) => Math.ceil(size / 1024 / 1024));
  throw notState(commit, `it has ${has} MiB, at most ${most} are read`);
}

/** The error for a state ref that another program wrote. */
export function notState(commit: string, why: string): LoopliaError {
  return new LoopliaError("store-corrupt", `Commit ${commit} is no state of a work: ${why}.`, {
    hint: "Somebody else wrote to the state ref. Put it back to an earlier commit of its own, or delete it.",
  });
}

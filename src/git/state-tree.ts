// Converts the files of a work's state to the tree of its state ref, and back.

import { lstatSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import type { TreePair } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { namesIn } from "../store/durable.ts";
import { raiseVersion, refuseNewer } from "../store/scan.ts";
import {
  EMPTY_TREE,
  editTree,
  FOLDER_MODE,
  findObject,
  listTree,
  type TreeEntry,
  writeObject,
} from "./object-store.ts";
import { findEntry, partsOf, readBlobs, readCommit, sizesOf } from "./objects.ts";

const STORES = ["events", "conversation", "audit"];
const KNOWN = new RegExp(
  `^(header\\.json|frozen/[0-9a-f]{64}|(work|sessions/[a-z0-9][a-z0-9-]{0,80}/(${STORES.join("|")}))/\\d{6}\\.jsonl|sessions/[a-z0-9][a-z0-9-]{0,80}/packed/\\d{6}\\.br)$`,
);
const AT_ONCE = 64;
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
  readonly #known = new Map<string, Known>();
  #stored: ReadonlyMap<string, TreePair> = new Map();
  /** What was written last, and the session trees in it. */
  #last = EMPTY_TREE;
  #lastPairs: ReadonlyMap<string, TreePair> = new Map();

  constructor(git: Git, folder: string) {
    this.#git = git;
    this.#folder = folder;
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
    const { files, trees } = await listCheckpoint(this.#git, commit);
    for (const part of partsOf(files)) await this.#writeOut(commit, part);
    for (const { path, oid, size } of files) this.#known.set(path, { oid, size });
    this.#stored = trees;
    this.#lastPairs = trees;
    this.#last = (await readCommit(this.#git, commit)).tree;
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
    const paths = listState(this.#folder);
    if (paths.some((path) => path.endsWith(".br"))) await raiseVersion(this.#folder, "packs");
    const present = new Map(paths.map((path) => [path, this.#sizeOf(path)]));
    // A raised version leaves its size as it was.
    this.#known.delete(HEADER);
    const gone = [...this.#known.keys()].filter((path) => !present.has(path));
    const fresh = [...present].filter(([path, size]) => this.#known.get(path)?.size !== size);
    const changes = new Map<string, TreeEntry | undefined>(gone.map((path) => [path, undefined]));
    for (const [path] of fresh) {
      const oid = await writeObject(this.#git, "blob", await readFile(join(this.#folder, path)));
      changes.set(path, { mode: "100644", oid });
    }
    for (const [path, oid] of changedTrees(this.#lastPairs, pairs))
      changes.set(path, { mode: FOLDER_MODE, oid });
    // Only now: after a failure the next checkpoint must still add what the tree lacks.
    this.#last = await editTree(this.#git, this.#last, changes);
    this.#lastPairs = new Map(pairs);
    for (const path of gone) this.#known.delete(path);
    for (const [path, size] of fresh) this.#known.set(path, { oid: changes.get(path)?.oid ?? "", size });
    return this.#last;
  }

  #sizeOf(path: string): number {
    const found = lstatSync(join(this.#folder, path));
    if (found.isFile()) return found.size;
    throw new LoopliaError("store-corrupt", `${join(this.#folder, path)} is not a regular file.`);
  }
}

const TREE = /^sessions\/([a-z0-9][a-z0-9-]{0,80})\/(base|worktree)$/;

/** The trees that differ, by their paths in the state; removed ones are empty. */
function changedTrees(
  before: ReadonlyMap<string, TreePair>,
  after: ReadonlyMap<string, TreePair>,
): [path: string, oid: string][] {
  const names = ["base", "worktree"] as const;
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((sessionId) =>
    names
      .filter((name) => before.get(sessionId)?.[name] !== after.get(sessionId)?.[name])
      .map((name): [string, string] => [
        `sessions/${sessionId}/${name}`,
        after.get(sessionId)?.[name] ?? EMPTY_TREE,
      ]),
  );
}

/** The session trees of a checkpoint. */
export async function readSessionTrees(git: Git, commit: string): Promise<ReadonlyMap<string, TreePair>> {
  return (await listCheckpoint(git, commit)).trees;
}

/** The files of a checkpoint outside the session trees, the header first, and those trees. */
async function listCheckpoint(
  git: Git,
  commit: string,
): Promise<{ files: ({ path: string } & Known)[]; trees: Map<string, TreePair> }> {
  const { tree } = await readCommit(git, commit);
  const listed = await listTree(git, tree, "", (path) => TREE.test(path));
  const found = new Map<string, Partial<TreePair>>();
  for (const { path, oid, mode } of listed) {
    const [, sessionId, name] = TREE.exec(path) ?? [];
    if (mode === FOLDER_MODE && sessionId && name)
      found.set(sessionId, { ...found.get(sessionId), [name]: oid });
  }
  const trees = new Map<string, TreePair>();
  for (const [sessionId, { base, worktree }] of found) {
    if (base && worktree) trees.set(sessionId, { base, worktree });
    else throw notState(commit, `session ${sessionId} has one tree of two`);
  }
  const files = checkedFiles(
    commit,
    listed.filter(({ mode }) => mode !== FOLDER_MODE),
  );
  const sizes = await sizesOf(
    git,
    files.map(({ oid }) => oid),
  );
  const sized = files.map((file) => ({ ...file, size: sizes.get(file.oid) ?? 0 }));
  checkSize(commit, sized);
  return { files: sized, trees };
}

/** Throws `store-corrupt` if a newer version made the commit, judged only by its header. */
export async function refuseNewerCommit(git: Git, commit: string): Promise<void> {
  const found = await findEntry(git, commit, HEADER);
  const object = typeof found === "object" ? await findObject(git, found.oid, MOST_HEADER_BYTES) : undefined;
  if (typeof object === "object" && object.type === "blob")
    refuseNewer(parseHeader(object.bytes), placeOf(commit));
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

/** The files, the header first. Throws if one is not part of a state. */
function checkedFiles(commit: string, listed: readonly (TreeEntry & { path: string })[]) {
  for (const { mode, path } of listed) {
    if (mode === "100644" && KNOWN.test(path)) continue;
    throw notState(commit, `it has ${JSON.stringify(path)}${mode === "100644" ? "" : ` (${mode})`}`);
  }
  const paths = new Set(listed.map(({ path }) => path));
  if (paths.size < listed.length) throw notState(commit, "it has a file twice");
  if (!paths.has(HEADER)) throw notState(commit, "it has no header.json");
  const isHeader = ({ path }: { path: string }) => Number(path === HEADER);
  return listed.map(({ path, oid }) => ({ path, oid })).sort((one, other) => isHeader(other) - isHeader(one));
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
  return new LoopliaError("store-corrupt", `Commit ${commit} does not hold the state of a work: ${why}.`, {
    hint: "Somebody else wrote to the state ref. Reset it to one of its earlier commits, or delete it.",
  });
}

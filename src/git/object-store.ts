// Git's objects, read and written in this process: a checkpoint's trees and commits need no git processes.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, deflateSync, inflateSync } from "node:zlib";
import { errnoOf, LoopliaError } from "../core/errors.ts";
import type { Git, GitProcess } from "../sandbox/git-process.ts";

const OBJECT_ID = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
/** The id of the tree without entries. `editTree` removes an entry with this id. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
export const FOLDER_MODE = "40000";
/** Larger objects are compressed beside the main thread. */
const MOST_AT_ONCE = 1024 * 1024;
const ANY_SIZE = Number.POSITIVE_INFINITY;
/** `<type> <size>` and a zero. */
const MOST_HEADER_BYTES = 64;

type StoredObject = { type: string; bytes: Buffer };
/** A file, link, folder or repository in a tree: `mode` as in the tree object, without a leading zero. */
export type TreeEntry = { mode: string; oid: string };

/** The id; throws `host-failed` if it is no object id. */
export function checkedId(oid: string): string {
  if (OBJECT_ID.test(oid)) return oid;
  throw new LoopliaError("host-failed", `not a commit id: ${JSON.stringify(oid)}`);
}

/** Stores an object and returns its id. */
export async function writeObject(git: Git, type: string, content: Uint8Array | string): Promise<string> {
  const bytes = Buffer.from(content);
  if (!git.isClone) {
    const { stdout } = await git(["hash-object", "-t", type, "-w", "--stdin"], { input: bytes });
    return checkedId(stdout.toString("latin1").trim());
  }
  const object = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const oid = createHash("sha1").update(object).digest("hex");
  const folder = join(git.folder, "objects", oid.slice(0, 2));
  const place = join(folder, oid.slice(2));
  if (existsSync(place)) return oid;
  const packed = object.length > MOST_AT_ONCE ? await promisify(deflate)(object) : deflateSync(object);
  mkdirSync(folder, { recursive: true });
  // As git does: readers never see a part of an object, and the push is what makes it durable.
  const draft = join(folder, `tmp_obj_${randomBytes(6).toString("hex")}`);
  writeFileSync(draft, packed, { mode: 0o444 });
  renameSync(draft, place);
  return oid;
}

/**
 * The object, undefined if the repository does not have it. An object of more than `most` bytes is
 * `too-large`.
 */
export async function findObject(
  git: Git,
  oid: string,
  most = ANY_SIZE,
): Promise<StoredObject | "too-large" | undefined> {
  const loose = git.isClone ? readLoose(git.folder, checkedId(oid), most) : undefined;
  const isPacked = !loose && (!git.isClone || readdirSync(join(git.folder, "objects/pack")).length > 0);
  return isPacked ? readerOf(git).read(checkedId(oid), most) : loose;
}

/** The bytes of an object of this type. Throws `host-failed` if the repository does not have it. */
export async function readObject(git: Git, oid: string, type: string): Promise<Buffer> {
  const found = await findObject(git, oid);
  if (typeof found === "object" && found.type === type) return found.bytes;
  throw new LoopliaError(
    "host-failed",
    `${oid} is not a ${type === "blob" ? "file" : type} of the repository`,
  );
}

function readLoose(clone: string, oid: string, most: number): StoredObject | "too-large" | undefined {
  const packed = readIfThere(join(clone, "objects", oid.slice(0, 2), oid.slice(2)));
  if (packed === undefined) return undefined;
  try {
    const object = inflateSync(
      packed,
      most === ANY_SIZE ? {} : { maxOutputLength: most + MOST_HEADER_BYTES },
    );
    const end = object.indexOf(0);
    const bytes = object.subarray(end + 1);
    const type = object.toString("latin1", 0, object.indexOf(" "));
    return bytes.length > most ? "too-large" : { type, bytes };
  } catch (error) {
    if (errnoOf(error) === "ERR_BUFFER_TOO_LARGE") return "too-large";
    throw error;
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** The commit that a ref of the clone has; undefined if there is none. */
export function readRef(git: Git, ref: string): string | undefined {
  const text = readIfThere(join(git.folder, ref))?.toString("latin1").trim();
  return text === undefined ? undefined : checkedId(text);
}

// One `git cat-file --batch` reads all packed objects. It ends after a second without questions, or with this
// process.

const IDLE_MS = 1_000;

type Waiting = {
  most: number;
  resolve(found: StoredObject | "too-large" | undefined): void;
  reject(reason: unknown): void;
};

const readers = new WeakMap<Git, PackReader>();

function readerOf(git: Git): PackReader {
  const known = readers.get(git) ?? new PackReader(git);
  readers.set(git, known);
  return known;
}

class PackReader {
  readonly #git: Git;
  #child: GitProcess | undefined;
  #waiting: Waiting[] = [];
  #chunks: Buffer<ArrayBufferLike>[] = [];
  #length = 0;
  /** Bytes that the next answer needs at least. */
  #needed = 0;
  /** Bytes of an object that is too large, still to come. */
  #skipped = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(git: Git) {
    this.#git = git;
  }

  read(oid: string, most: number): Promise<StoredObject | "too-large" | undefined> {
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    if (this.#waiting.length === 0) keepAlive(child, true);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ most, resolve, reject });
      child.stdin.write(`${oid}\n`);
    });
  }

  #start(): GitProcess {
    const child = this.#git.start(["--no-replace-objects", "cat-file", "--batch"]);
    child.stdin.on("error", () => {}); // the end of the process says why
    child.stderr.resume();
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    const end = (cause?: unknown) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      const error = new LoopliaError("host-failed", "git cat-file ended early", { cause });
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      this.#chunks = [];
      this.#length = 0;
      this.#needed = 0;
      this.#skipped = 0;
    };
    child.on("error", end);
    child.on("close", () => end());
    this.#child = child;
    return child;
  }

  #take(chunk: Buffer): void {
    const passed = Math.min(this.#skipped, chunk.length);
    this.#skipped -= passed;
    this.#chunks.push(chunk.subarray(passed));
    this.#length += chunk.length - passed;
    if (this.#length < this.#needed) return;
    let bytes: Buffer = Buffer.concat(this.#chunks);
    for (let rest = this.#answer(bytes); rest !== undefined; rest = this.#answer(bytes)) bytes = rest;
    this.#chunks = [bytes];
    this.#length = bytes.length;
    if (this.#waiting.length === 0) this.#rest();
  }

  /** Answers the first question and returns the bytes after it; undefined if bytes are missing. */
  #answer(bytes: Buffer): Buffer | undefined {
    const [next] = this.#waiting;
    const end = bytes.indexOf("\n");
    this.#needed = bytes.length + 1;
    if (!next || end < 0) return undefined;
    const [, type = "", size] = bytes.toString("latin1", 0, end).split(" ");
    const isThere = size !== undefined;
    const stop = end + 1 + (isThere ? Number(size) + 1 : 0);
    const isTooLarge = isThere && Number(size) > next.most;
    this.#needed = isTooLarge ? 0 : stop;
    if (bytes.length < this.#needed) return undefined;
    this.#waiting.shift();
    if (isTooLarge) next.resolve("too-large");
    else next.resolve(isThere ? { type, bytes: bytes.subarray(end + 1, stop - 1) } : undefined);
    this.#needed = 0;
    this.#skipped = Math.max(0, stop - bytes.length);
    return bytes.subarray(stop);
  }

  #rest(): void {
    const child = this.#child;
    if (!child) return;
    keepAlive(child, false);
    this.#idle = setTimeout(() => {
      this.#child = undefined;
      child.stdin.end();
    }, IDLE_MS).unref();
  }
}

/** Whether this process waits for the child before it ends. */
function keepAlive(child: GitProcess, isWanted: boolean): void {
  for (const one of [child, child.stdin, child.stdout, child.stderr] as (GitProcess | Socket)[]) {
    if (isWanted) one.ref();
    else one.unref();
  }
}

// Trees. Names are kept as latin1, which keeps the bytes of every name.

type Tree = Map<string, TreeEntry>;

/** The entries of a tree by the bytes of their names, as latin1. */
export async function readTree(git: Git, tree: string): Promise<Tree> {
  if (tree === EMPTY_TREE) return new Map();
  return parseTree(await readObject(git, tree, "tree"), tree.length / 2);
}

/** Entries of a tree object whose ids have `idLength` bytes each. */
function parseTree(bytes: Buffer, idLength: number): Tree {
  const entries: Tree = new Map();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(" ", at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) break;
    const oid = bytes.toString("hex", end + 1, end + 1 + idLength);
    entries.set(bytes.toString("latin1", space + 1, end), { mode: bytes.toString("latin1", at, space), oid });
    at = end + 1 + idLength;
  }
  return entries;
}

async function writeTree(git: Git, tree: Tree): Promise<string> {
  const sortName = ([name, { mode }]: [string, TreeEntry]) => (mode === FOLDER_MODE ? `${name}/` : name);
  const rows = [...tree].map((entry) => ({ entry, by: sortName(entry) }));
  const sorted = rows.sort((one, other) => (one.by < other.by ? -1 : 1));
  const bytes = sorted.flatMap(({ entry: [name, { mode, oid }] }) => [
    Buffer.from(`${mode} ${name}\0`, "latin1"),
    Buffer.from(oid, "hex"),
  ]);
  return writeObject(git, "tree", Buffer.concat(bytes));
}

/** The name in a tree of a name or path that is text. */
function nameInTree(path: string): string {
  return Buffer.from(path, "utf8").toString("latin1");
}

/** A name of a tree as text. */
export function nameAsText(name: string): string {
  return Buffer.from(name, "latin1").toString("utf8");
}

/**
 * The tree with other entries at some paths: undefined removes a file, and an entry with the id of the empty
 * tree removes a folder. Reads only the folders of these paths.
 */
export async function editTree(
  git: Git,
  tree: string,
  changes: ReadonlyMap<string, TreeEntry | undefined>,
): Promise<string> {
  if (changes.size === 0) return tree;
  const named = new Map([...changes].map(([path, entry]) => [nameInTree(path), entry] as const));
  return edit(git, tree, named);
}

type Changes = Map<string, TreeEntry | undefined>;

async function edit(git: Git, tree: string, changes: Changes): Promise<string> {
  const entries = await readTree(git, tree);
  const below = new Map<string, Changes>();
  const here: Changes = new Map();
  for (const [path, entry] of changes) {
    const slash = path.indexOf("/");
    if (slash < 0) here.set(path, entry);
    else {
      const name = path.slice(0, slash);
      below.set(name, (below.get(name) ?? new Map()).set(path.slice(slash + 1), entry));
    }
  }
  for (const [name, entry] of here) {
    if (!entry && entries.get(name)?.mode !== FOLDER_MODE) entries.delete(name);
  }
  for (const [name, inside] of below) {
    const before = entries.get(name);
    const isFolder = before?.mode === FOLDER_MODE;
    if (before && !isFolder && ![...inside.values()].some((entry) => entry)) continue;
    set(entries, name, {
      mode: FOLDER_MODE,
      oid: await edit(git, isFolder ? before.oid : EMPTY_TREE, inside),
    });
  }
  for (const [name, entry] of here) if (entry) set(entries, name, entry);
  return writeTree(git, entries);
}

function set(entries: Tree, name: string, entry: TreeEntry): void {
  if (entry.oid === EMPTY_TREE) entries.delete(name);
  else entries.set(name, entry);
}

/** The entry at a path of a tree, without following links; undefined if there is none. */
export async function entryAt(git: Git, tree: string, path: string): Promise<TreeEntry | undefined> {
  let found: TreeEntry | undefined = { mode: FOLDER_MODE, oid: tree };
  for (const name of nameInTree(path).split("/")) {
    if (name === "") continue;
    if (found?.mode !== FOLDER_MODE) return undefined;
    found = (await readTree(git, found.oid)).get(name);
  }
  return found;
}

/**
 * Everything below a tree but its folders, with paths as text that begin with `prefix`. Folders for which
 * `isWhole` is true are listed and not entered.
 */
export async function listTree(
  git: Git,
  tree: string,
  prefix = "",
  isWhole: (path: string) => boolean = () => false,
): Promise<(TreeEntry & { path: string })[]> {
  const rows = [...(await readTree(git, tree))].map(([name, entry]) => ({
    ...entry,
    path: `${prefix}${nameAsText(name)}`,
  }));
  const listed = await Promise.all(
    rows.map(async (row) => {
      if (row.mode !== FOLDER_MODE || isWhole(row.path)) return [row];
      return listTree(git, row.oid, `${row.path}/`, isWhole);
    }),
  );
  return listed.flat();
}

type Difference = { path: string; before: TreeEntry | undefined; after: TreeEntry | undefined };

/** The files and links that differ between two trees, with paths as text, sorted by path. */
export async function diffTrees(git: Git, from: string, to: string, prefix = ""): Promise<Difference[]> {
  if (from === to) return [];
  const [before, after] = await Promise.all([readTree(git, from), readTree(git, to)]);
  const found: Difference[] = [];
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(name), after.get(name)];
    if (old?.oid === now?.oid && old?.mode === now?.mode) continue;
    const path = `${prefix}${nameAsText(name)}`;
    const [wasFolder, isFolder] = [old?.mode === FOLDER_MODE, now?.mode === FOLDER_MODE];
    if ((old && !wasFolder) || (now && !isFolder)) {
      found.push({ path, before: wasFolder ? undefined : old, after: isFolder ? undefined : now });
    }
    const [oldFolder, nowFolder] = [wasFolder ? old?.oid : EMPTY_TREE, isFolder ? now?.oid : EMPTY_TREE];
    found.push(...(await diffTrees(git, oldFolder ?? EMPTY_TREE, nowFolder ?? EMPTY_TREE, `${path}/`)));
  }
  return found;
}

// The files of a work's state as the tree of its state ref, and back.
import { lstatSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopliaError } from "../errors.ts";
import { parseJson } from "../session/json.ts";
import { namesIn } from "./durable-file.ts";
import { unlockIndex } from "./git-changes.ts";
import { NO_OBJECT, rowsOf, textOf } from "./git-commit.ts";
import type { Git } from "./git-process.ts";
import { findObjects, readBlobs } from "./git-read.ts";
import { refuseNewer } from "./store-header.ts";

const STORES = ["events", "conversation", "audit"];
const KNOWN = new RegExp(
  `^(header\\.json|frozen/[0-9a-f]{64}|(work|sessions/[a-z0-9][a-z0-9-]{0,80}/(${STORES.join("|")}))/\\d{6}\\.jsonl)$`,
);
const AT_ONCE = 64;
/** Far above what works come to: more was not written by a run, and is not taken into memory. */
const MOST_FILES = 20_000;
const MOST_BYTES = 512 * 1024 * 1024;
const HEADER = "header.json";
const MOST_HEADER_BYTES = 64 * 1024;

type Known = { oid: string; size: number };

/** What of a work's state folder stands in git; everything else there (locks, logs) stays on this machine. */
export class StateTree {
  readonly #git: Git;
  readonly #folder: string;
  readonly #index: string;
  readonly #known = new Map<string, Known>();

  /** `index`: absolute path of a file that is this tree's alone. */
  constructor(git: Git, folder: string, index: string) {
    this.#git = git;
    this.#folder = folder;
    this.#index = index;
  }

  /**
   * Writes the files of a checkpoint into the folder, which must have none of them. Fails with `store-corrupt` before it
   * writes anything where a newer version wrote the commit or something in it is no state of a work.
   */
  async fill(commit: string): Promise<void> {
    const listed = rowsOf((await this.#git(["ls-tree", "-r", "-l", "-z", commit])).stdout);
    const files = knownFiles(commit, listed);
    const blobs = await readBlobs(
      this.#git,
      files.map(({ oid }) => oid),
    );
    const header = blobs[files.findIndex(({ path }) => path === HEADER)];
    refuseNewer(parseHeader(header), placeOf(commit));
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
      await mkdir(join(this.#folder, folder), { recursive: true });
    }
    for (let next = 0; next < files.length; next += AT_ONCE) {
      const some = files.slice(next, next + AT_ONCE).map(({ path }, offset) => {
        return writeFile(join(this.#folder, path), blobs[next + offset] ?? "", { flag: "wx" });
      });
      await Promise.all(some);
    }
    for (const { path, oid, size } of files) this.#known.set(path, { oid, size });
    await this.#git(["read-tree", commit], { index: this.#index });
  }

  /** Id of the tree of what is in the folder now; only new files are read. The stores must be sealed. */
  async write(): Promise<string> {
    const present = new Map(listState(this.#folder).map((path) => [path, this.#sizeOf(path)]));
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
    // Only now: what the index lacks after a failure must be brought to it by the next checkpoint.
    for (const path of gone) this.#known.delete(path);
    for (const [index, [path, size]] of fresh.entries()) {
      this.#known.set(path, { oid: hashed[index] ?? "", size });
    }
    return textOf(this.#git, ["write-tree"], { index: this.#index });
  }

  #sizeOf(path: string): number {
    const found = lstatSync(join(this.#folder, path));
    if (found.isFile()) return found.size;
    throw new LoopliaError("store-corrupt", `${join(this.#folder, path)} is no regular file.`);
  }

  async #hash(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const input = paths.map((path) => `${join(this.#folder, path)}\n`).join("");
    const hashed = await textOf(this.#git, ["hash-object", "-w", "--no-filters", "--stdin-paths"], { input });
    return hashed.split("\n");
  }
}

/** Fails with `store-corrupt` where a newer version wrote the commit, by its header alone; nothing else is judged. */
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

/** Paths of the files in a work's folder that are its state, in no order. */
function listState(folder: string): string[] {
  const below = (place: string) => namesIn(join(folder, place)).map((name) => `${place}/${name}`);
  const stores = below("sessions").flatMap((session) => STORES.map((store) => `${session}/${store}`));
  const all = [...namesIn(folder), ...["frozen", "work", ...stores].flatMap(below)];
  return all.filter((path) => KNOWN.test(path));
}

/** The files of a commit whose listing is `rows`. Fails where one is none of a state's. */
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
  return files;
}

function checkSize(commit: string, files: readonly { size: number }[]): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > MOST_FILES)
    throw notState(commit, `it has ${files.length} files, at most ${MOST_FILES} are read`);
  if (bytes <= MOST_BYTES) return;
  const [has, most] = [bytes, MOST_BYTES].map((size) => Math.ceil(size / 1024 / 1024));
  throw notState(commit, `it has ${has} MiB, at most ${most} are read`);
}

/** What stands at the state ref was written by somebody else. */
export function notState(commit: string, why: string): LoopliaError {
  return new LoopliaError("store-corrupt", `Commit ${commit} is no state of a work: ${why}.`, {
    hint: "Somebody else wrote to the state ref. Put it back to an earlier commit of its own, or delete it.",
  });
}

// The work branch beside a state ref: its commits here, its worktree, and what a person pushed to it.

import { lstatSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopliaError } from "../core/errors.ts";
import type { ConflictFile } from "../core/interaction.ts";
import { inTurn, parseJson, sha256Of } from "../core/json.ts";
import { RUN_TRAILER, type StateRefPlace, type Worktree } from "../core/ports-host.ts";
import type { Git } from "../sandbox/git-process.ts";
import { namesIn } from "../store/durable.ts";
import { refuseNewer } from "../store/scan.ts";
import {
  commitTree,
  findObjects,
  gitText,
  MERGE_MESSAGE,
  mergeTrees,
  NO_OBJECT,
  partsOf,
  readBlobs,
  readCommit,
  rowsOf,
} from "./objects.ts";
import { fetchTips } from "./state-push.ts";
import { GitWorktree, unlockIndex } from "./worktree.ts";

/** How far back a branch is looked through for the commit that a run began with; behind it, it counts as rewritten. */
const MERGE_DEPTH = 50;

type Tools = { git: Git; remote: string; temporary: string };

/** Calls are carried out one at a time, in the order they came. */
export class WorkLine {
  /** Full name of the branch. */
  readonly ref: string;
  readonly #tools: Tools;
  readonly #place: Pick<StateRefPlace, "base" | "run" | "notice">;
  #opening: Promise<GitWorktree> | undefined;
  #worktree: GitWorktree | undefined;
  #remoteTip: string | undefined;
  #bareTip: string;

  /** `remoteTip`: where the remote has the branch; its commit is here. */
  constructor(tools: Tools, place: StateRefPlace, remoteTip: string | undefined) {
    this.#tools = tools;
    this.#place = place;
    this.ref = `refs/heads/${place.branch}`;
    this.#remoteTip = remoteTip;
    this.#bareTip = remoteTip ?? place.base;
  }

  /** Where the remote had the branch when we last knew; undefined: there is none. */
  get remoteTip(): string | undefined {
    return this.#remoteTip;
  }

  /** The newest commit here. */
  get tip(): string {
    return this.#worktree?.tip ?? this.#bareTip;
  }

  async openWorktree(): Promise<Worktree> {
    this.#opening ??= inTurn(this, async () => {
      const { git, temporary } = this.#tools;
      this.#worktree = await GitWorktree.open(git, temporary, this.#bareTip, this.#place.notice);
      return this.#worktree;
    });
    const worktree = await this.#opening;
    return {
      root: worktree.root,
      commit: (folder, message) => inTurn(this, () => worktree.commitTask(folder, message)),
      commitAll: (message, options) => inTurn(this, () => worktree.commitAll(message, options)),
      hold: (path) => worktree.hold(path),
      editorOf: (path) => inTurn(this, () => this.#editorOf(path)),
    };
  }

  /** Commits what the worktree has, and something where the branch would be no other than its base. The newest commit. */
  save(): Promise<string> {
    return inTurn(this, async () => {
      await this.#worktree?.commitAll(this.#messageOf("chore: save work in progress"));
      if (this.#remoteTip === undefined && this.tip === this.#place.base) {
        // A pull request needs a commit that its base has not.
        const { git } = this.#tools;
        const tree = await gitText(git, ["rev-parse", `${this.tip}^{tree}`]);
        await this.#moveTo(await commitTree(git, tree, [this.tip], this.#messageOf("chore: begin")));
      }
      return this.tip;
    });
  }

  /** The remote has this commit now. */
  notePushed(commit: string): void {
    this.#remoteTip = commit;
  }

  /** Brings in what a person pushed; the files where theirs stand against ours. */
  mergeRemote(): Promise<ConflictFile[]> {
    return inTurn(this, async () => {
      const theirs = (await fetchTips(this.#tools, [this.ref], MERGE_DEPTH)).get(this.ref);
      const conflicts = theirs === undefined ? [] : await this.#bringIn(theirs);
      // Only now: the next push takes the place of this commit, so what is pushed must have it.
      this.#remoteTip = theirs;
      return conflicts;
    });
  }

  /** A commit behind which the history was not fetched seems to bring all its files: such a one tells nothing. */
  async #editorOf(path: string): Promise<string | undefined> {
    const { git } = this.#tools;
    await fetchTips(this.#tools, [this.ref], MERGE_DEPTH);
    const format = "--format=%H%x00%P%x00%an%x00%ae";
    const found = await gitText(git, ["--literal-pathspecs", "log", "-1", format, this.tip, "--", path]);
    const [commit = "", parents, name = "", email = ""] = found.split("\0");
    if (commit === "") return undefined;
    const { parents: made, message } = await readCommit(git, commit);
    const isCut = parents === "" && made.length > 0;
    if (isCut || message.includes(`\n${RUN_TRAILER}: `)) return undefined;
    const login = /^(?:\d+\+)?([a-z\d-]+(?:\[bot\])?)@users\.noreply\.github\.com$/i.exec(email)?.[1];
    return login === undefined ? name || undefined : `@${login}`;
  }

  async #bringIn(theirs: string): Promise<ConflictFile[]> {
    const { git, temporary } = this.#tools;
    const base = this.#remoteTip ?? this.#place.base;
    // What was written while their push was fetched is merged, not replaced.
    await this.#worktree?.commitAll(this.#messageOf("chore: save work in progress"));
    const before = this.tip;
    if (before === base) return this.#describe(await this.#moveTo(theirs), before);
    const { tree, conflicts } = await mergeTrees(git, temporary, { base, ours: this.tip, theirs });
    // The server takes no history that begins at a commit which it has not any more.
    const isRewritten = !(await isAncestor(git, base, theirs));
    const commit = isRewritten
      ? await commitTree(
          git,
          tree,
          [theirs],
          this.#messageOf("chore: bring the work to the rewritten branch"),
        )
      : await commitTree(git, tree, [this.tip, theirs], MERGE_MESSAGE);
    return this.#describe([...conflicts, ...(await this.#moveTo(commit))], before);
  }

  /** As they stand at the tip, and as they were in the commit that the run had `before`. */
  async #describe(conflicts: readonly string[], before: string): Promise<ConflictFile[]> {
    const commit = this.tip;
    const paths = [...new Set(conflicts)];
    const [theirs, ours] = await Promise.all(
      [commit, before].map((one) => hashesAt(this.#tools.git, one, paths)),
    );
    return paths.map((path) => {
      const [sha256, own] = [theirs?.get(path), ours?.get(path)];
      return { path, commit, ...(sha256 ? { sha256 } : {}), ...(own ? { ours: own } : {}) };
    });
  }

  #messageOf(subject: string): string {
    return `${subject}\n\n${RUN_TRAILER}: ${this.#place.run}\n`;
  }

  async #moveTo(commit: string): Promise<string[]> {
    const replaced = (await this.#worktree?.moveTo(commit)) ?? [];
    this.#bareTip = commit;
    return replaced;
  }
}

/** SHA-256 (hex) of the files of a commit, by path; what is a folder there, or nothing, is missing. */
async function hashesAt(git: Git, commit: string, paths: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  if (paths.length === 0) return hashes;
  const wanted = new Set(paths);
  const listed = rowsOf((await git(["ls-tree", "-r", "-l", "-z", commit])).stdout).flatMap((row) => {
    const [, oid = "", size, path = ""] = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(row) ?? [];
    return wanted.has(path) ? [{ oid, path, size: Number(size) }] : [];
  });
  for (const part of partsOf(listed)) {
    const oids = part.map(({ oid }) => oid);
    const blobs = await readBlobs(git, oids);
    for (const [index, { path }] of part.entries()) {
      hashes.set(path, sha256Of(blobs[index] ?? ""));
    }
  }
  return hashes;
}

async function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  return (await git(["merge-base", "--is-ancestor", commit, of], { answers: [1] })).exitCode === 0;
}

// The files of a work's state as the tree of its state ref, and back.

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

// The state ref of a work: read and moved together with its branch.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError, messageOf } from "../core/errors.ts";
import type { ConflictFile } from "../core/interaction.ts";
import { inTurn } from "../core/json.ts";
import type { AuditHead } from "../core/lines.ts";
import type {
  Checkpoint,
  CheckpointOptions,
  FindKeys,
  SessionChanges,
  StateRef,
  StateRefPlace,
  Worktree,
} from "../core/ports-host.ts";
import { createGit, type Git, gitEnvironment } from "../sandbox/git-process.ts";
import { writableFolders } from "../sandbox/own-tools.ts";
import { isOfPack } from "../store/packed.ts";
import { checkedId, listTree } from "./object-store.ts";
import { commitTree, gitText, isRefusal, readBlobs, readCommit, rowsOf } from "./objects.ts";
import { createClone, findRemote } from "./remote.ts";
import { WorkLine } from "./state-branch.ts";
import { fetchTips, type PushRate, pushTogether, readTips } from "./state-push.ts";
import { notState, refuseNewerCommit, StateTree } from "./state-tree.ts";
import { listSessionChanges } from "./worktree.ts";

// Equal requests that wait share one turn and one result.

type Ticket = {
  /** Resolves when an urgent request joins. */
  hurry: Promise<void>;
  /** Closes the turn to further requests; returns all wishes in their order. */
  close(): string;
};

type Waiting<T> = { kind: string; wants: Set<string>; hurry: () => void; result: Promise<T> };

type WaitingLine<T> = {
  /** Joins the waiting turn of the same kind, or runs `work` in a new turn after all earlier ones. */
  join(want: string, kind: string, isUrgent: boolean, work: (ticket: Ticket) => Promise<T>): Promise<T>;
};

/** An empty queue; runs its turns one at a time in the order of requests. */
export function createWaitingLine<T>(): WaitingLine<T> {
  let waiting: Waiting<T> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    join(want, kind, isUrgent, work) {
      if (waiting?.kind !== kind) {
        let hurryUp = (): void => {};
        const hurry = new Promise<void>((resolve) => {
          hurryUp = resolve;
        });
        const wants = new Set<string>();
        const close = (): string => {
          if (waiting === mine) waiting = undefined;
          return [...wants].join(", ");
        };
        const run = () => work({ hurry, close }).finally(close);
        const result = last.then(run, run);
        last = result.catch(() => {});
        const mine: Waiting<T> = { kind, wants, hurry: hurryUp, result };
        waiting = mine;
      }
      waiting.wants.add(want);
      if (isUrgent) waiting.hurry();
      return waiting.result;
    },
  };
}

const MERGES = 5;
const SOON_MS = 250; // The end of a run follows its last steps this soon: then one push saves them all.
/** Renews the claim after this time, because a run that can't ask GitHub takes an older claim for dead. */
const FRESH_MS = 4 * 60_000;

type Tools = { git: Git; remote: string; temporary: string; rate: PushRate; findKeys?: FindKeys | undefined };

/** Reads both refs and writes the state's files into the local folder. */
export async function openStateRef(
  tools: Tools & { listed?: Promise<Map<string, string>> },
  wanted: StateRefPlace,
): Promise<StateRef> {
  const refs = [wanted.ref, ...(wanted.formerRefs ?? [])];
  for (const ref of refs) checkRefs({ ref, base: wanted.base });
  const branchRef = `refs/heads/${wanted.branch}`;
  const tips = await fetchTips(tools, [...refs, branchRef], 1, tools.listed);
  const place = { ...wanted, ref: refs.find((ref) => tips.has(ref)) ?? wanted.ref };
  const tree = new StateTree(tools.git, place.folder);
  const commit = tips.get(place.ref);
  const last = commit === undefined ? undefined : await readState(tools.git, tree, commit);
  const trees = new Map(tree.stored);
  for (const [sessionId, pair] of place.trees ?? [])
    pair ? trees.set(sessionId, pair) : trees.delete(sessionId);
  const branch = new WorkLine(tools, place, tips.get(branchRef), trees);
  if (last) await branch.meet(last.work);
  return new GitStateRef(tools, place, { tree, branch, last });
}

async function readState(git: Git, tree: StateTree, commit: string): Promise<Checkpoint> {
  try {
    const last = await readCheckpoint(git, commit);
    await tree.fill(commit);
    return last;
  } catch (error) {
    // A newer version's checkpoint may differ in everything but its header: then report the version.
    await refuseNewerCommit(git, commit);
    throw error;
  }
}

function checkRefs({ ref, base }: Pick<StateRefPlace, "ref" | "base">): void {
  checkedId(base);
  if (/^refs\/(?:[A-Za-z0-9][A-Za-z0-9_-]*\/)+[a-z0-9][a-z0-9-]{0,80}(?:\.shard-\d+-\d+)?$/.test(ref)) return;
  throw new LoopliaError("config-invalid", `${JSON.stringify(ref)} is not a state ref`, {
    hint: "set `state-ref-prefix` to the first part of a ref, for example refs/looplia-state/",
  });
}

async function readCheckpoint(git: Git, commit: string): Promise<Checkpoint> {
  const { message, at } = await readCommit(git, commit);
  const trailers = new Map<string, string>();
  for (const line of (message.trimEnd().split("\n\n").at(-1) ?? "").split("\n")) {
    const [, name, value] = /^([A-Za-z]+): (\S+)$/.exec(line) ?? [];
    if (name && value) trailers.set(name, value);
  }
  const [work, run] = [trailers.get("Work"), trailers.get("Run")];
  if (work && run && trailers.has("Nonce")) return { commit, work: checkedId(work), run, at };
  throw notState(commit, "it lacks a checkpoint's trailers");
}

class GitStateRef implements StateRef {
  readonly #tools: Tools;
  readonly #place: StateRefPlace;
  readonly #tree: StateTree;
  readonly #branch: WorkLine;
  readonly #line = createWaitingLine<Checkpoint>();
  #last: Checkpoint | undefined;
  /** The tree of this run's last checkpoint. */
  #lastTree: string | undefined;
  #lost: LoopliaError | undefined;
  /** Pushed without a clear answer from the remote. */
  #inDoubt: { commit: string; work: string | undefined } | undefined;
  #soft: NodeJS.Timeout | undefined;
  /** Why a checkpoint is due soon: the next one says so. */
  readonly #due = new Set<string>();

  constructor(
    tools: Tools,
    place: StateRefPlace,
    { tree, branch, last }: { tree: StateTree; branch: WorkLine; last: Checkpoint | undefined },
  ) {
    this.#tools = tools;
    this.#place = place;
    this.#tree = tree;
    this.#branch = branch;
    this.#last = last;
  }

  get last(): Checkpoint | undefined {
    return this.#last;
  }

  get isOurs(): boolean {
    return this.#lastTree !== undefined && this.#lost === undefined;
  }

  get branchTip(): string | undefined {
    return this.#branch.remoteTip;
  }

  get filesTip(): string | undefined {
    return this.#branch.trees.unfinished ?? this.#branch.remoteTip;
  }

  get madeTree(): string | undefined {
    const { unfinished, made } = this.#branch.trees;
    return unfinished ?? made;
  }

  changesOf(sessionId: string): Promise<SessionChanges | undefined> {
    const pair = this.#branch.pairs().get(sessionId);
    return pair ? listSessionChanges(this.#tools.git, pair) : Promise.resolve(undefined);
  }

  get removed(): readonly ConflictFile[] {
    return this.#branch.removed;
  }

  settleRemoved(how: "restore" | "keep"): Promise<void> {
    return this.#branch.settleRemoved(how);
  }

  openWorktree(): Promise<Worktree> {
    return this.#branch.openWorktree();
  }

  checkpoint(message: string, options: CheckpointOptions = {}): Promise<Checkpoint> {
    const { isUrgent = false, stateOnly = false, isWhole = false } = options;
    const kind = stateOnly ? "state" : isWhole ? "whole" : "both";
    return this.#line.join(message, kind, isUrgent, async (ticket) => {
      this.#checkNotLost(stateOnly);
      await this.#tools.rate.turn(ticket.hurry);
      clearTimeout(this.#soft);
      this.#soft = undefined;
      return inTurn(this.#line, () => {
        const wants = [...this.#due.add(ticket.close())].join(", ");
        this.#due.clear();
        return this.#make(wants, { stateOnly, isWhole });
      });
    });
  }

  bringIn(): Promise<void> {
    const bring = async () => {
      if (this.#lost) return;
      await this.#settleDoubt();
      const tip = (await readTips(this.#tools, [this.#branch.ref])).get(this.#branch.ref);
      if (tip !== undefined && tip !== this.#branch.remoteTip) await this.#mergeRemote();
    };
    return inTurn(this.#line, bring).catch((thrown: unknown) => {
      if (!(thrown instanceof LoopliaError)) throw thrown;
    });
  }

  checkpointSoon(message: string): void {
    if (this.#soft || this.#lost) return;
    this.#due.add(message);
    const wait = Math.max(SOON_MS, this.#tools.rate.untilSoft());
    this.#soft = setTimeout(() => {
      this.#soft = undefined;
      this.checkpoint(message).catch((thrown: unknown) => {
        // `whenLost` already reports a lost work; any other failure is repaired by the next checkpoint.
        if (thrown !== this.#lost) this.#place.notice(`Not saved yet: ${messageOf(thrown)}`);
      });
    }, wait).unref();
  }

  together(work: () => Promise<void>): Promise<void> {
    return inTurn(this, work);
  }

  /** The last state of a work with a deleted branch may still be saved. */
  #checkNotLost(stateOnly: boolean): void {
    if (this.#lost && !(stateOnly && this.#lost.code === "closed")) throw this.#lost;
  }

  async #make(message: string, how: { stateOnly: boolean; isWhole: boolean }): Promise<Checkpoint> {
    const { stateOnly } = how;
    await this.#settleDoubt();
    for (let merges = 0; merges <= MERGES; merges += 1) {
      if (!stateOnly && this.#last && this.#branch.remoteTip === undefined) throw await this.#loseBranch();
      const { tree, audits, ...prepared } = await this.#prepare(how);
      const last = this.#last;
      if (last && tree === this.#lastTree && prepared.work === last.work && isFresh(last)) return last;
      const work = await this.#onServer(prepared.work, stateOnly);
      const { commit, pushed } = await this.#push({ message, tree, audits }, stateOnly ? undefined : work);
      if (pushed.kind === "lost") throw this.#lose("lost");
      if (pushed.kind === "gone") throw await this.#loseBranch();
      if (pushed.kind !== "moved") this.#last = await readCheckpoint(this.#tools.git, commit);
      this.#inDoubt = undefined;
      if (pushed.kind === "won" && this.#last) {
        this.#lastTree = tree;
        if (!stateOnly) this.#branch.notePushed(work);
        return this.#last;
      }
      if (pushed.kind === "half" && isRefusal(pushed.reason)) throw pushed.reason;
      await this.#mergeRemote();
    }
    throw new LoopliaError("host-failed", `branch ${this.#place.branch} refuses this run's commits`, {
      hint: "run again when nobody is pushing to the branch, and exempt the branch prefix from the repository's rules",
    });
  }

  /**
   * Saves the latest files in the state, if it still exists: once the branch is restored, a question offers
   * them.
   */
  async #loseBranch(): Promise<LoopliaError> {
    const keep = async () => {
      const { tree, audits } = await this.#prepare({ stateOnly: false, isWhole: false });
      const message = "chore: keep the last results";
      const { commit, pushed } = await this.#push({ message, tree, audits }, undefined);
      if (pushed.kind === "won") this.#last = await readCheckpoint(this.#tools.git, commit);
      this.#inDoubt = undefined;
    };
    await keep().catch(() => undefined); // the deleted branch is reported in any case
    return this.#lose("gone");
  }

  /** The commit to push: the server may have to make it. */
  async #onServer(work: string, stateOnly: boolean): Promise<string> {
    const { makeCommit } = this.#place;
    if (!makeCommit || stateOnly || work === this.#branch.remoteTip) return work;
    return this.#branch.makeOnServer(work, makeCommit);
  }

  async #mergeRemote(): Promise<void> {
    const conflicts = await this.#branch.mergeRemote();
    if (conflicts.length > 0) await this.#place.whenConflict(conflicts);
  }

  /** Captures one moment: the stores wait meanwhile, so no effect is in the worktree without its record. */
  #prepare(how: {
    stateOnly: boolean;
    isWhole: boolean;
  }): Promise<{ tree: string; work: string; audits: string }> {
    return inTurn(this, async () => {
      let tree = "";
      let audits = "";
      let work = this.#last?.work ?? this.#branch.tip;
      await this.#place.seal(async () => {
        if (!how.stateOnly) work = await this.#branch.save(how.isWhole);
        tree = await this.#tree.write(this.#branch.pairs());
        audits = auditTrailers(this.#place.auditHeads());
      });
      return { tree, work, audits };
    });
  }

  async #push(
    { message, tree, audits }: { message: string; tree: string; audits: string },
    work: string | undefined,
  ): Promise<{ commit: string; pushed: Awaited<ReturnType<typeof pushTogether>> }> {
    const { ref, run } = this.#place;
    const { git, rate } = this.#tools;
    const expected = this.#last?.commit;
    // Without a nonce, two runs could make the same commit and both believe that theirs was pushed.
    const nonce = randomBytes(16).toString("hex");
    const trailers = `Work: ${work ?? this.#last?.work ?? this.#branch.tip}\nRun: ${run}\nNonce: ${nonce}\n${audits}`;
    const parents = expected === undefined ? [] : [expected];
    const commit = await commitTree(git, tree, parents, `${toLine(message)}\n\n${trailers}`);
    const branch = work && { ref: this.#branch.ref, commit: work, expected: this.#branch.remoteTip };
    const moves = { state: { ref, commit, expected }, ...(branch ? { branch } : {}) };
    this.#inDoubt = { commit, work };
    return { commit, pushed: await pushTogether(this.#tools, moves, () => rate.count()) };
  }

  /** A failed push may have succeeded on the remote: then the run continues from its commit. */
  async #settleDoubt(): Promise<void> {
    if (!this.#inDoubt) return;
    const { commit, work } = this.#inDoubt;
    const tips = await readTips(this.#tools, [this.#place.ref, this.#branch.ref]);
    if (tips.get(this.#place.ref) === commit) {
      this.#last = await readCheckpoint(this.#tools.git, commit);
      if (work !== undefined && tips.get(this.#branch.ref) === work) this.#branch.notePushed(work);
    }
    this.#inDoubt = undefined;
  }

  #lose(kind: "lost" | "gone"): LoopliaError {
    const { ref, branch } = this.#place;
    clearTimeout(this.#soft);
    this.#lost =
      kind === "lost"
        ? new LoopliaError("lost-race", `another run wrote to ${ref} first, so this run stopped`, {
            hint: "allow one run at a time: give the workflow a concurrency group",
          })
        : new LoopliaError("closed", `branch ${branch} or its state was deleted while the work was open`, {
            hint: "run again to start a new work, or, unless it was merged, restore the branch and reopen the pull request: the state keeps this run's last results, and a question offers them",
          });
    this.#place.whenLost(this.#lost);
    return this.#lost;
  }
}

/** A later commit reveals whether the log of an earlier one was cut or rewritten. */
function auditTrailers(heads: ReadonlyMap<string, AuditHead>): string {
  return [...heads].map(([session, { count, hash }]) => `Audit: ${session} ${count} ${hash}\n`).join("");
}

function isFresh({ at }: Checkpoint): boolean {
  return Date.now() - Date.parse(at) < FRESH_MS;
}

function toLine(message: string): string {
  return message.replaceAll(/\s+/g, " ").trim().slice(0, 200) || "checkpoint";
}

// Reads a work's stores from its state ref, with the message of each checkpoint.

const READ =
  /^(?:header\.json|sessions\/[a-z0-9][a-z0-9-]{0,80}\/(?:events|conversation|audit)\/\d{6}\.jsonl)$/;
/** A depth that means the whole history. */
const ALL_COMMITS = 2_147_483_647;

type StoredAudit = {
  ref: string;
  files: { path: string; bytes: Uint8Array }[];
  /** Newest first. */
  commits: { id: string; message: string }[];
};

type Place = {
  checkout: string;
  systemTemp: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** The repository on a server, with a token. */
  server?: { serverUrl: string; repository: string; token: string };
};

/**
 * Reads the first of `refs` in the checkout, else on the server; undefined if neither has one. Throws
 * `host-failed`. Changes nothing in the checkout.
 */
export async function readStoredAudit(
  { checkout, systemTemp, environment, server }: Place,
  refs: readonly string[],
): Promise<StoredAudit | undefined> {
  const temporary = await mkdtemp(join(systemTemp, "looplia-audit-"));
  try {
    const writable = [temporary, ...writableFolders(checkout)];
    const around = { home: temporary, environment: gitEnvironment({ ...environment }, writable), writable };
    const local = createGit({ ...around, folder: checkout, remote: "", token: undefined });
    for (const ref of refs) {
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
      const tip = await gitText(local, args, { answers: [1, 128] }).catch(() => "");
      if (tip !== "") return await readAt(local, ref, tip);
    }
    const full = refs.filter((ref) => ref.startsWith("refs/"));
    if (!server || full.length === 0) return undefined;
    const remote = await findRemote({ checkout, ...server });
    const folder = await mkdtemp(join(temporary, "clone-"));
    const git = createClone({ ...around, folder, remote, token: server.token });
    const tips = await fetchTips({ git, remote }, full, ALL_COMMITS);
    const ref = full.find((one) => tips.has(one));
    return ref === undefined ? undefined : await readAt(git, ref, tips.get(ref) ?? "");
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function readAt(git: Git, ref: string, tip: string): Promise<StoredAudit> {
  const listed = await listTree(git, (await readCommit(git, tip)).tree);
  const wanted = listed.filter(({ path }) => READ.test(path) || isOfPack(path));
  const found = wanted.sort((a, b) => (a.path < b.path ? -1 : 1));
  const odd = found.find(({ mode }) => !mode.startsWith("100"));
  if (odd) throw new LoopliaError("store-corrupt", `${ref}: ${odd.path} is not a file.`);
  const blobs = await readBlobs(
    git,
    found.map(({ oid }) => oid),
  );
  const log = await git(["log", "--first-parent", "-z", "--format=%H%n%B", tip]);
  const commits = rowsOf(log.stdout).map((row) => {
    const end = row.indexOf("\n");
    return { id: row.slice(0, end), message: row.slice(end + 1) };
  });
  const files = found.map(({ path }, index) => ({ path, bytes: Buffer.from(blobs[index] ?? "") }));
  return { ref, commits, files };
}

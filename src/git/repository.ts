// Clones, fetches and reads the user's repository.
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import { EMPTY_LEDGER, type Ledger, ledgerShape, type MonthLedger } from "../core/money/ledger.ts";
import type { TrustedFiles } from "../core/ports.ts";
import type { FindKeys, Repository, Shards, StoredShard } from "../core/ports-host.ts";
import { showPath, splitPath } from "../files/names.ts";
import { decodeTrusted, MAX_TRUSTED_BYTES, unreadable } from "../files/sources.ts";
import type { Git } from "../sandbox/git-process.ts";
import {
  checkedId,
  EMPTY_TREE,
  editTree,
  FOLDER_MODE,
  findObject,
  listTree,
  nameAsText,
  readObject,
  readRef,
  readTree,
  writeObject,
} from "./object-store.ts";
import { commitTree, findEntry, readBlobs, readCommit, sizesOf, treeOf } from "./objects.ts";
import { type BegunClone, createClone, fetchRequest, makeClone } from "./remote.ts";
import {
  fetchTips,
  listStoredWorks,
  listTips,
  openLetters,
  type PushRate,
  pushTogether,
  type Remote,
  readTips,
  removeRefs,
  setStateAside,
} from "./state-push.ts";
import { openStateRef } from "./state-ref.ts";
import { readSessionTrees } from "./state-tree.ts";

// Read-only files of the trusted ref: a commit that is read without a checkout.

/** The tree of a commit (its full id) below `folder`. Follows links inside the tree, never out of it. */
export function trustedCommit(git: Git, commit: string, label: string, folder = ""): TrustedFiles {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) {
    throw new LoopliaError("config-invalid", `${showPath(commit)} is not the full id of a commit.`);
  }
  const look = async (path: string) => {
    const place = [...splitPath(folder), ...splitPath(path)].join("/");
    if (/\p{Cc}/u.test(place)) throw unreadable(`${label}${path}`, "has a control character in its name");
    const found = await findEntry(git, commit, place);
    if (found !== "leads-away") return found;
    throw unreadable(
      `${label}${path}`,
      "is a link that leads out of the repository, to nothing, or in a loop",
    );
  };
  return {
    label,
    async read(path) {
      const found = await look(path);
      const object =
        found && found.mode !== FOLDER_MODE ? await findObject(git, found.oid, MAX_TRUSTED_BYTES) : undefined;
      if (object === "too-large") throw unreadable(`${label}${path}`, "is larger than 10 MiB");
      return object?.type === "blob" ? decodeTrusted(`${label}${path}`, object.bytes) : undefined;
    },
    async list(path) {
      const found = await look(path);
      return found?.mode === FOLDER_MODE
        ? [...(await readTree(git, found.oid)).keys()].map(nameAsText).sort()
        : [];
    },
  };
}

// The program's own clone of the remote: shallow, bare, with a clean configuration, in a temporary folder.

// Overrides every .gitattributes: files are checked out byte for byte and no driver runs.
const ATTRIBUTES = "* -text !eol -ident !filter !working-tree-encoding !diff !merge\n";

/** Opens the clone that was begun in `temporary`, or makes one. The caller removes the folder, which also contains the worktrees. */
export async function openRepository(options: {
  temporary: string;
  remote: string;
  token: string | undefined;
  /** Chosen by `gitEnvironment`. */
  environment: Record<string, string>;
  /** Folders that commands can write to. */
  writable?: readonly string[];
  /** Shared by all clones of the remote. */
  rate: PushRate;
  /** Keeps files in which an agent put keys out of the branch. */
  findKeys?: FindKeys | undefined;
  /** A clone with the same remote and token. */
  begun?: BegunClone | undefined;
}): Promise<Repository> {
  const { temporary, remote, token, environment, rate, findKeys, begun, writable = [temporary] } = options;
  const isBegun = begun?.temporary === temporary;
  const git = isBegun ? begun.git : makeClone({ temporary, remote, token, environment, writable });
  const tools = { git, remote, rate };
  const { folder } = git;
  const home = join(temporary, "home");
  await writeFile(join(folder, "info", "attributes"), ATTRIBUTES);
  const branches = openBranches(git, remote);
  const fetch = (commit: string, branch?: string) => fetchCommit(git, remote, commit, branch);
  const list = rememberLists((commit, below) => listFolder(git, commit, below));
  return {
    folder,
    defaultBranch: () => readDefaultBranch(git, remote),
    tipOf: branches.tipOf,
    fetchBranch: branches.fetch,
    fetchCommit: fetch,
    listFiles: async (commit, below) => (await list(commit, below)).files,
    listLinks: async (commit, below) => (await list(commit, below)).links,
    readBlobs: (oids) => readBlobs(git, oids),
    readFile: async (oid, most) => {
      const found = await findObject(git, oid, most);
      return typeof found === "object" ? found.bytes : undefined;
    },
    sizesOf: (oids) => sizesOf(git, oids),
    writeFiles: (commit, folder) => writeFiles(git, { commit: checkedId(commit), folder, temporary }),
    trustedFiles: (commit, below, label) => trustedCommit(git, checkedId(commit), label, below),
    storedWorks: (prefixes) =>
      listStoredWorks(
        {
          git,
          remote,
          temporary,
          createClone: (clone) => createClone({ folder: clone, home, remote, token, environment, writable }),
        },
        prefixes,
      ),
    sessionTrees: (state) => readSessionTrees(git, checkedId(state)),
    stateTip: async (stateRefs) => {
      const tips = await readTips(tools, stateRefs);
      const ref = stateRefs.find((one) => tips.has(one));
      return ref === undefined ? undefined : { ref, commit: tips.get(ref) ?? "" };
    },
    setStateAside: (tip) => setStateAside(tools, tip),
    removeStates: async (stateRefs, commits) => {
      const tips = await readTips(tools, stateRefs);
      const unchanged = [...tips].filter(([, commit]) => commits.has(commit));
      await removeRefs(tools, unchanged);
    },
    shards: (place) => openShards(tools, place),
    sharePushes: (shard) => rate.share(shard),
    monthLedger: (prefix) => openBudgetRef(tools, prefix),
    letters: (stateRefs) => openLetters(tools, stateRefs),
    openStateRef: (place) => openStateRef({ ...tools, temporary, findKeys, ...branches.takeListed() }, place),
  };
}

async function readDefaultBranch(git: Git, remote: string): Promise<string> {
  const listed = await git(["ls-remote", "--symref", "--", remote, "HEAD"], { authorized: true });
  const branch = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listed.stdout.toString("utf8"))?.[1];
  if (branch) return branch;
  throw new LoopliaError("host-failed", "the repository has no default branch", {
    hint: "push a first commit to it",
  });
}

/** The first fetch also lists all refs, in which the state is looked for without a request of its own. */
function openBranches(git: Git, remote: string) {
  let isFirst = true;
  let listed: Promise<Map<string, string>> | undefined;
  return {
    async tipOf(branch: string): Promise<string | undefined> {
      const ref = `refs/heads/${branch}`;
      return (await (listed ?? readTips({ git, remote }, [ref]))).get(ref);
    },
    async fetch(branch: string): Promise<string | undefined> {
      if (isFirst) listed = listTips({ git, remote }, []);
      isFirst = false;
      const [tip] = await Promise.all([fetchBranch(git, remote, branch), listed]);
      return tip;
    },
    /** Once: what is looked for later is asked for anew. */
    takeListed(): { listed?: Promise<Map<string, string>> } {
      const taken = listed ? { listed } : {};
      listed = undefined;
      return taken;
    },
  };
}

async function fetchBranch(git: Git, remote: string, branch: string): Promise<string | undefined> {
  // No branch has such a name, and a request for several would be another one.
  if (/[\s:*?[\\^~]/.test(branch)) return undefined;
  try {
    await git(fetchRequest(remote, branch), { authorized: true });
  } catch (thrown) {
    if (/couldn't find remote ref/i.test(messageOf(thrown))) return undefined;
    throw thrown;
  }
  return readRef(git, `refs/fetched/heads/${branch}`);
}

async function fetchCommit(
  git: Git,
  remote: string,
  commit: string,
  branch: string | undefined,
): Promise<void> {
  checkedId(commit);
  if (await hasCommit(git, commit)) return;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
  const byId = await git([...fetch, "--depth=1", "--", remote, commit], {
    authorized: true,
    answers: branch === undefined ? [] : [1, 128],
  });
  if (byId.exitCode === 0 || branch === undefined) return;
  // Old servers serve only branch tips by id: then the whole branch is fetched.
  await git([...fetch, "--", remote, `refs/heads/${branch}`], { authorized: true });
  if (await hasCommit(git, commit)) return;
  throw new LoopliaError("host-failed", `commit ${commit} is no longer on branch ${branch}`, {
    hint: "run again: somebody rewrote the branch during the run",
  });
}

async function hasCommit(git: Git, commit: string): Promise<boolean> {
  const tree = await treeOf(git, commit);
  return tree !== undefined && (await findObject(git, tree)) !== undefined;
}

type Listed = { files: Awaited<ReturnType<Repository["listFiles"]>>; links: string[] };
type List = (commit: string, folder: string) => Promise<Listed>;

/** Lists of so many folders are kept: a run that collects reads those of hundreds of shards once. */
const MOST_LISTS = 4;

/** The files of a commit never change. */
function rememberLists(list: List): List {
  const known = new Map<string, ReturnType<List>>();
  return (commit, below) => {
    const name = `${commit}:${below}`;
    const listed = known.get(name) ?? list(commit, below);
    known.delete(name);
    known.set(name, listed);
    for (const oldest of known.keys()) if (known.size > MOST_LISTS) known.delete(oldest);
    return listed;
  };
}

async function listFolder(git: Git, commit: string, folder: string): Promise<Listed> {
  const path = folder === "." ? "" : folder.replace(/\/+$/, "");
  const found = await findEntry(git, checkedId(commit), path);
  if (typeof found !== "object" || found.mode !== FOLDER_MODE) return { files: [], links: [] };
  const listed = await listTree(git, found.oid, path === "" ? "" : `${path}/`);
  const files = listed.filter(({ mode }) => mode === "100644" || mode === "100755");
  const links = listed.filter(({ mode }) => mode === "120000");
  return {
    files: files.map(({ path, oid }) => ({ path, oid })).sort((a, b) => (a.path < b.path ? -1 : 1)),
    links: links.map(({ path }) => path).sort(),
  };
}

// Refs beside a work's state ref: the month's ledger, and plans and results of shards.

/** After each try another run was faster. */
const TRIES = 20;
const LONGEST_WAIT_MS = 400;

type Tools = Remote & { rate: PushRate };

/**
 * Replaces the text that a ref of its own holds; undefined for no ref. `change` sees the newest text, and again after a
 * run that was faster. Returns the text as it is then.
 */
async function changeText(
  tools: Tools,
  place: { ref: string; file: string; subject: string },
  change: (text: string | undefined, commit: string) => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  const { git, rate } = tools;
  const { ref, file, subject } = place;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const expected = (await fetchTips(tools, [ref])).get(ref);
    const found = expected === undefined ? undefined : await findEntry(git, expected, file);
    const stored =
      expected === undefined
        ? undefined
        : typeof found === "object"
          ? (await readObject(git, found.oid, "blob")).toString("utf8")
          : "";
    const next = await change(stored, expected ?? "");
    if (next === stored) return stored;
    if (next === undefined) {
      await removeRefs(tools, [[ref, expected ?? ""]]);
      return next;
    }
    const oid = await writeObject(git, "blob", next);
    const tree = await editTree(git, EMPTY_TREE, new Map([[file, { mode: "100644", oid }]]));
    const commit = await commitTree(git, tree, expected === undefined ? [] : [expected], `${subject}\n`);
    const { kind } = await pushTogether(tools, { state: { ref, commit, expected } }, () => rate.count());
    if (kind === "won") return next;
    // Random waits, so that runs that lost together do not collide again.
    await sleep(Math.random() * Math.min(LONGEST_WAIT_MS, 20 * 2 ** tries));
  }
  throw new LoopliaError("host-failed", `too many runs write to ${ref} at once`, {
    hint: "run again in a minute",
  });
}

/** `prefix`: of the state refs. The dot in the ref's name makes sure that it is no work's. */
function openBudgetRef(tools: Tools, prefix: string): MonthLedger {
  const place = {
    ref: `${prefix}month.budget`,
    file: "budget.json",
    subject: "chore: settle the month's budget",
  };
  return {
    async update(change) {
      let ledger = EMPTY_LEDGER;
      await changeText(tools, place, (text, commit) => {
        const stored = text === undefined ? EMPTY_LEDGER : readLedger(text, commit);
        ledger = change(stored);
        return ledger === stored ? text : `${JSON.stringify(ledger, null, 1)}\n`;
      });
      return ledger;
    },
  };
}

function readLedger(text: string, commit: string): Ledger {
  const parsed = ledgerShape().safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LoopliaError("store-corrupt", `the month's budget (commit ${commit}) can't be read`, {
    hint: "delete its ref, <state-ref-prefix>month.budget: the month then starts at zero",
  });
}

// The refs of a work's shards beside its state: the plans of all runs, and the state and branch of each shard.

/**
 * `stateRef`: of the work's own state; `branch`: its branch. Shard names contain a dot, so none is a work's.
 */
/** Byte for byte, by an index of its own. */
async function writeFiles(
  git: Git,
  { commit, folder, temporary }: { commit: string; folder: string; temporary: string },
): Promise<void> {
  const index = join(temporary, `export-${randomBytes(6).toString("hex")}-index`);
  try {
    await git(["read-tree", "-m", "-u", commit], { worktree: { root: folder, records: git.folder, index } });
  } finally {
    await rm(index, { force: true });
  }
}

function openShards(tools: Tools, { stateRef, branch }: { stateRef: string; branch: string }): Shards {
  const plans = { ref: `${stateRef}.plans`, file: "plans.json", subject: "chore: plan shards" };
  const stateOf = (name: string) => `${stateRef}.${name}`;
  const branchOf = (name: string) => `refs/heads/${branch}.${name}`;
  return {
    changePlans: (change) => changeText(tools, plans, change),
    async ownState() {
      return (await fetchTips(tools, [stateRef])).get(stateRef);
    },
    async list() {
      const listed = await listTips(tools, [stateOf("shard-*"), branchOf("shard-*")]);
      const names = [...listed.keys()].flatMap((ref) => shardName(ref, stateOf("")) ?? []).sort();
      if (names.length === 0) return [];
      const refs = names.flatMap((name) => [stateOf(name), branchOf(name)]);
      const tips = await fetchTips(tools, refs);
      const shards: StoredShard[] = [];
      for (const name of names) {
        const state = tips.get(stateOf(name));
        if (state === undefined) continue;
        const { message } = await readCommit(tools.git, state);
        shards.push({ name, state, branch: tips.get(branchOf(name)), message: message.split("\n")[0] ?? "" });
      }
      return shards;
    },
    async remove(shards) {
      const gone = new Map(shards.map(({ name, state }) => [stateOf(name), state]));
      for (const { name, branch: tip } of shards) if (tip !== undefined) gone.set(branchOf(name), tip);
      await removeRefs(tools, gone);
    },
  };
}

function shardName(ref: string, prefix: string): string | undefined {
  const name = ref.startsWith(prefix) ? ref.slice(prefix.length) : "";
  return /^shard-\d{1,20}-\d{1,3}$/.test(name) ? name : undefined;
}

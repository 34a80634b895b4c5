// Finds the work, the items and the settings of a run of the Action.
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { type Diagnostic, formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { describeMissingKey, findProvider, type Provider } from "../config/providers.ts";
import { resolveSettings } from "../config/settings.ts";
import type { Settings } from "../config/settings-table.ts";
import { SOURCE_FILES } from "../config/tasks.ts";
import { createWorkId, isSessionId } from "../content/item.ts";
import { LoopliaError } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import type { TrustedFiles, TrustedTree } from "../core/ports.ts";
import type { CodeHost, PullRequest, Repository } from "../core/ports-host.ts";
import { isTasksWork } from "./handle.ts";
import { chooseRefs, defaultBranchOf, describeOddItems, type EventFacts, selectItems } from "./trigger.ts";

// Facts that the runner passes in the environment. Pure, except for reading the event's payload.

export type Environment = Readonly<Record<string, string | undefined>>;

export type RunnerFacts = {
  /** `owner/name` */
  repository: string;
  serverUrl: string;
  apiUrl: string;
  /** Folder of the checkout. */
  checkout: string;
  /** The runner's folder for temporary files. */
  temporary: string;
  runId: string;
  attempt: string;
  /** The run's number within its workflow, as people see it. */
  runNumber: string;
  /** The actor whom GitHub names for the run; undefined without a login and account id. */
  actorId: string | undefined;
  /** Login of the person who started this attempt; undefined if GitHub does not name one. */
  triggeredBy: string | undefined;
  job: string;
  /** `owner/name/.github/workflows/<file>@<ref>`; undefined where GitHub does not say. */
  workflowRef: string | undefined;
};

/** Throws `config-invalid` outside a runner. */
export function readRunnerFacts(environment: Environment): RunnerFacts {
  const need = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new LoopliaError("config-invalid", `${name} is not set: this only runs as a GitHub Action`, {
      hint: "on your own machine, use the command line instead",
    });
  };
  const repository = need("GITHUB_REPOSITORY");
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new LoopliaError(
      "config-invalid",
      `GITHUB_REPOSITORY is not owner/name: ${JSON.stringify(repository)}`,
    );
  }
  return {
    repository,
    serverUrl: environment.GITHUB_SERVER_URL || "https://github.com",
    apiUrl: environment.GITHUB_API_URL || "https://api.github.com",
    checkout: need("GITHUB_WORKSPACE"),
    temporary: need("RUNNER_TEMP"),
    runId: environment.GITHUB_RUN_ID || "0",
    attempt: environment.GITHUB_RUN_ATTEMPT || "1",
    runNumber: environment.GITHUB_RUN_NUMBER || environment.GITHUB_RUN_ID || "0",
    actorId: actorOf(environment),
    triggeredBy: environment.GITHUB_TRIGGERING_ACTOR || undefined,
    job: environment.GITHUB_JOB || "job",
    workflowRef: environment.GITHUB_WORKFLOW_REF || undefined,
  };
}

function actorOf({ GITHUB_ACTOR: login, GITHUB_ACTOR_ID: id }: Environment): string | undefined {
  return login && id && /^\d+$/.test(id) ? `github:${id}:${login}` : undefined;
}

/** The event; a payload that is missing or not JSON counts as empty. */
export async function readEvent(environment: Environment): Promise<EventFacts> {
  const path = environment.GITHUB_EVENT_PATH;
  const text = path ? await readFile(path, "utf8").catch(() => "") : "";
  return {
    name: environment.GITHUB_EVENT_NAME ?? "",
    payload: parseJson(text.replace(/^\uFEFF/, "")),
    ref: environment.GITHUB_REF ?? "",
    sha: environment.GITHUB_SHA ?? "",
  };
}

const INPUT_PREFIX = "INPUT_";

/**
 * The inputs of the workflow's `with:` by name. The runner only warns about an unknown input and passes it
 * on, so the result includes unknown names: the settings reject them.
 */
export function readInputs(environment: Environment): Record<string, string> {
  const inputs = Object.entries(environment)
    .filter(([variable]) => variable.startsWith(INPUT_PREFIX))
    .map(([variable, value = ""]) => [variable.slice(INPUT_PREFIX.length).toLowerCase(), value.trim()]);
  return Object.fromEntries(inputs);
}

// Where the repository keeps the states of works. A state ref never has the short name of a work branch: git
// would confuse the two in `git fetch origin looplia/x`.

/** Earlier versions kept the states here; their open works stay here until they end. */
const FORMER_PREFIX = "refs/looplia/";

type Prefixes = { stateRefPrefix: string; branchPrefix: string };

/** The possible state refs of a work: new works use the first, existing ones stay where they are. */
export function stateRefsOf(
  settings: Prefixes,
  workId: string,
  shard?: Work["shard"],
): [string, ...string[]] {
  if (shard) return [`${settings.stateRefPrefix}${workId}.${shard.name}`];
  const [first, ...others] = statePrefixesOf(settings);
  return [`${first}${workId}`, ...others.map((prefix) => `${prefix}${workId}`)];
}

/** The prefixes of all state refs. */
export function statePrefixesOf({ stateRefPrefix }: Prefixes): [string, ...string[]] {
  return stateRefPrefix === FORMER_PREFIX ? [FORMER_PREFIX] : [stateRefPrefix, FORMER_PREFIX];
}

/** Throws `config-invalid` if git could confuse a state with a branch. */
function checkStatePrefix({ stateRefPrefix, branchPrefix }: Prefixes): void {
  if (stateRefPrefix.replace(/^refs\/(?:heads\/)?/, "") !== branchPrefix) return;
  const message = `state-ref-prefix: ${stateRefPrefix} and the branch-prefix ${branchPrefix} give a state and its branch the same short name`;
  throw new LoopliaError("config-invalid", message, {
    hint: "remove state-ref-prefix, or set another one, for example refs/looplia-state/",
  });
}

// Which refs a run works on, and its settings from the trusted ref. Nothing is read from a work branch.

export type RunSettings = {
  settings: Settings;
  /** The branch with the items, and its tip. */
  base: string;
  baseCommit: string;
  /** Settings, pipelines and instructions, below the working directory. */
  trusted: TrustedFiles;
  /** The same for another folder of the repository. */
  trustedAt(folder: string): TrustedFiles;
  trustedTree: TrustedTree;
  /** The working directory in the repository, with `/`; empty for the root. */
  folder: string;
  warnings: string[];
};

/** Throws `config-invalid` with all errors in the settings. */
export async function findSettings(
  repository: Repository,
  event: EventFacts,
  environment: Environment,
): Promise<RunSettings> {
  const defaultBranch = defaultBranchOf(event.payload) ?? (await repository.defaultBranch());
  const early = await readEarly(environment);
  // Only the prefix identifies a work branch, and the prefix is a setting: it is read from the default
  // branch.
  const defaultCommit = await fetchTip(repository, defaultBranch);
  const onDefault = await readAt(
    repository,
    { commit: defaultCommit, label: `${defaultBranch}:` },
    early.config,
    environment,
  );
  const refs = chooseRefs(event, { branchPrefix: onDefault.settings.branchPrefix, defaultBranch });
  // Asks for each branch only once, so that the run sees the remote at one moment.
  const tipOf = async (name: string) => (name === defaultBranch ? defaultCommit : fetchTip(repository, name));
  const { branch, commit = await tipOf(branch) } = refs.trusted;
  await repository.fetchCommit(commit, branch);
  const isDefault = commit === defaultCommit;
  const read = isDefault
    ? onDefault
    : await readAt(repository, { commit, label: `${branch}:` }, early.config, environment);
  throwIfErrors(read.diagnostics);
  const { settings } = read;
  checkStatePrefix(settings);
  const folder = checkedFolder(settings.workingDirectory);
  const trustedAt = (below: string) => repository.trustedFiles(commit, below, `${branch}:`);
  return {
    settings: {
      ...settings,
      provider: chooseProvider(settings, environment),
      workingDirectory: folder || ".",
    },
    base: refs.base,
    baseCommit: refs.base === branch && !refs.trusted.commit ? commit : await tipOf(refs.base),
    trusted: trustedAt(folder),
    trustedAt,
    trustedTree: { copyTo: (into) => repository.writeFiles(commit, into), folder },
    folder,
    warnings: read.diagnostics.map(formatDiagnostic),
  };
}

/**
 * Settings needed before any file is read: from inputs and variables only. Invalid ones are reported later.
 */
export async function readEarly(environment: Environment): Promise<Settings> {
  return (await resolve(undefined, "looplia.yml", environment)).settings;
}

async function readAt(
  repository: Repository,
  { commit, label }: { commit: string; label: string },
  config: string,
  environment: Environment,
): Promise<{ settings: Settings; diagnostics: Diagnostic[] }> {
  const text = await repository.trustedFiles(commit, "", label).read(config);
  const resolved = await resolve(text, `${label}${config}`, environment);
  if (text === undefined && config !== "looplia.yml") {
    const missing = { file: `${label}${config}`, message: "there is no such settings file" };
    resolved.diagnostics.push({ severity: "error", ...missing });
  }
  return resolved;
}

function resolve(file: string | undefined, fileName: string, environment: Environment) {
  const overrides = readInputs(environment);
  return resolveSettings({ file, fileName, environment, overrides, overridesSource: "input" });
}

async function fetchTip(repository: Repository, branch: string): Promise<string> {
  const tip = await repository.fetchBranch(branch);
  if (tip !== undefined) return tip;
  throw new LoopliaError("config-invalid", `there is no branch ${branch}`, {
    hint: "push it, then run again",
  });
}

function checkedFolder(folder: string): string {
  const path = posix.normalize(folder).replace(/\/+$/, "");
  if (path === ".") return "";
  if (!posix.isAbsolute(path) && !/^\.\.(\/|$)/.test(path)) return path;
  throw new LoopliaError("config-invalid", `working-directory: ${folder} is not inside the repository`, {
    hint: "name a folder of the repository, for example docs",
  });
}

/**
 * An unset secret is an empty string and must not lead to an offline pull request: `offline` must be
 * explicit.
 */
function chooseProvider(settings: Settings, environment: Environment): Provider {
  const provider = findProvider(settings);
  if (provider !== undefined) return provider;
  const { provider: named } = settings;
  const { problem, fix } =
    named === "auto" || named === "offline"
      ? { problem: "anthropic-api-key and openai-api-key are both empty", fix: undefined }
      : describeMissingKey(named, environment);
  throw new LoopliaError("config-invalid", `${problem}, so no model can be used`, {
    hint: `${fix === undefined ? "" : `${fix}, and `}check the name of the secret; for an extractive rehearsal without a model set \`provider: offline\``,
  });
}

export type WorkKind = "content" | "tasks";

export type Work = {
  workId: string;
  /** Derived from the id until the header is read. */
  kind: WorkKind;
  /** The key that identifies the work, as text. */
  key: string;
  branch: string;
  pullRequest: PullRequest | undefined;
  /** The pull request of an earlier work of the same key that was opened again: this work ends in its favour. */
  reopened?: PullRequest;
  /** A shard of the work has its own state and branch, which begins at `from`, and no pull request. */
  shard?: { name: string; index: number; of: number; from: string };
};

/**
 * The open work of the requested session, else the work of these globs and pipeline (or task list), base and
 * folder. A merged or closed pull request ends a work: then its successor `-2`, `-3` … counts. A branch
 * without a pull request is a work whose run was interrupted. `skipped`: how many more works are known to be
 * over.
 */
export async function chooseWork(
  repository: Repository,
  host: CodeHost,
  found: RunSettings,
  { kind = "content", skipped = 0 }: { kind?: WorkKind; skipped?: number } = {},
): Promise<Work> {
  const holder = kind === "content" ? await findHolder(repository, host, found) : undefined;
  return holder ?? findNext(host, found, { kind, skipped });
}

/** The kind of work that an id stands for. Only the header of a work identifies a pipeline named `tasks`. */
export function kindOf(workId: string): WorkKind {
  return isTasksWork(workId) ? "tasks" : "content";
}

async function findHolder(
  repository: Repository,
  host: CodeHost,
  { settings, folder }: RunSettings,
): Promise<Work | undefined> {
  const { sessionId, branchPrefix } = settings;
  if (sessionId === undefined) return undefined;
  const place = posix.join(folder, ".looplia/contentItem", sessionId);
  for (const pullRequest of await host.openPullRequests(branchPrefix)) {
    const { branch } = pullRequest;
    const workId = branch.slice(branchPrefix.length);
    const tip = isSessionId(workId) ? await repository.tipOf(branch) : undefined;
    if (tip === undefined) continue;
    await repository.fetchCommit(tip, branch);
    if ((await repository.listFiles(tip, place)).length > 0)
      return { workId, kind: "content", key: sessionId, branch, pullRequest };
  }
  return undefined;
}

async function findNext(
  host: CodeHost,
  found: RunSettings,
  { kind, skipped }: { kind: WorkKind; skipped: number },
): Promise<Work> {
  const { branchPrefix, pipeline } = found.settings;
  const key = kind === "tasks" ? tasksKey(found) : contentKey(found);
  const first = createWorkId(kind === "tasks" ? kind : pipeline, key);
  const nameOf = (ordinal: number) => (ordinal === 1 ? first : `${first}-${ordinal}`);
  const look = async (ordinal: number) => {
    const requests = await host.pullRequestsOf(branchPrefix + nameOf(ordinal));
    const open = requests.find((request) => request.state === "open");
    return { open, isOver: !open && requests.length > 0 };
  };
  const { ordinal, open } = await findAfter(look, await findFirst(look), skipped);
  const branch = branchPrefix + nameOf(ordinal);
  return { workId: nameOf(ordinal), kind, key: JSON.stringify(key), branch, pullRequest: open };
}

/** The key with which these settings would begin the work of this id; undefined for another work. */
export function keyOf(
  found: RunSettings,
  { workId, kind }: Pick<Work, "workId" | "kind">,
): string | undefined {
  const key = kind === "tasks" ? tasksKey(found) : contentKey(found);
  const first = createWorkId(kind === "tasks" ? kind : found.settings.pipeline, key);
  return workId.replace(/-\d{1,4}$/, "") === first || workId === first ? JSON.stringify(key) : undefined;
}

/** As `Work.reopened`. One request to GitHub for a work that has predecessors, none for others. */
export async function findReopened(
  host: Pick<CodeHost, "openPullRequests">,
  { branchPrefix }: Pick<Settings, "branchPrefix">,
  { workId, shard }: Pick<Work, "workId" | "shard">,
): Promise<PullRequest | undefined> {
  const [, first, last] = /^(.+-[0-9a-f]{6})-(\d{1,4})$/.exec(workId) ?? [];
  if (first === undefined || shard) return undefined;
  const earlier = new Set([`${branchPrefix}${first}`]);
  for (let ordinal = 2; ordinal < Number(last); ordinal += 1)
    earlier.add(`${branchPrefix}${first}-${ordinal}`);
  return (await host.openPullRequests(branchPrefix)).find(({ branch }) => earlier.has(branch));
}

function contentKey({ settings, base, folder }: RunSettings) {
  const { content, pipeline, sessionId } = settings;
  const globs =
    content.length > 0 || sessionId === undefined ? [...content].sort() : [`session:${sessionId}`];
  return { kind: "content", globs, pipeline, base, workingDirectory: folder };
}

function tasksKey({ settings, base, folder }: RunSettings) {
  return { kind: "tasks", todo: settings.todo, base, workingDirectory: folder };
}

/** Skips that many more open candidates, because a deleted branch leaves no pull request behind. */
async function findAfter<T extends { isOver: boolean }>(
  look: (ordinal: number) => Promise<T>,
  from: T & { ordinal: number },
  skipped: number,
): Promise<T & { ordinal: number }> {
  let candidate = from;
  for (let left = skipped; left > 0; ) {
    const ordinal = candidate.ordinal + 1;
    candidate = { ...(await look(ordinal)), ordinal };
    if (!candidate.isOver) left -= 1;
  }
  return candidate;
}

/** The first work that is not over. Works end in order, so few steps find it. */
async function findFirst<T extends { isOver: boolean }>(
  look: (ordinal: number) => Promise<T>,
): Promise<T & { ordinal: number }> {
  let over = 0;
  let candidate = { ordinal: 1, ...(await look(1)) };
  while (candidate.isOver) {
    over = candidate.ordinal;
    candidate = { ordinal: over * 2, ...(await look(over * 2)) };
  }
  while (candidate.ordinal - over > 1) {
    const middle = Math.floor((over + candidate.ordinal) / 2);
    const found = await look(middle);
    if (found.isOver) over = middle;
    else candidate = { ordinal: middle, ...found };
  }
  return candidate;
}

// Content items at the tip of the base, never from a work branch.

/** Paths are relative to the working directory. */
export type Items = {
  sources: readonly string[];
  /** A sentence for each matching file that is excluded only by its name, or because it is a link. */
  odd: readonly string[];
  /** Files of the base that match any glob. */
  match(globs: readonly string[]): string[];
  /** Whether the base has a file with exactly this path; globs do not matter. */
  has(path: string): boolean;
  read(path: string): Promise<Uint8Array | undefined>;
};

const MAX_BYTES = 10 * 1024 * 1024;

/** The items that match the globs, and any file of the base by its path. */
export async function findItems(repository: Repository, found: RunSettings): Promise<Items> {
  const prefix = found.folder === "" ? "" : `${found.folder}/`;
  const files = await repository.listFiles(found.baseCommit, found.folder);
  const byPath = new Map(files.map((file) => [file.path.slice(prefix.length), file]));
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const file = byPath.get(path);
    if (!file) return undefined;
    // A file that is too large is not read: its length is enough to reject it.
    return (await repository.readFile(file.oid, MAX_BYTES)) ?? new Uint8Array(MAX_BYTES + 1);
  };
  const paths = [...byPath.keys()];
  const match = (globs: readonly string[]) => selectItems(paths, globs);
  const links = (await repository.listLinks(found.baseCommit, found.folder)).map((path) =>
    path.slice(prefix.length),
  );
  const odd = describeOddItems({ files: paths, links }, found.settings.content);
  return { sources: match(found.settings.content), odd, match, has: (path) => byPath.has(path), read };
}

/** Without a mode there must be something to do: throws `config-invalid` without globs, list or documents. */
export function requireTaskList({ match, has }: Items, { settings, base }: RunSettings): void {
  const { mode, todo, sourceFiles } = settings;
  if (mode !== "auto" || has(todo)) return;
  if (match(sourceFiles.length > 0 ? sourceFiles : SOURCE_FILES).length === 0) {
    throw nothingToDo(todo, `, and ${base} has no ${todo}, nor documents to make one from`);
  }
}

/** Throws `config-invalid` without globs, and `no-items` if no file matches. */
export function requireItems({ sources }: Items, { settings, base }: RunSettings): void {
  const { content, sessionId } = settings;
  if (sessionId !== undefined) return;
  if (content.length === 0) throw nothingToDo(settings.todo);
  if (sources.length > 0) return;
  throw new LoopliaError("no-items", `no file on ${base} matches ${content.join(", ")}`, {
    hint: "check the globs and working-directory",
  });
}

function nothingToDo(todo: string, more = ""): LoopliaError {
  return new LoopliaError("config-invalid", `there is nothing to do: \`content\` is not set${more}`, {
    hint: `give globs of content items, one per line, for example content/**/*.md, or write a ${todo}`,
  });
}

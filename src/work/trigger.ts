// Which events may start a run, and which refs they trust. Pure.
import picomatch from "picomatch";
import { isAllowedBot } from "../approval/judge.ts";
import {
  githubAccountOf,
  PROGRAM,
  parseJson,
  payloadCount,
  payloadText,
  UNKNOWN,
  valueAt,
} from "../core/json.ts";
import type { PullRequestDetails } from "../core/ports-host.ts";
import type { WorkState } from "../core/work-state.ts";

export type EventFacts = {
  name: string;
  payload: unknown;
  /** GITHUB_REF and GITHUB_SHA */
  ref: string;
  sha: string;
};
export type EventRefusal = {
  reasonCode: "fork-or-untrusted-event" | "no-command" | "not-permitted";
  message: string;
};
/** `base`: the branch with the items, and the base of the pull request. `trusted`: the source of settings. */
type Refs = { base: string; trusted: { branch: string; commit?: string } };

const COMMANDS = new Set([
  "issue_comment",
  "check_run",
  "pull_request_review",
  "pull_request_review_comment",
]);
const STARTS = new Set(["push", "schedule", "workflow_dispatch", "repository_dispatch"]);
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Why an event starts nothing; undefined if it may start a run. */
export function refuseEvent(event: EventFacts): EventRefusal | undefined {
  if (STARTS.has(event.name)) {
    const isAnswer =
      event.name === "repository_dispatch" && valueAt(event.payload, "action") === "looplia-answer";
    return isAnswer
      ? { reasonCode: "no-command", message: "there is no question that this answers" }
      : undefined;
  }
  if (event.name === "pull_request") return refusePullRequest(event.payload);
  if (COMMANDS.has(event.name)) {
    return { reasonCode: "no-command", message: `${event.name} starts nothing: it contains no command` };
  }
  return untrusted(
    `the event ${JSON.stringify(event.name)} can be started by people without write access; use push, schedule, workflow_dispatch, repository_dispatch or pull_request`,
  );
}

/**
 * The refs of an event that `refuseEvent` accepts. A branch under `branchPrefix` is never base or trusted.
 */
export function chooseRefs(
  event: EventFacts,
  repository: { branchPrefix: string; defaultBranch: string },
): Refs {
  const { defaultBranch } = repository;
  const isOpen = (branch: string | undefined): branch is string =>
    branch !== undefined && isBranchName(branch) && !branch.startsWith(repository.branchPrefix);
  if (event.name === "pull_request") {
    const base = valueAt(event.payload, "pull_request", "base");
    const branch = payloadText(valueAt(base, "ref"));
    const commit = payloadText(valueAt(base, "sha"));
    if (!isOpen(branch) || commit === undefined) return onBranch(defaultBranch);
    return { base: branch, trusted: { branch, commit } };
  }
  const branch = branchOf(event.ref);
  if (event.name === "push") {
    return { base: isOpen(branch) ? branch : defaultBranch, trusted: { branch: defaultBranch } };
  }
  if (event.name !== "workflow_dispatch") return onBranch(defaultBranch);
  if (isOpen(branch)) return onBranch(branch);
  const isTag = event.ref.startsWith("refs/tags/") && COMMIT.test(event.sha);
  return isTag
    ? { base: defaultBranch, trusted: { branch: defaultBranch, commit: event.sha } }
    : onBranch(defaultBranch);
}

/** The default branch in the payload, if present. */
export function defaultBranchOf(payload: unknown): string | undefined {
  const branch = payloadText(valueAt(payload, "repository", "default_branch"));
  return branch !== undefined && isBranchName(branch) ? branch : undefined;
}

/** Whether git accepts the name for a branch (git-check-ref-format) and can't take it for an option. */
export function isBranchName(name: string): boolean {
  if (name === "" || name.length > 244 || /^[-/]|[/.]$|\.\.|\/\/|@\{|\.lock(\/|$)|(^|\/)\./.test(name))
    return false;
  return !/[\p{Cc} ~^:?*[\\]/u.test(name) && name !== "@";
}

function refusePullRequest(payload: unknown): EventRefusal | undefined {
  const own = valueAt(payload, "repository", "full_name");
  const head = valueAt(payload, "pull_request", "head", "repo", "full_name");
  const base = valueAt(payload, "pull_request", "base");
  const isComplete =
    COMMIT.test(payloadText(valueAt(base, "sha")) ?? "") &&
    isBranchName(payloadText(valueAt(base, "ref")) ?? "");
  if (payloadText(own) !== undefined && head === own && isComplete) return undefined;
  return untrusted("a pull request from a fork starts nothing: its author may have no write access here");
}

function onBranch(branch: string): Refs {
  return { base: branch, trusted: { branch } };
}

function branchOf(ref: string): string | undefined {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
}

function untrusted(message: string): EventRefusal {
  return { reasonCode: "fork-or-untrusted-event", message };
}

// Events with commands of people: they wake the work of a pull request; the answers are in its comments.
// Pure.

/** The command that an allowed bot sends for a person (`sender`, a login). */
type DispatchedAnswer = { command: string; sender: string; bot: { id: number; login: string } };
/** A pull request with comments to read. */
export type Wake = { pullRequest: number; dispatched?: DispatchedAnswer };

const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * The request of an `issue_comment` or a `looplia-answer` dispatch, or why it is refused; undefined for other
 * events. `findWork` checks whose pull request it is.
 */
export function respondTo(
  event: EventFacts,
  settings: { allowedBots: readonly string[] },
): Wake | EventRefusal | undefined {
  if (event.name === "issue_comment") return readComment(event.payload);
  const isAnswer =
    event.name === "repository_dispatch" && valueAt(event.payload, "action") === "looplia-answer";
  return isAnswer ? readDispatch(event.payload, settings.allowedBots) : undefined;
}

/** The id of a pull request's work, or why it has none. `repository`: `owner/name`. */
export function findWork(
  pullRequest: PullRequestDetails | undefined,
  own: { repository: string; branchPrefix: string },
): { workId: string } | EventRefusal {
  if (!pullRequest) return noCommand("there is no such pull request");
  const { branch, headRepository } = pullRequest;
  if (headRepository?.toLowerCase() !== own.repository.toLowerCase()) {
    return {
      reasonCode: "fork-or-untrusted-event",
      message: "the pull request comes from a fork: comments on it have no effect",
    };
  }
  const workId = branch.startsWith(own.branchPrefix) ? branch.slice(own.branchPrefix.length) : "";
  if (/^[a-z0-9][a-z0-9-]{0,80}$/.test(workId)) return { workId };
  return noCommand(`the branch ${branch} is not a work branch: those begin with ${own.branchPrefix}`);
}

function readComment(payload: unknown): Wake | EventRefusal {
  if (valueAt(payload, "action") !== "created") return noCommand("only new comments are read");
  if (!valueAt(payload, "issue", "pull_request")) return noCommand("the comment is not on a pull request");
  const pullRequest = payloadCount(valueAt(payload, "issue", "number"));
  const isPlain = !/^\s*\//.test(
    payloadText(valueAt(payload, "comment", "body"))?.replace(/^\ufeff/, "") ?? "",
  );
  return pullRequest === undefined || isPlain ? noCommand("the comment has no command") : { pullRequest };
}

function readDispatch(payload: unknown, allowedBots: readonly string[]): Wake | EventRefusal {
  const sender = valueAt(payload, "sender");
  const id = payloadCount(valueAt(sender, "id")) ?? 0;
  const login = payloadText(valueAt(sender, "login")) ?? "";
  const isBot = valueAt(sender, "type") === "Bot";
  if (!isAllowedBot({ author: { id, login, isBot } }, allowedBots)) {
    const entry = isBot ? ` (\`${login.replace(/\[bot\]$/, "")}:${id}\` would be its entry)` : "";
    return {
      reasonCode: "not-permitted",
      message: `looplia-answer counts only from a bot in allowed-bots${entry}`,
    };
  }
  const said = valueAt(payload, "client_payload");
  const pullRequest = payloadCount(valueAt(said, "pullRequest"));
  const command = payloadText(valueAt(said, "command"));
  const person = payloadText(valueAt(said, "sender"));
  if (pullRequest === undefined || command === undefined || !person || !LOGIN.test(person)) {
    return noCommand("client_payload needs pullRequest (a number), command and sender (a login)");
  }
  return { pullRequest, dispatched: { command, sender: person, bot: { id, login } } };
}

function noCommand(message: string): EventRefusal {
  return { reasonCode: "no-command", message };
}

// The text of a letter: a dispatched command, kept until the run that holds the work carries it out. Pure.

/** `at`: when the command arrived, ISO 8601. */
type SentAnswer = DispatchedAnswer & { at: string };

/** In the format that `readLetter` reads. */
export function writeLetter(answer: SentAnswer): string {
  return JSON.stringify(answer);
}

/** Undefined for an invalid letter: anyone who can write the state ref could have written it. */
export function readLetter(text: string): SentAnswer | undefined {
  const value = parseJson(text);
  const command = payloadText(valueAt(value, "command"));
  const sender = payloadText(valueAt(value, "sender"));
  const id = payloadCount(valueAt(value, "bot", "id"));
  const login = payloadText(valueAt(value, "bot", "login"));
  const at = payloadText(valueAt(value, "at"));
  if (!command || !sender || !id || !login || !at || Number.isNaN(Date.parse(at))) return undefined;
  return { command, sender, bot: { id, login }, at: new Date(Date.parse(at)).toISOString() };
}

// Which files are content items. Pure.

/**
 * The sorted paths that match any glob; a glob with a leading `!` excludes. Paths are relative to the working
 * directory. Files below `.git` or `.looplia` are never items.
 */
export function selectItems(paths: readonly string[], globs: readonly string[]): string[] {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(plain);
  const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) => plain(glob.slice(1)));
  const isItem = picomatch(wanted, { nonegate: true, ignore: [...unwanted, ".git/**", ".looplia/**"] });
  return paths.filter((path) => !ODD.test(path) && isItem(path)).sort();
}

/**
 * Control characters would break lines in logs and comments; a backslash is a separator on Windows; U+FFFD stands for
 * bytes that are not UTF-8, and no file has the name that is left.
 */
const ODD = /[\p{Cc}\\\uFFFD]/u;

/** One sentence for each matching path that is excluded only by its name, or because it is a link. */
export function describeOddItems(
  { files, links }: { files: readonly string[]; links: readonly string[] },
  globs: readonly string[],
): string[] {
  const isMatched = (path: string) =>
    selectItems([path.replace(new RegExp(ODD, "gu"), "_")], globs).length > 0;
  const leftOut = (path: string, why: string) => `${JSON.stringify(path)} is left out: ${why}`;
  const odd = files.filter((path) => ODD.test(path) && isMatched(path));
  return [
    ...odd.map((path) => leftOut(path, "rename it in UTF-8, without control characters and backslashes.")),
    ...links.filter(isMatched).map((path) => leftOut(path, "it is a link. Put the file itself there.")),
  ];
}

function plain(glob: string): string {
  return glob.trim().replace(/^(\.\/)+/, "");
}

// The people behind a question: `self-approval: false` keeps them from answering it. Pure.

/**
 * The actor who started a run. `named`: the actor in the run's environment; without one the event's sender
 * counts. For a schedule GitHub names the last editor of the workflow, so a scheduled run counts as the
 * program's own.
 */
export function starterOf(
  { name, payload }: Pick<EventFacts, "name" | "payload">,
  named: string | undefined,
): string {
  if (name === "schedule") return PROGRAM;
  const sender = valueAt(payload, "sender");
  const id = payloadCount(valueAt(sender, "id"));
  const login = payloadText(valueAt(sender, "login"));
  return named ?? (id === undefined || login === undefined ? UNKNOWN : `github:${id}:${login}`);
}

/**
 * The actor who reran a run and therefore shares responsibility for the attempt. GitHub reports only a login;
 * `idOf` looks up its account (undefined: there is none). Undefined for a first attempt, or if the starter
 * reran it. `unknown` if GitHub names no login or the account is not found.
 */
export async function rerunnerOf(
  run: { attempt: string; triggeredBy: string | undefined; actorId: string | undefined; startedBy: string },
  idOf: (login: string) => Promise<number | undefined>,
): Promise<string | undefined> {
  const named = run.actorId === undefined ? undefined : githubAccountOf(run.actorId);
  const isActor = named?.login.toLowerCase() === run.triggeredBy?.toLowerCase();
  if (run.attempt === "1" && (isActor || run.triggeredBy === undefined)) return undefined;
  if (run.triggeredBy === undefined) return UNKNOWN;
  const id = isActor ? named?.id : await idOf(run.triggeredBy);
  const rerunner = id === undefined ? UNKNOWN : `github:${id}:${run.triggeredBy}`;
  return githubAccountOf(run.startedBy)?.id === String(id) ? undefined : rerunner;
}

/**
 * The people behind this run's questions: who `spoke` (starter, rerunner, authors of letters), who first took
 * the work, the authors of the commands to carry out, and anyone who left its agents a message.
 */
export function startersOf(
  work: Pick<WorkState, "leaders" | "handled" | "acknowledged">,
  spoke: readonly string[],
): string[] {
  const carriedOut = [...work.handled.values()].filter(
    ({ commentId, verdict }) => verdict === "accepted" && !work.acknowledged.has(commentId),
  );
  const actors = [...spoke, ...work.leaders, ...carriedOut.flatMap(({ actorId }) => actorId ?? [])];
  return [...new Set(actors)].filter((actor) => actor !== PROGRAM);
}

// Which works a scheduled run looks at. Pure.

/** Each needs a clone and some requests to GitHub. */
const MOST_SWEPT = 20;

/**
 * Oldest first. If there are more than `most`, each run takes another part; `turn` is the number of the run.
 * Every work gets its turn once in as many consecutive runs as there are parts.
 */
export function chooseSwept<Work extends { workId: string; at: string }>(
  works: readonly Work[],
  turn: number,
  most = MOST_SWEPT,
): Work[] {
  const ordered = works.toSorted((one, other) => {
    return one.at === other.at ? compare(one.workId, other.workId) : compare(one.at, other.at);
  });
  if (ordered.length <= most) return ordered;
  const first = (turn % Math.ceil(ordered.length / most)) * most;
  return ordered.slice(first, first + most);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}

// Which work a run goes on with: its id, its branch, the pull request that carries it.
import { posix } from "node:path";
import { createWorkId, isSessionId } from "../../content/session-id.ts";
import { isTasksWork } from "../../handle-tasks.ts";
import type { CodeHost, PullRequest, Repository } from "../../ports/repository.ts";
import type { Found } from "./find-settings.ts";

export type WorkKind = "content" | "tasks";

export type Work = {
  workId: string;
  /** As its id says, until its header is read. */
  kind: WorkKind;
  /** What makes the work this one, as text. */
  key: string;
  branch: string;
  pullRequest: PullRequest | undefined;
};

/**
 * The open work that holds the session asked for, else that of these globs and pipeline (or this task list), base and
 * folder. One whose pull
 * request was merged or closed is over: then the next of its kind, `-2`, `-3` … A branch without a pull request is what
 * a run left that did not get further. `skipped`: so many more of its kind are known to be over.
 */
export async function chooseWork(
  repository: Repository,
  host: CodeHost,
  found: Found,
  { kind = "content", skipped = 0 }: { kind?: WorkKind; skipped?: number } = {},
): Promise<Work> {
  const holder = kind === "content" ? await findHolder(repository, host, found) : undefined;
  return holder ?? findNext(host, found, { kind, skipped });
}

/** The kind of the work of an id. A pipeline that is called `tasks` is told by the work's header only. */
export function kindOf(workId: string): WorkKind {
  return isTasksWork(workId) ? "tasks" : "content";
}

async function findHolder(
  repository: Repository,
  host: CodeHost,
  { settings, folder }: Found,
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
  found: Found,
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

function contentKey({ settings, base, folder }: Found) {
  const { content, pipeline, sessionId } = settings;
  const globs =
    content.length > 0 || sessionId === undefined ? [...content].sort() : [`session:${sessionId}`];
  return { kind: "content", globs, pipeline, base, workingDirectory: folder };
}

function tasksKey({ settings, base, folder }: Found) {
  return { kind: "tasks", todo: settings.todo, base, workingDirectory: folder };
}

/** So many further on among those that are not over: a branch that was deleted leaves no pull request to see. */
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

/** The first that is not over. Works end in order, so their number is found in a few steps. */
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

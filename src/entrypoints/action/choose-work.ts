// Which work a run goes on with: its id, its branch, the pull request that carries it.
import { createWorkId } from "../../content/session-id.ts";
import type { CodeHost, PullRequest, Repository } from "../../ports/repository.ts";
import type { Found } from "./find-settings.ts";

export type Work = {
  workId: string;
  /** What makes the work this one, as text. */
  key: string;
  branch: string;
  /** Where the branch stands on the remote; undefined when it is not there. */
  tip: string | undefined;
  pullRequest: PullRequest | undefined;
};

/**
 * The work of these globs, pipeline, base and folder. One whose pull request was merged or closed is over: then the
 * next of its kind, `-2`, `-3` … A branch without a pull request is what a run left that did not get further.
 */
export async function chooseWork(repository: Repository, host: CodeHost, found: Found): Promise<Work> {
  const { content, pipeline, sessionId, branchPrefix } = found.settings;
  const globs =
    content.length > 0 || sessionId === undefined ? [...content].sort() : [`session:${sessionId}`];
  const key = { kind: "content", globs, pipeline, base: found.base, workingDirectory: found.folder };
  const first = createWorkId(pipeline, key);
  const nameOf = (ordinal: number) => (ordinal === 1 ? first : `${first}-${ordinal}`);
  const look = async (ordinal: number) => {
    const requests = await host.pullRequestsOf(branchPrefix + nameOf(ordinal));
    const open = requests.find((request) => request.state === "open");
    return { open, isOver: !open && requests.length > 0 };
  };
  const { ordinal, open } = await findFirst(look);
  const branch = branchPrefix + nameOf(ordinal);
  const tip = await repository.tipOf(branch);
  return { workId: nameOf(ordinal), key: JSON.stringify(key), branch, tip, pullRequest: open };
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

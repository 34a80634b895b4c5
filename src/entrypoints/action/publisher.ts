// Commits each task on the work branch, and pushes: soon after a commit, not oftener than the host likes.

import { LoopliaError } from "../../errors.ts";
import type { WorkBranch } from "../../ports/repository.ts";
import type { Clock, EndedTask, Host } from "../../ports.ts";
import { writeCommitMessage } from "../../publish/commit-message.ts";

/** At most six pushes a minute. */
const PAUSE_MS = 10_000;

export type Publisher = {
  /** Nobody can be asked in this host. */
  host: Host;
  /** Pushes what is not pushed yet, once more if an earlier push failed. */
  finish(): Promise<void>;
  /** True once the branch stands on the remote. */
  isPublished(): boolean;
  /** True once a task was committed in this run. */
  isChanged(): boolean;
};

/** A new branch goes to the remote with the first completed task: a run that only failed leaves no trace there. */
export function createPublisher(options: {
  branch: WorkBranch;
  onRemote: boolean;
  /** The working directory in the repository, or empty. */
  folder: string;
  isRehearsal: boolean;
  run: string;
  clock: Pick<Clock, "elapsed">;
  /** Called when a push failed that no other try can mend: what the run still makes would be lost. */
  giveUp(): void;
}): Publisher {
  const { branch, folder, isRehearsal, run, clock } = options;
  let isPublished = options.onRemote;
  let hasResult = options.onRemote;
  let isChanged = false;
  let failure: unknown;
  let lastPush = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const push = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    lastPush = clock.elapsed();
    await branch.push();
    isPublished = true;
    failure = undefined;
  };
  const pushSoon = (): void => {
    if (timer || !hasResult) return;
    const wait = Math.max(0, lastPush + PAUSE_MS - clock.elapsed());
    timer = setTimeout(() => {
      // Told at the end: the commits are kept, and the next push may succeed.
      push().catch((thrown: unknown) => {
        failure = thrown;
        if (thrown instanceof LoopliaError && thrown.hint !== undefined) options.giveUp();
      });
    }, wait);
  };
  return {
    host: {
      canAsk: false,
      ask: async () => "nobody",
      secure: async () => {},
      taskEnded: async (task: EndedTask) => {
        const { sessionId, outputs, status } = task;
        const path = folder === "" ? task.folder : `${folder}/${task.folder}`;
        const message = writeCommitMessage({ sessionId, outputs, status, isRehearsal, run });
        if (!(await branch.commit(path, message))) return;
        isChanged = true;
        hasResult ||= status === "completed";
        pushSoon();
      },
    },
    finish: async () => {
      if (failure !== undefined || (isChanged && hasResult)) await push();
    },
    isPublished: () => isPublished,
    isChanged: () => isChanged,
  };
}

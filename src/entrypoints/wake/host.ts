// People on a pull request, as the agent loop sees them: they answer later, and what must outlive the runner is pushed.
import type { Worktree } from "../../ports/state-ref.ts";
import type { EndedTask, Host } from "../../ports.ts";
import { writeCommitMessage } from "../../publish/commit-message.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** The host of a run of the Action. `whenAsked` is told of each question that was raised, `whenEnded` of each task. */
export function createPullRequestHost(options: {
  work: Pick<WorkInHand, "checkpoint" | "stateRef">;
  worktree: Pick<Worktree, "commit">;
  /** The working directory in the repository, or empty. */
  folder: string;
  isRehearsal: boolean;
  /** `<run id>.<attempt>` */
  run: string;
  /** Asked of GitHub now. */
  mayDecide(actorId: string): Promise<boolean>;
  whenAsked(): void;
  whenEnded(task: EndedTask): void;
}): Host {
  const { work, worktree, folder, isRehearsal, run } = options;
  return {
    canAsk: true,
    answersLater: true,
    async ask() {
      options.whenAsked();
      return "later";
    },
    async whoMayNot(actorIds) {
      const gone: string[] = [];
      for (const actorId of actorIds) if (!(await options.mayDecide(actorId))) gone.push(actorId);
      return gone;
    },
    async secure() {
      await work.checkpoint("chore: save what is about to be run");
    },
    async taskEnded(task: EndedTask) {
      const { sessionId, outputs, status } = task;
      const path = folder === "" ? task.folder : `${folder}/${task.folder}`;
      await worktree.commit(path, writeCommitMessage({ sessionId, outputs, status, isRehearsal, run }));
      work.stateRef.checkpointSoon("chore: save a finished task");
      options.whenEnded(task);
    },
  };
}

// People on a pull request, as the agent loop sees them: they answer later, and what must outlive the runner is pushed.
import { posix } from "node:path";
import type { Worktree } from "../../ports/state-ref.ts";
import type { EndedTask, Host } from "../../ports.ts";
import { writeCommitMessage, writeTodoMessage } from "../../publish/commit-message.ts";
import type { Redact } from "../../session/redaction.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/** The host of a run of the Action. `whenAsked` is told of each question that was raised, `whenEnded` of each task. */
export function createPullRequestHost(options: {
  work: Pick<WorkInHand, "checkpoint" | "stateRef" | "state">;
  worktree: Pick<Worktree, "commit" | "commitAll" | "hold" | "editorOf">;
  /** The working directory in the repository, or empty. */
  folder: string;
  isRehearsal: boolean;
  /** `<run id>.<attempt>` */
  run: string;
  /** Commit messages are said to everybody. */
  redact: Redact;
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
    overruled: (path) =>
      work.state.conflicts
        .filter((file) => file.path === posix.join(folder, path))
        .map(({ commit }) => commit),
    // The run itself matters more than a name.
    editorOf: (path) => worktree.editorOf(posix.join(folder, path)).catch(() => undefined),
    hold: (path) => worktree.hold(posix.join(folder, path)),
    together: (record) => work.stateRef.together(record),
    async secure() {
      await work.checkpoint("chore: save what is about to be run");
    },
    async taskEnded(task: EndedTask) {
      const { sessionId, outputs, status, title, todo } = task;
      if (todo) {
        const [id = ""] = outputs;
        const message = options.redact(writeTodoMessage({ ...todo, sessionId, id, title, run }));
        // What a task did, and how it ended, may be in a commit of work in progress: it has one of its own all the same.
        const { repeatedIn: list } = todo;
        const how = list === undefined ? { always: true } : { notFor: posix.join(folder, list) };
        await worktree.commitAll(message, how);
      } else {
        const path = folder === "" ? task.folder : `${folder}/${task.folder}`;
        const message = writeCommitMessage({ sessionId, outputs, status, isRehearsal, run });
        await worktree.commit(path, message);
      }
      work.stateRef.checkpointSoon("chore: save a finished task");
      options.whenEnded(task);
    },
  };
}

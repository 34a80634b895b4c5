// What the end of an attempt means for its task: from the summary, or from how its agent failed. Pure.
import type { Outcome } from "../agent/outcome.ts";
import type { DomainEvent, TaskSummary } from "../session/events.ts";
import type { TaskState } from "../session/state.ts";
import type { TaskStatus } from "./schema.ts";

export type TaskEnd = {
  /** What the file shall say. */
  status: TaskStatus;
  files: readonly string[];
  blockers: readonly string[];
  /** What the program wrote into `blockers` when it ended an earlier attempt: its words of today take the place. */
  outdated?: string;
  /** What people and hooks are told. */
  label: "done" | "blocked" | "skipped" | "todo";
  message: string;
  /** The agent itself failed. */
  isAgentError: boolean;
  /** The attempt before ended in the same words, and the task is again what it was. */
  isRepeated?: true;
  event: DomainEvent;
};

/** As often as an agent may report another task's id in a row. */
const MAX_WRONG = 2;
const WRONG_TASK = "wrong-task";

type Ended = Extract<Outcome, { kind: "completed" | "failed" }>;

/** The end of an attempt that did end. */
export function judgeEnd(state: TaskState, outcome: Ended): TaskEnd {
  const end = judge(state, outcome);
  const { event, status } = end;
  const why =
    event.type === "TaskFailed"
      ? event.payload.message
      : event.type === "TaskCanceled"
        ? event.payload.reason
        : undefined;
  const isRepeated = why !== undefined && why === state.whyBefore && status === state.from;
  return isRepeated ? { ...end, isRepeated } : end;
}

function judge(state: TaskState, outcome: Ended): TaskEnd {
  const { summary, taskId } = state;
  if (summary) return summary.task_id === taskId ? judgeSummary(state, summary) : judgeWrong(state, summary);
  const message = outcome.kind === "failed" ? outcome.message : "its agent said nothing";
  const reasonCode = outcome.kind === "failed" ? outcome.reasonCode : "model-failed";
  const isAgentError = reasonCode === "model-failed" || reasonCode === "invalid-artifact";
  return blocked(state, { reasonCode, message, isAgentError, files: [], blocker: message });
}

function judgeSummary(state: TaskState, summary: TaskSummary): TaskEnd {
  const { taskId, from } = state;
  const { files = [], blockers = [] } = summary;
  const message = summary.summary?.trim() ?? "";
  const common = { files, blockers, message, isAgentError: false };
  switch (summary.status) {
    case "done": {
      const event = { store: "events", type: "TaskCompleted", payload: { taskId } } as const;
      return { ...common, status: "done", label: "done", event };
    }
    case "skipped": {
      const payload = { taskId, reason: `skipped: ${message || "no reason was given"}` };
      const status = from === "blocked" ? "blocked" : "todo";
      return {
        ...common,
        status,
        label: "skipped",
        event: { store: "events", type: "TaskCanceled", payload },
      };
    }
    case "blocked": {
      const reason = blockers.join("; ") || message || "its agent gave no reason";
      const own = blockers.length > 0 ? {} : { blocker: reason };
      return blocked(state, { ...common, reasonCode: "blocked", message: reason, ...own });
    }
  }
}

/** Not applied: what is said of another task says nothing of this one. */
function judgeWrong(state: TaskState, { task_id: said }: TaskSummary): TaskEnd {
  const { taskId, agent, failures } = state;
  const earlier = failures.length - 1 - failures.findLastIndex((reason) => reason !== WRONG_TASK);
  const message = `${agent} reported ${said === null ? "no task" : JSON.stringify(said)} instead of ${JSON.stringify(taskId)}`;
  const common = { reasonCode: WRONG_TASK, message, isAgentError: false, files: [] };
  if (earlier + 1 >= MAX_WRONG) return blocked(state, { ...common, blocker: message });
  return { ...blocked(state, common), status: "todo", label: "todo" };
}

/** `blocker`: in the program's words, as the agent has none; its texts may differ from try to try. */
function blocked(
  { taskId, blocker: outdated }: TaskState,
  why: Pick<TaskEnd, "message" | "isAgentError" | "files"> & {
    reasonCode: string;
    blockers?: readonly string[];
    blocker?: string;
  },
): TaskEnd {
  const { reasonCode, blocker, blockers = [], ...rest } = why;
  const own = blocker === undefined ? {} : { blocker };
  return {
    ...rest,
    blockers: blocker === undefined ? blockers : [blocker],
    ...(blocker === undefined || outdated === undefined ? {} : { outdated }),
    status: "blocked",
    label: "blocked",
    event: {
      store: "events",
      type: "TaskFailed",
      payload: { taskId, reasonCode, message: rest.message, ...own },
    },
  };
}

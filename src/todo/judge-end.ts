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
  /** What people and hooks are told. */
  label: "done" | "blocked" | "skipped" | "todo";
  message: string;
  /** The agent itself failed. */
  isAgentError: boolean;
  event: DomainEvent;
};

/** As often as an agent may report another task's id in a row. */
const MAX_WRONG = 2;
const WRONG_TASK = "wrong-task";

/** The end of an attempt that did end. */
export function judgeEnd(
  state: TaskState,
  outcome: Extract<Outcome, { kind: "completed" | "failed" }>,
): TaskEnd {
  const { summary, taskId } = state;
  if (summary) return summary.task_id === taskId ? judgeSummary(state, summary) : judgeWrong(state, summary);
  const message = outcome.kind === "failed" ? outcome.message : "its agent said nothing";
  const reasonCode = outcome.kind === "failed" ? outcome.reasonCode : "model-failed";
  const isAgentError = reasonCode === "model-failed" || reasonCode === "invalid-artifact";
  return blocked(taskId, { reasonCode, message, isAgentError, files: [], blockers: [message] });
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
      const all = blockers.length > 0 ? blockers : [reason];
      return blocked(taskId, { ...common, reasonCode: "blocked", message: reason, blockers: all });
    }
  }
}

/** Not applied: what is said of another task says nothing of this one. */
function judgeWrong({ taskId, agent, failures }: TaskState, { task_id: said }: TaskSummary): TaskEnd {
  const earlier = failures.length - 1 - failures.findLastIndex((reason) => reason !== WRONG_TASK);
  const message = `${agent} reported ${said === null ? "no task" : JSON.stringify(said)} instead of ${JSON.stringify(taskId)}`;
  const common = { reasonCode: WRONG_TASK, message, isAgentError: false, files: [] };
  if (earlier + 1 >= MAX_WRONG) return blocked(taskId, { ...common, blockers: [message] });
  return { ...blocked(taskId, { ...common, blockers: [] }), status: "todo", label: "todo" };
}

function blocked(
  taskId: string,
  why: Pick<TaskEnd, "message" | "isAgentError" | "files" | "blockers"> & { reasonCode: string },
): TaskEnd {
  const { reasonCode, ...rest } = why;
  const payload = { taskId, reasonCode, message: rest.message };
  return {
    ...rest,
    status: "blocked",
    label: "blocked",
    event: { store: "events", type: "TaskFailed", payload },
  };
}

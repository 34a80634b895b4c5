// The summary that an agent sends of a to-do task: taken, or sent back once.
import { loginOf } from "../session/actor.ts";
import { letsCallsRun } from "../session/interaction.ts";
import type { TaskState } from "../session/state.ts";
import { SUMMARY_OUTPUT } from "../tools/report-summary.ts";
import type { ToolReply } from "../tools/tool.ts";
import { hasChanged } from "./before-act.ts";
import type { TodoTask } from "./schema.ts";
import { checkSummary } from "./summary.ts";
import type { TodoRun } from "./todo-run.ts";

/** Records the first acceptable summary of an attempt. After `done` without change or reason it asks once. */
export async function acceptSummary(
  run: TodoRun,
  task: TodoTask,
  state: TaskState,
  content: unknown,
  callId: string | undefined,
): Promise<ToolReply> {
  const known = run.journal.state.tasks.get(task.id);
  if (known?.summary) return { text: "Taken already: the first summary counts." };
  const checked = checkSummary(content);
  if ("problems" in checked) return { text: checked.problems, isError: true };
  const { summary } = checked;
  const isOwn = summary.task_id === task.id;
  const isEmpty = summary.status === "done" && !summary.summary?.trim();
  const wasAsked = (known?.refusals.get(SUMMARY_OUTPUT)?.count ?? 0) > 0;
  if (isOwn && isEmpty && !wasAsked && !(await hasChanged(run, state))) {
    await run.journal.append({
      store: "events",
      type: "ArtifactRefused",
      payload: {
        taskId: task.id,
        output: SUMMARY_OUTPUT,
        errors: [NO_CHANGE],
        ...(callId ? { callId } : {}),
      },
    });
    return { text: NO_CHANGE, isError: true };
  }
  const approved = approvalsOf(run, state);
  const whole =
    approved === "" ? summary : { ...summary, summary: `${summary.summary ?? ""}\n${approved}`.trim() };
  const payload = { taskId: task.id, summary: whole, ...(callId === undefined ? {} : { callId }) };
  await run.journal.append({ store: "events", type: "SummaryReported", payload });
  return { text: "Taken." };
}

const NO_CHANGE =
  "Done, but nothing was changed and no reason is given. Do what is missing, or report again and say in `summary` why nothing had to change.";

/** Who approved commands: a runbook's summary says it. Empty for a model's. */
function approvalsOf(run: TodoRun, { conversationId }: TaskState): string {
  if (run.journal.conversation(conversationId).provider !== "offline") return "";
  const confirmed = [...run.journal.state.interactions.values()].filter(
    ({ request, response }) =>
      request.conversationId === conversationId &&
      letsCallsRun(request) &&
      response?.selectedOptionId === "approve",
  );
  return confirmed
    .map(
      ({ request, response }) =>
        `Approved by ${loginOf(response?.authorActorId ?? "nobody")}: ${request.shortId}`,
    )
    .join("\n");
}

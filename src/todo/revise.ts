// Handles a person's change of a task during or between attempts, so that no change is lost.
import { answersBefore } from "../core/answer-fate.ts";
import { LoopliaError } from "../core/errors.ts";
import { toolCallsOf } from "../core/events.ts";
import { isObject, loginOf } from "../core/json.ts";
import type { InteractionState, TaskState } from "../core/state.ts";
import { findTask, type TodoTask, taskDigest } from "./document.ts";
import { notify, type RunbookStep, readRunbook, refresh, type TodoRun } from "./run-state.ts";

/** The present list entry of a begun task; `unknown`: the list can't be read at the moment. */
type Standing = "same" | "gone" | "unknown" | { changed: TodoTask };

async function compare(run: TodoRun, { taskId, inputs }: TaskState): Promise<Standing> {
  try {
    const task = findTask((await refresh(run)).document, taskId);
    if (!task) return "gone";
    return taskDigest(task) === inputs.source ? "same" : { changed: task };
  } catch (thrown) {
    // The end of the task reports the list's problems.
    if (thrown instanceof LoopliaError && thrown.code === "config-invalid") return "unknown";
    throw thrown;
  }
}

/** A message to the agent about a change of its task that it has not seen; `gone`: the task was removed. */
export async function hearChange(
  run: TodoRun,
  state: TaskState,
): Promise<{ tell: string } | "gone" | undefined> {
  const standing = await compare(run, state);
  if (standing === "gone") return standing;
  if (typeof standing === "string") return undefined;
  const { changed: task } = standing;
  const { taskId } = state;
  const payload = { taskId, source: taskDigest(task) };
  await run.journal.append({ store: "events", type: "TaskRevised", payload });
  const isRunbook = run.journal.conversation(state.conversationId).provider === "offline";
  notify(run, "info", `${taskId} was changed while ${state.agent} worked on it; the agent has been told.`);
  return {
    tell: await run.ports.configuration.prompts.render("changed.md", {
      SelectedTask: { ID: task.id },
      facts: taskFacts(task, isRunbook ? runbookOf(run, task, state) : undefined),
    }),
  };
}

/** The same before a task ends, including commits that others pushed until now. */
export async function hearLastChange(run: TodoRun, state: TaskState): ReturnType<typeof hearChange> {
  await run.ports.host.bringIn?.();
  return hearChange(run, state);
}

/** A task as one line of JSON, which no text in it can end; a runbook also has its parsed steps. */
export function taskFacts(task: TodoTask, runbook: readonly RunbookStep[] | undefined): string {
  return JSON.stringify({ task, ...(runbook === undefined ? {} : { runbook }) });
}

/** The steps of a runbook, with earlier answers to questions that did not change. */
export function runbookOf(
  run: Partial<Pick<TodoRun, "journal">>,
  task: TodoTask,
  state?: TaskState,
): RunbookStep[] {
  const { journal } = run;
  if (journal === undefined || state === undefined) return readRunbook(task);
  const before = answersBefore(journal.state, state);
  return readRunbook(task).map((step) => {
    if (step.kind !== "question") return step;
    const given = before.findLast((one) => isSameQuestion(journal, step, one));
    const answer = given && answerValue(step, given);
    return answer === undefined ? step : { ...step, answer };
  });
}

type Question = Extract<RunbookStep, { kind: "question" }>;

/** Compares the agent's call, not its displayed text. */
function isSameQuestion(
  journal: TodoRun["journal"],
  { question, options = [] }: Question,
  { request }: InteractionState,
): boolean {
  const calls = journal.conversation(request.conversationId).messages.flatMap(toolCallsOf);
  const input = calls.find(({ id }) => request.toolCallIds.includes(id))?.input;
  const labels = request.options?.map(({ label }) => label) ?? [];
  return isObject(input) && input.question === question && options.join("\n") === labels.join("\n");
}

/** The value of a question's variable: the text, or the label of the option. */
export function answerValue(
  { options = [] }: Question,
  { request, response }: InteractionState,
): string | undefined {
  const chosen = request.options?.findIndex(({ id }) => id === response?.selectedOptionId) ?? -1;
  return response?.inputValue ?? options[chosen];
}

/** Earlier answers, for the message that starts the next attempt; empty without answers. */
export async function renderAnswersBefore(run: TodoRun, state: TaskState): Promise<string> {
  const answers = answersBefore(run.journal.state, state).map(({ request, response }) => {
    const { selectedOptionId, inputValue, comment, authorActorId = "" } = response ?? {};
    const option = request.options?.find(({ id }) => id === selectedOptionId);
    const said = inputValue ?? option?.label ?? selectedOptionId ?? "";
    const more = comment === undefined ? "" : `: ${comment}`;
    return { question: request.display.title, author: loginOf(authorActorId), answer: `${said}${more}` };
  });
  if (answers.length === 0) return "";
  return `\n\n${await run.ports.configuration.prompts.render("answers.md", { answers })}`;
}

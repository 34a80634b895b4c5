// A person changes a task while its agent works on it, or between two attempts: nothing that the person said is lost.
import { answersBefore } from "../core/answer-fate.ts";
import { LoopliaError } from "../core/errors.ts";
import { toolCallsOf } from "../core/events.ts";
import { isObject, loginOf } from "../core/json.ts";
import type { InteractionState, TaskState } from "../core/state.ts";
import { findTask, type TodoTask, taskDigest } from "./document.ts";
import { notify, type RunbookStep, readRunbook, refresh, type TodoRun } from "./run-state.ts";

/** What the list says now of a task that was begun; `unknown`: the list can't be read at the moment. */
type Standing = "same" | "gone" | "unknown" | { changed: TodoTask };

async function compare(run: TodoRun, { taskId, inputs }: TaskState): Promise<Standing> {
  try {
    const task = findTask((await refresh(run)).document, taskId);
    if (!task) return "gone";
    return taskDigest(task) === inputs.source ? "same" : { changed: task };
  } catch (thrown) {
    // The end of the task reports what is wrong with the list.
    if (thrown instanceof LoopliaError && thrown.code === "config-invalid") return "unknown";
    throw thrown;
  }
}

/** Words for the agent about a change of its task that it has not seen; `gone`: somebody removed the task from the list. */
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

/** The same where it matters most: before a task ends, with what others pushed until now. */
export async function hearLastChange(run: TodoRun, state: TaskState): ReturnType<typeof hearChange> {
  await run.ports.host.bringIn?.();
  return hearChange(run, state);
}

/** A task as one line of data, which no text in it can end; a runbook with its steps, parsed. */
export function taskFacts(task: TodoTask, runbook: readonly RunbookStep[] | undefined): string {
  return JSON.stringify({ task, ...(runbook === undefined ? {} : { runbook }) });
}

/** The steps of a runbook, with the answers that people gave to the same questions before the task was changed. */
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

/** The call is compared, not what was shown of it. */
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

/** What the variable of a question holds: the text, or the label of the option. */
export function answerValue(
  { options = [] }: Question,
  { request, response }: InteractionState,
): string | undefined {
  const chosen = request.options?.findIndex(({ id }) => id === response?.selectedOptionId) ?? -1;
  return response?.inputValue ?? options[chosen];
}

/** What people answered before the task was changed, for the message that starts the next attempt; empty: nothing. */
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

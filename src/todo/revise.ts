// Handles a person's change of a task during or between attempts, so that no change is lost.
import { environmentName } from "../config/secrets.ts";
import { answersBefore } from "../core/answer-fate.ts";
import type { SessionView } from "../core/conversation.ts";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { messageText, toolCallsOf } from "../core/events.ts";
import { hashContent, isObject } from "../core/json.ts";
import type { CommandResult, HeldFile, Ids, ToolFiles, Workspace } from "../core/ports.ts";
import {
  dueActs,
  type EarlierStep,
  earlierSteps,
  FIRST,
  progressOf,
  type RunbookStep,
  readRunbookTask,
  stepKey,
} from "../core/runbook.ts";
import { callKey, type InteractionState, isOpen, type State, type TaskState } from "../core/state.ts";
import { findTask, type TodoTask, writeWhole } from "./document.ts";
import { notify, readRunbook, type TodoRun } from "./run-state.ts";

/** A runbook as its attempt begins or goes on: with what earlier attempts did, and why a person chooses. */
type Runbook = { steps: RunbookStep[]; choose?: string };

/**
 * The steps of a runbook. Those of the longest unchanged prefix that succeeded in earlier attempts do not run
 * again. A person chooses where it begins if a step that ended with 0 would run again, or if what such steps
 * left that git ignores is gone.
 */
export function runbookOf(
  run: Partial<Pick<TodoRun, "journal" | "ranHere" | "ports">>,
  task: TodoTask,
  state?: TaskState,
): Runbook {
  const { journal } = run;
  const steps = readRunbook(task);
  if (journal === undefined || state === undefined) return { steps };
  if (progressIn(journal, state.conversationId)?.choice === FIRST) return { steps };
  const answered = withAnswers(journal, steps, state);
  const before = findEarlier(journal, state);
  return before ? resume(run, answered, before) : { steps: answered };
}

type Earlier = { conversationId: string; steps: EarlierStep[]; answers: ReadonlyMap<string, string> };

function resume(
  { ranHere, ports }: Partial<Pick<TodoRun, "ranHere" | "ports">>,
  given: readonly RunbookStep[],
  { conversationId, steps: earlier, answers }: Earlier,
): Runbook {
  const acts = given.flatMap((step) => (step.kind === "note" ? [] : [stepKey(step)]));
  const changed = acts.findIndex((step, at) => earlier[at]?.step !== step || earlier[at].ran === undefined);
  const prefix = changed < 0 ? acts.length : changed;
  const isCommand = ({ step }: EarlierStep) => step.startsWith("[") && JSON.parse(step).length === 1;
  const known = earlier.slice(0, prefix);
  const later = earlier.slice(prefix).filter((one) => one.ran !== undefined);
  let at = -1;
  const steps = given.map((step): RunbookStep => {
    if (step.kind === "note") return step;
    at += 1;
    const key = stepKey(step);
    const found = at < prefix ? known[at] : take(later, key);
    const ran = found?.ran;
    if (step.kind === "command") return ran === undefined ? step : { ...step, ran };
    const answer =
      step.answer ?? found?.answer ?? (found?.callId === undefined ? undefined : answers.get(found.callId));
    return answer === undefined ? step : { ...step, answer };
  });
  const count = steps.filter((step) => step.kind === "command" && step.ran !== undefined).length;
  if (count === 0) return { steps };
  const isAgain = count > known.filter(isCommand).length;
  const isLost = ports?.host.answersLater === true && ranHere?.has(conversationId) !== true;
  const isAll = dueActs(steps).length === 0;
  if (!isAgain && !isLost && !isAll) return { steps };
  return { steps, choose: sayWhy({ count, isAll, isAgain }) };
}

function sayWhy({ count, isAll, isAgain }: { count: number; isAll: boolean; isAgain: boolean }): string {
  if (isAll) return "Every step of this task has succeeded already.";
  const done = count === 1 ? "A step of this task has" : `${count} steps of this task have`;
  const why = isAgain
    ? "the steps before were changed"
    : "files that git ignores are gone with the earlier run";
  return `${done} succeeded already, and ${why}.`;
}

function take(steps: EarlierStep[], key: string): EarlierStep | undefined {
  const at = steps.findIndex(({ step }) => step === key);
  return at < 0 ? undefined : steps.splice(at, 1)[0];
}

/** The newest earlier attempt that carried out a runbook. */
function findEarlier(journal: TodoRun["journal"], { taskId, attempt }: TaskState): Earlier | undefined {
  for (let number = attempt - 1; number > 0; number -= 1) {
    const conversationId = `${taskId}#${number}`;
    const found = openingOf(journal, conversationId);
    if (!found) continue;
    const steps = earlierSteps(found.opening, found.messages);
    const answers = new Map<string, string>();
    const questions = readRunbookQuestions(found.opening.runbook);
    for (const one of journal.state.interactions.values()) {
      if (one.request.conversationId !== conversationId) continue;
      const question = questions.find((asked) => isSameQuestion(journal, asked, one)) ?? FREE;
      const value = answerValue(question, one);
      for (const id of one.request.toolCallIds) if (value !== undefined) answers.set(id, value);
    }
    return { conversationId, steps, answers };
  }
  return undefined;
}

const FREE = { kind: "question", question: "" } as const;

function readRunbookQuestions(steps: readonly RunbookStep[]): Question[] {
  return steps.filter((step) => step.kind === "question");
}

function openingOf(journal: TodoRun["journal"], conversationId: string) {
  if (!journal.hasBegun(conversationId)) return undefined;
  const { provider, messages } = journal.conversation(conversationId);
  const [first, ...later] = messages;
  const opening = provider === "offline" && first ? readRunbookTask(messageText(first)) : undefined;
  return opening && { opening, messages: later };
}

function progressIn(journal: TodoRun["journal"], conversationId: string) {
  const found = openingOf(journal, conversationId);
  return found && progressOf(found.opening, found.messages);
}

/** With the answers to questions of attempts that ended because the task was changed. */
function withAnswers(journal: TodoRun["journal"], steps: RunbookStep[], state: TaskState): RunbookStep[] {
  const before = answersBefore(journal.state, state);
  return steps.map((step) => {
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
function answerValue(
  { options = [] }: Question,
  { request, response }: InteractionState,
): string | undefined {
  const chosen = request.options?.findIndex(({ id }) => id === response?.selectedOptionId) ?? -1;
  return response?.inputValue ?? options[chosen];
}

// Undoes an agent's own edits of the to-do file and reports them.

type Guard = {
  path: string;
  /**
   * Called after an edit was undone; `discarded` is the agent's version, undefined if the file was gone. A
   * change during a command may come from another process: the two can't be told apart.
   */
  onUndone(discarded: Uint8Array | undefined, by: "edit" | "command"): Promise<void>;
  /** Called before each act. */
  beforeAct(): Promise<void>;
  /** Called while a command runs: changes that others make to the file meanwhile are kept. */
  hold(): HeldFile | undefined;
  /** Additional environment variables for commands, and those with a chosen or checked value. */
  variables(): Answers;
  checkedVariables(): Answers;
};

type Answers = Readonly<Record<string, string>>;

const ADVICE = "Only the program sets task states: say how your task ended with reportSummary.";

/** The file name of an agent's discarded version of the list. */
function undoneName(ids: Ids): string {
  return `undone-${ids.hex(4)}.json`;
}

/** The workspace for agents of the task loop. */
export function guardTodo(workspace: Workspace, guard: Guard): Workspace {
  const undo = async (before: Uint8Array | undefined, by: "edit" | "command"): Promise<boolean> => {
    const found = await look(workspace, guard.path);
    const after = found === "strange" ? undefined : found;
    const isSame = before && after ? Buffer.compare(before, after) === 0 : before === found;
    if (isSame) return false;
    await putBack(workspace, guard.path, before);
    await guard.onUndone(after, by);
    return true;
  };
  const forTools: ToolFiles = {
    ...workspace.forTools,
    async writeText(path, text, place) {
      await guard.beforeAct();
      const before = await workspace.read(guard.path);
      await workspace.forTools.writeText(path, text, place);
      if (await undo(before, "edit")) throw refused(guard.path);
    },
  };
  const { root, read, hashSeveral, modifiedAt, writeAtomic, remove, list } = workspace;
  const { snapshot, requireWritable, own } = workspace;
  return {
    ...{ root, read, hashSeveral, modifiedAt, writeAtomic, remove, list },
    ...{ snapshot, requireWritable, forTools },
    ...(own === undefined ? {} : { own }),
    // Determined on first use, which takes a moment.
    get isolation() {
      return workspace.isolation;
    },
    get variables() {
      return guard.variables();
    },
    get checkedVariables() {
      return guard.checkedVariables();
    },
    async run(command, options) {
      await guard.beforeAct();
      const variables = { ...options.variables, ...guard.variables() };
      const held = guard.hold();
      try {
        const before = await workspace.read(guard.path);
        const run = workspace.run(command, { ...options, variables });
        await run.catch(() => undefined);
        const brought = held?.brought();
        const isUndone = await undo(brought ? brought.bytes : before, "command");
        return withAdvice(await run, isUndone, guard.path);
      } finally {
        held?.release();
      }
    },
  };
}

function withAdvice(result: CommandResult, isUndone: boolean, path: string): CommandResult {
  if (!isUndone) return result;
  return {
    ...result,
    output: `${result.output}\n[${path} was changed, and the change was undone. ${ADVICE}]`,
  };
}

function refused(path: string): LoopliaError {
  return new LoopliaError("config-invalid", `${path} was not changed: only the program writes it.`, {
    hint: ADVICE,
  });
}

// The state before an agent acts: the worktree shows later whether it changed anything, and the next run
// undoes an edit of the list by a killed command.

/** The list before the last act, stored beside the session. */
const KEPT = "to-do.before.json";
const ACTS = new Set(["editFile", "runCommand"]);

/**
 * Called before each act of a task's agent. Stores the worktree's hash before the first act, and the list
 * whenever it has changed.
 */
async function noteBeforeAct(run: TodoRun, { taskId }: TaskState): Promise<void> {
  const { journal, ports, settings } = run;
  const known = journal.state.tasks.get(taskId)?.before;
  const bytes = await ports.workspace.read(settings.todo);
  const list = bytes ? hashContent(bytes) : "";
  if (known?.list === list) return;
  const tree = known?.tree ?? (await treeOf(run));
  // The text first: an event without it could not restore the list.
  if (bytes) await ports.log.keepText(journal.sessionId, KEPT, decodeNote(bytes));
  await journal.append({ store: "events", type: "ActAhead", payload: { taskId, tree, list } });
}

/** True if the worktree changed since before the first act; ignores the list. */
export async function hasChanged(run: TodoRun, { taskId }: TaskState): Promise<boolean> {
  const before = run.journal.state.tasks.get(taskId)?.before;
  if (before === undefined) return false;
  return before.tree === "" || before.tree !== (await treeOf(run, before.tree));
}

/** Restores the list if a killed call had changed it; keeps the discarded version. */
export async function undoKilledEdit(run: TodoRun): Promise<void> {
  const { ports, settings, journal } = run;
  const killed = findKilled(journal);
  if (!killed?.before) return;
  const kept = await ports.log.readText(journal.sessionId, KEPT);
  if (kept === undefined || hashContent(kept) !== killed.before.list) return;
  const there = await look(ports.workspace, settings.todo);
  const found = there === "strange" ? undefined : there;
  if (found && hashContent(found) === killed.before.list) return;
  const text = found && decodeNote(found);
  const name = undoneName(ports.ids);
  const where = text === undefined ? "" : await ports.log.keepText(journal.sessionId, name, text);
  await putBack(ports.workspace, settings.todo, new TextEncoder().encode(kept));
  const aside = where === "" ? "" : ` The discarded version is in ${where}.`;
  notify(
    run,
    "warning",
    `${settings.todo} was changed by ${killed.agent} before it was killed; the change was undone.${aside}`,
  );
}

/** The open task during whose act an earlier process died. Only for sessions that no run has continued. */
export function findKilled({ state, conversations }: Stored): TaskState | undefined {
  return [...state.tasks.values()].find((task) => {
    if (!isOpen(task)) return false;
    const below = `${task.conversationId}/`;
    return [...conversations.values()]
      .filter(({ conversationId: id }) => id === task.conversationId || id.startsWith(below))
      .some(({ conversationId: id, messages }) =>
        messages
          .flatMap(toolCallsOf)
          .some((call) => ACTS.has(call.name) && isInDoubt(state, callKey(id, call.id))),
      );
  });
}

type Stored = Pick<SessionView, "state" | "conversations">;

function isInDoubt(state: State, key: string): boolean {
  const call = state.calls.get(key);
  return call !== undefined && call.outcome === undefined;
}

/** Empty if it can't be determined, for example with too many files. Ignores the list. */
async function treeOf({ ports, settings }: TodoRun, like?: string): Promise<string> {
  try {
    return await ports.workspace.snapshot(new Map([[settings.todo, ""]]), like);
  } catch (error) {
    const message = `it can't be determined whether a task changed anything: ${messageOf(error)}`;
    ports.observe({ type: "notice", level: "info", message });
    return "";
  }
}

/** Keeps the byte order mark. */
function decodeNote(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

// The guarded workspace of an iteration, and the variables of its commands.

/** The workspace of this run's agents: undoes, keeps and reports an edit of the to-do file. */
export function guardFor(run: TodoRun, task: TodoTask | undefined, state: TaskState): Workspace {
  const { todo } = run.settings;
  const answers = () => (task ? answersOf(run, task, state) : []);
  return guardTodo(run.ports.workspace, {
    path: todo,
    async onUndone(discarded, by) {
      const how = discarded ? "changed" : "removed";
      const name = undoneName(run.ports.ids);
      const { sessionId } = run.journal;
      const kept = discarded ? await run.ports.log.keepText(sessionId, name, decode(discarded)) : undefined;
      const where = kept === undefined ? "" : ` The discarded version is in ${kept}.`;
      const what =
        by === "edit"
          ? `${state.agent} ${how} ${todo} itself`
          : `${todo} was ${how} while a command of ${state.agent} ran`;
      notify(run, "warning", `${what}, which was undone.${where}`);
    },
    beforeAct: async () => (task ? noteBeforeAct(run, state) : undefined),
    hold: () => run.ports.host.hold?.(todo),
    variables: () => Object.fromEntries(answers().map(({ name, value }) => [name, value])),
    checkedVariables: () =>
      Object.fromEntries(
        answers().flatMap(({ name, value, isChecked }) => (isChecked ? [[name, value]] : [])),
      ),
  });
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

type RunbookAnswer = { name: string; value: string; isChecked: boolean };

/** The answers to a runbook's questions: the n-th question of the task has the n-th answer. */
function answersOf(run: TodoRun, task: TodoTask, state: TaskState): RunbookAnswer[] {
  const { conversationId } = state;
  const { provider, messages } = run.journal.conversation(conversationId);
  if (provider !== "offline") return [];
  const interactions = [...run.journal.state.interactions.values()].filter(
    ({ request }) => request.conversationId === conversationId && request.purpose === "request_info",
  );
  // Questions of one turn are raised together, so the order of the calls counts.
  const asked = messages
    .flatMap(toolCallsOf)
    .flatMap(({ id }) => interactions.find(({ request }) => request.toolCallIds.includes(id)) ?? []);
  const now = (run.stored && findTask(run.stored.document, task.id)) ?? task;
  const questions = runbookOf(run, now, state).steps.filter((step) => step.kind === "question");
  return questions.flatMap((question) => {
    const { name, options = [], regex, answer } = question;
    const given = answer === undefined ? asked.shift() : undefined;
    const value = answer ?? (given?.response && answerValue(question, given));
    const isChecked = options.length > 0 || regex !== undefined;
    if (name === undefined || value === undefined) return [];
    return [{ name: environmentName(name), value, isChecked }];
  });
}

// Reads the list's place, whatever an agent put there, and restores the list.

type Files = Pick<Workspace, "read" | "writeAtomic" | "remove" | "list">;

/**
 * The file's bytes; undefined: no file; `strange`: a folder, a link or another thing that must not be read.
 */
async function look(files: Pick<Files, "read">, path: string): Promise<Uint8Array | "strange" | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof LoopliaError && error.code === "config-invalid") return "strange";
    throw error;
  }
}

/**
 * Writes these bytes durably, or removes the file. First removes anything at the path that is no file, and
 * anything above it that is no folder. Files that were moved elsewhere stay there.
 */
async function putBack(files: Files, path: string, bytes: Uint8Array | undefined): Promise<void> {
  const inTheWay = await findInTheWay(files, path);
  if (inTheWay !== undefined) await files.remove(inTheWay);
  else if (!bytes || (await look(files, path)) === "strange") await files.remove(path);
  if (bytes) await writeWhole(files, path, bytes);
}

/** The first name above the path that is no folder, such as a link or a file. */
async function findInTheWay(files: Pick<Files, "list">, path: string): Promise<string | undefined> {
  const names = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const entries = await files.list(names.slice(0, depth - 1).join("/"));
    const entry = entries.find(({ name }) => name === names[depth - 1]);
    if (!entry) return undefined;
    if (!entry.isFolder) return names.slice(0, depth).join("/");
  }
  return undefined;
}

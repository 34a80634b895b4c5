// A runbook: a to-do task whose steps are commands, questions and notes, so that it needs no model, and how far
// a conversation has come with it. Pure.
import { z } from "zod";
import { type Message, messageText, toolCallsOf } from "./events.ts";
import { isObject, lazily, parseJson } from "./json.ts";

const runbookStep = lazily(() =>
  z.discriminatedUnion("kind", [
    /** `ran`: how it ended with 0 in an earlier attempt, so it does not run again. */
    z.object({ kind: z.literal("command"), command: z.string(), ran: z.string().exactOptional() }),
    z.object({
      kind: z.literal("question"),
      /** Later commands get the answer in `$LOOPLIA_<NAME>`. */
      name: z.string().exactOptional(),
      question: z.string(),
      options: z.array(z.string()).exactOptional(),
      regex: z.string().exactOptional(),
      /** Given in an earlier attempt, so the question is not asked again. */
      answer: z.string().exactOptional(),
    }),
    z.object({ kind: z.literal("note"), text: z.string() }),
  ]),
);
const factsBlock = lazily(() =>
  z.object({
    task: z.object({ id: z.string() }),
    runbook: z.array(runbookStep()),
    /** Why a person decides where this attempt begins. */
    choose: z.string().exactOptional(),
  }),
);
export type RunbookStep = z.infer<ReturnType<typeof runbookStep>>;
export type RunbookFacts = z.infer<ReturnType<typeof factsBlock>>;
/** A step that is carried out: no note. */
export type Act = Exclude<RunbookStep, { kind: "note" }>;
/** An act of this conversation that has its result; `step` identifies it, whatever the runbook says now. */
export type Acted = { step: string; callId: string; reply: string; isError: boolean };

/**
 * The runbook in the message that starts a task: one line between fences, which text inside it can't close.
 * Undefined without one.
 */
export function readRunbookTask(opening: string): RunbookFacts | undefined {
  const [, text = ""] = /^```json\n([^\n]*)\n```$/m.exec(opening) ?? [];
  return factsBlock().safeParse(parseJson(text)).data;
}

/** The ids of the answers to where an attempt begins. */
export const REST = "rest";
export const FIRST = "first";

/** `choice`: where a person let the attempt begin; empty if the person declined to say. */
type Progress = {
  facts: RunbookFacts;
  choice: string | undefined;
  acted: Acted[];
  /** The last command was interrupted with its run: a person says whether it is done. */
  open?: "unasked" | "again";
};

/** How far a conversation has come; if people changed the steps meanwhile, the newest steps apply. */
export function progressOf(opening: RunbookFacts, messages: readonly Message[]): Progress {
  const changes = messages.flatMap((message) => readRunbookTask(messageText(message)) ?? []);
  const given = changes.at(-1) ?? opening;
  const settled = settledActs(messages);
  const chosen = settled.find(({ isChoice }) => isChoice);
  const choice = chosen && (/^The person chose (\w+)/.exec(chosen.reply)?.[1] ?? "");
  const facts = choice === FIRST ? { ...given, runbook: given.runbook.map(fromTheFirst) } : given;
  return { facts, choice, ...judgeActs(settled.filter(({ isChoice }) => !isChoice)) };
}

/** Without what earlier attempts did. */
function fromTheFirst(step: RunbookStep): RunbookStep {
  if (step.kind === "command") return { kind: "command", command: step.command };
  if (step.kind === "note") return step;
  const { answer: _, ...question } = step;
  return question;
}

/** The steps to carry out in this attempt. */
export function dueActs(runbook: readonly RunbookStep[]): Act[] {
  return runbook.filter(
    (step): step is Act =>
      (step.kind === "command" && step.ran === undefined) ||
      (step.kind === "question" && step.answer === undefined),
  );
}

/** Equal for steps that do the same: the command, or the question with what may be answered. */
export function stepKey(step: Act): string {
  if (step.kind === "command") return JSON.stringify([step.command]);
  return JSON.stringify([step.question, step.options ?? [], step.regex ?? ""]);
}

/**
 * The result of each act so far. A command that was interrupted with its run is `open`: a person says whether
 * it is done. A repeated command replaces the interrupted one.
 */
function judgeActs(settled: readonly Acted[]): Pick<Progress, "acted" | "open"> {
  const acted: Acted[] = [];
  for (let at = 0; at < settled.length; at += 1) {
    const act = settled[at];
    if (!act) break;
    if (!INTERRUPTED.test(act.reply)) {
      acted.push(act);
      continue;
    }
    at += 1;
    const word = settled[at];
    if (!word) return { acted, open: "unasked" };
    const [, chosen] = /^The person chose (again|done)\b/.exec(word.reply) ?? [];
    if (chosen === "again" && at === settled.length - 1) return { acted, open: "again" };
    if (chosen === "done") {
      const reply = "Interrupted with its run; a person confirmed that it is done.";
      acted.push({ ...act, reply, isError: false });
    } else if (chosen !== "again") acted.push({ ...act, isError: true });
  }
  return { acted };
}

/** The wording of `runCommand`. */
const INTERRUPTED = /^Interrupted together with the run\./;

/** Commands and questions that have their result, in order. */
function settledActs(messages: readonly Message[]): (Acted & { isChoice: boolean })[] {
  const results = messages.flatMap(({ content }) => content).filter((block) => block.type === "tool_result");
  return messages
    .flatMap(toolCallsOf)
    .filter(({ name }) => name === "runCommand" || name === "askUser")
    .flatMap(({ id, input }) => {
      const result = results.find((block) => block.tool_use_id === id);
      if (!result || SKIPPED.test(result.content)) return [];
      const act = { callId: id, reply: result.content, isError: result.is_error === true };
      return [{ ...act, step: keyOfInput(input), isChoice: offers(input, FIRST) }];
    });
}

function keyOfInput(input: unknown): string {
  if (!isObject(input)) return "";
  if (typeof input.command === "string") return JSON.stringify([input.command]);
  const regex = isObject(input.validation) ? (input.validation.regex ?? "") : "";
  return JSON.stringify([input.question, input.options ?? [], regex]);
}

/** A runbook's own question has texts as options. */
function offers(input: unknown, option: string): boolean {
  const options = isObject(input) && Array.isArray(input.options) ? input.options : [];
  return options.some((one: unknown) => isObject(one) && one.id === option);
}

/** The loop's wording for commands after a failed one, and that of stored sessions. */
const SKIPPED = /^Not run: (?:an earlier step|a step before it) failed\.$/;

/** Exit code 0, an answer, or a person's confirmation that a command with a lost result is done. */
const WENT_WELL =
  /^(?:Exit code 0\.|The person (?:chose|answered:)|A person (?:checked|looked): this call did run\.|Interrupted with its run; a person)/;

/** A refusal, any exit code but 0, a time-out, or a question without an answer. */
export function hasFailed({ reply, isError }: Pick<Acted, "reply" | "isError">): boolean {
  return isError || !WENT_WELL.test(reply);
}

/** A step of an earlier attempt; `ran`: how it went, if it went well, then or before. */
export type EarlierStep = { step: string; ran: string | undefined; callId?: string; answer?: string };

/** The steps of a conversation, in order, with what went well. */
export function earlierSteps(opening: RunbookFacts, messages: readonly Message[]): EarlierStep[] {
  const { facts, acted } = progressOf(opening, messages);
  const left = [...acted];
  const known = facts.runbook
    .filter((step) => step.kind !== "note")
    .map((step): EarlierStep => {
      const key = stepKey(step);
      const before = step.kind === "command" ? step.ran : step.answer;
      if (before !== undefined) {
        return { step: key, ran: before, ...(step.kind === "question" ? { answer: before } : {}) };
      }
      if (left[0]?.step !== key) return { step: key, ran: undefined };
      const act = left.shift();
      return act && !hasFailed(act)
        ? { step: key, ran: act.reply.split("\n")[0] ?? "", callId: act.callId }
        : { step: key, ran: undefined };
    });
  // Steps that a person changed or removed after they had run.
  const gone = left.flatMap((act) =>
    hasFailed(act) ? [] : [{ step: act.step, ran: act.reply.split("\n")[0] ?? "", callId: act.callId }],
  );
  return [...known, ...gone];
}

// Works through runbooks without a language model.
import { z } from "zod";
import { type Message, messageText, toolCallsOf } from "../core/events.ts";
import { parseJson } from "../core/json.ts";
import { cutWords } from "./article.ts";

// What the offline model says in a turn.

export type Turn = { text: string; calls?: { name: string; input: Record<string, unknown> }[] };

const step = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("command"), command: z.string() }),
  z.object({
    kind: z.literal("question"),
    name: z.string().optional(),
    question: z.string(),
    options: z.array(z.string()).optional(),
    regex: z.string().optional(),
    /** Given before the task was changed, so the question is not asked again. */
    answer: z.string().optional(),
  }),
  z.object({ kind: z.literal("note"), text: z.string() }),
]);
const factsBlock = z.object({ task: z.object({ id: z.string() }), runbook: z.array(step) });
type Runbook = z.infer<typeof factsBlock>;
type Step = z.infer<typeof step>;
type Acted = { reply: string; isError: boolean };

/** Longer commands should run in the background, outside the runbook. */
const COMMAND_SECONDS = 600;
const TAIL_LINES = 5;
/** Limits of `reportSummary` on a summary and on a blocker line. */
const MAX_SUMMARY = 10_000;
const MAX_BLOCKER = 1_000;
const MAX_LINE = 500;
/** Limit of `askUser`. */
const MAX_QUESTION = 4_000;

/**
 * The runbook in the message that starts a task: one line between fences, which text inside it can't close.
 * Undefined without one.
 */
export function readRunbookTask(opening: string): Runbook | undefined {
  const [, text = ""] = /^```json\n([^\n]*)\n```$/m.exec(opening) ?? [];
  return factsBlock.safeParse(parseJson(text)).data;
}

/**
 * The next commands or questions, or the summary: done, blocked by the first failure, or skipped. `messages`:
 * those after the opening; if people changed the steps meanwhile, the newest steps apply.
 */
export function nextStep(opening: Runbook, messages: readonly Message[]): Turn {
  const changes = messages.flatMap((message) => readRunbookTask(messageText(message)) ?? []);
  const { task, runbook } = changes.at(-1) ?? opening;
  const acts = actsOf(runbook);
  if (acts.length === 0 && runbook.every(({ kind }) => kind === "note")) {
    return report(
      task.id,
      "skipped",
      "The task has no `$` command, so it takes a language model (set a key) or a person.",
      [],
    );
  }
  const unclear = runbook.find((one) => one.kind === "note" && UNCLEAR.test(one.text));
  if (unclear?.kind === "note") {
    const blocker = `This step may be meant as a command or a question, so nothing of the task ran: ${cutWords(unclear.text, MAX_LINE, "…")}`;
    const advice = "Begin it with `$ ` or `? `, or with a word if it is a note.";
    return report(task.id, "blocked", blocker, [`${blocker} — ${advice}`]);
  }
  const { acted, open } = judgeActs(settledActs(messages));
  const [act, ...later] = acts.slice(acted.length);
  const begun = JSON.stringify(actsOf(opening.runbook).slice(0, acted.length));
  if (begun !== JSON.stringify(acts.slice(0, acted.length))) {
    const what = "Steps that had already run were changed.";
    return report(task.id, "blocked", what, [`${what} Set the task to \`todo\` to run all of it again.`]);
  }
  if (open === "unasked" && act?.kind === "command") return askAbout(act.command);
  const said = shorten(linesOf(runbook, acted).map((line) => cutWords(line, MAX_LINE, "…")));
  const failed = open ? undefined : acted.find(hasFailed);
  if (failed) return report(task.id, "blocked", said, [reasonOf(failed, acts[acted.indexOf(failed)])]);
  if (!act) return report(task.id, "done", said, []);
  const end = later.findIndex(({ kind }) => kind !== act.kind);
  return perform([act, ...later.slice(0, end < 0 ? later.length : end)]);
}

/** A `$` without a space after it (a price such as `$5` is none), or a mark behind spaces. */
const UNCLEAR = /^(?:\$[^\s\d]|\s+[$?])/;

/**
 * The result of each act so far. A command that was interrupted with its run is `open`: a person says whether
 * it is done. A repeated command replaces the interrupted one.
 */
function judgeActs(settled: readonly Acted[]): { acted: Acted[]; open?: "unasked" | "again" } {
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
    if (chosen === "done")
      acted.push({ reply: "Interrupted with its run; a person confirmed that it is done.", isError: false });
    else if (chosen !== "again") acted.push({ ...act, isError: true });
  }
  return { acted };
}

/** The wording of `runCommand`. */
const INTERRUPTED = /^Interrupted together with the run\./;

function askAbout(command: string): Turn {
  const question = `This was interrupted when its run was stopped. What it had done by then is kept. How should it continue?\n\n$ ${command}`;
  const options = [
    { id: "again", label: "Run it again" },
    { id: "done", label: "It is done: continue with the next step" },
    { id: "stop", label: "Stop: the task is blocked" },
  ];
  return {
    text: question,
    calls: [
      {
        name: "askUser",
        input: { question: cutWords(question, MAX_QUESTION, "…"), purpose: "choose_strategy", options },
      },
    ],
  };
}

type Act = Exclude<Step, { kind: "note" }>;

/** The steps to carry out: commands and unanswered questions, without notes. */
function actsOf(runbook: readonly Step[]): Act[] {
  return runbook.filter(
    (one): one is Act => one.kind === "command" || (one.kind === "question" && !isAnswered(one)),
  );
}

function isAnswered(one: Step): boolean {
  return one.kind === "question" && one.answer !== undefined;
}

function perform(acts: readonly Act[]): Turn {
  const lines = acts.map((act) => (act.kind === "command" ? `$ ${act.command}` : act.question));
  return { text: lines.join("\n"), calls: acts.map(callOf) };
}

function callOf(act: Act): NonNullable<Turn["calls"]>[number] {
  if (act.kind === "command") {
    const input = { command: act.command, timeoutSeconds: COMMAND_SECONDS, stopOnFailure: true };
    return { name: "runCommand", input };
  }
  const { question, options, regex } = act;
  const validation = options
    ? {}
    : { validation: { required: true, ...(regex === undefined ? {} : { regex }) } };
  return {
    name: "askUser",
    input: { question, purpose: "request_info", ...(options ? { options } : validation) },
  };
}

function report(id: string, status: string, summary: string, blockers: string[]): Turn {
  const input = { task_id: id, status, summary, ...(blockers.length === 0 ? {} : { blockers }) };
  return { text: `${id}: ${status}`, calls: [{ name: "reportSummary", input }] };
}

/** Commands and questions that have their result, in order. */
function settledActs(messages: readonly Message[]): Acted[] {
  const results = messages.flatMap(({ content }) => content).filter((block) => block.type === "tool_result");
  return messages
    .flatMap(toolCallsOf)
    .filter(({ name }) => name === "runCommand" || name === "askUser")
    .flatMap(({ id }) => {
      const result = results.find((block) => block.tool_use_id === id);
      if (!result || SKIPPED.test(result.content)) return [];
      return [{ reply: result.content, isError: result.is_error === true }];
    });
}

/** The loop's wording for commands after a failed one, and that of stored sessions. */
const SKIPPED = /^Not run: (?:an earlier step|a step before it) failed\.$/;

/** Exit code 0, an answer, or a person's confirmation that a command with a lost result is done. */
const WENT_WELL =
  /^(?:Exit code 0\.|The person (?:chose|answered:)|A person (?:checked|looked): this call did run\.|Interrupted with its run; a person)/;

/** A refusal, any exit code but 0, a time-out, or a question without an answer. */
function hasFailed({ reply, isError }: Acted): boolean {
  return isError || !WENT_WELL.test(reply);
}

function reasonOf({ reply }: Acted, act: Step | undefined): string {
  const what = act?.kind === "command" ? `$ ${act.command}` : act?.kind === "question" ? act.question : "";
  return cutWords(`${cutWords(what, MAX_LINE, "…")}: ${firstLine(reply)}`, MAX_BLOCKER, "…");
}

/** Commands with exit code and the end of the output, questions with answers, and notes, in their order. */
function linesOf(runbook: readonly Step[], acted: readonly Acted[]): string[] {
  let at = 0;
  return runbook.flatMap((one) => {
    if (one.kind === "note") return [`- ${one.text}`];
    if (one.kind === "question" && one.answer !== undefined)
      return [`? ${one.question} Answered before the task was changed: ${one.answer}`];
    const result = acted[at];
    at += 1;
    if (one.kind === "question") {
      return [`? ${one.question} ${result ? result.reply.replace(/\s+/g, " ") : "(not asked)"}`];
    }
    if (!result) return [`$ ${one.command} (not run)`];
    const [, ...output] = result.reply.trimEnd().split("\n");
    return [
      `$ ${one.command}`,
      `  ${firstLine(result.reply)}`,
      ...output.slice(-TAIL_LINES).map((line) => `  ${line}`),
    ];
  });
}

/** The lines as a summary's text: if there are too many, only the last ones, which show the end. */
function shorten(lines: readonly string[]): string {
  const text = lines.join("\n");
  if (text.length <= MAX_SUMMARY) return text;
  const [mark, end] = ["[…]\n", text.slice(-(MAX_SUMMARY - MAX_LINE))];
  return mark + end.slice(end.indexOf("\n") + 1);
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

// Works through runbooks without a language model.
import type { Message } from "../core/events.ts";
import {
  type Act,
  type Acted,
  dueActs,
  FIRST,
  hasFailed,
  progressOf,
  REST,
  type RunbookFacts,
  type RunbookStep,
  stepKey,
} from "../core/runbook.ts";
import { cutWords } from "./article.ts";

// What the offline model says in a turn.

export type Turn = { text: string; calls?: { name: string; input: Record<string, unknown> }[] };

/** Longer commands should run in the background, outside the runbook. */
const COMMAND_SECONDS = 600;
const TAIL_LINES = 5;
/** Limits of `reportSummary` on a summary and on a blocker line. */
const MAX_SUMMARY = 10_000;
const MAX_BLOCKER = 1_000;
const MAX_LINE = 500;
/** Limit of `askUser`. */
const MAX_QUESTION = 4_000;
const MAX_LABEL = 99;

/**
 * The next commands or questions, or the summary: done, blocked by the first failure, or skipped. `messages`:
 * those after the opening; if people changed the steps meanwhile, the newest steps apply.
 */
export function nextStep(opening: RunbookFacts, messages: readonly Message[]): Turn {
  const { facts, choice, acted, open } = progressOf(opening, messages);
  const { task, runbook, choose } = facts;
  const acts = dueActs(runbook);
  if (runbook.every(({ kind }) => kind === "note")) {
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
  if (choose !== undefined && choice === undefined) return askWhere(choose, acts);
  if (choice === "") {
    return report(task.id, "blocked", "Nobody said where it begins.", [
      `${choose ?? ""} Nobody said where it begins.`,
    ]);
  }
  const [act, ...later] = acts.slice(acted.length);
  if (acted.some(({ step }, at) => !acts[at] || step !== stepKey(acts[at]))) {
    const what = "Steps that had already run were changed.";
    return report(task.id, "blocked", what, [`${what} Set the task to \`todo\` to choose where it begins.`]);
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

/** Asks a person where an attempt begins; `acts`: the steps that have not succeeded. */
function askWhere(why: string, [next]: readonly Act[]): Turn {
  const what = next?.kind === "command" ? `$ ${next.command}` : next?.question;
  const rest =
    what === undefined ? "Nothing more: every step succeeded" : `Only what has not succeeded: ${what}`;
  const question = `${why} Where should it begin?`;
  const options = [
    { id: REST, label: cutWords(rest.replace(/\s+/g, " "), MAX_LABEL, "…") },
    { id: FIRST, label: "All of it again, from the first step" },
  ];
  const input = { question: cutWords(question, MAX_QUESTION, "…"), purpose: "choose_strategy", options };
  return { text: question, calls: [{ name: "askUser", input }] };
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

function reasonOf({ reply }: Acted, act: RunbookStep | undefined): string {
  const what = act?.kind === "command" ? `$ ${act.command}` : act?.kind === "question" ? act.question : "";
  return cutWords(`${cutWords(what, MAX_LINE, "…")}: ${firstLine(reply)}`, MAX_BLOCKER, "…");
}

/** Commands with exit code and the end of the output, questions with answers, and notes, in their order. */
function linesOf(runbook: readonly RunbookStep[], acted: readonly Acted[]): string[] {
  let at = 0;
  return runbook.flatMap((one) => {
    if (one.kind === "note") return [`- ${one.text}`];
    if (one.kind === "question" && one.answer !== undefined)
      return [`? ${one.question} Answered in an earlier attempt: ${one.answer}`];
    if (one.kind === "command" && one.ran !== undefined)
      return [`$ ${one.command}`, `  Not run again: ${one.ran}`];
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

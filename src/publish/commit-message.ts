// The message of a task's commit: conventional, with trailers. What others wrote can neither mention, close nor skip
// anything, and never reaches the last paragraph, where trailers are. Pure.
import { RUN_TRAILER } from "../ports/repository.ts";
import type { TodoEnd } from "../ports.ts";
import { listWords } from "./figures.ts";
import { plainTitle } from "./markdown.ts";
import { REHEARSAL } from "./report.ts";

export type CommittedTask = {
  sessionId: string;
  outputs: readonly string[];
  status: "completed" | "failed";
  isRehearsal: boolean;
  /** `<run id>.<attempt>` of the Action. */
  run: string;
};

/** `content(<slug>): add <outputs>`, with a trailer for the session, each step and the run. */
export function writeCommitMessage(task: CommittedTask): string {
  const slug = task.sessionId.replace(/-\d{4}-\d{2}-\d{2}-[0-9a-f]{6}$/, "").slice(0, 50);
  const outputs = listWords(task.outputs);
  const change = task.status === "completed" ? `add ${outputs}` : `note that ${outputs} failed`;
  const note = task.isRehearsal ? [`This is an ${REHEARSAL}.`, ""] : [];
  return [
    `content(${slug}): ${change}`,
    "",
    ...note,
    `Looplia-Session: ${task.sessionId}`,
    ...task.outputs.map((output) => `Looplia-Step: ${output}`),
    `${RUN_TRAILER}: ${task.run}`,
    "",
  ].join("\n");
}

export type CommittedTodo = TodoEnd & {
  sessionId: string;
  id: string;
  title: string;
  /** `<run id>.<attempt>` of the Action. */
  run: string;
};

/** Kinds of change (conventional commits), by the words that lists have for them. */
const KINDS = new Map(
  Object.entries({
    feat: ["feat", "feature", "enhancement"],
    fix: ["fix", "bug", "bugfix"],
    docs: ["docs", "doc", "documentation"],
    test: ["test", "tests", "testing"],
    refactor: ["refactor", "refactoring", "cleanup"],
    perf: ["perf", "performance"],
    build: ["build", "deps", "dependencies"],
    ci: ["ci"],
    style: ["style"],
  }).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)),
);
const SUBJECT = 72;
const LINE = 200;
const LINES = 60;

/** `<kind>: <title>` with the summary, then a trailer for the session, the task and the run. */
export function writeTodoMessage(task: CommittedTodo): string {
  const { sessionId, id, said, run } = task;
  const lines = said.trim().split("\n");
  const shown = lines.slice(0, LINES).map((line) => quiet(line, LINE));
  const body = lines.length > LINES ? [...shown, "…"] : shown;
  return [
    plainTitle(quiet(subjectOf(task), SUBJECT), SUBJECT),
    "",
    ...(body.join("").trim() === "" ? [] : [body.join("\n").trim(), ""]),
    `Looplia-Session: ${sessionId}`,
    `Looplia-Task: ${quiet(id, LINE)}`,
    `${RUN_TRAILER}: ${run}`,
    "",
  ].join("\n");
}

function subjectOf({ label, tags, id, title }: CommittedTodo): string {
  if (label === "blocked") return `chore: note that ${id} is blocked`;
  if (label === "skipped") return `chore: leave ${id} for later`;
  if (label === "todo") return `chore: put ${id} back`;
  const kind = tags.flatMap((tag) => KINDS.get(tag.toLowerCase()) ?? [])[0] ?? "chore";
  return `${kind}: ${/[\p{L}\p{N}\p{P}\p{S}]/u.test(title) ? title : `do ${id}`}`;
}

/** One line that asks nothing of GitHub: `[skip ci]` and its like are workflow commands too. */
function quiet(line: string, limit: number): string {
  return plainTitle(line, limit).replace(/\[(?=[^\]]*\b(?:skip|no|ci)\b)/gi, "(");
}

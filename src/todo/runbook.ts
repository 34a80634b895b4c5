// A runbook: a to-do task whose steps are commands, questions and notes, so that no model is needed. Pure.
import type { TodoTask } from "./schema.ts";

export type RunbookStep =
  | { kind: "command"; command: string }
  /** The answer is in `$LOOPLIA_<NAME>` for the commands after it. */
  | { kind: "question"; name: string; question: string; options?: string[]; regex?: string }
  | { kind: "note"; text: string };

/** `? name: Question?`, then options between brackets `[a | b]` or a pattern between slashes. */
const QUESTION = /^\?\s*([a-z][a-z0-9_-]{0,39})\s*:\s*(.+)$/is;

/** The steps of a task in order. What is neither a command nor a question is a note. */
export function readRunbook({ steps = [] }: Pick<TodoTask, "steps">): RunbookStep[] {
  return steps.map((text): RunbookStep => {
    const command = /^\$\s+(\S[\s\S]*)$/.exec(text)?.[1];
    if (command !== undefined) return { kind: "command", command };
    const [, name, rest] = QUESTION.exec(text) ?? [];
    if (name === undefined || rest === undefined) return { kind: "note", text };
    return { kind: "question", name, ...readQuestion(rest.trim()) };
  });
}

/** A text ends with its options or its pattern. Read by hand: expressions for it take hours for some long texts. */
function readQuestion(text: string): { question: string; options?: string[]; regex?: string } {
  const bracket = text.lastIndexOf("[");
  const list = text.slice(bracket + 1, -1);
  if (bracket >= 0 && text.endsWith("]") && list.includes("|") && !list.includes("]")) {
    const options = list.split("|").map((option) => option.trim());
    return { question: text.slice(0, bracket).trimEnd(), options: options.filter((option) => option !== "") };
  }
  const slash = text.search(/\s\//);
  const regex = slash >= 0 && text.endsWith("/") ? text.slice(slash + 2, -1) : "";
  return regex === "" ? { question: text } : { question: text.slice(0, slash).trimEnd(), regex };
}

/** `region` → `LOOPLIA_REGION` */
export function variableName(name: string): string {
  return `LOOPLIA_${name.toUpperCase().replaceAll("-", "_")}`;
}

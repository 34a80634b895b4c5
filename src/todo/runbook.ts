// A runbook: a to-do task whose steps are commands, questions and notes, so that no model is needed. Pure.
import type { TodoTask } from "./schema.ts";

export type RunbookStep =
  | { kind: "command"; command: string }
  /** The answer is in `$LOOPLIA_<NAME>` for the commands after it. */
  | { kind: "question"; name: string; question: string; options?: string[]; regex?: string }
  | { kind: "note"; text: string };

/** `? name: Question?`, then options between brackets `[a | b]` or a pattern between slashes. */
const QUESTION = /^\?\s*([a-z][a-z0-9_-]{0,39})\s*:\s*(.+)$/is;
const OPTIONS = /^(.*?)\s*\[([^[\]]*\|[^[\]]*)\]\s*$/s;
const PATTERN = /^(.*?)\s+\/(.+)\/\s*$/s;

/** The steps of a task in order. What is neither a command nor a question is a note. */
export function readRunbook({ steps = [] }: Pick<TodoTask, "steps">): RunbookStep[] {
  return steps.map((text): RunbookStep => {
    const command = /^\$\s+(\S[\s\S]*)$/.exec(text)?.[1];
    if (command !== undefined) return { kind: "command", command };
    const [, name, rest] = QUESTION.exec(text) ?? [];
    if (name === undefined || rest === undefined) return { kind: "note", text };
    const [, asked, list] = OPTIONS.exec(rest) ?? [];
    if (asked !== undefined && list !== undefined) {
      const options = list.split("|").map((option) => option.trim());
      return { kind: "question", name, question: asked, options: options.filter((option) => option !== "") };
    }
    const [, before, regex] = PATTERN.exec(rest) ?? [];
    if (before !== undefined && regex !== undefined)
      return { kind: "question", name, question: before, regex };
    return { kind: "question", name, question: rest.trim() };
  });
}

/** `region` → `LOOPLIA_REGION` */
export function variableName(name: string): string {
  return `LOOPLIA_${name.toUpperCase().replaceAll("-", "_")}`;
}

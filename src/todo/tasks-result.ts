// What a run says of a to-do file.
import type { Journal } from "../agent/journal.ts";
import { noUsage } from "../session/conversation.ts";
import type { InteractionRequest } from "../session/interaction.ts";
import type { Usage } from "../session/message.ts";
import { openInteractions } from "../session/state.ts";
import type { TaskStatus, TodoFile, TodoTask } from "./schema.ts";

export type TasksEnd = {
  status: "completed" | "stopped" | "waiting" | "failed";
  reasonCode: string;
  /** What went wrong or is left, for a person. */
  message?: string;
};

export type TasksResult = TasksEnd & {
  /** Empty when no session could begin. */
  sessionId: string;
  /** The to-do file. */
  path: string;
  file: TodoFile | undefined;
  tasks: { id: string; title: string; status: TaskStatus; message?: string }[];
  /** How tasks were done, when not by a language model. */
  notice?: string;
  interactions: InteractionRequest[];
  usage: Usage;
  /** US dollars of the session so far; null when a model without a price was used. */
  costUsd: number | null;
};

/** The result of a run that ended so; without a journal nothing of it is stored. */
export function describeTasks(
  end: TasksEnd,
  {
    path,
    file,
    journal,
    sessionId,
  }: { path: string; file: TodoFile | undefined; journal?: Journal; sessionId: string },
): TasksResult {
  return {
    ...end,
    sessionId,
    path,
    file,
    tasks: (file?.tasks ?? []).map(({ id, title, status, blockers }) => {
      const why = status === "blocked" ? blockers?.at(-1) : undefined;
      return { id, title, status, ...(why === undefined ? {} : { message: why }) };
    }),
    interactions: journal ? openInteractions(journal.state) : [],
    usage: journal?.totals.usage ?? noUsage(),
    costUsd: journal === undefined ? 0 : journal.totals.unpriced ? null : journal.totals.costUsd,
  };
}

const SHOWN = 5;

/** `3 tasks are left: T1 (blocked: no key), T2, …` */
export function whatIsLeft(tasks: readonly TodoTask[]): string {
  const left = tasks.filter((task) => task.status !== "done");
  const names = left.slice(0, SHOWN).map(({ id, status, blockers }) => {
    const why = status === "blocked" ? blockers?.at(-1) : undefined;
    return status === "todo" ? id : `${id} (${status}${why === undefined ? "" : `: ${why}`})`;
  });
  const more = left.length > SHOWN ? ", …" : "";
  return `${left.length} ${left.length === 1 ? "task is" : "tasks are"} left: ${names.join(", ")}${more}`;
}

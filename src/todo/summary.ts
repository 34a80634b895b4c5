// Summaries: found in a text, checked, and turned into a change of the task. Pure.
import type { TaskSummary } from "../session/events.ts";
import { isObject, parseJson } from "../session/json.ts";
import { inputProblems } from "../tools/registry.ts";
import { summarySchema } from "../tools/report-summary.ts";
import type { TaskChange } from "./edit.ts";
import type { TaskStatus, TodoTask } from "./schema.ts";

/** A summary by its schema, or all that is wrong with it. */
export function checkSummary(value: unknown): { summary: TaskSummary } | { problems: string } {
  const parsed = summarySchema.safeParse(value);
  if (!parsed.success) return { problems: inputProblems(parsed.error) };
  const { task_id, status, summary, files, blockers } = parsed.data;
  return {
    summary: {
      task_id,
      status,
      ...(summary === undefined ? {} : { summary }),
      ...(files === undefined ? {} : { files }),
      ...(blockers === undefined ? {} : { blockers }),
    },
  };
}

/** The summary that a last message is or holds: the whole text, else a fenced block, else from brace to brace. */
export function findSummary(text: string): TaskSummary | undefined {
  const fenced = [...text.matchAll(/^ {0,3}```[^\n`]*\n([\s\S]*?)^ {0,3}```/gm)].map(([, body = ""]) => body);
  const braces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, ...fenced.reverse(), braces]) {
    const value = parseJson(candidate);
    if (!isObject(value)) continue;
    const checked = checkSummary(value);
    if ("summary" in checked) return checked.summary;
  }
  return undefined;
}

/**
 * What a summary changes: status, union of files and blockers, `updated_at`. Nothing else of the task. A summary that
 * was applied already changes nothing, whenever that was.
 */
export function changeFor(
  task: TodoTask,
  end: {
    status: TaskStatus;
    files?: readonly string[];
    blockers?: readonly string[];
    /** A blocker that these take the place of. */
    outdated?: string;
    /** Nothing is new: the task becomes what it was, its time as well. */
    isRepeated?: true;
  },
  now: string,
): TaskChange {
  const { status, files = [], blockers = [], outdated } = end;
  const isThere = (list: readonly string[] | undefined, value: string) => list?.includes(value) === true;
  const isKnown =
    files.every((file) => isThere(task.files, file)) &&
    blockers.every((blocker) => isThere(task.blockers, blocker));
  if (isKnown && task.status === status) return {};
  if (isKnown && end.isRepeated) return { set: { status } };
  // What is said today stands last, where it is read as the reason.
  const isNews = status === "blocked" && !blockers.includes(task.blockers?.at(-1) ?? "");
  const again = isNews ? blockers : [];
  const old = outdated === undefined || blockers.includes(outdated) ? again : [outdated, ...again];
  const remove = old.length === 0 ? {} : { remove: { blockers: old } };
  return { set: { status, updated_at: now }, ...remove, add: { files, blockers } };
}

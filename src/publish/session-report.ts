// The report of one session as Markdown. Pure.
import type { Conversation, Totals } from "../core/conversation.ts";
import { toolCallsOf } from "../core/events.ts";
import { detailLines } from "../core/interaction.ts";
import { callKey, type State, type TaskState, taskEnd } from "../core/state.ts";
import { codeSpan, escapeInline, formatCost, formatTokens } from "./markdown.ts";

type SessionReport = {
  sessionId: string;
  tasks: { id: string; agent: string; status: string; attempts: number; message: string }[];
  interactions: {
    id: string;
    kind: string;
    title: string;
    /** What was shown with it, in full: the commands of a Confirm, for instance. */
    details: string[];
    status: string;
    answer: string;
    /** What the person said beside the answer. */
    comment: string;
    by: string;
  }[];
  calls: { tool: string; calls: number; failed: number }[];
  usage: Totals["usage"];
  costUsd: number | null;
};

/** What the stores of a session say. */
export function reportOf(view: {
  sessionId: string;
  state: State;
  conversations: ReadonlyMap<string, Conversation>;
  totals: Totals;
}): SessionReport {
  const { sessionId, state, totals } = view;
  return {
    sessionId,
    tasks: [...state.tasks.values()].map((task) => {
      const { taskId: id, agent, attempt: attempts } = task;
      return { id, agent, status: taskEnd(task), attempts, message: saidOf(task) };
    }),
    interactions: [...state.interactions.values()].map(({ request, response, closed }) => ({
      id: request.shortId,
      kind: request.kind,
      title: request.display.title,
      details: detailLines(request),
      status: response ? "answered" : closed ? closed.why : "open",
      answer: response?.selectedOptionId ?? response?.inputValue ?? "",
      comment: response?.comment ?? "",
      by: response?.authorActorId ?? "",
    })),
    calls: countCalls(view),
    usage: totals.usage,
    costUsd: totals.unpriced ? null : totals.costUsd,
  };
}

/** What its agent said of a task, or why it failed. What was reported of another task says nothing of this one. */
function saidOf({ taskId, status, summary, failures, blocker }: TaskState): string {
  const own = summary?.task_id === taskId ? summary : undefined;
  if (status === "failed") return own?.blockers?.at(-1) ?? blocker ?? failures.at(-1) ?? "";
  return own?.summary ?? "";
}

/** The report as Markdown: nothing in it is a model's markup. */
export function reportMarkdown(report: SessionReport): string {
  const { sessionId, tasks, interactions, calls, usage, costUsd } = report;
  const sections = [
    `# ${escapeInline(sessionId)}`,
    `${formatTokens(usage)}, ${formatCost(costUsd)}`,
    table(
      "Tasks",
      ["task", "state", "agent", "attempts", "summary"],
      tasks.map((task) => [
        codeSpan(task.id),
        task.status,
        codeSpan(task.agent),
        String(task.attempts),
        firstLine(task.message),
      ]),
    ),
    table(
      "Questions",
      ["id", "question", "state", "answer", "by"],
      interactions.map((one) => [
        one.id,
        `${escapeInline(one.title)}${shownDetails(one.title, one.details)}`,
        one.status,
        firstLine(one.comment === "" ? one.answer : `${one.answer}: ${one.comment}`),
        escapeInline(one.by),
      ]),
    ),
    table(
      "Calls",
      ["tool", "calls", "failed"],
      calls.map((one) => [codeSpan(one.tool), String(one.calls), String(one.failed)]),
    ),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function countCalls({ state, conversations }: Parameters<typeof reportOf>[0]): SessionReport["calls"] {
  const counts = new Map<string, { calls: number; failed: number }>();
  for (const { conversationId, messages } of conversations.values()) {
    for (const call of messages.flatMap(toolCallsOf)) {
      const count = counts.get(call.name) ?? { calls: 0, failed: 0 };
      const outcome = state.calls.get(callKey(conversationId, call.id))?.outcome;
      counts.set(call.name, {
        calls: count.calls + 1,
        failed: count.failed + (outcome === undefined || outcome === "done" ? 0 : 1),
      });
    }
  }
  return [...counts]
    .map(([tool, count]) => ({ tool, ...count }))
    .sort((one, other) => other.calls - one.calls);
}

/** The first line of what was shown, unless the title says it, and how much more there was. */
function shownDetails(title: string, [first, ...more]: readonly string[]): string {
  if (first === undefined) return "";
  const shown = title.includes(first) ? "" : ` ${codeSpan(first.slice(0, 200).toWellFormed())}`;
  const left = more.length === 1 ? "1 more line" : `${more.length} more lines`;
  return more.length === 0 ? shown : `${shown} and ${left}`;
}

function table(title: string, head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`);
  return `## ${title}\n\n${lines.join("\n")}`;
}

function cell(text: string): string {
  return text.replace(/(?<!\\)\|/g, "\\|");
}

function firstLine(text: string): string {
  return escapeInline(text.split("\n")[0] ?? "", 200);
}

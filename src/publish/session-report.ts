// The report of one session as Markdown. Pure.
import type { SessionView, Totals } from "../core/conversation.ts";
import { toolCallsOf } from "../core/events.ts";
import { detailLines } from "../core/interaction.ts";
import { isObject } from "../core/json.ts";
import { callKey, type TaskState, taskEnd } from "../core/state.ts";
import { codeSpan, escapeInline, formatCost, formatTokens } from "./markdown.ts";

type SessionReport = {
  sessionId: string;
  /** Task lists only: the remaining tasks, and why they remain. */
  left?: string;
  /** `title` is empty for steps, and for a task that is no longer in the list. */
  tasks: { id: string; title: string; agent: string; status: string; attempts: number; message: string }[];
  interactions: {
    id: string;
    kind: string;
    title: string;
    /** Everything that was shown with the question, for example the commands of a Confirm. */
    details: string[];
    status: string;
    answer: string;
    /** The person's comment on the answer. */
    comment: string;
    by: string;
  }[];
  /** Every command that ran: how it ended, and the last line of its output. */
  commands: { task: string; command: string; ended: string; output: string }[];
  calls: { tool: string; calls: number; failed: number }[];
  usage: Totals["usage"];
  costUsd: number | null;
};

/** The report from a session's stores; `list` adds the data of its task list. */
export function reportOf(
  view: SessionView,
  { titles, left }: { titles?: ReadonlyMap<string, string>; left?: string } = {},
): SessionReport {
  const { sessionId, state, totals } = view;
  return {
    sessionId,
    ...(left === undefined ? {} : { left }),
    tasks: [...state.tasks.values()].map((task) => {
      const { taskId: id, agent, attempt: attempts } = task;
      const title = titles?.get(id) ?? "";
      return { id, title, agent, status: taskEnd(task), attempts, message: saidOf(task) };
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
    commands: listCommands(view),
    calls: countCalls(view),
    usage: totals.usage,
    costUsd: totals.unpriced ? null : totals.costUsd,
  };
}

/** The agent's summary of the task, or why the task failed. Ignores a summary of another task. */
function saidOf({ taskId, status, summary, failures, blocker }: TaskState): string {
  const own = summary?.task_id === taskId ? summary : undefined;
  if (status === "failed") return own?.blockers?.at(-1) ?? blocker ?? failures.at(-1) ?? "";
  return own?.summary ?? "";
}

/** The report as Markdown, in which models' markup has no effect. */
export function reportMarkdown(report: SessionReport): string {
  const { sessionId, left, tasks, interactions, commands, calls, usage, costUsd } = report;
  const sections = [
    `# ${escapeInline(sessionId)}`,
    `${formatTokens(usage)}, ${formatCost(costUsd)}`,
    left === undefined ? "" : escapeInline(left, 2_000),
    table(
      "Tasks",
      ["task", "state", "agent", "attempts", "summary"],
      tasks.map((task) => [
        `${codeSpan(task.id)}${task.title === "" ? "" : ` ${escapeInline(task.title, 200)}`}`,
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
      "Commands",
      ["task", "command", "ended", "output"],
      commands.map((one) => [
        codeSpan(one.task),
        codeSpan(one.command),
        escapeInline(one.ended),
        one.output === "" ? "" : codeSpan(one.output),
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

const MOST_COMMANDS = 200;

/** The newest commands if there are very many, each cut to one line. */
function listCommands({ conversations }: SessionView): SessionReport["commands"] {
  const commands: SessionReport["commands"] = [];
  for (const { taskId, messages } of conversations.values()) {
    const blocks = messages.flatMap(({ content }) => content);
    for (const { id, name, input } of messages.flatMap(toolCallsOf)) {
      if (name !== "runCommand") continue;
      const result = blocks.find((block) => block.type === "tool_result" && block.tool_use_id === id);
      if (result?.type !== "tool_result") continue;
      const [ended = "", ...output] = result.content.trimEnd().split("\n");
      const command = oneLine(isObject(input) ? String(input.command) : "");
      commands.push({ task: taskId, command, ended: oneLine(ended), output: oneLine(output.at(-1) ?? "") });
    }
  }
  return commands.slice(-MOST_COMMANDS);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 200).toWellFormed();
}

function countCalls({ state, conversations }: SessionView): SessionReport["calls"] {
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

/** The first line of the details, unless the title says it, and the number of further lines. */
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

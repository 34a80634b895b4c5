// A line of a run's log as a line that a person reads. Pure.
import { formatCost, formatDuration } from "../../publish/figures.ts";
import { isObject, parseJson } from "../../session/json.ts";
import { toPlainLine } from "../../session/plain-text.ts";

const SHOWN = 300;

/** `12:03:04 runCommand npm test (3 s)`; undefined for what is no line of a log. */
export function logLine(text: string): string | undefined {
  const line = parseJson(text);
  if (!isObject(line) || typeof line.at !== "string" || !isObject(line.payload)) return undefined;
  const said = toPlainLine(sayLine(String(line.type), line.payload));
  const cut = said.length > SHOWN ? `${said.slice(0, SHOWN).toWellFormed()}…` : said;
  return `${line.at.slice(11, 19)} ${cut}`;
}

function sayLine(type: string, payload: Record<string, unknown>): string {
  const text = (field: string) => (payload[field] === undefined ? "" : String(payload[field]));
  switch (type) {
    case "assistant_message":
      return `${text("agent")}: ${text("text")}`;
    case "tool":
    case "command": {
      if (payload.refused !== undefined) {
        return `${text("toolName")} ${text("summary")} refused: ${text("refused")}`;
      }
      const duration = formatDuration(Number(payload.durationMs ?? 0));
      return `${text("toolName")} ${text("summary")}${payload.isError === true ? " failed" : ""} (${duration})`;
    }
    case "usage":
      return `${text("model")} answered${Number(payload.costUsd ?? 0) > 0 ? ` for ${formatCost(Number(payload.costUsd))}` : ""}`;
    case "error":
      return `error ${text("code")}: ${text("taskId") && `${text("taskId")}: `}${text("message")} ${listOf(payload.validationErrors)}`;
    case "summary": {
      const summary = isObject(payload.summary) ? payload.summary : {};
      const status = String(summary.status ?? text("status"));
      const message = text("message");
      return `${text("taskId")} ${message.startsWith(status) ? message : `${status}: ${message}`}`;
    }
    default:
      return sayProgress(text("event"), payload, text);
  }
}

function sayProgress(
  event: string,
  payload: Record<string, unknown>,
  text: (field: string) => string,
): string {
  const more = text("message") && `: ${text("message")}`;
  switch (event) {
    case "session":
      return `session ${text("sessionId")}: ${text("source")} through ${text("pipeline")}`;
    case "iteration": {
      const who = `(agent ${text("agent")}, model ${text("model")}, schedule ${text("schedule")})`;
      return `iteration ${text("iteration")} ${text("status")}: ${text("taskId")}: ${text("title")} ${who}`;
    }
    case "ended":
      return `session ${text("sessionId")} ${text("status")} (${text("reasonCode")})${more}`;
    case "step":
      return `step ${text("output")} ${text("status")}${more}`;
    case "question":
    case "answered": {
      const request = isObject(payload.request) ? payload.request : {};
      const display = isObject(request.display) ? request.display : {};
      return `${event} ${String(request.shortId ?? "")}: ${String(display.title ?? "")}`;
    }
    case "notice":
      return `${text("level")}${more}`;
    default:
      return event;
  }
}

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.map(String).join("; ") : "";
}

// The report of one session as one self-contained HTML file, without requests or external links. Pure.
import { createHash } from "node:crypto";
import type { StoredLine, Usage } from "../core/events.ts";
import { detailLines, type InteractionRequest } from "../core/interaction.ts";
import { isObject, toPlainText } from "../core/json.ts";
import type { ChainResult } from "../core/lines.ts";
import { formatCost, formatTokens } from "./markdown.ts";

/** `lines`: every stored line of the session in order. `results`: the current results, by file name. */
export type HtmlReportFacts = {
  sessionId: string;
  lines: readonly StoredLine[];
  /** The result of verifying the audit chain. */
  audit: ChainResult;
  usage: Usage;
  costUsd: number | null;
  results: ReadonlyMap<string, unknown>;
};

type Kind = "turn" | "call" | "decision" | "task";
type Entry = { kind: Kind; seq: number; at: string; title: string; mark?: string; body: string };

/** Maximum characters of all bodies together: a report of 5,000 calls must open quickly. */
const ROOM = 9_000_000;
const MOST = 20_000;
const LEAST = 400;

/** All values are escaped, so models' and people's markup has no effect. */
export function htmlReport(facts: HtmlReportFacts): string {
  const { sessionId, lines, audit, usage, costUsd, results } = facts;
  const cut = Math.max(LEAST, Math.min(MOST, Math.floor(ROOM / Math.max(1, lines.length))));
  const entries = entriesOf(lines, cut);
  const chain = audit.ok
    ? `The audit chain of ${audit.count} lines is intact; its last hash is <code>${audit.head.slice(0, 16)}</code>.`
    : `<strong class="bad">The audit chain is broken at line ${audit.index + 1}: ${escapeHtml(audit.reason)}.</strong>`;
  const head = `<header><h1>${escapeHtml(sessionId)}</h1>
<p>${escapeHtml(formatTokens(usage))} · ${escapeHtml(formatCost(costUsd))} · ${cachedShare(usage)} cached · ${span(lines)}</p>
<p>${chain}</p>${costChart(lines)}</header>`;
  const shown = [...results].map(
    ([name, value]) => `<details><summary>${escapeHtml(name)}</summary>${renderValue(value)}</details>`,
  );
  const standing = shown.length === 0 ? "" : `<section><h2>Result</h2>${shown.join("\n")}</section>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'">
<title>${escapeHtml(sessionId)}</title><style>${STYLE}</style></head><body>
${head}
${standing}
<section><h2>Timeline</h2>${filters(entries)}
<ol id="timeline">
${entries.map(renderEntry).join("\n")}
</ol></section><script>${SCRIPT}</script></body></html>
`;
}

function entriesOf(lines: readonly StoredLine[], cut: number): Entry[] {
  const completed = new Map<string, StoredLine>();
  const asked = new Map<string, StoredLine>();
  for (const line of lines) {
    const payload = fieldsOf(line);
    if (line.type === "ToolCallCompleted") completed.set(callOf(payload), line);
    if (line.type === "UserInteractionRequested") asked.set(String(payload.interactionId), line);
  }
  return lines.flatMap((line) => {
    const payload = fieldsOf(line);
    const { seq, at } = line;
    const made = entryOf(line, payload, { cut, completed, asked });
    return made ? [{ seq, at, ...made }] : [];
  });
}

type Around = {
  cut: number;
  completed: ReadonlyMap<string, StoredLine>;
  asked: ReadonlyMap<string, StoredLine>;
};
type Made = Omit<Entry, "seq" | "at">;

function entryOf(line: StoredLine, payload: Fields, { cut, completed, asked }: Around): Made | undefined {
  switch (line.type) {
    case "Message":
      return turnOf(payload, cut);
    case "ToolCallRequested":
      return callEntry(payload, fieldsOf(completed.get(callOf(payload))), cut);
    case "UserInteractionRequested":
      return questionEntry(payload as unknown as InteractionRequest, cut);
    case "UserInteractionResponded":
      return answerEntry(payload, line, asked.get(String(payload.interactionId)));
    case "InteractionExpired":
      return { kind: "decision", title: `Expired: ${payload.interactionId}`, mark: "bad", body: "" };
    case "TaskCreated":
      return { kind: "task", title: `${payload.taskId} begins, by ${payload.agent}`, body: "" };
    case "TaskCompleted":
      return { kind: "task", title: `${payload.taskId} is complete`, mark: "good", body: "" };
    case "TaskFailed":
    case "TaskCanceled": {
      const why = String(payload.message ?? payload.reason ?? "");
      const ended = line.type === "TaskFailed" ? "failed" : "was canceled";
      return { kind: "task", title: `${payload.taskId} ${ended}`, mark: "bad", body: text(why, cut) };
    }
    default:
      return undefined;
  }
}

function turnOf({ message, response, conversationId }: Fields, cut: number): Made | undefined {
  if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return undefined;
  const said = message.content.flatMap((block) =>
    isObject(block) && block.type === "text" ? [String(block.text)] : [],
  );
  const cost = isObject(response) && typeof response.costUsd === "number" ? formatCost(response.costUsd) : "";
  const body = said.length === 0 ? "" : text(said.join("\n\n"), cut);
  return { kind: "turn", title: `Turn of ${conversationId}${cost === "" ? "" : ` · ${cost}`}`, body };
}

function callEntry(requested: Fields, completed: Fields, cut: number): Made {
  const { toolName, input, decision, isolation, dangers } = requested;
  const isError = completed.isError === true;
  const facts = [
    `decided: ${decision}`,
    ...(isolation === undefined ? [] : [`isolation: ${isolation}`]),
    ...(Array.isArray(dangers) ? [`dangers: ${dangers.join("; ")}`] : []),
    ...(completed.durationMs === undefined ? ["no result"] : [`${completed.durationMs} ms`]),
  ];
  const output = isObject(completed.output) ? String(completed.output.text ?? "") : "";
  return {
    kind: "call",
    title: `${toolName}${headline(input)}`,
    ...(isError ? { mark: "bad" } : {}),
    body: `<p>${escapeHtml(facts.join(" · "))}</p>${inputOf(input, cut)}${output === "" ? "" : text(output, cut)}`,
  };
}

/** Shows an edit as removed lines and added lines. */
function inputOf(input: unknown, cut: number): string {
  if (!isObject(input)) return "";
  const { oldStr, newStr, ...rest } = input;
  const isEdit = typeof oldStr === "string" && typeof newStr === "string";
  const lines = (sign: string, value: unknown, name: string) =>
    `<span class="${name}">${escapeHtml(shorten(String(value), cut).replace(/^/gm, sign))}</span>`;
  const diff = isEdit
    ? `<pre class="diff">${oldStr === "" ? "" : `${lines("- ", oldStr, "gone")}\n`}${lines("+ ", newStr, "come")}</pre>`
    : "";
  return `${text(JSON.stringify(isEdit ? rest : input, null, 2), cut)}${diff}`;
}

function headline(input: unknown): string {
  if (!isObject(input)) return "";
  const shown = input.command ?? input.path ?? input.output ?? input.pattern ?? input.agent;
  return typeof shown === "string" ? `: ${shown.split("\n")[0]?.slice(0, 120)}` : "";
}

function questionEntry(request: InteractionRequest, cut: number): Made {
  const details = detailLines(request).join("\n");
  const title = `Question ${request.shortId}: ${request.display.title}`;
  return { kind: "decision", title, body: details === "" ? "" : text(details, cut) };
}

function answerEntry(payload: Fields, line: StoredLine, question: StoredLine | undefined): Made {
  const answer = String(payload.selectedOptionId ?? payload.inputValue ?? "");
  const comment = payload.comment === undefined ? "" : text(String(payload.comment), MOST);
  const waited = question === undefined ? "" : ` after ${duration(question.at, line.at)}`;
  const title = `${payload.authorActorId} answered ${payload.interactionId}${waited}: ${answer.split("\n")[0]?.slice(0, 120)}`;
  return { kind: "decision", title, mark: answer === "reject" ? "bad" : "good", body: comment };
}

type Fields = Record<string, unknown>;

function fieldsOf(line: StoredLine | undefined): Fields {
  return isObject(line?.payload) ? line.payload : {};
}

function callOf({ conversationId, toolCallId }: Fields): string {
  return `${conversationId} ${toolCallId}`;
}

function renderEntry({ kind, seq, at, title, mark = "", body }: Entry): string {
  const head = `<a href="#l${seq}">${escapeHtml(at.slice(0, 19).replace("T", " "))}</a> <b>${escapeHtml(title)}</b>`;
  const inside = body === "" ? `<div>${head}</div>` : `<details><summary>${head}</summary>${body}</details>`;
  return `<li id="l${seq}" class="${kind} ${mark}">${inside}</li>`;
}

function filters(entries: readonly Entry[]): string {
  const count = (kind: Kind) => entries.filter((entry) => entry.kind === kind).length;
  const boxes = (["task", "turn", "call", "decision"] as const).map(
    (kind) =>
      `<label><input type="checkbox" checked data-kind="${kind}"> ${kind === "call" ? "calls" : `${kind}s`} (${count(kind)})</label>`,
  );
  const bad = `<label><input type="checkbox" data-bad> only failures</label>`;
  return `<form>${boxes.join(" ")} ${bad} <label>Search <input type="search" data-search></label></form>`;
}

/** Renders any value as lists and terms. */
function renderValue(value: unknown, depth = 0): string {
  if (depth > 12) return "…";
  if (Array.isArray(value)) {
    return `<ul>${value.map((one) => `<li>${renderValue(one, depth + 1)}</li>`).join("")}</ul>`;
  }
  if (!isObject(value)) return `<span class="value">${escapeHtml(String(value ?? ""))}</span>`;
  const rows = Object.entries(value).map(
    ([name, one]) => `<dt>${escapeHtml(name)}</dt><dd>${renderValue(one, depth + 1)}</dd>`,
  );
  return `<dl>${rows.join("")}</dl>`;
}

/** A line chart of the session's cost in dollars, from the first to the last response. */
function costChart(lines: readonly StoredLine[]): string {
  let sum = 0;
  const points: [at: number, dollars: number][] = [];
  for (const line of lines) {
    const { response } = fieldsOf(line);
    if (line.type !== "Message" || !isObject(response) || typeof response.costUsd !== "number") continue;
    sum += response.costUsd;
    points.push([Date.parse(line.at), sum]);
  }
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || sum === 0 || points.length < 2) return "";
  const width = Math.max(1, last[0] - first[0]);
  const path = points.map(
    ([at, dollars]) =>
      `${(((at - first[0]) / width) * 600).toFixed(1)},${(80 - (dollars / sum) * 76).toFixed(1)}`,
  );
  return `<svg viewBox="0 0 600 84" role="img" aria-label="Cost over time, up to ${escapeHtml(formatCost(sum))}"><polyline points="${path.join(" ")}"/></svg>`;
}

function cachedShare({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): string {
  const all = inputTokens + cacheReadTokens + cacheWriteTokens;
  return all === 0 ? "nothing" : `${Math.round((100 * cacheReadTokens) / all)} %`;
}

function span(lines: readonly StoredLine[]): string {
  const [first] = lines;
  const last = lines.at(-1);
  return first && last
    ? `${escapeHtml(first.at.slice(0, 16).replace("T", " "))}, for ${duration(first.at, last.at)}`
    : "";
}

function duration(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

function text(value: string, cut: number): string {
  return `<pre>${escapeHtml(shorten(value, cut))}</pre>`;
}

function shorten(value: string, cut: number): string {
  if (value.length <= cut) return value;
  return `${value.slice(0, cut)}\n… ${value.length - cut} more characters: the audit log has them`;
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Control and direction characters are made visible, as everywhere else. */
function escapeHtml(value: string): string {
  return toPlainText(value.toWellFormed()).replace(/[&<>"']/g, (one) => ENTITIES.get(one) ?? "");
}

const STYLE = `:root{color-scheme:light dark;--line:#d0d7de;--soft:#f6f8fa;--bad:#b3261e;--good:#116329;--ink:#1f2328;--paper:#fff;--link:#0550ae}
@media(prefers-color-scheme:dark){:root{--line:#3d444d;--soft:#151b23;--bad:#ff9b94;--good:#56d364;--ink:#e6edf3;--paper:#0d1117;--link:#79c0ff}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:70rem;margin:0 auto;padding:1rem}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.1rem}a{color:var(--link);text-decoration:none;font-variant-numeric:tabular-nums}
ol{list-style:none;padding:0}#timeline>li{border-left:3px solid var(--line);padding:.2rem .6rem;content-visibility:auto;contain-intrinsic-size:auto 2rem;overflow-wrap:anywhere}
#timeline>li:target{background:var(--soft)}.bad{border-color:var(--bad)!important;color:var(--bad)}.good{border-color:var(--good)!important}
pre{background:var(--soft);color:var(--ink);padding:.5rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;max-height:30rem}
.gone{color:var(--bad)}.come{color:var(--good)}svg{width:100%;height:84px}polyline{fill:none;stroke:var(--link);stroke-width:2}
form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;position:sticky;top:0;background:var(--paper);padding:.5rem 0}dt{font-weight:600}dd{margin:0 0 .4rem 1rem}
.value{white-space:pre-wrap}@media print{form{display:none}pre{max-height:none}}`;

const SCRIPT = `const form=document.querySelector("form"),rows=[...document.querySelectorAll("#timeline>li")];
const show=()=>{const kinds=new Set([...form.querySelectorAll("[data-kind]:checked")].map(e=>e.dataset.kind)),bad=form.querySelector("[data-bad]").checked,
words=form.querySelector("[data-search]").value.toLowerCase();
for(const row of rows)row.hidden=!kinds.has(row.classList[0])||(bad&&!row.classList.contains("bad"))||(words!==""&&!row.textContent.toLowerCase().includes(words))};
form.addEventListener("input",show);form.addEventListener("submit",e=>e.preventDefault());
const open=()=>{const row=location.hash&&document.getElementById(location.hash.slice(1));if(row){const part=row.querySelector("details");if(part)part.open=true;row.scrollIntoView()}};
addEventListener("hashchange",open);open();`;

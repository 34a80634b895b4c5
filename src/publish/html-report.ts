// The report of one session as one self-contained HTML file, without requests or external links. Pure.
import { createHash } from "node:crypto";
import type { StoredLine, Usage } from "../core/events.ts";
import { detailLines, type InteractionRequest } from "../core/interaction.ts";
import { changedLines, isObject } from "../core/json.ts";
import type { ChainResult } from "../core/lines.ts";
import { escapeHtml, growthChart, htmlTable, type TimeSpan, timeBand, timeScale } from "./html-charts.ts";
import { formatCost, formatTokens } from "./markdown.ts";

/** `lines`: every stored line of the session in order. `results`: the current results, by file name. */
type HtmlReportFacts = {
  sessionId: string;
  /** Of the item or the task list, where it is known. */
  title?: string;
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
const SHORT = 600;
/** Lines of the timeline that a browser lays out together. */
const PART = 100;

/** All values are escaped, so models' and people's markup has no effect. */
export function htmlReport(facts: HtmlReportFacts): string {
  const { sessionId, title = sessionId, lines, audit, usage, costUsd, results } = facts;
  const cut = Math.max(LEAST, Math.min(MOST, Math.floor(ROOM / Math.max(1, lines.length))));
  const entries = entriesOf(lines, cut);
  const chain = audit.ok
    ? `The audit chain of ${audit.count} lines is intact; its last hash is <code>${audit.head.slice(0, 16)}</code>.`
    : `<strong class="bad">The audit chain is broken at line ${audit.index + 1}: ${escapeHtml(audit.reason)}.</strong>`;
  const scale = timeScale(lines);
  const figures = [
    ["tokens", formatTokens(usage)],
    ["cost", formatCost(costUsd)],
    ["of the input", `${cachedShare(usage)} cached`],
    ["time", span(lines)],
  ].map(([name = "", value = ""]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`);
  const session = title === sessionId ? "" : `<p class="legend">session ${escapeHtml(sessionId)}</p>`;
  const head = `<header><h1>${escapeHtml(title)}</h1>${session}
<dl class="facts">${figures.join("")}</dl>
<p>${chain}</p>${timeBand(spansOf(lines), scale)}${growthChart(lines, scale)}</header>`;
  const last = results.size - 1;
  const shown = [...results].map(
    ([name, value], index) =>
      `${taskTable(value)}<details${index === last && taskTable(value) === "" ? " open" : ""}><summary>${escapeHtml(name)}</summary>${renderValue(value)}</details>`,
  );
  const standing =
    shown.length === 0 ? "" : `<section class="result"><h2>Result</h2>${shown.join("\n")}</section>`;
  const decisions = decisionTable(lines);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash("sha256").update(SCRIPT).digest("base64")}'">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
${head}
${standing}
${decisions}
<section><h2>Timeline</h2>${filters(entries)}
<div id="timeline">
${renderParts(entries)}
</div></section><script>${SCRIPT}</script></body></html>
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
  const turns = new Map<string, number>();
  return turnsFirst(lines).flatMap((line) => {
    const payload = fieldsOf(line);
    const { seq, at } = line;
    const made = entryOf(line, payload, { cut, completed, asked, turns });
    return made ? [{ seq, at, ...made }] : [];
  });
}

/** A turn's calls are stored before its message, and read better after it. */
function turnsFirst(lines: readonly StoredLine[]): StoredLine[] {
  const ordered: StoredLine[] = [];
  let calls: StoredLine[] = [];
  for (const line of lines) {
    if (line.type === "ToolCallRequested") calls.push(line);
    else {
      ordered.push(...(line.type === "Message" ? [line, ...calls] : [...calls, line]));
      calls = [];
    }
  }
  return [...ordered, ...calls];
}

/** Each response from the line before it in its conversation, each call, and each question until its answer. */
function spansOf(lines: readonly StoredLine[]): TimeSpan[] {
  const spans: TimeSpan[] = [];
  const before = new Map<string, number>();
  const open = new Map<string, TimeSpan>();
  for (const line of lines) {
    const payload = fieldsOf(line);
    const to = Date.parse(line.at);
    const id = String(payload.conversationId);
    const from = before.get(id) ?? to;
    // The calls of a turn are stored with its message.
    if (payload.conversationId !== undefined && line.type !== "ToolCallRequested") before.set(id, to);
    if (line.type === "Message" && isObject(payload.response))
      spans.push({ kind: "turn", from, to, seq: line.seq, title: `Turn of ${id}` });
    if (line.type === "ToolCallRequested") {
      const title = `${payload.toolName}${headline(payload.input)}`;
      open.set(callOf(payload), { kind: "call", from: to, to, seq: line.seq, title });
    }
    if (line.type === "ToolCallCompleted") {
      const call = open.get(callOf(payload));
      open.delete(callOf(payload));
      const took = typeof payload.durationMs === "number" ? payload.durationMs : 0;
      if (call) spans.push({ ...call, from: to - took, to });
    }
    const question = String(payload.interactionId);
    if (line.type === "UserInteractionRequested")
      open.set(question, {
        kind: "wait",
        from: to,
        to,
        seq: line.seq,
        title: `Waits for ${payload.shortId}`,
      });
    if (line.type === "UserInteractionResponded" || line.type === "InteractionExpired") {
      const wait = open.get(question);
      open.delete(question);
      if (wait) spans.push({ ...wait, to });
    }
  }
  const end = Date.parse(lines.at(-1)?.at ?? "");
  const waits = [...open.values()].filter(({ kind }) => kind === "wait");
  return [...spans, ...waits.map((wait) => ({ ...wait, to: end }))];
}

/** Who decided what, when, and after how long. Empty without a question. */
function decisionTable(lines: readonly StoredLine[]): string {
  const asked = new Map<string, { line: StoredLine; payload: Fields }>();
  const rows: { cells: readonly string[]; seq: number }[] = [];
  const row = (seq: number, cells: readonly string[]) => rows.push({ cells, seq });
  for (const line of lines) {
    const payload = fieldsOf(line);
    const id = String(payload.interactionId);
    const about = asked.get(id);
    const title = about && isObject(about.payload.display) ? String(about.payload.display.title) : id;
    const waited = about ? duration(about.line.at, line.at) : "";
    if (line.type === "UserInteractionRequested") asked.set(id, { line, payload });
    if (line.type === "UserInteractionResponded" || line.type === "ApprovalGiven") {
      const by = String(payload.authorActorId ?? payload.actorId ?? "");
      const said = line.type === "ApprovalGiven" ? "approves, with others" : answerOf(payload);
      const comment = payload.comment === undefined ? "" : `: ${payload.comment}`;
      row(line.seq, [moment(line.at), by, title, said + comment, waited]);
      if (line.type === "UserInteractionResponded") asked.delete(id);
    }
    if (line.type === "InteractionExpired") {
      row(line.seq, [moment(line.at), "nobody", title, "expired", waited]);
      asked.delete(id);
    }
  }
  for (const { line, payload } of asked.values()) {
    const title = isObject(payload.display) ? String(payload.display.title) : "";
    row(line.seq, [moment(line.at), "", title, "is open", ""]);
  }
  if (rows.length === 0) return "";
  return `<section><h2>Decisions</h2>${htmlTable(DECISION, rows)}</section>`;
}

const DECISION = ["when", "who", "question", "answer", "waited"];
const TASK = ["task", "title", "status", "blocked by"];

/** The tasks of a list, in its order. Empty for anything else. */
function taskTable(value: unknown): string {
  const tasks = isObject(value) && Array.isArray(value.tasks) ? value.tasks.filter(isObject) : [];
  const rows = tasks.map(({ id, title, status, blockers }) => ({
    cells: [id, title, status, blockers].map((cell) =>
      Array.isArray(cell) ? cell.join("; ") : String(cell ?? ""),
    ),
  }));
  return rows.length === 0 ? "" : htmlTable(TASK, rows);
}

function answerOf(payload: Fields): string {
  return String(payload.selectedOptionId ?? payload.inputValue ?? "").slice(0, 400);
}

function moment(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

type Around = {
  cut: number;
  completed: ReadonlyMap<string, StoredLine>;
  asked: ReadonlyMap<string, StoredLine>;
  /** The number of turns so far, by conversation. */
  turns: Map<string, number>;
};
type Made = Omit<Entry, "seq" | "at">;

function entryOf(
  line: StoredLine,
  payload: Fields,
  { cut, completed, asked, turns }: Around,
): Made | undefined {
  switch (line.type) {
    case "Message":
      return turnOf(payload, turns, cut);
    case "ModelSwitched": {
      const title = `${payload.to} takes over ${payload.conversationId} from ${payload.from}`;
      return { kind: "turn", title, mark: "bad", body: text(String(payload.reason), cut) };
    }
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

function turnOf(
  { message, response, conversationId }: Fields,
  turns: Map<string, number>,
  cut: number,
): Made | undefined {
  if (!isObject(message) || message.role !== "assistant" || !Array.isArray(message.content)) return undefined;
  const said = message.content.flatMap((block) =>
    isObject(block) && block.type === "text" ? [String(block.text)] : [],
  );
  const number = (turns.get(String(conversationId)) ?? 0) + 1;
  turns.set(String(conversationId), number);
  const costUsd = isObject(response) && typeof response.costUsd === "number" ? response.costUsd : 0;
  const cost = costUsd === 0 ? "" : formatCost(costUsd);
  const body = said.length === 0 ? "" : text(said.join("\n\n"), cut);
  return {
    kind: "turn",
    title: `Turn ${number} of ${conversationId}${cost === "" ? "" : ` · ${cost}`}`,
    body,
  };
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
  if (typeof oldStr !== "string" || typeof newStr !== "string") {
    return text(JSON.stringify(input, null, 2), cut);
  }
  const part = (name: string, lines: string) =>
    lines === "" ? "" : `<span class="${name}">${escapeHtml(shorten(lines, cut))}</span>`;
  const diff = [part("gone", changedLines(oldStr, "")), part("come", changedLines("", newStr))].filter(
    Boolean,
  );
  return `${text(JSON.stringify(rest, null, 2), cut)}<pre class="diff">${diff.join("\n")}</pre>`;
}

function headline(input: unknown): string {
  if (!isObject(input)) return "";
  const shown = input.command ?? input.path ?? input.output ?? input.pattern ?? input.agent;
  return typeof shown === "string" ? `: ${firstWords(shown)}` : "";
}

/** The first line, cut at 120 characters; a mark says that more follows. */
function firstWords(value: string): string {
  const [first = ""] = value.trimEnd().split("\n");
  return first.length < value.trimEnd().length || first.length > 120 ? `${first.slice(0, 119)}…` : first;
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
  const title = `${payload.authorActorId} answered ${payload.interactionId}${waited}: ${firstWords(answer)}`;
  return { kind: "decision", title, mark: answer === "reject" ? "bad" : "good", body: comment };
}

type Fields = Record<string, unknown>;

function fieldsOf(line: StoredLine | undefined): Fields {
  return isObject(line?.payload) ? line.payload : {};
}

function callOf({ conversationId, toolCallId }: Fields): string {
  return `${conversationId} ${toolCallId}`;
}

/** Browsers skip the style and layout of a part that is out of sight, which is ten times faster than per line. */
function renderParts(entries: readonly Entry[]): string {
  const starts = Array.from({ length: Math.ceil(entries.length / PART) }, (_, index) => index * PART);
  return starts
    .map((start) => entries.slice(start, start + PART))
    .map(
      (part) =>
        `<ol style="contain-intrinsic-height:auto ${2 * part.length}rem">${part.map(renderEntry).join("\n")}</ol>`,
    )
    .join("\n");
}

function renderEntry({ kind, seq, at, title, mark = "", body }: Entry): string {
  const head = `<a href="#l${seq}">${escapeHtml(moment(at))}</a> <b>${escapeHtml(title)}</b>`;
  // What was said in a few words is read at once; each part that opens also costs the browser time.
  const isShort = kind === "turn" && body.length <= SHORT;
  const inside =
    body === "" || isShort
      ? `<div>${head}</div>${body}`
      : `<details><summary>${head}</summary>${body}</details>`;
  return `<li id="l${seq}" class="${kind} ${mark}">${inside}</li>`;
}

function filters(entries: readonly Entry[]): string {
  const count = (kind: Kind) => entries.filter((entry) => entry.kind === kind).length;
  const boxes = (["task", "turn", "call", "decision"] as const).map(
    (kind) =>
      `<label><input type="checkbox" checked data-kind="${kind}"> ${kind === "task" ? "starts and ends" : `${kind}s`} (${count(kind)})</label>`,
  );
  const bad = `<label><input type="checkbox" data-bad> only failures</label>`;
  return `<form>${boxes.join(" ")} ${bad} <label>Search <input type="search" data-search></label> <button type="button" data-open>Open or close all</button></form>`;
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

function cachedShare({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): string {
  const all = inputTokens + cacheReadTokens + cacheWriteTokens;
  return all === 0 ? "nothing" : `${Math.round((100 * cacheReadTokens) / all)} %`;
}

function span(lines: readonly StoredLine[]): string {
  const [first] = lines;
  const last = lines.at(-1);
  return first && last
    ? `${first.at.slice(0, 16).replace("T", " ")} UTC, for ${duration(first.at, last.at)}`
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

const STYLE = `:root{color-scheme:light dark;--line:#d0d7de;--soft:#f6f8fa;--bad:#b3261e;--good:#116329;--ink:#1f2328;--muted:#59636e;--paper:#fff;--link:#0550ae;--turn:#0550ae;--call:#8250df;--wait:#9a6700}
@media(prefers-color-scheme:dark){:root{--line:#3d444d;--soft:#151b23;--bad:#ff9b94;--good:#56d364;--ink:#e6edf3;--muted:#9198a1;--paper:#0d1117;--link:#79c0ff;--turn:#79c0ff;--call:#d2a8ff;--wait:#d29922}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:70rem;margin:0 auto;padding:1rem}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}a{color:var(--link);text-decoration:none;font-variant-numeric:tabular-nums}a:hover{text-decoration:underline}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.5rem;margin:0}.facts div{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.4rem .6rem}.facts dt{color:var(--muted);font-weight:400;font-size:.85rem}.facts dd{margin:0}
.band{height:60px;background:var(--soft);border-radius:6px}rect.turn{fill:var(--turn)}rect.call{fill:var(--call)}rect.wait{fill:var(--wait)}.legend{color:var(--muted);margin:.4rem 0 0;font-size:.9rem}
svg{width:100%}.growth{height:80px;background:var(--soft);border-radius:6px}polyline{fill:none;stroke-width:2;vector-effect:non-scaling-stroke;stroke:var(--turn)}polyline.tokens{stroke:var(--call);stroke-dasharray:6 3}.cost,b.turn{color:var(--turn)}b.call{color:var(--call)}b.wait{color:var(--wait)}.tokens{color:var(--call)}
.wide{overflow-x:auto}table{border-collapse:collapse;min-width:100%}td,th{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}td:first-child{white-space:nowrap}
ol{list-style:none;padding:0}#timeline>ol{content-visibility:auto;margin:0}#timeline>ol>li{border-left:3px solid var(--line);padding:.15rem .6rem;overflow-wrap:anywhere}
#timeline>ol>li.task{margin-top:.6rem;font-size:1.05rem}#timeline>ol>li.call{margin-left:1.2rem}#timeline>ol>li.call b,#timeline>ol>li.turn b{font-weight:500}
#timeline>ol>li:target{background:var(--soft);outline:2px solid var(--link)}.bad{border-color:var(--bad)!important;color:var(--bad)}.good{border-color:var(--good)!important}#timeline>ol>.decision{border-color:var(--wait)}
pre{background:var(--soft);color:var(--ink);padding:.5rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;max-height:30rem;border-radius:6px;font-size:.85rem}
.gone{color:var(--bad)}.come{color:var(--good)}summary{cursor:pointer}
form{display:flex;flex-wrap:wrap;gap:.3rem 1rem;position:sticky;top:0;background:var(--paper);padding:.5rem 0;border-bottom:1px solid var(--line)}form input,form button{font:inherit;accent-color:var(--link)}dt{font-weight:600}dd{margin:0 0 .4rem 1rem}
.result details>:last-child{max-height:26rem;overflow:auto;border-left:3px solid var(--line);padding-left:.8rem;margin:.4rem 0}.value{white-space:pre-wrap}@media(max-width:600px){form{position:static}thead{display:none}tr,td{display:block}tr{border:1px solid var(--line);margin:0 0 .4rem}td{border:0;overflow-wrap:anywhere}td[data-of]::before{content:attr(data-of)": ";color:var(--muted)}}@media print{form{display:none}pre,.result details>:last-child{max-height:none}#timeline>ol{content-visibility:visible}}`;

const SCRIPT = `const form=document.querySelector("form"),rows=[...document.querySelectorAll("#timeline>ol>li")],lists=[...document.querySelectorAll("#timeline>ol")],parts=[...document.querySelectorAll("details")];
const show=()=>{const kinds=new Set([...form.querySelectorAll("[data-kind]:checked")].map(e=>e.dataset.kind)),bad=form.querySelector("[data-bad]").checked,
words=form.querySelector("[data-search]").value.toLowerCase();
for(const row of rows)row.hidden=!kinds.has(row.classList[0])||(bad&&!row.classList.contains("bad"))||(words!==""&&!row.textContent.toLowerCase().includes(words));
for(const list of lists){const count=[...list.children].filter(row=>!row.hidden).length;list.hidden=count===0;list.style.containIntrinsicHeight=2*count+"rem"}};
form.addEventListener("input",show);form.addEventListener("submit",e=>e.preventDefault());
form.querySelector("[data-open]").addEventListener("click",()=>{const shut=rows.some(row=>!row.hidden&&row.querySelector("details:not([open])"));for(const row of rows)if(!row.hidden)for(const part of row.querySelectorAll("details"))part.open=shut});
const open=()=>{const row=location.hash&&document.getElementById(location.hash.slice(1));if(row){row.hidden=row.parentNode.hidden=false;const part=row.querySelector("details");if(part)part.open=true;row.scrollIntoView()}};
addEventListener("hashchange",open);open();
let shut=[];addEventListener("beforeprint",()=>{shut=parts.filter(part=>!part.open);for(const part of shut)part.open=true});addEventListener("afterprint",()=>{for(const part of shut)part.open=false});`;

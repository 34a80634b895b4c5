// The drawings and tables of the HTML report: turns, calls and waits along the time, cost and tokens as they grow. Pure.
import type { StoredLine } from "../core/events.ts";
import { isObject, toPlainText } from "../core/json.ts";
import { formatCost, formatCount, formatDuration } from "./markdown.ts";

/** Something that took time, in milliseconds since 1970; `seq`: the line that a click leads to. */
export type TimeSpan = {
  kind: "turn" | "call" | "wait";
  from: number;
  to: number;
  seq: number;
  title: string;
};

const WIDTH = 1000;
/** A part of the whole that one pause may fill at most: a person's night would squeeze the work to a line. */
const MOST_OF_WHOLE = 1 / 8;
const LEAST_PAUSE_MS = 1_000;
const LONG_MS = 60_000;
const LANES: readonly TimeSpan["kind"][] = ["turn", "call", "wait"];
const LANE = 20;

/** Maps a time to a place in the drawing; long pauses are shorter than they were. */
type Scale = (at: number) => number;

/** The scale over all times of a session. */
export function timeScale(lines: readonly StoredLine[]): Scale {
  const times = lines.map(({ at }) => Date.parse(at)).sort((one, other) => one - other);
  const steps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const active = steps.reduce((sum, step) => sum + Math.min(step, LONG_MS), 0);
  const cap = Math.max(LEAST_PAUSE_MS, active * MOST_OF_WHOLE);
  const places = [0];
  for (const step of steps) places.push((places.at(-1) ?? 0) + Math.min(step, cap));
  const whole = Math.max(1, places.at(-1) ?? 1);
  return (at) => {
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((times[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const beyond = Math.min(cap, Math.max(0, at - (times[low] ?? at)));
    return (WIDTH * Math.min(whole, (places[low] ?? 0) + beyond)) / whole;
  };
}

/** One lane each for turns, calls and waits. Neighbours that are too narrow to tell apart are one block. */
export function timeBand(spans: readonly TimeSpan[], scale: Scale): string {
  const lanes = LANES.map((kind, lane) => {
    const y = lane * LANE;
    const blocks = blocksOf(
      spans.filter((span) => span.kind === kind),
      scale,
    ).map(
      ({ x, width, seq, title }) =>
        `<a href="#l${seq}"><rect x="${x.toFixed(1)}" y="${y + 3}" width="${width.toFixed(1)}" height="${LANE - 6}" rx="2" class="${kind}"><title>${escapeHtml(title)}</title></rect></a>`,
    );
    return blocks.join("");
  });
  const legend = LANES.map((kind) => `<b class="${kind}">■</b> ${kind}s`).join(" ");
  return `<p class="legend">When: ${legend}; long waits are drawn shorter</p>
<svg class="band" preserveAspectRatio="none" viewBox="0 0 ${WIDTH} ${LANES.length * LANE}" role="img" aria-label="Turns, calls and waits along the time">${lanes.join("\n")}</svg>`;
}

type Block = { x: number; width: number; seq: number; title: string; count: number };
const LEAST_WIDTH = 2;

function blocksOf(spans: readonly TimeSpan[], scale: Scale): Block[] {
  const blocks: Block[] = [];
  for (const { from, to, seq, title } of [...spans].sort((one, other) => one.from - other.from)) {
    const x = Math.min(WIDTH - LEAST_WIDTH, scale(from));
    const end = Math.max(x + LEAST_WIDTH, scale(to));
    const last = blocks.at(-1);
    if (last && x < last.x + last.width && end - x <= LEAST_WIDTH) {
      last.count += 1;
      last.width = Math.max(last.width, end - last.x);
    } else {
      blocks.push({ x, width: end - x, seq, title: `${title}, ${formatDuration(to - from)}`, count: 1 });
    }
  }
  return blocks.map((block) =>
    block.count === 1 ? block : { ...block, title: `${block.title} and ${block.count - 1} more` },
  );
}

/** The height of nothing. */
const BASE = "76.0";

/** Two stairs from nothing at the left edge to their sums at the right one. Empty without two responses that cost or count. */
export function growthChart(lines: readonly StoredLine[], scale: Scale): string {
  const sums = { tokens: 0, costUsd: 0 };
  const points = lines.flatMap(({ type, at, payload }) => {
    const response = isObject(payload) ? payload.response : undefined;
    if (type !== "Message" || !isObject(response)) return [];
    sums.costUsd += typeof response.costUsd === "number" ? response.costUsd : 0;
    const usage = isObject(response.usage) ? Object.values(response.usage) : [];
    sums.tokens += usage.reduce<number>((sum, count) => sum + (typeof count === "number" ? count : 0), 0);
    return [{ x: scale(Date.parse(at)), ...sums }];
  });
  if (points.length < 2 || sums.tokens + sums.costUsd === 0) return "";
  const line = (name: "tokens" | "costUsd") => {
    const most = sums[name];
    if (most === 0) return "";
    let before = BASE;
    const path = points.flatMap((point) => {
      const [x, from, to] = [point.x.toFixed(1), before, (76 - (point[name] / most) * 66).toFixed(1)];
      before = to;
      return [`${x},${from}`, `${x},${to}`];
    });
    return `<polyline points="0,${BASE} ${path.join(" ")} ${WIDTH},${before}" class="${name}"/>`;
  };
  const cost = formatCost(sums.costUsd);
  const tokens = `${formatCount(sums.tokens)} tokens`;
  const legend = `<p class="legend">Over time: ${sums.costUsd === 0 ? "" : `<b class="cost">━</b> cost, up to ${cost} `}${sums.tokens === 0 ? "" : `<b class="tokens">┅</b> tokens, up to ${tokens}`}</p>`;
  return `${legend}<svg class="growth" viewBox="0 0 ${WIDTH} 80" preserveAspectRatio="none" role="img" aria-label="Cost and tokens over time, up to ${cost} and ${tokens}">${line("costUsd")}${line("tokens")}</svg>`;
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Control and direction characters are made visible, as everywhere else. */
export function escapeHtml(value: string): string {
  return toPlainText(value.toWellFormed()).replace(/[&<>"']/g, (one) => ENTITIES.get(one) ?? "");
}

/** `seq`: the line that the first cell leads to. A narrow window stacks the cells, so each one carries its name. */
export function htmlTable(
  names: readonly string[],
  rows: readonly { cells: readonly string[]; seq?: number }[],
): string {
  const heads = names.map((name) => `<th>${name}</th>`).join("");
  const body = rows.map(({ cells, seq }) => {
    const shown = cells.map(escapeHtml).map((cell, index) => {
      if (cell === "") return "<td></td>";
      const inside = index === 0 && seq !== undefined ? `<a href="#l${seq}">${cell}</a>` : cell;
      return `<td data-of="${names[index]}">${inside}</td>`;
    });
    return `<tr>${shown.join("")}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

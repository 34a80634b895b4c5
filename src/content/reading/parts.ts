// How an item is handed to agents, and what reading it takes.

// What a step's first message carries beside its words, so that its agent need not ask for it.

import { buildPrefix, modelFor } from "../../agent/attempt.ts";
import type { AgentDefinition } from "../../config/definitions.ts";
import { noUsage } from "../../core/conversation.ts";
import { LoopliaError } from "../../core/errors.ts";
import { parseJson } from "../../core/json.ts";
import type { TaskState } from "../../core/state.ts";
import { longestRun } from "../../publish/markdown.ts";
import { groupTasks } from "../plan.ts";
import { type ContentPorts, type ContentSettings, readArtifacts, type SessionRun } from "../ports.ts";
import type { SessionPlan } from "../session.ts";

/** An artifact beyond this many characters is read by the agent as far as it needs it. */
const MOST_OF_ARTIFACT = 60_000;

type Step = Pick<TaskState, "outputs">;

/** True for a step that is made from the item itself and from no other output, or from the items that it names. */
export function readsItem({ pipeline }: Pick<SessionRun, "pipeline">, { outputs }: Step): boolean {
  return pipeline.outputs.some(
    ({ name, requires, readsItems }) => outputs.includes(name) && (readsItems || requires.length === 0),
  );
}

/** True where the item is longer than one reading holds. */
export function isLong({ item }: Pick<SessionRun, "item">, longest = ONE_READING): boolean {
  return item.text.length > longest;
}

/** The item (or `notes` of it), the artifacts that the step builds on and the profile: one part each. */
export async function attachTo(run: SessionRun, step: Step, notes?: string): Promise<string[]> {
  const { folder, item, session } = run;
  const parts: string[] = [];
  if (readsItem(run, step)) {
    const own = `The content item, \`${folder}/content.md\``;
    const whole =
      item.parts.size === 0 ? own : `${own}, and below it the items that it names, each below its path`;
    const label = notes === undefined ? whole : NOTES;
    if (notes !== undefined || !isLong(run)) parts.push(quoted(label, notes ?? item.text));
  }
  for (const [file, text] of await readRequired(run, step)) {
    if (text.length <= MOST_OF_ARTIFACT) parts.push(quoted(`\`${folder}/${file}\``, text));
  }
  const { profileText } = session.configuration;
  const profile = profileText === "" ? undefined : parseJson(profileText);
  if (profile !== undefined) parts.push(quoted("The author's profile", JSON.stringify(profile)));
  return parts;
}

/** True when the first message carries every artifact that the step builds on. */
export async function carriesAll(run: SessionRun, step: Step): Promise<boolean> {
  return [...(await readRequired(run, step)).values()].every((text) => text.length <= MOST_OF_ARTIFACT);
}

async function readRequired(run: SessionRun, { outputs }: Step): Promise<Map<string, string>> {
  const own = run.pipeline.outputs.filter(({ name }) => outputs.includes(name));
  const required = own.flatMap(({ requires }) => requires).filter((name) => !outputs.includes(name));
  const values = await readArtifacts(run, new Set(required));
  return new Map([...values].map(([file, value]) => [file, JSON.stringify(value)]));
}

const NOTES = "Notes on the content item, which was read in sections";

/** A text that is data, between marks that are not in it. */
export function quoted(label: string, text: string): string {
  const marks = "`".repeat(Math.max(4, longestRun(text) + 1));
  return `${label}:\n\n${marks}text\n${text}\n${marks}`;
}

// Cuts a long text into sections that one reading holds: at headings, else at paragraphs, speakers or lines. Pure.

/** Characters that one reading holds. Items up to this length are in a step's first message as a whole. */
export const ONE_READING = 120_000;
/** Characters that a section repeats from the one before it, so that no thought is cut in two. */
const OVERLAP = 1_500;
/** A section is cut no earlier than here, so that there are few. */
const LEAST_SHARE = 0.6;

/** Where a section may begin, the best first. */
const CUTS = [
  // Markdown headings and chapters.
  /^(?:#{1,6}[ \t]|(?:chapter|part|book|kapitel|teil|chapitre|partie|cap[ií]tulo)\b)/gim,
  // Speakers, as in `[00:00:05] HOST:` or `HOST:`.
  /^(?:\[[\d:.,]+\][ \t]*)?\p{Lu}[\p{L} .'-]{0,40}:[ \t]/gmu,
  /(?<=\n[ \t]*\r?\n)(?=\S)/g,
  /(?<=\n)/g,
  /(?<=[.!?…。！？][ \t]?)(?=\S)/g,
];

/** `firstLine` counts from 1. */
export type Section = { text: string; firstLine: number; lastLine: number };

/** The sections of a text in order: together they are all of it, and each but the first repeats the end of the one before. */
export function splitText(text: string, size = ONE_READING): Section[] {
  const sections: Section[] = [];
  let line = 1;
  for (let start = 0; start < text.length; ) {
    const end = text.length - start <= size ? text.length : findCut(text, start, size);
    const from =
      start === 0 ? 0 : startOfLine(text, Math.max(0, start - Math.min(OVERLAP, size / 10)), start);
    const firstLine = line - countLines(text.slice(from, start));
    line += countLines(text.slice(start, end));
    sections.push({ text: text.slice(from, end), firstLine, lastLine: line });
    start = end;
  }
  return sections;
}

function findCut(text: string, start: number, size: number): number {
  const from = start + Math.floor(size * LEAST_SHARE);
  const window = text.slice(from, start + size);
  for (const cut of CUTS) {
    const last = [...window.matchAll(cut)].findLast(({ index }) => index > 0);
    if (last) return from + last.index;
  }
  const end = start + size;
  // Half a surrogate pair is no character.
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;
}

/** The first line that begins between two places, else the first of them. */
function startOfLine(text: string, from: number, before: number): number {
  const found = text.indexOf("\n", from);
  if (found >= 0 && found + 1 < before) return found + 1;
  return /[\uDC00-\uDFFF]/.test(text[from] ?? "") ? from + 1 : Math.floor(from);
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

/** What one task reads: the item's characters, and the requests that this takes at least. */
function estimateReading(text: string): { characters: number; requests: number } {
  if (text.length <= ONE_READING) return { characters: text.length, requests: 1 };
  const sections = splitText(text);
  const read = sections.reduce((sum, section) => sum + section.text.length, 0);
  const notes = sections.length * NOTES_SIZE;
  return { characters: read + notes, requests: sections.length + Math.ceil(notes / ONE_READING) };
}

/** Characters of the notes of one section, as far as one can tell beforehand. */
const NOTES_SIZE = 2_500;

// What the due steps of an item will take, and whether that can be done at all: known before anything is paid for.

type Cost = { tokens: number; costUsd: number | null };
type Estimate = (planned: Pick<SessionPlan, "pipeline" | "plans" | "item">) => Promise<Cost>;

/** Bytes of UTF-8 for each token: English prose has more, code and other scripts have fewer. */
const BYTES_PER_TOKEN = 3.5;
/** What an agent reads beside its prompt and the item: artifacts of earlier steps, results of tools. */
const READ_TOKENS = 1_500;
/** What it writes for an output: the artifact and some words around it. */
const WRITTEN_TOKENS = 1_500;
/** What it writes of a section. */
const NOTES_TOKENS = 900;
/** Its first, one for what it looks up, and one to end. */
const TURNS = 3;

/** What the due tasks of a session would read and write, the prefix once again and then from the cache. */
export function createEstimate(ports: ContentPorts, settings: ContentSettings): Estimate {
  const prefixes = new Map<string, Promise<number>>();
  const prefixTokens = (agent: AgentDefinition): Promise<number> => {
    const known =
      prefixes.get(agent.name) ??
      buildPrefix(ports, agent).then((prefix) => tokensOf(JSON.stringify(prefix)));
    prefixes.set(agent.name, known);
    return known;
  };
  return async ({ pipeline, plans, item }) => {
    const cost: Cost = { tokens: 0, costUsd: 0 };
    for (const group of groupTasks(pipeline, plans)) {
      const agent = ports.configuration.agents.get(group.agent);
      const model = agent ? modelFor({ modelName: settings.model }, agent) : settings.model;
      const prefix = agent ? await prefixTokens(agent) : 0;
      const itemTokens = readsItem({ pipeline }, group) ? tokensOf(item.text) : 0;
      const isCut = itemTokens > 0 && isLong({ item }, ports.model.longestItem);
      const share = settings.batch && agent?.batch ? ports.model.batches?.share : undefined;
      const turns = share === undefined ? TURNS : 1;
      const { requests, characters } = estimateReading(item.text);
      const read = isCut ? Math.ceil((itemTokens * characters) / item.text.length) + requests * prefix : 0;
      const start = prefix + READ_TOKENS + (isCut ? requests * NOTES_TOKENS : itemTokens);
      const usage = {
        ...noUsage(),
        inputTokens: read,
        cacheWriteTokens: start,
        cacheReadTokens: start * (turns - 1),
        outputTokens: WRITTEN_TOKENS * group.outputs.length + (isCut ? requests * NOTES_TOKENS : 0),
      };
      cost.tokens += read + start * turns + usage.outputTokens;
      const price = ports.model.priceOf(model, usage);
      cost.costUsd = price === null || cost.costUsd === null ? null : cost.costUsd + price * (share ?? 1);
    }
    return cost;
  };
}

const NEEDS_MODEL = "set the key of a model, or take another item";

function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/**
 * Throws `config-invalid` where the due steps can't read the item: the rehearsal has limits of its own, and a long item
 * that certainly costs more than the limits of a session allow is not begun.
 */
export async function requireReadable(
  ports: ContentPorts,
  settings: ContentSettings,
  planned: SessionPlan,
): Promise<void> {
  const { item, pipeline, plans } = planned;
  const reading = groupTasks(pipeline, plans).filter((group) => readsItem({ pipeline }, group));
  if (reading.length === 0) return;
  if (!isLong({ item }, ports.model.longestItem)) {
    const names = new Set(reading.flatMap(({ outputs }) => outputs));
    const made = pipeline.outputs.filter(({ name }) => names.has(name)).map(({ artifact }) => artifact);
    const reason = await ports.model.whyUnreadable?.(item.text, made);
    if (reason === undefined) return;
    throw new LoopliaError("config-invalid", `${item.source}: ${reason}`, { hint: NEEDS_MODEL });
  }
  const length = item.text.length.toLocaleString("en");
  if (ports.model.longestItem !== undefined) {
    const most = ports.model.longestItem.toLocaleString("en");
    throw new LoopliaError(
      "config-invalid",
      `${item.source} has ${length} characters; the rehearsal reads at most ${most}`,
      {
        hint: "split the item, or set the key of a model: models read long items in sections",
      },
    );
  }
  // A session that has started has already read part of the item.
  if (!planned.isNew) return;
  const { tokens, costUsd } = await createEstimate(ports, settings)(planned);
  const { maxTokens, maxCostUsd } = settings.limits;
  const isOver = (maxTokens ?? tokens) < tokens || (maxCostUsd ?? costUsd ?? 0) < (costUsd ?? 0);
  if (!isOver) return;
  const cost = costUsd === null ? "" : ` and $${costUsd.toFixed(2)}`;
  const limit =
    (maxTokens ?? tokens) < tokens ? `max-tokens is ${maxTokens}` : `max-cost-usd is ${maxCostUsd}`;
  throw new LoopliaError(
    "config-invalid",
    `${item.source} has ${length} characters: reading it takes about ${tokens.toLocaleString("en")} tokens${cost}, and ${limit}`,
    { hint: "raise the limit, or split the item; nothing was started" },
  );
}

// The model behind `provider: offline`: extracts, never invents.
import { z } from "zod";
import { noUsage } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import { type Message, toolCallsOf } from "../core/events.ts";
import { groupBy, parseJson } from "../core/json.ts";
import { throwIfAborted } from "../core/model-request.ts";
import type { Model, ModelRequest } from "../core/ports.ts";
import { readRunbookTask } from "../core/runbook.ts";
import {
  type Article,
  BUILDERS,
  cannotRehearse,
  createArticleReader,
  cutWords,
  type Draft,
  findHooks,
  ranked,
  readText,
} from "./article.ts";
import { nextStep, type Turn } from "./runbook.ts";

// Rehearsals of the smaller pipelines: extracts from a list of changes or a page without a language model.
// Pure.

const KINDS: [heading: string, types: RegExp][] = [
  ["Breaking", /!$/],
  ["Added", /^feat/],
  ["Fixed", /^fix/],
  ["Security", /^security/],
  ["Removed", /^(?:remove|revert)/],
  ["Changed", /^(?:perf|change|docs)/],
];
const CHANGE =
  /^[-*\s]*(?:([0-9a-f]{7,40})\s+)?([a-z]+)(?:\([^)]*\))?(!?): (.{10,280}?)\s*(?:\(?(#\d+|https?:\/\/[^\s)]+)\)?)?(?:\s+(?:by\s+)?@[\w-]+)?$/;
/** `[#12](https://…)`: the address says more than the number. */
const LINK = /\(?\[#\d+\]\((https?:\/\/[^\s)]+)\)\)?/;

/** Artifacts that are made from a list of changes, or from a brief: neither is an article. */
const LISTS: ReadonlySet<string> = new Set(["release-notes.json", "newsletter.json"]);

/** A list of changes has no sentences, so it is read line by line. */
function listArticle(text: string): Article {
  const title = /^(?:title: *|# +)(.+)$/m.exec(text)?.[1] ?? "";
  const none = { plain: "", units: [], sections: [], phrases: [], voices: [], category: undefined };
  return { ...none, file: text, raw: text, title: title.trim(), isTranscript: false };
}

/** By artifact file, like `BUILDERS`. */
const MORE_BUILDERS: ReadonlyMap<string, (draft: Draft) => object> = new Map([
  ["docs-summary.json", ({ article }: Draft): object => buildDocsSummary(article)],
  ["newsletter.json", buildNewsletter],
  ["release-notes.json", ({ article }: Draft): object => buildReleaseNotes(article)],
]);

/** The brief's own paragraphs around the most telling sentences of each item. */
function buildNewsletter({ article: { file, title }, items }: Draft): object {
  const body = file.replace(/^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n/, "");
  const paragraphs = body.split(/\n[ \t]*\r?\n/).map((part) => part.replace(/\s+/g, " ").trim());
  const said = paragraphs.filter((part) => part !== "" && !part.startsWith("#"));
  const titles = items.map(({ article }) => article.title);
  const last = said.length > 1 ? said.at(-1) : undefined;
  return {
    subject: cutWords(title.length >= 5 ? title : `${titles[0]} and ${items.length - 1} more`, 80),
    intro: cutWords(
      (said[0]?.length ?? 0) >= 40 ? (said[0] ?? "") : `In this issue: ${titles.join("; ")}.`,
      800,
    ),
    entries: items.map(({ path, text, article }) => {
      const url = /^(?:source_)?url:[ \t]*["']?(https?:\/\/[^\s"']+)/m.exec(text)?.[1];
      const telling = ranked(article.units)
        .filter(({ kind }) => kind === "sentence")
        .slice(0, 3);
      const lines = article.units.filter((unit) => telling.includes(unit)).map((unit) => unit.text);
      return {
        ...{ source: path, heading: cutWords(article.title.length >= 3 ? article.title : path, 100) },
        text: cutWords(lines.join(" "), 1500),
        ...(url === undefined ? {} : { url }),
      };
    }),
    closing:
      last !== undefined && last.length >= 10 ? cutWords(last, 400) : `${items.length} items in this issue.`,
  };
}

/** Conventional commits by kind; each keeps its number, address or hash. */
function buildReleaseNotes({ file, raw, title }: Article): object {
  const lines = file.split(/\r?\n/).filter((line) => line.trim() !== "");
  const changes = lines.flatMap((line) => {
    const [, hash, type = "", mark = "", text = "", link] =
      CHANGE.exec(line.trim().replace(LINK, "($1)")) ?? [];
    const heading = KINDS.find(([, types]) => types.test(type + mark))?.[0];
    const source = link ?? hash;
    return heading && source && raw.includes(source) ? [{ heading, text, sources: [source] }] : [];
  });
  const [first] = KINDS.flatMap(([name]) => changes.filter(({ heading }) => heading === name));
  if (!first) throw cannotRehearse("no line is a conventional commit with a number, an address or a hash.");
  const sections = [...groupBy(changes, ({ heading }) => heading)];
  return {
    title: cutWords(title || "Release notes", 100),
    summary: cutWords(`${countOf(changes.length)} that users notice. The first: ${first.text}`, 500),
    sections: KINDS.flatMap(([name]) => sections.filter(([heading]) => heading === name)).map(
      ([heading, of]) => ({
        heading,
        changes: of.slice(0, 40).map(({ text, sources }) => ({ text, sources })),
      }),
    ),
  };
}

/** As many whole sentences as fit, at least the first. */
function wholeUpTo([first = "", ...more]: readonly string[], most: number): string {
  return more.reduce((text, next) => (text.length + next.length < most ? `${text} ${next}` : text), first);
}

function countOf(changes: number): string {
  return changes === 1 ? "One change" : `${changes} changes`;
}

/** Title, first sentences and headings of a page. */
function buildDocsSummary({ title, units, phrases }: Article): object {
  const sentences = units.filter(({ kind }) => kind === "sentence").map(({ text }) => text);
  const [first = ""] = sentences;
  const headings = units.flatMap(({ kind, text }) => (kind === "heading" && text !== title ? [text] : []));
  const summary = cutWords(sentences.slice(0, 6).join(" "), 1200);
  if (summary.length < 80) throw cannotRehearse("too short for summary: the page has hardly a sentence.");
  return {
    title: cutWords(title.length >= 10 ? title : `${title}: ${phrases[0] ?? first}`, 60),
    description: cutWords(wholeUpTo(sentences, 160), 160, "…"),
    summary,
    answers: (headings.length > 0 ? headings : phrases)
      .slice(0, 8)
      .map((one) => (one.endsWith("?") ? one : `What does the page say about “${cutWords(one, 110)}”?`)),
    keywords: phrases.filter((phrase) => phrase.length <= 40).slice(0, 12),
  };
}

// The model itself.

export const OFFLINE_MODEL = "offline-extractive";
/** Shown in manifest, output and pull request title. */
const OFFLINE_NOTICE = "extractive rehearsal, no language model";

const ALL_BUILDERS = new Map([...BUILDERS, ...MORE_BUILDERS]);

/** Maximum characters of an item: longer ones would take a rehearsal too long. */
const LONGEST = 200_000;

type Settled = { name: string; input: Record<string, unknown>; reply: string; isError: boolean };

const outputs = z.array(z.object({ name: z.string(), artifact: z.string() }));
const requires = z.array(z.object({ path: z.string() }));
const ownAgent = z.string().nullish();
const stepBlock = z.object({
  ...{ sessionFolder: z.string(), content: z.string(), outputs, requires, ownAgent },
  items: z.array(z.string()).default([]),
});
type Step = z.infer<typeof stepBlock>;
const leadBlock = z.object({ steps: z.array(z.object({ agent: z.string(), outputs: z.array(z.string()) })) });
const CUT = /\n\[lines [^\n]*; go on with offset (\d+)\]$/;

/** `askInDemo`: a person chooses the first hook before the ideas are written. */
export function createOfflineModel({ askInDemo = false }: { askInDemo?: boolean } = {}): Model {
  const readArticle = createArticleReader();
  return {
    provider: "offline",
    notice: OFFLINE_NOTICE,
    longestItem: LONGEST,
    async whyUnreadable(text, artifacts) {
      const isRead = (artifact: string) => ALL_BUILDERS.has(artifact) && !LISTS.has(artifact);
      if (!artifacts.some(isRead)) return undefined;
      try {
        await readText(text);
        return undefined;
      } catch (error) {
        return sayWhy(error).text;
      }
    },
    priceOf: () => 0,
    async respond(request, { signal, onText }) {
      throwIfAborted(signal);
      const { text, calls = [] } = await nextTurn(request, readArticle, askInDemo).catch(sayWhy);
      onText?.(text);
      const turn = `offline-${request.conversationId}-${request.messages.length}`.replace(/[^\w-]/g, "-");
      const uses = calls.map((call, at) => ({ type: "tool_use" as const, id: `${turn}-${at}`, ...call }));
      const message: Message = { role: "assistant", content: [{ type: "text", text }, ...uses] };
      const stopReason = uses.length > 0 ? "tool_use" : "end_turn";
      return { message, stopReason, usage: noUsage(), model: OFFLINE_MODEL };
    },
  };
}

function sayWhy(error: unknown): Turn {
  if (error instanceof RangeError) return { text: "Cannot rehearse: the source is nested too deeply." };
  if (error instanceof LoopliaError) return { text: `Cannot rehearse: ${error.message}` };
  throw error;
}

async function nextTurn(
  request: ModelRequest,
  readArticle: ReturnType<typeof createArticleReader>,
  askInDemo: boolean,
): Promise<Turn> {
  const [first, ...later] = request.messages;
  // Attachments are data, not instructions.
  const said = first?.content[0]?.type === "text" ? first.content[0].text : "";
  const runbook = first && readRunbookTask(said);
  if (runbook) return nextStep(runbook, later);
  const settled = settledCalls(later);
  const blocks = said.matchAll(/```json\s([\s\S]*?)```/g);
  const facts = [...blocks].map(([, text = ""]) => parseJson(text));
  const lead = facts.flatMap((fact) => leadBlock.safeParse(fact).data ?? []).at(-1);
  if (lead) return nextTask(lead.steps, settled);
  const step = facts.flatMap((fact) => stepBlock.safeParse(fact).data ?? []).at(-1);
  if (!step)
    throw cannotRehearse("it only knows the steps of the built-in pipelines, and this is not one of them.");
  if (step.ownAgent) throw cannotRehearse(`${step.ownAgent} has instructions of its own.`);
  const custom = step.outputs.find(({ artifact }) => !ALL_BUILDERS.has(artifact));
  if (custom) throw cannotRehearse(`it can't make ${custom.artifact}; that takes a model.`);
  const paths = [step.content, ...step.items, ...step.requires.map(({ path }) => path)];
  const files = paths.map((path) => readSoFar(path, settled));
  const calls = files.flatMap((file) => file.calls);
  if (calls.length > 0) return { text: "Reading the source.", calls };
  const text = files[0]?.text ?? "";
  const isList = step.outputs.every(({ artifact }) => LISTS.has(artifact));
  const article = isList ? listArticle(text) : await readArticle(text);
  const items: Draft["items"][number][] = [];
  for (const [at, path] of step.items.entries()) {
    const whole = files[at + 1]?.text ?? "";
    items.push({ path, text: whole, article: await readArticle(whole) });
  }
  const canAsk = askInDemo && step.outputs.some(({ artifact }) => artifact === "ideas.json");
  const answer = settled.find((call) => call.name === "askUser")?.reply;
  if (canAsk && answer === undefined) return askForHook(findHooks(article));
  const at = paths.findIndex((path) => path.endsWith("/ideas.json"));
  const ideas = parseJson(files[at]?.text ?? "");
  return nextArtifact(step, { article, items, ideas: ideas ?? {} }, settled, answer);
}

function askForHook(hooks: ReturnType<typeof findHooks>): Turn {
  const options = hooks.map(({ text }, at) => ({ id: `hook-${at + 1}`, label: cutWords(text, 99, "…") }));
  const input = { question: "Which hook comes first?", kind: "Select", purpose: "choose_strategy", options };
  return { text: "Asking for a hook.", calls: [{ name: "askUser", input }] };
}

function nextArtifact(
  step: Step,
  draft: { article: Article; items: readonly Draft["items"][number][]; ideas: object },
  settled: Settled[],
  answer = "",
): Turn {
  const contentId = step.sessionFolder.split("/").at(-1) ?? "";
  const firstHook = Number(/\bhook-(\d+)/.exec(answer)?.[1] ?? 1) - 1;
  for (const { name, artifact } of step.outputs) {
    const sent = settled.filter((call) => call.name === "writeArtifact" && call.input.output === name);
    if (sent.some((call) => !call.isError)) continue;
    const [refused, again] = sent.map((call) => call.reply);
    if (again !== undefined) throw cannotRehearse(`${artifact} was refused twice. ${again}`);
    const made = ALL_BUILDERS.get(artifact)?.({ ...draft, contentId, firstHook }) ?? {};
    const input = { output: name, content: refused ? withoutRefused(made, refused) : made };
    return { text: `Writing ${artifact}.`, calls: [{ name: "writeArtifact", input }] };
  }
  return { text: `Done: ${OFFLINE_NOTICE}.` };
}

/** Without the list items that a refusal names, as in `importantQuotes[1].text`. */
function withoutRefused(content: object, refusal: string): object {
  const keep = (name: string, value: unknown) =>
    Array.isArray(value) ? value.filter((_, at) => !refusal.includes(`${name}[${at}]`)) : value;
  return JSON.parse(JSON.stringify(content, keep));
}

function nextTask(steps: z.infer<typeof leadBlock>["steps"], settled: Settled[]): Turn {
  const tasks = settled.filter((call) => call.name === "Task");
  for (const { isError, reply } of tasks) if (isError) throw cannotRehearse(reply);
  const [step] = steps.slice(tasks.length);
  if (!step) return { text: `Done: ${OFFLINE_NOTICE}.` };
  const prompt = `Make ${step.outputs.join(" and ")}.`;
  return { text: prompt, calls: [{ name: "Task", input: { agent: step.agent, prompt } }] };
}

/** The parts of a file that `readFile` has returned, and the call that continues reading. */
function readSoFar(path: string, settled: Settled[]): Required<Turn> {
  const pieces = settled.filter((call) => call.name === "readFile" && call.input.path === path);
  const last = pieces.at(-1);
  if (!last) return { text: "", calls: [{ name: "readFile", input: { path } }] };
  if (last.isError) throw cannotRehearse(last.reply);
  const text = pieces.map(({ reply }) => reply.replace(CUT, "")).join("");
  if (text.length > LONGEST + 1_000) {
    throw cannotRehearse(`${path} is longer than ${LONGEST.toLocaleString("en")} characters.`);
  }
  const offset = Number(CUT.exec(last.reply)?.[1] ?? 0);
  const goesOn = offset > Number(last.input.offset ?? 1);
  return { text, calls: goesOn ? [{ name: "readFile", input: { path, offset } }] : [] };
}

/** A call with an unknown outcome counts as not made. */
function settledCalls(messages: Message[]): Settled[] {
  const results = messages.flatMap(({ content }) => content).filter((block) => block.type === "tool_result");
  return messages.flatMap(toolCallsOf).flatMap(({ id, name, input }) => {
    const result = results.find((block) => block.tool_use_id === id);
    const isError = result?.is_error === true;
    if (!result || (isError && result.content.includes("outcome is unknown"))) return [];
    return [{ name, input: Object(input), reply: result.content, isError }];
  });
}

// The model behind `provider: offline`: extracts, never invents.
import { z } from "zod";
import { noUsage } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import { type Message, toolCallsOf } from "../core/events.ts";
import { parseJson } from "../core/json.ts";
import { throwIfAborted } from "../core/model-request.ts";
import type { Model, ModelRequest } from "../core/ports.ts";
import {
  type Article,
  BUILDERS,
  cannotRehearse,
  createArticleReader,
  cutWords,
  findHooks,
  type ReadItem,
  readText,
} from "./article.ts";
import { LISTS, listArticle, MORE_BUILDERS } from "./more.ts";
import { nextStep, readRunbookTask, type Turn } from "./runbook.ts";

export const OFFLINE_MODEL = "offline-extractive";
/** Shown in manifest, output and pull request title. */
export const OFFLINE_NOTICE = "extractive rehearsal, no language model";

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
  const items: ReadItem[] = [];
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
  draft: { article: Article; items: readonly ReadItem[]; ideas: object },
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

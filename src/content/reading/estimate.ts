// What the due steps of an item will take, and whether that can be done at all: known before anything is paid for.
import { buildPrefix, modelFor } from "../../agent/attempt.ts";
import type { AgentDefinition } from "../../config/definitions.ts";
import { noUsage } from "../../core/conversation.ts";
import { LoopliaError } from "../../core/errors.ts";
import { groupTasks } from "../plan.ts";
import type { ContentPorts, ContentSettings } from "../ports.ts";
import type { SessionPlan } from "../session.ts";
import { isLong, readsItem } from "./attach.ts";
import { estimateReading } from "./split.ts";

type Cost = { tokens: number; costUsd: number | null };
export type Estimate = (planned: Pick<SessionPlan, "pipeline" | "plans" | "item">) => Promise<Cost>;

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

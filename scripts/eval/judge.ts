// A model as judge, with a rubric that never changes: only where there is a key.
import { createAnthropicModel } from "../../src/anthropic/model.ts";
import { DEFAULT_ANTHROPIC_MODEL } from "../../src/config/providers.ts";
import { messageText } from "../../src/core/events.ts";
import type { Kit } from "./rubric.ts";

const RUBRIC = `You judge a writing kit that was made from an article. Give each of these a number from 0 to 10:
faithful (nothing in it is wrong or invented), useful (an editor would work with it), angles (each carries a text of its own),
outline (one could write from it today). Answer with one JSON object of these four numbers and nothing else.`;

/** Shares from 0 to 1 by field; empty where the answer is no JSON. */
export async function judgeKit(text: string, kit: Kit, apiKey: string): Promise<Record<string, number>> {
  const model = createAnthropicModel({ apiKey });
  const asked = `The article:\n\n${text}\n\nThe kit:\n\n${JSON.stringify(kit)}`;
  const { message } = await model.respond(
    {
      conversationId: "judge",
      model: DEFAULT_ANTHROPIC_MODEL,
      prefix: { system: RUBRIC, tools: [] },
      messages: [{ role: "user", content: [{ type: "text", text: asked }] }],
    },
    { signal: AbortSignal.timeout(120_000) },
  );
  const found = /\{[^{}]*\}/.exec(messageText(message))?.[0];
  const scores: Record<string, unknown> = found === undefined ? {} : JSON.parse(found);
  return Object.fromEntries(
    ["faithful", "useful", "angles", "outline"].map((name) => [
      `judge ${name}`,
      Number(scores[name] ?? 0) / 10,
    ]),
  );
}

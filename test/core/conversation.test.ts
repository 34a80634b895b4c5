// What a conversation cost, from its lines.
import { expect, test } from "vitest";
import {
  applyConversationLine,
  type Conversation,
  messagesToSend,
  noUsage,
  viewSession,
} from "../../src/core/conversation.ts";
import type { ConversationLine } from "../../src/core/events.ts";

const started: ConversationLine = {
  store: "conversation",
  type: "ConversationStarted",
  payload: { conversationId: "c", taskId: "t", agent: "a", frozen: "f", provider: "p", model: "m", depth: 0 },
};
const said = (costUsd: number | null): ConversationLine => ({
  store: "conversation",
  type: "Message",
  payload: {
    conversationId: "c",
    message: { role: "assistant", content: [{ type: "text", text: "a" }] },
    response: { stopReason: "end_turn", usage: { ...noUsage(), outputTokens: 1 }, costUsd, model: "m" },
  },
});

test.each<[string, (number | null)[], number | null, { costUsd: number; unpriced: boolean }]>([
  ["the sum of its responses", [0.25, 0.5], 0.75, { costUsd: 0.75, unpriced: false }],
  ["unknown once a price is unknown", [0.25, null], null, { costUsd: 0.25, unpriced: true }],
  ["and stays unknown", [null, 0.5], null, { costUsd: 0.5, unpriced: true }],
])("a conversation's cost is %s", (_, costs, expected, total) => {
  const conversations = new Map<string, Conversation>();
  const totals = { usage: noUsage(), costUsd: 0, unpriced: false };
  for (const line of [started, ...costs.map(said)]) applyConversationLine(conversations, totals, line);
  expect(conversations.get("c")).toMatchObject({ costUsd: expected, turns: 2 });
  expect(totals).toEqual({ ...total, usage: { ...noUsage(), outputTokens: 2 } });
});

test("a session without requests has cost nothing, and that is known", () => {
  expect(viewSession("s", { events: [], conversation: [] }).totals).toEqual({
    usage: noUsage(),
    costUsd: 0,
    unpriced: false,
  });
});

test("without a switch of model the messages are sent as they are stored", () => {
  const { conversations } = viewSession("s", { events: [], conversation: [started, said(1)] });
  const conversation = conversations.get("c");
  expect(conversation && messagesToSend(conversation)).toBe(conversation?.messages);
});

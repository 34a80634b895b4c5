// What both loops say and hear in a turn: the same history, byte for byte.
import type { Message, Usage } from "../src/core/events.ts";

/** The file that is read in each turn; a content item. */
export const ITEM = "content/read-often.md";

/** About two thousand characters: a thousand turns of it are as much as today's largest windows hold. */
export const ITEM_TEXT = `---\ntitle: Read often\n---\n${"One line of the file that is read in every turn.\n".repeat(40)}`;

/** Times are `performance.now()` of the process; `requestedAt` has one for each model request. */
export type LoopReport = { startedAt: number; requestedAt: number[]; peakMb: number; sessionId: string };

/** The model's reply in a turn: a few words and one read. */
export function replyOf(turn: number): { message: Message; usage: Usage } {
  return {
    message: {
      role: "assistant",
      content: [
        { type: "text", text: `I look at the file once more, which makes it ${turn} times.` },
        { type: "tool_use", id: `toolu_${turn}`, name: "readFile", input: { path: ITEM } },
      ],
    },
    usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
  };
}

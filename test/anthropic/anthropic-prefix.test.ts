import { describe, expect, it } from "vitest";
import { type Message, toolCallsOf } from "../../src/core/events.ts";
import type { AnswerBlock } from "../fakes/messages-api-stream.ts";
import fc, { anyCharacter, tries } from "../fakes/properties.ts";
import { ask, results, say, signal, startModel } from "./anthropic-fixture.ts";

const text = fc.string({ unit: anyCharacter, minLength: 1 }).map((some) => `.${some.toWellFormed()}`);
const anyText = fc.string({ unit: fc.constantFrom("a", "ü", "\ud83d", "\ude00", "\u0000", '"', "\\", " ") });
const block: fc.Arbitrary<AnswerBlock> = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("thinking"), thinking: text }),
  fc.record({ type: fc.constant("redacted_thinking"), data: fc.base64String() }),
  fc.record({
    type: fc.constant("tool_use"),
    name: fc.constantFrom("readFile", "other"),
    input: fc.dictionary(text, fc.jsonValue({ stringUnit: anyCharacter })),
  }),
);
const turn = fc.record({
  content: fc.array(block, { minLength: 1, maxLength: 30 }),
  results: fc.array(anyText, { minLength: 30, maxLength: 30 }),
  deltaSize: fc.integer({ min: 1, max: 50 }),
  asciiJson: fc.boolean(),
  fails: fc.constantFrom("no", "no", "cut", "busy"),
});

describe("over any conversation", () => {
  it("each request has the one before as its exact prefix, and the cache reads all that it may", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
        const script = turns.flatMap(({ content, deltaSize, asciiJson, fails }, number) => {
          const answer = { content: withIds(content, number), deltaSize, asciiJson };
          if (fails === "no") return [answer];
          return [fails === "cut" ? { ...answer, cutAfter: 2 } : { status: 529, retryAfterMs: 1 }, answer];
        });
        const { model, api } = await startModel(script);
        const history: Message[] = [say("begin")];
        let written = 0;
        for (const { results: contents, fails } of turns) {
          const stored = JSON.stringify(history);
          const reply = await model.respond(ask(...history), { signal });
          expect(JSON.stringify(history)).toBe(stored);
          const { cacheReadTokens, cacheWriteTokens, inputTokens } = reply.usage;
          expect(cacheReadTokens).toBeGreaterThanOrEqual(written);
          expect(inputTokens).toBe(0);
          // A cut answer's tokens are counted beside those of the whole one.
          written = (cacheReadTokens + cacheWriteTokens) / (fails === "cut" ? 2 : 1);
          // What is stored and read again is what was said.
          const message: Message = JSON.parse(JSON.stringify(reply.message));
          const calls = toolCallsOf(message);
          history.push(
            message,
            calls.length === 0
              ? say("go on")
              : results(...calls.map((call, at): [string, string] => [call.id, contents[at] ?? ""])),
          );
        }
        // The server refuses a changed prefix, an orphan call, changed thinking, five marks and broken Unicode.
        api.assertDone();
        await api.close();
      }),
      tries(6),
    );
  });
});

function withIds(content: AnswerBlock[], turnNumber: number): AnswerBlock[] {
  return content.map((one, at) => (one.type === "tool_use" ? { ...one, id: `t${turnNumber}_${at}` } : one));
}

// The life of an attempt, whoever works.
import { expect, test } from "vitest";
import type { AgentRun } from "../../src/agent/session.ts";
import { createWorld, runOnce } from "../fakes/agent-world.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

test("a runner other than our loop works in the same conversation, and delivers the same way", async () => {
  const world = await createWorld();
  const seen: string[] = [];
  const runner = async (_: unknown, run: AgentRun) => {
    const reply = await run.accept({ output: "a", content: 1, callId: "1" });
    seen.push(run.conversationId, reply.text);
    return { kind: "completed", text: "by a program" } as const;
  };
  const { outcome, session } = await runOnce(world, new ScriptedModel([]), { runner });
  expect(outcome).toEqual({ kind: "completed", text: "by a program" });
  expect(seen).toEqual(["main", "wrote a"]);
  expect(session.journal.conversation("main").messages).toHaveLength(1);
});

test("an answer that was cut is no reminder: an agent is reminded once after it", async () => {
  const world = await createWorld();
  const model = new ScriptedModel([
    { content: [{ type: "text", text: "half" }], stopReason: "max_tokens" },
    "I am done.",
    "I am.",
  ]);
  const debt = () =>
    ({ prompt: "owed.md", variables: {}, reasonCode: "invalid-artifact", failure: "nothing came" }) as const;
  const { outcome, session } = await runOnce(world, model, { debt });
  expect(outcome).toMatchObject({ kind: "failed", message: "nothing came; it said: I am." });
  const { messages } = session.journal.conversation("main");
  const told = messages.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content));
  expect(told).toHaveLength(3);
  expect(told[1]).toContain("cut");
  expect(told[2]).toContain("owed.md");
});

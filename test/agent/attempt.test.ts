// The life of an attempt, whoever works.
import { expect, test } from "vitest";
import type { Model } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost } from "../fakes/agent-world.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

/** A model that is a program: it leaves a note when it is released, and gets it back. */
function asProgram(model: ScriptedModel, asksAlone: boolean) {
  const notes: (string | undefined)[] = [];
  const respond: Model["respond"] = (request, options) => {
    notes.push(request.memory);
    return model.respond(request, options);
  };
  const released: string[] = [];
  const release = async (conversationId: string, keep?: (text: string) => string) => {
    released.push(`${conversationId} ${keep ? "kept" : "over"}`);
    return keep?.(`note ${notes.length}`);
  };
  const program = { asksAlone, release, expect: () => {} };
  const { provider } = model;
  const priceOf: Model["priceOf"] = () => 0;
  return { model: { provider, priceOf, respond, program } satisfies Model, notes, released };
}

const edit = (id: string, path: string) =>
  ({ type: "tool_use", id, name: "editFile", input: { path, oldStr: "", newStr: "x" } }) as const;

test("a program is released at each end, and gets what it left when it is asked again", async () => {
  const world = await createWorld();
  const later = new ScriptedHost(["later"]);
  const first = asProgram(new ScriptedModel([{ content: [edit("c1", "a")] }]), true);
  expect((await runOnce(world, first.model, { host: later })).outcome.kind).toBe("waiting");
  const second = asProgram(new ScriptedModel(["Done."], { lenient: true }), true);
  const host = new ScriptedHost([approve()]);
  expect((await runOnce(world, second.model, { host })).outcome.kind).toBe("completed");
  expect([...first.notes, ...second.notes]).toEqual([undefined, "note 1"]);
  expect([...first.released, ...second.released]).toEqual(["s-1/main kept", "s-1/main over"]);
});

test("a program that stops at single calls only is told to make risky ones one at a time", async () => {
  const world = await createWorld();
  const script = () => new ScriptedModel([{ content: [edit("c1", "a"), edit("c2", "b")] }, "I see."]);
  const { session } = await runOnce(world, asProgram(script(), true).model);
  const told = JSON.stringify(session.journal.conversation("main").messages[2]);
  expect(told.match(/one message per call that needs approval/g)).toHaveLength(2);
  expect(session.journal.state.interactions.size).toBe(0);
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

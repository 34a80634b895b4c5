// What a command made of files that decide what runs: undone at once, and a person decides whether it is kept.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { voidApprovalOf } from "../../src/core/answer-fate.ts";
import type { Isolation } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost, type World } from "../fakes/agent-world.ts";
import { auditOf } from "../fakes/audit.ts";
import { call, resultOf, ScriptedModel } from "../fakes/scripted-model.ts";

const ISOLATED: Isolation = { kind: "bubblewrap", network: false };
const gate = { approval: "none" } as const;
const options = { gate, isolation: ISOLATED, hasRules: true } as const;
const command = (id: string, text: string) => call(id, "runCommand", { command: text });
const TURN = {
  content: [command("1", "make"), command("2", "touch later")],
};

async function createRuled(): Promise<World> {
  const world = await createWorld();
  writeFileSync(join(world.root, ".npmrc"), "mine\n");
  writeFileSync(
    join(world.root, "Makefile"),
    "all:\n\t@echo theirs >.npmrc; echo made >.envrc; echo fine >own.md\n",
  );
  return world;
}

const textOf = ({ root }: World, name: string) =>
  existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined;

test("is asked about before anything else runs, and kept when it is approved, by another process too", async () => {
  const world = await createRuled();
  const host = new ScriptedHost([]);
  const first = await runOnce(world, new ScriptedModel([TURN]), { ...options, host });
  expect(first.outcome.kind).toBe("waiting");
  const [asked] = host.asked;
  expect(asked).toMatchObject({ kind: "Confirm", display: { title: "2 actions need your approval" } });
  expect(asked?.display.content).toMatch(
    /version of \.envrc[\s\S]*\+made[\s\S]*version of \.npmrc[\s\S]*-mine\n\+theirs/,
  );
  expect(asked?.dangers).toEqual([expect.stringContaining(".envrc"), expect.stringContaining(".npmrc")]);
  expect([textOf(world, ".npmrc"), textOf(world, ".envrc"), textOf(world, "own.md")]).toEqual([
    "mine\n",
    undefined,
    "fine\n",
  ]);
  expect(textOf(world, "later")).toBeUndefined();

  const model = new ScriptedModel(["done"]);
  const { outcome, session } = await runOnce(world, model, {
    ...options,
    host: new ScriptedHost([approve()]),
  });
  expect(outcome.kind).toBe("completed");
  expect([textOf(world, ".npmrc"), textOf(world, ".envrc"), textOf(world, "later")]).toEqual([
    "theirs\n",
    "made\n",
    "",
  ]);
  expect(resultOf(model.requests[0], "1")?.content).toContain(
    "they decide now whether the command's version is kept",
  );
  expect(model.requests[0]?.messages.at(-1)?.content).toHaveLength(2);
  expect(
    (await auditOf(world)).filter(({ toolCallId }) => String(toolCallId).includes("-kept-")),
  ).toHaveLength(2);
  const [interaction] = session.journal.state.interactions.values();
  expect(interaction && voidApprovalOf(session.journal.state, interaction)).toBeUndefined();
});

test("is left as it was when a person says so, and when the file has changed since", async () => {
  const rejected = await createRuled();
  const no = { answer: { selectedOptionId: "reject" }, actorId: "terminal:test" };
  const host = new ScriptedHost([no]);
  await runOnce(rejected, new ScriptedModel([TURN, "done"]), { ...options, host });
  expect([textOf(rejected, ".npmrc"), textOf(rejected, ".envrc")]).toEqual(["mine\n", undefined]);

  const changed = await createRuled();
  await runOnce(changed, new ScriptedModel([TURN]), { ...options, host: new ScriptedHost([]) });
  writeFileSync(join(changed.root, ".npmrc"), "a person's\n");
  const { session } = await runOnce(changed, new ScriptedModel(["done"]), {
    ...options,
    host: new ScriptedHost([approve()]),
  });
  expect([textOf(changed, ".npmrc"), textOf(changed, ".envrc")]).toEqual(["a person's\n", "made\n"]);
  const [interaction] = session.journal.state.interactions.values();
  expect(interaction && voidApprovalOf(session.journal.state, interaction)).toMatchObject({
    calls: 1,
    of: 2,
  });
});

test("is not offered where a rule forbids the edit, or nobody can be asked", async () => {
  const deny = { effect: "deny", tool: "editFile", text: "deny editFile" } as const;
  for (const how of [
    { ...options, gate: { ...gate, policy: [deny] }, host: new ScriptedHost([]) },
    { ...options, host: new ScriptedHost("nobody") },
  ]) {
    const world = await createRuled();
    const { outcome, session } = await runOnce(world, new ScriptedModel([TURN, "done"]), how);
    expect([outcome.kind, session.journal.state.interactions.size]).toEqual(["completed", 0]);
    expect(textOf(world, ".npmrc")).toBe("mine\n");
  }
});

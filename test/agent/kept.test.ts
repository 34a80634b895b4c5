// What a command made of files that decide what runs: undone at once, and a person decides whether it is kept.
import { existsSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
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

const MANY =
  "A command changed 2 files that decide what runs, and the changes were reverted. Keep the command's versions?";

const textOf = ({ root }: World, name: string) =>
  existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined;

test("is asked about before anything else runs, and kept when it is approved, by another process too", async () => {
  const world = await createRuled();
  const host = new ScriptedHost([]);
  const first = await runOnce(world, new ScriptedModel([TURN]), { ...options, host });
  expect(first.outcome.kind).toBe("waiting");
  const [asked] = host.asked;
  expect(asked).toMatchObject({ kind: "Confirm", display: { title: MANY, description: "It ran: make" } });
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
  const authors = (await auditOf(world)).map(
    ({ toolCallId, authorActorId }) => `${toolCallId.replace(/.*-kept-/, "kept ")} by ${authorActorId}`,
  );
  expect(authors.filter((author) => author.startsWith("kept"))).toHaveLength(2);
  expect(new Set(authors.map((author) => author.replace(/ .* by/, " by")))).toEqual(
    new Set(["1 by agent:main", "kept by looplia", "2 by agent:main"]),
  );
  const [interaction] = session.journal.state.interactions.values();
  expect(interaction && voidApprovalOf(session.journal.state, interaction)).toBeUndefined();
});

/** A command that removes, links, makes executable, and writes what is long or no text. */
async function createOther(): Promise<World> {
  const world = await createWorld();
  mkdirSync(join(world.root, ".husky"), { recursive: true });
  mkdirSync(join(world.root, ".github"));
  writeFileSync(join(world.root, ".github/CODEOWNERS"), "* @ada\n");
  writeFileSync(join(world.root, ".npmrc"), "mine\n");
  writeFileSync(join(world.root, ".husky/pre-commit"), "exit 0\n");
  writeFileSync(join(world.root, ".envrc"), "a\n");
  writeFileSync(
    join(world.root, "Makefile"),
    [
      "all:",
      "rm .npmrc; rm -r .github; ln -s docs .github",
      "chmod +x .husky/pre-commit; printf 'a\\000b' >.husky/tool",
      "seq 20000 >.envrc; ln -s /etc/passwd .husky/out",
    ].join("\n\t@"),
  );
  return world;
}

test("may be a removal, a link, a mode, bytes or a long text: approved as shown, or left as it was", async () => {
  const world = await createOther();
  const host = new ScriptedHost([]);
  await runOnce(world, new ScriptedModel([TURN]), { ...options, host });
  const [asked] = host.asked;
  expect(asked?.kept?.map(({ path }) => path)).toEqual([
    ...[".github/CODEOWNERS", ".npmrc", ".envrc", ".github", ".husky/pre-commit", ".husky/tool"],
  ]);
  const content = String(asked?.display.content);
  expect(content).toMatch(/Remove \.npmrc, as the command did[\s\S]*-mine/);
  expect(content).toMatch(/\.github was a folder\.\s+The command made of this: a link to docs\./);
  expect(content).toMatch(/made of this: an executable file of 7 bytes/);
  expect(content).toContain("+20000");
  const there = () => [textOf(world, ".npmrc"), textOf(world, ".github/CODEOWNERS"), textOf(world, ".envrc")];
  expect(there()).toEqual(["mine\n", "* @ada\n", "a\n"]);
  expect(statSync(join(world.root, ".husky/pre-commit")).mode & 0o111).toBe(0);

  await runOnce(world, new ScriptedModel(["done"]), { ...options, host: new ScriptedHost([approve()]) });
  expect(there().slice(0, 2)).toEqual([undefined, undefined]);
  expect(textOf(world, ".envrc")).toHaveLength(108_894);
  expect(readlinkSync(join(world.root, ".github"))).toBe("docs");
  expect(statSync(join(world.root, ".husky/pre-commit")).mode & 0o111).toBe(0o111);
  expect(textOf(world, ".husky/tool")).toBe("a\0b");
  expect(existsSync(join(world.root, ".husky/out"))).toBe(false);

  const other = await createOther();
  const no = { answer: { selectedOptionId: "reject" }, actorId: "terminal:test" };
  await runOnce(other, new ScriptedModel([TURN, "done"]), { ...options, host: new ScriptedHost([no]) });
  expect([textOf(other, ".npmrc"), textOf(other, ".github/CODEOWNERS")]).toEqual(["mine\n", "* @ada\n"]);
});

test("that is one removal says so, and a rule that forbids edits forbids it too", async () => {
  const titles: unknown[] = [];
  for (const policy of [[], [{ effect: "deny", tool: "editFile", text: "deny editFile" } as const]]) {
    const world = await createRuled();
    writeFileSync(join(world.root, "Makefile"), "all:\n\t@rm .npmrc\n");
    const host = new ScriptedHost([]);
    const how = { ...options, gate: { ...gate, policy }, host };
    await runOnce(world, new ScriptedModel([TURN, "done"]), how);
    titles.push(host.asked[0]?.display.title);
    expect(textOf(world, ".npmrc")).toBe("mine\n");
  }
  expect(titles).toEqual([
    "A command removed .npmrc, and this was reverted. Remove it after all?",
    undefined,
  ]);
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

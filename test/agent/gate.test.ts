// The gate in the loop: what was decided is what happens, and an approval is for what was shown.
import { existsSync, renameSync, symlinkSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import type { GateRules } from "../../src/approval/gate.ts";
import { voidApprovalOf } from "../../src/core/answer-fate.ts";
import type { Isolation, RunEvent } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost, type World } from "../fakes/agent-world.ts";
import { auditOf } from "../fakes/audit.ts";
import { Killed } from "../fakes/dying-stores.ts";
import { call, resultOf, ScriptedModel } from "../fakes/scripted-model.ts";

const ISOLATED: Isolation = { kind: "bubblewrap", network: false };
const command = (id: string, text: string) => call(id, "runCommand", { command: text });
const edit = (id: string, path: string, newStr = "x") => call(id, "editFile", { path, oldStr: "", newStr });
const isThere = (world: World, name: string) => existsSync(join(world.root, name));
const none: Partial<GateRules> = { approval: "none" };

describe("a call that the rules allow", () => {
  it("runs without a person, and the audit says why", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([]);
    const turn = { content: [edit("1", "docs/a.md"), command("2", "touch ran")] };
    const rules = {
      policy: [
        { effect: "allow", tool: "editFile", text: "allow editFile" },
        {
          effect: "allow",
          tool: "runCommand",
          text: "allow runCommand touch",
          words: ["touch"],
          andMore: true,
        },
      ],
    } satisfies Partial<GateRules>;
    const options = { host, gate: rules, isolation: ISOLATED };
    const { outcome } = await runOnce(world, new ScriptedModel([turn, "done"]), options);
    expect(outcome.kind).toBe("completed");
    expect(host.asked).toEqual([]);
    expect(["docs/a.md", "ran"].map((name) => isThere(world, name))).toEqual([true, true]);
    expect((await auditOf(world)).map(({ decision }) => decision)).toEqual(["allow", "allow"]);
    expect((await auditOf(world)).map(({ isolation }) => isolation)).toEqual([undefined, "bubblewrap"]);
  });

  it("and that nothing isolates it is on record: then a command waits for a person, whatever they say", async () => {
    const world = await createWorld();
    const rule = {
      effect: "allow",
      tool: "runCommand",
      text: "allow runCommand touch",
      words: ["touch"],
    } as const;
    const gate = { policy: [rule] } satisfies Partial<GateRules>;
    const model = new ScriptedModel([{ content: [command("1", "touch ran")] }]);
    const { outcome } = await runOnce(world, model, { host: new ScriptedHost([]), gate });
    expect(outcome.kind).toBe("waiting");
    expect(isThere(world, "ran")).toBe(false);
    expect(await auditOf(world)).toMatchObject([{ decision: "ask", isolation: "none" }]);
  });

  it("counts for what it leaves when a later one is asked about", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([approve()]);
    const turn = { content: [edit("1", "a.sh", "touch ran"), command("2", "rm -f none; sh a.sh")] };
    const options = { host, gate: none, isolation: ISOLATED };
    await runOnce(world, new ScriptedModel([turn, "done"]), options);
    expect(host.asked.map(({ toolCallIds }) => toolCallIds)).toEqual([["2"]]);
    expect(isThere(world, "ran")).toBe(true);
  });
});

describe("a call that is asked about", () => {
  it("is on record with what is dangerous about it, and without where nothing is", async () => {
    const world = await createWorld();
    const turn = { content: [command("1", "rm -f none"), command("2", "touch ran")] };
    await runOnce(world, new ScriptedModel([turn]), { host: new ScriptedHost([]), isolation: ISOLATED });
    expect((await auditOf(world)).map(({ decision, dangers }) => [decision, dangers])).toEqual([
      ["ask", ["deletes: rm -f none"]],
      ["ask", undefined],
    ]);
  });
});

describe("a call that the rules forbid", () => {
  it("never runs, and its reason reaches the model, the audit and who watches", async () => {
    const world = await createWorld();
    const refused: unknown[] = [];
    const observe = (event: RunEvent) => {
      if (event.type === "tool-ended") refused.push([event.toolName, event.summary, event.refused]);
    };
    const policy = [
      { effect: "deny", tool: "runCommand", text: "deny runCommand touch", words: ["touch"] } as const,
    ];
    const calls = [command("1", "ls; touch ran"), call("2", "noSuchTool", {})];
    const model = new ScriptedModel([{ content: calls }, "done"]);
    await runOnce(world, model, {
      host: new ScriptedHost([approve()]),
      gate: { policy },
      isolation: ISOLATED,
      observe,
    });
    expect(refused).toEqual([
      ["runCommand", "ls; touch ran", expect.stringContaining("policy forbids this")],
      ["noSuchTool", "", expect.stringContaining("There is no tool")],
    ]);
    expect(resultOf(model.requests[1], "1")?.content).toContain(
      '"deny runCommand touch" of the policy forbids this',
    );
    expect(isThere(world, "ran")).toBe(false);
    expect((await auditOf(world)).map(({ decision }) => decision)).toEqual(["deny", "deny"]);
  });

  it("never runs although it was approved while the rules were others", async () => {
    const world = await createWorld();
    await runOnce(world, new ScriptedModel([{ content: [command("1", "touch ran")] }]));
    const policy = [{ effect: "deny", tool: "runCommand", text: "deny runCommand" } as const];
    const model = new ScriptedModel(["done"]);
    await runOnce(world, model, { host: new ScriptedHost([approve()]), gate: { policy } });
    expect(resultOf(model.requests[0], "1")?.content).toContain("policy forbids");
    expect(isThere(world, "ran")).toBe(false);
  });

  it("never runs although somebody approved it before the rules changed, and that is on record", async () => {
    const world = await createWorld();
    const observe = (event: RunEvent) => {
      if (event.type === "answered") throw new Killed("answered");
    };
    const first = new ScriptedModel([{ content: [command("1", "touch ran")] }]);
    const approved = { host: new ScriptedHost([approve()]), observe };
    await expect(runOnce(world, first, approved)).rejects.toThrow(Killed);
    const policy = [{ effect: "deny", tool: "runCommand", text: "deny runCommand" } as const];
    const { session } = await runOnce(world, new ScriptedModel(["done"]), { gate: { policy } });
    expect(isThere(world, "ran")).toBe(false);
    const { state } = session.journal;
    const [asked] = [...state.interactions.values()];
    expect(asked && voidApprovalOf(state, asked)?.reason).toContain("policy forbids");
  });

  it("that was rejected does not run because a later run's rules allow it", async () => {
    const world = await createWorld();
    const ask = { content: [call("q", "askUser", { question: "?", options: ["A"] })] };
    const turn = { content: [command("1", "touch ran"), ...ask.content] };
    await runOnce(world, new ScriptedModel([turn]), { isolation: ISOLATED });
    const rejected = { answer: { selectedOptionId: "reject" }, actorId: "terminal:t" };
    const model = new ScriptedModel(["done"]);
    const host = new ScriptedHost([rejected, { answer: { selectedOptionId: "a" }, actorId: "terminal:t" }]);
    await runOnce(world, model, { host, gate: none, isolation: ISOLATED });
    expect(resultOf(model.requests[0], "1")?.content).toContain("rejected");
    expect(isThere(world, "ran")).toBe(false);
  });
});

describe("danger", () => {
  it("is named in the request", async () => {
    const host = new ScriptedHost([]);
    const turn = { content: [command("1", "rm -r docs"), edit("2", "action.yml")] };
    await runOnce(await createWorld(), new ScriptedModel([turn]), { host, gate: none, isolation: ISOLATED });
    expect(host.asked[0]?.dangers).toEqual([
      "deletes: rm -r docs",
      "changes action.yml, which decides what runs or who may",
    ]);
    expect(host.asked[0]?.isolation).toEqual(ISOLATED);
  });

  it("is seen through a link, and one that was bent since the decision is not followed", async () => {
    const world = await createWorld();
    await mkdir(join(world.root, ".github/workflows"), { recursive: true });
    await mkdir(join(world.root, "docs"));
    await symlink(".github/workflows", join(world.root, "notes"));
    const host = new ScriptedHost([]);
    await runOnce(world, new ScriptedModel([{ content: [edit("1", "notes/ci.yml")] }]), { host, gate: none });
    expect(host.asked[0]?.dangers).toEqual([
      "changes .github/workflows/ci.yml, which decides what runs or who may",
    ]);

    const other = await createWorld();
    await mkdir(join(other.root, ".github/workflows"), { recursive: true });
    await mkdir(join(other.root, "docs"));
    const model = new ScriptedModel([{ content: [edit("1", "a.md"), edit("2", "docs/ci.yml")] }, "done"]);
    await runOnce(other, model, {
      gate: none,
      observe: (event) => {
        if (event.type !== "tool-ended" || event.toolCallId !== "1") return;
        renameSync(join(other.root, "docs"), join(other.root, "old"));
        symlinkSync(".github/workflows", join(other.root, "docs"));
      },
    });
    expect(resultOf(model.requests[1], "2")?.content).toContain("leads somewhere else now");
    expect(isThere(other, ".github/workflows/ci.yml")).toBe(false);
  });
});

describe("an approval is for what was shown", () => {
  const TURN = { content: [command("1", "touch ran")] };

  test.each<[string, Isolation, Isolation]>([
    [
      "with other hosts listed now",
      { kind: "bubblewrap", network: ["a.example"] },
      { kind: "bubblewrap", network: ["b.example"] },
    ],
    ["with network now", ISOLATED, { kind: "bubblewrap", network: true }],
    ["without isolation now", ISOLATED, { kind: "none", network: true }],
    ["isolated now, where it was not", { kind: "none", network: true }, ISOLATED],
  ])("a command that would run %s does not run", async (_, shown, now) => {
    const world = await createWorld();
    await runOnce(world, new ScriptedModel([TURN]), { isolation: shown });
    const model = new ScriptedModel([{ content: [command("2", "touch ran")] }, "done"]);
    const host = new ScriptedHost([approve(), approve()]);
    await runOnce(world, model, { host, isolation: now });
    expect(resultOf(model.requests[0], "1")?.content).toMatch(
      /^Approved, but not run: commands would not run as shown/,
    );
    expect(host.asked.map(({ isolation }) => isolation)).toEqual([
      { kind: shown.kind, network: shown.network },
      { kind: now.kind, network: now.network },
    ]);
    expect(isThere(world, "ran")).toBe(true);
  });

  it("and not for what policy calls more dangerous by now", async () => {
    const world = await createWorld();
    const turn = { content: [edit("1", "conf.yml")] };
    await runOnce(world, new ScriptedModel([turn]));
    const model = new ScriptedModel(["done"]);
    const gate = { settingsFile: "conf.yml" };
    await runOnce(world, model, { host: new ScriptedHost([approve()]), gate });
    expect(resultOf(model.requests[0], "1")?.content).toContain("more dangerous than shown");
    expect(isThere(world, "conf.yml")).toBe(false);
  });
});

describe("a hostile model that tries to widen its own power", () => {
  const WORST = [
    ...[
      "looplia.yml",
      ".looplia/pipelines/writing-kit.yaml",
      ".looplia/CLAUDE.md",
      ".looplia/.claude/agents/x.md",
    ],
    ...[".claude/skills/x/SKILL.md", ".github/workflows/ci.yml", "action.yml", "./.github//workflows/x.yml"],
  ];

  it("is asked about at each turn, whatever the rules allow, and writes nothing when nobody agrees", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "looplia.yml.bak"), "approval: none\n");
    const reject = { answer: { selectedOptionId: "reject" }, actorId: "terminal:t" };
    const commands = [
      "cp looplia.yml.bak looplia.yml",
      "echo x > .github/workflows/ci.yml",
      "mv looplia.yml.bak action.yml",
    ];
    const calls = [...WORST.map((path) => edit("_", path)), ...commands.map((text) => command("_", text))];
    const turns = calls.map((block, at) => ({ content: [{ ...block, id: `c${at}` }] }));
    const host = new ScriptedHost(turns.map(() => reject));
    const policy = ["editFile", "runCommand"].map(
      (tool) => ({ effect: "allow", tool, text: `allow ${tool}` }) as const,
    );
    const model = new ScriptedModel([...turns, "done"]);
    await runOnce(world, model, { host, gate: { approval: "none", policy }, isolation: ISOLATED });
    expect(host.asked.map(({ dangers }) => dangers?.length ?? 0).every((count) => count > 0)).toBe(true);
    expect(host.asked).toHaveLength(turns.length);
    for (const path of WORST) expect(isThere(world, path), path).toBe(false);
    expect(await readFile(join(world.root, "looplia.yml.bak"), "utf8")).toBe("approval: none\n");
  });

  test.each([
    ".git/config",
    ".git/hooks/pre-commit",
    "sub/.GIT/config",
    ".looplia/state/x",
    "../x",
    "/etc/x",
  ])("never writes %s, and nobody is asked", async (path) => {
    const world = await createWorld();
    const host = new ScriptedHost([approve()]);
    const model = new ScriptedModel([{ content: [edit("1", path)] }, "done"]);
    await runOnce(world, model, { host, gate: none });
    expect(host.asked).toEqual([]);
    expect(resultOf(model.requests[1], "1")?.content).toContain("refused");
  });
});

import { existsSync, writeFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { messageText } from "../../src/core/events.ts";
import type { AskResult, Host, RunEvent } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost, type World } from "../fakes/agent-world.ts";
import { Killed } from "../fakes/dying-stores.ts";
import { call, resultOf, type Script, ScriptedModel } from "../fakes/scripted-model.ts";

const ASK = { content: [call("q", "askUser", { question: "Which tone?", options: ["Plain", "Bold"] })] };

function answer(
  value: Partial<{ selectedOptionId: string; inputValue: string; comment: string; always: true }>,
): AskResult {
  return { answer: value, actorId: "terminal:test" };
}

function reject(comment: string): AskResult {
  return answer({ selectedOptionId: "reject", comment });
}

describe("a question", () => {
  it("ends the run and shows the same interaction in the next one, without a model request", async () => {
    const world = await createWorld();
    const hosts = [
      new ScriptedHost([]),
      new ScriptedHost([]),
      new ScriptedHost([answer({ selectedOptionId: "2" })]),
    ];
    const first = await runOnce(world, new ScriptedModel([ASK]), { host: hosts[0] as ScriptedHost });
    expect(first.outcome.kind).toBe("waiting");
    const second = await runOnce(world, new ScriptedModel([]), { host: hosts[1] as ScriptedHost });
    expect(second.outcome.kind).toBe("waiting");
    const model = new ScriptedModel(["done"]);
    const third = await runOnce(world, model, { host: hosts[2] as ScriptedHost });
    expect(third.outcome.kind).toBe("completed");
    expect(resultOf(model.requests[0], "q")?.content).toContain("bold");
    const ids = hosts.map((host) => host.asked[0]?.interactionId);
    expect(new Set(ids).size).toBe(1);
    expect(hosts[0]?.asked[0]?.shortId).toMatch(/^q1-[0-9a-f]{6}$/);
  });

  it("gives the model a long answer whole, its table to people, and a long reason of a refusal", async () => {
    const world = await createWorld();
    const text = `${"word ".repeat(12_000)}end`;
    const content = [{ hook: "One" }, { hook: "Two" }];
    const first = call("q", "askUser", { question: "Your text?", content });
    const script = [
      { content: [first, call("e", "editFile", { path: "f", oldStr: "", newStr: "x" })] },
      "done",
    ];
    const model = new ScriptedModel(script);
    const host = new ScriptedHost([answer({ inputValue: text }), reject(text)]);
    await runOnce(world, model, { host });
    expect(host.asked[0]?.display).toEqual({ title: "Your text?", content, contentKind: "Table" });
    for (const id of ["q", "e"]) expect(resultOf(model.requests[1], id)?.content).toContain(text);
  });

  it("stays open when the answer does not fit", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([answer({ selectedOptionId: "7" })]);
    const { outcome, session } = await runOnce(world, new ScriptedModel([ASK]), { host });
    expect(outcome.kind).toBe("waiting");
    expect([...session.journal.state.interactions.values()][0]?.response).toBeUndefined();
  });

  it("starts nothing after a waiting call, and keeps what came before it", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "a"), "alpha");
    const turn = {
      content: [
        call("1", "readFile", { path: "a" }),
        ...ASK.content,
        call("3", "runCommand", { command: "touch ran" }),
      ],
    };
    const waiting = new ScriptedHost([]);
    await runOnce(world, new ScriptedModel([turn]), { host: waiting });
    expect(waiting.asked).toHaveLength(1);
    const host = new ScriptedHost([answer({ selectedOptionId: "plain" }), approve()]);
    const model = new ScriptedModel(["done"]);
    await runOnce(world, model, { host });
    expect(host.asked.map((request) => request.kind)).toEqual(["Select", "Confirm"]);
    expect(resultOf(model.requests[0], "1")?.content).toContain("alpha");
    expect(await readFile(join(world.root, "ran"), "utf8")).toBe("");
  });

  it("is answered with a result where nobody can be asked", async () => {
    const turn = {
      content: [
        ...ASK.content,
        call("2", "runCommand", { command: "touch ran" }),
        call("3", "Task", { prompt: "x" }),
      ],
    };
    const model = new ScriptedModel([turn, "done"]);
    const { outcome } = await runOnce(await createWorld(), model, { host: new ScriptedHost("nobody") });
    expect(outcome.kind).toBe("completed");
    for (const id of ["q", "2", "3"]) expect(resultOf(model.requests[1], id)?.content).toMatch(/nobody/i);
  });
});

describe("risky calls", () => {
  const edit = (id: string, oldStr: string, newStr: string) =>
    call(id, "editFile", { path: "f.txt", oldStr, newStr });

  it("share one Confirm a turn, in order, the second edit bound to the first's result", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "f.txt"), "one\n");
    const host = new ScriptedHost([approve()]);
    const turn = { content: [edit("1", "one", "two"), edit("2", "two", "three")] };
    await runOnce(world, new ScriptedModel([turn, "done"]), { host });
    expect(host.asked).toHaveLength(1);
    expect(host.asked[0]?.toolCallIds).toEqual(["1", "2"]);
    expect(host.asked[0]?.display.content).toMatch(
      /1\. [\s\S]*-one[\s\S]*\+two[\s\S]*2\. [\s\S]*-two[\s\S]*\+three/,
    );
    expect(await readFile(join(world.root, "f.txt"), "utf8")).toBe("three\n");
  });

  it("do not run when rejected, and the reason reaches the model", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "f.txt"), "one\n");
    const model = new ScriptedModel([{ content: [edit("1", "one", "two")] }, "done"]);
    await runOnce(world, model, { host: new ScriptedHost([reject("not now")]) });
    expect(resultOf(model.requests[1], "1")).toMatchObject({
      is_error: true,
      content: expect.stringContaining("not now"),
    });
    expect(await readFile(join(world.root, "f.txt"), "utf8")).toBe("one\n");
  });

  it("do not run when the file is no longer what was shown", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "f.txt"), "one\n");
    await runOnce(world, new ScriptedModel([{ content: [edit("1", "one", "two")] }]));
    await writeFile(join(world.root, "f.txt"), "one and more\n");
    const model = new ScriptedModel(["done"]);
    await runOnce(world, model, { host: new ScriptedHost([approve()]) });
    expect(resultOf(model.requests[0], "1")?.content).toContain("Approved, but not run");
    expect(await readFile(join(world.root, "f.txt"), "utf8")).toBe("one and more\n");
  });

  it("that can't be shown are refused without asking", async () => {
    const host = new ScriptedHost([]);
    const model = new ScriptedModel([{ content: [edit("1", "not there", "x")] }, "done"]);
    const { outcome } = await runOnce(await createWorld(), model, { host });
    expect(outcome.kind).toBe("completed");
    expect(host.asked).toEqual([]);
    expect(resultOf(model.requests[1], "1")?.is_error).toBe(true);
  });

  it("are used once: the same call in a later turn asks again", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([approve(), approve()]);
    const run = (id: string) => ({ content: [call(id, "runCommand", { command: "echo x >> log" })] });
    await runOnce(world, new ScriptedModel([run("1"), run("2"), "done"]), { host });
    expect(host.asked).toHaveLength(2);
    expect(host.asked[0]?.interactionId).not.toBe(host.asked[1]?.interactionId);
    expect(await readFile(join(world.root, "log"), "utf8")).toBe("x\nx\n");
  });
});

describe("commands", () => {
  const run = (id: string, command: string) => call(id, "runCommand", { command });
  const edit = (id: string, path: string, newStr: string) =>
    call(id, "editFile", { path, oldStr: "", newStr });
  const isThere = (world: World, name: string) => existsSync(join(world.root, name));

  it("do not run in a worktree that changed while the person thought", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "build.sh"), "touch good\n");
    const turn = { content: [run("1", "sh build.sh"), run("2", "touch second")] };
    await runOnce(world, new ScriptedModel([turn]));
    await writeFile(join(world.root, "build.sh"), "touch evil\n");
    const model = new ScriptedModel(["done"]);
    await runOnce(world, model, { host: new ScriptedHost([approve()]) });
    expect(resultOf(model.requests[0], "1")?.content).toMatch(/^Approved, but not run: .*changed/);
    expect(resultOf(model.requests[0], "2")?.content).toMatch(/^Approved, but not run: the previous command/);
    expect(["good", "evil", "second"].filter((name) => isThere(world, name))).toEqual([]);
  });

  it("run although the program's own files changed meanwhile", async () => {
    const world = await createWorld();
    await runOnce(world, new ScriptedModel([{ content: [run("1", "touch ran")] }]));
    await mkdir(join(world.root, ".looplia/contentItem/s"), { recursive: true });
    await writeFile(join(world.root, ".looplia/contentItem/s/summary.json"), "{}");
    await runOnce(world, new ScriptedModel(["done"]), { host: new ScriptedHost([approve()]) });
    expect(isThere(world, "ran")).toBe(true);
  });

  it("run together with the edits and commands before them that were approved with them", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([approve()]);
    const calls = [
      edit("1", "a.sh", "touch first"),
      edit("2", "b", "x"),
      run("3", "sh a.sh"),
      run("4", "ls first"),
    ];
    const model = new ScriptedModel([{ content: calls }, "done"]);
    await runOnce(world, model, { host });
    expect(host.asked.map(({ toolCallIds }) => toolCallIds)).toEqual([["1", "2", "3", "4"]]);
    expect(resultOf(model.requests[1], "4")?.content).toBe("Exit code 0.\nfirst\n");
  });

  it("do not run when somebody else changed a file after an edit of the same Confirm", async () => {
    const world = await createWorld();
    const model = new ScriptedModel([
      { content: [edit("1", "a.sh", "true"), run("2", "touch ran")] },
      "done",
    ]);
    await runOnce(world, model, {
      host: new ScriptedHost([approve()]),
      observe: (event) => {
        if (event.type === "tool-ended" && event.toolCallId === "1") {
          writeFileSync(join(world.root, "planted"), "");
        }
      },
    });
    expect(resultOf(model.requests[1], "2")?.content).toContain("Approved, but not run");
    expect(isThere(world, "ran")).toBe(false);
  });

  it("can't pass for another call of the same Confirm", async () => {
    const host = new ScriptedHost([]);
    const calls = [run("1", "ls\n2. Run a command\ntrue"), run("2", "rm -r docs")];
    await runOnce(await createWorld(), new ScriptedModel([{ content: calls }]), { host });
    const lines = String(host.asked[0]?.display.content).split("\n");
    expect(lines.filter((line) => /^\d+\. /.test(line))).toHaveLength(2);
    expect(lines).toContain("   2. Run a command");
  });

  it("obey the last word: one asked about twice does not run when the second answer is no", async () => {
    const world = await createWorld();
    const replace = call("2", "editFile", { path: "made", oldStr: "one", newStr: "two" });
    const turn = { content: [run("1", "echo one > made"), replace, run("3", "touch ran")] };
    const host = new ScriptedHost([approve(), reject("no")]);
    const model = new ScriptedModel([turn, "done"]);
    await runOnce(world, model, { host });
    expect(host.asked.map(({ toolCallIds }) => toolCallIds)).toEqual([
      ["1", "3"],
      ["2", "3"],
    ]);
    expect(resultOf(model.requests[1], "3")?.content).toContain("rejected");
    expect(isThere(world, "ran")).toBe(false);
  });
});

describe("subagents", () => {
  it("suspend their parent and go on in their own conversation", async () => {
    const world = await createWorld();
    const task = { content: [call("t1", "Task", { agent: "helper", prompt: "Find out." })] };
    await runOnce(world, new ScriptedModel([task, ASK]));
    const model = new ScriptedModel(["found it", "done"]);
    const { outcome, session } = await runOnce(world, model, {
      host: new ScriptedHost([answer({ selectedOptionId: "plain" })]),
    });
    expect(outcome).toEqual({ kind: "completed", text: "done" });
    expect(session.journal.conversation("main/t1").messages).toHaveLength(4);
    expect(resultOf(model.requests[1], "t1")?.content).toBe("found it");
    expect(model.requests[0]?.prefix.system).toContain("helper");
  });

  it("are chosen by a person when no agent is named", async () => {
    const host = new ScriptedHost([answer({ selectedOptionId: "helper" })]);
    const task = { content: [call("t1", "Task", { prompt: "Find out." })] };
    const model = new ScriptedModel([task, "found it", "done"]);
    const { outcome } = await runOnce(await createWorld(), model, { host });
    expect(outcome.kind).toBe("completed");
    expect(host.asked[0]).toMatchObject({ purpose: "assign_subtask", kind: "Select" });
  });

  it("nest to depth 3", async () => {
    const deeper = (id: string) => ({ content: [call(id, "Task", { agent: "helper", prompt: "deeper" })] });
    const script = [deeper("1"), deeper("2"), deeper("3"), deeper("4"), "third", "second", "first", "done"];
    const model = new ScriptedModel(script);
    const { outcome } = await runOnce(await createWorld(), model);
    expect(outcome.kind).toBe("completed");
    expect(resultOf(model.requests[4], "4")?.content).toContain("depth 3");
    model.assertDone();
  });

  it("have their own tools only", async () => {
    const task = { content: [call("t1", "Task", { agent: "helper", prompt: "Run it." })] };
    const run = { content: [call("1", "runCommand", { command: "touch ran" })] };
    const model = new ScriptedModel([task, run, "no", "done"]);
    await runOnce(await createWorld(), model, { host: new ScriptedHost([approve()]) });
    expect(resultOf(model.requests[2], "1")?.content).toContain("There is no tool");
  });
});

describe("side by side", () => {
  const ask = (id: string) => call(id, "askUser", { question: `${id}?`, options: ["Yes", "No"] });
  const tasks = (...prompts: string[]) =>
    prompts.map((prompt) => call(`task-${prompt}`, "Task", { agent: "helper", prompt }));
  const edit = (oldStr: string, newStr: string) =>
    call(`edit-${newStr}`, "editFile", { path: "f.txt", oldStr, newStr });
  /** By the message that a conversation begins with. */
  const scripted = (scripts: Record<string, Script>) =>
    new ScriptedModel({
      nameOf: ({ messages: [first] }) => (first ? messageText(first) : ""),
      scripts,
    });
  const contentOf = (host: ScriptedHost) => host.asked.map(({ display }) => display.content);

  it("questions of a turn and of sibling subagents are asked in one round", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([]);
    const begin = { content: [ask("one"), ask("two"), ...tasks("three", "four")] };
    const first = scripted({
      "Begin.": [begin],
      three: [{ content: [ask("three")] }],
      four: [{ content: [ask("four")] }],
    });
    expect((await runOnce(world, first, { host })).outcome.kind).toBe("waiting");
    expect(host.asked.map(({ display }) => display.title).sort()).toEqual([
      "four?",
      "one?",
      "three?",
      "two?",
    ]);
    const yes = answer({ selectedOptionId: "yes" });
    const answers = new ScriptedHost([yes, yes, yes, yes]);
    const model = scripted({ "Begin.": ["done"], three: ["said three"], four: ["said four"] });
    expect((await runOnce(world, model, { host: answers })).outcome.kind).toBe("completed");
    expect(answers.asked).toHaveLength(4);
    const last = model.requests.at(-1);
    const results = ["one", "two", "task-three", "task-four"].map((id) => resultOf(last, id)?.content);
    const chosen = "The person chose yes (Yes).";
    expect(results).toEqual([chosen, chosen, "said three", "said four"]);
  });

  it("a person is asked about one subagent's calls at a time, and no sibling acts meanwhile", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "f.txt"), "one two");
    const first = new ScriptedHost([]);
    const begin = scripted({
      "Begin.": [{ content: tasks("a", "b") }],
      a: [{ content: [edit("one", "1")] }],
      b: [{ content: [edit("two", "2")] }],
    });
    await runOnce(world, begin, { host: first });
    expect(first.asked).toHaveLength(1);
    // By the rules of now nobody would have to be asked about the other one's: it waits all the same.
    const open = { host: new ScriptedHost([]), gate: { approval: "none" } } as const;
    expect((await runOnce(world, scripted({}), open)).outcome.kind).toBe("waiting");
    expect(await readFile(join(world.root, "f.txt"), "utf8")).toBe("one two");
    const host = new ScriptedHost([approve(), approve()]);
    await runOnce(world, scripted({ "Begin.": ["done"], a: ["made"], b: ["made"] }), { host });
    expect(contentOf(host)[0]).toBe(contentOf(first)[0]);
    expect(contentOf(host)[1]).toContain("+1 2");
    expect(await readFile(join(world.root, "f.txt"), "utf8")).toBe("1 2");
  });

  it("a subagent whose calls were approved acts before its siblings", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "f.txt"), "one two");
    const first = new ScriptedHost([]);
    const begin = scripted({
      "Begin.": [{ content: tasks("a", "b") }],
      a: async () => {
        await vi.waitFor(() => expect(first.asked).toHaveLength(1));
        return { content: [edit("one", "1")] };
      },
      b: [{ content: [edit("two", "2")] }],
    });
    await runOnce(world, begin, { host: first });
    expect(contentOf(first)).toEqual([expect.stringContaining("+one 2")]);
    // The approval is stored, and the process dies.
    const killed = { host: new ScriptedHost([approve()]), life: { lines: 0, ends: 1 } };
    await expect(runOnce(world, scripted({}), killed)).rejects.toThrow(Killed);
    const model = scripted({ "Begin.": ["done"], a: ["made"], b: ["made"] });
    const open = { host: new ScriptedHost([]), gate: { approval: "none" } } as const;
    expect((await runOnce(world, model, open)).outcome.kind).toBe("completed");
    expect(await readFile(join(world.root, "f.txt"), "utf8")).toBe("1 2");
  });
});

describe("a standing approval", () => {
  const isolation = { kind: "bubblewrap", network: false } as const;
  const always = answer({ selectedOptionId: "approve", always: true });
  const twice = (first: string, second: string) => [
    { content: [call("1", "runCommand", { command: first })] },
    { content: [call("2", "runCommand", { command: second })] },
    "done",
  ];

  it("lets the same command line run without a further question, and no other", async () => {
    const world = await createWorld();
    const host = new ScriptedHost([always, approve()]);
    const script = [
      ...twice("touch a", "touch a").slice(0, 2),
      { content: [call("3", "runCommand", { command: "touch  a" })] },
      "done",
    ];
    const notices: string[] = [];
    const observe = (event: RunEvent) => void (event.type === "notice" && notices.push(event.message));
    await runOnce(world, new ScriptedModel(script), { host, isolation, observe });
    expect(host.asked.map(({ toolCallIds }) => toolCallIds)).toEqual([["1"], ["3"]]);
    expect(notices).toContainEqual(
      expect.stringMatching(/touch a: runs by the standing approval 1 of terminal:test/),
    );
  });

  it.each<[string, string, Parameters<typeof runOnce>[2]]>([
    ["a dangerous command", "rm -f a", { isolation }],
    ["a command with network", "touch a", { isolation: { kind: "bubblewrap", network: true } }],
    ["a command without isolation", "touch a", { isolation: { kind: "none", network: false } }],
  ])("is not taken for %s", async (_, command, options) => {
    const world = await createWorld();
    const host = new ScriptedHost([always]);
    const { outcome } = await runOnce(world, new ScriptedModel(twice(command, command)), {
      ...options,
      host,
    });
    expect([outcome.kind, host.asked[0]?.standing]).toEqual(["waiting", undefined]);
  });

  it.each<[string, Partial<Host>, number]>([
    ["its giver may no longer decide", { whoMayNot: async (actors) => [...actors] }, 1],
    ["more people must approve by now", {}, 2],
  ])("ends when %s", async (_, more, minApprovals) => {
    const world = await createWorld();
    const [first, second] = twice("touch a", "touch a");
    const begin = new ScriptedModel([first ?? "", ASK]);
    await runOnce(world, begin, { host: new ScriptedHost([always]), isolation });
    const later = Object.assign(new ScriptedHost([answer({ selectedOptionId: "1" })]), more);
    const options = { host: later, isolation, minApprovals };
    const again = await runOnce(world, new ScriptedModel([second ?? ""]), options);
    expect([again.outcome.kind, later.asked.map(({ kind }) => kind)]).toEqual([
      "waiting",
      ["Select", "Confirm"],
    ]);
  });
});

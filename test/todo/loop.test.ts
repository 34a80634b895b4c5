// The task loop over real files and stores: what becomes of the list.

import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { Workspace } from "../../src/core/ports.ts";
import { approve, ScriptedHost } from "../fakes/agent-world.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";
import { report, subjectOf, todoModel, turnOf } from "../fakes/todo-script.ts";
import { createTodoWorld, type TodoWorld, WORK_ID } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

function worldWith(...tasks: Parameters<typeof makeTask>[]): Promise<TodoWorld> {
  return createTodoWorld({ "to-do.json": makeTodo(tasks.map((task) => makeTask(...task))) });
}

const warnings = (world: TodoWorld) =>
  world.events.flatMap((event) =>
    event.type === "notice" && event.level === "warning" ? [event.message] : [],
  );

describe("the loop", () => {
  it("does task after task, is reviewed, and ends with the marker; a second run asks no model", async () => {
    const world = await worldWith(["T2", { depends_on: ["T1"] }], ["T1", { priority: 5 }]);
    const model = todoModel();
    expect(await world.run(model)).toMatchObject({ status: "completed", reasonCode: "done" });
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T2", "review"]);
    expect(await world.states()).toBe("T2 done, T1 done, project-done done");
    const again = await world.run(new ScriptedModel([]));
    expect(again).toMatchObject({ status: "completed", reasonCode: "up-to-date" });
  });

  it("marks a task before its agent runs, and puts files and time into it, nothing else", async () => {
    const world = await worldWith(["T1", { details: "As it was.", files: ["a.md"] }]);
    const model = todoModel({ T1: () => report("T1", { files: ["b.md", "a.md"], blockers: ["later"] }) });
    await world.run(model, { settings: { task: "T1" } });
    const [task] = (await world.readList()).tasks;
    expect(task).toEqual({
      ...makeTask("T1", {
        status: "done",
        details: "As it was.",
        files: ["a.md", "b.md"],
      }),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it("shows the model that the file says doing while it works", async () => {
    const world = await worldWith(["T1"]);
    let said = "";
    const model = new ScriptedModel(async (request) => {
      if (subjectOf(request) === "review") return "Nothing.";
      said = await world.states();
      return report("T1");
    });
    await world.run(model);
    expect(said).toBe("T1 doing");
  });

  it("LESSONS, a summary for another task left the chosen one doing for ever: it goes back, after two of those it is blocked", async () => {
    const world = await worldWith(["T1"], ["T2", { priority: 5 }]);
    const model = todoModel({ T1: () => report("T2") });
    const result = await world.run(model);
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T1", "T2"]);
    expect(result).toMatchObject({ status: "stopped", reasonCode: "blocked-tasks" });
    expect(await world.states()).toBe("T1 blocked, T2 done");
    expect(warnings(world)).toEqual([
      expect.stringMatching(/T1 is todo: .*reported "T2" instead of "T1"/),
      expect.stringMatching(/T1 is blocked: /),
    ]);
    expect((await world.readList()).tasks[0]?.blockers).toEqual([expect.stringContaining('instead of "T1"')]);
  });

  it("LESSONS, skipped changed nothing and the task was chosen again: it goes back and is left alone in this run", async () => {
    const world = await worldWith(["T1"], ["T2"], ["T3", { priority: 4 }]);
    const skip = (id: string) => () => report(id, { status: "skipped", summary: "not now" });
    const model = todoModel({ T1: skip("T1"), T2: skip("T2") });
    const result = await world.run(model);
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T2", "T3"]);
    expect(await world.states()).toBe("T1 todo, T2 todo, T3 done");
    expect(result.items[0]).toMatchObject({
      status: "stopped",
      message: "2 tasks are left: T1 (skipped), T2 (skipped)",
    });
  });

  it("what a person wants again is set back, done or not, and comes first, in that order", async () => {
    const world = await worldWith(["T1"], ["T2"], ["T3"]);
    await world.run(todoModel(), { settings: { maxIterations: 2 } });
    const [sessionId = ""] = await readdir(join(world.root, ".looplia/state", WORK_ID, "sessions"));
    const trigger = {
      kind: "tasks",
      workId: WORK_ID,
      key: "to-do.json",
      sessionId,
      retry: ["T2", "T1"],
    } as const;
    const model = todoModel();
    await world.run(model, { trigger });
    expect(model.requests.map(subjectOf).filter((subject) => subject !== "review")).toEqual([
      "T2",
      "T1",
      "T3",
    ]);
  });

  it("a blocked task has one try and then waits for a person, in this run and the next; a changed text or model is one more try", async () => {
    const world = await worldWith(["T1", { status: "blocked" }], ["T2"]);
    const block = (id: string) => () => report(id, { status: "blocked", blockers: ["no key"] });
    const model = todoModel({ T1: block("T1"), T2: block("T2") });
    expect(await world.run(model)).toMatchObject({ status: "stopped", reasonCode: "blocked-tasks" });
    expect(model.requests.map(subjectOf)).toEqual(["T2", "T1"]);
    expect(await world.states()).toBe("T1 blocked, T2 blocked");
    const asked = async (change: (task: object) => object, modelName = "scripted") => {
      const { tasks } = await world.readList();
      await world.write(
        "to-do.json",
        makeTodo(tasks.map((task) => (task.id === "T2" ? change(task) : task))),
      );
      const next = todoModel({ T1: block("T1"), T2: block("T2") });
      const result = await world.run(next, { agent: { modelName } });
      expect(result.items[0]?.message).toContain("a blocked task waits for a person (`/retry <id>`");
      return next.requests.map(subjectOf);
    };
    const as = (task: object) => task;
    expect(await asked(as)).toEqual([]);
    expect(await asked((task) => ({ ...task, details: "Otherwise." }))).toEqual(["T2"]);
    expect(await asked(as)).toEqual([]);
    expect(await asked(as, "another")).toEqual(["T1", "T2"]);
    expect(await asked(as, "another")).toEqual([]);
    expect(await asked((task) => ({ ...task, status: "todo" }), "another")).toEqual(["T2"]);
  });

  it("an agent that fails blocks its task with the reason; three in a row end the run", async () => {
    const ids = ["T1", "T2", "T3", "T4", "T5", "T6"];
    const world = await worldWith(...ids.map((id): [string] => [id]));
    const down = () => ({
      error: new LoopliaError("model-failed", "no such field", { modelFailure: "bad-request" }),
    });
    const model = todoModel({ T1: down, T3: down, T4: down, T5: () => "I am done here." });
    expect(await world.run(model)).toMatchObject({ status: "failed", reasonCode: "model-failed" });
    expect(await world.states()).toBe("T1 blocked, T2 done, T3 blocked, T4 blocked, T5 blocked, T6 todo");
    const blockers = (await world.readList()).tasks.map((task) => task.blockers?.[0]);
    expect(blockers[0]).toBe("no such field");
    expect(blockers[4]).toMatch(/ended without reportSummary; it said: I am done here/);
    const told = world.events.filter((event) => event.type === "iteration" && event.errorCode !== undefined);
    expect(told).toMatchObject(
      ["T1", "T3", "T4", "T5"].map((taskId) => ({ taskId, errorCode: "model-failed" })),
    );
  });

  it.each([
    "bad-key",
    "no-credit",
    "rate-limit",
    "overloaded",
    "network",
    "unavailable",
    "server-error",
  ] as const)(
    "a failing account or server (%s) ends the run at once, and the list stays as it was, byte for byte",
    async (modelFailure) => {
      const world = await worldWith(["T1"], ["T2"], ["T3"]);
      const before = await world.read("to-do.json");
      const error = new LoopliaError("model-failed", "the account failed", { modelFailure, hint: "pay" });
      const down = todoModel({ T1: () => ({ error }), T2: () => ({ error }) });
      const ended = await world.run(down);
      expect(ended).toMatchObject({ status: "failed", reasonCode: "model-failed" });
      expect(ended.items[0]?.message).toContain("the account failed (pay)");
      expect(down.requests).toHaveLength(1);
      expect(await world.read("to-do.json")).toBe(before);
      // A later failure, in the middle of the task, leaves the list as well; then the same conversation continues.
      const later = todoModel({
        T1: (request) =>
          turnOf(request) === 1 ? { content: [call("c1", "listFiles", { path: "." })] } : { error },
      });
      expect((await world.run(later)).status).toBe("failed");
      expect(await world.read("to-do.json")).toBe(before);
      const model = todoModel();
      expect((await world.run(model)).status).toBe("completed");
      expect(model.requests[0]?.messages).toHaveLength(3);
      expect(await world.states()).toMatch(/^T1 done, T2 done, T3 done/);
    },
  );

  it("LESSONS, at the limit the run ended green and said nothing: it stops, and says what is left", async () => {
    const world = await worldWith(["T1"], ["T2"], ["T3"]);
    const limited = await world.run(todoModel(), { settings: { maxIterations: 1 } });
    expect(limited.items[0]).toMatchObject({
      status: "stopped",
      reasonCode: "max-iterations",
      message: "1 task was run (max-iterations); 2 tasks are left: T2, T3",
    });
    await world.run(todoModel(), { settings: { maxIterations: 1 } });
    const turns = todoModel({
      T3: (request) => ({ content: [call(`c${turnOf(request)}`, "listFiles", { path: "." })] }),
    });
    const stopped = await world.run(turns, { agent: { limits: { maxTurns: 2 } } });
    expect(stopped.items[0]).toMatchObject({ status: "stopped", reasonCode: "max-turns" });
    expect(stopped.items[0]?.message).toContain("T3 (doing)");
    const model = todoModel();
    expect((await world.run(model)).status).toBe("completed");
    // Its conversation goes on where it was.
    expect(model.requests[0]?.messages).toHaveLength(5);
  });

  it("an agent that edits the list itself has that undone, and it is told", async () => {
    const world = await worldWith(["T1"], ["T2"]);
    const before = makeTodo([makeTask("T1", { status: "doing" }), makeTask("T2")]);
    const model = new ScriptedModel(async (request) => {
      if (subjectOf(request) !== "T1") return subjectOf(request) === "review" ? "No." : report("T2");
      const acts = [
        call("1", "editFile", { path: "to-do.json", oldStr: '"todo"', newStr: '"done"' }),
        call("2", "runCommand", { command: "rm to-do.json; echo hi" }),
        call("3", "runCommand", { command: "echo '{}' > to-do.json" }),
      ];
      if (turnOf(request) === 1) return { content: acts };
      expect(await world.read("to-do.json")).toBe(before);
      return report("T1");
    });
    await world.run(model, { host: new ScriptedHost([approve(), approve(), approve()]) });
    expect(await world.states()).toBe("T1 done, T2 done, project-done done");
    const results = JSON.stringify(model.requests[1]?.messages.at(-1));
    expect(results).toMatch(/only the program writes it.*hi.*was undone.*was undone/);
    expect(warnings(world)).toHaveLength(3);
    expect([...world.kept.texts.values()]).toContain("{}\n");
  });

  it("takes what a person changes in the list while it runs", async () => {
    const world = await worldWith(["T1"], ["T2"]);
    const model = new ScriptedModel(async (request) => {
      const subject = subjectOf(request);
      if (subject === "review") return "Nothing.";
      if (subject === "T1") {
        const { tasks } = await world.readList();
        await world.write("to-do.json", makeTodo([...tasks.slice(0, 1), makeTask("T9", { priority: 1 })]));
      }
      return report(subject);
    });
    expect((await world.run(model)).status).toBe("completed");
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T9", "review"]);
    expect(await world.states()).toBe("T1 done, T9 done, project-done done");
  });

  it.each([
    ["nothing yet", ""],
    ["half of it", '{ "schema_version": 1, "tas'],
    ["an object that lacks the rest", "{}"],
  ])("waits for an editor that has written %s", async (_, half) => {
    const world = await worldWith(["T1"]);
    let whole: string | undefined;
    const model = new ScriptedModel(async (request) => {
      const subject = subjectOf(request);
      if (subject === "review") return "Nothing.";
      if (subject === "T1") {
        const { tasks } = await world.readList();
        whole = makeTodo([...tasks, makeTask("T9")]);
        await world.write("to-do.json", half);
      }
      return report(subject);
    });
    /** The rest is written once the half was found twice: not to be what it was, and not to be whole. */
    let found = 0;
    const workspace = (opened: Workspace): Workspace => ({
      ...opened,
      async read(path) {
        const bytes = await opened.read(path);
        if (whole !== undefined && path === "to-do.json" && ++found === 2) await world.write(path, whole);
        return bytes;
      },
    });
    expect((await world.run(model, { workspace })).status).toBe("completed");
    expect(await world.states()).toBe("T1 done, T9 done, project-done done");
  });

  it("asks once about a done without change and without reason: the worktree says whether there was one", async () => {
    const world = await worldWith(["T1"], ["T2"], ["T3"]);
    const bare = (id: string) => ({
      content: [call(`r${Math.random()}`.replace(".", ""), "reportSummary", { task_id: id, status: "done" })],
    });
    const acting = (command: string) => (request: Parameters<typeof turnOf>[0]) =>
      turnOf(request) === 1 ? { content: [call("1", "runCommand", { command })] } : bare(subjectOf(request));
    const model = todoModel({ T1: () => bare("T1"), T2: acting("touch made"), T3: acting("true") });
    await world.run(model);
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T1", "T2", "T2", "T3", "T3", "T3", "review"]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("no reason is given");
  });

  it("runs one task alone, without a review", async () => {
    const world = await worldWith(["T1"], ["T2"], ["T3", { depends_on: ["T1"] }]);
    const model = todoModel();
    const alone = await world.run(model, { settings: { task: "T2" } });
    const message = "T2 is done; 2 tasks are left: T1, T3 (waits for T1)";
    expect(alone.items[0]).toMatchObject({ status: "completed", reasonCode: "done", message });
    expect(model.requests.map(subjectOf)).toEqual(["T2"]);
    const stuck = await world.run(new ScriptedModel([]), { settings: { task: "T3" } });
    expect(stuck.items[0]).toMatchObject({ status: "stopped", reasonCode: "blocked-tasks" });
    await expect(world.run(new ScriptedModel([]), { settings: { task: "T4" } })).rejects.toThrow(
      'no task "T4"',
    );
  });

  it("a dry run renders the next task and leaves no trace", async () => {
    const world = await worldWith(["T1"]);
    const result = await world.run(new ScriptedModel([]), { settings: { dryRun: true } });
    expect(result.items[0]).toMatchObject({ status: "completed", message: "T1 would be next" });
    expect(await readdir(world.root)).toEqual(["to-do.json"]);
  });

  it("a dry run says what is wrong with a list that would be repaired, and that one would be made", async () => {
    const list = makeTodo([{ ...makeTask("T1"), priority: 9 }]);
    const world = await createTodoWorld({ "to-do.json": list });
    const dry = () => world.run(new ScriptedModel([]), { settings: { dryRun: true } });
    expect((await dry()).items[0]).toMatchObject({
      status: "completed",
      message: expect.stringMatching(
        /^to-do\.json would be repaired first\nto-do\.json:\d+: tasks\[0\]\.priority/,
      ),
    });
    expect(await world.read("to-do.json")).toBe(list);
    await rm(join(world.root, "to-do.json"));
    expect((await dry()).items[0]?.message).toBe("to-do.json would be made first");
    expect(await readdir(world.root)).toEqual([]);
  });

  it("refuses a cycle and what is not a JSON object, and leaves the file alone", async () => {
    const world = await worldWith(["T1", { depends_on: ["T1"] }]);
    await expect(world.run(new ScriptedModel([]))).rejects.toMatchObject({ code: "config-invalid" });
    await world.write("to-do.json", "[]");
    await expect(world.run(new ScriptedModel([]))).rejects.toThrow("not a JSON object");
    expect(await world.read("to-do.json")).toBe("[]");
  });
});

describe("the message that starts a task", () => {
  it("names the one that the program has chosen: LESSONS, an old prompt told the model to pick its task", async () => {
    const world = await worldWith(["T2", { priority: 1 }], ["T1"]);
    const model = todoModel();
    await world.run(model);
    const [first] = model.requests;
    expect(JSON.stringify(first?.messages[0])).toMatch(/Your task is `T2`/);
    const said = `${first?.prefix.system} ${JSON.stringify(first?.messages[0])}`;
    expect(said).toContain("The program has chosen the task");
    expect(said).not.toMatch(/\b(?:pick|choose|select) (?:a|one|the next|your) task/i);
    // What changes stands in the message, so that every task shares one prefix.
    expect(new Set(model.requests.slice(0, 2).map(({ prefix }) => JSON.stringify(prefix))).size).toBe(1);
  });
});

describe("apply-summary: false", () => {
  it("writes the state of a task, and neither files nor blockers of its summary", async () => {
    const world = await worldWith(["T1"]);
    const model = todoModel({ T1: () => report("T1", { files: ["a.md"], blockers: ["later"] }) });
    await world.run(model, { settings: { applySummary: false } });
    const [task] = (await world.readList()).tasks;
    expect(task).toEqual({ ...makeTask("T1", { status: "done" }), updated_at: expect.any(String) });
  });
});

describe("a question", () => {
  it("makes the run wait within the task, and the answer goes on there", async () => {
    const world = await worldWith(["T1"], ["T2"]);
    const ask = { content: [call("ask", "askUser", { question: "Which?", options: ["A", "B"] })] };
    const model = todoModel({ T1: (request) => (turnOf(request) === 1 ? ask : report("T1")) });
    const waiting = await world.run(model);
    expect(waiting).toMatchObject({ status: "waiting", reasonCode: "open-questions" });
    expect(await world.states()).toBe("T1 doing, T2 todo");
    const [interaction] = waiting.items[0]?.interactions ?? [];
    const interactionId = interaction?.interactionId ?? "";
    const trigger = {
      kind: "answer",
      interactionId,
      answer: { selectedOptionId: "nope" },
      actorId: "terminal:t",
    } as const;
    await expect(world.run(new ScriptedModel([]), { trigger })).rejects.toThrow("does not answer");
    const right = { ...trigger, answer: { selectedOptionId: "b" } };
    expect((await world.run(model, { trigger: right })).status).toBe("completed");
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("The person chose b");
  });

  it("takes no answer that comes after its time: the next run ends what waited for it", async () => {
    const world = await worldWith(["T1"]);
    const ask = { content: [call("ask", "askUser", { question: "Which?", options: ["A", "B"] })] };
    const waiting = await world.run(todoModel({ T1: () => ask }));
    const [request] = waiting.items[0]?.interactions ?? [];
    const late = () => new Date(Date.parse(request?.expiresAt ?? ""));
    const trigger = {
      kind: "answer",
      interactionId: request?.interactionId ?? "",
      answer: { selectedOptionId: "b" },
      actorId: "terminal:t",
    } as const;
    const said = {
      code: "config-invalid",
      message: expect.stringContaining(`expired at ${request?.expiresAt}`),
    };
    await expect(world.run(new ScriptedModel([]), { trigger, now: late })).rejects.toMatchObject(said);
    expect(await world.states()).toBe("T1 doing");
    await world.run(new ScriptedModel([]), { now: late });
    expect(await world.read("to-do.json")).toContain("nobody answered");
    expect(await world.states()).toBe("T1 blocked");
  });
});

// A person changes or removes a task that is under way: the agent hears of the change, and no answer is lost.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { messageText } from "../../src/core/events.ts";
import type { ModelRequest } from "../../src/core/ports.ts";
import { createOfflineModel } from "../../src/offline/model.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { call } from "../fakes/scripted-model.ts";
import { subjectOf, todoModel, turnOf } from "../fakes/todo-script.ts";
import { createTodoWorld, type TodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

const said = (world: TodoWorld) =>
  world.events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
const put = (world: TodoWorld, ...tasks: Parameters<typeof makeTask>[]) =>
  writeFileSync(join(world.root, "to-do.json"), makeTodo(tasks.map((task) => makeTask(...task))));
const texts = (request?: ModelRequest) => request?.messages.map(messageText) ?? [];

describe("while its agent works", () => {
  test("a change is told before the next request, once, and the task is not started over", async () => {
    const world = await createTodoWorld();
    put(world, ["T1"]);
    const model = todoModel({
      T1: (request) => {
        if (turnOf(request) === 1) put(world, ["T1", { status: "doing", details: "Mind the comma." }]);
        return turnOf(request) <= 2 ? { content: [call(`l${turnOf(request)}`, "listFiles", {})] } : undefined;
      },
    });
    expect(await world.run(model)).toMatchObject({ status: "completed" });
    const last = texts(model.requests.findLast((request) => subjectOf(request) === "T1"));
    expect(last.filter((text) => text.includes("Mind the comma."))).toHaveLength(1);
    expect(last.find((text) => text.includes("Mind the comma."))).toMatch(/^Somebody changed your task `T1`/);
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T1", "T1", "review"]);
    expect(await world.states()).toBe("T1 done, project-done done");
    expect(said(world)).toContainEqual(expect.stringMatching(/T1 was changed while scripted worked on it/));
  });

  test.each(["a call", "a text"])(
    "a summary that came before the change was seen is not taken: %s",
    async (how) => {
      const world = await createTodoWorld();
      put(world, ["T1"]);
      const summary = JSON.stringify({ task_id: "T1", status: "done", summary: "Did it." });
      const model = todoModel({
        T1: (request) => {
          const again = { task_id: "T1", status: "done", summary: "With the comma." };
          if (turnOf(request) > 1) return { content: [call("again", "reportSummary", again)] };
          put(world, ["T1", { status: "doing", title: "Mind the comma" }]);
          return how === "a call" ? undefined : summary;
        },
      });
      expect(await world.run(model)).toMatchObject({ status: "completed" });
      expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(/changed your task.*Mind the comma/);
      expect(world.kept.last.get(1)).toMatchObject({ summary: { summary: "With the comma." } });
    },
  );

  test("what others pushed until then is looked for before a task ends", async () => {
    const world = await createTodoWorld();
    put(world, ["T1"]);
    let pushes = 1;
    const host = Object.assign(new ScriptedHost([]), {
      async bringIn() {
        if (pushes-- > 0) put(world, ["T1", { status: "doing", details: "Pushed." }]);
      },
    });
    const model = todoModel();
    await world.run(model, { host });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toMatch(/changed your task.*Pushed\./);
  });

  test("a task that is removed ends, and people are told", async () => {
    const world = await createTodoWorld();
    put(world, ["T1"], ["T2", { priority: 5 }]);
    const model = todoModel({
      T1: () => {
        put(world, ["T2", { priority: 5 }]);
        return { content: [call("l", "listFiles", {})] };
      },
    });
    expect(await world.run(model)).toMatchObject({ status: "completed" });
    expect(model.requests.map(subjectOf)).toEqual(["T1", "T2", "review"]);
    expect(said(world)).toContainEqual(expect.stringMatching(/^T1: it was removed from to-do\.json while/));
    expect(world.kept.hooks.map(([id, label]) => `${id} ${label}`)).toEqual(["T1 removed", "T2 done"]);
  });
});

describe("between two attempts", () => {
  const ASK = { content: [call("a", "askUser", { question: "Which color?", options: ["red", "blue"] })] };

  test("the next one has what people answered, and does not have to ask again", async () => {
    const world = await createTodoWorld();
    put(world, ["T1"]);
    const model = todoModel({ T1: () => ASK });
    const late = Object.assign(new ScriptedHost([]), { answersLater: true as const });
    await world.run(model, { host: late });
    const [{ interactionId = "" } = {}] = late.asked;
    put(world, ["T1", { status: "doing", details: "Now with a hat." }]);
    const answered = {
      interactionId,
      answer: { selectedOptionId: "blue", comment: "as the sky" },
      actorId: "github:1:ada",
    };
    const next = todoModel();
    const result = await world.run(next, { trigger: { kind: "answer", ...answered } });
    expect(result).toMatchObject({ status: "completed" });
    const opening = texts(next.requests[0])[0];
    expect(opening).toMatch(/^Your task is `T1`/);
    expect(opening).toMatch(/Now with a hat.*ada answered "Which color\?": "blue: as the sky"/s);
  });

  test("a runbook does not ask again, and its commands have the answer", async () => {
    const world = await createTodoWorld();
    const steps = ["? region: Which region? [eu | us]", '$ printf %s "$LOOPLIA_REGION" >> region.txt'];
    put(world, ["T1", { steps }]);
    const host = new ScriptedHost([{ answer: { selectedOptionId: "eu" }, actorId: "github:1:ada" }]);
    const stop = new AbortController();
    const asking = Object.assign(host, {
      ask: async (...args: Parameters<ScriptedHost["ask"]>) => {
        const answer = await ScriptedHost.prototype.ask.apply(host, args);
        setTimeout(() => stop.abort("deadline"), 0);
        return answer;
      },
    });
    await world.run(createOfflineModel(), { host: asking, signal: stop.signal });
    put(world, ["T1", { status: "doing", steps, details: "Today." }]);
    const again = new ScriptedHost([]);
    expect(await world.run(createOfflineModel(), { host: again })).toMatchObject({ status: "completed" });
    expect(again.asked).toEqual([]);
    expect(await world.read("region.txt")).toBe("eu");
  });
});

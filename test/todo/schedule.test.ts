// Schedules are really read: who ran is counted.
import { describe, expect, it } from "vitest";
import { readTaskAgents } from "../../src/config/tasks.ts";
import { todoModel } from "../fakes/todo-script.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

const said = {
  schedule: undefined,
  agents: [],
  reviewAgent: undefined,
  repairAgent: undefined,
  provider: "anthropic",
} as const;
const read = (more: object) => readTaskAgents({ ...said, agents: [], ...more });

async function whoRan(turns: string[], tasks = 6): Promise<string[]> {
  const ids = Array.from({ length: tasks }, (_, at) => makeTask(`T${at + 1}`));
  const world = await createTodoWorld({ "to-do.json": makeTodo(ids) });
  // Two runs: the count goes on over the session.
  const settings = { schedule: { shown: "s", agents: turns } };
  await world.run(todoModel(), { settings: { ...settings, maxIterations: 2 } });
  await world.run(todoModel(), { settings });
  return world.events.flatMap((event) =>
    event.type === "iteration" && event.status === "started" ? [event.agent] : [],
  );
}

describe("a schedule", () => {
  it("LESSONS, it was advertised in help and read nowhere: each iteration runs the agent whose turn it is", async () => {
    expect(
      await whoRan(read({ schedule: "odd-even", agents: ["a model=m", "b", "c"] }).schedule.turns),
    ).toEqual(["a", "b", "a", "b", "a", "b"]);
    const weighted = read({ schedule: "round-robin", agents: ["a", "b", "a"] }).schedule.turns;
    expect(await whoRan(weighted)).toEqual(["a", "b", "a", "a", "b", "a"]);
    expect(await whoRan(read({ schedule: "b", agents: ["a", "b"] }).schedule.turns, 2)).toEqual(["b", "b"]);
  });

  it("is one agent unless it says otherwise: the first that is named, else the provider", () => {
    expect(read({}).schedule).toEqual({ shown: "anthropic", turns: ["anthropic"] });
    expect(read({ agents: ["a", "b"] }).schedule).toEqual({ shown: "a", turns: ["a"] });
  });
});

describe("agents", () => {
  it("have a provider, a model and limits of their own", () => {
    const { agents, diagnostics } = read({
      agents: ["careful provider=anthropic model=m max-turns=80 timeout-minutes=0.5", "offline", "careful"],
    });
    expect(diagnostics).toEqual([]);
    expect(agents.get("careful")).toEqual({
      ...{ name: "careful", provider: "anthropic", model: "m", maxTurns: 80, timeoutMinutes: 0.5 },
    });
    expect(agents.get("offline")).toEqual({ name: "offline", provider: "offline" });
  });

  it("have a fallback and a way of calling tools of their own", () => {
    const { agents, diagnostics } = read({
      agents: ["local provider=openai model=qwen3:32b fallback-model=llama4 tool-calls=text"],
    });
    expect(diagnostics).toEqual([]);
    expect(agents.get("local")).toMatchObject({ fallbackModel: "llama4", toolCalls: "text" });
  });

  it.each([
    [{ schedule: "odd-even", agents: ["a"] }, "schedule", "odd-even takes two agents"],
    [{ schedule: "carefull", agents: ["careful"] }, "schedule", 'no agent "carefull"'],
    [{ reviewAgent: "nobody" }, "review-agent", 'no agent "nobody"'],
    [{ agents: ["a provider=antropic"] }, "agents", 'no provider "antropic"'],
    [{ agents: ["a max-turns=no"] }, "agents", "max-turns must be a number above 0"],
    [{ agents: ["a tool-calls=xml"] }, "agents", "tool-calls is one of auto, native, text"],
    [{ agents: ["a modell=x"] }, "agents", '"modell=x" says nothing'],
    [{ agents: ["a model=x", "a model=y"] }, "agents", "a is described twice"],
    [{ agents: ["A"] }, "agents", '"A" is no name'],
  ])("%j is an error that names it", (more, file, message) => {
    const { diagnostics } = read(more);
    expect(diagnostics[0]).toMatchObject({
      severity: "error",
      file,
      message: expect.stringContaining(message),
    });
  });
});

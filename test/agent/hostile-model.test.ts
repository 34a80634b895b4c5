// A model that makes the worst calls: what is stored stays sound, and nothing runs under another's approval.
import { appendFile, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noUsage } from "../../src/core/conversation.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import { TEXT_CALL_FORM, type ToolResultBlock } from "../../src/core/events.ts";
import type { Model } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost } from "../fakes/agent-world.ts";
import { call, ScriptedModel, type ScriptedReply } from "../fakes/scripted-model.ts";

const choose = (option: string) => ({ answer: { selectedOptionId: option }, actorId: "terminal:t" });

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe("ids of calls", () => {
  it.each(["", "a\nb", "a/b", "../x", "a b", "\ud800", "x".repeat(201)])(
    "%j is refused before anything is stored",
    async (id) => {
      const world = await createWorld();
      const model = new ScriptedModel([{ content: [call(id, "readFile", { path: "a" })] }], {
        lenient: true,
      });
      await expect(runOnce(world, model)).rejects.toMatchObject({ code: "model-failed" });
      const { outcome } = await runOnce(world, new ScriptedModel(["done"]));
      expect(outcome).toEqual({ kind: "completed", text: "done" });
    },
  );

  it("of an earlier turn are refused: another's answer is no answer, another's approval no approval", async () => {
    for (const again of [
      call("1", "askUser", { question: "Delete everything?", options: ["Yes", "No"] }),
      call("1", "runCommand", { command: "touch ran" }),
      call("1", "Task", { agent: "helper", prompt: "Go on." }),
    ]) {
      const world = await createWorld();
      const first = call("1", "askUser", { question: "Is it raining?", options: ["Yes", "No"] });
      const host = new ScriptedHost([choose("yes"), approve()]);
      const model = new ScriptedModel([{ content: [first] }, { content: [again] }], { lenient: true });
      await expect(runOnce(world, model, { host })).rejects.toMatchObject({ code: "model-failed" });
      expect(host.asked).toHaveLength(1);
      await expect(readFile(join(world.root, "ran"))).rejects.toThrow();
    }
  });
});

describe("inputs", () => {
  it("that are text are calls nobody could read: the agent is shown the right form", async () => {
    const world = await createWorld();
    const unreadable = { ...call("1", "runCommand", {}), input: "<tool_use>touch ran" };
    const model = new ScriptedModel([{ content: [unreadable] }, "done"]);
    expect((await runOnce(world, model)).outcome.kind).toBe("completed");
    const [result] = model.requests[1]?.messages.at(-1)?.content ?? [];
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining(TEXT_CALL_FORM) });
    await expect(readFile(join(world.root, "ran"))).rejects.toThrow();
  });

  it("that are nested beyond reason are refused, and the conversation can go on", async () => {
    const world = await createWorld();
    for (const depth of [600, 20_000, 200_000]) {
      const content = [call("d", "writeArtifact", { output: "x", content: nested(depth) })];
      // A scripted model can't copy this.
      const model: Model = {
        provider: "scripted",
        priceOf: () => 0,
        respond: async () => ({
          message: { role: "assistant", content },
          stopReason: "tool_use",
          usage: noUsage(),
          model: "first",
        }),
      };
      await expect(runOnce(world, model)).rejects.toMatchObject({ code: "model-failed" });
    }
    expect((await runOnce(world, new ScriptedModel(["done"]))).outcome.kind).toBe("completed");
  });

  it("of any other kind get a result each: names, shapes, sizes, prototypes, 200 at once", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "a"), "alpha");
    const inputs: [string, unknown][] = [
      ["", {}],
      ["readFile\n", { path: "a" }],
      ["__proto__", {}],
      ["constructor", {}],
      ["x".repeat(10_000), {}],
      ["readFile", null],
      ["readFile", []],
      ["readFile", "a"],
      ["readFile", { path: "" }],
      ["readFile", { path: "a\u0000" }],
      ["readFile", { path: "a", offset: -1 }],
      ["readFile", { path: "a", offset: 1e300 }],
      ["readFile", JSON.parse('{"path":"a","__proto__":{"x":1}}')],
      ["readFile", { path: "p".repeat(5_000) }],
      ["grep", { pattern: "(a+)+$" }],
      ["grep", { pattern: "(" }],
      ["listFiles", { path: "..", glob: "[" }],
      ["searchCode", { query: "" }],
      ["Skill", { name: "constructor" }],
      ["Task", { agent: "__proto__", prompt: "x" }],
      ["writeArtifact", { output: "__proto__", content: nested(400) }],
      ["writeArtifact", { output: "x", content: "y".repeat(3_000_000) }],
      ["editFile", { path: ".git/config", oldStr: "", newStr: "x" }],
    ];
    const content = [
      ...inputs.map(([name, input], at) => call(`c${at}`, name, input)),
      ...Array.from({ length: 200 }, (_, at) => call(`r${at}`, "readFile", { path: "a" })),
    ];
    const model = new ScriptedModel([{ content }, "done"], { lenient: true });
    const { outcome } = await runOnce(world, model, { host: new ScriptedHost([]) });
    expect(outcome.kind).toBe("completed");
    const results = model.requests[1]?.messages.at(-1)?.content as ToolResultBlock[];
    expect(results.map((result) => result.tool_use_id)).toEqual(content.map(({ id }) => id));
    expect(results.every((result) => result.content.length > 0 && result.content.length < 31_000)).toBe(true);
    expect(results.slice(-200).every((result) => result.content.includes("alpha"))).toBe(true);
  });
});

describe("limits", () => {
  it("on turns count those of subagents: fan-out is no way around", async () => {
    const world = await createWorld();
    let calls = 0;
    const model = new ScriptedModel(({ conversationId, messages }): ScriptedReply => {
      const isDeepest = conversationId.split("/").length >= 5;
      if (isDeepest && messages.length > 3) return { content: "enough" };
      calls += 1;
      if (isDeepest) return { content: [call(`r${calls}`, "readFile", { path: "a" })] };
      return {
        content: [1, 2, 3].map((n) => call(`t${calls}-${n}`, "Task", { agent: "helper", prompt: "more" })),
      };
    });
    const { outcome } = await runOnce(world, model, { limits: { maxTurns: 20 } });
    expect(outcome).toMatchObject({ kind: "stopped", reasonCode: "max-turns" });
    expect(model.requests).toHaveLength(20);
  });

  it("in dollars hold for the model that answers, by its own name or the one asked for", async () => {
    const named = (price: (model: string) => number | null, model = "first-20990101") =>
      outcomeOf(price, { content: [call("1", "readFile", { path: "a" })], model });
    const known = await named((model) => (model === "first" ? 0.4 : null));
    expect(known).toMatchObject({
      kind: "stopped",
      reasonCode: "cost-limit",
      message: expect.stringContaining("0.4000"),
    });
    const unknown = await named(() => null);
    expect(unknown).toMatchObject({ kind: "stopped", reasonCode: "cost-limit" });
  });

  async function outcomeOf(price: (model: string) => number | null, reply: ScriptedReply) {
    const model = new ScriptedModel([reply], { price });
    const { outcome } = await runOnce(await createWorld(), model, {
      limits: { maxCostUsd: 0.3 },
      host: new ScriptedHost("nobody"),
    });
    return outcome;
  }
});

describe("the beginning of a conversation", () => {
  it("cut after its first line is begun again", async () => {
    const world = await createWorld();
    await runOnce(world, new ScriptedModel([{ error: new LoopliaError("model-failed", "down") }])).catch(
      () => {},
    );
    const segment = join(world.state, "sessions/s-1/conversation/000001.jsonl");
    const [first = ""] = (await readFile(segment, "utf8")).split("\n");
    await truncate(segment, first.length + 1);
    await appendFile(segment, '{"v":1,"seq":2,');
    const model = new ScriptedModel(["done"]);
    expect((await runOnce(world, model)).outcome.kind).toBe("completed");
    expect(model.requests[0]?.messages).toHaveLength(1);
  });
});

describe("an answer", () => {
  it("that comes together with Ctrl-C is kept", async () => {
    const world = await createWorld();
    const stop = new AbortController();
    const host = new ScriptedHost([]);
    host.ask = async () => {
      stop.abort("interrupted");
      return choose("yes");
    };
    const ask = { content: [call("q", "askUser", { question: "Go on?", options: ["Yes", "No"] })] };
    const first = await runOnce(world, new ScriptedModel([ask]), { host, signal: stop.signal });
    expect(first.outcome).toMatchObject({ kind: "stopped", reasonCode: "interrupted" });
    const later = new ScriptedHost([]);
    expect((await runOnce(world, new ScriptedModel(["done"]), { host: later })).outcome.kind).toBe(
      "completed",
    );
    expect(later.asked).toEqual([]);
  });
});

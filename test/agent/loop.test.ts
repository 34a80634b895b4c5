import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { ContentBlock, ToolResultBlock } from "../../src/core/events.ts";
import type { ModelRequest, RunEvent } from "../../src/core/ports.ts";
import { approve, createWorld, runOnce, ScriptedHost } from "../fakes/agent-world.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";

function results(request: ModelRequest | undefined): ToolResultBlock[] {
  const blocks: ContentBlock[] = request?.messages.at(-1)?.content ?? [];
  return blocks.filter((block): block is ToolResultBlock => block.type === "tool_result");
}

describe("the loop", () => {
  it("runs the calls of a turn and gives all results together", async () => {
    const world = await createWorld();
    await writeFile(join(world.root, "a.md"), "alpha");
    await writeFile(join(world.root, "b.md"), "beta");
    const model = new ScriptedModel([
      { content: [call("1", "readFile", { path: "a.md" }), call("2", "readFile", { path: "b.md" })] },
      "done",
    ]);
    const { outcome } = await runOnce(world, model);
    expect(outcome).toEqual({ kind: "completed", text: "done" });
    expect(results(model.requests[1]).map((result) => [result.tool_use_id, result.content])).toEqual([
      ["1", expect.stringContaining("alpha")],
      ["2", expect.stringContaining("beta")],
    ]);
    model.assertDone();
  });

  it("answers unknown tools, wrong inputs and lone surrogates with a result, and goes on", async () => {
    const model = new ScriptedModel([
      {
        content: [
          call("1", "__proto__", {}),
          call("2", "readFile", { path: 7 }),
          call("3", "readFile", { path: "\ud800" }),
          call("4", "readFile", null),
        ],
      },
      "done",
    ]);
    const { outcome } = await runOnce(await createWorld(), model);
    expect(outcome.kind).toBe("completed");
    expect(results(model.requests[1]).map((result) => result.is_error)).toEqual([true, true, true, true]);
    expect(results(model.requests[1])[0]?.content).toContain("There is no tool");
    expect(results(model.requests[1])[1]?.content).toContain("path");
  });

  it("runs only tools of the agent's own list", async () => {
    const model = new ScriptedModel([{ content: [call("1", "runCommand", { command: "touch x" })] }, "done"]);
    await runOnce(await createWorld(), model, { tools: ["readFile"] });
    expect(results(model.requests[1])[0]?.content).toContain("There is no tool");
  });

  it.each([
    ["max_tokens", "your response was cut at the limit"],
    ["stop_sequence", "the response was incomplete"],
  ] as const)("runs no call of a turn that ended with %s, and says that %s", async (stopReason, why) => {
    const host = new ScriptedHost([approve()]);
    const model = new ScriptedModel([
      { content: [call("1", "runCommand", { command: "touch ran" })], stopReason },
      "done",
    ]);
    const world = await createWorld();
    const { outcome } = await runOnce(world, model, { host });
    expect(outcome.kind).toBe("completed");
    const content = expect.stringContaining(why);
    expect(results(model.requests[1])[0]).toMatchObject({ is_error: true, content });
    await expect(readFile(join(world.root, "ran"))).rejects.toThrow();
    expect(host.asked).toEqual([]);
  });

  it("runs no call of a refusal and fails the task", async () => {
    const model = new ScriptedModel([
      { content: [call("1", "readFile", { path: "a" })], stopReason: "refusal" },
    ]);
    const { outcome } = await runOnce(await createWorld(), model);
    expect(outcome).toMatchObject({ kind: "failed", reasonCode: "model-failed" });
  });

  it("goes on after pause_turn, a cut text and an empty answer", async () => {
    const model = new ScriptedModel(
      [
        { content: "thinking", stopReason: "pause_turn" },
        { content: "long", stopReason: "max_tokens" },
        { content: [], stopReason: "end_turn" },
      ],
      { lenient: true },
    );
    const { outcome, session } = await runOnce(await createWorld(), model);
    expect(outcome.kind).toBe("completed");
    expect(model.requests[2]?.messages.at(-1)?.role).toBe("user");
    expect(session.journal.conversation("main").messages.every((message) => message.content.length > 0)).toBe(
      true,
    );
  });

  it("tells people of an answer that was cut, and a run that stops after it says so", async () => {
    const notices: string[] = [];
    const observe = (event: RunEvent) => void (event.type === "notice" && notices.push(event.message));
    const model = new ScriptedModel([{ content: "long", stopReason: "max_tokens" }]);
    const { outcome } = await runOnce(await createWorld(), model, { observe, limits: { maxTurns: 1 } });
    expect(notices).toEqual([expect.stringContaining("cut at the limit of one response")]);
    expect(outcome).toMatchObject({
      reasonCode: "max-turns",
      message: expect.stringMatching(/answer was cut/),
    });
  });

  it("refuses calls without an id of their own before anything is stored", async () => {
    const model = new ScriptedModel([
      { content: [call("1", "readFile", { path: "a" }), call("1", "readFile", { path: "b" })] },
    ]);
    await expect(runOnce(await createWorld(), model)).rejects.toMatchObject({ code: "model-failed" });
  });

  it("cuts long results and says where the whole is", async () => {
    const world = await createWorld();
    const model = new ScriptedModel([
      { content: [call("1", "writeArtifact", { output: "x".repeat(60_000), content: {} })] },
      "done",
    ]);
    await runOnce(world, model);
    const [result] = results(model.requests[1]);
    expect(result?.content.length).toBeLessThan(31_000);
    expect(result?.content).toContain("audit log");
    const audit = await readFile(join(world.state, "sessions/s-1/audit/000001.jsonl"), "utf8");
    expect(audit).toContain("x".repeat(60_000));
  });
});

describe("limits", () => {
  it("stops at max-turns and goes on when it is raised", async () => {
    const world = await createWorld();
    const read = { content: [call("1", "readFile", { path: "a" })] };
    const first = await runOnce(world, new ScriptedModel([read]), { limits: { maxTurns: 1 } });
    expect(first.outcome).toMatchObject({ kind: "stopped", reasonCode: "max-turns" });
    const second = await runOnce(world, new ScriptedModel(["done"]), { limits: { maxTurns: 2 } });
    expect(second.outcome.kind).toBe("completed");
  });

  it.each([
    ["tokens", { maxTokens: 20 }],
    ["dollars", { maxCostUsd: 0.5 }],
  ])("counts %s over a session with its pauses", async (_name, limits) => {
    const world = await createWorld();
    const options = { price: () => 0.3 };
    const ask = { content: [call("1", "askUser", { question: "Which?" })] };
    const first = await runOnce(world, new ScriptedModel([ask], options), { limits });
    expect(first.outcome.kind).toBe("waiting");
    const answer = { answer: { inputValue: "this" }, actorId: "terminal:test" };
    const read = { content: [call("2", "readFile", { path: "a" })] };
    const second = await runOnce(world, new ScriptedModel([read], options), {
      limits,
      host: new ScriptedHost([answer]),
    });
    expect(second.outcome.kind).toBe("waiting");
    const host = new ScriptedHost([approve()]);
    const third = await runOnce(world, new ScriptedModel(["done"], options), { limits, host });
    expect(third.outcome.kind).toBe("completed");
    expect(host.asked).toMatchObject([{ kind: "Confirm", budget: { of: "session" } }]);
  });

  it("stop where nobody can be asked", async () => {
    const host = new ScriptedHost("nobody");
    const read = { content: [call("1", "readFile", { path: "a" })] };
    const { outcome } = await runOnce(await createWorld(), new ScriptedModel([read]), {
      host,
      limits: { maxTokens: 1 },
    });
    expect(outcome).toMatchObject({ kind: "stopped", reasonCode: "cost-limit" });
  });

  it("tells a deadline from an interruption", async () => {
    for (const reason of ["deadline", "interrupted"]) {
      const { outcome } = await runOnce(await createWorld(), new ScriptedModel([]), {
        signal: AbortSignal.abort(reason),
      });
      expect(outcome).toMatchObject({ kind: "stopped", reasonCode: reason });
    }
  });

  it("reaches a request that hangs and a command that runs", async () => {
    const hanging = new AbortController();
    setTimeout(() => hanging.abort("interrupted"), 30);
    const first = await runOnce(await createWorld(), new ScriptedModel([{ hang: true }]), {
      signal: hanging.signal,
    });
    expect(first.outcome).toMatchObject({ kind: "stopped", reasonCode: "interrupted" });

    const world = await createWorld();
    const running = new AbortController();
    const observe = (event: RunEvent) => {
      if (event.type === "tool-started") setTimeout(() => running.abort("deadline"), 50);
    };
    const sleep = { content: [call("1", "runCommand", { command: "sleep 300; touch late" })] };
    const began = performance.now();
    const second = await runOnce(world, new ScriptedModel([sleep]), {
      signal: running.signal,
      host: new ScriptedHost([approve()]),
      observe,
    });
    expect(second.outcome).toMatchObject({ kind: "stopped", reasonCode: "deadline" });
    expect(performance.now() - began).toBeLessThan(30_000);

    const model = new ScriptedModel(["done"]);
    await runOnce(world, model);
    expect(results(model.requests[0])[0]?.content).toContain("Interrupted together with the run");
    await expect(readFile(join(world.root, "late"))).rejects.toThrow();
  });
});

describe("the fallback model", () => {
  it("takes over when the first is overloaded, without the first one's thinking, and the switch is recorded", async () => {
    const world = await createWorld();
    const thinking = { type: "thinking" as const, thinking: "hm", signature: "s1" };
    const overloaded = new LoopliaError("model-failed", "overloaded", { modelFailure: "overloaded" });
    const model = new ScriptedModel((request, index) => {
      if (index === 0) return { content: [thinking, call("1", "readFile", { path: "a" })] };
      return request.model === "first" ? { error: overloaded } : "done";
    });
    const { outcome } = await runOnce(world, model, { fallbackModel: "second" });
    expect(outcome.kind).toBe("completed");
    const last = model.requests.at(-1);
    expect(last?.model).toBe("second");
    expect(JSON.stringify(last?.messages)).not.toContain("thinking");
    const stored = await readFile(join(world.state, "sessions/s-1/conversation/000001.jsonl"), "utf8");
    expect(stored).toMatch(
      /ModelSwitched.*"reason":"overloaded; its reasoning so far is left out \(blocks: 1\)"/,
    );
    expect(stored).toContain('"signature":"s1"');
  });

  it("does not take over for a bad key", async () => {
    const error = new LoopliaError("model-failed", "bad key", { modelFailure: "bad-key" });
    const run = runOnce(await createWorld(), new ScriptedModel([{ error }]), { fallbackModel: "second" });
    await expect(run).rejects.toThrow("bad key");
  });
});

it("keeps the frozen prefix when prompts and tools have changed since", async () => {
  const world = await createWorld();
  const ask = { content: [call("1", "askUser", { question: "Which?" })] };
  const before = new ScriptedModel([ask]);
  await runOnce(world, before);
  await mkdir(join(world.root, "x"));
  const after = new ScriptedModel(["done"]);
  const answer = { answer: { inputValue: "this" }, actorId: "terminal:test" };
  await runOnce(world, after, { tools: ["readFile"], host: new ScriptedHost([answer]) });
  const [first] = before.requests;
  const [second] = after.requests;
  expect(JSON.stringify(second?.prefix)).toBe(JSON.stringify(first?.prefix));
  const messages = JSON.stringify(first?.messages);
  expect(JSON.stringify(second?.messages).startsWith(messages.slice(0, -1))).toBe(true);
});

import { describe, expect, it } from "vitest";
import type { Message } from "../../src/core/events.ts";
import type { ModelRequest } from "../../src/core/ports.ts";
import { call, ScriptedModel } from "./scripted-model.ts";

const signal = new AbortController().signal;
const hello: Message = { role: "user", content: [{ type: "text", text: "hello" }] };

function request(messages: Message[], system = "s"): ModelRequest {
  return { conversationId: `c-${system}`, model: "m", prefix: { system, tools: [] }, messages };
}

describe("ScriptedModel", () => {
  it("replies in order, streams text and infers the stop reason", async () => {
    const model = new ScriptedModel([{ content: [call("t1", "readFile", { path: "a" })] }, "done"]);
    const heard: string[] = [];
    const first = await model.respond(request([hello]), { signal, onText: (delta) => heard.push(delta) });
    expect(first.stopReason).toBe("tool_use");
    const answer: Message = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "x" }],
    };
    const second = await model.respond(request([hello, first.message, answer]), {
      signal,
      onText: (delta) => heard.push(delta),
    });
    expect(second).toMatchObject({ stopReason: "end_turn", model: "m" });
    expect(heard).toEqual(["done"]);
    model.assertDone();
  });

  it("fails on an unexpected and on an unused turn", async () => {
    const model = new ScriptedModel([]);
    await expect(model.respond(request([hello]), { signal })).rejects.toThrow(/unexpected turn 1.*hello/);
    expect(() => model.assertDone()).toThrow(/unexpected turn/);
    expect(() => new ScriptedModel(["a"]).assertDone()).toThrow(/1 unused turn/);
  });

  it("keeps a script a conversation", async () => {
    const model = new ScriptedModel({
      nameOf: (one) => one.prefix.system,
      scripts: { a: ["from a"], b: ["from b"] },
    });
    const reply = await model.respond(request([hello], "b"), { signal });
    expect(reply.message.content).toEqual([{ type: "text", text: "from b" }]);
    expect(() => model.assertDone()).toThrow(/unused turns in script "a"/);
    await expect(model.respond(request([hello], "z"), { signal })).rejects.toThrow(/no script/);
  });

  it("refuses an orphan call and a changed prefix", async () => {
    const orphan: Message = { role: "assistant", content: [call("t1", "x", {})] };
    const model = new ScriptedModel(() => "ok");
    await expect(model.respond(request([hello, orphan, hello]), { signal })).rejects.toThrow(
      /without `tool_result`/,
    );
    await model.respond(request([hello]), { signal });
    const other: Message = { role: "user", content: [{ type: "text", text: "other" }] };
    await expect(model.respond(request([other]), { signal })).rejects.toThrow(/prefix of conversation/);
  });

  it("hangs until it is aborted, and throws what it is told to", async () => {
    const model = new ScriptedModel([{ hang: true }, { error: new Error("boom") }]);
    const controller = new AbortController();
    const pending = model.respond(request([hello]), { signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    await expect(model.respond(request([hello]), { signal })).rejects.toThrow("boom");
  });
});

import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { queueRequests } from "../../src/agent/request-queue.ts";
import { noUsage } from "../../src/core/conversation.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import type { Model, ModelReply, ModelRequest } from "../../src/core/ports.ts";

const REPLY: ModelReply = {
  message: { role: "assistant", content: [] },
  stopReason: "end_turn",
  usage: noUsage(),
  model: "m",
};
const ask = (model: Model, conversationId: string) =>
  model.respond({ conversationId } as ModelRequest, { signal: new AbortController().signal });

/** A model whose answers the test gives. */
function heldModel(atOnce: () => number) {
  const open = new Map<string, { answer(): void; fail(): void }>();
  let most = 0;
  const respond: Model["respond"] = ({ conversationId }) =>
    new Promise((resolve, reject) => {
      const ended = (then: () => void) => () => {
        open.delete(conversationId);
        then();
      };
      open.set(conversationId, {
        answer: ended(() => resolve(REPLY)),
        fail: ended(() => reject(new Error("no"))),
      });
      most = Math.max(most, open.size);
    });
  const model: Model = { provider: "fake", priceOf: () => null, respond };
  return { model: queueRequests(model, atOnce), open, most: () => most };
}

test("so many requests are open at once, and the others leave in order, also after a failure", async () => {
  let atOnce = 2;
  const { model, open, most } = heldModel(() => atOnce);
  const asked = ["a", "b", "c", "d", "e"].map((name) => ask(model, name).catch(({ message }) => message));
  await setTimeout();
  expect([...open.keys()]).toEqual(["a", "b"]);
  open.get("b")?.fail();
  await setTimeout();
  expect([...open.keys()]).toEqual(["a", "c"]);
  atOnce = 1;
  open.get("a")?.answer();
  await setTimeout();
  expect([...open.keys()]).toEqual(["c"]);
  atOnce = 3;
  open.get("c")?.answer();
  await setTimeout();
  expect([...open.keys()]).toEqual(["d", "e"]);
  for (const { answer } of [...open.values()]) answer();
  expect(await Promise.all(asked)).toEqual([REPLY, "no", REPLY, REPLY, REPLY]);
  expect(most()).toBe(2);
});

test("replies that come together are handed over three at a time, each place until the next request or for 30 ms", async () => {
  const { model, open } = heldModel(() => 10);
  const handed: string[] = [];
  const names = ["a", "b", "c", "d", "e", "f"];
  const asked = names.map(async (name) => {
    await ask(model, name);
    handed.push(name);
  });
  await setTimeout();
  for (const name of names) open.get(name)?.answer();
  await setTimeout();
  expect(handed).toEqual(["a", "b", "c"]);
  // What follows a reply is done when the same conversation asks again.
  const again = ask(model, "b");
  await setTimeout();
  expect(handed).toEqual(["a", "b", "c", "d"]);
  await Promise.all(asked);
  expect(handed).toEqual(names);
  open.get("b")?.answer();
  await again;
});

test.each([
  ["bad-key", 1],
  ["no-credit", 1],
  ["rate-limit", 4],
  ["bad-request", 4],
] as const)("after %s, of four conversations %d asks", async (modelFailure, count) => {
  let asked = 0;
  const respond: Model["respond"] = async () => {
    asked += 1;
    throw new LoopliaError("model-failed", "refused", { modelFailure });
  };
  const model = queueRequests({ provider: "fake", priceOf: () => null, respond }, () => 1);
  const all = ["a", "b", "c", "d"].map((name) => ask(model, name).catch(({ message }) => message));
  expect(await Promise.all(all)).toEqual(["refused", "refused", "refused", "refused"]);
  expect(asked).toBe(count);
});

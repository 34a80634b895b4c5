// What people left for the next task is told to one task, whenever a run dies.
import { expect, test } from "vitest";
import { Mailbox } from "../../src/agent/attempt.ts";
import type { WorkEvent } from "../../src/core/events.ts";
import type { Host } from "../../src/core/ports.ts";

test("that a message was told is on record at the moment at which it was told", async () => {
  const happened: string[] = [];
  const left: WorkEvent = {
    type: "MessageLeft",
    payload: { commentId: 7, actorId: "github:1:ada", text: "Use short words." },
  };
  const log = {
    workEvents: async () => [left],
    appendWorkEvents: async (events: readonly WorkEvent[]) =>
      void happened.push(...events.map(({ type, payload }) => JSON.stringify([type, payload]))),
  };
  const host: Host = {
    canAsk: false,
    ask: async () => "nobody",
    async secure() {},
    async taskEnded() {},
    async together(work) {
      happened.push("{");
      await work();
      happened.push("}");
    },
  };
  const mailbox = await Mailbox.open(log);
  const tell = (task: string) => async () => void happened.push(`told ${task}`);
  await mailbox.deliver(host, "one", mailbox.take(), tell("one"));
  await mailbox.deliver(host, "two", mailbox.take(), tell("two"));
  const noted = JSON.stringify(["MessageDelivered", { commentId: 7, taskId: "one" }]);
  expect(happened).toEqual(["{", "told one", noted, "}", "told two"]);
});

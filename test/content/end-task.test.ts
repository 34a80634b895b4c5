// What is kept of a step's end, and at which moment.
import { expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { EndedTask, Host } from "../../src/core/ports.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, kitModel } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";
import { readStored } from "../fakes/stored-events.ts";

/** A host whose `together` notes what is there before and after, and what was told inside of it. */
function watch(world: ContentWorld, type: "TaskCompleted" | "TaskFailed") {
  const moments: string[] = [];
  let inside = false;
  const look = async () => {
    const [sessionId = ""] = await sessionsOf(world);
    const { steps } = JSON.parse(await world.read(`.looplia/contentItem/${sessionId}/session.json`));
    return `${steps.summary?.status ?? "none"} / ${(await readStored(world, type)).length}`;
  };
  const host: Host = {
    canAsk: false,
    ask: async () => "nobody",
    secure: async () => {},
    async taskEnded({ outputs, status }: EndedTask) {
      moments.push(`${outputs.join()} ${status}${inside ? "" : " outside"}`);
    },
    async together(work) {
      moments.push(await look());
      inside = true;
      await work();
      inside = false;
      moments.push(await look());
    },
  };
  return { host, moments };
}

test("manifest, event and commit of a step are one", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const { host, moments } = watch(world, "TaskCompleted");
  await world.run({ kind: "file", source: "a.md" }, kitModel(), { host, settings: { output: "summary" } });
  expect(moments).toEqual(["in_progress / 0", "summary completed", "completed / 1"]);
});

test("and those of one that failed", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const { host, moments } = watch(world, "TaskFailed");
  const model = new ScriptedModel(() => ({ error: new LoopliaError("model-failed", "no network") }));
  await world.run({ kind: "file", source: "a.md" }, model, { host, settings: { output: "summary" } });
  expect(moments[0]).toBe("in_progress / 0");
  expect(moments[1]).toBe("summary failed");
  expect(moments[2]).toMatch(/^failed \/ /);
});

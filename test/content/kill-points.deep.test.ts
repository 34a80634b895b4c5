// A model whose first two tries are refused; the process is killed after each stored line, at once or at the next one.
import { expect, test } from "vitest";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { Killed, mortalStores } from "../fakes/dying-stores.ts";
import { ARTICLE, dueOutputs, SUMMARY, writeDue } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const FILE = { kind: "file", source: "a.md" } as const;
const SETTINGS = { output: "summary" };

function clumsyModel(): ScriptedModel {
  return new ScriptedModel((request) => {
    const isClumsy = dueOutputs(request).includes("summary") && request.messages.length < 5;
    return writeDue(request, isClumsy ? new Map([["summary", { ...SUMMARY, headline: "no" }]]) : undefined);
  });
}

test("every point ends with the same artifact: a try that is made again is no other try", async () => {
  const whole = { lines: 0, ends: Number.POSITIVE_INFINITY };
  const undisturbed = await createContentWorld({ "a.md": ARTICLE });
  const run = await undisturbed.run(FILE, clumsyModel(), { settings: SETTINGS, stores: mortalStores(whole) });
  expect(run.status).toBe("completed");
  for (let ends = 1; ends < whole.lines; ends += 1) {
    for (const lingers of [false, true]) {
      const place = `killed after line ${ends}${lingers ? ", at the next" : ""}`;
      const world = await createContentWorld({ "a.md": ARTICLE });
      const stores = mortalStores({ lines: 0, ends, lingers });
      const killed = world.run(FILE, clumsyModel(), { settings: SETTINGS, stores });
      await expect(killed, place).rejects.toThrow(Killed);
      const [sessionId = ""] = await sessionsOf(world);
      const model = clumsyModel();
      const resumed = await world.run({ kind: "session", sessionId }, model, { settings: SETTINGS });
      expect(resumed, place).toMatchObject({ status: "completed" });
      expect(resumed.items[0]?.artifact, place).toMatchObject({ headline: SUMMARY.headline });
    }
  }
});

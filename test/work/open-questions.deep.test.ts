// The outcome of a run is that of its work: open questions of other sessions count.
import { expect, test } from "vitest";
import { asking, createAskingWorld } from "../fakes/asking-world.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

test("a run that handled one of four answers waits for the others; the last one is done", async () => {
  const names = ["item-0", "item-1", "item-2"];
  const world = await createAskingWorld(
    Object.fromEntries(names.map((name) => [`content/${name}.md`, `# ${name}\n\n${ARTICLE}`])),
  );
  const input = { question: "Which tone?", options: ["Calm", "Loud"] };
  world.modelTurn = asking({ type: "tool_use", id: "ask", name: "askUser", input });
  try {
    const first = await runHere(world);
    expect(first.ended).toBe("waiting open-questions");
    const questions = world
      .ours("looplia:request")
      .flatMap(({ body }) => /\/choose (q\d+-[0-9a-f]{6})/.exec(body)?.[1] ?? []);
    expect(questions).toHaveLength(4);
    const outcomes: string[] = [];
    for (const id of questions) {
      const ran = await deliverHere(world, world.say("writer", `/choose ${id} 2`));
      outcomes.push(ran.ended);
    }
    const waits = "waiting open-questions";
    expect(outcomes).toEqual([waits, waits, waits, "completed done"]);
    world.github.assertValid();
  } finally {
    await world.close();
  }
}, 120_000);

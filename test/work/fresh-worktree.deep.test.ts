// Files that git ignores are lost with the runner: `setup` makes them again in the worktree of each run, before an agent's
// first effect (DURABILITY, "What is where" and step 6 of a wake).
import { expect, test } from "vitest";
import { asking, commandCall, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

test("what setup made is there on the runner that goes on, and never on the branch", async () => {
  const world = await createAskingWorld({
    "looplia.yml": "setup: mkdir -p made/by-setup\nupload-audit: false\n",
    ".gitignore": "made/\n",
  });
  try {
    world.modelTurn = asking(commandCall("ls -d made/by-setup && mktemp ran-XXXXXX"));
    const asked = await runHere(world);
    expect(asked.ended, asked.said).toBe("waiting open-questions");
    const ran = await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
    expect(ran.ended, ran.said).toBe("completed done");
    expect(await world.effects()).toBe(1);
    for (const { said } of [asked, ran]) expect(said).toContain("setup: mkdir -p made/by-setup");
    expect((await world.files()).filter((path) => path.startsWith("made/"))).toEqual([]);
    // What only waits needs no worktree that is usable.
    const idle = await runHere(world);
    expect(idle.said).not.toContain("setup:");
  } finally {
    await world.close();
  }
});

// Runs that coincide, as processes: the state refs decide, and nobody repeats or loses work.
import { expect, test } from "vitest";
import { createActionWorld, ended, said } from "../fakes/action-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";

const COUNT = 4;
const event = { name: "schedule", payload: {} };

function worldOf() {
  const items = Array.from({ length: COUNT }, (_, at) => [`content/${at}.md`, `# Item ${at}\n\n${ARTICLE}`]);
  return createActionWorld(Object.fromEntries(items));
}

test("of two scheduled runs at the same time one makes everything, and the other leaves it alone", async () => {
  const world = await worldOf();
  world.modelTurn = (body) => ({ ...(writeDue(body) as object), delayMs: 800 }) as never;
  try {
    const runs = await Promise.all([world.run({ event }), world.run({ event })]);
    expect(runs.map(ended).sort()).toEqual([
      "completed done",
      expect.stringMatching(/^ignored (?:busy|lost-race)$/),
    ]);
    const repeated = world.model.requests.length - 3 * COUNT;
    expect(repeated, runs.map(said).join("\n")).toBe(0);
    expect(await world.github.pullRequests()).toHaveLength(1);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

test("the claim of a run whose machine is gone is taken over by the next run", async () => {
  const world = await worldOf();
  let answered = 0;
  world.modelTurn = (body) => {
    answered += 1;
    return { ...(writeDue(body) as object), delayMs: answered > 4 ? 3_000 : 0 } as never;
  };
  try {
    const during = async (child: { kill(signal: NodeJS.Signals): void }) => {
      while (answered < 6) await new Promise((done) => setTimeout(done, 20));
      child.kill("SIGKILL");
    };
    const gone = await world.run({ event, inputs: { concurrency: "2" }, during });
    expect(gone.exitCode).toBe(null);
    world.modelTurn = undefined;
    const next = await world.run({ event });
    expect(ended(next), said(next)).toBe("completed done");
    const files = await world.repository.git(
      "ls-tree",
      "-r",
      "--name-only",
      next.outputs.get("branch") ?? "",
    );
    expect(files.match(/\/writing-kit\.json$/gm)).toHaveLength(COUNT);
    expect(await world.github.pullRequests()).toHaveLength(1);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

// Runs that coincide, as processes: the state refs decide, and nobody repeats or loses work.
import { expect, test } from "vitest";
import { createActionWorld, ended, type RunChanges, said } from "../fakes/action-world.ts";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
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

test("a scheduled run and an answer at the same time: the approved call runs once, and nothing is asked again", async () => {
  const world = await createAskingWorld();
  try {
    const asked = await world.start();
    expect(ended(asked), said(asked)).toBe("waiting open-questions");
    const before = world.model.requests.length;
    const answer = world.say("maintainer", `/approve ${questionOf(world)}`);
    const write = world.modelTurn ?? writeDue;
    world.modelTurn = async (body) => {
      // Long enough for the other run to look at the work meanwhile.
      await new Promise((done) => setTimeout(done, 800));
      return write(body);
    };
    const runs = await Promise.all([world.deliver(answer), world.run({ event })]);
    const idle =
      /^(?:ignored (?:busy|lost-race|no-command)|completed (?:up-to-date|done)|waiting open-questions)$/;
    expect(runs.map(ended)).toContain("completed done");
    for (const run of runs) expect(ended(run), said(run)).toMatch(idle);
    expect(await world.effects()).toBe(1);
    expect(world.github.comments.reactionsOf(answer.id)).toContain("rocket");
    // The rest of the step that asked, and the last step.
    expect(world.model.requests.length - before, runs.map(said).join("\n")).toBe(2);
    expect(world.ours("looplia:request")).toHaveLength(1);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

test("two runs of the shards' workflow at the same time: each item is made in one of them", async () => {
  const world = await worldOf();
  world.modelTurn = (body) => ({ ...(writeDue(body) as object), delayMs: 300 }) as never;
  // The shards of a workflow run are at work when its plan's job has ended.
  const { runs } = world.github.checks;
  const set = runs.set.bind(runs);
  runs.set = (run) => set(run, "in_progress");
  const jobsOf = (inputs: Record<string, string>) =>
    Promise.all(["801", "802"].map((id) => world.run({ event, inputs, environment: { GITHUB_RUN_ID: id } })));
  try {
    const plans = await jobsOf({ mode: "plan" });
    const shards = plans.map((plan) => JSON.parse(plan.outputs.get("matrix") ?? "").include[0]?.shard);
    expect(shards, plans.map(said).join("\n")).toEqual(["1/1", "1/1"]);
    const ran = await jobsOf({ shard: "1/1" });
    for (const shard of ran) expect(shard.exitCode, said(shard)).toBe(0);
    expect(world.model.requests, ran.map(said).join("\n")).toHaveLength(3 * COUNT);
    for (const id of ["801", "802"]) {
      const collect = await world.run({
        event,
        inputs: { mode: "collect" },
        environment: { GITHUB_RUN_ID: id },
      });
      expect(collect.exitCode, said(collect)).toBe(0);
      expect(said(collect)).not.toContain("did not finish");
    }
    const [pull, ...others] = await world.github.pullRequests();
    const files = await world.repository.git("ls-tree", "-r", "--name-only", pull?.head.ref ?? "");
    expect([others.length, files.match(/\/writing-kit\.json$/gm)?.length]).toEqual([0, COUNT]);
    const refs = await world.repository.git("for-each-ref", "--format=%(refname)");
    expect(refs).not.toMatch(/shard|plans/);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

test("a single shard that dies before it stored anything is told; one without due items is not", async () => {
  const world = await worldOf();
  const { runs } = world.github.checks;
  const jobOf = async (id: string, inputs: Record<string, string>, during?: RunChanges["during"]) => {
    runs.set(`${id}.1`, "in_progress");
    const environment = { GITHUB_RUN_ID: id };
    return world.run({ event, inputs, environment, ...(during ? { during } : {}) });
  };
  try {
    const asked = Promise.withResolvers<void>();
    world.modelTurn = async (body) => {
      asked.resolve();
      return { ...(writeDue(body) as object), delayMs: 2_000 } as never;
    };
    const dead = await jobOf("901", { shard: "1/1" }, (child) =>
      asked.promise.then(() => child.kill("SIGKILL")),
    );
    expect(dead.exitCode).toBe(null);
    world.modelTurn = undefined;
    const told = await jobOf("901", { mode: "collect" });
    expect(ended(told), said(told)).toBe("stopped interrupted");
    expect(said(told)).toContain("shard 1 did not finish");
    runs.set("901.1", "completed");

    const whole = await jobOf("902", { shard: "1/1" });
    expect(ended(whole), said(whole)).toBe("completed done");
    const collected = await jobOf("902", { mode: "collect" });
    expect(collected.outputs.get("status"), said(collected)).toBe("completed");
    runs.set("902.1", "completed");

    const idle = await jobOf("903", { shard: "1/1" });
    expect(ended(idle), said(idle)).toBe("completed up-to-date");
    const nothing = await jobOf("903", { mode: "collect" });
    expect(said(nothing)).not.toContain("did not finish");
    expect(await world.repository.git("for-each-ref", "--format=%(refname)")).not.toMatch(/shard|plans/);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

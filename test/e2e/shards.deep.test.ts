// The workflow of many runners as GitHub's runner would carry it out: plan, one job for each part, and what collects them.
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type ActionWorld, createActionWorld, ended, type Ran, said } from "../fakes/action-world.ts";
import { fastClock } from "../fakes/fast-clock.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { readWorkflow } from "../fakes/workflow.ts";

const workflow = readWorkflow(resolve(import.meta.dirname, "../../examples/workflows/looplia-shards.yml"));
const COUNT = 24;
/** The default. */
const CONCURRENCY = 4;
const event = { name: "schedule", payload: {} };

type Matrix = { include: { shard: string; base: string; plan: string }[] };

type Dying = { hasPost: boolean; signal: NodeJS.Signals };

/** All jobs of one run of the workflow; `kill` names a shard that dies in its middle. */
async function runWorkflow(
  world: ActionWorld,
  id: string,
  kill?: string,
  { hasPost, signal }: Dying = { hasPost: false, signal: "SIGKILL" },
) {
  const jobOf = async (
    name: string,
    more: Record<string, unknown>,
    during?: (signal: { kill(signal: NodeJS.Signals): void }) => Promise<void>,
  ) => {
    const job = workflow.start(event, {}, more).find((one) => one.job === name);
    if (!job) return undefined;
    const { "anthropic-api-key": _, ...inputs } = job.inputs;
    const environment = { GITHUB_RUN_ID: id, GITHUB_JOB: name, ...fastClock(20) };
    const attempt = `${id}.1`;
    world.github.checks.runs.set(attempt, "in_progress");
    const ran = await world.run({ event, inputs, environment, ...(during ? { during } : {}) });
    world.github.checks.runs.set(attempt, "in_progress");
    if (ran.exitCode === null && hasPost) await world.post(ran.state, environment);
    return ran;
  };
  const plan = await jobOf("plan", {});
  if (!plan) throw new Error("no plan");
  const outputs = Object.fromEntries(plan.outputs);
  const needs = { plan: { outputs } };
  const matrix = JSON.parse(outputs.matrix ?? "") as Matrix;
  const shards: Ran[] = [];
  for (const one of matrix.include) {
    const dies = one.shard === kill;
    const during = async (child: { kill(signal: NodeJS.Signals): void }) => {
      // The model holds its later answers back, so that the shard dies in the middle of an item: before its first push, or
      // after it where its runner goes on.
      const { modelTurn = writeDue } = world;
      const before = world.model.requests.length;
      const most = hasPost ? 18 : 6;
      const isStored = async () => !hasPost || (await refsOf(world)).some((ref) => ref.includes(".shard-"));
      const end = Promise.withResolvers<void>();
      world.modelTurn = async (body) => {
        if (world.model.requests.length > before + most) await end.promise;
        return modelTurn(body);
      };
      while (world.model.requests.length <= before + most || !(await isStored()))
        await new Promise((done) => setTimeout(done, 20));
      child.kill(signal);
      world.modelTurn = modelTurn;
      end.resolve();
    };
    const ran = await jobOf("shards", { needs, matrix: one }, dies ? during : undefined);
    if (ran) shards.push(ran);
  }
  const collect = await jobOf("collect", { needs });
  if (!collect) throw new Error("nothing collects");
  world.github.checks.runs.set(`${id}.1`, "completed");
  return { plan, matrix, shards, collect };
}

async function kitsOf(world: ActionWorld, branch: string): Promise<string[]> {
  const files = (await world.repository.git("ls-tree", "-r", "--name-only", branch)).split("\n");
  return files.filter((file) => file.endsWith("/writing-kit.json"));
}

async function refsOf(world: ActionWorld): Promise<string[]> {
  return (await world.repository.git("for-each-ref", "--format=%(refname)")).split("\n");
}

test("plan, shards and collect make one pull request with every kit; the next run finds nothing to do", async () => {
  const items = Array.from({ length: COUNT }, (_, at) => [
    `content/item-${at}.md`,
    `# Item ${at}\n\n${ARTICLE}`,
  ]);
  const world = await createActionWorld({ ...Object.fromEntries(items), "content/empty.md": "" });
  world.modelTurn = writeDue;
  try {
    const first = await runWorkflow(world, "500");
    expect(said(first.plan)).toContain("::warning::no kit can be made of content/empty.md: ");
    expect(first.matrix.include.map(({ shard }) => shard)).toEqual(["1/2", "2/2"]);
    expect(JSON.stringify(first.matrix)).not.toContain("item-");
    for (const shard of first.shards) expect(ended(shard), said(shard)).toBe("completed done");
    expect(first.collect.exitCode, said(first.collect)).toBe(0);
    expect(first.collect.outputs.get("pull-request-number")).toBe("1");
    const branch = first.collect.outputs.get("branch") ?? "";
    expect(await kitsOf(world, branch)).toHaveLength(COUNT);
    expect(world.model.requests).toHaveLength(COUNT * 3);
    expect(first.collect.summary).toContain(`${COUNT} items`);
    expect((await refsOf(world)).filter((ref) => /shard|plan/.test(ref))).toEqual([]);
    expect(await world.github.pullRequests()).toHaveLength(1);
    const second = await runWorkflow(world, "501");
    expect(second.matrix).toEqual({ include: [] });
    expect(second.shards).toEqual([]);
    expect(world.model.requests).toHaveLength(COUNT * 3);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

test.each([
  [
    "dies before it has stored anything is told, and the next run does its part",
    { hasPost: false, signal: "SIGKILL" },
  ],
  ["dies loses only the requests under way if its runner goes on", { hasPost: true, signal: "SIGKILL" }],
  ["is stopped saves itself at once, and the next run goes on there", { hasPost: true, signal: "SIGTERM" }],
] as const)("a shard that %s", async (_, dying) => {
  const { hasPost, signal } = dying;
  const items = Array.from({ length: COUNT }, (_, at) => [
    `content/item-${at}.md`,
    `# Item ${at}\n\n${ARTICLE}`,
  ]);
  const world = await createActionWorld(Object.fromEntries(items));
  world.modelTurn = writeDue;
  try {
    const first = await runWorkflow(world, "600", "1/2", dying);
    expect(ended(first.collect), said(first.collect)).toBe("stopped interrupted");
    const [shown] = world.github.comments.all.filter(({ body }) => body.includes("looplia:status"));
    if (signal === "SIGKILL") expect(shown?.body).toContain("shard 1 did not finish");
    const second = await runWorkflow(world, "601");
    expect(second.matrix.include).toHaveLength(1);
    const repeated = world.model.requests.length - 3 * COUNT;
    expect(repeated).toBeLessThanOrEqual(hasPost ? CONCURRENCY : 36);
    expect(second.collect.exitCode, said(second.collect)).toBe(0);
    const branch = second.collect.outputs.get("branch") ?? "";
    expect(await kitsOf(world, branch)).toHaveLength(COUNT);
    expect((await refsOf(world)).filter((ref) => /shard|plan/.test(ref))).toEqual([]);
    expect(await world.github.pullRequests()).toHaveLength(1);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

test("a shard refuses `batch`, whose batches only the work's own log knows", async () => {
  const world = await createActionWorld({ "content/a.md": ARTICLE, "looplia.yml": "batch: true\n" });
  try {
    const ran = await world.run({ event, inputs: { mode: "content", shard: "1/2" } });
    expect([ran.exitCode, ended(ran)], said(ran)).toEqual([1, "failed config-invalid"]);
    expect(world.model.batches.all).toEqual([]);
  } finally {
    await world.close();
  }
});

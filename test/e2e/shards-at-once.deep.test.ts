// Shards side by side over one bare repository, some killed and some started twice, as SIM_SEED says: each kit is
// committed once, and only killed and doubled shards ask anything again. SIM_ITEMS: 20 items are a shard.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type ActionWorld, createActionWorld, ended, type Ran, said } from "../fakes/action-world.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";

const SEED = process.env.SIM_SEED ?? "1";
const COUNT = Number(process.env.SIM_ITEMS ?? 42);
const event = { name: "schedule", payload: {} };
const STEPS = 3;

/** From 0 to 1, the same for the same seed and name. */
function chance(name: string): number {
  return createHash("sha256").update(`${SEED} ${name}`).digest().readUInt32BE() / 2 ** 32;
}

type Job = { mode: string; shard?: string };

async function runJob(world: ActionWorld, id: string, job: Job, killAt?: number): Promise<Ran> {
  let asked = 0;
  const during = async (child: { kill(signal: NodeJS.Signals): void }) => {
    if (killAt === undefined) return;
    const before = world.model.requests.length;
    while (asked < killAt) {
      await new Promise((done) => setTimeout(done, 50));
      asked = world.model.requests.length - before;
    }
    child.kill("SIGKILL");
  };
  const environment = { GITHUB_RUN_ID: id, GITHUB_JOB: job.mode };
  const ran = await world.run({ event, inputs: { ...job }, environment, during });
  // The run's other jobs go on.
  world.github.checks.runs.set(`${id}.1`, "in_progress");
  return ran;
}

/** Plan, shards side by side and collect. How many shards were killed, and how `collect` ended. */
async function runWorkflow(world: ActionWorld, id: string, kills: boolean) {
  const plan = await runJob(world, id, { mode: "plan" });
  const { include } = JSON.parse(plan.outputs.get("matrix") ?? "") as { include: { shard: string }[] };
  let [killed, doubled] = [0, 0];
  await Promise.all(
    include.map(async ({ shard }, at) => {
      const dies = kills && (at === 0 || chance(`${id} ${shard} dies`) < 0.3);
      killed += dies ? 1 : 0;
      await new Promise((done) => setTimeout(done, 1_000 * chance(`${id} ${shard} waits`)));
      const job = { mode: "content", shard };
      const twice = !dies && (at === 1 || chance(`${id} ${shard} doubles`) < 0.2);
      doubled += twice ? 1 : 0;
      const killAt = dies ? 3 + Math.floor(20 * chance(`${id} ${shard} at`)) : undefined;
      await Promise.all([runJob(world, id, job, killAt), ...(twice ? [runJob(world, id, job)] : [])]);
    }),
  );
  const collect = await runJob(world, id, { mode: "collect" });
  world.github.checks.runs.set(`${id}.1`, "completed");
  return { shards: include.length, killed, doubled, collect };
}

test(`kills and doubled events, seed ${SEED}`, { timeout: 1_200_000 }, async () => {
  const items = Array.from({ length: COUNT }, (_, at) => [
    `content/item-${at}.md`,
    `# Item ${at}\n\n${ARTICLE}`,
  ]);
  const world = await createActionWorld(Object.fromEntries(items));
  world.modelTurn = (body: ApiBody) =>
    ({ delayMs: 300 * Math.random(), ...(writeDue(body) as object) }) as never;
  try {
    const first = await runWorkflow(world, "700", true);
    expect(first.shards).toBe(Math.ceil(COUNT / 20));
    expect(first.killed).toBeGreaterThan(0);
    const second = await runWorkflow(world, "701", false);
    expect(second.collect.exitCode, said(second.collect)).toBe(0);
    expect(ended(second.collect), said(second.collect)).toMatch(/^completed /);
    const files = await world.repository.git(
      "ls-tree",
      "-r",
      "--name-only",
      second.collect.outputs.get("branch") ?? "",
    );
    const kits = files.split("\n").filter((file) => file.endsWith("/writing-kit.json"));
    expect(kits).toHaveLength(COUNT);
    const refs = await world.repository.git("for-each-ref", "--format=%(refname)");
    expect(refs).not.toMatch(/shard|plan/);
    expect(await world.github.pullRequests()).toHaveLength(1);
    const again = world.model.requests.length - COUNT * STEPS;
    // Each of these shards may repeat its own part, and no other one anything.
    expect(again).toBeLessThanOrEqual((first.killed + first.doubled) * 20 * STEPS);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

// Sixteen shards as processes over one bare repository, for a minute: some are killed, the model and GitHub take their time,
// and the event comes twice. SIM_SEED replays a schedule, SIM_SECONDS makes it longer. Time passes 12 times as fast for the
// processes, so that the minute has twelve of the minutes in which six pushes are allowed; `work/divide.test.ts` shows the
// limit to the millisecond.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parseManifest } from "../../src/content/manifest.ts";
import { type ActionWorld, createActionWorld, ended, type Ran, said } from "../fakes/action-world.ts";
import { bundled } from "../fakes/bundle.ts";
import { fastClock } from "../fakes/fast-clock.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";

const SEED = process.env.SIM_SEED ?? "1";
const SECONDS = Number(process.env.SIM_SECONDS ?? 60);
const COUNT = Number(process.env.SIM_ITEMS ?? 310);
const RATE = 12;
const CONCURRENCY = 3;
const STEPS = 3;
const KITS = /\/(?:summary|ideas|writing-kit)\.json$/;

/** From 0 to 1, the same for the same seed and name. */
function chance(name: string): number {
  return createHash("sha256").update(`${SEED} ${name}`).digest().readUInt32BE() / 2 ** 32;
}

type Job = { mode: string; shard?: string };

class Simulation {
  readonly world: ActionWorld;
  readonly begun = Date.now();
  killed = 0;

  constructor(world: ActionWorld) {
    this.world = world;
  }

  say(text: string): void {
    console.log(`${((Date.now() - this.begun) / 1000).toFixed(1).padStart(5)} s  ${text}`);
  }

  /** One job of a run, and its post step; `killAfterMs` counts from its start. */
  async job(id: string, job: Job, killAfterMs?: number): Promise<Ran> {
    const { world } = this;
    const environment = {
      GITHUB_RUN_ID: id,
      GITHUB_JOB: job.mode,
      GITHUB_SERVER_URL: `file://${join(world.root, "served")}`,
      ...fastClock(RATE),
    };
    const during = async (child: { kill(signal: NodeJS.Signals): void }) => {
      if (killAfterMs === undefined) return;
      setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    };
    const event = { name: "schedule", payload: {} };
    const inputs = { ...job, concurrency: String(CONCURRENCY) };
    const ran = await world.run({ event, inputs, environment, during });
    // The run's other jobs go on.
    world.github.checks.runs.set(`${id}.1`, "in_progress");
    const name = `${id} ${job.mode} ${job.shard ?? ""}`;
    this.say(`${name}: ${ran.exitCode === null ? "killed" : ended(ran)}`);
    if (ran.exitCode === null) this.killed += 1;
    const post = await world.post(ran.state, environment);
    if (post.stdout + post.stderr !== "") this.say(`${name}: ${said(post).trim()}`);
    return ran;
  }

  /** Plan, shards side by side and what collects them. */
  async workflow(id: string, kills: boolean): Promise<{ shards: number; collect: Ran }> {
    const plan = await this.job(id, { mode: "plan" });
    const { include } = JSON.parse(plan.outputs.get("matrix") ?? "") as { include: { shard: string }[] };
    this.say(`${id} plan: ${include.length} shards`);
    await Promise.all(
      include.map(async ({ shard }) => {
        await new Promise((done) => setTimeout(done, 2_000 * chance(`${id} ${shard} waits`)));
        const dies = kills && chance(`${id} ${shard} dies`) < 0.4;
        const killAfterMs = dies ? 3_000 + 20_000 * chance(`${id} ${shard} at`) : undefined;
        await this.job(id, { mode: "content", shard }, killAfterMs);
      }),
    );
    const collect = await this.job(id, { mode: "collect" });
    this.world.github.checks.runs.set(`${id}.1`, "completed");
    return { shards: include.length, collect };
  }
}

/** A line for each push: its time and the refs that it moved. */
async function recordPushes(world: ActionWorld): Promise<() => Promise<{ at: number; refs: string[] }[]>> {
  const log = join(world.root, "pushes");
  await appendFile(log, "");
  await mkdir(join(world.repository.bare, "hooks"), { recursive: true });
  const script = `#!/bin/sh\necho "$(date +%s%3N) $(cut -d' ' -f2,3 | tr ' ' '=' | tr '\\n' ' ')" >> '${log}'\n`;
  await writeFile(join(world.repository.bare, "hooks/post-receive"), script, { mode: 0o755 });
  return async () =>
    (await readFile(log, "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.trim().split(" "))
      .map(([at, ...refs]) => ({ at: Number(at), refs }));
}

test(`kills, delays and doubled events over 16 shards, seed ${SEED}`, { timeout: 600_000 }, async () => {
  const items = Array.from({ length: COUNT }, (_, at) => [
    `content/item-${at}.md`,
    `# Item ${at}\n\n${ARTICLE}`,
  ]);
  const world = await createActionWorld(Object.fromEntries(items));
  const pushes = await recordPushes(world);
  let [asked, slow] = [0, 0];
  world.modelTurn = (body: ApiBody) => {
    asked += 1;
    return { delayMs: 600 + 2_400 * chance(`answer ${asked}`), ...(writeDue(body) as object) } as never;
  };
  world.github.onRequest = async () => {
    slow += 1;
    await new Promise((done) => setTimeout(done, 300 * chance(`request ${slow}`)));
  };
  const simulation = new Simulation(world);
  try {
    // The same event, delivered twice: two runs at once.
    const [first, again] = await Promise.all([
      simulation.workflow("700", true),
      new Promise((done) => setTimeout(done, 1_500)).then(() => simulation.workflow("701", true)),
    ]);
    expect(Math.max(first.shards, again.shards)).toBe(Math.ceil(COUNT / 20));
    let id = 702;
    while (Date.now() - simulation.begun < SECONDS * 1_000) await simulation.workflow(String(id++), true);
    expect(simulation.killed).toBeGreaterThan(0);
    const { collect } = await simulation.workflow(String(id), false);
    expect(collect.exitCode, said(collect)).toBe(0);
    const needed = COUNT * STEPS;
    const repeated = world.model.requests.length - needed;
    const all = await pushes();
    // What plan and collect push before and after the shards is counted by their own processes.
    const shards = all.filter(({ refs }) => refs.some((ref) => /^(?!0+=).*\.shard-/.test(ref)));
    expect(shards.length).toBeGreaterThan(simulation.killed);
    // Of three minutes, because a push that is a second late on a busy machine is a slot late on the fast clock.
    const inThreeMinutes = shards.map(
      ({ at }) => shards.filter((one) => one.at >= at && one.at < at + 180_000 / RATE).length,
    );
    simulation.say(
      `${needed} requests needed, ${repeated} repeated after ${simulation.killed} kills; ${all.length} pushes, by shards at most ${Math.max(...inThreeMinutes)} in three minutes`,
    );
    expect(repeated).toBeLessThanOrEqual(simulation.killed * CONCURRENCY);
    const branch = collect.outputs.get("branch") ?? "";
    await expectOnce(world, branch);
    const verify = [await bundled("cli"), "audit", "verify", branch.replace("looplia/", "")];
    const verified = await promisify(execFile)(process.execPath, verify, { cwd: world.repository.bare });
    expect(verified.stdout.match(/✓/g)).toHaveLength(COUNT);
    const refs = await world.repository.git("for-each-ref", "--format=%(refname)");
    expect(refs).not.toMatch(/shard|plan/);
    expect(await world.github.pullRequests()).toHaveLength(1);
    expect(Math.max(...inThreeMinutes)).toBeLessThanOrEqual(3 * 6);
    world.github.assertValid();
  } finally {
    await world.close();
  }
});

/** Every kit is there, and one commit of the branch added each of its files. */
async function expectOnce(world: ActionWorld, branch: string): Promise<void> {
  const { git } = world.repository;
  const log = await git("log", "--format=", "--name-status", "--no-renames", `main..${branch}`);
  const changes = log.split("\n").filter((line) => KITS.test(line));
  expect(changes.filter((line) => !line.startsWith("A"))).toEqual([]);
  expect(changes).toHaveLength(COUNT * STEPS);
  expect(new Set(changes).size).toBe(COUNT * STEPS);
  const files = (await git("ls-tree", "-r", "--name-only", branch)).split("\n");
  const sources = new Set<string>();
  for (const path of files.filter((file) => file.endsWith("/session.json"))) {
    const { manifest } = parseManifest(await git("show", `${branch}:${path}`), path);
    expect(Object.values(manifest.steps).every(({ status }) => status === "completed")).toBe(true);
    sources.add(manifest.source);
  }
  expect(sources.size).toBe(COUNT);
}

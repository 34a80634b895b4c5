// What the Action spends its time on: loading its libraries, setting up git, and a whole run.
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ActionWorld, createActionWorld, TOKEN } from "../test/fakes/action-world.ts";
import { ARTICLE } from "../test/fakes/kit-script.ts";
import { openRun } from "../test/fakes/state-run.ts";
import { bundleBenches } from "./bundle.ts";
import { type Surroundings, startNode } from "./child.ts";
import { type Figure, median } from "./report.ts";

const ROUNDS = 5;
const LIBRARIES = ["@actions/core", "Octokit with its plugins", "@actions/artifact"];

export async function benchActionParts({ folder }: Surroundings): Promise<Figure[]> {
  await bundleBenches(["load-library"], folder);
  const figures: Figure[] = [];
  for (const name of LIBRARIES) {
    const value = await medianOf(async () => {
      const { output } = await startNode([join(folder, "load-library/index.js"), name]).ended;
      return Number(output);
    });
    figures.push({ name: `Action: load ${name}`, value, unit: "ms" });
  }
  const setUp = await medianOf(() => inWorld((world) => timeGit(world, folder)));
  figures.push({ name: "Action: git clone, state and worktree", value: setUp, unit: "ms" });
  const runs: { toRequest: number; whole: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) runs.push(await inWorld(timeRun));
  figures.push({
    name: "Action: git processes of one item",
    value: await countGit(folder),
    unit: "",
    demand: 20,
  });
  return [
    ...figures,
    {
      name: "Action, start to first request",
      value: median(runs.map((run) => run.toRequest)),
      unit: "ms",
      demand: 350,
    },
    {
      name: "Action, one item to its pull request",
      value: median(runs.map((run) => run.whole)),
      unit: "ms",
      demand: 900,
    },
  ];
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  await measure();
  const values: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) values.push(await measure());
  return median(values);
}

async function inWorld<Result>(use: (world: ActionWorld) => Promise<Result>): Promise<Result> {
  const world = await createActionWorld({ "content/kettles.md": ARTICLE });
  try {
    return await use(world);
  } finally {
    await world.close();
  }
}

async function timeGit({ repository }: ActionWorld, folder: string): Promise<number> {
  const root = await mkdtemp(join(folder, "clone-"));
  const startedAt = performance.now();
  const { state, store } = await openRun(root, { name: "1.1", remote: repository.url, token: TOKEN });
  await state.openWorktree();
  const ms = performance.now() - startedAt;
  await store.close();
  return ms;
}

/** Counts with a `git` of its own in front of the real one. */
async function countGit(folder: string): Promise<number> {
  const tools = await mkdtemp(join(folder, "counting-"));
  const log = join(tools, "started");
  const script = `#!/bin/sh\necho >>'${log}'\nPATH=\${PATH#*:} exec git "$@"\n`;
  await writeFile(join(tools, "git"), script, { mode: 0o755 });
  await inWorld((world) => world.run({ environment: { PATH: `${tools}:${process.env.PATH}` } }));
  return (await readFile(log, "utf8")).split("\n").length - 1;
}

async function timeRun(world: ActionWorld): Promise<{ toRequest: number; whole: number }> {
  let startedAt = 0;
  const { exitCode, stderr } = await world.run({
    during: async () => {
      startedAt = performance.now();
    },
  });
  const endedAt = performance.now();
  const [request] = world.model.requests;
  if (exitCode !== 0 || !request) throw new Error(`The Action ended with ${exitCode}: ${stderr}`);
  return { toRequest: request.at - startedAt, whole: endedAt - startedAt };
}

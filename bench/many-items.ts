// A look at many unchanged items with kits: the command line against reading and hashing the same files.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { copyFinished } from "../test/fakes/finished-items.ts";
import { ROOT } from "./bundle.ts";
import type { Surroundings } from "./child.ts";
import { type Figure, median } from "./report.ts";

const ITEM = "content/six-minute-build.md";
const MORE_MS = 1_500;
const MOST_MB = 200;
const RATIO = 11;

/** 1,000 and 10,000 items of 5 kB. */
export async function benchManyItems({ script, folder, runs }: Surroundings): Promise<Figure[]> {
  const few = await measure(script, join(folder, "thousand"), 1_000, runs);
  const many = await measure(script, join(folder, "ten-thousand"), 10_000, Math.min(runs, 3));
  return [
    { name: "1,000 unchanged items", value: few.time, unit: "ms" },
    { name: "10,000 unchanged items", value: many.time, unit: "ms" },
    { name: "reading and hashing the same files", value: many.hashing, unit: "ms" },
    { name: "10,000 items, more than that", value: many.time - many.hashing, unit: "ms", demand: MORE_MS },
    { name: "10,000 : 1,000 items", value: many.time / few.time, unit: "times", demand: RATIO },
    { name: "memory for 10,000 items", value: many.memory, unit: "MB", demand: MOST_MB },
    ...(await measurePlan(script, join(folder, "fifty-thousand"))),
  ];
}

/** Many matching files that have no kits yet. */
async function measurePlan(script: string, root: string): Promise<Figure[]> {
  for (let number = 0; number < 50_000; number += 1) {
    const place = join(root, "content", String(number % 100));
    if (number < 100) await mkdir(place, { recursive: true });
    writeFileSync(join(place, `${number}.md`), `# Item ${number}\n\nWater boils in four minutes.\n`);
  }
  const { time, memory } = run(script, root, "plan", ["--content", "content/**/*.md"]);
  return [
    { name: "a plan over 50,000 new items", value: time, unit: "ms" },
    { name: "memory for it", value: memory, unit: "MB", demand: MOST_MB },
  ];
}

async function measure(script: string, root: string, count: number, runs: number) {
  await mkdir(join(root, "content"), { recursive: true });
  await cp(join(ROOT, "examples", ITEM), join(root, ITEM));
  run(script, root, "run", ["--file", ITEM]);
  await copyFinished(root, count);
  const rounds: { time: number; memory: number; hashing: number }[] = [];
  for (let round = 0; round < Math.min(runs, 5); round += 1) {
    const hashing = await hashAll(root);
    rounds.push({ hashing, ...run(script, root, "run", ["--content", "content/many/*.md"]) });
  }
  const of = (name: "time" | "memory" | "hashing") => median(rounds.map((round) => round[name]));
  return { time: of("time"), memory: of("memory"), hashing: of("hashing") };
}

/** Milliseconds from start to end, and the most memory that the process had. */
function run(
  script: string,
  root: string,
  command: "plan" | "run",
  flags: string[],
): { time: number; memory: number } {
  const tellMemory = "process.on('exit', () => console.error('maxRSS', process.resourceUsage().maxRSS))";
  const words = [
    "--import",
    `data:text/javascript,${encodeURIComponent(tellMemory)}`,
    script,
    command,
    ...flags,
  ];
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...words, "--provider", "offline", root], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`looplia run failed: ${stderr}`);
  return { time, memory: Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024 };
}

async function hashAll(root: string): Promise<number> {
  const start = performance.now();
  for (const below of ["content/many", ".looplia/contentItem"]) {
    const entries = await readdir(join(root, below), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      createHash("sha256")
        .update(readFileSync(join(entry.parentPath, entry.name)))
        .digest("hex");
    }
  }
  return performance.now() - start;
}

// `npm run bench`: each benchmark's figures beside what is demanded. Exit 1 when a demand is missed.
// BENCH_PEERS=<folder> also measures Claude Code and Codex, in turn.
// node bench/run.ts [--only <benchmark or the beginning of its name, as fleet>] [--script <path of the command line's bundle>] [--runs <number>]
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { benchActionParts } from "./action-parts.ts";
import { ROOT } from "./bundle.ts";
import type { Surroundings } from "./child.ts";
import { benchFirstRequest } from "./first-request.ts";
import { benchMany, benchRequests, benchStored, benchUnchanged } from "./fleet.ts";
import { benchHtmlReport } from "./html-report.ts";
import { benchIsolation } from "./isolation.ts";
import { benchLongSession } from "./long-session.ts";
import { benchManyItems } from "./many-items.ts";
import { benchPeers } from "./peers.ts";
import { benchPrograms } from "./programs.ts";
import { benchRedaction } from "./redaction.ts";
import { type Figure, formatTable, isMissed } from "./report.ts";
import { benchResumeFromRef } from "./resume-from-ref.ts";
import { benchStartUp } from "./start-up.ts";
import { benchStateRef } from "./state-ref.ts";
import { benchTodo } from "./todo.ts";

const BENCHMARKS = new Map<string, (around: Surroundings) => Promise<Figure[]>>([
  ["start-up", benchStartUp],
  ["peers", benchPeers],
  ["action-parts", benchActionParts],
  ["long-session", benchLongSession],
  ["isolation", benchIsolation],
  ["redaction", benchRedaction],
  ["first-request", benchFirstRequest],
  ["programs", benchPrograms],
  ["to-do", benchTodo],
  ["many-items", benchManyItems],
  ["fleet-stored", benchStored],
  ["fleet-many", benchMany],
  ["fleet-requests", benchRequests],
  ["fleet-unchanged", benchUnchanged],
  ["report", benchHtmlReport],
  ["state-ref", benchStateRef],
  ["resume-from-ref", benchResumeFromRef],
]);

const { values } = parseArgs({
  options: { only: { type: "string" }, script: { type: "string" }, runs: { type: "string" } },
});
const script = resolve(values.script ?? join(ROOT, "dist/cli/index.js"));
const { only } = values;
const isChosen = (name: string) => only === undefined || name === only || name.startsWith(`${only}-`);
const chosen = [...BENCHMARKS].filter(([name]) => isChosen(name));
if (chosen.length === 0)
  throw new Error(`There is no benchmark ${only}: ${[...BENCHMARKS.keys()].join(", ")}.`);
if (!existsSync(script)) throw new Error(`There is no bundle ${script}: run \`npm run bundle\` first.`);

const folder = await mkdtemp(join(tmpdir(), "looplia-bench-"));
const figures: Figure[] = [];
try {
  for (const [name, bench] of chosen) {
    console.error(`${name} …`);
    const measured = await bench({ script, folder, runs: Number(values.runs ?? 15) });
    // At once, because a run of all of them takes long and may be ended.
    console.error(formatTable(measured));
    figures.push(...measured);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`Node ${process.version}, ${process.platform}\n`);
console.log(formatTable(figures));
process.exitCode = figures.some(isMissed) ? 1 : 0;

// A session of a thousand turns: own time a turn against a bare loop, peak memory, and how soon it goes on.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startMessagesApi } from "../test/fakes/messages-api.ts";
import { bundleBenches } from "./bundle.ts";
import { peakMemory, providerAt, type Surroundings, startNode } from "./child.ts";
import { type Figure, mean, median } from "./report.ts";
import { ITEM, ITEM_TEXT, type LoopReport } from "./turns.ts";

const TURNS = 1_000;
const WINDOW = 100;
const PAIRS = 3;
const LIMITS = { differenceMs: 10, growth: 1.5, growthMs: 2, memoryMb: 120, resumeMs: 1_000 };

export async function benchLongSession({ script, folder, runs }: Surroundings): Promise<Figure[]> {
  await bundleBenches(["scripted-session", "bare-loop"], folder);
  const install = dirname(dirname(dirname(script)));
  const session = join(folder, "scripted-session/index.js");
  const pairs: { own: LoopReport; bare: LoopReport; root: string }[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const root = await createRepository(folder);
    const bare = await runLoop([join(folder, "bare-loop/index.js"), root, String(TURNS)]);
    const own = await runLoop([session, install, root, String(TURNS)]);
    if (own.requestedAt.length !== TURNS || bare.requestedAt.length !== TURNS) {
      throw new Error(`${own.requestedAt.length} and ${bare.requestedAt.length} turns instead of ${TURNS}.`);
    }
    pairs.push({ own, bare, root });
  }
  const [first] = pairs;
  if (!first) throw new Error("No session was run.");
  const { root, own } = first;
  const opened = await runLoop([session, install, root, String(TURNS + 1), own.sessionId]);
  const resumed = await resumeFromOutside([script, "run", "--session-id", own.sessionId, root], runs);
  return [
    ...turnFigures(pairs),
    {
      name: "peak memory of that session",
      value: median(pairs.map((pair) => pair.own.peakMb)),
      unit: "MB",
      demand: LIMITS.memoryMb,
    },
    {
      name: "peak memory of the bare loop",
      value: median(pairs.map((pair) => pair.bare.peakMb)),
      unit: "MB",
    },
    {
      name: "resume, start of process to next request",
      value: resumed.ms,
      unit: "ms",
      demand: LIMITS.resumeMs,
    },
    {
      name: "resume, open to next request",
      value: (opened.requestedAt[0] ?? Number.NaN) - opened.startedAt,
      unit: "ms",
    },
    { name: "peak memory until that request", value: resumed.peakMb, unit: "MB", demand: LIMITS.memoryMb },
  ];
}

async function createRepository(folder: string): Promise<string> {
  const root = await mkdtemp(join(folder, "repository-"));
  await mkdir(dirname(join(root, ITEM)), { recursive: true });
  await writeFile(join(root, ITEM), ITEM_TEXT);
  return root;
}

async function runLoop(words: string[]): Promise<LoopReport> {
  const { code, output } = await startNode(words).ended;
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}: ${output}`);
  return JSON.parse(output);
}

/** Means over a window of turns, medians over the pairs. */
function turnFigures(pairs: readonly { own: LoopReport; bare: LoopReport }[]): Figure[] {
  const meanTurn = (report: LoopReport, from: number, to: number) => {
    const times = report.requestedAt.slice(1).map((at, turn) => at - (report.requestedAt[turn] ?? 0));
    return mean(times.slice(from, to));
  };
  const difference = (from: number, to?: number) =>
    median(
      pairs.map(({ own, bare }) => meanTurn(own, from, to ?? TURNS) - meanTurn(bare, from, to ?? TURNS)),
    );
  const first = difference(0, WINDOW);
  const last = difference(TURNS - 1 - WINDOW);
  const bareTurn = median(pairs.map(({ bare }) => meanTurn(bare, 0, TURNS)));
  return [
    { name: "bare loop with the same history and fsync, a turn", value: bareTurn, unit: "ms" },
    { name: "own time a turn above it", value: difference(0), unit: "ms", demand: LIMITS.differenceMs },
    { name: "the same, first hundred turns", value: first, unit: "ms" },
    {
      name: "the same, last hundred turns",
      value: last,
      unit: "ms",
      demand: Math.max(first * LIMITS.growth, first + LIMITS.growthMs),
    },
  ];
}

/** Goes on with the session through the command line. The refused request leaves it as it was for the next time. */
async function resumeFromOutside(words: string[], runs: number): Promise<{ ms: number; peakMb: number }> {
  const peaks: number[] = [];
  let pid = 0;
  const api = await startMessagesApi(
    async () => {
      peaks.push(await peakMemory(pid));
      return { status: 400, message: "enough" };
    },
    { keep: 1 },
  );
  const times: number[] = [];
  try {
    for (let round = 0; round <= runs; round += 1) {
      const child = startNode(
        [...words, "--provider", "anthropic", "--max-turns", String(TURNS * 2)],
        providerAt(api.url),
      );
      pid = child.pid;
      const { output } = await child.ended;
      if (peaks.length <= round) throw new Error(`The session did not go on: ${output}`);
      if (round > 0) times.push((api.requests.at(-1)?.at ?? Number.NaN) - child.startedAt);
    }
    api.assertDone();
  } finally {
    await api.close();
  }
  return { ms: median(times), peakMb: Math.max(...peaks) };
}

// From the start of a process to its first model request: the command line against the bare SDK, in turn.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { type MessagesApi, startMessagesApi } from "../test/fakes/messages-api.ts";
import { bundleBenches, ROOT } from "./bundle.ts";
import { providerAt, type Surroundings, startNode } from "./child.ts";
import { type Figure, median } from "./report.ts";

const ITEM = "content/six-minute-build.md";
const RATIO = 1.3;

export async function benchStartUp({ script, folder, runs }: Surroundings): Promise<Figure[]> {
  await bundleBenches(["bare-sdk"], folder);
  const repository = join(folder, "repository");
  await cp(join(ROOT, "examples"), repository, { recursive: true });
  const bare = [join(folder, "bare-sdk/index.js"), join(repository, ITEM)];
  const cli = [script, "run", "--file", ITEM, "--provider", "anthropic", repository];
  const times = { bare: [] as number[], cli: [] as number[] };
  for (let round = 0; round <= runs; round += 1) {
    const measured = { bare: await timeFirstRequest(bare), cli: await timeFirstRequest(cli) };
    if (round === 0) continue;
    times.bare.push(measured.bare);
    times.cli.push(measured.cli);
  }
  const [cliTime, bareTime] = [median(times.cli), median(times.bare)];
  return [
    { name: "bare SDK, start to first request", value: bareTime, unit: "ms" },
    { name: "command line, start to first request", value: cliTime, unit: "ms" },
    { name: "command line : bare SDK", value: cliTime / bareTime, unit: "times", demand: RATIO },
  ];
}

/** Milliseconds from before the process is started until its first request is there as a whole. */
export async function timeFirstRequest(words: string[]): Promise<number> {
  let arrived: () => void = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const api: MessagesApi = await startMessagesApi(() => {
    arrived();
    return { content: "", hangAfter: 0 };
  });
  try {
    const child = startNode(words, providerAt(api.url));
    await Promise.race([arrival, child.ended]);
    const [request] = api.requests;
    if (!request) throw new Error(`No request: ${(await child.ended).output}`);
    process.kill(child.pid, "SIGKILL");
    await child.ended;
    api.assertDone();
    return request.at - child.startedAt;
  } finally {
    await api.close();
  }
}

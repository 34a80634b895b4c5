// From the start of a process to its first model request: the command line against the bare SDK, in turn.
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startMessagesApi } from "../test/fakes/messages-api.ts";
import { startOpenAIApi } from "../test/fakes/openai-api.ts";
import { bundleBenches, ROOT } from "./bundle.ts";
import { providerAt, type Surroundings, startNode } from "./child.ts";
import { type Figure, median } from "./report.ts";

const ITEM = "content/six-minute-build.md";
/** The start without any cache of compiled code. */
const RATIO = 1.6;
/** Providers are equally fast, but for the noise. */
const AS_FAST = 1.15;

/**
 * Once with only an article, once with settings, a profile and front matter. The command line and the bare SDK are each
 * measured with Node's compile cache and without it.
 */
export async function benchStartUp({ script, folder, runs }: Surroundings): Promise<Figure[]> {
  await bundleBenches(["bare-sdk"], folder);
  const full = join(folder, "repository");
  const alone = join(folder, "alone");
  await cp(join(ROOT, "examples"), full, { recursive: true });
  await mkdir(join(alone, "content"), { recursive: true });
  const article = await readFile(join(full, ITEM), "utf8");
  await writeFile(join(alone, ITEM), article.replace(/^---\n[\s\S]*?\n---\n/, ""));
  const run = (repository: string) => [script, "run", "--file", ITEM, "--provider", "anthropic", repository];
  const kept = { HOME: folder };
  for (const repository of [alone, full]) await runToItsEnd(run(repository), kept);
  const bareSdk = [join(folder, "bare-sdk/index.js"), join(full, ITEM)];
  const cached = { ...kept, NODE_COMPILE_CACHE: join(folder, "node-cache") };
  await runToItsEnd(bareSdk, cached);
  const commands: [words: string[], environment: Record<string, string>][] = [
    [bareSdk, kept],
    [run(alone), kept],
    [run(full), kept],
    [run(alone), {}],
    [bareSdk, cached],
    [[script, "run", "--file", ITEM, "--provider", "openai", alone], kept],
  ];
  const times: number[][] = commands.map(() => []);
  for (let round = 0; round <= runs; round += 1) {
    for (const [at, [words, environment]] of commands.entries()) {
      const time = await timeFirstRequest(words, environment);
      if (round > 0) times[at]?.push(time);
    }
  }
  const [bare = 0, aloneTime = 0, fullTime = 0, first = 0, bareCached = 0, openai = 0] = times.map(median);
  return [
    { name: "bare SDK, start to first request", value: bare, unit: "ms" },
    { name: "bare SDK, with Node's compile cache", value: bareCached, unit: "ms" },
    { name: "command line, an article alone, with Node's compile cache", value: aloneTime, unit: "ms" },
    { name: "command line, with settings and profile as well", value: fullTime, unit: "ms" },
    { name: "command line, an article alone, without a cache", value: first, unit: "ms" },
    { name: "the same : bare SDK", value: first / bare, unit: "times", demand: RATIO },
    { name: "command line, the same article, provider openai", value: openai, unit: "ms" },
    {
      name: "provider openai : provider anthropic",
      value: openai / aloneTime,
      unit: "times",
      demand: AS_FAST,
    },
  ];
}

/** What was compiled is there for the next start when a process has ended by itself: here because every request is refused. */
async function runToItsEnd(words: string[], environment: Record<string, string>): Promise<void> {
  const api = await startMessagesApi(() => ({ status: 400, message: "Not now." }));
  try {
    await startNode(words, { ...providerAt(api.url), ...environment }).ended;
  } finally {
    await api.close();
  }
}

/** Milliseconds from before the process is started until its first request is there as a whole. */
export async function timeFirstRequest(
  words: string[],
  environment: Record<string, string> = {},
): Promise<number> {
  let arrived: () => void = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const script = () => {
    arrived();
    return { content: "", hangAfter: 0 };
  };
  const isOpenAI = words.includes("openai");
  const api = isOpenAI ? await startOpenAIApi(script) : await startMessagesApi(script);
  const openai = { OPENAI_API_KEY: "sk-bench", OPENAI_BASE_URL: api.url, LOOPLIA_MODEL: "m" };
  try {
    const access = isOpenAI ? openai : providerAt(api.url);
    const child = startNode(words, { ...access, ...environment });
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

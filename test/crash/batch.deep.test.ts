// `batch: true`, killed with SIGKILL before and after its effects: no request is ever paid for twice, and every artifact
// is made. CRASH_ALL=1 tries every point, else all requests to the service and CRASH_COUNT others by CRASH_SEED.
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";
import { answerBatch } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { type MessagesApi, startMessagesApi } from "../fakes/messages-api.ts";
import { type CrashPoint, choosePoints, parseEffects, runWords } from "./trial.ts";

const SEED = process.env.CRASH_SEED ?? "1";
const COUNT = process.env.CRASH_ALL ? Number.POSITIVE_INFINITY : Number(process.env.CRASH_COUNT ?? 4);
const ITEMS = ["one", "two"];

type World = {
  api: MessagesApi;
  run(crash?: Record<string, string>): ReturnType<typeof runWords>;
  folder: string;
};

async function inWorld<T>(work: (world: World) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "crash-batch-")));
  const repository = join(folder, "repository");
  const api = await startMessagesApi(answerBatch);
  const script = await bundled("cli");
  const keys = { ANTHROPIC_API_KEY: "sk-ant-0123456789", ANTHROPIC_BASE_URL: api.url };
  try {
    await mkdir(join(repository, "content"), { recursive: true });
    for (const name of ITEMS)
      await writeFile(join(repository, `content/${name}.md`), `${ARTICLE}\n${name}\n`);
    await writeFile(
      join(repository, "looplia.yml"),
      "content: content/*.md\nbatch: true\nmax-month-cost-usd: 9\n",
    );
    const words = ["run", "--output", "summary", "--json", repository];
    return await work({
      api,
      folder: repository,
      run: (crash) => runWords(script, repository, words, { ...keys, ...crash }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await api.close();
  }
}

/** The effects of the run that sends, and of the one that collects. */
async function listEffects() {
  return inWorld(async ({ api, run, folder }) => {
    const lists = ["sends", "collects"].map((name) => join(folder, "..", name));
    const [sends = "", collects = ""] = lists;
    expect((await run({ CRASH_LIST: sends })).code).toBe(3);
    await api.batches.end();
    expect((await run({ CRASH_LIST: collects })).code).toBe(0);
    return lists.map((list) => parseEffects(readFileSync(list, "utf8")));
  });
}

/** Runs until all is done; the run of that number is killed at the point. What is wrong, one sentence each. */
async function tryPoint(killed: number, { effect, when }: CrashPoint): Promise<string[]> {
  return inWorld(async ({ api, run, folder }) => {
    for (let runs = 0; runs < 8; runs += 1) {
      const isKilled = runs === killed;
      const ran = await run(isKilled ? { CRASH_AT: `${effect.index}:${when}` } : {});
      if (isKilled && ran.signal !== "SIGKILL") return [`was not killed (exit ${ran.code})`];
      if (ran.code === 0) return problemsOf(api, await artifactsIn(folder));
      if (!isKilled && ran.code !== 3) return [`exit ${ran.code}: ${ran.stderr.slice(-800)}`];
      if (!isKilled) await api.batches.end();
    }
    return ["never came to an end"];
  });
}

function problemsOf({ batches, requests }: MessagesApi, made: string[]): string[] {
  const sent = batches.all.flatMap(({ entries }) => entries.map(({ custom_id }) => custom_id));
  return [
    ...(sent.length + requests.length === ITEMS.length
      ? []
      : [`${sent.length} + ${requests.length} requests`]),
    ...(made.length === ITEMS.length ? [] : [`${made.length} summaries`]),
  ];
}

async function artifactsIn(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, ".looplia/contentItem"), { recursive: true });
  return files.filter((file) => file.endsWith("summary.json"));
}

test(`a batch is paid once, wherever a run is killed (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const lists = await listEffects();
  const kinds = lists.flat().map(({ kind, place }) => `${kind} ${place}`);
  expect(kinds.filter((kind) => kind.includes("/v1/messages/batches")).length).toBeGreaterThanOrEqual(3);
  for (const [killed, effects] of lists.entries()) {
    const isAsked = ({ effect }: CrashPoint) => effect.place.includes("/v1/messages/batches");
    const all = choosePoints(effects);
    const others = choosePoints(
      effects.filter(({ place }) => !place.includes("batches")),
      { seed: SEED, count: COUNT },
    );
    for (const point of [...all.filter(isAsked), ...others]) {
      const { index, kind, place } = point.effect;
      expect(await tryPoint(killed, point), `run ${killed}: ${point.when} ${index} ${kind} ${place}`).toEqual(
        [],
      );
    }
  }
});

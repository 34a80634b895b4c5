// `batch: true` over the bundle: waves of requests at half price, collected by later runs.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { INJECTOR } from "../crash/trial.ts";
import { createActionWorld, ended, said } from "../fakes/action-world.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { answerBatch } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { type MessagesApi, startMessagesApi } from "../fakes/messages-api.ts";

const COUNT = 5;
const items = Object.fromEntries(
  Array.from({ length: COUNT }, (_, at) => [
    `content/item-${at}.md`,
    ARTICLE.replace("Kettles and", `No ${at} and`),
  ]),
);

type Item = { status: string; reasonCode: string; usage: { costUsd: number } };

async function createWorld(settings = "", count = COUNT) {
  const api = await startMessagesApi(answerBatch);
  onTestFinished(() => api.close());
  const world = await makeCliWorld({
    ...Object.fromEntries(Object.entries(items).slice(0, count)),
    "looplia.yml": `content: content/item-*.md\nbatch: true\n${settings}`,
  });
  onTestFinished(() => rm(world.folder, { recursive: true, force: true }));
  const environment = { ANTHROPIC_API_KEY: "sk-ant-0123456789", ANTHROPIC_BASE_URL: api.url };
  const run = async (...words: string[]) => {
    const ran = await world.run(["run", "--json", ...words], environment);
    const told = JSON.parse(ran.stdout) as Item | Item[];
    return { ...ran, items: Array.isArray(told) ? told : [told] };
  };
  const kits = async () =>
    [...(await world.files(".looplia/contentItem")).keys()].filter((path) =>
      path.endsWith("/writing-kit.json"),
    );
  return { api: Object.assign(api, { environment }), world, run, kits };
}

/** Dollars for everything that batches answered: half of the list price of the default model. */
function halfPrice({ batches }: MessagesApi): number {
  const list = {
    input_tokens: 2,
    output_tokens: 10,
    cache_read_input_tokens: 0.1,
    cache_creation_input_tokens: 2.5,
  };
  const answers = batches.all.flatMap(({ results }) => results ?? []).map(({ result }) => result);
  const usages = answers.map(
    (result) => (result as { message: { usage: Record<string, number> } }).message.usage,
  );
  const priceOf = (usage: Record<string, number>) =>
    Object.entries(list).reduce((sum, [kind, price]) => sum + (usage[kind] ?? 0) * price, 0);
  return usages.reduce((sum, usage) => sum + priceOf(usage), 0) / 2 / 1_000_000;
}

test("three waves make all kits, at half the price of the same requests", { timeout: 120_000 }, async () => {
  const { api, world, run, kits } = await createWorld();
  for (const wave of [1, 2, 3]) {
    const ran = await run();
    expect([ran.code, ran.stderr.match(/sent .* as batch/g)], ran.stderr).toEqual([
      3,
      ["sent 5 requests as batch"],
    ]);
    expect(new Set(ran.items.map(({ status, reasonCode }) => `${status} ${reasonCode}`))).toEqual(
      new Set(["waiting batch"]),
    );
    expect(api.batches.all).toHaveLength(wave);
    const again = await run();
    expect(again.code).toBe(3);
    expect(api.batches.all, "nothing is sent twice").toHaveLength(wave);
    await api.batches.end();
  }
  const last = await run();
  expect(last.code, last.stderr).toBe(0);
  expect(await kits()).toHaveLength(COUNT);
  expect(api.requests, "nothing is sent by itself").toHaveLength(0);
  const entries = api.batches.all.flatMap((batch) => batch.entries);
  expect(new Set(entries.map(({ custom_id }) => custom_id)).size).toBe(3 * COUNT);
  for (const { params } of entries) {
    expect(params).not.toHaveProperty("tools");
    expect(params.output_config).toHaveProperty("format.type", "json_schema");
  }
  const told = last.items.reduce((sum, { usage }) => sum + usage.costUsd, 0);
  expect(told).toBeCloseTo(halfPrice(api), 8);
  const done = await run();
  expect([done.code, new Set(done.items.map(({ reasonCode }) => reasonCode))]).toEqual([
    0,
    new Set(["up-to-date"]),
  ]);
  expect((await world.run(["status"])).code).toBe(0);
});

test("expired and errored entries are sent one by one", {
  timeout: 120_000,
}, async () => {
  const { api, run } = await createWorld();
  await run("--output", "summary");
  await api.batches.end((_, index) => (["expired", "errored"] as const)[index] ?? "succeeded");
  const ran = await run("--output", "summary");
  expect(ran.code, ran.stderr).toBe(0);
  expect(api.requests).toHaveLength(2);
  expect(api.batches.all).toHaveLength(1);
});

test("a batch whose acknowledgement was lost is adopted, whatever else is in the account", {
  timeout: 120_000,
}, async () => {
  const { api, run } = await createWorld();
  api.batches.loseNextAnswer();
  const first = await run("--output", "summary");
  expect(first.code, first.stderr).toBe(1);
  api.batches.addForeign(COUNT);
  const second = await run("--output", "summary");
  expect(second.code, second.stderr).toBe(3);
  expect(
    api.batches.all.filter(({ id }) => !id.includes("foreign")),
    "the lost one is waited for",
  ).toHaveLength(1);
  await api.batches.end();
  const third = await run("--output", "summary");
  expect(third.code, third.stderr).toBe(0);
  expect(api.batches.all).toHaveLength(2);
  expect(api.requests).toHaveLength(0);
});

test("an item that changes while its batch is under way is sent again as it is now, and the old reply is dropped", {
  timeout: 120_000,
}, async () => {
  const { api, world, run } = await createWorld();
  await run("--output", "summary");
  const item = join(world.folder, "content/item-0.md");
  await writeFile(item, items["content/item-0.md"]?.replaceAll("kettle", "samovar") ?? "");
  await api.batches.end();
  const second = await run("--output", "summary");
  expect([second.code, api.batches.all.map(({ entries }) => entries.length)], second.stderr).toEqual([
    3,
    [COUNT, 1],
  ]);
  expect(JSON.stringify(api.batches.all[1]?.entries)).toContain("samovar");
  await api.batches.end();
  const third = await run("--output", "summary");
  expect(third.code, third.stderr).toBe(0);
  const last = await run("--output", "summary");
  expect([last.code, api.batches.all.length, api.requests.length]).toEqual([0, 2, 0]);
  // Nobody waits for the reply to what the item was: later runs do not read it again.
  expect(last.stderr).not.toContain("has ended with");
});

test("two runs at once after a batch has ended: each reply is taken once", { timeout: 120_000 }, async () => {
  const { api, run, kits } = await createWorld();
  for (const _ of [1, 2, 3]) {
    await run();
    await api.batches.end();
    await Promise.all([run(), run()]);
    await api.batches.end();
  }
  const last = await run();
  expect(last.code, last.stderr).toBe(0);
  expect(await kits()).toHaveLength(COUNT);
  const sent = api.batches.all.flatMap(({ entries }) => entries.map(({ custom_id }) => custom_id));
  expect([sent.length, new Set(sent).size, api.requests.length]).toEqual([3 * COUNT, 3 * COUNT, 0]);
});

test("killed before and after each request to the service: nothing is paid twice, and every kit ends", {
  timeout: 400_000,
}, async () => {
  const trial = async (wave: number, crash: Record<string, string>) => {
    const { api, world, run, kits } = await createWorld("", 2);
    const injected = {
      NODE_OPTIONS: `--import ${INJECTOR}`,
      CRASH_FOLDERS: world.folder,
      CRASH_ONLY: "^fetch ",
    };
    for (let at = 1; at <= wave; at += 1) {
      await run();
      await api.batches.end();
    }
    const killed = await world.run(["run"], { ...api.environment, ...injected, ...crash });
    if ("CRASH_LIST" in crash) return killed.code;
    expect(killed.code, killed.stderr).toBe(null);
    for (let runs = 0; (await run()).code === 3 && runs < 9; runs += 1) await api.batches.end();
    expect(await kits()).toHaveLength(2);
    const sent = api.batches.all.flatMap(({ entries }) => entries.map(({ custom_id }) => custom_id));
    expect([sent.length, new Set(sent).size, api.requests.length], JSON.stringify(crash)).toEqual([6, 6, 0]);
    return killed.code;
  };
  const folder = await mkdtemp(join(tmpdir(), "batch-crash-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let points = 0;
  for (const wave of [0, 1]) {
    const list = join(folder, String(wave));
    await trial(wave, { CRASH_LIST: list });
    const effects = (await readFile(list, "utf8")).trimEnd().split("\n");
    for (const effect of effects) {
      for (const when of ["before", "after"]) {
        await trial(wave, { CRASH_AT: `${effect.split("\t")[0]}:${when}` });
        points += 1;
      }
    }
  }
  // Send; then look, read the replies, send.
  expect(points).toBe(8);
});

test("a refused batch is told, and the next run sends it again", { timeout: 120_000 }, async () => {
  const { api, run } = await createWorld();
  api.batches.refuseNext(402);
  const refused = await run("--output", "summary");
  expect(refused.code).toBe(1);
  expect(refused.stderr + refused.stdout).toMatch(/no credit/);
  expect((await run("--output", "summary")).code).toBe(3);
  expect(api.batches.all).toHaveLength(1);
});

test("a month's limit holds: a wave reserves estimates, and only its real cost stays", {
  timeout: 120_000,
}, async () => {
  // One request reserves at most $0.17: two of five fit in.
  const { api, world, run } = await createWorld("max-month-cost-usd: 0.4\n");
  const first = await run("--output", "summary");
  expect(first.code, first.stderr).toBe(3);
  const sent = api.batches.all[0]?.entries.length ?? 0;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(COUNT);
  let runs = 0;
  let last = first;
  for (; last.code === 3 && runs < 9; runs += 1) {
    await api.batches.end();
    last = await run("--output", "summary");
  }
  expect(last.stderr).toMatch(/max-month-cost-usd: \d{4}-\d\d: \$0\.\d\d of \$0\.40/);
  expect(runs).toBeLessThan(9);
  const [ledger] = [...(await world.files(".looplia/state/budget")).entries()].sort().reverse();
  const month = Object.values(JSON.parse(ledger?.[1] ?? "").months)[0] as {
    spentUsd: number;
    leases: object;
  };
  expect(month.leases).toEqual({});
  expect(month.spentUsd).toBeCloseTo(halfPrice(api), 6);
});

test("a provider without batches refuses the setting", { timeout: 60_000 }, async () => {
  const { world } = await createWorld();
  await writeFile(
    join(world.folder, "looplia.yml"),
    "content: content/item-*.md\nbatch: true\nprovider: openai\n",
  );
  const ran = await world.run(["run"], { OPENAI_API_KEY: "sk-0123456789" });
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining("batch: the provider openai does not support batches"),
  ]);
});

test("on a runner: green while the batch is under way, and each wave is recorded in the state before it is sent", {
  timeout: 120_000,
}, async () => {
  const world = await createActionWorld({ ...items, "looplia.yml": "batch: true\n" });
  onTestFinished(() => world.close());
  world.modelTurn = answerBatch;
  for (const wave of [1, 2, 3]) {
    const ran = await world.run();
    expect([ran.exitCode, ended(ran)], said(ran)).toEqual([0, "waiting batch"]);
    expect(world.model.batches.all).toHaveLength(wave);
    const idle = await world.run();
    expect(ended(idle), said(idle)).toBe("waiting batch");
    expect(world.model.batches.all).toHaveLength(wave);
    await world.model.batches.end();
  }
  const last = await world.run();
  expect([last.exitCode, ended(last)], said(last)).toEqual([0, "completed done"]);
  const files = await world.repository.git("ls-tree", "-r", "--name-only", last.outputs.get("branch") ?? "");
  expect(files.split("\n").filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(COUNT);
  expect(world.model.requests).toHaveLength(0);
  expect(await world.github.pullRequests()).toHaveLength(1);
  world.github.assertValid();
});

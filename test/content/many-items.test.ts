// Many items: what a run over them reads grows with their number, never with its square.

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ContentSettings } from "../../src/content/ports.ts";
import type { Model, Workspace } from "../../src/core/ports.ts";
import type { RunResult } from "../../src/core/result.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { copyFinished } from "../fakes/finished-items.ts";
import { ARTICLE, kitModel } from "../fakes/kit-script.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const PROFILE = JSON.stringify({
  userId: "u",
  topics: [{ topic: "tea", interestLevel: 3 }],
  style: { tone: "expert", targetWordCount: 500, voice: "instructional" },
});

const NOBODY = () => new ScriptedModel([]);

/** A world with one real kit, and `count` copies of it. */
async function createMany(count: number): Promise<{ world: ContentWorld; sources: string[] }> {
  const world = await createContentWorld({ "content/kettle.md": ARTICLE });
  expect((await runOver(world, ["content/kettle.md"], kitModel())).status).toBe("completed");
  return { world, sources: await copyFinished(world.root, count) };
}

function runOver(
  world: ContentWorld,
  sources: string[],
  model = NOBODY(),
  more: { settings?: Partial<ContentSettings>; workspace?: (real: Workspace) => Workspace } = {},
): Promise<RunResult> {
  return world.run({ kind: "items", workId: "writing-kit-abc123", key: "k", sources }, model, more);
}

/** What a run over unchanged items asks of the disk. */
async function countLooks(count: number): Promise<{ reads: number; listings: number; hashed: number }> {
  const { world, sources } = await createMany(count);
  const looks = { reads: 0, listings: 0, hashed: 0 };
  const counting = (real: Workspace): Workspace => ({
    ...real,
    read(path) {
      looks.reads += 1;
      return real.read(path);
    },
    list(folder) {
      looks.listings += 1;
      return real.list(folder);
    },
    hashSeveral(folder, names) {
      looks.hashed += 1;
      return real.hashSeveral(folder, names);
    },
  });
  const result = await runOver(world, sources, NOBODY(), { workspace: counting });
  expect(result.items.map(({ reasonCode }) => reasonCode)).toEqual(sources.map(() => "up-to-date"));
  return looks;
}

test("unchanged items cost one listing, and each the same few reads", { timeout: 60_000 }, async () => {
  const few = await countLooks(110);
  const more = await countLooks(220);
  expect(few.listings).toBe(1);
  expect(more.listings).toBe(1);
  // The manifest once more, and one look at the whole folder.
  expect(more.reads - few.reads).toBe(110);
  expect(more.hashed - few.hashed).toBe(110);
});

test("beyond the hundredth item only what is new, changed or damaged runs", { timeout: 60_000 }, async () => {
  const { world, sources } = await createMany(106);
  const [changed = "", edited = "", gone = ""] = sources.slice(-3);
  await world.write(changed, `${await world.read(changed)}\nOne line more.\n`);
  const session = (source: string) =>
    `.looplia/contentItem/${source.slice(13, 23)}-2026-11-20-${Number(source.slice(18, 23)).toString(16).padStart(6, "0")}`;
  await world.write(`${session(edited)}/ideas.json`, "{}");
  await rm(join(world.root, session(gone), "outline.json"));
  const result = await runOver(world, sources, NOBODY(), { settings: { dryRun: true } });
  const due = result.items.filter(({ reasonCode }) => reasonCode !== "up-to-date");
  expect(due.map(({ source, steps }) => [source, steps.map(({ reason }) => reason)])).toMatchObject([
    [changed, Array(4).fill("the source changed")],
    [
      edited,
      [
        "up to date",
        expect.stringContaining("its file is not valid"),
        expect.any(String),
        expect.any(String),
      ],
    ],
    [gone, ["up to date", "up to date", "its file is missing", "needs outline, which runs again"]],
  ]);
});

test("a renamed item goes on in its session, whose manifest says the new name", async () => {
  const { world, sources } = await createMany(2);
  const [first = "", second = ""] = sources;
  await rename(join(world.root, first), join(world.root, "content/many/other name.md"));
  const before = await sessionsOf(world);
  const result = await runOver(world, ["content/many/other name.md", second]);
  expect(result.items.map(({ sessionId, status }) => [sessionId, status])).toEqual([
    ["item-00001-2026-11-20-000001", "completed"],
    ["item-00002-2026-11-20-000002", "completed"],
  ]);
  expect(await sessionsOf(world)).toEqual(before);
  const manifest = await world.read(".looplia/contentItem/item-00001-2026-11-20-000001/session.json");
  expect(JSON.parse(manifest).source).toBe("content/many/other name.md");
});

test("a copy of an item is no rename: it has a session of its own", async () => {
  const { world, sources } = await createMany(1);
  const [first = ""] = sources;
  const copy = "content/many/copy.md";
  await writeFile(join(world.root, copy), await readFile(join(world.root, first)));
  const result = await runOver(world, [first, copy], NOBODY(), { settings: { dryRun: true } });
  expect(result.items.map(({ reasonCode }) => reasonCode)).toEqual(["up-to-date", "done"]);
});

test("a manifest that says another source by now is not taken on the word of the index", async () => {
  const { world, sources } = await createMany(2);
  const [first = "", second = ""] = sources;
  const file = ".looplia/contentItem/item-00001-2026-11-20-000001/session.json";
  const other = (await world.read(file))
    .replace(first, "content/elsewhere.md")
    .replace(/"sourceHash": ".*"/, '"sourceHash": "0000000000000000"');
  // Changed between the look at all folders and the run of this item.
  const meddling = (real: Workspace): Workspace => ({
    ...real,
    async list(folder) {
      const listed = await real.list(folder);
      await world.write(file, other);
      return listed;
    },
  });
  const dryRun = { settings: { dryRun: true }, workspace: meddling };
  const result = await runOver(world, [first, second], NOBODY(), dryRun);
  expect(result.items.map(({ reasonCode }) => reasonCode)).toEqual(["done", "up-to-date"]);
});

test("a plan says what is due and why, with an estimate, and asks and changes nothing", {
  timeout: 60_000,
}, async () => {
  const { world, sources } = await createMany(5);
  const [changed = "", failed = "", stale = "", gone = ""] = sources;
  const folder = (number: number) => `.looplia/contentItem/item-0000${number}-2026-11-20-00000${number}`;
  const edit = async (number: number, change: (text: string) => string) =>
    world.write(`${folder(number)}/session.json`, change(await world.read(`${folder(number)}/session.json`)));
  await world.write(changed, `${await world.read(changed)}\nMore.\n`);
  await edit(2, (text) =>
    text.replace(/"outline": \{\s*"status": "completed"/, '"outline": { "status": "failed"'),
  );
  await edit(3, (text) => text.replaceAll('"schemaVersion": "1.0.0"', '"schemaVersion": "0.9.0"'));
  await rename(join(world.root, gone), join(world.root, "content/many/new-name.md"));
  await rm(join(world.root, "content/kettle.md"));
  await world.write("content/many/fresh.md", ARTICLE.replace("Kettles", "Pans"));
  await world.write("content/many/broken.md", "");
  const all = ["broken", "fresh", "new-name"].map((name) => `content/many/${name}.md`);
  const sourcesNow = [...sources.filter((source) => source !== gone), ...all];
  const before = await sessionsOf(world);
  const trigger = {
    kind: "items",
    workId: "writing-kit-abc123",
    key: "k",
    sources: sourcesNow,
    isPlan: true,
  } as const;
  const { plan } = await world.run(trigger, new ScriptedModel([], { price: () => 0.5 }));
  const told = new Map(plan?.items.map(({ source, state, ...rest }) => [source, { state, ...rest }]));
  expect(told.get(changed)).toMatchObject({
    state: "changed",
    outputs: ["summary", "ideas", "outline", "writing-kit"],
  });
  expect(told.get(failed)).toMatchObject({ state: "failed", outputs: ["outline", "writing-kit"] });
  expect(told.get(stale)).toMatchObject({ state: "stale", stale: ["schema"] });
  expect(told.get("content/many/new-name.md")).toMatchObject({
    state: "edited",
    sessionId: "item-00004-2026-11-20-000004",
    reasons: [`was ${gone}`],
  });
  expect(told.get("content/many/fresh.md")).toMatchObject({ state: "new", sessionId: "" });
  expect(told.get("content/many/broken.md")).toMatchObject({
    state: "unreadable",
    reasons: [expect.stringContaining("is empty")],
  });
  expect(told.get(sources[4] ?? "")).toMatchObject({ state: "up-to-date", tokens: 0, costUsd: 0 });
  expect(told.get("content/many/fresh.md")?.tokens).toBeGreaterThan(told.get(failed)?.tokens ?? 0);
  expect(plan?.deleted.map(({ source }) => source)).toEqual(["content/kettle.md"]);
  expect(plan?.costUsd).toBeGreaterThan(0);
  expect(await sessionsOf(world)).toEqual(before);
});

test.each([
  ["agent", ".looplia/CLAUDE.md", "Write shorter.\n"],
  ["profile", ".looplia/user-profile.json", PROFILE],
  [
    "skill",
    ".looplia/.claude/skills/media-reviewer/SKILL.md",
    "---\nname: media-reviewer\ndescription: Reviews media.\n---\nLook twice.\n",
  ],
])("a plan says that the %s changed where the events of the session tell", async (what, file, text) => {
  const world = await createContentWorld({ "content/kettle.md": ARTICLE });
  await runOver(world, ["content/kettle.md"], kitModel());
  await world.write(file, text);
  const trigger = {
    kind: "items",
    workId: "writing-kit-abc123",
    key: "k",
    sources: ["content/kettle.md"],
    isPlan: true,
  } as const;
  const { plan } = await world.run(trigger, NOBODY());
  expect(plan?.items[0]).toMatchObject({ state: "stale", stale: [what] });
});

test("with `concurrency: auto` as many items run at once as the service allows by then", async () => {
  const names = Array.from({ length: 16 }, (_, at) => `content/${at}.md`);
  const world = await createContentWorld(
    Object.fromEntries(names.map((name, at) => [name, `# ${at}\n${ARTICLE}`])),
  );
  const model = kitModel();
  let [answers, running, most] = [0, 0, 0];
  const seen: number[] = [];
  const paced: Model = {
    ...model,
    priceOf: (...what) => model.priceOf(...what),
    get atOnce() {
      return answers < 12 ? 2 : answers < 30 ? 6 : 1;
    },
    async respond(request, options) {
      running += 1;
      most = Math.max(most, running);
      await setTimeout(5);
      const reply = await model.respond(request, options);
      running -= 1;
      answers += 1;
      seen.push(running + 1);
      return reply;
    },
  };
  const trigger = { kind: "items", workId: "writing-kit-abc123", key: "k", sources: names } as const;
  const result = await world.run(trigger, paced, { settings: { concurrency: "auto" } });
  expect(result.items.map(({ status }) => status)).toEqual(names.map(() => "completed"));
  expect(Math.max(...seen.slice(0, 12))).toBeLessThanOrEqual(2);
  expect(most).toBeGreaterThan(3);
  expect(Math.max(...seen.slice(-6))).toBe(1);
});

// Items with odd names or bytes among good ones: each is an item of its own, and one that can't be read stops no other.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Model } from "../../src/core/ports.ts";
import { listItemFiles } from "../../src/files/sources.ts";
import { describeOddItems, selectItems } from "../../src/work/trigger.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, kitModel } from "../fakes/kit-script.ts";

const LONG = `${"n".repeat(252)}.md`;
const NAMES = [
  "with space.md",
  "emoji-🫖.md",
  LONG,
  "Case.md",
  "case.md",
  "same.md",
  "deep/same.md",
  "-dash.md",
  "[glob]*.md",
  "caf\u00e9.md",
  "cafe\u0301.md",
];

test("odd names, equal slugs, case and 255 bytes are items of their own", async () => {
  const world = await createContentWorld();
  await mkdir(join(world.root, "content/deep"), { recursive: true });
  for (const name of NAMES) await writeFile(join(world.root, "content", name), ARTICLE);
  await writeFile(join(world.root, "content/broken.md"), new Uint8Array([0xff, 0xfe, 0x00, 0xd8]));
  const sources = [...NAMES, "broken.md", "missing.md"].map((name) => `content/${name}`).sort();
  const trigger = { kind: "items", workId: "writing-kit-000000", key: "k", sources } as const;
  const result = await world.run(trigger, kitModel());
  const failed = result.items.filter(({ status }) => status === "failed").map(({ source }) => source);
  expect(failed.sort()).toEqual(["content/broken.md", "content/missing.md"]);
  expect(result.items.filter(({ status }) => status === "completed")).toHaveLength(NAMES.length);
  expect(await sessionsOf(world)).toHaveLength(NAMES.length);
  const again = await world.run(trigger, kitModel());
  expect(again.items.filter(({ reasonCode }) => reasonCode === "up-to-date")).toHaveLength(NAMES.length);
});

test("an item that changes while its run is under way keeps its first bytes, and is due again", async () => {
  const item = "content/kettle.md";
  const world = await createContentWorld({ [item]: ARTICLE });
  const model = kitModel();
  const meddling: Model = {
    ...model,
    priceOf: (...what) => model.priceOf(...what),
    async respond(request, options) {
      await world.write(item, ARTICLE.replace("four minutes", "five minutes"));
      return model.respond(request, options);
    },
  };
  const trigger = { kind: "items", workId: "writing-kit-000000", key: "k", sources: [item] } as const;
  const first = await world.run(trigger, meddling);
  expect(first.items.map(({ status }) => status)).toEqual(["completed"]);
  const [session = ""] = await sessionsOf(world);
  expect(await world.read(`.looplia/contentItem/${session}/content.md`)).toBe(ARTICLE);
  const { plan } = await world.run({ ...trigger, isPlan: true }, kitModel());
  expect(plan?.items).toMatchObject([{ state: "changed", sessionId: session }]);
});

test("links are no items, wherever they lead, and are named", async () => {
  const world = await createContentWorld({ "content/good.md": ARTICLE });
  const outside = await mkdtemp(join(tmpdir(), "looplia-outside-"));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  await writeFile(join(outside, "secret.md"), ARTICLE);
  for (const [name, target] of [
    ["file.md", join(outside, "secret.md")],
    ["folder", outside],
    ["inside.md", "good.md"],
    ["loop", "."],
    ["nowhere.md", "gone.md"],
  ] as const) {
    await symlink(target, join(world.root, "content", name));
  }
  const { files, links } = await listItemFiles(world.root);
  expect(selectItems(files, ["content/**/*.md"])).toEqual(["content/good.md"]);
  expect(describeOddItems({ files, links }, ["content/**/*.md"])).toEqual(
    ["file", "inside", "nowhere"].map((name) =>
      expect.stringContaining(`content/${name}.md" is left out: it is a link`),
    ),
  );
});

test("50,000 matching files are selected at once", () => {
  const paths = Array.from({ length: 50_000 }, (_, at) => `content/${at % 100}/item-${at}.md`);
  expect(
    selectItems([...paths, "content/.git/x.md", ".looplia/contentItem/a/content.md"], ["content/**/*.md"]),
  ).toHaveLength(50_000);
});

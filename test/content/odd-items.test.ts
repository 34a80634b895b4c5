// Items with odd names or bytes among good ones: each is an item of its own, and one that can't be read stops no other.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectItems } from "../../src/work/trigger.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, kitModel } from "../fakes/kit-script.ts";

const LONG = `${"n".repeat(252)}.md`;
const NAMES = ["with space.md", "emoji-🫖.md", LONG, "Case.md", "case.md", "same.md", "deep/same.md"];

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

test("50,000 matching files are selected at once", () => {
  const paths = Array.from({ length: 50_000 }, (_, at) => `content/${at % 100}/item-${at}.md`);
  expect(
    selectItems([...paths, "content/.git/x.md", ".looplia/contentItem/a/content.md"], ["content/**/*.md"]),
  ).toHaveLength(50_000);
});

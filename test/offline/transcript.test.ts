// The rehearsal knows a transcript, leaves other languages alone, and takes no heading for an idea that is none.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createOfflineModel } from "../../src/offline/model.ts";
import { readCues } from "../../src/offline/source.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { makeTranscript } from "../fakes/long-items.ts";

async function rehearse(text: string) {
  const world = await createContentWorld({ "a.md": text });
  return world.run({ kind: "file", source: "a.md" }, createOfflineModel());
}

test.each(["vtt", "srt", "plain"] as const)("cues of %s have speaker, time and text", (form) => {
  const cues = readCues(makeTranscript(form));
  expect(cues).toHaveLength(2_700);
  expect(cues[1]).toMatchObject({
    speaker: "GUEST",
    time: "00:00:04",
    text: expect.stringMatching(/^Ada Moss counted 240/),
  });
});

test("a transcript keeps who speaks and when", async () => {
  const lines = [
    "[00:00:05] HOST: Welcome back to the show about the bridges of this old city.",
    "[00:00:14] MARTA REED: The bridges were built by people who had never seen the river rise in spring.",
    "[00:00:22] HOST: But they still stand, and nobody knows why they survived the flood of 1913.",
    "[00:00:41] MARTA REED: Because the masons left gaps. How would you explain a wall that lets the water through?",
  ];
  const { items } = await rehearse(`${lines.join("\n")}\n`);
  expect(items[0]).toMatchObject({ status: "completed" });
  expect(items[0]?.artifacts.get("summary")).toMatchObject({
    detectedSource: "transcript",
    importantQuotes: expect.arrayContaining([
      expect.objectContaining({ timestamp: "00:00:14", context: "MARTA REED", line: 2 }),
    ]),
  });
});

test("a text in another language is refused with its name before a session begins", async () => {
  const german = await readFile(
    resolve(import.meta.dirname, "../../eval/items/de-artikel-nachtzug.md"),
    "utf8",
  );
  const world = await createContentWorld({ "a.md": german });
  await expect(world.run({ kind: "file", source: "a.md" }, createOfflineModel())).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringContaining("the source is in German; the rehearsal reads English only"),
  });
  expect(await sessionsOf(world)).toEqual([]);
});

test("contents, versions and code are no angles, statistics or points, and there are nine sections at most", async () => {
  const chapter = (number: number) =>
    `## Chapter ${number}\n\nThe mason built wall number ${number} of the old bridge. But the river never rose again that year.\n`;
  const text = [
    "# The bridge\n\nA bridge of stone crosses the river. Nobody knows who built the bridge.\n",
    "## Table of Contents\n\n1. [One](#one)\n2. [Two](#two)\n",
    "## 2.4.1\n\nThe town released version 2.4.1 of the plan for the bridge.\n",
    "`npm install bridge --save 99`\n",
    ...Array.from({ length: 14 }, (_, at) => chapter(at + 20)),
  ].join("\n");
  const { items } = await rehearse(text);
  const { artifacts } = items[0] ?? {};
  const told = JSON.stringify([...(artifacts ?? [])]);
  expect(told).not.toMatch(/Table of Contents|npm install/);
  expect(artifacts?.get("outline")).toHaveLength(9);
  const ideas = artifacts?.get("ideas") as {
    angles: { title: string }[];
    hooks: { text: string; type: string }[];
  };
  expect(ideas.angles.map(({ title }) => title)).not.toContain("2.4.1");
  expect(ideas.hooks.find(({ type }) => type === "statistic")?.text).not.toContain("2.4.1");
});

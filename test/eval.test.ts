// The evaluation: its rubric tells a good kit from a bad one, and it runs.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type Kit, scoreKit } from "../scripts/eval/rubric.ts";
import { evaluate, evaluatePipeline, readKeys, readPipelineKeys, tableOf } from "../scripts/eval/run.ts";
import { parseContentItem } from "../src/content/item.ts";
import { sampleIdeas, sampleOutline, sampleSummary } from "./fakes/content-samples.ts";

async function ferry() {
  const file = resolve(import.meta.dirname, "../eval/items/en-article-ferry.md");
  return parseContentItem("content/ferry.md", await readFile(file));
}

test("a kit of another text scores low on quotes, facts and coverage", async () => {
  const kit: Kit = { summary: sampleSummary(), ideas: sampleIdeas(), outline: sampleOutline() };
  const key = (await readKeys()).get("en-article-ferry") ?? { language: "", facts: [] };
  const scores = await scoreKit(await ferry(), key, kit);
  expect(scores).toMatchObject({ quotes: 0, facts: 0, angles: 0, language: 1 });
  const facts = key.facts.join(", ");
  const better = { ...kit, summary: { ...kit.summary, detailedAnalysis: facts, importantQuotes: [] } };
  expect(await scoreKit(await ferry(), key, better)).toMatchObject({ facts: 1, quotes: 0 });
});

test("each smaller pipeline is tried; what cannot be rehearsed is said", { timeout: 60_000 }, async () => {
  const keys = await readPipelineKeys();
  const environment = { PATH: process.env.PATH };
  const rows = await Promise.all(
    [...keys].map(([pipeline, key]) => evaluatePipeline(pipeline, key, environment)),
  );
  expect(rows.map(({ item, why }) => (why === undefined ? item : why.replace(/.*that /, "")))).toEqual([
    "release-notes",
    "newsletter",
    "docs-summary",
    "takes a model.",
  ]);
  expect(rows[0]?.scores).toMatchObject({ "release-notes facts": 1 });
});

test("an item is made into a kit and scored; what has no kit is said", { timeout: 60_000 }, async () => {
  const keys = await readKeys();
  expect(keys.size).toBe(12);
  expect(new Set([...keys.values()].map(({ language }) => language)).size).toBe(3);
  const environment = { PATH: process.env.PATH };
  const [english, german] = await Promise.all(
    ["en-article-ferry", "de-artikel-nachtzug"].map((name) =>
      evaluate(name, keys.get(name) ?? { language: "", facts: [] }, environment),
    ),
  );
  expect(english).toMatchObject({ scores: { quotes: 1, language: 1 } });
  const table = tableOf(
    [english, german].filter((row) => row !== undefined),
    { quotes: 0.5 },
  );
  expect(table).toMatch(
    /^1 of 2 items scored\n[\s\S]*\| quotes \| 1\.00 \| 0\.50 \|[\s\S]*Not scored:[\s\S]*in German/,
  );
});

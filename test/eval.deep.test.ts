// The evaluation runs: items and smaller pipelines are tried and scored.
import { expect, test } from "vitest";
import { evaluate, evaluatePipeline, readKeys, readPipelineKeys, tableOf } from "../scripts/eval/run.ts";

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

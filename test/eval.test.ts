// The rubric of the evaluation tells a good kit from a bad one.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type Kit, scoreKit } from "../scripts/eval/rubric.ts";
import { readKeys } from "../scripts/eval/run.ts";
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

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { artifactSchemas } from "../../src/content/artifact.ts";
import { sampleArtifacts } from "../fakes/content-samples.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true });
const compiled = new Map(
  [...artifactSchemas].map(([file, schema]) => [file, ajv.compile(z.toJSONSchema(schema()))] as const),
);

/** A copy of a valid artifact with one place changed. */
function altered(file: string, path: (string | number)[], value: unknown): unknown {
  const copy: unknown = structuredClone(sampleArtifacts().get(file));
  let place = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) place = place[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? "";
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}

/** Whether zod and the JSON Schema made from it take the value; they must agree. */
function takes(file: string, value: unknown): boolean {
  const byZod = artifactSchemas.get(file)?.().safeParse(value).success ?? false;
  expect(compiled.get(file)?.(value), "zod and its JSON Schema disagree").toBe(byZod);
  return byZod;
}

const text = (length: number) => "x".repeat(length);
const texts = (length: number) => Array.from({ length }, () => "x");
const many = (length: number, value: unknown) => Array.from({ length }, () => value);
const idea = { concept: "c", explanation: text(10) };

/** INTERFACE §7: what is just inside and what is just outside of each limit. */
const limits: [string, (string | number)[], unknown[], unknown[]][] = [
  ["summary.json", ["contentId"], ["x"], ["", undefined, 1]],
  [
    "summary.json",
    ["headline"],
    [text(10), text(200), "😀".repeat(10), "😀".repeat(200)],
    [text(9), text(201), "😀".repeat(9), undefined],
  ],
  ["summary.json", ["tldr"], [text(20), text(500)], [text(19), text(501), undefined]],
  ["summary.json", ["bullets"], [texts(1), texts(10)], [[], texts(11), "x", undefined]],
  ["summary.json", ["tags"], [texts(1), texts(20)], [[], texts(21), undefined]],
  ["summary.json", ["sentiment"], ["positive", "neutral", "negative"], ["mixed", "Positive", undefined]],
  ["summary.json", ["category"], ["x"], [1, undefined]],
  [
    "summary.json",
    ["score"],
    [{ relevanceToUser: 0 }, { relevanceToUser: 1 }],
    [{ relevanceToUser: 1.01 }, { relevanceToUser: -0.01 }, {}, undefined],
  ],
  ["summary.json", ["overview"], [text(50)], [text(49), undefined]],
  ["summary.json", ["keyThemes"], [texts(3), texts(7)], [texts(2), texts(8), undefined]],
  ["summary.json", ["detailedAnalysis"], [text(100)], [text(99), undefined]],
  ["summary.json", ["narrativeFlow"], [text(50)], [text(49), undefined]],
  [
    "summary.json",
    ["coreIdeas"],
    [[idea], many(10, idea), [{ ...idea, examples: [] }]],
    [[], many(11, idea), [{ concept: "c", explanation: text(9) }], undefined],
  ],
  [
    "summary.json",
    ["importantQuotes"],
    [[], many(20, { text: "x" })],
    [many(21, { text: "x" }), [{}], undefined],
  ],
  [
    "summary.json",
    ["importantQuotes", 0, "timestamp"],
    ["00:00", "75:30", "01:02:03", undefined],
    ["1:02", "00:60", "01:02:03:04", "noon"],
  ],
  ["summary.json", ["context"], [text(20)], [text(19), undefined]],
  ["summary.json", ["relatedConcepts"], [[], texts(15)], [texts(16), undefined]],
  [
    "summary.json",
    ["detectedSource"],
    ["podcast", "transcript", "article", "youtube", "twitter", "text", "other", undefined],
    ["blog", ""],
  ],
  [
    "ideas.json",
    ["hooks"],
    [many(1, { text: text(5), type: "story" }), many(5, { text: text(5), type: "statistic" })],
    [[], many(6, { text: text(5), type: "story" }), undefined],
  ],
  ["ideas.json", ["hooks", 0, "text"], [text(5)], [text(4), undefined]],
  [
    "ideas.json",
    ["hooks", 0, "type"],
    ["emotional", "curiosity", "controversy", "statistic", "story"],
    ["fun", undefined],
  ],
  [
    "ideas.json",
    ["angles"],
    [many(5, { title: text(3), description: text(10), relevanceScore: 1 })],
    [[], many(6, { title: text(3), description: text(10), relevanceScore: 1 })],
  ],
  ["ideas.json", ["angles", 0, "title"], [text(3), text(100)], [text(2), text(101)]],
  ["ideas.json", ["angles", 0, "description"], [text(10)], [text(9)]],
  ["ideas.json", ["angles", 0, "relevanceScore"], [0, 1], [1.5, -1, "1"]],
  [
    "ideas.json",
    ["questions"],
    [many(5, { question: text(10), type: "practical" })],
    [[], many(6, { question: text(10), type: "practical" })],
  ],
  ["ideas.json", ["questions", 0, "question"], [text(10)], [text(9)]],
  [
    "ideas.json",
    ["questions", 0, "type"],
    ["analytical", "practical", "philosophical", "comparative"],
    ["open"],
  ],
  ["outline.json", [0, "heading"], ["x"], ["", undefined]],
  ["outline.json", [0, "notes"], ["x"], ["", undefined]],
  ["outline.json", [0, "keyPoints"], [texts(1), texts(7)], [[], texts(8), undefined]],
  ["outline.json", [0, "estimatedWords"], [1, 0.5, undefined], [0, -1]],
  ["writing-kit.json", ["source"], [{ id: "", label: "", url: "" }], [{ id: "", label: "" }, undefined]],
  ["writing-kit.json", ["suggestedOutline"], [], [[], undefined]],
  ["writing-kit.json", ["summary"], [], [{}, undefined]],
  ["writing-kit.json", ["ideas"], [], [{}, undefined]],
  [
    "writing-kit.json",
    ["meta"],
    [{ relevanceToUser: 0, estimatedReadingTimeMinutes: 1 }],
    [{ relevanceToUser: 0, estimatedReadingTimeMinutes: 0 }, undefined],
  ],
];

describe("the content formats", () => {
  test.each(limits)("%s %j keeps its limits", (file, path, inside, outside) => {
    for (const value of inside)
      expect(takes(file, altered(file, path, value)), JSON.stringify(value)).toBe(true);
    for (const value of outside)
      expect(takes(file, altered(file, path, value)), JSON.stringify(value)).toBe(false);
  });

  test("an outline has at least one section", () => {
    expect(takes("outline.json", [])).toBe(false);
  });

  test.each([...sampleArtifacts()])("%s: the sample is valid and keeps its fields", (file, value) => {
    expect(artifactSchemas.get(file)?.().parse(value)).toEqual(value);
  });

  test("unknown keys are stripped", () => {
    const extended = { ...(sampleArtifacts().get("ideas.json") as object), mood: "good" };
    expect(artifactSchemas.get("ideas.json")?.().parse(extended)).toEqual(
      sampleArtifacts().get("ideas.json"),
    );
  });
});

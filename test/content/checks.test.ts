// What an artifact must keep to beside its schema: language, facts, speakers, and everything that is called a quote.
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { francAll } from "franc-min";
import { expect, test } from "vitest";
import type { PipelineOutput } from "../../src/config/definitions.ts";
import { checkArtifact } from "../../src/content/artifact.ts";
import { languagesOf } from "../../src/content/checks/checks.ts";
import { parseContentItem } from "../../src/content/item.ts";
import {
  makeOutput,
  SESSION_ID,
  sampleArtifacts,
  sampleIdeas,
  sampleItem,
  sampleSummary,
} from "../fakes/content-samples.ts";

const GERMAN = `# Der Kessel

Vier Minuten am Kessel sind ein Budget, sagt Ada Moor. Wer auf das Wasser wartet, kann in dieser Zeit eine kleine Sache
planen, und wenn das Wasser kocht, ist sie getan. Die meisten Menschen verschenken diese Minuten jeden Morgen, und niemand
merkt es. Wir haben 240 Sekunden gezählt und nichts damit gemacht. „Das Warten gehört uns allen“, schreibt sie am Ende.
`;

async function check(name: string, value: unknown, more: object = {}, text?: string) {
  const item = await sampleItem(text);
  const output: PipelineOutput = makeOutput(name);
  const checked = await checkArtifact({
    output,
    value,
    item,
    sessionId: SESSION_ID,
    artifacts: sampleArtifacts(),
    ...more,
  });
  return checked.ok ? checked : checked.errors;
}

const GERMAN_QUOTES = { importantQuotes: [{ text: "Das Warten gehört uns allen" }] };

test("a summary in another language than the item's is refused, unless a language is named", async () => {
  const english = { ...sampleSummary(), ...GERMAN_QUOTES };
  expect(await check("summary", english, {}, GERMAN)).toEqual([
    "(the artifact): expected text in German, the language of the item, got text in English",
  ]);
  expect(await check("summary", english, { language: "en" }, GERMAN)).toMatchObject({ ok: true });
  expect(await check("summary", sampleSummary(), { language: "fr" })).toEqual([
    "(the artifact): expected text in French, the language that is asked for, got text in English",
  ]);
});

test.each([
  [
    "ja",
    "やかんの四分間は予算である。待つことは計画できる。小さな計画を立てよう。水が沸くまでの時間は誰のものでもなく、私たちのものだ。".repeat(
      2,
    ),
  ],
  [
    "ru",
    "Четыре минуты у чайника это бюджет. Ожидание можно планировать и использовать каждый день. ".repeat(4),
  ],
  ["de", GERMAN],
])("the language %s is told from a paragraph", async (language, text) => {
  expect((await languagesOf(text))[0]).toBe(language);
});

test.each([
  ["French", "fr-article-phare"],
  ["German", "de-artikel-nachtzug"],
])("a summary in %s is refused for English items of a page", async (language, name) => {
  const bodyOf = async (file: string) => {
    const path = `eval/items/${file}.md`;
    return (await parseContentItem(path, await readFile(resolve(import.meta.dirname, "../..", path)))).body;
  };
  const text = await bodyOf(name);
  const told = { detailedAnalysis: text, overview: text.slice(0, 200), importantQuotes: [] };
  for (const item of ["article-ferry", "howto-bread", "essay-darwin", "notes-meeting", "thread-tests"]) {
    const english = await bodyOf(`en-${item}`);
    expect(await languagesOf(english)).toEqual(["en"]);
    expect(await check("summary", { ...sampleSummary(), ...told }, {}, english)).toEqual([
      `(the artifact): expected text in English, the language of the item, got text in ${language}`,
    ]);
  }
});

test("languages are scored as franc scores them", async () => {
  const folder = resolve(import.meta.dirname, "../../eval/items");
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
  );
  const russian = "Четыре минуты у чайника это бюджет. Ожидание можно планировать каждый день. ".repeat(20);
  for (const text of [...texts, russian]) {
    const plain = text.replace(/[^\p{L}\s]/gu, "").slice(0, 2_048);
    const near = francAll(plain).filter(([, score]) => score >= 0.995);
    const told = await languagesOf(plain);
    expect(told).toEqual(near.map(([code]) => Intl.getCanonicalLocales(code)[0]));
  }
});

test("a few words are in no certain language", async () => {
  expect(await languagesOf("Kettles and time. Four minutes.")).toEqual([]);
});

test("numbers and names that the item has not are reported once", async () => {
  const ideas = sampleIdeas();
  const [angle] = ideas.angles;
  const claim = "Why 93% of Bram Stokers pumps, and 40 euros, win.";
  const told = { ...ideas, angles: [{ ...angle, description: claim }] };
  expect(await check("ideas", told, { isFirstTry: true })).toEqual([
    expect.stringMatching(/only numbers and names from the item\..*"93, Bram Stokers"/),
  ]);
  expect(await check("ideas", told, { isFirstTry: false })).toMatchObject({ ok: true });
  const sound = { ...ideas, angles: [{ ...angle, description: "Ada Moor asks 40 euros for ten years." }] };
  expect(await check("ideas", sound, { isFirstTry: true })).toMatchObject({ ok: true });
});

test("who is said to speak is in the item", async () => {
  const quote = (context: string) => ({
    ...sampleSummary(),
    importantQuotes: [{ text: "almost no noise at all", context }],
  });
  expect(await check("summary", quote("says Bram Stoker, about noise"))).toEqual([
    'importantQuotes[0].context: expected names of content/quiet.md only, got "Bram Stoker" (11 characters)',
  ]);
  expect(await check("summary", quote("says Ada Moor, about noise"))).toMatchObject({ ok: true });
});

test("whatever is called a quote is held against the item, in artifacts of any shape", async () => {
  const posts = {
    lead: { quote: 'The new pump makes "almost no noise at all"' },
    pullQuotes: ["who built it in a shed", "never said at all by anybody"],
    posts: [{ text: "Free words.", quotes: [{ text: "It costs 40 euros", speaker: "Nobody Else" }] }],
  };
  expect(await check("posts", posts)).toEqual([
    expect.stringMatching(/^pullQuotes\[1\]\.text: expected words copied exactly from/),
    expect.stringMatching(/^posts\[0\]\.quotes\[0\]\.speaker: expected somebody who is named/),
  ]);
  expect(await check("posts", posts, { isLastTry: true })).toMatchObject({
    ok: true,
    value: {
      lead: { quote: "The new pump makes “almost no noise at all”" },
      pullQuotes: ["who built it in a shed"],
    },
    dropped: ['"never said at all by anybody" (28 characters)', '"Nobody Else" (11 characters)'],
  });
});

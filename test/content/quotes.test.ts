// Quotes are found despite typography, Markdown and cue times, and nothing else is.
import { describe, expect, test } from "vitest";
import { findQuote, foldSource, nearestPassage } from "../../src/content/checks/quotes.ts";
import { createContentWorld } from "../fakes/content-world.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import { ARTICLE, dueOutputs, kitModel, SUMMARY, writeDue } from "../fakes/kit-script.ts";
import fc from "../fakes/properties.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const find = (source: string, quote: string) => findQuote(source, foldSource(source), quote);

describe("a quote is found", () => {
  test.each([
    ["typography", "He said: “It’s late – go…”", `"It's late - go..."`, "“It’s late – go…”"],
    ["emphasis", "It is **very** _late_ and `dark`.", "very late and dark", "very late and dark"],
    ["a link", "See [the tide](https://example.org/a) rise.", "the tide rise", "the tide rise"],
    ["a block quote", "> One day\n> we left\n> early.", "One day we left early.", "One day we left early."],
    [
      "entities",
      "Fish &amp; chips, 5&nbsp;&lt; 6, caf&eacute;",
      "Fish & chips, 5 < 6, café",
      "Fish & chips, 5 &lt; 6, café",
    ],
    ["soft hyphens", "The harbour\u00admaster slept.", "harbourmaster slept", "harbourmaster slept"],
    ["decomposed letters", "Das Cafe\u0301 ist zu.", "Das Café ist", "Das Cafe\u0301 ist"],
    [
      "cues of WebVTT",
      "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\nThe sea is\n\n2\n00:00:04.000 --> 00:00:06.000\n<v Ann>a patient reader.",
      "The sea is a patient reader.",
      "The sea is a patient reader.",
    ],
    [
      "times of a transcript",
      "[00:00:05] HOST: The sea\n[00:00:09] is patient.",
      "The sea is patient.",
      "The sea is patient.",
    ],
    [
      "marks of footnotes",
      "The tide¹ came[^2] in.[3]<sup>4</sup> We",
      "The tide came in. We",
      "The tide came in. We",
    ],
    ["dashes set apart", "It was late — very late.", "late—very late", "late — very late"],
    ["ligatures", "The ﬁrst oﬃce eﬀort.", "first office effort", "ﬁrst oﬃce eﬀort"],
    ["Hebrew marks", "אמר: \u2067״שלום״\u2069 ויצא.", 'אמר: "שלום" ויצא', "אמר: ״שלום״ ויצא"],
    ["French marks", "Elle dit : « Bonjour » puis part.", 'dit : "Bonjour" puis', "dit : « Bonjour » puis"],
    ["German marks", "sagte »Guten Tag« und ging", 'sagte "Guten Tag" und', "sagte »Guten Tag« und"],
    ["the quoter's own marks", "She left the tide alone today.", "“…the tide alone”", "the tide alone"],
    [
      "a line's end in HTML",
      "The sea<br/>is <!-- a\nnote -->patient.",
      "The sea is patient.",
      "The sea is patient.",
    ],
    ["parentheses in an address", "See [it](https://a.org/T_(x)) rise", "See it rise", "See it rise"],
    ["times alone on a line", "0:05\nthe sea\n0:09\nis patient", "the sea is patient", "the sea is patient"],
    [
      "times of words and names of cues",
      "WEBVTT\n\none\n00:01.000 --> 00:04.000\n<00:01.200><c>The</c> sea\n\ntwo\n00:04.000 --> 00:06.000\nis patient",
      "The sea is patient",
      "The sea is patient",
    ],
    ["names with underscores", "Call snake_case now.", "snake_case", "snake_case"],
  ])("despite %s", (_name, source, quote, text) => {
    expect(find(source, quote)?.text).toBe(text);
  });

  test("with the line that it begins in", () => {
    expect(find("# One\n\nTwo three.\n", "Two three.")).toEqual({ text: "Two three.", line: 3 });
  });
});

const WORDS = ["harbour", "don't", '"now"', "tide", "café", "well-known", "late...", "42", "Ann"];
const passage = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 });
/** What may stand in a source around or for a word. */
const disguise = fc.constantFrom<((word: string) => string)[]>(
  (word) => word,
  (word) => `**${word}**`,
  (word) => `[${word}](https://example.org)`,
  (word) => word.replaceAll("'", "’").replaceAll("...", "…").replaceAll("-", "‑"),
  (word) => word.replace(/"(.*)"/, "“$1”"),
  (word) => word.normalize("NFD"),
  (word) => word.replace("é", "&eacute;"),
  (word) => `${word.slice(0, 1)}\u00ad${word.slice(1)}`,
);
const gap = fc.constantFrom(
  " ",
  "\n",
  "  ",
  "\n> ",
  "\u00a0",
  "\n\n00:01:02.000 --> 00:01:04.000\n",
  "\n[00:05] ",
);

test("any passage in any disguise is found, and its stored words are the source's; other words are not found", () => {
  const dressed = passage.chain((words) =>
    fc.record({
      words: fc.constant(words),
      disguises: fc.array(disguise, { minLength: words.length, maxLength: words.length }),
      gaps: fc.array(gap, { minLength: words.length, maxLength: words.length }),
    }),
  );
  fc.assert(
    fc.property(dressed, ({ words, disguises, gaps }) => {
      const body = words.map((word, at) => (disguises[at]?.(word) ?? word) + (gaps[at] ?? " ")).join("");
      const source = `Before it all.\n${body}\nAfter.`;
      const found = find(source, words.join(" "));
      expect(found, source).toBeDefined();
      expect(foldSource(source).text).toContain(foldSource(found?.text ?? "").text.trim());
      expect(found?.text).not.toMatch(/-->|\*\*|https:|[\n\u00ad]/);
      expect(find(source, `${words.join(" ")} zebra`)).toBeUndefined();
    }),
  );
  expect(find("Anything", " ** ")).toBeUndefined();
});

test("the nearest passage is told", () => {
  const folded = foldSource("It was a long day. The tide came in at noon. We left.");
  expect(nearestPassage(folded, "The tide came at noon.")).toContain("came in at noon.");
  expect(nearestPassage(folded, "Zebras like quite other things")).toBeUndefined();
});

test.each([" ", "\t1", "<!--", "](a(", "a [1]", "\n\nab", "[", "](", "<a", "1", "> ", "00:00 "])(
  "a source of nothing but %j takes no time",
  (part) => {
    const took = startCpuClock();
    foldSource(part.repeat(100_000));
    expect(took()).toBeLessThan(3_000);
  },
);

const ITEMS = { kind: "items", workId: "writing-kit-abcdef", key: "k", sources: ["a.md"] } as const;

test("on its last try an agent loses what is no quote, with a warning, and the rest is kept", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const quotes = [
    { text: "A kettle takes for minutes." },
    { text: "“and I count myself among them”", timestamp: "01:15" },
  ];
  const invented = new Map([["summary", { ...SUMMARY, importantQuotes: quotes }]]);
  const model = new ScriptedModel((request) => writeDue(request, invented));
  const result = await world.run(ITEMS, model, { settings: { output: "summary" } });
  expect(result.status).toBe("completed");
  expect(model.requests.every((request) => dueOutputs(request)[0] === "summary")).toBe(true);
  expect(JSON.stringify(model.requests[1]?.messages)).toMatch(
    /the nearest passage is .*A kettle takes four minutes/,
  );
  expect(result.items[0]?.artifact).toMatchObject({
    importantQuotes: [{ text: '"and I count myself among them"', line: 7 }],
  });
  expect(JSON.stringify(result.items[0]?.artifact)).not.toContain("01:15");
  const warnings = world.events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
  expect(warnings).toEqual([expect.stringContaining("for minutes"), expect.stringContaining("01:15")]);
});

test("blank texts and blank list entries are refused", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const blank = new Map([["summary", { ...SUMMARY, category: " ", tags: ["time", ""] }]]);
  const model = new ScriptedModel((request) =>
    request.messages.length === 1 ? writeDue(request, blank) : writeDue(request),
  );
  const result = await world.run(ITEMS, model, { settings: { output: "summary" } });
  expect(result.status).toBe("completed");
  const said = JSON.stringify(model.requests[1]?.messages);
  expect(said).toMatch(
    /tags\[1\]: expected text that is not blank.*category: expected text that is not blank/,
  );
  expect((await world.run(ITEMS, kitModel(), { settings: { output: "summary" } })).reasonCode).toBe(
    "up-to-date",
  );
});

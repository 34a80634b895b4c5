// Quotes are found despite typography, Markdown and cue times, and nothing else is.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { findQuote, foldSource, nearestPassage } from "../../src/content/checks/quotes.ts";
import { createContentWorld } from "../fakes/content-world.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import { ARTICLE, dueOutputs, kitModel, SUMMARY, writeDue } from "../fakes/kit-script.ts";
import fc from "../fakes/properties.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const find = (source: string, quote: string) => findQuote(source, foldSource(source), quote);

describe("a quote is found", () => {
  test.each([
    ["typography", "He said: “It’s late – go…”", `"It's late - go..."`, "“It’s late – go…”"],
    ["emphasis", "It is **very** _late_ and `dark`.", "very late and dark", "**very** _late_ and `dark`"],
    [
      "a link",
      "See [the tide](https://example.org/a) rise.",
      "the tide rise",
      "[the tide](https://example.org/a) rise",
    ],
    ["a block quote", "> One day\n> we left\n> early.", "One day we left early.", "One day we left early."],
    [
      "entities",
      "Fish &amp; chips, 5&nbsp;&lt; 6, caf&eacute;",
      "Fish & chips, 5 < 6, café",
      "Fish &amp; chips, 5&nbsp;&lt; 6, caf&eacute;",
    ],
    ["soft hyphens", "The harbour\u00admaster slept.", "harbourmaster slept", "harbour\u00admaster slept"],
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
      "The tide¹ came[^2] in.[3]<sup>4</sup> We",
    ],
    ["dashes set apart", "It was late — very late.", "late—very late", "late — very late"],
    ["ligatures", "The ﬁrst oﬃce eﬀort.", "first office effort", "ﬁrst oﬃce eﬀort"],
    ["Hebrew marks", "אמר: \u2067״שלום״\u2069 ויצא.", 'אמר: "שלום" ויצא', "אמר: \u2067״שלום״\u2069 ויצא"],
    ["French marks", "Elle dit : « Bonjour » puis part.", 'dit : "Bonjour" puis', "dit : « Bonjour » puis"],
    ["German marks", "sagte »Guten Tag« und ging", 'sagte "Guten Tag" und', "sagte »Guten Tag« und"],
    ["the quoter's own marks", "She left the tide alone today.", "“…the tide alone”", "the tide alone"],
    [
      "a line's end in HTML",
      "The sea<br/>is <!-- a\nnote -->patient.",
      "The sea is patient.",
      "The sea<br/>is <!-- a note -->patient.",
    ],
    [
      "parentheses in an address",
      "See [it](https://a.org/T_(x)) rise",
      "See it rise",
      "See [it](https://a.org/T_(x)) rise",
    ],
    ["times alone on a line", "0:05\nthe sea\n0:09\nis patient", "the sea is patient", "the sea is patient"],
    [
      "times of words and names of cues",
      "WEBVTT\n\none\n00:01.000 --> 00:04.000\n<00:01.200><c>The</c> sea\n\ntwo\n00:04.000 --> 00:06.000\nis patient",
      "The sea is patient",
      "<c>The</c> sea is patient",
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
      expect(found?.text).not.toMatch(/-->|\n|\[00:05\]|^>/);
      expect(restOf(found, source), source).toBe("");
      expect(find(source, `${words.join(" ")} zebra`)).toBeUndefined();
    }),
  );
  expect(find("Anything", " ** ")).toBeUndefined();
});

/** What is left of a stored quote when each of its lines, from the first on, was found in the source's. */
function restOf(found: { text: string; line: number } | undefined, source: string): string {
  let { text: rest, line } = found ?? { text: "nothing was found", line: 1 };
  for (const text of source.split("\n").slice(line - 1)) {
    let size = rest.length;
    while (size > 0 && !(text.includes(rest.slice(0, size)) && /^(\s|$)/.test(rest.slice(size)))) size -= 1;
    rest = rest.slice(size).trimStart();
  }
  return rest;
}

describe("code keeps its characters", () => {
  test.each([
    ["Globs like `**/*.js` match all.", "Globs like **/*.js match", "Globs like `**/*.js` match"],
    ["Globs like **/*.js match all files.", "Globs like **/*.js match", "Globs like **/*.js match"],
    ["So 2*y*z is a product.", "So 2*y*z is a", "So 2*y*z is a"],
    ["Read a[0] and a[1] twice.", "Read a[0] and a[1]", "Read a[0] and a[1]"],
    ["Define `__init__` in the class.", "Define __init__ in the", "Define `__init__` in the"],
    ["Call \\_\\_init\\_\\_ in the class.", "Call __init__ in the", "Call \\_\\_init\\_\\_ in the"],
    ['Write `<div class="a">` around it.', 'Write <div class="a"> around', 'Write `<div class="a">` around'],
    ["Text\n\n```js\nconst a = b[0] * c[1];\n```\n", "const a = b[0] * c[1];", "const a = b[0] * c[1];"],
    ["Text\n\n    if (a > b) return **c;\n", "if (a > b) return **c;", "if (a > b) return **c;"],
    ["Use `&amp;` for an ampersand.", "Use &amp; for an", "Use `&amp;` for an"],
    ["# A *good* title\n", "A good title", "A *good* title"],
  ])("%j", (source, quote, text) => {
    const found = find(source, quote);
    expect(found?.text).toBe(text);
    expect(restOf(found, source)).toBe("");
  });

  test("what code says is not what a text without its marks says", () => {
    expect(find("Globs like `**/*.js` match.", "Globs like /.js match")).toBeUndefined();
    expect(find("So `2*y*z` is it.", "So 2yz is it")).toBeUndefined();
    expect(find("Read `a[0]` twice.", "Read a twice")).toBeUndefined();
  });

  test("emphasis or a link that is quoted in part is stored whole", () => {
    expect(find("He was **very late** today.", "was very")?.text).toBe("was **very late**");
    expect(find("See [the old tide](https://a.org) rise.", "See the old")?.text).toBe(
      "See [the old tide](https://a.org)",
    );
    expect(find("He was **very late** today.", "very late")?.text).toBe("**very late**");
  });
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

/** Real texts with all kinds of code, tables, links and badges. */
const READMES = globSync("node_modules/{*,@*/*}/README.md", { cwd: ROOT }).sort();

test("passages of real pages are found as a reader sees them, and stored as slices of their lines", () => {
  const pick = (at: number, of: number) => (at * 7919) % of;
  for (const path of READMES.filter((_, at) => at % 12 === 0)) {
    const source = readFileSync(join(ROOT, path), "utf8").slice(0, 40_000).replace(/\r\n/g, "\n");
    const folded = foldSource(source);
    const words = folded.text.split(" ");
    for (let at = 0; at < 8 && words.length > 12; at += 1) {
      const start = pick(at + 1, words.length - 11);
      const quote = words.slice(start, start + 4 + at).join(" ");
      const found = findQuote(source, folded, quote);
      expect(found, `${path}: ${quote}`).toBeDefined();
      expect(restOf(found, source), `${path}: ${found?.text}`).toBe("");
    }
  }
});

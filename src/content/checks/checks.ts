// What an artifact must keep to beside its schema: the language, what was chosen, and facts of the item.
import type { PipelineOutput } from "../../config/definitions.ts";
import { describeReceived, fieldName, type Problem } from "../../config/schema.ts";
import { isObject, valueAt } from "../../core/json.ts";
import type { ContentItem } from "../item.ts";

type Checked = {
  output: Pick<PipelineOutput, "artifact" | "schema">;
  value: unknown;
  item: ContentItem;
  artifacts: ReadonlyMap<string, unknown>;
  /** BCP 47; what the agent's front matter or the profile names instead of the item's language. */
  language?: string;
  /** Doubts are told once. */
  isFirstTry?: boolean;
};

/** Artifacts whose built-in schema or agent says that they are written in the language of the item. */
const WRITTEN: ReadonlySet<string> = new Set([
  ...["summary.json", "ideas.json", "outline.json"],
  ...["docs-summary.json", "newsletter.json", "posts.json", "release-notes.json"],
]);
/** Artifacts whose numbers and names come from the item. */
const DOUBTED: ReadonlySet<string> = new Set(["ideas.json", "outline.json"]);

export async function contentProblems(checked: Checked): Promise<Problem[]> {
  const { output, value, item, artifacts } = checked;
  const { artifact, schema } = output;
  if (artifact === "translation.json") {
    const kept = await translationProblems(value, item);
    return [...kept, ...(await languageProblems(checked))];
  }
  if (!WRITTEN.has(artifact) || schema?.file.startsWith("pipelines/") === false) return [];
  return [
    ...choiceProblems(artifact, value, artifacts),
    ...sourceProblems(artifact, value, item),
    ...(await languageProblems(checked)),
    ...(checked.isFirstTry === true && DOUBTED.has(artifact) ? await factProblems(checked) : []),
  ];
}

/** Sources that are not in a list of changes, and entries of a newsletter that are not its items', or are missing. */
function sourceProblems(artifact: string, value: unknown, { text, source, parts }: ContentItem): Problem[] {
  if (artifact === "release-notes.json") {
    const expected = `an address, number or hash from ${source}`;
    return namedSources(value).flatMap(({ field, named }) =>
      text.includes(named) ? [] : [{ field, expected, received: describeReceived(named) }],
    );
  }
  const entries = valueAt(value, "entries");
  if (artifact !== "newsletter.json" || !Array.isArray(entries)) return [];
  const told = entries.map((entry) => valueAt(entry, "source"));
  const wrong = told.flatMap((path, at) => {
    const isFirst = told.indexOf(path) === at;
    const isKnown = typeof path === "string" && parts.has(path);
    const expected = isKnown ? "one entry per item" : `one of ${[...parts.keys()].join(", ")}`;
    const field = fieldName(["entries", at, "source"]);
    return isKnown && isFirst ? [] : [{ field, expected, received: describeReceived(path) }];
  });
  const missing = [...parts.keys()].filter((path) => !told.includes(path));
  if (missing.length === 0) return wrong;
  const expected = `an entry for each item; there is none for ${missing.join(", ")}`;
  return [...wrong, { field: "entries", expected, received: describeReceived(entries) }];
}

/** What the changes of release notes name as their sources. */
function namedSources(value: unknown): { field: string; named: string }[] {
  const listOf = (of: unknown, key: string): unknown[] => {
    const found = valueAt(of, key);
    return Array.isArray(found) ? found : [];
  };
  return listOf(value, "sections").flatMap((section, at) =>
    listOf(section, "changes").flatMap((change, number) =>
      listOf(change, "sources").flatMap((named, place) => {
        const field = fieldName(["sections", at, "changes", number, "sources", place]);
        return typeof named === "string" ? [{ field, named }] : [];
      }),
    ),
  );
}

async function languageProblems({ value, item, language }: Checked): Promise<Problem[]> {
  const wanted = language === undefined ? await languagesOfItem(item) : [language];
  const [first] = wanted;
  const [written, ...near] = await languagesOf(proseOf(value));
  if (first === undefined || written === undefined) return [];
  const isSame = [written, ...near].some((one) => wanted.some((other) => baseOf(one) === baseOf(other)));
  if (isSame) return [];
  const why = language === undefined ? "the language of the item" : "the language that is asked for";
  const expected = `text in ${languageName(first)}, ${why}`;
  return [{ field: fieldName([]), expected, received: `text in ${languageName(written)}` }];
}

/** The language without its region or script. */
function baseOf(code: string): string {
  return code.toLowerCase().split("-")[0] ?? code;
}

async function factProblems({ value, item, artifacts }: Checked): Promise<Problem[]> {
  const { indexOf } = await import("./quotes.ts");
  const summary = readFacts(JSON.stringify(artifacts.get("summary.json") ?? ""));
  const { numbers, names } = unknownFacts(value, [indexOf(item).facts, summary]);
  const told = [...numbers, ...names];
  if (told.length === 0) return [];
  const expected =
    "only numbers and names from the item. Correct what is wrong; if something is right after all, send it again unchanged";
  return [{ field: fieldName([]), expected, received: describeReceived(told.slice(0, 20).join(", ")) }];
}

// The angle and the hook that an outline is written for. Pure.

/** What an outline says that it chose, and is not among the ideas; without ideas nothing is wrong. */
function choiceProblems(
  artifact: string,
  value: unknown,
  artifacts: ReadonlyMap<string, unknown>,
): Problem[] {
  const ideas = artifacts.get("ideas.json");
  if (artifact !== "outline.json" || !Array.isArray(value) || !isObject(ideas)) return [];
  const [first, ...rest] = value;
  const offered = { angle: textsOf(ideas, "angles", "title"), hook: textsOf(ideas, "hooks", "text") };
  return (["angle", "hook"] as const).flatMap((name) => {
    const chosen = valueAt(first, name);
    const known = offered[name].map((text) => JSON.stringify(text)).join(", ");
    const isUnknown = typeof chosen === "string" && !offered[name].includes(chosen);
    const wrong = isUnknown
      ? [{ field: `[0].${name}`, expected: `one of ${known}`, received: describeReceived(chosen) }]
      : [];
    const late = rest.flatMap((section, at) => {
      const received = valueAt(section, name);
      const field = `[${at + 1}].${name}`;
      const expected = "no such field: only the first section has it";
      return received === undefined ? [] : [{ field, expected, received: describeReceived(received) }];
    });
    return [...wrong, ...late];
  });
}

/** The texts under `name` in the objects of a list. */
function textsOf(value: unknown, list: string, name: string): string[] {
  const found = valueAt(value, list);
  if (!Array.isArray(found)) return [];
  return found.map((one) => valueAt(one, name)).filter((text) => typeof text === "string");
}

// Numbers and names that a text claims and its source has not. Pure.

/** The numbers and words of a source. */
export type Facts = { numbers: ReadonlySet<string>; words: ReadonlySet<string> };

export function readFacts(source: string): Facts {
  return { numbers: numbersIn(source), words: new Set(source.toLowerCase().match(WORD)) };
}

/** What a value claims that appears in none of the sources, in the order in which it comes; each once. */
export function unknownFacts(
  value: unknown,
  sources: readonly Facts[],
): { numbers: string[]; names: string[] } {
  const texts = textsOfFacts(value);
  const isKnown = (name: string) =>
    (name.toLowerCase().match(WORD) ?? []).some((word) => sources.some(({ words }) => words.has(word)));
  const numbers = texts.flatMap(({ text }) => [...numbersIn(text)]);
  const unknown = numbers.filter((number) => !sources.some((facts) => facts.numbers.has(number)));
  const names = texts.flatMap(({ text, isTitle }) => (isTitle ? [] : (text.match(NAME) ?? [])));
  return { numbers: [...new Set(unknown)], names: [...new Set(names.filter((name) => !isKnown(name)))] };
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Two words or more with capitals: a single one may begin a sentence, or be any noun of German. */
const NAME = /\p{Lu}[\p{Ll}’'-]+(?: (?:(?:de|van|von|der|la|of) )?\p{Lu}[\p{Ll}’'-]+)+/gu;
/** Up to here, numbers count what the author plans. */
const SMALL = 12;

/** As they are written in any country: `1,930`, `1.930` and `1930` are one number. */
function numbersIn(text: string): Set<string> {
  const found = text.match(/\d+(?:[.,:’'\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)?/g) ?? [];
  const plain = found.map((number) => number.replace(/[^\d.,]|[.,](?=\d{3}(?!\d))/g, "").replace(",", "."));
  return new Set(plain.filter((number) => Number(number) > SMALL));
}

/** Fields whose words may have capitals as titles do. */
const TITLES = /^(?:title|heading|headline|angle)$/;

function textsOfFacts(value: unknown, isTitle = false): { text: string; isTitle: boolean }[] {
  if (typeof value === "string") return [{ text: value, isTitle }];
  if (Array.isArray(value)) return value.flatMap((one) => textsOfFacts(one, isTitle));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === "contentId" ? [] : textsOfFacts(one, TITLES.test(key)),
  );
}

// Tells in which language a text is, as far as that is certain. Pure.

/** Letters below which nothing is certain; scripts without spaces say more with fewer. */
const LEAST_LETTERS = 250;
const LEAST_SIGNS = 60;
/** Characters that are looked at, half from the beginning and half from the middle. */
const SAMPLE = 6_000;
/**
 * How near to the likeliest language another one must be, to be possible as well. Scores of long texts lie close together, and
 * their likeliest language is right: a French summary of an English item would else pass as near enough.
 */
const NEAR = { short: 0.975, long: 0.995 };
const LONG_LETTERS = 700;

const ofItems = new WeakMap<object, Promise<string[]>>();

/** As `languagesOf` for an item's body, which is read once. */
export function languagesOfItem(item: Pick<ContentItem, "body">): Promise<string[]> {
  const known = ofItems.get(item) ?? languagesOf(item.body);
  ofItems.set(item, known);
  return known;
}

/** Languages (BCP 47) in which the text may be, the likeliest first; empty where that is not certain. */
export async function languagesOf(text: string): Promise<string[]> {
  const prose = sampleOf(text);
  const letters = lengthOf(prose, /\p{L}+/gu);
  if (letters < LEAST_LETTERS && lengthOf(prose, SIGNS) < LEAST_SIGNS) return [];
  const near = letters < LONG_LETTERS ? NEAR.short : NEAR.long;
  const found = (await scoreLanguages(prose)).filter(({ score }) => score >= near);
  return found.map(({ code }) => Intl.getCanonicalLocales(code)[0] ?? code);
}

const SIGNS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]+/gu;

/** How much of the text the runs make up: a match for each letter would fill the heap. */
function lengthOf(text: string, runs: RegExp): number {
  return text.match(runs)?.reduce((sum, run) => sum + run.length, 0) ?? 0;
}

/** For each trigram of a script the languages that have it, with its rank in each. */
type Ranks = ReadonlyMap<string, readonly { language: number; rank: number }[]>;
type Trigrams = { languages: readonly string[]; ranks: Ranks };

/** Characters that count, and what a trigram costs that a language does not have: both are franc's. */
const MOST_SCORED = 2_048;
const MOST_APART = 300;

/**
 * Languages (ISO 639-3) with franc's own scores, the likeliest first. `francAll` looks every trigram up in every
 * language, which takes most of the time of a short item: the index that this makes once is ten times as fast.
 */
async function scoreLanguages(text: string): Promise<{ code: string; score: number }[]> {
  const { expressions } = await import("franc-min/expressions.js");
  const scored = text.slice(0, MOST_SCORED);
  let script = { name: "", count: 0 };
  for (const [name, signs] of Object.entries(expressions)) {
    const count = lengthOf(scored, new RegExp(`(?:${signs.source})+`, "g"));
    if (count > script.count) script = { name, count };
    if (count > scored.length / 2) break;
  }
  if (script.count === 0) return [];
  trigrams ??= import("franc-min/data.js").then(({ data }) => indexTrigrams(data));
  const known = (await trigrams).get(script.name);
  if (!known) return [{ code: script.name, score: 1 }];
  const distances = distancesOf(scored, known).sort((one, other) => one.distance - other.distance);
  const least = distances[0]?.distance ?? 0;
  const most = scored.length * MOST_APART - least;
  return distances.map(({ code, distance }) => ({ code, score: 1 - (distance - least) / most || 0 }));
}

let trigrams: Promise<Map<string, Trigrams>> | undefined;

function indexTrigrams(data: Record<string, Record<string, string>>): Map<string, Trigrams> {
  const scripts = Object.entries(data).map(([script, models]): [string, Trigrams] => {
    const ranks = new Map<string, { language: number; rank: number }[]>();
    for (const [language, model] of Object.values(models).entries()) {
      for (const [rank, trigram] of model.split("|").entries()) {
        const found = ranks.get(trigram);
        if (found) found.push({ language, rank });
        else ranks.set(trigram, [{ language, rank }]);
      }
    }
    return [script, { languages: Object.keys(models), ranks }];
  });
  return new Map(scripts);
}

function distancesOf(text: string, { languages, ranks }: Trigrams): { code: string; distance: number }[] {
  const plain = text
    .replace(/[\u0021-\u0040]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  const padded = ` ${plain} `;
  const counts = new Map<string, number>();
  for (let at = 0; at + 3 <= padded.length; at += 1) {
    const trigram = padded.slice(at, at + 3);
    counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  }
  const nearer = new Float64Array(languages.length);
  for (const [trigram, count] of counts) {
    for (const { language, rank } of ranks.get(trigram) ?? []) {
      nearer[language] = (nearer[language] ?? 0) + MOST_APART - Math.abs(count - rank - 1);
    }
  }
  return languages.map((code, at) => ({ code, distance: counts.size * MOST_APART - (nearer[at] ?? 0) }));
}

function sampleOf(text: string): string {
  const half = SAMPLE / 2;
  const middle = Math.max(half, Math.floor(text.length / 2));
  const parts = text.length <= SAMPLE ? [text] : [text.slice(0, half), text.slice(middle, middle + half)];
  return parts
    .join("\n")
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, " ")
    .replace(/`[^`\n]*`|https?:\/\/\S+|<[^<>\n]*>/g, " ");
}

/** The prose of an artifact, without what is quoted. */
export function proseOf(value: unknown): string {
  if (typeof value === "string")
    return value.includes(" ") || !/^[\x20-\x7e]*$/.test(value) ? `${value}\n` : "";
  if (Array.isArray(value)) return value.map(proseOf).join("");
  if (!isObject(value)) return "";
  return Object.entries(value)
    .filter(([key]) => !/quote|^url$/i.test(key))
    .map(([, one]) => proseOf(one))
    .join("");
}

/** How English calls a language. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

// A translation has the structure, the code and the links of its item.

/** What a translation keeps of Markdown: headings by level, entries of lists, rows of tables, code, addresses. */
type Shape = { headings: string[]; lists: string[]; tables: string[]; code: string[]; links: string[] };

const NAMES: Record<keyof Shape, string> = {
  headings: "headings of the same levels in the same order",
  lists: "lists with the same number of entries",
  tables: "tables with the same number of rows",
  code: "exactly the same code",
  links: "the same addresses of links and images",
};

/** What is not kept of the item in the field `markdown`. */
async function translationProblems(value: unknown, item: ContentItem): Promise<Problem[]> {
  const markdown = valueAt(value, "markdown");
  if (typeof markdown !== "string") return [];
  const [wanted, sent] = [await shapeOf(item.body), await shapeOf(markdown)];
  const parts = Object.keys(NAMES) as (keyof Shape)[];
  return parts.flatMap((part) => {
    const difference = firstDifference(wanted[part], sent[part]);
    if (difference === undefined) return [];
    const { expected, received } = difference;
    const place = expected === undefined ? "no more" : JSON.stringify(expected);
    return [
      {
        field: "markdown",
        expected: `${NAMES[part]} as in the item (here: ${place})`,
        received: describeReceived(received),
      },
    ];
  });
}

function firstDifference(wanted: readonly string[], sent: readonly string[]) {
  const length = Math.max(wanted.length, sent.length);
  for (let at = 0; at < length; at += 1) {
    if (wanted[at] !== sent[at]) return { expected: wanted[at], received: sent[at] };
  }
  return undefined;
}

async function shapeOf(markdown: string): Promise<Shape> {
  const { lexer, walkTokens } = await import("marked");
  const shape: Shape = { headings: [], lists: [], tables: [], code: [], links: [] };
  const spans: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === "heading") shape.headings.push("#".repeat(Number(token.depth)));
    if (token.type === "list") shape.lists.push(`${token.items.length} entries`);
    if (token.type === "table") shape.tables.push(`${token.rows.length} rows`);
    if (token.type === "code") shape.code.push(String(token.text));
    if (token.type === "codespan") spans.push(String(token.text));
    if (token.type === "link" || token.type === "image") shape.links.push(String(token.href));
  });
  // In a sentence of another language, words and links come in another order.
  return { ...shape, code: [...shape.code, ...spans.sort()], links: shape.links.sort() };
}

// Numbers and names that a text claims and its source has not. Pure.
import { isObject } from "../../core/json.ts";

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
  const texts = textsOf(value);
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

function textsOf(value: unknown, isTitle = false): { text: string; isTitle: boolean }[] {
  if (typeof value === "string") return [{ text: value, isTitle }];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, isTitle));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === "contentId" ? [] : textsOf(one, TITLES.test(key)),
  );
}

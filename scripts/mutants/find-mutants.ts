// Lists the small mistakes that could be made in a source file: one changed operator, condition or pattern per mutant.
import { createHash } from "node:crypto";

/** `line` is the trimmed source line, `becomes` the whole line that takes its place. */
export type Mutant = {
  file: string;
  number: number;
  line: string;
  becomes: string;
  mutation: string;
  tests: string[][];
};

type Operator = readonly [mutation: string, pattern: RegExp, becomes: string];

/** Each changes every place where its pattern matches outside of a text. */
const IN_CODE: readonly Operator[] = [
  ["=== to !==", /===/g, "!=="],
  ["!== to ===", /!==/g, "==="],
  ["&& to ||", /&&/g, "||"],
  ["|| to &&", /\|\|/g, "&&"],
  ["> to >=", / > /g, " >= "],
  ["< to <=", / < /g, " <= "],
  [">= to >", / >= /g, " > "],
  ["<= to <", / <= /g, " < "],
  ["+ 1 to - 1", / \+ 1\b/g, " - 1"],
  ["every to some", /\.every\(/g, ".some("],
  ["some to every", /\.some\(/g, ".every("],
  // Not of an optional field: that is a type, and nothing of it is left when the program runs.
  ["true to false", /(?<!\?: )\btrue\b/g, "false"],
  ["false to true", /\bfalse\b/g, "true"],
  ["without !", /(?<=[(\s&|])!(?=[A-Za-z(])/g, ""],
  ["without lower case", /\??\.toLowerCase\(\)/g, ""],
  ["without the beginning", /(?<=\(|= |\w\()\/\^(?!\/)/g, "/"],
  ["without the end", /\$\/(?=[a-z]*[.,);])/g, "/"],
];
const GUARD = /^\s+if \(.*\) (?:return|continue|throw)\b.*;$/;

/** Every mutant of a file, in its order. Comments, imports and types have none. */
export function findMutants(file: string, text: string, tests: string[][]): Mutant[] {
  return text.split("\n").flatMap((source, index) => {
    if (/^\s*(?:\/\/|\/\*|\*|import\b|export type\b|type\b)/.test(source)) return [];
    const changed = IN_CODE.flatMap(([mutation, pattern, becomes]) =>
      placesOf(source, pattern).map(({ from, length }, at) => ({
        mutation: `${mutation}${at === 0 ? "" : `, place ${at + 1}`}`,
        becomes: source.slice(0, from) + becomes + source.slice(from + length),
      })),
    );
    const removed = GUARD.test(source) ? [{ mutation: "without the guard", becomes: "" }] : [];
    const place = { file, number: index + 1, line: source.trim(), tests };
    return [...changed, ...removed].map((mutant) => ({ ...place, ...mutant }));
  });
}

/** Matches outside of texts in quotes. */
function placesOf(source: string, pattern: RegExp): { from: number; length: number }[] {
  const texts = [...source.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g)];
  const isInText = (at: number) => texts.some(({ index, 0: all }) => at > index && at < index + all.length);
  return [...source.matchAll(pattern)]
    .filter(({ index }) => !isInText(index))
    .map(({ index, 0: found }) => ({ from: index, length: found.length }));
}

/**
 * `count` of the mutants, in their order; the same ones for the same seed. Each is drawn by its text alone, so that a
 * change elsewhere in the sources draws no others.
 */
export function chooseSome(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const seen = new Map<string, number>();
  return mutants
    .map((mutant, at) => {
      const text = JSON.stringify([seed, mutant.line, mutant.mutation]);
      const before = seen.get(text) ?? 0;
      seen.set(text, before + 1);
      return { mutant, at, drawn: createHash("sha256").update(`${text}${before}`).digest("hex") };
    })
    .sort((one, other) => (one.drawn < other.drawn ? -1 : 1))
    .slice(0, count)
    .sort((one, other) => one.at - other.at)
    .map(({ mutant }) => mutant);
}

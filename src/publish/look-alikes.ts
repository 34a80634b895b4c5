// Characters that pass for others (UTS 39): named in a warning, because they can't be seen. Pure.

export type LookAlike = { character: string; codePoint: string; why: string; word: string };

const SCRIPTS = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Cherokee",
  "Coptic",
  "Georgian",
  "Hebrew",
  "Arabic",
];
const TESTS = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")] as const);
/** Scripts that ordinary text mixes with Latin, and what belongs to none. */
const MIXES =
  /[\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
/** Letters of other scripts that most typefaces draw as Latin ones. */
const LATIN_SHAPES = /^[аеорсухіјѕһԁԛԝѵАВЕЅІЈКМНОРСТУХҮӀοΑΒΕΖΗΙΚΜΝΟΡΤΥΧνιօսոցհ]+$/u;
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu;
/** Slashes, dots, colons, quotes and dashes of commands that are none, and blanks that are no space. */
const SIGNS = /[\p{Zs}\u2800⁄∕⧸․‧∶꞉ǃ;﹣－﹨＼]/gu;

const ASCII = /^[\x20-\x7e\t\r\n]*$/;

/** Each suspicious character once, in the order in which they come. */
export function findLookAlikes(text: string): LookAlike[] {
  const found = new Map<string, LookAlike>();
  if (ASCII.test(text)) return [];
  const isEastAsian = EAST_ASIAN.test(text);
  const note = (character: string, why: string, word: string): void => {
    if (!found.has(character)) found.set(character, { character, codePoint: nameOf(character), why, word });
  };
  const foreign = foreignWords(text);
  for (const [word] of text.matchAll(WORDS)) {
    for (const [character, why] of suspectsOf(word, foreign.has(word), isEastAsian))
      note(character, why, word);
  }
  for (const [sign] of text.matchAll(SIGNS)) {
    if (sign === " " || (isEastAsian && /[\u3000\uff0d\uff3c]/.test(sign))) continue;
    note(sign, /[\p{Zs}\u2800]/u.test(sign) ? "looks like a space" : "looks like a sign of commands", sign);
  }
  return [...found.values()];
}

function suspectsOf(word: string, isForeign: boolean, isEastAsian: boolean): [string, string][] {
  const letters = [...word];
  const scripts = new Set(letters.filter((letter) => !MIXES.test(letter)).map(scriptOf));
  const suspects: [string, string][] = [];
  for (const letter of letters) {
    const isMixed = scripts.size > 1 && !MIXES.test(letter) && scriptOf(letter) !== "Latin";
    if (isMixed) suspects.push([letter, `${scriptOf(letter)} among other letters`]);
    else if (isForeign && LATIN_SHAPES.test(letter))
      suspects.push([letter, `${scriptOf(letter)}, looks Latin`]);
    else if (!isEastAsian && isStyled(letter))
      suspects.push([letter, `looks like ${letter.normalize("NFKC")}`]);
  }
  return suspects;
}

/**
 * Words that look Latin and are not. One letter alone counts only where no other word needs its script: a text in
 * Russian is left alone.
 */
function foreignWords(text: string): Set<string> {
  const words = [...new Set([...text.matchAll(WORDS)].map(([word]) => word))];
  const cores = words.map((word) => [word, word.replace(/[\p{M}\p{N}_]/gu, "")] as const);
  const needed = new Set(
    cores
      .filter(([, core]) => !LATIN_SHAPES.test(core))
      .map(([, core]) => new Set([...core].filter((letter) => !MIXES.test(letter)).map(scriptOf)))
      .flatMap((scripts) => (scripts.size === 1 ? [...scripts] : [])),
  );
  const isForeign = (core: string): boolean =>
    LATIN_SHAPES.test(core) && ([...core].length > 1 || !needed.has(scriptOf(core)));
  return new Set(cores.filter(([, core]) => isForeign(core)).map(([word]) => word));
}

/** Full width, mathematical and other dressed-up forms of ASCII letters and digits. */
function isStyled(letter: string): boolean {
  return (
    /[\p{Lu}\p{Ll}\p{Nd}]/u.test(letter) &&
    letter > "\u007f" &&
    /^[\x21-\x7e]+$/.test(letter.normalize("NFKC"))
  );
}

function scriptOf(letter: string): string {
  return TESTS.find(([, test]) => test.test(letter))?.[0] ?? "of another script";
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

// Characters that look like others (UTS 39): a warning names them, because the difference is invisible. Pure.

type LookAlike = { character: string; codePoint: string; why: string; word: string };

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
/** Scripts that ordinary text mixes with Latin, and characters without a script. */
const MIXES =
  /[\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
/** Letters of other scripts that most typefaces draw like Latin letters. */
const LATIN_SHAPES = new RegExp(
  `^[${[
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0475",
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u04ae\u04c0",
    "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bd\u03b9",
    "\u0585\u057d\u0578\u0581\u0570",
  ].join("")}]+$`,
  "u",
);
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu;
/** Look-alikes of a command's slashes, dots, colons, quotes, dashes and spaces. */
const SIGNS =
  /[\p{Zs}\u2800\u2044\u2215\u29f8\u2024\u2027\u2236\ua789\u01c3\u037e\ufe63\uff0d\ufe68\uff3c\uff1b\uff5c\uff06]/gu;

const ASCII = /^[\x20-\x7e\t\r\n]*$/;

/** Each suspicious character once, in order of occurrence. */
export function findLookAlikes(text: string): LookAlike[] {
  const found = new Map<string, LookAlike>();
  if (ASCII.test(text)) return [];
  const isEastAsian = EAST_ASIAN.test(text);
  const note = (character: string, why: string, word: string): void => {
    if (!found.has(character))
      found.set(character, { character, codePoint: scriptName(character), why, word });
  };
  const foreign = foreignWords(text);
  for (const [word] of text.matchAll(WORDS)) {
    for (const [character, why] of suspectsOf(word, foreign.has(word), isEastAsian))
      note(character, why, word);
  }
  for (const [sign] of text.matchAll(SIGNS)) {
    if (sign === " " || (isEastAsian && /[\u3000\uff06-\uff5c]/.test(sign))) continue;
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
 * Words that look Latin but are not. A single such letter counts only if no other word needs its script, so
 * Russian text causes no warning.
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

/** Full-width, mathematical and other styled forms of ASCII letters and digits. */
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

function scriptName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

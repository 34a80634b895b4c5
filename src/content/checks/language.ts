// Tells in which language a text is, as far as that is certain. Pure.
import { isObject } from "../../core/json.ts";

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

/** Languages (BCP 47) in which the text may be, the likeliest first; empty where that is not certain. */
export async function languagesOf(text: string): Promise<string[]> {
  const prose = sampleOf(text);
  const signs =
    prose.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu)?.length ?? 0;
  const letters = prose.match(/\p{L}/gu)?.length ?? 0;
  if (letters < LEAST_LETTERS && signs < LEAST_SIGNS) return [];
  const { francAll } = await import("franc-min");
  const near = letters < LONG_LETTERS ? NEAR.short : NEAR.long;
  const found = francAll(prose).filter(([code, score]) => code !== "und" && score >= near);
  return found.map(([code]) => Intl.getCanonicalLocales(code)[0] ?? code);
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
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

// Figures that the program computes, whatever a model claims.
import type { UserProfile } from "../config/definitions.ts";

const WORDS_PER_MINUTE = 250;
const NO_TOPICS = 0.5;

/**
 * Share, 0–1, of the profile's interest that the texts cover: the interest levels of topics found over those of all
 * topics (INTERFACE §7; the fifths cancel out). A topic is found as whole words in any one text, in any case.
 */
export function computeRelevance(profile: UserProfile | undefined, texts: readonly string[]): number {
  const topics = profile?.topics ?? [];
  const all = sumOf(topics.map((topic) => topic.interestLevel));
  if (all === 0) return NO_TOPICS;
  const folded = texts.map(foldText);
  const found = topics.filter(({ topic }) => {
    const pattern = wholeWords(topic);
    return pattern !== undefined && folded.some((text) => pattern.test(text));
  });
  return sumOf(found.map((topic) => topic.interestLevel)) / all;
}

/** Minutes to read that many words, rounded up; at least 1. */
export function readingMinutes(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}

/** NFC with white space collapsed: the form in which texts are compared. */
export function foldText(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

// Scripts that are written without spaces have no visible word ends: there any place will do.
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const INSIDE_WORD = "[\\p{L}\\p{M}\\p{N}_]";

function wholeWords(topic: string): RegExp | undefined {
  const words = foldText(topic);
  const [first] = words;
  if (first === undefined) return undefined;
  const before = UNSPACED.test(first) ? "" : `(?<!${INSIDE_WORD})`;
  const after = UNSPACED.test([...words].at(-1) ?? "") ? "" : `(?!${INSIDE_WORD})`;
  return new RegExp(before + words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") + after, "iu");
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

// What a kit is worth, in code: a share from 0 to 1 for each field, whatever the model that wrote it says of it.

import type { ContentSummary, OutlineSection, WritingIdeas } from "../../src/content/artifact.ts";
import { languagesOf, proseOf } from "../../src/content/checks/checks.ts";
import { settleSummary } from "../../src/content/checks/quotes.ts";
import { type ContentItem, countWords } from "../../src/content/item.ts";

export type Kit = { summary: ContentSummary; ideas: WritingIdeas; outline: OutlineSection[] };
export type Key = { language: string; facts: string[] };
type Scores = Record<string, number>;

/** Scores by field; 1 is all that one can ask for. */
export async function scoreKit(item: ContentItem, { language, facts }: Key, kit: Kit): Promise<Scores> {
  const { summary, ideas, outline } = kit;
  const told = foldText(JSON.stringify([summary, ideas, outline]));
  return {
    quotes: scoreQuotes(item, summary),
    facts: shareOf(facts, (fact) => told.includes(foldText(fact))),
    angles: distinctness(ideas.angles.map(({ title, description }) => `${title} ${description}`)),
    hooks: shareOf(ideas.hooks, isOfItsType),
    coverage: coverage(outline, kit),
    language: shareOf(await writtenIn([summary, ideas, outline]), (one) => one === language || one === ""),
    lengths: scoreLengths(item, kit),
  };
}

/** What can be said of an artifact of any shape. */
export async function scoreArtifact(artifact: unknown, { language, facts }: Key): Promise<Scores> {
  const told = foldText(JSON.stringify(artifact));
  return {
    facts: shareOf(facts, (fact) => told.includes(foldText(fact))),
    language: shareOf(await writtenIn([artifact]), (one) => one === language || one === ""),
  };
}

/** Quotes that are in the item; an item that has some must give some. */
function scoreQuotes(item: ContentItem, summary: ContentSummary): number {
  const { problems } = settleSummary(summary, item);
  const count = summary.importantQuotes.length;
  if (count === 0) return /["“„«]/.test(item.body) ? 0 : 1;
  return Math.max(0, 1 - problems.length / count);
}

/** How little two texts share at most: 1 for no word in common. */
function distinctness(texts: readonly string[]): number {
  const sets = texts.map(wordsOf);
  const pairs = sets.flatMap((one, at) => sets.slice(at + 1).map((other) => overlap(one, other)));
  return texts.length < 2 ? 0 : 1 - Math.max(...pairs);
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}

function isOfItsType({ text, type }: WritingIdeas["hooks"][number]): boolean {
  switch (type) {
    case "statistic":
      return /\d|\b(?:half|third|twice|hälfte|moitié|tiers)\b/i.test(text);
    case "curiosity":
      return /[?…]|\b(?:why|how|what|nobody|wer|was|warum|niemand|pourquoi|personne|ce que)\b/i.test(text);
    case "story":
      return /\p{Lu}\p{Ll}+|["“„«]/u.test(text.slice(1)) || /\b(?:I|he|she|they|er|sie|il|elle)\b/.test(text);
    default:
      return text.length >= 20;
  }
}

/** Chosen angle and hook are recorded, and what the outline says comes from summary and ideas. */
function coverage(outline: readonly OutlineSection[], { summary, ideas }: Kit): number {
  const known = wordsOf(JSON.stringify([summary, ideas]));
  const points = outline.flatMap(({ keyPoints }) => keyPoints);
  const grounded = shareOf(points, (point) => {
    const words = [...wordsOf(point)];
    return shareOf(words, (word) => known.has(word)) >= 0.5;
  });
  const [first] = outline;
  const isChosen = ideas.angles.some(({ title }) => title === first?.angle);
  return (grounded * 3 + (isChosen ? 1 : 0)) / 4;
}

async function writtenIn(artifacts: readonly unknown[]): Promise<string[]> {
  return Promise.all(artifacts.map(async (one) => (await languagesOf(proseOf(one)))[0] ?? ""));
}

/** A summary is shorter than its item, and the outline plans a text that one can write. */
function scoreLengths(item: ContentItem, { summary, outline }: Kit): number {
  const words = countWords(item);
  const planned = outline.reduce((sum, { estimatedWords = 0 }) => sum + estimatedWords, 0);
  const checks = [
    countWords({ body: summary.tldr }) < words,
    countWords({ body: summary.detailedAnalysis }) < words * 1.2,
    outline.length >= 2 && outline.length <= 9,
    planned >= 100 && planned <= 3_000,
  ];
  return shareOf(checks, (isRight) => isRight);
}

function shareOf<T>(all: readonly T[], isRight: (one: T) => boolean): number {
  return all.length === 0 ? 1 : all.filter(isRight).length / all.length;
}

function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\s.,’']+/g, "")
    .toLowerCase();
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}

import { describe, expect, test } from "vitest";
import type { UserProfile } from "../../src/config/definitions.ts";
import { computeRelevance, readingMinutes } from "../../src/content/item.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

function profile(...topics: [string, number][]): UserProfile {
  return {
    userId: "u",
    topics: topics.map(([topic, interestLevel]) => ({ topic, interestLevel })),
    style: { tone: "mixed", targetWordCount: 1000, voice: "first-person" },
  };
}

describe("relevance", () => {
  test("is a half without topics", () => {
    expect(computeRelevance(undefined, ["anything"])).toBe(0.5);
    expect(computeRelevance(profile(), ["anything"])).toBe(0.5);
  });

  test("weighs topics by interest", () => {
    const topics = profile(["AI", 5], ["cooking", 3], ["law", 2]);
    expect(computeRelevance(topics, ["All about ai and its LAW"])).toBe(0.7);
    expect(computeRelevance(topics, ["nothing of it"])).toBe(0);
    expect(computeRelevance(topics, ["cooking", "law", "AI"])).toBe(1);
  });

  test.each([
    ["AI", "he said", false],
    ["AI", "bonsai", false],
    ["AI", "(AI)", true],
    ["AI", "AI-driven", true],
    ["ai", "AI_x", false],
    ["machine learning", "Machine\n  Learning!", true],
    ["machine learning", "machine, learning", false],
    ["café", "Cafe\u0301s", false],
    ["café", "CAFE\u0301", true],
    ["мир", "Мир!", true],
    ["мир", "мира", false],
    ["C++", "I like C++.", true],
    ["a.b", "axb", false],
    ["state-of-the-art", "State-of-the-Art work", true],
    ["[x](y)", "see [X](Y)", true],
    ["人工智能", "关于人工智能的书", true],
    ["  ", "  ", false],
  ])("the topic %j in %j: %s", (topic, text, found) => {
    expect(computeRelevance(profile([topic, 4]), [text])).toBe(found ? 1 : 0);
  });

  test("is found in one text, not across two", () => {
    expect(computeRelevance(profile(["machine learning", 1]), ["machine", "learning"])).toBe(0);
  });

  const topics = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{2,6}$/), fc.integer({ min: 1, max: 5 })), {
    minLength: 1,
    maxLength: 6,
    selector: ([topic]) => topic,
  });

  test("is the share of interest whose topics stand there", () => {
    fc.assert(
      fc.property(topics, fc.infiniteStream(fc.boolean()), (all, coins) => {
        const there = all.filter(() => coins.next().value);
        const sum = (list: [string, number][]) => list.reduce((total, [, level]) => total + level / 5, 0);
        const text = `0 ${there.map(([topic]) => topic.toUpperCase()).join(", ")} 0`;
        expect(computeRelevance(profile(...all), [text])).toBeCloseTo(sum(there) / sum(all), 10);
      }),
    );
  });

  test("any topic and text give a share", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.integer({ min: 1, max: 5 }))), text, (all, words) => {
        const share = computeRelevance(profile(...all), [words]);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
    );
  });
});

test.each([
  [0, 1],
  [1, 1],
  [250, 1],
  [251, 2],
  [1000, 4],
])("%i words take %i minutes", (words, minutes) => {
  expect(readingMinutes(words)).toBe(minutes);
});

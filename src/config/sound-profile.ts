// Tells a profile that is plainly sound without a library for schemas, which takes long to load. What is not plainly so is
// for the schema to judge, and to say what is wrong.
import { isObject, parseJson } from "../session/json.ts";
import type { UserProfile } from "./definitions.ts";

export const TONES = ["beginner", "intermediate", "expert", "mixed"] as const;
export const VOICES = ["first-person", "third-person", "instructional"] as const;
export const INTEREST_LEVELS = { min: 1, max: 5 };
export const WORD_COUNTS = { min: 100, max: 10_000 };

/** The profile as the schema would give it, or undefined where only the schema can tell. */
export function parseSoundProfile(text: string): UserProfile | undefined {
  const value = parseJson(text);
  if (!hasKeys(value, ["userId", "topics", "style"], ["writingSamples"])) return undefined;
  const { userId, topics, style, writingSamples } = value;
  if (!isText(userId) || !Array.isArray(topics) || !topics.every(isTopic) || !isStyle(style))
    return undefined;
  const wanted = topics.map(({ topic, interestLevel }) => ({ topic, interestLevel }));
  const { tone, targetWordCount, voice } = style;
  const profile = { userId, topics: wanted, style: { tone, targetWordCount, voice } };
  if (writingSamples === undefined) return Object.hasOwn(value, "writingSamples") ? undefined : profile;
  const isList =
    Array.isArray(writingSamples) && writingSamples.every((sample) => typeof sample === "string");
  return isList ? { ...profile, writingSamples } : undefined;
}

function isTopic(value: unknown): value is UserProfile["topics"][number] {
  if (!hasKeys(value, ["topic", "interestLevel"])) return false;
  const { topic, interestLevel } = value;
  return isText(topic) && topic.trim() === topic && isWithin(interestLevel, INTEREST_LEVELS);
}

function isStyle(value: unknown): value is UserProfile["style"] {
  if (!hasKeys(value, ["tone", "targetWordCount", "voice"])) return false;
  const { tone, targetWordCount, voice } = value;
  return isOneOf(tone, TONES) && isWithin(targetWordCount, WORD_COUNTS) && isOneOf(voice, VOICES);
}

function hasKeys<Name extends string, Optional extends string = never>(
  value: unknown,
  names: readonly Name[],
  optional: readonly Optional[] = [],
): value is Record<Name, unknown> & Partial<Record<Optional, unknown>> {
  if (!isObject(value)) return false;
  const known = new Set<string>([...names, ...optional]);
  return (
    names.every((name) => Object.hasOwn(value, name)) && Object.keys(value).every((key) => known.has(key))
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isOneOf<Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return words.some((word) => word === value);
}

function isWithin(value: unknown, { min, max }: { min: number; max: number }): value is number {
  return typeof value === "number" && value >= min && value <= max;
}

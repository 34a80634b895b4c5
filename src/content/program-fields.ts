// The fields of artifacts that the program sets, whatever the model sent (INTERFACE §7).
import type { UserProfile } from "../config/definitions.ts";
import { isObject } from "../session/json.ts";
import { type ContentItem, countWords } from "./item.ts";
import { computeRelevance, readingMinutes } from "./relevance.ts";

export type ArtifactFacts = {
  item: ContentItem;
  sessionId: string;
  profile?: UserProfile;
  /** Values of the session's valid artifacts by file name. */
  artifacts: ReadonlyMap<string, unknown>;
};

type Fields = Record<string, unknown>;

/** A copy of a built-in artifact with the program's fields set; what is no object comes back as it is. */
export function setProgramFields(artifact: string, value: unknown, facts: ArtifactFacts): unknown {
  if (!isObject(value)) return value;
  const named = { ...value, contentId: facts.sessionId };
  if (artifact === "summary.json") return summaryFields(named, facts);
  return artifact === "writing-kit.json" ? kitFields(named, facts) : named;
}

function summaryFields(value: Fields, { profile, item }: ArtifactFacts): Fields {
  const texts = [value.headline, value.tags, value.keyThemes]
    .flat()
    .filter((text) => typeof text === "string");
  return { ...value, score: { relevanceToUser: computeRelevance(profile, [...texts, item.text]) } };
}

function kitFields(value: Fields, facts: ArtifactFacts): Fields {
  const { item, sessionId, artifacts } = facts;
  const copy = (file: string, sent: unknown) => (artifacts.has(file) ? artifacts.get(file) : sent);
  const summary = copy("summary.json", value.summary);
  return {
    ...value,
    source: { id: sessionId, label: item.title, url: item.url },
    summary,
    ideas: copy("ideas.json", value.ideas),
    suggestedOutline: copy("outline.json", value.suggestedOutline),
    meta: {
      relevanceToUser: relevanceOf(summary, facts),
      estimatedReadingTimeMinutes: readingMinutes(countWords(item.body)),
    },
  };
}

function relevanceOf(summary: unknown, { profile, item }: ArtifactFacts): unknown {
  const score = isObject(summary) && isObject(summary.score) ? summary.score : {};
  return score.relevanceToUser ?? computeRelevance(profile, [item.text]);
}

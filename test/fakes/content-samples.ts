// A content item, a valid artifact of each kind and the pipeline that makes them: tests change what they are about.
import type { Pipeline, PipelineOutput } from "../../src/config/definitions.ts";
import type { ContentSummary, OutlineSection, WritingIdeas, WritingKit } from "../../src/content/artifact.ts";
import { type ContentItem, parseContentItem } from "../../src/content/item.ts";

export const ARTICLE = `---
id: quiet-machines
title: Quiet machines
url: https://example.org/quiet
---
# Quiet machines

The new pump makes “almost no noise at all”, says Ada Moor,
who built it in a shed. It costs 40 euros and runs for ten years.
`;

export function sampleItem(text = ARTICLE, source = "content/quiet.md"): Promise<ContentItem> {
  return parseContentItem(source, new TextEncoder().encode(text));
}

export const SESSION_ID = "quiet-machines-2026-11-21-a1b2c3";

export function sampleSummary(): ContentSummary {
  return {
    contentId: SESSION_ID,
    headline: "A pump that almost nobody hears",
    tldr: "A pump built in a shed is nearly silent and cheap.",
    bullets: ["It costs 40 euros"],
    tags: ["pumps", "noise"],
    sentiment: "positive",
    category: "engineering",
    score: { relevanceToUser: 0.5 },
    overview: "The text tells of a pump that makes almost no noise at all.",
    keyThemes: ["noise", "cost", "craft"],
    detailedAnalysis:
      "The pump is compared by its noise, its price and its life; all three speak for it. ".repeat(2),
    narrativeFlow: "It begins with the noise, goes on to its maker and ends with the price.",
    coreIdeas: [{ concept: "silence", explanation: "A pump need not be loud." }],
    importantQuotes: [{ text: "almost no noise at all", context: "Ada Moor" }],
    context: "Pumps are usually loud.",
    relatedConcepts: [],
    detectedSource: "article",
  };
}

export function sampleIdeas(): WritingIdeas {
  return {
    contentId: SESSION_ID,
    hooks: [{ text: "Do you hear it?", type: "curiosity" }],
    angles: [{ title: "Silence sells", description: "Why quiet things win.", relevanceScore: 0.7 }],
    questions: [{ question: "What does noise cost us?", type: "analytical" }],
  };
}

export function sampleOutline(): OutlineSection[] {
  return [
    { heading: "Noise", notes: "Begin with the sound.", keyPoints: ["It is quiet"], estimatedWords: 200 },
  ];
}

export function sampleKit(): WritingKit {
  return {
    contentId: SESSION_ID,
    source: { id: SESSION_ID, label: "Quiet machines", url: "https://example.org/quiet" },
    summary: sampleSummary(),
    ideas: sampleIdeas(),
    suggestedOutline: sampleOutline(),
    meta: { relevanceToUser: 0.5, estimatedReadingTimeMinutes: 1 },
  };
}

/** Valid artifacts by file name. */
export function sampleArtifacts(): Map<string, unknown> {
  return new Map<string, unknown>([
    ["summary.json", sampleSummary()],
    ["ideas.json", sampleIdeas()],
    ["outline.json", sampleOutline()],
    ["writing-kit.json", sampleKit()],
  ]);
}

export function makeOutput(name: string, parts: Partial<PipelineOutput> = {}): PipelineOutput {
  return { name, artifact: `${name}.json`, agent: name, requires: [], maxRetries: 2, ...parts };
}

/** Outputs must be in topological order; the last one is final. */
export function makePipeline(outputs: PipelineOutput[], name = "writing-kit"): Pipeline {
  return { name, description: "", file: `${name}.yaml`, outputs, final: outputs.at(-1)?.name ?? "" };
}

export function writingKit(): Pipeline {
  return makePipeline([
    makeOutput("summary", { agent: "content-analyzer" }),
    makeOutput("ideas", { agent: "idea-generator", requires: ["summary"] }),
    makeOutput("outline", { agent: "writing-kit-builder", requires: ["summary", "ideas"] }),
    makeOutput("writing-kit", { agent: "writing-kit-builder", requires: ["summary", "ideas", "outline"] }),
  ]);
}

// A model that writes valid artifacts for the built-in pipeline: what a good model would do, in the fewest turns.

import type { ModelRequest } from "../../src/core/ports.ts";
import { call, ScriptedModel, type ScriptedReply } from "./scripted-model.ts";

export const ARTICLE = `---
title: Kettles and time
url: https://example.org/kettles
---
# Kettles

A kettle takes four minutes. Nobody uses those minutes well, said Ada Moss, "and I count myself among them".

## What to do

Plan one small thing. Stop when the water boils.
`;

export const SUMMARY = {
  headline: "Four minutes at the kettle are a budget",
  tldr: "Waiting for a kettle takes four minutes that one small plan can use.",
  bullets: ["A kettle takes four minutes"],
  tags: ["time", "habits"],
  sentiment: "neutral",
  category: "habits",
  overview: "A short piece about the minutes that people spend while water boils.",
  keyThemes: ["waiting", "habits", "small plans"],
  detailedAnalysis:
    "The piece counts the minutes, lets one person admit that they are lost, and proposes to plan one small thing that ends with the water.",
  narrativeFlow: "It opens with a number, hears a voice and ends with a proposal that anyone can try.",
  coreIdeas: [{ concept: "Fixed waits", explanation: "A wait of known length can be planned." }],
  importantQuotes: [{ text: "and I count myself among them" }],
  context: "Everyday habits and small waits.",
  relatedConcepts: ["time boxing"],
};
export const IDEAS = {
  hooks: [{ text: "Four minutes, every morning.", type: "statistic" }],
  angles: [{ title: "Waits as budgets", description: "What a known wait is good for.", relevanceScore: 0.7 }],
  questions: [{ question: "What do you do in four minutes?", type: "practical" }],
};
export const OUTLINE = [{ heading: "The wait", notes: "Open with the number.", keyPoints: ["four minutes"] }];

const VALUES = new Map<string, unknown>([
  ["summary", SUMMARY],
  ["ideas", IDEAS],
  ["outline", OUTLINE],
  ["writing-kit", {}],
]);

/** One turn a step: writes every output that the first message names as due. */
export function writeDue(
  request: ModelRequest,
  overrides: ReadonlyMap<string, unknown> = new Map(),
): ScriptedReply {
  const writes = dueOutputs(request).map((name, at) =>
    writeOutput(`write-${request.messages.length}-${at}`, name, overrides),
  );
  return { content: writes };
}

/** The call that writes one output. */
export function writeOutput(id: string, name: string, overrides: ReadonlyMap<string, unknown> = new Map()) {
  const content = overrides.has(name) ? overrides.get(name) : VALUES.get(name);
  return call(id, "writeArtifact", { output: name, content });
}

/** The outputs that a step's first message asks for. */
export function dueOutputs(request: ModelRequest): string[] {
  return (openingFacts(request).outputs ?? []).map((output) => output.name);
}

/** What a step's first message states: outputs that are due, and the path of the item's copy. */
export function openingFacts(request: ModelRequest): { outputs?: { name: string }[]; content?: string } {
  const first = request.messages[0]?.content[0];
  const block =
    [...(first?.type === "text" ? first.text : "").matchAll(/```json\n([\s\S]*?)\n```/g)].at(-1)?.[1] ?? "{}";
  return JSON.parse(block);
}

/** Answers any number of steps. */
export function kitModel(): ScriptedModel {
  return new ScriptedModel((request) => writeDue(request));
}

/** As `kitModel`, but the agent of one output first asks a person to choose between Calm and Loud (call `q`). */
export function askingModel(output = "ideas"): ScriptedModel {
  const question = call("q", "askUser", { question: "Which angle?", options: ["Calm", "Loud"] });
  return new ScriptedModel((request) => {
    const isAsking = dueOutputs(request)[0] === output && request.messages.length === 1;
    return isAsking ? { content: [question] } : writeDue(request);
  });
}

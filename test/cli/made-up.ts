// Made-up runs for the display: events with their times, items and questions.

import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { RunEvent } from "../../src/core/ports.ts";
import type { Result } from "../../src/core/result.ts";

export const SESSION = "night-trains-2026-11-21-3fa2bc";
const sessionId = SESSION;
const agent = "content-analyzer";

export const question: InteractionRequest = {
  interactionId: `${SESSION}.q1-abc123`,
  shortId: "q1-abc123",
  taskId: "ideas",
  conversationId: "ideas#1",
  toolCallIds: ["call-9"],
  authorActorId: "agent:idea-generator",
  kind: "Select",
  purpose: "choose_strategy",
  display: { title: "Which hook shall lead?", description: "The others stay below it." },
  options: [
    { id: "hook-1", label: "Nine of ten seats were empty." },
    { id: "hook 2", label: "Who\u001b[31m pays\u202e for the night?", isDefault: true },
  ],
  fingerprint: "abc123",
};

export const confirm: InteractionRequest = {
  ...question,
  kind: "Confirm",
  purpose: "confirm_risky_action",
  display: { title: "Edit notes.md", content: "@@ -1 +1 @@\n-old\n+new\u200b\n", contentKind: "Diff" },
  options: [
    { id: "approve", label: "Approve", style: "primary" },
    { id: "reject", label: "Reject", style: "danger", isDefault: true },
  ],
};

export const input: InteractionRequest = {
  ...question,
  kind: "Input",
  display: { title: "Which year?" },
  options: [],
  validation: { regex: "^\\d{4}$", required: true },
};

function call(id: string, taskId: string, toolName: string, summary: string): RunEvent {
  return { type: "tool-started", sessionId, taskId, agent, toolName, toolCallId: id, summary };
}

function ended(
  id: string,
  taskId: string,
  toolName: string,
  summary: string,
  durationMs: number,
  isError = false,
): RunEvent {
  const type = "tool-ended";
  return { type, sessionId, taskId, agent, toolName, toolCallId: id, summary, isError, durationMs };
}

const usage = { inputTokens: 1200, outputTokens: 340, cacheReadTokens: 9000, cacheWriteTokens: 0 };

/** A run in the middle of its second step, after an artifact was refused once. Times in milliseconds. */
export const events: readonly (readonly [number, RunEvent])[] = [
  [
    5,
    {
      type: "session",
      sessionId,
      source: "content/夜行列車の静かな帰還.md",
      pipeline: "writing-kit",
      folder: `.looplia/contentItem/${SESSION}`,
      steps: [
        { output: "summary", due: true, reason: "not done yet" },
        { output: "ideas", due: true, reason: "needs summary, which runs again" },
        { output: "outline", due: true, reason: "not done yet" },
        { output: "writing-kit", due: true, reason: "not done yet" },
      ],
    },
  ],
  [10, { type: "step", sessionId, output: "summary", agent, status: "started" }],
  [20, call("c1", "summary", "readFile", `.looplia/contentItem/${SESSION}/content.md`)],
  [22, ended("c1", "summary", "readFile", `.looplia/contentItem/${SESSION}/content.md`, 2)],
  [900, { type: "usage", sessionId, taskId: "summary", model: "m", usage, costUsd: 0.0123 }],
  [1000, call("c2", "summary", "writeArtifact", "summary")],
  [
    1001,
    {
      type: "validation-failed",
      sessionId,
      output: "summary",
      artifact: "summary.json",
      errors: [
        'headline: expected at least 10 characters, got \u001b[31m"Trains"\u001b[0m',
        "tldr: required field missing",
      ],
      hint: "headline is a text of 10 to 200 characters; tldr is a text of 20 to 500 characters. Write the whole artifact again.",
      recoverable: true,
    },
  ],
  [1002, ended("c2", "summary", "writeArtifact", "summary", 2, true)],
  [1500, call("c3", "summary", "writeArtifact", "summary")],
  [1510, ended("c3", "summary", "writeArtifact", "summary", 10)],
  [1520, { type: "step", sessionId, output: "summary", agent, status: "completed" }],
  [1600, { type: "notice", level: "warning", message: "agents/old.md:3: unknown tool \u001b[2Jx" }],
  [1700, { type: "step", sessionId, output: "ideas", agent: "idea-generator", status: "started" }],
  [1800, call("c4", "ideas", "readFile", "summary.json")],
  [1801, ended("c4", "ideas", "readFile", "summary.json", 1)],
  [1900, call("c5", "ideas", "runCommand", "rm -rf /\u001b]0;owned\u0007 tmp")],
  [2400, ended("c5", "ideas", "runCommand", "rm -rf /", 500, true)],
  [2500, { type: "question", sessionId, request: question }],
  [2600, call("c6", "ideas", "askUser", "Which hook shall lead?")],
  [2700, { type: "text", sessionId, agent, delta: "The strongest hook is the empty train, since" }],
];

export const lastEvents: readonly (readonly [number, RunEvent])[] = [
  [
    3000,
    {
      type: "answered",
      sessionId,
      request: question,
      answer: { selectedOptionId: "hook-1" },
      actorId: "terminal:ada",
    },
  ],
  [3001, ended("c6", "ideas", "askUser", "Which hook shall lead?", 401)],
  [3100, { type: "step", sessionId, output: "ideas", agent: "idea-generator", status: "completed" }],
  [3200, { type: "step", sessionId, output: "outline", agent: "writing-kit-builder", status: "started" }],
  [3200, { type: "step", sessionId, output: "writing-kit", agent: "writing-kit-builder", status: "started" }],
  [3300, call("c7", "outline+writing-kit", "writeArtifact", "outline")],
  [3305, ended("c7", "outline+writing-kit", "writeArtifact", "outline", 5)],
  [
    64_000,
    {
      type: "step",
      sessionId,
      output: "outline",
      agent: "writing-kit-builder",
      status: "failed",
      message: "outline[0].keyPoints: expected 1 to 7 texts, got 9",
    },
  ],
  [
    64_000,
    { type: "step", sessionId, output: "writing-kit", agent: "writing-kit-builder", status: "waiting" },
  ],
];

export const item: Result = {
  source: "content/night-trains.md",
  sessionId: SESSION,
  title: "Night trains",
  pipeline: "writing-kit",
  status: "completed",
  reasonCode: "done",
  folder: `.looplia/contentItem/${SESSION}`,
  output: "writing-kit",
  finalOutput: "writing-kit",
  artifactPath: `.looplia/contentItem/${SESSION}/writing-kit.json`,
  artifact: { contentId: SESSION },
  artifacts: new Map(),
  steps: [{ output: "summary", status: "completed", reason: "not done yet" }],
  interactions: [],
  usage,
  costUsd: 0.0123,
};

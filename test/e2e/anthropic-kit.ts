// A content run against the strict local Messages API: what the model says is written down step by step.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type AnthropicOptions, createAnthropicModel } from "../../src/anthropic/model.ts";
import type { RunResult } from "../../src/core/result.ts";
import type { TerminalTrigger } from "../../src/work/terminal.ts";
import { type ContentWorld, createContentWorld, type RunOptions } from "../fakes/content-world.ts";
import { dueOutputs } from "../fakes/kit-api.ts";
import { ARTICLE, IDEAS, OUTLINE, SUMMARY } from "../fakes/kit-script.ts";
import { type MessagesApi, startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import type { Answer, ApiScript } from "../fakes/messages-api-script.ts";
import type { AnswerBlock } from "../fakes/messages-api-stream.ts";

export const KEY = "sk-ant-api03-canary-0123456789";
export const MODEL = "claude-sonnet-5-5";
export const FILE: TerminalTrigger = { kind: "file", source: "a.md" };

export type KitWorld = ContentWorld & {
  api: MessagesApi;
  /** Each run has a Model of its own, as a process has; the server remembers them all. */
  runKit(trigger: TerminalTrigger, options?: RunOptions): Promise<RunResult>;
};

/** `scripts` are named by the outputs due (`outline`), `subagent` for the rest. Nothing may be left unsaid. */
export async function createKitWorld(
  scripts: Record<string, ApiScript>,
  files: Record<string, string> = {},
  model: Partial<AnthropicOptions> = {},
): Promise<KitWorld> {
  const world = await createContentWorld({ "a.md": ARTICLE, ...files });
  const nameOf = (body: ApiBody) => dueOutputs(body).join("+") || "subagent";
  const api = await startMessagesApi({ nameOf, scripts }, { apiKey: KEY });
  onTestFinished(() => api.close());
  return {
    ...world,
    api,
    runKit: (trigger, options = {}) =>
      world.run(trigger, createAnthropicModel({ apiKey: KEY, baseURL: api.url, backOffMs: 1, ...model }), {
        ...options,
        settings: { model: MODEL, ...options.settings },
      }),
  };
}

export const GOOD = new Map<string, unknown>([
  ["summary", SUMMARY],
  ["ideas", IDEAS],
  ["outline", OUTLINE],
  ["writing-kit", {}],
]);

export function use(id: string, name: string, input: unknown): AnswerBlock {
  return { type: "tool_use", id, name, input };
}

/** Writes one output; `content` is a valid artifact unless given. */
export function write(output: string, id = `toolu_${output}`, content = GOOD.get(output)): AnswerBlock {
  return use(id, "writeArtifact", { output, content });
}

/** What the steps after `summary` say when nothing is remarkable about them. */
export const REST: Record<string, Answer[]> = {
  ideas: [{ content: [write("ideas")] }],
  outline: [{ content: [write("outline")] }],
};

/** The conversation lines of a session that has one segment, by type. */
export async function storedLines(
  world: ContentWorld,
  sessionId: string,
  type: string,
): Promise<Record<string, unknown>[]> {
  const file = join(
    world.root,
    ".looplia/state",
    sessionId,
    "sessions",
    sessionId,
    "conversation/000001.jsonl",
  );
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.type === type)
    .map((line) => line.payload);
}

// A step's conversation with the offline model over files in memory.

import {
  type Message,
  messageText,
  type ToolResultBlock,
  type ToolUseBlock,
  toolCallsOf,
} from "../../src/core/events.ts";
import type { Model, ModelReply } from "../../src/core/ports.ts";
import { createOfflineModel } from "../../src/offline/model.ts";

export const FOLDER = ".looplia/contentItem/session";
export type Reply = { text: string; isError?: boolean };
export type Conversation = { messages: Message[]; artifacts: Map<string, unknown>; last: string };
export type Step = {
  conversationId?: string;
  /** Output names; the artifact is `<name>.json`. */
  outputs: string[];
  requires?: string[];
  tools?: string[];
  askInDemo?: boolean;
  /** Answers calls; undefined lets the call do what it does. */
  answer?: (call: ToolUseBlock, count: number) => Reply | undefined | Promise<Reply>;
  opening?: string;
  /** A fresh model for each turn, as after a crash; else one for the conversation. */
  crashes?: boolean;
};

/** The message that starts a step, with the block that the program puts into it. */
export function openingOf({ outputs, requires = [] }: Step): string {
  const facts = {
    sessionFolder: FOLDER,
    content: `${FOLDER}/content.md`,
    outputs: outputs.map((name) => ({ name, artifact: `${name}.json`, requires: [] })),
    requires: requires.map((name) => ({ name, path: `${FOLDER}/${name}.json` })),
    profile: null,
  };
  return `Make it.\n\n\`\`\`json\n${JSON.stringify(facts)}\n\`\`\`\n`;
}

/** Runs until the model ends its turn; fails after 40 turns. `files` are by path below the session's folder. */
export async function converse(step: Step, files: Record<string, string>): Promise<Conversation> {
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: step.opening ?? openingOf(step) }] },
  ];
  const artifacts = new Map<string, unknown>();
  let model = openModel(step);
  let count = 0;
  for (let turn = 0; turn < 40; turn += 1) {
    if (step.crashes) model = openModel(step);
    const { message, stopReason } = await nextTurn(step, messages, model);
    messages.push(message);
    if (stopReason === "end_turn") return { messages, artifacts, last: messageText(message) };
    const content: ToolResultBlock[] = [];
    for (const call of toolCallsOf(message)) {
      const reply = (await step.answer?.(call, count++)) ?? act(call, files, artifacts);
      const error = reply.isError ? { is_error: true as const } : {};
      content.push({ type: "tool_result", tool_use_id: call.id, content: reply.text, ...error });
    }
    messages.push({ role: "user", content });
  }
  throw new Error("the conversation does not end");
}

function openModel({ askInDemo = false }: Step): Model {
  return createOfflineModel({ askInDemo });
}

/** One turn, of a fresh model unless one is given. */
export function nextTurn(
  step: Step,
  messages: readonly Message[],
  model = openModel(step),
): Promise<ModelReply> {
  const tools = (step.tools ?? []).map((name) => ({ name, description: name, inputSchema: {} }));
  return model.respond(
    {
      conversationId: step.conversationId ?? "step#1",
      model: "offline-extractive",
      prefix: { system: "", tools },
      messages,
    },
    { signal: new AbortController().signal },
  );
}

export function inputOf(call: ToolUseBlock): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(call.input ?? {}));
}

function act(call: ToolUseBlock, files: Record<string, string>, artifacts: Map<string, unknown>): Reply {
  const input = inputOf(call);
  if (call.name === "writeArtifact") {
    artifacts.set(String(input.get("output")), input.get("content"));
    return { text: "Accepted." };
  }
  if (call.name === "askUser") return { text: "Nobody can be asked here. Decide yourself." };
  if (call.name === "Task") return { text: "Completed." };
  const text = files[String(input.get("path")).slice(FOLDER.length + 1)];
  if (call.name !== "readFile" || text === undefined)
    return { text: "There is no such file.", isError: true };
  return { text };
}

// What a good model says over the Messages API: valid artifacts for each step, and `Task` calls where it leads.

import type { Message } from "../../src/core/events.ts";
import type { ModelRequest } from "../../src/core/ports.ts";
import * as kit from "./kit-script.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import type { Turn } from "./messages-api-script.ts";
import type { AnswerBlock } from "./messages-api-stream.ts";
import { call } from "./scripted-model.ts";

const AGENTS = ["content-analyzer", "idea-generator", "writing-kit-builder"];

/** The outputs that the conversation's first message asks for; none for a main agent. */
export function dueOutputs(body: ApiBody): string[] {
  return kit.dueOutputs(toRequest(body));
}

/** Writes every output that the first message names as due. Ids are unique in a conversation. */
export function writeDue(body: ApiBody): Turn {
  return writeFrom(new Map())(body);
}

/** As `writeDue`, with these values by output. */
export function writeFrom(values: ReadonlyMap<string, unknown>): (body: ApiBody) => Turn {
  return (body) => ({ content: kit.writeDue(toRequest(body), values).content as AnswerBlock[] });
}

/** Gives every due artifact as a field of one answer where there are no tools, and else calls tools. */
export function answerBatch(body: ApiBody): Turn {
  if (body.tools) return writeDue(body);
  const answer = dueOutputs(body).map((name) => [
    name,
    (kit.writeOutput("none", name).input as { content: unknown }).content,
  ]);
  return JSON.stringify(Object.fromEntries(answer));
}

/** Reads the item, then writes what is due, one output a turn. */
export function answerInTurns(body: ApiBody): Turn {
  const turns = body.messages.filter(({ role }) => role === "assistant").length;
  const { content, outputs = [] } = kit.openingFacts(toRequest(body));
  if (turns === 0) return { content: [call("read", "readFile", { path: content }) as AnswerBlock] };
  const due = outputs[turns - 1]?.name;
  if (due === undefined) return "All is written.";
  return { content: [kit.writeOutput(`write-${turns}`, due) as AnswerBlock] };
}

/** Does every step of `writing-kit` in one turn; what it has no artifact for is refused with status 400. */
export function answerKit(body: ApiBody): Turn {
  const due = dueOutputs(body);
  if (due.includes("posts")) return { status: 400, message: "no such artifact here" };
  if (due.length > 0) return writeDue(body);
  const agent = AGENTS[(body.messages.length - 1) / 2];
  if (agent === undefined) return "All is done.";
  const input = { agent, prompt: "Your step, please." };
  return { content: [{ type: "tool_use", id: `task_${body.messages.length}`, name: "Task", input }] };
}

function toRequest({ model, messages }: ApiBody): ModelRequest {
  const prefix = { system: "", tools: [] };
  return { conversationId: "turn", model, prefix, messages: messages as unknown as Message[] };
}

// A model that works through to-do tasks as a test says, by the task's id.

import { messageText } from "../../src/core/events.ts";
import type { ModelRequest } from "../../src/core/ports.ts";
import { call, ScriptedModel, type ScriptedModelOptions, type ScriptedTurn } from "./scripted-model.ts";

/** What a conversation is about: a task's id, or `bootstrap`, `repair`, `review`. */
export function subjectOf(request: Pick<ModelRequest, "messages">): string {
  const first = request.messages[0] ? messageText(request.messages[0]) : "";
  const id = /^Your task is `(.*)`: /.exec(first)?.[1];
  if (id !== undefined) return id;
  if (first.startsWith("There is no")) return "bootstrap";
  return first.startsWith("Every task") ? "review" : "repair";
}

/** The turn that this is of its conversation, from 1. */
export function turnOf({ messages }: Pick<ModelRequest, "messages">): number {
  return messages.filter((message) => message.role === "assistant").length + 1;
}

/** A call of `reportSummary`; done, with a reason, unless `summary` says otherwise. */
export function report(id: string | null, summary: Record<string, unknown> = {}): ScriptedTurn {
  const input = { task_id: id, status: "done", summary: `Did ${id}.`, ...summary };
  return { content: [call("report", "reportSummary", input)] };
}

export type Behaviour = (request: ModelRequest) => ScriptedTurn | undefined;

/** Tasks behave as given, others are done at once; a review finds nothing. */
export function todoModel(
  behaviours: Record<string, Behaviour> = {},
  options: ScriptedModelOptions = {},
): ScriptedModel {
  return new ScriptedModel((request) => {
    const subject = subjectOf(request);
    const turn = Object.hasOwn(behaviours, subject) ? behaviours[subject]?.(request) : undefined;
    return turn ?? (subject === "review" ? "Nothing is missing." : report(subject));
  }, options);
}

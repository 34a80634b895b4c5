// What both APIs have in common on the wire.

import type { ToolResultBlock, Usage } from "../core/events.ts";
import { toolCallsOf } from "../core/events.ts";
import type { ModelReply, ModelRequest } from "../core/ports.ts";

/** A JSON object of a server: any field may be there or not. */
export type Fields = Record<string, unknown>;

/** Makes an answer of what a stream brings. */
export interface Collector {
  /** What is known so far; of a cut answer the only trace of what it cost. */
  readonly usage: Usage;
  add(event: unknown): void;
  finish(): ModelReply;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of anything: none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The input of a call as JSON; one that could not be read is an object as well. */
export function argumentsOf(input: unknown): string {
  return JSON.stringify(isFields(input) ? input : { unreadable: input });
}

/** There is no field for failures, so the text says so. */
export function resultText({ content, is_error }: ToolResultBlock): string {
  const text = content.toWellFormed();
  return is_error && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/** Ids are part of the names of what belongs to a call, and some servers count them again in each answer. */
export function ownCallId(id: unknown, { messages }: ModelRequest, place: number): string {
  const known = new Set(messages.flatMap(toolCallsOf).map((call) => call.id));
  if (typeof id === "string" && /^[\w-]{1,64}$/.test(id) && !known.has(id)) return id;
  let own = `call_${messages.length}_${place}`;
  while (known.has(own)) own += "_";
  return own;
}

// Code that both APIs share.

import type { ToolResultBlock, Usage } from "../core/events.ts";
import { toolCallsOf } from "../core/events.ts";
import { countOr } from "../core/model-request.ts";
import type { ModelReply, ModelRequest } from "../core/ports.ts";

/** A JSON object from a server: any field may be missing. */
export type Fields = Record<string, unknown>;

/** Builds an answer from a stream. */
export interface Collector {
  /** The usage known so far; for a cut answer it is the only record of the cost. */
  readonly usage: Usage;
  add(event: unknown): void;
  finish(): ModelReply;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a value; empty if it is no object. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Replaces the counts of `usage`. The prompt's tokens include the cached ones. */
export function countTokens(usage: Usage, prompt: unknown, details: unknown, output: unknown): void {
  const { cached_tokens, cache_write_tokens } = fieldsOf(details);
  usage.cacheReadTokens = countOr(0, cached_tokens);
  usage.cacheWriteTokens = countOr(0, cache_write_tokens);
  usage.inputTokens = Math.max(0, countOr(0, prompt) - usage.cacheReadTokens - usage.cacheWriteTokens);
  usage.outputTokens = countOr(0, output);
}

/** A call's input as JSON; an unreadable input is wrapped in an object. */
export function argumentsOf(input: unknown): string {
  return JSON.stringify(isFields(input) ? input : { unreadable: input });
}

/** The API has no field for failures, so the text names them. */
export function resultText({ content, is_error }: ToolResultBlock): string {
  const text = content.toWellFormed();
  return is_error && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/**
 * A call's id is part of other names and must be unique, but some servers restart their numbering in each
 * answer.
 */
export function ownCallId(id: unknown, { messages }: ModelRequest, place: number): string {
  const known = new Set(messages.flatMap(toolCallsOf).map((call) => call.id));
  if (typeof id === "string" && /^[\w-]{1,64}$/.test(id) && !known.has(id)) return id;
  let own = `call_${messages.length}_${place}`;
  while (known.has(own)) own += "_";
  return own;
}

// Fields of a server's messages and calls that nobody here knows: a model's thoughts (`reasoning_content`), signatures
// (`extra_content`), a message's `phase`. Many servers refuse a conversation that does not bring them back, byte for byte.

import type { ContentBlock } from "../core/events.ts";
import { isObject } from "../core/json.ts";
import { type Fields, fieldsOf } from "./fields.ts";

/** Fields whose content is stored otherwise, or which no server takes back. */
const KNOWN: ReadonlySet<string> = new Set([
  ...["role", "content", "refusal", "tool_calls", "function_call", "function", "audio", "annotations"],
  ...["type", "id", "call_id", "index", "name", "arguments", "status"],
]);

/** Adds what a piece of a stream holds of such fields: texts and lists grow, anything else is replaced. */
export function collect(all: Fields, piece: Fields): void {
  for (const [name, value] of Object.entries(piece)) {
    if (KNOWN.has(name) || value === null || value === undefined) continue;
    const before = Object.hasOwn(all, name) ? all[name] : undefined;
    const grown =
      typeof value === "string" && typeof before === "string"
        ? before + value
        : Array.isArray(value) && Array.isArray(before)
          ? [...before, ...value]
          : value;
    Object.defineProperty(all, name, { value: grown, enumerable: true, writable: true, configurable: true });
  }
}

/** The fields of a message and of its calls, by their ids. */
type Returned = { message: Fields; calls: { id: string; fields: Fields }[] };

/** A block beside the text and the calls; none without such fields. Like thoughts, it is bound to its model. */
export function returnedBlock({ message, calls }: Returned): ContentBlock[] {
  const own = calls.filter(({ fields }) => Object.keys(fields).length > 0);
  if (own.length === 0 && Object.keys(message).length === 0) return [];
  return [{ type: "thinking", returned: { message, calls: own } }];
}

/** The fields that `returnedBlock` keeps among the blocks of a message. */
export function returnedIn(content: readonly ContentBlock[]): {
  message: Fields;
  ofCall(id: string): Fields;
} {
  const kept = content.flatMap((block) => ("returned" in block ? [fieldsOf(block.returned)] : []));
  const calls = kept.flatMap(({ calls: list }): unknown[] => (Array.isArray(list) ? list : []));
  return {
    message: Object.assign({}, ...kept.map(({ message }) => fieldsOf(message))),
    ofCall: (id) =>
      fieldsOf(calls.map(fieldsOf).find((call) => call.id === id && isObject(call.fields))?.fields),
  };
}

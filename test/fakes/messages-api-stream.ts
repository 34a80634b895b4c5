// An answer of the local Messages API as its events, cut into pieces as awkward as a test asks for.
import type { ApiUsage } from "./messages-api-memory.ts";

export type AnswerBlock = { type: string; [field: string]: unknown };
export type ApiMessage = {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: AnswerBlock[];
  stop_reason: string;
  stop_sequence: null;
  usage: ApiUsage;
};
export type ApiEvent = { type: string; [field: string]: unknown };
export type Pieces = {
  /** UTF-16 code units of a delta; default 40. 1 cuts escapes and surrogate pairs. */
  deltaSize?: number;
  /** Tool input as ASCII with \u escapes. */
  asciiJson?: boolean;
  /** Cut off this much of the last tool call's JSON. */
  cutJson?: number;
};

export function eventsOf(message: ApiMessage, pieces: Pieces): ApiEvent[] {
  const { output_tokens, ...promptUsage } = message.usage;
  const started = { ...message, content: [], stop_reason: null, usage: { ...promptUsage, output_tokens: 1 } };
  return [
    { type: "message_start", message: started },
    ...message.content.flatMap((block, index) =>
      blockEvents(block, index, {
        ...pieces,
        cutJson: index === message.content.length - 1 ? (pieces.cutJson ?? 0) : 0,
      }),
    ),
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: { output_tokens },
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: AnswerBlock, index: number, pieces: Pieces): ApiEvent[] {
  const { start, deltas } = takeApart(block, pieces);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function takeApart(block: AnswerBlock, pieces: Pieces): { start: AnswerBlock; deltas: AnswerBlock[] } {
  const size = pieces.deltaSize ?? 40;
  switch (block.type) {
    case "text":
      return {
        start: { ...block, text: "" },
        deltas: cut(String(block.text), size).map((text) => ({ type: "text_delta", text })),
      };
    case "thinking":
      return {
        start: { ...block, thinking: "", signature: "" },
        deltas: [
          ...cut(String(block.thinking), size).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: block.signature },
        ],
      };
    case "tool_use":
    case "server_tool_use": {
      const json = pieces.asciiJson ? toAscii(JSON.stringify(block.input)) : JSON.stringify(block.input);
      const sent = json.slice(0, json.length - (pieces.cutJson ?? 0));
      return {
        start: { ...block, input: {} },
        deltas: cut(sent, size).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      };
    }
    default:
      return { start: block, deltas: [] };
  }
}

export function cut(text: string, size: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
  return parts;
}

export function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

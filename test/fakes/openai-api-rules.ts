// What OpenAI's two APIs refuse about one request, in their words where they are known.

import type { RuleBlock, RuleMessage } from "./message-rules.ts";

export type OpenAIBody = Record<string, unknown>;
type Item = Record<string, unknown>;

const RESPONSES_FIELDS = new Set(
  "model input instructions tools tool_choice max_output_tokens store include prompt_cache_key stream parallel_tool_calls reasoning text metadata".split(
    " ",
  ),
);
const CHAT_FIELDS = new Set(
  "model messages tools tool_choice stream stream_options max_tokens max_completion_tokens parallel_tool_calls response_format".split(
    " ",
  ),
);
const ITEM_FIELDS = new Map(
  Object.entries({
    message: ["type", "id", "role", "content", "status", "phase"],
    reasoning: ["type", "id", "summary", "content", "encrypted_content", "status"],
    function_call: ["type", "id", "call_id", "name", "arguments", "status"],
    function_call_output: ["type", "id", "call_id", "output", "status"],
  }),
);

function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isObjectText(value: unknown): boolean {
  try {
    return typeof value === "string" && isItem(JSON.parse(value));
  } catch {
    return false;
  }
}

/** The first fault of a request to the Responses API; `knows` says whether this server wrote an encrypted content. */
export function findResponsesFault(
  body: OpenAIBody,
  knows: (encrypted: unknown) => boolean,
): string | undefined {
  const unknown = Object.keys(body).find((name) => !RESPONSES_FIELDS.has(name));
  if (unknown !== undefined) return `Unknown parameter: '${unknown}'.`;
  if (typeof body.model !== "string" || body.model === "") return "Missing required parameter: 'model'.";
  if (!Array.isArray(body.input) || body.input.length === 0) return "Missing required parameter: 'input'.";
  const { max_output_tokens: most } = body;
  if (most !== undefined && !(Number.isInteger(most) && Number(most) >= 16)) {
    return "Invalid 'max_output_tokens': integer below minimum value.";
  }
  const odd = ((body.include ?? []) as unknown[]).find((name) => name !== "reasoning.encrypted_content");
  if (odd !== undefined) return `Invalid value: '${odd}'.`;
  return (
    findToolFault((body.tools ?? []) as Item[], (tool) => ({ ...tool, parameters: tool.parameters })) ??
    findItemFault(body.input) ??
    findCallFault(body.input) ??
    findReasoningFault(body, knows)
  );
}

function findToolFault(tools: readonly Item[], definitionOf: (tool: Item) => Item): string | undefined {
  const names = new Set<unknown>();
  for (const [index, tool] of tools.entries()) {
    const { name, parameters, strict } = definitionOf(tool);
    if (tool.type !== "function") return `Invalid value: 'tools[${index}].type'.`;
    if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) return `Invalid 'tools[${index}].name'.`;
    if (names.has(name)) return `Invalid 'tools[${index}].name': it is there twice.`;
    names.add(name);
    if (!isItem(parameters) || parameters.type !== "object")
      return `Invalid schema for function '${name}': schema must have a 'type' of 'object'.`;
    const properties = Object.keys((parameters.properties ?? {}) as Item);
    const required = (parameters.required ?? []) as unknown[];
    if (strict !== false && strict !== undefined) {
      if (parameters.additionalProperties !== false || properties.some((one) => !required.includes(one))) {
        return `Invalid schema for function '${name}': 'required' is required to be supplied and to be an array including every key in properties.`;
      }
    }
  }
  return undefined;
}

function findItemFault(input: readonly unknown[]): string | undefined {
  for (const [index, item] of input.entries()) {
    if (!isItem(item)) return `Invalid type for 'input[${index}]'.`;
    const fields = ITEM_FIELDS.get(String(item.type));
    if (!fields) return `Invalid value: '${item.type}' for 'input[${index}].type'.`;
    const odd = Object.keys(item).find((name) => !fields.includes(name));
    if (odd !== undefined) return `Unknown parameter: 'input[${index}].${odd}'.`;
    const fault = findValueFault(item);
    if (fault !== undefined) return `Invalid 'input[${index}].${fault}'.`;
  }
  return undefined;
}

function findValueFault(item: Item): string | undefined {
  if (item.type === "message") {
    if (item.role !== "user" && item.role !== "assistant") return "role";
    const wanted = item.role === "user" ? "input_text" : "output_text";
    const parts = Array.isArray(item.content) ? item.content : [];
    const isRight = (part: Item) => part.type === wanted && typeof part.text === "string";
    return parts.length > 0 && parts.every(isRight) ? undefined : `content[0].type': expected '${wanted}`;
  }
  if (item.type === "function_call") {
    if (typeof item.name !== "string" || !/^[\w-]{1,64}$/.test(item.name)) return "name";
    if (!isObjectText(item.arguments)) return "arguments";
  }
  if (item.type === "function_call_output" && typeof item.output !== "string") return "output";
  if (item.type === "reasoning") return Array.isArray(item.summary) ? undefined : "summary";
  if (item.type !== "reasoning" && !/^[\w-]{1,64}$/.test(String(item.call_id))) return "call_id";
  return undefined;
}

function findCallFault(input: readonly Item[]): string | undefined {
  const open = new Map<unknown, boolean>();
  for (const { type, call_id } of input) {
    if (type === "function_call") {
      if (open.has(call_id)) return `Duplicate function call with call_id ${call_id}.`;
      open.set(call_id, true);
    }
    if (type === "function_call_output") {
      if (!open.has(call_id)) return `No tool call found for function call output with call_id ${call_id}.`;
      if (!open.get(call_id)) return `Duplicate function call output with call_id ${call_id}.`;
      open.set(call_id, false);
    }
  }
  const left = [...open].find(([, isOpen]) => isOpen);
  return left === undefined ? undefined : `No tool output found for function call ${left[0]}.`;
}

function findReasoningFault(
  { input, store }: OpenAIBody,
  knows: (encrypted: unknown) => boolean,
): string | undefined {
  const items = input as Item[];
  for (const [index, { type, id, encrypted_content }] of items.entries()) {
    if (type !== "reasoning") continue;
    if (store === false && typeof encrypted_content !== "string") {
      return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`;
    }
    if (!knows(encrypted_content)) return `The encrypted content for item ${id} could not be verified.`;
    const next = items[index + 1];
    const isFollowed =
      next?.type === "function_call" ||
      next?.type === "reasoning" ||
      (next?.type === "message" && next.role === "assistant");
    if (!isFollowed) {
      return `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    }
  }
  return undefined;
}

/** The first fault of a request to Chat Completions. */
export function findChatFault(body: OpenAIBody): string | undefined {
  const unknown = Object.keys(body).find((name) => !CHAT_FIELDS.has(name));
  if (unknown !== undefined) return `Unrecognized request argument supplied: ${unknown}`;
  if (typeof body.model !== "string" || body.model === "") return "you must provide a model parameter";
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "[] is too short - 'messages'";
  const fault = findToolFault((body.tools ?? []) as Item[], (tool) => (tool.function ?? {}) as Item);
  return fault ?? findMessageFault(body.messages);
}

function findMessageFault(messages: readonly Item[]): string | undefined {
  let open: string[] = [];
  for (const [index, { role, content, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === "tool") {
      if (!open.includes(String(tool_call_id))) {
        return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      }
      open = open.filter((id) => id !== tool_call_id);
    } else if (open.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(", ")}`;
    }
    if (!["system", "user", "assistant", "tool"].includes(String(role)))
      return `Invalid value: '${role}' for 'messages[${index}].role'.`;
    if (typeof content !== "string") return `Invalid type for 'messages[${index}].content'.`;
    for (const call of (tool_calls ?? []) as Item[]) {
      const said = call.function as Item;
      if (!isObjectText(said.arguments))
        return `Invalid 'messages[${index}].tool_calls[0].function.arguments'.`;
      open.push(String(call.id));
    }
  }
  return open.length === 0
    ? undefined
    : `The following tool_call_ids did not have response messages: ${open.join(", ")}`;
}

/**
 * What a server refuses that signs its answers: a message of its own which comes back without the fields that it wrote,
 * as DeepSeek's `reasoning_content` and Gemini's `extra_content`. `wrote`: its messages, each with its calls.
 */
export function findForgottenFault(messages: readonly Item[], wrote: readonly Item[]): string | undefined {
  const back = messages.filter(({ role }) => role === "assistant");
  for (const [index, own] of wrote.entries()) {
    const came = back[index] ?? {};
    const { content: _, tool_calls: calls = [], ...fields } = own;
    const lost = Object.keys(fields).find((name) => JSON.stringify(came[name]) !== JSON.stringify(own[name]));
    if (lost !== undefined) return `The \`${lost}\` in the thinking mode must be passed back to the API.`;
    for (const [at, call] of (calls as Item[]).entries()) {
      const answered = ((came.tool_calls ?? []) as Item[])[at];
      if (JSON.stringify(answered?.extra_content) !== JSON.stringify(call.extra_content)) {
        return `Function call is missing a thought_signature in functionCall parts (${call.id}).`;
      }
    }
  }
  return undefined;
}

// A request in the form of the Messages API, so that one script serves every model.

/** The conversation of a request to the Responses API; reasoning is left out. */
export function messagesOfResponses(input: readonly Item[]): RuleMessage[] {
  return joined(
    input.flatMap((item): RuleMessage[] => {
      if (item.type === "message") {
        const [part] = item.content as Item[];
        return [{ role: String(item.role), content: [{ type: "text", text: part?.text }] }];
      }
      if (item.type === "function_call") {
        const input = JSON.parse(String(item.arguments));
        const block = { type: "tool_use", id: String(item.call_id), name: item.name, input };
        return [{ role: "assistant", content: [block] }];
      }
      if (item.type === "reasoning") return [];
      const block = { type: "tool_result", tool_use_id: String(item.call_id), content: item.output };
      return [{ role: "user", content: [block] }];
    }),
  );
}

/** The conversation of a request to Chat Completions, without its system text. */
export function messagesOfChat(messages: readonly Item[]): RuleMessage[] {
  return joined(
    messages.flatMap(({ role, content, tool_calls, tool_call_id }): RuleMessage[] => {
      if (role === "system") return [];
      if (role === "tool") {
        const block = { type: "tool_result", tool_use_id: String(tool_call_id), content };
        return [{ role: "user", content: [block] }];
      }
      const text = content === "" ? [] : [{ type: "text", text: content }];
      const calls = ((tool_calls ?? []) as Item[]).map((call): RuleBlock => {
        const said = call.function as Item;
        return {
          type: "tool_use",
          id: String(call.id),
          name: said.name,
          input: JSON.parse(String(said.arguments)),
        };
      });
      return [{ role: String(role), content: [...text, ...calls] }];
    }),
  );
}

function joined(messages: readonly RuleMessage[]): RuleMessage[] {
  const found: { role: string; content: RuleBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = found.at(-1);
    if (last?.role === role) last.content.push(...(content as RuleBlock[]));
    else found.push({ role, content: [...(content as RuleBlock[])] });
  }
  return found;
}

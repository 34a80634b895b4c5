// What the Messages API (version 2026-10-21) refuses about one request, in its words where they are known.
import type { IncomingHttpHeaders } from "node:http";
import { blocksOf, findHistoryFault, type RuleBlock, type RuleMessage } from "./message-rules.ts";

export type ApiBody = {
  model: string;
  max_tokens: number;
  messages: RuleMessage[];
  system?: string | RuleBlock[];
  tools?: Record<string, unknown>[];
  stream?: boolean;
  [field: string]: unknown;
};
export type ApiFault = { status: number; type: string; message: string };

/** What the server itself said before, which may come back to it. */
export class SaidBefore {
  readonly #types = new Set<string>();
  readonly #paused = new Set<string>();

  note({ content, stop_reason }: { content: readonly { type: string }[]; stop_reason: string | null }): void {
    for (const { type } of content) this.#types.add(type);
    if (stop_reason === "pause_turn") this.#paused.add(JSON.stringify(content));
  }

  /** Words put into the model's mouth, and blocks of a kind that it never said. */
  findFault({ messages }: ApiBody): string | undefined {
    for (const [index, message] of messages.entries()) {
      for (const [place, { type }] of blocksOf(message).entries()) {
        if (FIELDS.has(type) || this.#types.has(type)) continue;
        return `messages.${index}.content.${place}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
      }
    }
    const last = messages.at(-1);
    if (last?.role !== "assistant" || this.#paused.has(JSON.stringify(last.content))) return undefined;
    return "This model does not support assistant message prefill. The conversation must end with a user message.";
  }
}

/** The blocks that carry a cache mark, by their place in the order tools, system, messages. */
export type CacheMarks = number[];

const KNOWN = new Set(
  "model max_tokens messages system tools tool_choice stream metadata stop_sequences thinking output_config service_tier".split(
    " ",
  ),
);
const FIELDS = new Map(
  Object.entries({
    text: ["text", "citations"],
    tool_use: ["id", "name", "input", "caller"],
    tool_result: ["tool_use_id", "content", "is_error"],
    thinking: ["thinking", "signature"],
    redacted_thinking: ["data"],
  }),
);

export function findHeaderFault(
  headers: IncomingHttpHeaders,
  apiKey: string | undefined,
): ApiFault | undefined {
  const version = headers["anthropic-version"];
  if (typeof version !== "string") return invalid("anthropic-version: header is required");
  if (!headers["content-type"]?.startsWith("application/json")) {
    return invalid("content-type: application/json is required");
  }
  // Before 2026-10-21 the key was sent as x-api-key; agent programs still do.
  const bearer = headers.authorization?.match(/^Bearer (\S+)$/)?.[1];
  const given = bearer ?? (version < "2026-10-21" ? headers["x-api-key"] : undefined);
  if (given === undefined) return refusal(401, "authentication_error", "authorization header is required");
  if (apiKey !== undefined && given !== apiKey) {
    return refusal(401, "authentication_error", "invalid bearer token");
  }
  return undefined;
}

/** The body, or the fault that it is not JSON as the API reads it: half a surrogate pair is refused. */
export function parseBody(raw: string): ApiBody | ApiFault {
  let hasLoneSurrogate = false;
  const look = (_key: string, value: unknown) => {
    if (typeof value === "string" && !value.isWellFormed()) hasLoneSurrogate = true;
    return value;
  };
  try {
    const body: unknown = JSON.parse(raw, /\\u[dD][89a-fA-F]/.test(raw) ? look : undefined);
    if (hasLoneSurrogate) return invalid("The request body is not valid JSON: no low surrogate in string");
    if (isRecord(body)) return body as ApiBody;
    return invalid("The request body is not a JSON object");
  } catch (error) {
    return invalid(`The request body is not valid JSON: ${error}`);
  }
}

export function findBodyFault(body: ApiBody): ApiFault | undefined {
  const fault =
    findParameterFault(body) ??
    findToolFault(body.tools ?? []) ??
    findBlockFault(body.messages) ??
    findHistoryFault(body.messages);
  return fault === undefined ? undefined : invalid(fault);
}

/** Takes the cache marks out of a body and returns their places; a fault when there are too many or they are wrong. */
export function takeCacheMarks(body: ApiBody): CacheMarks | ApiFault {
  const blocks: Record<string, unknown>[] = [
    ...(body.tools ?? []),
    ...(Array.isArray(body.system) ? body.system : []),
    ...body.messages.flatMap((message) => (typeof message.content === "string" ? [] : message.content)),
  ];
  const marks: CacheMarks = [];
  let isShort = false;
  for (const [place, block] of blocks.entries()) {
    if (!("cache_control" in block)) continue;
    const mark = block.cache_control;
    if (
      !isRecord(mark) ||
      mark.type !== "ephemeral" ||
      !["5m", "1h", undefined].includes(mark.ttl as string)
    ) {
      return invalid("cache_control.type: Input should be 'ephemeral'");
    }
    if (block.type === "thinking" || block.type === "redacted_thinking") {
      return invalid("thinking.cache_control: Extra inputs are not permitted");
    }
    if (mark.ttl === "1h" && isShort) {
      return invalid(
        "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
      );
    }
    isShort ||= mark.ttl !== "1h";
    marks.push(place);
    delete block.cache_control;
  }
  if (marks.length <= 4) return marks;
  return invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`);
}

export function isFault(value: object): value is ApiFault {
  return "status" in value && "message" in value;
}

export function invalid(message: string): ApiFault {
  return refusal(400, "invalid_request_error", message);
}

function refusal(status: number, type: string, message: string): ApiFault {
  return { status, type, message };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findParameterFault(body: ApiBody): string | undefined {
  for (const name of ["temperature", "top_p", "top_k"]) {
    if (name in body) return `${name}: this parameter is not supported since version 2026-10-21`;
  }
  const unknown = Object.keys(body).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (typeof body.model !== "string" || body.model === "") return "model: Field required";
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) {
    return "max_tokens: Input should be a valid integer greater than or equal to 1";
  }
  if (!Array.isArray(body.messages)) return "messages: Field required";
  if (body.max_tokens > MOST_TOKENS) {
    return `max_tokens: ${body.max_tokens} > ${MOST_TOKENS}, which is the maximum allowed number of output tokens for ${body.model}`;
  }
  const odd = findThinkingSettingFault(body) ?? findOutputFault(body.output_config);
  if (odd !== undefined) return odd;
  const choice = isRecord(body.tool_choice) ? body.tool_choice.type : undefined;
  if (choice === "any" || choice === "tool")
    return "tool_choice: forced tool use is not supported by this model";
  for (const block of Array.isArray(body.system) ? body.system : []) {
    if (block.type !== "text" || typeof block.text !== "string" || block.text.trim() === "") {
      return "system: text content blocks must be non-empty";
    }
  }
  return undefined;
}

const MOST_TOKENS = 128_000;

function findThinkingSettingFault({ thinking, max_tokens }: ApiBody): string | undefined {
  if (thinking === undefined) return undefined;
  const type = isRecord(thinking) ? thinking.type : undefined;
  if (!isRecord(thinking) || !["adaptive", "enabled", "disabled"].includes(String(type))) {
    return "thinking.type: Input should be 'adaptive', 'enabled' or 'disabled'";
  }
  const known = ["type", "display", "block_binding", ...(type === "enabled" ? ["budget_tokens"] : [])];
  const extra = Object.keys(thinking).find((name) => !known.includes(name));
  if (extra !== undefined) return `thinking.${type}.${extra}: Extra inputs are not permitted`;
  if (type !== "enabled") return undefined;
  const budget = thinking.budget_tokens;
  if (!Number.isInteger(budget) || Number(budget) < 1024)
    return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  return Number(budget) < max_tokens
    ? undefined
    : "`max_tokens` must be greater than `thinking.budget_tokens`";
}

function findOutputFault(output: unknown): string | undefined {
  if (output === undefined) return undefined;
  if (!isRecord(output)) return "output_config: Input should be a valid dictionary";
  const extra = Object.keys(output).find((name) => name !== "effort" && name !== "format");
  if (extra !== undefined) return `output_config.${extra}: Extra inputs are not permitted`;
  if (output.effort !== undefined && !["low", "medium", "high", "max"].includes(String(output.effort)))
    return "output_config.effort: Input should be 'low', 'medium', 'high' or 'max'";
  const { format } = output;
  if (format === undefined) return undefined;
  if (!isRecord(format) || format.type !== "json_schema")
    return "output_config.format.type: Input should be 'json_schema'";
  const fault = findSchemaFault(format.schema) ?? findUnsupported(format.schema);
  return fault && `output_config.format.schema: ${fault}`;
}

const UNSUPPORTED =
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems".split(" ");

/** What structured outputs do not take of JSON Schema. */
function findUnsupported(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  const odd = UNSUPPORTED.find((name) => name in schema);
  if (odd !== undefined) return `For '${schema.type}' type, property '${odd}' is not supported`;
  if (Number(schema.minItems ?? 0) > 1)
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
  if (schema.type === "object" && schema.additionalProperties !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  const inner = [...Object.values(schema.properties ?? {}), ...[schema.anyOf ?? []].flat(), schema.items];
  for (const one of inner) {
    const fault = findUnsupported(one);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** What no JSON Schema (draft 2020-12) can say. */
function findSchemaFault(schema: unknown): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isRecord(schema)) return "a schema is an object or a boolean";
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (!types.every((type) => TYPES.includes(String(type)))) return `type ${JSON.stringify(schema.type)}`;
  const { required, properties, enum: values } = schema;
  const isNames = Array.isArray(required) && required.every((name) => typeof name === "string");
  if (required !== undefined && (!isNames || new Set(required).size < required.length)) return "required";
  if (properties !== undefined && !isRecord(properties)) return "properties";
  if (values !== undefined && !Array.isArray(values)) return "enum";
  const lists = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((name) => schema[name] ?? []);
  const inner = [...Object.values(properties ?? {}), ...lists];
  const single = ["items", "additionalProperties", "not", "propertyNames"].flatMap(
    (name) => schema[name] ?? [],
  );
  for (const one of [...inner, ...single]) {
    const fault = findSchemaFault(one);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findToolFault(tools: Record<string, unknown>[]): string | undefined {
  const names = tools.map((tool) => tool.name);
  if (new Set(names).size < names.length) return "tools: Tool names must be unique.";
  for (const [index, tool] of tools.entries()) {
    if (typeof tool.name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name)) {
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
    if (!isRecord(tool.input_schema) || tool.input_schema.type !== "object") {
      return `tools.${index}.custom.input_schema.type: Input should be 'object'`;
    }
    const fault = findSchemaFault(tool.input_schema);
    if (fault !== undefined) {
      return `tools.${index}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (${fault}).`;
    }
  }
  return undefined;
}

function findBlockFault(messages: RuleMessage[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const extra = Object.keys(message).find((name) => name !== "role" && name !== "content");
    if (extra !== undefined) return `messages.${index}.${extra}: Extra inputs are not permitted`;
    for (const [place, block] of blocksOf(message).entries()) {
      const where = `messages.${index}.content.${place}`;
      const fields = FIELDS.get(block.type);
      const odd = Object.keys(block).find(
        (name) => fields && !["type", "cache_control", ...fields].includes(name),
      );
      if (odd !== undefined) return `${where}.${block.type}.${odd}: Extra inputs are not permitted`;
      const fault = findValueFault(block);
      if (fault !== undefined) return `${where}.${block.type}.${fault}`;
    }
  }
  return undefined;
}

function findValueFault(block: RuleBlock): string | undefined {
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? undefined : "text: Input should be a valid string";
    case "tool_use":
      if (!/^[a-zA-Z0-9_-]+$/.test(block.id ?? ""))
        return "id: String should match pattern '^[a-zA-Z0-9_-]+$'";
      if (typeof block.name !== "string" || !/^[a-zA-Z0-9_-]{1,200}$/.test(block.name)) {
        return "name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'";
      }
      return isRecord(block.input) ? undefined : "input: Input should be a valid dictionary";
    case "tool_result":
      if (typeof block.content !== "string" && !Array.isArray(block.content) && block.content !== undefined) {
        return "content: Input should be a valid string or list";
      }
      return block.is_error === true && (block.content === "" || block.content === undefined)
        ? "content: content cannot be empty if `is_error` is true"
        : undefined;
    case "thinking":
      return typeof block.signature === "string" ? undefined : "signature: Field required";
    default:
      return undefined;
  }
}

// What the local Messages API remembers: the last request of each conversation, what is cached, what it thought.
import { createHash } from "node:crypto";
import { findPrefixFault, type RuleMessage } from "./message-rules.ts";
import type { ApiBody, CacheMarks } from "./messages-api-rules.ts";

export type ApiUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
};

type Seen = { model: string; frame: string; messages: string[] };

/** Refuses a request whose conversation it knows with another beginning. */
export class ConversationMemory {
  readonly #seen = new Map<string, Seen>();
  readonly #nameOf: ((body: ApiBody) => string) | undefined;

  constructor(nameOf?: (body: ApiBody) => string) {
    this.#nameOf = nameOf;
  }

  /** The fault of a request (its cache marks taken out), else it is remembered as its conversation's last. */
  check(body: ApiBody): string | undefined {
    const frame = JSON.stringify([body.system, body.tools]);
    const messages = body.messages.map((message) => JSON.stringify(message));
    const name = this.#nameOf?.(body) ?? `${frame}\n${messages[0]}`;
    const before = this.#seen.get(name) ?? this.#findSameHistory(messages);
    const fault = before ? findChange(before, { model: body.model, frame, messages }) : undefined;
    if (fault === undefined) this.#seen.set(name, { model: body.model, frame, messages });
    return fault;
  }

  /** A conversation under other system or tools: the same history up to an answer of a model. */
  #findSameHistory(messages: string[]): Seen | undefined {
    return [...this.#seen.values()].find(
      (seen) =>
        seen.messages.length > 1 &&
        seen.messages.length <= messages.length &&
        seen.messages.every((message, index) => message === messages[index]),
    );
  }
}

/** After a switch of model the thinking of the old one may be left out; nothing else may change. */
function findChange(before: Seen, after: Seen): string | undefined {
  if (before.frame !== after.frame) return "system or tools changed";
  if (before.messages.every((message, index) => message === after.messages[index])) return undefined;
  const [earlier, later] = [before.messages.map(parse), after.messages.map(parse)];
  if (before.model === after.model) return findPrefixFault(earlier, later);
  return findPrefixFault(withoutThinking(earlier), withoutThinking(later));
}

function parse(message: string): RuleMessage {
  return JSON.parse(message);
}

function withoutThinking(messages: RuleMessage[]): RuleMessage[] {
  return messages
    .map((message) =>
      typeof message.content === "string"
        ? message
        : { ...message, content: message.content.filter((block) => !block.type.endsWith("thinking")) },
    )
    .filter((message) => message.content.length > 0);
}

/** Prompt caching: exact prefix, entries at marks only, a look-back of 20 blocks, one model. */
export class PromptCache {
  readonly #entries = new Set<string>();
  readonly #minimum: number;

  constructor(minimumTokens = 0) {
    this.#minimum = minimumTokens;
  }

  /** Token counts of the request (four characters a token); `output_tokens` is left at 0. */
  use(body: ApiBody, marks: CacheMarks): ApiUsage {
    const ends = endsNear(body, marks);
    const tokens = ends.at(-1)?.tokens ?? 0;
    let read = 0;
    let written = 0;
    for (const mark of marks) {
      for (const end of ends.slice(Math.max(0, mark - LOOK_BACK + 1), mark + 1)) {
        if (end.key !== undefined && this.#entries.has(end.key)) read = Math.max(read, end.tokens);
      }
    }
    for (const mark of marks) {
      const end = ends[mark];
      if (end?.key === undefined || end.tokens < this.#minimum) continue;
      this.#entries.add(end.key);
      written = Math.max(written, end.tokens - read);
    }
    return {
      input_tokens: tokens - read - written,
      output_tokens: 0,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
    };
  }
}

const LOOK_BACK = 20;

/** The tokens up to each block, and the hash of all up to it where a mark may look. */
function endsNear(body: ApiBody, marks: CacheMarks): { key?: string; tokens: number }[] {
  const hash = createHash("sha256").update(body.model);
  let tokens = 0;
  return blockTexts(body).map((text, place) => {
    tokens += Math.ceil(text.length / 4);
    hash.update(text);
    const isNear = marks.some((mark) => place <= mark && place > mark - LOOK_BACK);
    return isNear ? { key: hash.copy().digest("hex"), tokens } : { tokens };
  });
}

/** Every block in the order in which it counts: tools, system, messages. */
function blockTexts(body: ApiBody): string[] {
  const texts = [...(body.tools ?? []), ...(Array.isArray(body.system) ? body.system : [])].map((block) =>
    JSON.stringify(block),
  );
  for (const { role, content } of body.messages) {
    for (const block of typeof content === "string" ? [content] : content) {
      texts.push(`${role}${JSON.stringify(block)}`);
    }
  }
  return texts;
}

/** A signature that the server can check again without having kept it: of the thinking and of all that came before it. */
export function signThinking(
  body: Pick<ApiBody, "model" | "system" | "tools" | "messages">,
  thinking: unknown,
): string {
  const [prefix] = hashesBefore(body, [body.messages.length]);
  return signatureOf(body.model, prefix ?? "", thinking);
}

function signatureOf(model: string, prefix: string, thinking: unknown): string {
  return `sig.${model}.${createHash("sha256").update(`${model}\n${prefix}\n${thinking}`).digest("base64url")}`;
}

/** The hash of system, tools and the messages before each of these places, which are in order. */
function hashesBefore(
  { system, tools, messages }: Pick<ApiBody, "system" | "tools" | "messages">,
  places: readonly number[],
): string[] {
  const hash = createHash("sha256").update(JSON.stringify([system, tools]));
  let at = 0;
  return places.map((place) => {
    for (; at < place; at += 1) hash.update(JSON.stringify(messages[at]));
    return hash.copy().digest("hex");
  });
}

/** Thinking of this server that came back changed, after another beginning, or at another model than thought it. */
export function findThinkingFault(body: ApiBody): string | undefined {
  const thoughts = body.messages.flatMap((message, index) =>
    (typeof message.content === "string" ? [] : message.content).flatMap((block, place) =>
      block.type === "thinking" && String(block.signature).startsWith("sig.")
        ? [{ index, place, block }]
        : [],
    ),
  );
  const prefixes = hashesBefore(
    body,
    thoughts.map(({ index }) => index),
  );
  for (const [at, { index, place, block }] of thoughts.entries()) {
    if (block.signature === signatureOf(body.model, prefixes[at] ?? "", block.thinking)) continue;
    return `messages.${index}.content.${place}: Invalid \`signature\` in \`thinking\` block`;
  }
  return undefined;
}

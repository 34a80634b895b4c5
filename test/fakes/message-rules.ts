// The rules of the Messages API over a history and over two requests of one conversation, as pure functions: the local
// server and the scripted model both hold their callers to them.

export type RuleBlock = { type: string; id?: string; tool_use_id?: string; [field: string]: unknown };
export type RuleMessage = { role: string; content: string | RuleBlock[] };

/** The first fault that the Messages API would answer with 400, in its words; undefined when there is none. */
export function findHistoryFault(messages: readonly RuleMessage[]): string | undefined {
  if (messages.length === 0) return "messages: at least one message is required";
  if (messages[0]?.role !== "user") return 'messages: first message must use the "user" role';
  for (const [index, message] of messages.entries()) {
    const fault =
      findShapeFault(message, index) ??
      findOrphanUse(message, messages[index + 1], index) ??
      findOrphanResult(message, messages[index - 1], index);
    if (fault) return fault;
  }
  return undefined;
}

/** Where `next` stops having `previous` as its exact prefix (marks for the cache are taken out before); undefined when it has. */
export function findPrefixFault(
  previous: readonly RuleMessage[],
  next: readonly RuleMessage[],
): string | undefined {
  if (next.length < previous.length) return `${previous.length} messages became ${next.length}`;
  for (const [index, message] of previous.entries()) {
    const before = JSON.stringify(message);
    const after = JSON.stringify(next[index]);
    if (before !== after) return `messages.${index} changed from ${before} to ${after}`;
  }
  return undefined;
}

export function blocksOf(message: RuleMessage | undefined): RuleBlock[] {
  if (!message) return [];
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

function findShapeFault(message: RuleMessage, index: number): string | undefined {
  if (message.role !== "user" && message.role !== "assistant") {
    return `messages.${index}.role: Input should be 'user' or 'assistant'`;
  }
  const blocks = blocksOf(message);
  if (blocks.length === 0) {
    return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
  }
  for (const [place, block] of blocks.entries()) {
    if (typeof block.type !== "string") return `messages.${index}.content.${place}.type: Field required`;
    if (block.type === "text" && block.text === "") return "messages: text content blocks must be non-empty";
    if (block.type === "text" && typeof block.text === "string" && block.text.trim() === "") {
      return "messages: text content blocks must contain non-whitespace text";
    }
    const wrongRole =
      block.type === "tool_use" ? "user" : block.type === "tool_result" ? "assistant" : undefined;
    if (message.role === wrongRole) {
      return `messages.${index}: \`${block.type}\` blocks can only be in \`${wrongRole === "user" ? "assistant" : "user"}\` messages`;
    }
  }
  return findRepeatedId(blocks, index);
}

function findRepeatedId(blocks: RuleBlock[], index: number): string | undefined {
  const uses = blocks.filter((block) => block.type === "tool_use").map((block) => block.id);
  if (new Set(uses).size < uses.length) return `messages.${index}: \`tool_use\` ids must be unique`;
  const results = blocks.filter((block) => block.type === "tool_result").map((block) => block.tool_use_id);
  const repeated = results.find((id, place) => results.indexOf(id) !== place);
  if (repeated === undefined) return undefined;
  return `messages.${index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${repeated}`;
}

function findOrphanUse(
  message: RuleMessage,
  next: RuleMessage | undefined,
  index: number,
): string | undefined {
  const uses = blocksOf(message).filter((block) => block.type === "tool_use");
  if (uses.length === 0) return undefined;
  const leading: unknown[] = [];
  for (const block of next?.role === "user" ? blocksOf(next) : []) {
    if (block.type !== "tool_result") break;
    leading.push(block.tool_use_id);
  }
  const orphans = uses.map((block) => block.id).filter((id) => !leading.includes(id));
  if (orphans.length === 0) return undefined;
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${orphans.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function findOrphanResult(
  message: RuleMessage,
  previous: RuleMessage | undefined,
  index: number,
): string | undefined {
  const asked = blocksOf(previous).filter((block) => block.type === "tool_use");
  for (const [place, block] of blocksOf(message).entries()) {
    if (block.type !== "tool_result") continue;
    if (asked.some((call) => call.id === block.tool_use_id)) continue;
    return `messages.${index}.content.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
  }
  return undefined;
}

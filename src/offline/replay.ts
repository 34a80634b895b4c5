// A recorded session replaces the model and people: the same turns and answers are replayed, and differing
// results found.

import { noUsage } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import { isServerTool, type Message, messageText, toolCallsOf } from "../core/events.ts";
import type { InteractionAnswer } from "../core/interaction.ts";
import { throwIfAborted } from "../core/model-request.ts";
import type { Host, LoadedSession, Model, ModelReply, ModelRequest } from "../core/ports.ts";
import type { ToolServers } from "../core/ports-host.ts";

/** The first result that differs from the record. */
type Difference = {
  conversationId: string;
  toolCallId: string;
  toolName: string;
  recorded: string;
  now: string;
};

type Recorded = { replies: ModelReply[]; results: Map<string, string> };

/** A record during replay: `model` and `host` repeat the recorded turns and answers. */
export class Replay {
  readonly model: Model;
  readonly host: Host;
  /** Returns the recorded results of MCP servers. */
  readonly servers: ToolServers;
  /** Number of compared results. */
  compared = 0;
  /** Number of replayed turns. */
  turns = 0;
  difference: Difference | undefined;
  /** The conversation in which every recorded turn was replayed and another was asked for. */
  endsIn: string | undefined;
  #left = 0;
  readonly #sessionId: string;
  readonly #conversations = new Map<string, Recorded>();
  readonly #seen = new Set<string>();

  constructor(sessionId: string, stored: LoadedSession) {
    this.#sessionId = sessionId;
    for (const line of stored.conversation) {
      if (line.type === "ConversationStarted") {
        this.#conversations.set(line.payload.conversationId, { replies: [], results: new Map() });
      }
      const recorded = this.#conversations.get(line.payload.conversationId);
      if (line.type === "ToolResult") {
        recorded?.results.set(line.payload.block.tool_use_id, line.payload.block.content);
      }
      if (line.type === "Message" && line.payload.response) {
        const { stopReason, model } = line.payload.response;
        recorded?.replies.push({ message: line.payload.message, stopReason, model, usage: noUsage() });
        this.#left += 1;
      }
    }
    this.model = {
      provider: "replay",
      notice: "A replay: every turn of the model comes from the recording.",
      priceOf: () => 0,
      respond: async (request, { signal, onText }) => {
        throwIfAborted(signal);
        const reply = this.#nextReply(request);
        onText?.(messageText(reply.message));
        return reply;
      },
    };
    this.host = hostOf(stored, (conversationId, id) => this.resultOf(conversationId, id) !== undefined);
    this.servers = serversOf(this.#conversations);
  }

  /** The recorded result of a call; undefined if the record has none. */
  resultOf(conversationId: string, toolCallId: string): string | undefined {
    return this.#conversations.get(conversationId)?.results.get(toolCallId);
  }

  #nextReply(request: ModelRequest): ModelReply {
    const slash = request.conversationId.indexOf("/");
    const [own, id] = [request.conversationId.slice(0, slash), request.conversationId.slice(slash + 1)];
    const recorded = this.#conversations.get(id);
    if (this.#left === 0) this.endsIn = id;
    if (!recorded) throw ended(`the record has no conversation ${id}`);
    this.#compare(id, recorded, request.messages, (text) => text.replaceAll(own, this.#sessionId));
    const reply = recorded.replies[request.messages.filter(({ role }) => role === "assistant").length];
    if (!reply) throw ended(`the record of ${id} ends here`);
    this.turns += 1;
    this.#left -= 1;
    return { ...reply, message: this.#inFolderOf(own, reply.message) };
  }

  /** Calls name files in the recorded session's folder; the replay's session has another one. */
  #inFolderOf(own: string, message: Message): Message {
    const content = message.content.map((block) => {
      if (block.type !== "tool_use" || isServerTool(block.name)) return block;
      const input = JSON.stringify(block.input).replaceAll(this.#sessionId, own);
      return { ...block, input: JSON.parse(input) as typeof block.input };
    });
    return { ...message, content };
  }

  /** Normalizes the session's id, which occurs in its folder's name and therefore in results. */
  #compare(
    conversationId: string,
    recorded: Recorded,
    messages: readonly Message[],
    asThen: (text: string) => string,
  ): void {
    const names = new Map<string, string>();
    for (const block of messages.flatMap(({ content }) => content)) {
      if (block.type === "tool_use") names.set(block.id, block.name);
      // MCP servers are not called again, so there is nothing to compare.
      if (block.type === "tool_result" && isServerTool(names.get(block.tool_use_id) ?? "")) continue;
      if (block.type !== "tool_result" || this.#seen.has(`${conversationId} ${block.tool_use_id}`)) continue;
      this.#seen.add(`${conversationId} ${block.tool_use_id}`);
      const then = recorded.results.get(block.tool_use_id);
      if (then === undefined) continue;
      this.compared += 1;
      const now = asThen(block.content);
      if (now === then || this.difference) continue;
      const toolName = names.get(block.tool_use_id) ?? "";
      this.difference = { conversationId, toolCallId: block.tool_use_id, toolName, recorded: then, now };
    }
  }
}

function ended(message: string): LoopliaError {
  return new LoopliaError("model-failed", `The replay cannot continue: ${message}.`, {
    modelFailure: "bad-request",
    hint: "The recording is incomplete, or this version of looplia runs the session differently.",
  });
}

/** Recorded answers by tool and input, in order. */
function serversOf(conversations: ReadonlyMap<string, Recorded>): ToolServers {
  const answers = new Map<string, string[]>();
  const names = new Set<string>();
  for (const { replies, results } of conversations.values()) {
    for (const { id, name, input } of replies.flatMap(({ message }) => toolCallsOf(message))) {
      const text = results.get(id);
      if (!isServerTool(name) || text === undefined) continue;
      names.add(name);
      const key = `${name} ${JSON.stringify(input)}`;
      answers.set(key, [...(answers.get(key) ?? []), text]);
    }
  }
  return {
    names: [...new Set([...names].map((name) => name.split("__")[1] ?? ""))],
    definitions: async () =>
      [...names].sort().map((name) => ({ name, description: "", inputSchema: { type: "object" } })),
    placeOf: (tool) => (names.has(tool) ? "the record" : undefined),
    call: async (tool, input) => {
      const text = answers.get(`${tool} ${JSON.stringify(input)}`)?.shift();
      return { text: text ?? "The record has no result of this call.", isError: text === undefined };
    },
  };
}

const APPROVED = { answer: { selectedOptionId: "approve" }, actorId: "looplia" };

/**
 * Answers each question as the person did; an unanswered one stays open. Calls with results that needed no
 * person then need none now.
 */
function hostOf(
  { events }: LoadedSession,
  hasResult: (conversationId: string, toolCallId: string) => boolean,
): Host {
  const answers = new Map<string, { answer: InteractionAnswer; actorId: string }>();
  const keys = new Map<string, string>();
  for (const { type, payload } of events) {
    if (type === "UserInteractionRequested") {
      keys.set(payload.interactionId, `${payload.conversationId} ${payload.toolCallIds.join(" ")}`);
    }
    const key = type === "UserInteractionResponded" ? keys.get(payload.interactionId) : undefined;
    if (key === undefined || type !== "UserInteractionResponded") continue;
    const { selectedOptionId, inputValue, comment, authorActorId } = payload;
    const answer: InteractionAnswer = {
      ...(selectedOptionId === undefined ? {} : { selectedOptionId }),
      ...(inputValue === undefined ? {} : { inputValue }),
      ...(comment === undefined ? {} : { comment }),
    };
    answers.set(key, { answer, actorId: authorActorId });
  }
  return {
    canAsk: true,
    ask: async ({ kind, conversationId, toolCallIds }) => {
      const isSettled = kind === "Confirm" && toolCallIds.every((id) => hasResult(conversationId, id));
      return answers.get(`${conversationId} ${toolCallIds.join(" ")}`) ?? (isSettled ? APPROVED : "later");
    },
    secure: async () => undefined,
    taskEnded: async () => undefined,
  };
}

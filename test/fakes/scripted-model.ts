// A Model that says what a test wrote down. It fails on an unexpected turn (at once) and on an unused one
// (`assertDone`), and holds its caller to the rules of the Messages API.

import type {
  ContentBlock,
  StopReason,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
} from "../../src/core/events.ts";
import type { Model, ModelReply, ModelRequest } from "../../src/core/ports.ts";
import { findHistoryFault, findPrefixFault, type RuleMessage } from "./message-rules.ts";

export type ScriptedReply = {
  /** Text stands for one text block. */
  content: string | ContentBlock[];
  /** Default: `tool_use` when there is a call, else `end_turn`. */
  stopReason?: StopReason;
  /** Default: 10 tokens in, 5 out. */
  usage?: Partial<Usage>;
  /** Default: the model asked for. */
  model?: string;
};
/** `hang`: says nothing until it is aborted. */
export type ScriptedTurn = string | ScriptedReply | { error: Error } | { hang: true };
/** A list, used in order, or a function of the request that answers any number of turns. */
export type Script =
  | ScriptedTurn[]
  | ((request: ModelRequest, index: number) => ScriptedTurn | Promise<ScriptedTurn>);
/** One script a conversation: `nameOf` says which one a request belongs to, e.g. by its system or first message. */
export type ScriptsByName = { nameOf: (request: ModelRequest) => string; scripts: Record<string, Script> };

export type ScriptedModelOptions = {
  provider?: string;
  /** US dollars for a response; default: 0. Null: no known price. */
  price?: (model: string, usage: Usage) => number | null;
  /** Accepts histories that the Messages API refuses. */
  lenient?: true;
};

export class ScriptedModel implements Model {
  readonly provider: string;
  /** Deep copies, in the order in which they came. */
  readonly requests: ModelRequest[] = [];
  readonly #lines: Map<string, { script: Script; used: number }>;
  readonly #nameOf: (request: ModelRequest) => string;
  readonly #options: ScriptedModelOptions;
  readonly #faults: string[] = [];

  constructor(script: Script | ScriptsByName, options: ScriptedModelOptions = {}) {
    const named = typeof script === "object" && "nameOf" in script;
    const scripts: Record<string, Script> = named ? script.scripts : { "": script };
    this.provider = options.provider ?? "scripted";
    this.#lines = new Map(Object.entries(scripts).map(([name, one]) => [name, { script: one, used: 0 }]));
    this.#nameOf = named ? script.nameOf : () => "";
    this.#options = options;
  }

  priceOf(model: string, usage: Usage): number | null {
    return this.#options.price ? this.#options.price(model, usage) : 0;
  }

  async respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onText?: (delta: string) => void },
  ): Promise<ModelReply> {
    options.signal.throwIfAborted();
    this.#check(request);
    this.requests.push(structuredClone(request));
    const turn = await this.#next(request);
    options.signal.throwIfAborted();
    if (typeof turn === "string") return this.#reply(request, { content: turn }, options.onText);
    if ("error" in turn) throw turn.error;
    if ("hang" in turn) return waitForAbort(options.signal);
    return this.#reply(request, turn, options.onText);
  }

  /** Throws when a turn was asked for that is not in the script, or when one is left. */
  assertDone(): void {
    const left = [...this.#lines].flatMap(([name, { script, used }]) =>
      Array.isArray(script) && used < script.length
        ? [`${script.length - used} unused turns${inScript(name)}`]
        : [],
    );
    const faults = [...this.#faults, ...left];
    if (faults.length > 0) throw new Error(`ScriptedModel: ${faults.join("; ")}`);
  }

  #fail(fault: string): never {
    this.#faults.push(fault);
    throw new Error(`ScriptedModel: ${fault}`);
  }

  async #next(request: ModelRequest): Promise<ScriptedTurn> {
    const name = this.#nameOf(request);
    const line = this.#lines.get(name);
    const said = JSON.stringify(request.messages.at(-1)?.content).slice(0, 400);
    if (!line) return this.#fail(`no script${inScript(name)}; the request ends with ${said}`);
    const index = line.used;
    line.used += 1;
    if (!Array.isArray(line.script)) return line.script(request, index);
    const turn = line.script[index];
    if (turn === undefined)
      return this.#fail(`unexpected turn ${index + 1}${inScript(name)}; the request ends with ${said}`);
    return turn;
  }

  #check(request: ModelRequest): void {
    if (this.#options.lenient) return;
    const messages = request.messages as unknown as RuleMessage[];
    const fault = findHistoryFault(messages);
    if (fault) this.#fail(`the Messages API would refuse this request: ${fault}`);
    const previous = this.requests.findLast((earlier) => earlier.conversationId === request.conversationId);
    if (!previous || previous.model !== request.model) return;
    const change =
      JSON.stringify(previous.prefix) === JSON.stringify(request.prefix)
        ? findPrefixFault(previous.messages as unknown as RuleMessage[], messages)
        : "system or tools changed";
    if (change) this.#fail(`the prefix of conversation ${request.conversationId} changed: ${change}`);
  }

  #reply(
    request: ModelRequest,
    turn: ScriptedReply,
    onText: ((delta: string) => void) | undefined,
  ): ModelReply {
    const content: ContentBlock[] =
      typeof turn.content === "string"
        ? [{ type: "text", text: turn.content }]
        : structuredClone(turn.content);
    for (const block of content) if (block.type === "text") onText?.(block.text);
    const calls = content.some((block) => block.type === "tool_use");
    return {
      message: { role: "assistant", content },
      stopReason: turn.stopReason ?? (calls ? "tool_use" : "end_turn"),
      usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, ...turn.usage },
      model: turn.model ?? request.model,
    };
  }
}

/** A call for a script's `content`. */
export function call(id: string, name: string, input: unknown): ToolUseBlock {
  return { type: "tool_use", id, name, input };
}

function inScript(name: string): string {
  return name === "" ? "" : ` in script "${name}"`;
}

function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The result that a request has of a call; undefined where it has none. */
export function resultOf(request: ModelRequest | undefined, id: string): ToolResultBlock | undefined {
  return request?.messages
    .flatMap((message) => message.content)
    .find((block): block is ToolResultBlock => block.type === "tool_result" && block.tool_use_id === id);
}

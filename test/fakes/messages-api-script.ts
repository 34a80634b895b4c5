// What the local Messages API is told to say, turn by turn.
import type { ApiUsage } from "./messages-api-memory.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import type { AnswerBlock, Pieces } from "./messages-api-stream.ts";

export type Answer = Pieces & {
  /** Text stands for one text block; thinking without a signature gets one that is checked when it comes back. */
  content: string | AnswerBlock[];
  /** Default: `tool_use` when there is a call, else `end_turn`. */
  stopReason?: string;
  /** Replaces what is counted from the real request. */
  usage?: Partial<ApiUsage>;
  model?: string;
  /** Before the first byte, and between events. */
  delayMs?: number;
  eventDelayMs?: number;
  /** A ping after every so many events. */
  pingEvery?: number;
  /** The connection is lost after so many events. */
  cutAfter?: number;
  /** An `error` event of this type instead of the rest, after `errorAfter` events (default 1). */
  streamError?: string;
  errorAfter?: number;
  /** Nothing more is said after so many events, and the connection stays open. */
  hangAfter?: number;
  /** Bytes of one write; default: an event a write. */
  chunkBytes?: number;
};
export type Refusal = {
  status: number;
  type?: string;
  /** OpenAI's APIs alone. */
  code?: string;
  message?: string;
  retryAfter?: number | string;
  retryAfterMs?: number;
  headers?: Record<string, string>;
};
export type Turn = string | Answer | Refusal;
/** A list, used in order, or a function of the request. */
export type ApiScript = Turn[] | ((body: ApiBody, index: number) => Turn | Promise<Turn>);
/** One script a conversation: `nameOf` says which one a request belongs to. */
export type ApiScriptsByName = { nameOf: (body: ApiBody) => string; scripts: Record<string, ApiScript> };

export class ScriptLines {
  readonly #lines: Map<string, { script: ApiScript; used: number }>;
  readonly #nameOf: (body: ApiBody) => string;

  constructor(script: ApiScript | ApiScriptsByName) {
    const named = typeof script === "object" && "nameOf" in script;
    const scripts: Record<string, ApiScript> = named ? script.scripts : { "": script };
    this.#lines = new Map(Object.entries(scripts).map(([name, one]) => [name, { script: one, used: 0 }]));
    this.#nameOf = named ? script.nameOf : () => "";
  }

  async next(body: ApiBody): Promise<Turn | { unscripted: string }> {
    const name = this.#nameOf(body);
    const line = this.#lines.get(name);
    const said = JSON.stringify(body.messages.at(-1)?.content).slice(0, 400);
    if (!line) return { unscripted: `there is no script "${name}"; the request ends with ${said}` };
    const index = line.used;
    line.used += 1;
    if (!Array.isArray(line.script)) return line.script(body, index);
    return (
      line.script[index] ?? {
        unscripted: `unexpected turn ${index + 1} of "${name}"; the request ends with ${said}`,
      }
    );
  }

  unused(): string[] {
    return [...this.#lines].flatMap(([name, { script, used }]) =>
      Array.isArray(script) && used < script.length
        ? [`${script.length - used} unused turns of "${name}"`]
        : [],
    );
  }
}

// A strict local server of OpenAI's Responses API and Chat Completions. It checks each request as the real ones do, refuses a
// conversation whose beginning changed, and answers what a script says. Scripts are those of the local Messages API.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiBody } from "./messages-api-rules.ts";
import { type Answer, type ApiScript, type Refusal, ScriptLines } from "./messages-api-script.ts";
import { sendEvents } from "./messages-api-send.ts";
import type { AnswerBlock } from "./messages-api-stream.ts";
import {
  findChatFault,
  findResponsesFault,
  messagesOfChat,
  messagesOfResponses,
  type OpenAIBody,
} from "./openai-api-rules.ts";
import { chatEvents, encrypt, responsesEvents } from "./openai-api-stream.ts";

export type OpenAIApiOptions = {
  /** Default: none is needed. */
  apiKey?: string;
  /** Takes out what an agent program adds to a request. */
  adapt?: (body: OpenAIBody) => OpenAIBody;
  /** The words in which requests with tools are refused. */
  refuseTools?: string;
};
export type OpenAIRequest = {
  readonly path: string;
  readonly body: OpenAIBody;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
  status: number;
  abandoned: boolean;
};
export type OpenAIApi = {
  /** With `/v1`. */
  readonly url: string;
  readonly requests: OpenAIRequest[];
  readonly faults: string[];
  /** Throws when there are faults, or turns that nobody asked for. */
  assertDone(): void;
  /** Of a test that provokes faults: those so far are taken out and returned, and `close` does not throw for them. */
  takeFaults(): string[];
  /** Throws where there are faults: no test can forget to look. */
  close(): Promise<void>;
};

/** Starts the server on a free port of the loopback interface. */
export async function startOpenAIApi(script: ApiScript, options: OpenAIApiOptions = {}): Promise<OpenAIApi> {
  const lines = new ScriptLines(script);
  const requests: OpenAIRequest[] = [];
  const faults: string[] = [];
  const reasoning = new Reasoning();
  const check = createCheck(options, reasoning);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString("utf8");
    const path = request.url?.replace(/^\/v1\//, "") ?? "";
    const parsed: OpenAIBody = JSON.parse(raw);
    const body = options.adapt?.(parsed) ?? parsed;
    requests.push(record(path, body, request.headers, response));
    const refusal = check(path, body, request.headers, raw);
    if (refusal) {
      if (refusal.isFault) faults.push(`request refused: ${refusal.message}`);
      return sendRefusal(response, refusal);
    }
    const isChat = path === "chat/completions";
    const messages = isChat
      ? messagesOfChat(body.messages as OpenAIBody[])
      : messagesOfResponses(body.input as OpenAIBody[]);
    const system = String((isChat ? (body.messages as OpenAIBody[])[0]?.content : body.instructions) ?? "");
    const asked: ApiBody = { model: String(body.model), max_tokens: 0, messages, system };
    const turn = await lines.next(asked);
    if (typeof turn === "object" && "unscripted" in turn) {
      faults.push(turn.unscripted);
      return sendRefusal(response, { status: 500, message: turn.unscripted });
    }
    if (typeof turn === "object" && "status" in turn) return sendRefusal(response, turn);
    const said: Answer = typeof turn === "string" ? { content: turn } : turn;
    reasoning.remember(asked.model, blocksOf(said));
    const told = {
      model: said.model ?? asked.model,
      said,
      blocks: blocksOf(said),
      usage: usageOf(raw, said),
    };
    const usage = (body.stream_options as OpenAIBody | undefined)?.include_usage === true;
    await sendEvents(response, said, isChat ? chatEvents(told, usage) : responsesEvents(told));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      faults.push(`the server itself failed: ${error}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    faults,
    assertDone() {
      const problems = [...faults, ...lines.unused()];
      if (problems.length > 0) throw new Error(`OpenAI API: ${problems.join("; ")}`);
    },
    takeFaults: () => faults.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (faults.length > 0) throw new Error(`OpenAI API: ${faults.splice(0).join("; ")}`);
    },
  };
}

type Fault = Refusal & { isFault?: true };

/** What is checked of each request, against all before it. */
function createCheck({ apiKey, refuseTools }: OpenAIApiOptions, reasoning: Reasoning) {
  const seen = new Map<string, { model: unknown; items: string[] }>();
  const invalid = (message: string): Fault => ({ status: 400, message, isFault: true });
  return (path: string, body: OpenAIBody, headers: IncomingHttpHeaders, raw: string): Fault | undefined => {
    if (apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`) {
      return { status: 401, code: "invalid_api_key", message: "Incorrect API key provided." };
    }
    if (path !== "responses" && path !== "chat/completions") return { ...invalid(`no ${path}`), status: 404 };
    if (!raw.isWellFormed() || /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(raw))
      return invalid("not valid JSON");
    if (body.stream !== true) return invalid("this server streams");
    if (refuseTools !== undefined && body.tools !== undefined) return { status: 400, message: refuseTools };
    const isChat = path === "chat/completions";
    const fault = isChat
      ? findChatFault(body)
      : (findResponsesFault(body, (encrypted) => reasoning.isOwn(encrypted)) ?? reasoning.findMissing(body));
    if (fault !== undefined) return invalid(fault);
    const items = ((isChat ? body.messages : body.input) as unknown[]).map((item) => JSON.stringify(item));
    const frame = JSON.stringify([body.instructions, body.tools, isChat ? items.slice(0, 2) : items[0]]);
    const before = seen.get(frame);
    seen.set(frame, { model: body.model, items });
    if (before?.model !== body.model || before === undefined) return undefined;
    const place = before.items.findIndex((item, index) => item !== items[index]);
    return place < 0
      ? undefined
      : invalid(`item ${place} changed from ${before.items[place]} to ${items[place]}`);
  };
}

/** The reasoning that this server wrote, and the calls that were made after it. */
class Reasoning {
  readonly #written = new Set<string>();
  readonly #before = new Map<string, string>();

  remember(model: string, blocks: readonly AnswerBlock[]): void {
    let last: string | undefined;
    for (const block of blocks) {
      if (block.type === "thinking") {
        last = encrypt(block.thinking);
        this.#written.add(last);
      } else if (block.type === "tool_use" && last !== undefined) {
        this.#before.set(`${model} ${block.id}`, last);
      }
    }
  }

  isOwn(encrypted: unknown): boolean {
    return this.#written.has(String(encrypted));
  }

  /** A call comes back after the reasoning that led to it. */
  findMissing({ model, input }: OpenAIBody): string | undefined {
    const seen = new Set<unknown>();
    for (const { type, id, call_id, encrypted_content } of input as OpenAIBody[]) {
      if (type === "reasoning") seen.add(encrypted_content);
      const wanted = type === "function_call" ? this.#before.get(`${model} ${call_id}`) : undefined;
      if (wanted !== undefined && !seen.has(wanted)) {
        return `Item '${id ?? call_id}' of type 'function_call' was provided without its required 'reasoning' item.`;
      }
    }
    return undefined;
  }
}

function blocksOf({ content }: Answer): AnswerBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function usageOf(raw: string, said: Answer) {
  return {
    input_tokens: Math.ceil(raw.length / 4),
    output_tokens: Math.ceil(JSON.stringify(said.content).length / 4),
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    ...said.usage,
  };
}

function record(
  path: string,
  body: OpenAIBody,
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): OpenAIRequest {
  const recorded = { path, body, headers, at: performance.now(), status: 0, abandoned: false };
  response.on("close", () => {
    recorded.status = response.headersSent ? response.statusCode : 0;
    recorded.abandoned = !response.writableFinished;
  });
  return recorded;
}

function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, message = `status ${status}`, type = "invalid_request_error", code = null } = refusal;
  response.writeHead(status, {
    "content-type": "application/json",
    "x-request-id": "req_local",
    ...(refusal.retryAfter === undefined ? {} : { "retry-after": String(refusal.retryAfter) }),
    ...(refusal.retryAfterMs === undefined ? {} : { "retry-after-ms": String(refusal.retryAfterMs) }),
    ...refusal.headers,
  });
  response.end(JSON.stringify({ error: { message, type, param: null, code } }));
}

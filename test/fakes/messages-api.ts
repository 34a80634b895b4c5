// A strict local Messages API over HTTP with server-sent events. It checks every request as the real one does, refuses
// a conversation whose beginning changed, and answers what a script says. Runs under plain Node with type stripping.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type ApiUsage,
  ConversationMemory,
  findThinkingFault,
  PromptCache,
  signThinking,
} from "./messages-api-memory.ts";
import {
  type ApiBody,
  type ApiFault,
  type CacheMarks,
  findBodyFault,
  findHeaderFault,
  invalid,
  isFault,
  parseBody,
  SaidBefore,
  takeCacheMarks,
} from "./messages-api-rules.ts";
import { type Answer, type ApiScript, type ApiScriptsByName, ScriptLines } from "./messages-api-script.ts";
import { sendAnswer, sendRefusal } from "./messages-api-send.ts";
import type { ApiMessage } from "./messages-api-stream.ts";
import { createBatches, type LocalBatches } from "./messages-batches.ts";

export type MessagesApiOptions = {
  /** Default: any key. */
  apiKey?: string;
  /** What a conversation is known by; default: system, tools and first message. */
  conversationOf?: (body: ApiBody) => string;
  /** Below this nothing is cached; default 0. */
  minCacheTokens?: number;
  /** Takes out what an agent program adds to a request by betas of its own. */
  adapt?: (body: ApiBody) => ApiBody;
  /** How many of the last requests stay in `requests`; default all. */
  keep?: number;
};

export type Recorded = {
  readonly raw: string;
  /** Parsed anew each time, cache marks included. */
  readonly body: ApiBody;
  readonly headers: IncomingHttpHeaders;
  /** `performance.now()` when its last byte was there. */
  readonly at: number;
  /** 0 until it is answered. */
  status: number;
  /** The connection was closed before the answer's end. */
  abandoned: boolean;
};

export type MessagesApi = {
  readonly url: string;
  readonly requests: Recorded[];
  readonly batches: LocalBatches;
  /** What was refused or not in the script, one sentence each. */
  readonly faults: string[];
  /** Throws when there are faults, or turns that nobody asked for. */
  assertDone(): void;
  /** Of a test that provokes faults: those so far are taken out and returned, and `close` does not throw for them. */
  takeFaults(): string[];
  /** Throws where there are faults: no test can forget to look. */
  close(): Promise<void>;
};

/** Starts the server on a free port of the loopback interface. */
export async function startMessagesApi(
  script: ApiScript | ApiScriptsByName,
  options: MessagesApiOptions = {},
): Promise<MessagesApi> {
  const lines = new ScriptLines(script);
  const before = new SaidBefore();
  const { check, checkBody } = createCheck(options, before);
  const cache = new PromptCache(options.minCacheTokens);
  const requests: Recorded[] = [];
  const faults: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readAll(request);
    requests.push(record(raw, request.headers, response));
    if (options.keep !== undefined && requests.length > options.keep) requests.shift();
    const accepted = check(request, raw);
    if ("fault" in accepted) return refuse(response, accepted.fault, faults);
    const { body, marks } = accepted;
    const turn = await lines.next(body);
    if (typeof turn === "object" && "unscripted" in turn) {
      return refuse(response, { status: 500, type: "api_error", message: turn.unscripted }, faults);
    }
    if (typeof turn === "object" && "status" in turn) return sendRefusal(response, turn);
    const said = typeof turn === "string" ? { content: turn } : turn;
    const message = toMessage(said, body, cache.use(body, marks));
    before.note(message);
    await sendAnswer(response, said, message, body.stream === true);
  }

  const { batches, handle } = createBatches({
    ...{ readAll, faults },
    faultOf: (params) => {
      const accepted = checkBody(params);
      return "fault" in accepted ? accepted.fault : undefined;
    },
    async answer(params) {
      const turn = await lines.next(params);
      if (typeof turn === "object" && !("content" in turn)) throw new Error("a batch was told to refuse");
      const said = typeof turn === "string" ? { content: turn } : turn;
      const message = toMessage(said, params, cache.use(params, []));
      before.note(message);
      return message;
    },
  });
  const server = createServer((request, response) => {
    const ofBatches = handle(request, response);
    (ofBatches || answer(request, response)).catch((error: unknown) => {
      faults.push(`the server itself failed: ${error}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    batches,
    faults,
    assertDone() {
      const problems = [...faults, ...lines.unused()];
      if (problems.length > 0) throw new Error(`Messages API: ${problems.join("; ")}`);
    },
    takeFaults: () => faults.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (faults.length > 0) throw new Error(`Messages API: ${faults.splice(0).join("; ")}`);
    },
  };
}

/** What is checked of every request, against all before it. */
function createCheck(options: MessagesApiOptions, before: SaidBefore) {
  const memory = new ConversationMemory(options.conversationOf);
  const checkBody = (parsed: ApiBody): Checked => {
    const body = options.adapt?.(parsed) ?? parsed;
    const bodyFault = findBodyFault(body);
    if (bodyFault) return { fault: bodyFault };
    const strange = before.findFault(body);
    if (strange !== undefined) return { fault: invalid(strange) };
    const marks = takeCacheMarks(body);
    if (isFault(marks)) return { fault: marks };
    const changed = findThinkingFault(body) ?? memory.check(body);
    return changed === undefined ? { body, marks } : { fault: invalid(changed) };
  };
  const check = (request: IncomingMessage, raw: string): Checked => {
    if (request.method !== "POST" || request.url?.split("?")[0] !== "/v1/messages") {
      const message = `${request.method} ${request.url}: Not found`;
      return { fault: { status: 404, type: "not_found_error", message } };
    }
    const headerFault = findHeaderFault(request.headers, options.apiKey);
    if (headerFault) return { fault: headerFault };
    const parsed = parseBody(raw);
    if (isFault(parsed)) return { fault: parsed };
    return checkBody(parsed);
  };
  return { check, checkBody };
}

type Checked = { body: ApiBody; marks: CacheMarks } | { fault: ApiFault };

function record(raw: string, headers: IncomingHttpHeaders, response: ServerResponse): Recorded {
  const recorded: Recorded = {
    raw,
    get body() {
      return JSON.parse(raw) as ApiBody;
    },
    headers,
    at: performance.now(),
    status: 0,
    abandoned: false,
  };
  response.on("close", () => {
    recorded.status = response.headersSent ? response.statusCode : 0;
    recorded.abandoned = !response.writableFinished;
  });
  return recorded;
}

/** A refusal that no script asked for: the request is wrong. */
function refuse(response: ServerResponse, fault: ApiFault, faults: string[]): void {
  faults.push(`request refused: ${fault.message}`);
  sendRefusal(response, { ...fault, headers: { "x-should-retry": "false" } });
}

function toMessage(said: Answer, body: ApiBody, usage: ApiUsage): ApiMessage {
  const model = said.model ?? body.model;
  const blocks = typeof said.content === "string" ? [{ type: "text", text: said.content }] : said.content;
  const content = blocks.map((block) =>
    block.type === "thinking" && !("signature" in block)
      ? { ...block, signature: signThinking({ ...body, model }, block.thinking) }
      : block,
  );
  const output_tokens = Math.ceil(JSON.stringify(content).length / 4);
  return {
    id: `msg_${body.messages.length}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason:
      said.stopReason ?? (content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: { ...usage, output_tokens, ...said.usage },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

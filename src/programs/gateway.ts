// The one socket of an agent program: forwards requests to its model with a key that it never sees.
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { Readable } from "node:stream";
import { messageOf } from "../core/errors.ts";
import { type Entrance, eachLine } from "./process.ts";
import type { Tally } from "./tally.ts";

/** The model's answer; its body arrives bit by bit. */
type Answer = { status: number; headers: IncomingHttpHeaders; body: Readable };

/** Answers the program's requests to its model. */
export type Upstream = (
  request: { method: string; path: string; headers: Readonly<Record<string, string>>; body: Buffer },
  signal: AbortSignal,
) => Promise<Answer>;

/** Who decides about the program's requests to its model. */
export type Door = {
  /** Whether the program may send this to its model; resolves once that is known. */
  ready(body: Buffer): Promise<boolean>;
  /** Reads the bytes of the model's answer, after they were passed on, and then undefined: no more come. */
  listen?(status: number): Listen;
};

type Listen = (bytes: Buffer | undefined) => void;

/** Reads the events of an answer, in whatever pieces it arrives, and its end. `heard`: something arrived. */
export function readEvents(heard: () => void, take: (data: string | undefined) => void): Listen {
  const read = eachLine((line) => {
    if (line.startsWith("data:")) take(line.slice(5));
  });
  return (bytes) => {
    heard();
    read(bytes ?? Buffer.from("\n"));
    if (!bytes) take(undefined);
  };
}

type Through = { door: Door; tally: Tally };

/** Counts tokens and costs nothing. */
const UNPAID = /\/count_tokens\b/;

const MAX_BODY = 64 * 1024 * 1024;

/** Serves the entrance until its connections close. */
export function openGateway(entrance: Entrance, upstream: Upstream, through: Through): void {
  const leashes = new Set<ServerResponse>();
  const hear = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/looplia/leash") {
      leashes.add(response.writeHead(200, { connection: "close" }));
      response.flushHeaders();
      return;
    }
    forward(request, response, upstream, through).catch(() => response.destroy());
  };
  const server = createServer(hear);
  server.requestTimeout = 0;
  // A connection that closes by itself may just be in use.
  server.keepAliveTimeout = 0;
  entrance.loosen = () => {
    for (const leash of leashes) leash.end();
    leashes.clear();
  };
  entrance.serve((connection) => server.emit("connection", connection));
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  { door, tally }: Through,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const body = await readBody(request);
  const { method = "GET", url: path = "/" } = request;
  const isCounted = method === "POST" && !UNPAID.test(path);
  if (isCounted) await tally.turn();
  if (!(await door.ready(body))) return void response.writeHead(403).end();
  const passing = isCounted ? await tally.admit(body) : undefined;
  if (isCounted && !passing) return void response.writeHead(403).end();
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && !DROPPED.has(name)) headers[name] = value;
  }
  let reply: Answer;
  try {
    reply = await upstream({ method, path, headers, body }, gone.signal);
  } catch (error) {
    passing?.end();
    const message = `the model could not be reached: ${causeOf(error)}`;
    response.writeHead(502, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error: { type: "api_error", message } }));
    return;
  }
  const told = Object.entries(reply.headers).filter(([name]) => !DROPPED.has(name));
  response.writeHead(reply.status, Object.fromEntries(told));
  reply.body.on("error", () => response.destroy()).pipe(response);
  const listen = door.listen?.(reply.status);
  // The program goes on while the runner reads.
  const hear = (bytes?: Buffer) =>
    setImmediate(() => {
      // Counted first: the turn that its reader finds includes it.
      if (bytes) passing?.hear(bytes);
      else passing?.end();
      listen?.(bytes);
    });
  passing?.begin(reply.status);
  reply.body.on("data", hear).on("close", () => hear());
}

/** Hop-by-hop headers and keys; the gateway adds the real key. */
const DROPPED = new Set(
  "connection content-length content-encoding transfer-encoding keep-alive host authorization x-api-key accept-encoding".split(
    " ",
  ),
);

function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BODY) request.destroy(new Error("too long"));
    });
    request.on("error", reject).on("end", () => resolve(Buffer.concat(chunks)));
  });
}

/** A connection that was tried at several addresses fails without words of its own. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return causeOf(error.errors[0]);
  return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}

type Service = {
  baseURL: string;
  paths: RegExp;
  key: Readonly<Record<string, string>>;
  /** Whether a proxy leads there, which only `fetch` takes in every version of Node. */
  isProxied: boolean;
};

const IDLE_MS = 60_000;

/** The real service: allows only paths that serve turns, adds the key, and follows no redirect. */
export function serviceUpstream({ baseURL, paths, key, isProxied }: Service): Upstream {
  const address = baseURL.replace(/\/+$/, "");
  const send = isProxied ? fetched : directly(address.startsWith("https:"));
  return async ({ method, path, headers, body }, signal) => {
    if (!paths.test(path)) return { status: 404, headers: {}, body: Readable.from(["{}"]) };
    const all = { ...headers, ...key, "accept-encoding": "identity" };
    const reply = await send(address + path, { method, headers: all, signal }, body);
    if (reply.status < 300 || reply.status > 399) return reply;
    reply.body.destroy();
    throw new Error(`it redirects (status ${reply.status})`);
  };
}

type Send = (
  url: string,
  request: { method: string; headers: Record<string, string>; signal: AbortSignal },
  body: Buffer,
) => Promise<Answer>;

/** Loading and warming `fetch` would take longer than a turn's calls, and so would an `import()` of `node:http`. */
function directly(isSecure: boolean): Send {
  const kept = { keepAlive: true, timeout: IDLE_MS };
  let loaded: Promise<{ request: typeof httpRequest; agent: Agent }> | undefined;
  const load = async () => {
    if (!isSecure) return { request: httpRequest, agent: new Agent(kept) };
    const https = await import("node:https");
    return { request: https.request, agent: new https.Agent(kept) };
  };
  return async (url, asked, body) => {
    loaded ??= load();
    const { request, agent } = await loaded;
    return new Promise((resolve, reject) => {
      const sent = request(url, { ...asked, agent }, (reply) => {
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: reply });
      });
      sent.on("error", reject);
      if (body.length > 0) sent.setHeader("content-length", body.length).end(body);
      else sent.end();
    });
  };
}

const fetched: Send = async (url, asked, body) => {
  const sent = body.length > 0 ? { body: new Uint8Array(body) } : {};
  const reply = await fetch(url, { ...asked, ...sent, redirect: "manual" });
  return {
    ...{ status: reply.status, headers: Object.fromEntries(reply.headers) },
    body: reply.body ? Readable.fromWeb(reply.body) : Readable.from([]),
  };
};

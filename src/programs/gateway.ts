// The one socket of an agent program: forwards requests to its model with a key that it never sees, and
// questions to the runner.
import { rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { ListenOptions } from "node:net";
import { Readable } from "node:stream";
import { messageOf } from "../core/errors.ts";

/** Answers the program's requests to its model. */
export type Upstream = (
  request: { method: string; path: string; headers: Headers; body: Buffer },
  signal: AbortSignal,
) => Promise<Response>;

/** The questions that the bridge may ask; the answer is JSON or nothing. */
export type Door = Readonly<Record<"hook" | "mcp", (question: unknown) => Promise<unknown>>> & {
  /** Whether the program may send this to its model; resolves once that is known. */
  ready(body: Buffer): Promise<boolean>;
  /** Reads the model's response and passes it on. */
  listen?(response: Response): Response;
};

export type Gateway = {
  socket: string;
  /** Of the loopback interface, for a program that is not isolated. */
  port: number | undefined;
  close(): Promise<void>;
  /** Tells the bridge to end the program. */
  loosen(): void;
};

const MAX_BODY = 64 * 1024 * 1024;

/**
 * Listens on a unix socket at `socket`, in a folder that only this user can enter, and with `isOpen` on a loopback
 * port.
 */
export async function openGateway(
  { socket, isOpen }: { socket: string; isOpen: boolean },
  upstream: Upstream,
  door: Door,
): Promise<Gateway> {
  const leashes = new Set<ServerResponse>();
  const closing = new AbortController();
  const hear = (request: IncomingMessage, response: ServerResponse) => {
    const name = /^\/looplia\/(hook|mcp|leash)$/.exec(request.url ?? "")?.[1];
    if (name === "leash") {
      leashes.add(response.writeHead(200, { connection: "close" }));
      response.flushHeaders();
      return;
    }
    const answered =
      name === "hook" || name === "mcp"
        ? answer(request, response, door[name])
        : forward(request, response, { upstream, door, signal: closing.signal });
    answered.catch(() => response.destroy());
  };
  const servers = [await listen(hear, { path: socket })];
  if (isOpen) servers.push(await listen(hear, { host: "127.0.0.1", port: 0 }));
  const address = servers[1]?.address();
  return {
    socket,
    port: typeof address === "object" ? address?.port : undefined,
    loosen() {
      for (const leash of leashes) leash.end();
      leashes.clear();
    },
    async close() {
      closing.abort();
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      await rm(socket, { force: true });
    },
  };
}

function listen(hear: RequestListener, place: ListenOptions): Promise<Server> {
  const server = createServer(hear);
  server.requestTimeout = 0;
  // A connection that closes by itself may just be in use.
  server.keepAliveTimeout = 0;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => resolve(server));
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  ask: (question: unknown) => Promise<unknown>,
): Promise<void> {
  // There is no stream of messages to listen to.
  if (request.method !== "POST") return void response.writeHead(405).end();
  const said = await ask(JSON.parse((await readBody(request)).toString("utf8")));
  if (said === undefined) response.writeHead(202).end();
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said));
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { upstream, door, signal }: { upstream: Upstream; door: Door; signal: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const body = await readBody(request);
  if (!(await door.ready(body))) return void response.writeHead(403).end();
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && !DROPPED.has(name)) headers.set(name, value);
  }
  const { method = "GET", url: path = "/" } = request;
  const asked = { method, path, headers, body };
  let reply: Response;
  try {
    const answered = await upstream(asked, AbortSignal.any([gone.signal, signal]));
    reply = door.listen?.(answered) ?? answered;
  } catch (error) {
    const message = `the model could not be reached: ${causeOf(error)}`;
    response.writeHead(502, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error: { type: "api_error", message } }));
    return;
  }
  const told = [...reply.headers].filter(([name]) => !DROPPED.has(name));
  response.writeHead(reply.status, Object.fromEntries(told));
  if (!reply.body) response.end();
  else
    Readable.fromWeb(reply.body)
      .on("error", () => response.destroy())
      .pipe(response);
}

/** Hop-by-hop headers and keys; the gateway adds the real key. */
const DROPPED = new Set(
  "connection content-length content-encoding transfer-encoding keep-alive host authorization x-api-key accept-encoding".split(
    " ",
  ),
);

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error("too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return messageOf(cause);
}

/** The real service: allows only paths that serve turns, and adds the key. */
export function serviceUpstream(service: {
  baseURL: string;
  paths: RegExp;
  key: Readonly<Record<string, string>>;
}): Upstream {
  return async ({ method, path, headers, body }, signal) => {
    if (!service.paths.test(path)) return new Response("{}", { status: 404 });
    const all = new Headers(headers);
    for (const [name, value] of Object.entries(service.key)) all.set(name, value);
    return fetch(`${service.baseURL.replace(/\/+$/, "")}${path}`, {
      ...{ method, headers: all, signal, redirect: "error" },
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
  };
}

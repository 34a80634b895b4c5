// MCP servers through the official SDK: programs over standard input and output, and addresses over HTTP.

import { createHash } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema, PaginatedResultSchema, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { LoopliaError, messageOf } from "../core/errors.ts";
import type { ToolDefinition } from "../core/events.ts";
import { isObject, isShallow, lazily, toPlainLine } from "../core/json.ts";
import type { ToolServers } from "../core/ports-host.ts";

/** A server with its variables filled in. `open` throws the reason when it can't be started. */
type ToolServer = {
  name: string;
  /** Its name for people: an address or a command. */
  place: string;
  /** For connecting, and for each call. */
  timeoutMs: number;
  /** Without it the run ends. */
  isRequired?: boolean;
  open(): Promise<ServerAccess>;
};

type ServerAccess =
  | {
      /** The words of the command, including its isolation. */
      words: readonly string[];
      folder: string;
      environment: Record<string, string>;
      /** Called once the process has ended. */
      finish(): void;
    }
  | { url: string; headers: Record<string, string> };

type Options = {
  version: string;
  warn(message: string): void;
};

/**
 * The tools of the servers, and a function that ends all processes and connections. Servers start on demand; `ready`
 * starts them where one is required, and throws `config-invalid` where such a one can't be used.
 */
export function openToolServers(
  servers: readonly ToolServer[],
  options: Options,
): ToolServers & { ready(): Promise<void>; close(): Promise<void> } {
  const connections = new Map(servers.map((server) => [server.name, new Connection(server, options)]));
  let listed: Promise<readonly ToolDefinition[]> | undefined;
  const connectionOf = (tool: string) => connections.get(tool.split("__")[1] ?? "");
  const definitions = () => {
    listed ??= Promise.all([...connections.values()].map((one) => definitionsOf(one, options))).then(
      (lists) => lists.flat(),
    );
    return listed;
  };
  return {
    names: servers.map(({ name }) => name),
    placeOf: (tool) => connectionOf(tool)?.server.place,
    definitions,
    async ready() {
      if (servers.some(({ isRequired }) => isRequired)) await definitions();
    },
    async call(tool, input, signal) {
      try {
        return (await connectionOf(tool)?.call(tool, input, signal)) ?? { text: "", isError: true };
      } catch (error) {
        signal.throwIfAborted();
        const name = connectionOf(tool)?.server.name ?? tool;
        return { text: `The MCP server ${name} failed: ${reasonOf(error)}`, isError: true };
      }
    },
    close: async () => void (await Promise.all([...connections.values()].map((one) => one.close()))),
  };
}

async function definitionsOf(connection: Connection, { warn }: Options): Promise<ToolDefinition[]> {
  const { name, place, isRequired } = connection.server;
  try {
    const { tools, leftOut } = await connection.offered();
    if (leftOut.length > 0) {
      const names = leftOut.slice(0, MAX_TOLD).join(", ");
      warn(`The MCP server ${name} has ${leftOut.length} tools that can't be described to a model: ${names}`);
    }
    return tools.map(({ definition }) => definition);
  } catch (error) {
    if (isRequired) throw requiredMissing(connection.server, error);
    warn(`The MCP server ${name} (${place}) can't be used, so its tools are missing: ${reasonOf(error)}`);
    return [];
  }
}

function requiredMissing({ name, place }: ToolServer, cause: unknown): LoopliaError {
  const why = `The MCP server ${name} (${place}), which is \`required\`, can't be used: ${reasonOf(cause)}`;
  const hint = "Mend it, or take `required` away to go on without its tools.";
  return new LoopliaError("config-invalid", why, { hint, cause });
}

/** On one line, with the status of an HTTP answer. */
function reasonOf(error: unknown): string {
  const text = toPlainLine(messageOf(error)).slice(0, MAX_SAID);
  if (!(error instanceof StreamableHTTPError) || (error.code ?? 0) < 0) return text;
  const said = text.replace(/^Streamable HTTP error: (Error POSTing to endpoint: ?)?/, "");
  const hint = error.code === 401 || error.code === 403 ? "; check its `headers`" : "";
  return `status ${error.code}${said === "" ? "" : `: ${said}`}${hint}`;
}

/** Limits per server. */
const MAX_TOOLS = 100;
const MAX_DESCRIPTION = 2_000;
const MAX_SCHEMA = 20_000;
/** The strictest limit among models' APIs. */
const MAX_NAME = 64;
const MAX_SAID = 1_000;
const MAX_PAGES = 20;
const MAX_TOLD = 10;
/** Of one answer over HTTP. The SDK has the same limit for programs. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Models' APIs refuse other names of parameters. */
const PROPERTY = /^[\w.-]{1,64}$/;

type Offered = { ownName: string; definition: ToolDefinition };
/** `leftOut`: names of tools that can't be described to every model. */
type Open = { client: Client; tools: Offered[]; leftOut: string[] };

/** One server, connected at the first use; after it dies or answers with an HTTP error, the next use reconnects. */
class Connection {
  readonly server: ToolServer;
  readonly #options: Options;
  #open: Promise<Open> | undefined;

  constructor(server: ToolServer, options: Options) {
    this.server = server;
    this.#options = options;
  }

  offered(): Promise<Pick<Open, "tools" | "leftOut">> {
    return this.#connected();
  }

  async call(tool: string, input: Record<string, unknown>, signal: AbortSignal) {
    const again = async (error: unknown) => {
      if (!(error instanceof StreamableHTTPError)) throw error;
      await this.close();
      // The server forgot the session, so it did not make the call (MCP, Streamable HTTP).
      if (error.code !== 404) throw error;
      return this.#call(tool, input, signal);
    };
    return this.#call(tool, input, signal).catch(again);
  }

  async #call(tool: string, input: Record<string, unknown>, signal: AbortSignal) {
    const { client, tools } = await this.#connected();
    const known = tools.find(({ definition }) => definition.name === tool);
    if (!known) return { text: "The server no longer offers this tool.", isError: true };
    const result = await client.request(
      { method: "tools/call", params: { name: known.ownName, arguments: input } },
      CallToolResultSchema,
      { signal, timeout: this.server.timeoutMs },
    );
    return { text: textOf(result), isError: result.isError === true };
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.then(({ client }) => client.close()).catch(() => undefined);
  }

  #connected(): Promise<Open> {
    if (this.#open) return this.#open;
    const forget = () => {
      if (this.#open === open) this.#open = undefined;
    };
    const open = connect(this.server, this.#options, () => forget());
    open.catch(forget);
    this.#open = open;
    return open;
  }
}

async function connect(server: ToolServer, { version }: Options, onEnd: () => void): Promise<Open> {
  const { transport, said, finish } = transportOf(await server.open());
  const client = new Client({ name: "looplia", version });
  client.onclose = () => {
    finish();
    onEnd();
  };
  try {
    await client.connect(transport, { timeout: server.timeoutMs });
    return { client, ...(await listTools(client, server)) };
  } catch (error) {
    await client.close().catch(() => undefined);
    finish();
    const more = said().trim();
    throw new Error(more === "" ? reasonOf(error) : `${reasonOf(error)}; it said: ${more}`);
  }
}

function transportOf(access: ServerAccess): { transport: Transport; said(): string; finish(): void } {
  if ("url" in access) {
    const { url, headers } = access;
    // Redirects are not followed: data for one host must not reach another.
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers, redirect: "manual" },
      fetch: async (address, init) => limited(await fetch(address, init)),
    });
    // The SDK's types do not support exact optional properties.
    return { transport: transport as Transport, said: () => "", finish: () => {} };
  }
  const { words, folder, environment, finish } = access;
  const [command = "", ...args] = words;
  const transport = new StdioClientTransport({
    ...{ command, args, env: environment, cwd: folder },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    if (said.length < MAX_SAID) said += chunk.toString("utf8").slice(0, MAX_SAID);
  });
  return { transport, said: () => said.replace(/^started\n/, ""), finish };
}

/** The response, cut off with an error where it is too long. */
function limited(response: Response): Response {
  if (!response.body) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > MAX_BYTES) controller.error(new Error(`it sent more than ${MAX_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, headers });
}

/** One invalid tool must not hide the others. */
const listed = lazily(() => PaginatedResultSchema.extend({ tools: z.array(z.unknown()) }));

async function listTools(
  client: Client,
  { name: server, timeoutMs: timeout }: ToolServer,
): Promise<Pick<Open, "tools" | "leftOut">> {
  const found: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page === 0 || (cursor !== undefined && page < MAX_PAGES); page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, listed(), { timeout });
    found.push(...answer.tools);
    cursor = found.length < MAX_TOOLS ? answer.nextCursor : undefined;
  }
  const isValid = await schemaCheck();
  const byName = new Map<string, Offered>();
  const leftOut: string[] = [];
  for (const [place, tool] of found.entries()) {
    const offered = place < MAX_TOOLS ? describe(tool, server, isValid) : undefined;
    // Of two tools with one name the second can't be called.
    if (offered && !byName.has(offered.definition.name)) byName.set(offered.definition.name, offered);
    else leftOut.push(toPlainLine(String(isObject(tool) ? tool.name : "unnamed")).slice(0, MAX_NAME));
  }
  const tools = [...byName.values()].sort((one, other) =>
    one.definition.name < other.definition.name ? -1 : 1,
  );
  return { tools, leftOut };
}

/** Models' APIs refuse a whole request for one invalid schema. */
async function schemaCheck(): Promise<(schema: object) => boolean> {
  const { default: library } = await import("ajv/dist/2020.js");
  const ajv = new library.Ajv2020({ strict: false, logger: false, validateFormats: false });
  return (schema) => ajv.validateSchema(schema) === true;
}

/** Undefined for a tool that can't be described to every model. */
function describe(tool: unknown, server: string, isValid: (schema: object) => boolean): Offered | undefined {
  const parsed = isShallow(tool) ? ToolSchema.safeParse(tool).data : undefined;
  if (!parsed || parsed.name === "") return undefined;
  const { name, description = "", inputSchema } = parsed;
  // Models' APIs refuse alternatives at the top of a schema; the server still checks them.
  const { $schema: _, anyOf: _any, oneOf: _one, allOf: _all, ...schema } = inputSchema;
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA || !isValid(schema)) return undefined;
  if (!Object.keys(inputSchema.properties ?? {}).every((key) => PROPERTY.test(key))) return undefined;
  const told = `${description.slice(0, MAX_DESCRIPTION).toWellFormed()} (MCP server ${server})`.trim();
  const definition = { name: toolName(server, name), description: told, inputSchema: schema };
  return { ownName: name, definition };
}

/** The name for models. A changed name ends in a hash, so that two names never become the same. */
function toolName(server: string, name: string): string {
  const whole = `mcp__${server}__${name}`;
  if (/^[A-Za-z0-9_-]+$/.test(name) && whole.length <= MAX_NAME) return whole;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `${whole.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME - 7)}_${hash}`;
}

/** All text parts; parts that a model can't read are named. */
function textOf({ content, structuredContent }: z.infer<typeof CallToolResultSchema>): string {
  const parts = content.map((block) => {
    switch (block.type) {
      case "text":
        return block.text;
      case "resource":
        return "text" in block.resource ? block.resource.text : `[binary resource ${block.resource.uri}]`;
      case "resource_link":
        return `[resource ${block.uri}]`;
      default:
        return `[${block.type}, ${block.mimeType}: not shown]`;
    }
  });
  if (parts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return parts.join("\n");
}

// MCP servers that nobody should trust: too many pages, too large, tools that no model can be told of.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openToolServers } from "../../src/mcp/servers.ts";

type ServerAccess = Awaited<ReturnType<Parameters<typeof openToolServers>[0][number]["open"]>>;

/** True where it answered itself. */
type Odd = (method: string, request: IncomingMessage, response: ServerResponse) => boolean;
type Page = { tools: object[]; nextCursor?: string };

/** Lists these tools, page by page; the result of each call is `result`. */
async function serve(
  list: (page: number) => Page,
  result: () => string = () => "ok",
  odd: Odd = () => false,
) {
  let pages = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { id, method } = JSON.parse(text || "{}");
    if (odd(method, request, response)) return;
    if (id === undefined) return void response.writeHead(request.method === "GET" ? 405 : 202).end();
    const serverInfo = { name: "fake", version: "1" };
    const results: Record<string, () => object> = {
      initialize: () => ({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo }),
      "tools/list": () => {
        pages += 1;
        return list(pages);
      },
      "tools/call": () => ({ content: [{ type: "text", text: result() }] }),
    };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.() ?? {} }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const { servers, warnings } = open({ url, headers: { authorization: "Bearer canary" } });
  onTestFinished(async () => {
    await servers.close();
    server.closeAllConnections();
    server.close();
  });
  return { servers, warnings, url, pages: () => pages };
}

function open(access: ServerAccess, more: { timeoutMs?: number; isRequired?: boolean } = {}) {
  const warnings: string[] = [];
  const servers = openToolServers(
    [{ name: "odd", place: "here", timeoutMs: 5_000, open: async () => access, ...more }],
    { version: "1", warn: (message) => warnings.push(message) },
  );
  return { servers, warnings };
}

const ECHO = () => ({ tools: [tool("echo")] });
const call = (servers: { call: ReturnType<typeof open>["servers"]["call"] }) =>
  servers.call("mcp__odd__echo", {}, new AbortController().signal);

test("a call to a server that forgot the session is made once in a new one", async () => {
  const sessions: string[] = [];
  const { servers } = await serve(ECHO, undefined, (method, { headers }, response) => {
    if (method === "initialize") response.setHeader("mcp-session-id", `s${sessions.push("new")}`);
    if (method === "tools/call") sessions.push(String(headers["mcp-session-id"]));
    if (method !== "tools/call" || headers["mcp-session-id"] !== "s1") return false;
    response.writeHead(404).end("Session not found");
    return true;
  });
  expect(await call(servers)).toEqual({ text: "ok", isError: false });
  expect(sessions).toEqual(["new", "s1", "new", "s3"]);
});

test.each<[string, Odd, RegExp]>([
  [
    "401",
    (_method, _request, response) => !!response.writeHead(401).end("no token"),
    /status 401: no token; check its `headers`$/,
  ],
  [
    "500",
    (_method, _request, response) => !!response.writeHead(500).end("<h1>\nboom"),
    /status 500: <h1> boom$/,
  ],
])("an HTTP error (%s) is told on one line, with its status", async (_, odd, words) => {
  const { servers, warnings } = await serve(ECHO, undefined, odd);
  expect(await servers.definitions()).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(words)]);
  expect(await call(servers)).toEqual({ text: expect.stringMatching(words), isError: true });
});

test("connecting takes no longer than a call may; a required server that can't be used is an error", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`;
  const started = performance.now();
  const optional = open({ url, headers: {} }, { timeoutMs: 200 });
  await optional.servers.ready();
  expect(await optional.servers.definitions()).toEqual([]);
  expect(optional.warnings).toEqual([expect.stringMatching(/timed out/i)]);
  const required = open({ url, headers: {} }, { timeoutMs: 200, isRequired: true });
  await expect(required.servers.ready()).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringMatching(
      /^The MCP server odd \(here\), which is `required`, can't be used: .*timed out/,
    ),
  });
  expect(performance.now() - started).toBeLessThan(15_000);
});

test("a redirect to another host is not followed", async () => {
  const asked: unknown[] = [];
  const other = await serve(ECHO, undefined, (_method, request) => asked.push(request.headers) === 0);
  const { servers, warnings } = await serve(ECHO, undefined, (_method, _request, response) => {
    return !!response.writeHead(307, { location: other.url }).end();
  });
  expect(await servers.definitions()).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/not followed/)]);
  expect(asked).toEqual([]);
});

test("a program may print anything beside its messages; one that only prints is told of", async () => {
  const file = join(import.meta.dirname, "../fakes/tool-server.mjs");
  const noise = `process.stdout.write('debug: hello\\n{not json}\\n[1]\\n{"a":1}\\n\\n');`;
  const started = (code: string) => ({
    ...{ words: [process.execPath, "-e", code], folder: import.meta.dirname, environment: {}, finish() {} },
  });
  const noisy = open(started(`${noise}process.argv[1]=${JSON.stringify(file)};import(process.argv[1])`));
  onTestFinished(() => noisy.servers.close());
  expect((await noisy.servers.definitions()).length).toBeGreaterThan(3);
  const input = { text: "hi" };
  const reply = await noisy.servers.call("mcp__odd__echo", input, new AbortController().signal);
  expect([reply, noisy.warnings]).toEqual([{ text: "echo: hi", isError: false }, []]);
  const silent = open(started(`console.error("Usage: notes <folder>");process.exitCode=2`));
  expect(await silent.servers.definitions()).toEqual([]);
  expect(silent.warnings).toEqual([expect.stringMatching(/closed; it said: Usage: notes <folder>$/)]);
});

const tool = (name: string, inputSchema: object = {}) => ({
  name,
  inputSchema: { type: "object", ...inputSchema },
});

test("a list without an end is read for twenty pages", async () => {
  const { servers, pages } = await serve((page) => ({
    tools: page === 3 ? [tool("echo")] : [],
    nextCursor: String(page),
  }));
  expect((await servers.definitions()).map(({ name }) => name)).toEqual(["mcp__odd__echo"]);
  expect(pages()).toBe(20);
});

test("schemas are such that models' APIs take them, and people hear which tools are left out", async () => {
  const properties = { text: { type: "string" } };
  let deep: object = { type: "string" };
  for (let depth = 0; depth < 2_000; depth += 1) deep = { type: "array", items: deep };
  const tools = [
    tool("either", { properties, anyOf: [{ required: ["text"] }], $schema: "x" }),
    tool("spaced", { properties: { "a b": { type: "string" } } }),
    tool("deep", { properties: { deep } }),
    tool("untyped", { type: "string" }),
    tool("strnig", { properties: { a: { type: "strnig" } } }),
    { name: "bare" },
    tool("either", { properties: {} }),
  ];
  const { servers, warnings } = await serve(() => ({ tools }));
  const definitions = await servers.definitions();
  expect(definitions).toMatchObject([
    { name: "mcp__odd__either", inputSchema: { type: "object", properties } },
  ]);
  expect(definitions[0]?.inputSchema).not.toHaveProperty("anyOf");
  expect(warnings).toEqual([
    expect.stringMatching(/odd has 6 tools .*: spaced, deep, untyped, strnig, bare, either$/),
  ]);
});

test("an answer that is too large is an error result", async () => {
  const { servers } = await serve(
    () => ({ tools: [tool("echo")] }),
    () => "x".repeat(11 * 1024 * 1024),
  );
  await servers.definitions();
  const result = await servers.call("mcp__odd__echo", {}, new AbortController().signal);
  expect(result).toEqual({ isError: true, text: expect.stringMatching(/odd failed: .*more than 10485760/) });
});

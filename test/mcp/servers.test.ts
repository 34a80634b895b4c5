// MCP servers that nobody should trust: too many pages, too large, tools that no model can be told of.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openToolServers } from "../../src/mcp/servers.ts";

type Page = { tools: object[]; nextCursor?: string };

/** Lists these tools, page by page; the result of each call is `result`. */
async function serve(list: (page: number) => Page, result: () => string = () => "ok") {
  let pages = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { id, method } = JSON.parse(text || "{}");
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
  const warnings: string[] = [];
  const servers = openToolServers(
    [{ name: "odd", place: url, timeoutMs: 5_000, open: async () => ({ url, headers: {} }) }],
    { version: "1", warn: (message) => warnings.push(message) },
  );
  onTestFinished(async () => {
    await servers.close();
    server.closeAllConnections();
    server.close();
  });
  return { servers, warnings, pages: () => pages };
}

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
  ];
  const { servers, warnings } = await serve(() => ({ tools }));
  const definitions = await servers.definitions();
  expect(definitions).toMatchObject([
    { name: "mcp__odd__either", inputSchema: { type: "object", properties } },
  ]);
  expect(definitions[0]?.inputSchema).not.toHaveProperty("anyOf");
  expect(warnings).toEqual([expect.stringMatching(/odd has 2 tools .*: spaced, deep$/)]);
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

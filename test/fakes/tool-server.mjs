// A small MCP server without dependencies, so that it also runs inside a sandbox: over standard input and output when it is
// started, and behind any HTTP server through `answer`.
import { appendFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const none = { type: "object", properties: {} };
const TOOLS = [
  { name: "echo", description: "Says it again.", inputSchema: text },
  { name: "place.of", description: "Where the server is.", inputSchema: none },
  { name: "long", description: "Says a lot.", inputSchema: none },
  { name: "die", description: "Ends the server.", inputSchema: none },
  { name: "hang", description: "Never answers.", inputSchema: none },
];

/** The result of a call; undefined: there is none. */
function call({ name, arguments: input = {} }) {
  switch (name) {
    case "echo":
      return said(`echo: ${input.text}`);
    case "place.of":
      return said(JSON.stringify({ folder: process.cwd(), token: process.env.NOTES_TOKEN, ...look() }));
    case "long":
      return said("x".repeat(50_000));
    case "die":
      return process.exit(1);
    case "hang":
      return undefined;
    default:
      return { ...said(`Unknown tool: ${name}`), isError: true };
  }
}

function said(words) {
  return { content: [{ type: "text", text: words }] };
}

function look() {
  try {
    writeFileSync("written-by-server", "x");
    return { writes: true };
  } catch {
    return { writes: false };
  }
}

/** The answer to a message of the protocol; undefined for a notification, and for a call without an end. */
export function answer({ id, method, params }) {
  if (id === undefined) return undefined;
  const reply = (result) => ({ jsonrpc: "2.0", id, result });
  if (method === "initialize") {
    const serverInfo = { name: "fake", version: "1.0.0" };
    return reply({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  }
  if (method === "tools/list") {
    const left = (process.env.LEFT_OUT ?? "").split(",");
    return reply({ tools: TOOLS.filter(({ name }) => !left.includes(name)) });
  }
  if (method !== "tools/call") {
    return { jsonrpc: "2.0", id, error: { code: -32601, message: `no method ${method}` } };
  }
  if (process.env.CALLS_FILE) appendFileSync(process.env.CALLS_FILE, `${params.name}\n`);
  const result = call(params);
  return result === undefined ? undefined : reply(result);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for await (const line of createInterface({ input: process.stdin })) {
    const reply = answer(JSON.parse(line));
    if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
  }
}

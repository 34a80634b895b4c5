// The tools of the benchmark as an MCP server over standard input and output, for a program that runs on its own.
// node bare-tools.mjs <repository>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = process.argv[2] ?? "";
const inputSchema = { type: "object", properties: { path: { type: "string" } } };
const tools = ["readFile", "reportSummary"].map((name) => ({ name, description: name, inputSchema }));

function answer(method, params) {
  if (method === "initialize") {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "looplia", version: "1" } };
  }
  if (method === "tools/list") return { tools };
  if (method !== "tools/call") return {};
  const { path } = params.arguments;
  return { content: [{ type: "text", text: path ? readFileSync(join(root, path), "utf8") : "Noted." }] };
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const said = { jsonrpc: "2.0", id, result: answer(method, params) };
    if (id !== undefined) process.stdout.write(`${JSON.stringify(said)}\n`);
  })
  .on("close", () => process.exit(0));

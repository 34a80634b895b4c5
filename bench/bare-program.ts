// An agent program with the same tools and nothing around it: no loop, no stores, no isolation.
// node bare-program.js <program> <address of its model> <key> <bridge> <repository>
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Message, type ToolResultBlock, toolCallsOf } from "../src/core/events.ts";
import { serviceUpstream } from "../src/programs/gateway.ts";
import { createProgramModel } from "../src/programs/program.ts";

const [name, baseURL = "", key = "", bridge = "", root = ""] = process.argv.slice(2);
if (name !== "claude" && name !== "codex") throw new Error(`${name} is no agent program`);
const { PATH = "" } = process.env;
const access = { "x-api-key": key, authorization: `Bearer ${key}` };
const model = createProgramModel({
  ...{ name, root: join(root, "nothing"), sandbox: "off", environment: { PATH, HOME: root } },
  ...{ bridge, temporary: root, priceOf: () => null },
  upstream: serviceUpstream({ baseURL, paths: /./, key: access }),
  placeholder: { ANTHROPIC_API_KEY: "placeholder", OPENAI_API_KEY: "placeholder" },
});
const inputSchema = { type: "object", properties: { path: { type: "string" } } };
const tools = ["readFile", "reportSummary"].map((tool) => ({ name: tool, description: tool, inputSchema }));
const request = {
  conversationId: "bare",
  model: "some-model",
  prefix: { system: "You are an agent.", tools },
};
const messages: Message[] = [
  { role: "user", content: [{ type: "text", text: `Your task is T1 of ${root}.` }] },
];
const { signal } = new AbortController();

for (let isDone = false; !isDone; ) {
  const { message } = await model.respond({ ...request, messages }, { signal });
  const content: ToolResultBlock[] = [];
  for (const { id, name: tool, input } of toolCallsOf(message)) {
    isDone ||= tool === "reportSummary";
    const { path = "" } = input as { path?: string };
    const text = isDone ? "" : await readFile(join(root, path), "utf8");
    content.push({ type: "tool_result", tool_use_id: id, content: text });
  }
  messages.push(message, { role: "user", content });
}
await model.program?.release("bare");

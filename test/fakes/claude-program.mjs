#!/usr/bin/env node
// Behaves as Claude Code 2.1.330 was seen to behave with `-p` and stream-json both ways: one conversation, its tools and a hook
// before each call asked over its output, and a file from which another process resumes.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** Tests write a copy with another value. */
const TROUBLE = "";

const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];
if (args.includes("--version")) {
  console.log("2.1.330 (Claude Code)");
  process.exit(0);
}
for (const flag of ["--strict-mcp-config", "--disable-slash-commands", "-p"]) {
  if (!args.includes(flag)) throw new Error(`${flag} is missing`);
}
for (const format of ["--input-format", "--output-format"]) {
  if (option(format) !== "stream-json") throw new Error(`${format} is another one`);
}
if (option("--setting-sources") !== "" || option("--tools") !== "")
  throw new Error("it has tools or settings");

const id = args.includes("--resume") ? option("--resume") : option("--session-id");
const file = join(
  ...[process.env.CLAUDE_CONFIG_DIR, "projects", process.cwd().replace(/[^a-zA-Z0-9]/g, "-"), `${id}.jsonl`],
);
if (args.includes("--resume") && !existsSync(file))
  throw new Error(`No conversation found with session ID: ${id}`);
mkdirSync(dirname(file), { recursive: true });
const lines = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];
const messages = lines.flatMap(({ message }) => (message ? [message] : []));
const deferred = lines.at(-1)?.deferred;

const say = (line) => process.stdout.write(`${JSON.stringify({ ...line, session_id: id })}\n`);
const keep = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
const add = (role, content) => {
  const message = { role, content };
  messages.push(message);
  keep({ message });
};
const end = (result) => {
  say({ type: "result", subtype: "success", is_error: false, result: "", ...result });
  process.exit(result.is_error ? 1 : 0);
};
process.on("SIGTERM", () => process.exit(143));

/** What stands in its folder and above: whatever its flags say, so that a test sees what it could read. */
function memories(...names) {
  const found = [];
  for (let at = process.cwd(); ; at = dirname(at)) {
    for (const name of names)
      if (existsSync(join(at, name))) found.push(readFileSync(join(at, name), "utf8"));
    if (at === dirname(at)) return found;
  }
}

/** Answers to its questions, by id; lines of any other type wait to be taken. */
const answers = new Map();
const told = [];
let wake = () => {};
createInterface({ input: process.stdin })
  .on("line", (text) => {
    const line = JSON.parse(text);
    if (line.type === "control_response") answers.get(line.response.request_id)(line.response);
    else told.push(line);
    wake();
  })
  .on("close", () => wake());
/** The next line of this type; undefined after some time without one. */
async function hear(type, waitMs) {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const at = told.findIndex((line) => line.type === type);
    if (at >= 0) return told.splice(at, 1)[0];
    const left = deadline - performance.now();
    if (left <= 0) return undefined;
    await new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, Math.min(left, 1000));
    });
  }
}
let questions = 0;
/** Throws where it gets no answer. */
const put = async (request) => {
  questions += 1;
  const request_id = `q-${questions}`;
  say({ type: "control_request", request_id, request });
  const answer = await new Promise((resolve) => answers.set(request_id, resolve));
  if (answer.subtype !== "success") throw new Error(answer.error);
  return answer.response;
};

const { request: opening } = await hear("control_request", 60_000);
const { appendSystemPrompt: instructions, hooks, sdkMcpServers } = opening;
if (sdkMcpServers[0] !== "looplia") throw new Error("its server is not announced");
// A call that was deferred only runs if nothing is said.
const prompt = (await hear("user", deferred ? 100 : 60_000))?.message.content ?? "";

if (TROUBLE === "login") {
  end({ is_error: true, api_error_status: 401, result: "Invalid API key · Please run /login" });
}
// A child of its own, which must not outlive it.
if (["silent", "killed"].includes(TROUBLE)) spawn("sleep", ["987654"], { stdio: "ignore" });
if (TROUBLE === "silent") {
  // While it waits for its hook, it says so.
  await new Promise(() => setInterval(() => say({ type: "tool_progress", heartbeat: true }), 50));
}

/** The real one needs longer for its start than the bridge beside it. */
for (let isUp = false; !isUp; ) {
  const { hostname, port } = new URL(process.env.ANTHROPIC_BASE_URL);
  isUp = await new Promise((resolve) => {
    const tried = connect(Number(port), hostname, () => resolve(true)).on("error", () => resolve(false));
    tried.on("connect", () => tried.destroy());
  });
}

const { looplia } = JSON.parse(option("--mcp-config")).mcpServers;
if (looplia.type !== "sdk") throw new Error("its server is another one");
let requests = 0;
const rpc = async (method, params) => {
  requests += 1;
  const message = { jsonrpc: "2.0", id: requests, method, params };
  const { mcp_response } = await put({ subtype: "mcp_message", server_name: "looplia", message });
  if (mcp_response.id !== message.id) throw new Error("the answer is another one's");
  return mcp_response.result;
};
await rpc("initialize", { protocolVersion: "2025-11-25" });
const noted = { jsonrpc: "2.0", method: "notifications/initialized" };
await put({ subtype: "mcp_message", server_name: "looplia", message: noted });
const { tools } = await rpc("tools/list");

const [{ hookCallbackIds }] = hooks.PreToolUse;
/** A hook that fails decides nothing: then the permission mode refuses, as nothing is allowed beforehand. */
const askHook = async (call) => {
  const question = { hook_event_name: "PreToolUse", tool_name: call.name, tool_input: call.input };
  const input = { ...question, tool_use_id: call.id, session_id: id };
  const callback_id = hookCallbackIds[0];
  const answer = await put({ subtype: "hook_callback", callback_id, input, tool_use_id: call.id }).catch(
    () => undefined,
  );
  if (!answer) return { permissionDecision: "ask", permissionDecisionReason: "you haven't granted it yet" };
  return answer.hookSpecificOutput;
};

/** The result of a call; undefined where it is deferred. */
async function settle(call) {
  const refuse = (content) => ({ type: "tool_result", tool_use_id: call.id, content, is_error: true });
  const tool = tools.find(({ name }) => `mcp__looplia__${name}` === call.name);
  if (!tool) return refuse(`<tool_use_error>Error: No such tool available: ${call.name}</tool_use_error>`);
  const answer = await askHook(call);
  if (answer.permissionDecision === "defer") return undefined;
  if (answer.permissionDecision !== "allow") return refuse(answer.permissionDecisionReason ?? "denied");
  const params = { name: tool.name, arguments: call.input, _meta: { "claudecode/toolUseId": call.id } };
  const { content, isError } = await rpc("tools/call", params);
  return { type: "tool_result", tool_use_id: call.id, content, ...(isError ? { is_error: true } : {}) };
}

/** All that arrives before the connection ends or is lost. */
async function textOf(response) {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of response.body) text += decoder.decode(bytes, { stream: true });
  } catch {}
  return text;
}

/** The events of a stream, without a block that did not arrive whole; a failure is a document. */
function readMessage(text) {
  if (!text.startsWith("event:")) return JSON.parse(text);
  const message = { content: [] };
  let whole = 0;
  let json = "";
  for (const line of text.split("\n").filter((one) => one.startsWith("data:"))) {
    const { type, message: start, content_block: block, delta } = JSON.parse(line.slice(5));
    if (type === "message_start") Object.assign(message, start);
    if (type === "content_block_start") json = "";
    if (type === "content_block_start") message.content.push(block);
    if (delta?.partial_json) json += delta.partial_json;
    if (type === "content_block_stop" && json !== "") message.content.at(-1).input = JSON.parse(json);
    if (type === "content_block_stop") whole = message.content.length;
    if (delta?.text) message.content.at(-1).text += delta.text;
    if (type === "message_delta") message.stop_reason = delta.stop_reason;
  }
  message.content.length = whole;
  return message;
}

const callsOf = ({ content }) => content.filter(({ type }) => type === "tool_use");
const stopAt = (call) => {
  keep({ deferred: call.id });
  end({ stop_reason: "tool_deferred", deferred_tool_use: call });
};

const last = messages.at(-1);
const open = last?.role === "assistant" ? callsOf(last) : [];
if (deferred && prompt === "") {
  const result = await settle(open[0]);
  if (!result) stopAt(open[0]);
  add("user", [result, { type: "text", text: "Continue from where you left off." }]);
} else {
  if (open.length > 0) {
    const lost = "[Tool call interrupted: its outcome is unknown.]";
    const results = open.map(({ id: tool_use_id }) => ({
      type: "tool_result",
      tool_use_id,
      content: lost,
      is_error: true,
    }));
    add("user", results);
    add("assistant", [{ type: "text", text: "No response requested." }]);
  }
  add("user", [{ type: "text", text: prompt }]);
}

const names = tools.map(({ name }) => `mcp__looplia__${name}`);
const status = TROUBLE === "unconnected" ? "failed" : "connected";
const shown = TROUBLE === "other-tools" ? [...names, "Bash"] : TROUBLE === "unconnected" ? [] : names;
say({ type: "system", subtype: "init", tools: shown, mcp_servers: [{ name: "looplia", status }] });

for (;;) {
  const response = await fetch(`${process.env.ANTHROPIC_BASE_URL}/v1/messages?beta=true`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": process.env.ANTHROPIC_API_KEY ?? process.env.CLAUDE_CODE_OAUTH_TOKEN,
    },
    body: JSON.stringify({
      model: option("--model"),
      max_tokens: 1000,
      system: [
        { type: "text", text: instructions },
        ...memories("CLAUDE.md", "AGENTS.md", ".claude/settings.json", ".mcp.json").map((text) => ({
          type: "text",
          text,
        })),
      ],
      tools: tools.map(({ inputSchema, ...tool }, index) => ({
        ...tool,
        name: names[index],
        input_schema: inputSchema,
      })),
      messages,
      stream: true,
    }),
  });
  const message = readMessage(await textOf(response));
  if (!response.ok) {
    end({
      is_error: true,
      api_error_status: response.status,
      result: `API Error: ${JSON.stringify(message)}`,
    });
  }
  if (TROUBLE === "not-json") process.stdout.write("Segmentation fault\n");
  if (TROUBLE === "cut") process.exit(9);
  if (TROUBLE === "killed") process.kill(process.pid, "SIGKILL");
  for (const block of message.content) {
    say({ type: "assistant", parent_tool_use_id: null, message: { ...message, content: [block] } });
  }
  add("assistant", message.content);
  const calls = callsOf(message);
  if (message.stop_reason === null && calls.length === 0) {
    add("user", [{ type: "text", text: "Your response above was cut off mid-stream." }]);
    continue;
  }
  if (message.stop_reason === null) {
    const content = [{ type: "text", text: "API Error: Connection lost mid-response." }];
    say({ type: "assistant", message: { model: "<synthetic>", stop_reason: "tool_use", content } });
  }
  if (message.stop_reason === "refusal" && calls.length > 0) {
    const cancelled = calls.map(({ id: tool_use_id }) => ({
      type: "tool_result",
      tool_use_id,
      content: "Not run.",
    }));
    add("user", cancelled);
    continue;
  }
  if (calls.length === 0) end({ stop_reason: message.stop_reason });
  const results = [];
  for (const call of calls) {
    const result = await settle(call);
    // What came before it in the same message is lost, as with the real one.
    if (!result) stopAt(call);
    results.push(result);
  }
  add("user", results);
}

#!/usr/bin/env node
// Behaves as Codex 0.169.0 was seen to behave as an app server: a thread whose tools are the client's, calls that are
// requests to the client, and a rollout file from which another process resumes.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Tests write a copy with another value. */
const TROUBLE = "";

if (process.argv[2] === "--version") {
  console.log("codex-cli 0.169.0");
  process.exit(0);
}
if (process.argv[2] !== "app-server") throw new Error("only the app server is here");
const settings = process.argv.slice(3).join(" ");
for (const needed of ["features.shell_tool=false", 'web_search="disabled"', "project_doc_max_bytes=0"]) {
  if (!settings.includes(needed)) throw new Error(`${needed} is missing`);
}
const [, base] = /base_url="([^"]+)"/.exec(settings);

const CODE_MODE = /^gpt-(?:6|6\.1|5\.6)-/;
/** Bytes of a result that its model gets where no setting says otherwise. */
const MOST_BYTES =
  settings.includes("tool_output_token_limit=") && TROUBLE !== "cuts" ? Number.POSITIVE_INFINITY : 10_000;
const cut = (text) => (text.length > MOST_BYTES ? `${text.slice(0, MOST_BYTES)}…tokens truncated…` : text);

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const note = (method, params) => say({ method, params });
const pending = new Map();
let asked = 0;
let thread;
const items = [];
const keep = (type, payload) => appendFileSync(thread.file, `${JSON.stringify({ type, payload })}\n`);
const add = (item) => {
  items.push(item);
  keep("response_item", item);
};

/** What stands in its folder and above: whatever its flags say, so that a test sees what it could read. */
function memories(...names) {
  const found = [];
  for (let at = process.cwd(); ; at = dirname(at)) {
    for (const name of names)
      if (existsSync(join(at, name))) found.push(readFileSync(join(at, name), "utf8"));
    if (at === dirname(at)) return found;
  }
}

async function askModel(model) {
  const own = {
    type: "function",
    name: "request_user_input",
    description: "d",
    strict: false,
    parameters: { type: "object" },
  };
  const ours = thread.tools.map(({ inputSchema, ...tool }) => ({
    ...tool,
    strict: false,
    parameters: inputSchema,
  }));
  const bash = { ...own, name: "shell" };
  // What its own catalogue gives most models.
  const hasCatalogue = settings.includes("model_catalog_json=");
  const exec = { type: "custom", name: "exec", description: "Runs JavaScript." };
  const nested = { type: "namespace", name: "more", tools: [{ ...own, name: "sleep" }] };
  const inCodeMode = TROUBLE === "code-mode" || (!hasCatalogue && CODE_MODE.test(model));
  const further = [exec, own, nested, ...ours];
  const input = inCodeMode ? [{ type: "additional_tools", tools: further }, ...items] : items;
  if (!hasCatalogue && model === "gpt-5.5") own.name = "apply_patch";
  // The real one needs longer for its start than the bridge beside it.
  for (let isUp = false; !isUp; ) {
    isUp = await fetch(base.replace(/(:\d+).*/, "$1/looplia/mcp")).then(
      () => true,
      ({ cause }) => cause?.code !== "ECONNREFUSED",
    );
  }
  const response = await fetch(`${base}/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: JSON.stringify({
      model,
      stream: true,
      store: false,
      instructions: [thread.instructions, ...memories("AGENTS.md", ".codex/config.toml")].join("\n"),
      input,
      ...(inCodeMode ? {} : { tools: [own, ...ours, ...(TROUBLE === "other-tools" ? [bash] : [])] }),
      tool_choice: "auto",
      parallel_tool_calls: true,
      include: ["reasoning.encrypted_content"],
    }),
  });
  const text = await textOf(response);
  if (!response.ok) {
    const said = `unexpected status ${response.status} ${response.statusText}: ${text}, url: ${base}/responses`;
    throw Object.assign(new Error(said), { status: response.status });
  }
  const lines = text.split("\n").filter((line) => line.startsWith("data:"));
  const events = lines.map((line) => JSON.parse(line.slice(5)));
  return {
    output: events.flatMap(({ type, item }) => (type === "response.output_item.done" ? [item] : [])),
    isCut: events.at(-1)?.type !== "response.completed",
  };
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

async function runTurn(model) {
  const turn = { id: randomUUID(), status: "completed", error: null };
  try {
    for (;;) {
      if (TROUBLE === "refused") {
        const codexErrorInfo = { responseStreamDisconnected: { httpStatusCode: 429 } };
        const additionalDetails = "exceeded retry limit, last status: 429 Too Many Requests";
        const error = { message: "Reconnecting... 1/5", codexErrorInfo, additionalDetails };
        note("error", { error, willRetry: true, threadId: "t", turnId: "t" });
        return;
      }
      const { output, isCut } = await askModel(model);
      if (TROUBLE === "not-json") process.stdout.write("thread 'main' panicked\n");
      if (TROUBLE === "other-words") note("turn/completed", { turnId: "t" });
      if (TROUBLE === "cut") process.exit(9);
      if (TROUBLE === "killed") process.kill(process.pid, "SIGKILL");
      for (const item of output) add(item);
      const calls = output.filter(({ type }) => type === "function_call");
      for (const item of output) {
        const text = item.type === "message" ? item.content[0]?.text : undefined;
        if (text) note("item/agentMessage/delta", { delta: text });
      }
      // A tool of its own, which it answers itself.
      const own = output.filter(({ type }) => type === "custom_tool_call");
      for (const { call_id } of own) add({ type: "custom_tool_call_output", call_id, output: "ok" });
      if (calls.length === 0 && own.length === 0 && !isCut) break;
      const results = await Promise.all(
        calls.map((call) => {
          if (!thread.tools.some(({ name }) => name === call.name)) return `unsupported call: ${call.name}`;
          asked += 1;
          const id = asked;
          const params = { callId: call.call_id, tool: call.name, arguments: JSON.parse(call.arguments) };
          say({ id, method: "item/tool/call", params });
          return new Promise((resolve) =>
            pending.set(id, ({ contentItems }) => resolve(cut(contentItems[0].text))),
          );
        }),
      );
      for (const [index, call] of calls.entries()) {
        add({ type: "function_call_output", call_id: call.call_id, output: results[index] });
      }
    }
  } catch (error) {
    Object.assign(turn, {
      status: "failed",
      error: {
        message: String(error.message),
        codexErrorInfo: error.status ? { httpConnectionFailed: { httpStatusCode: error.status } } : "other",
      },
    });
  }
  note("turn/completed", { turn });
}

const METHODS = {
  initialize: () => ({}),
  "thread/start": ({ model, dynamicTools, developerInstructions, environments }) => {
    for (const { name } of dynamicTools)
      if (name.startsWith("mcp__")) throw new Error(`dynamic tool name is reserved: ${name}`);
    if (environments.length > 0) throw new Error("it has an environment");
    const id = randomUUID();
    const file = join(process.env.CODEX_HOME, `sessions/2026/11/22/rollout-2026-11-22T08-00-00-${id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    thread = { id, file, model, tools: dynamicTools, instructions: developerInstructions };
    keep("session_meta", { tools: dynamicTools });
    return { thread: { id } };
  },
  "thread/resume": ({ model, threadId, path, developerInstructions }) => {
    const lines = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { tools } = lines[0].payload;
    thread = { id: threadId, file: path, model, tools, instructions: developerInstructions };
    items.push(...lines.flatMap(({ type, payload }) => (type === "response_item" ? [payload] : [])));
    return { thread: { id: threadId } };
  },
  "thread/inject_items": ({ items: more }) => {
    more.forEach(add);
    return {};
  },
  "turn/start": ({ input, environments, model = thread.model }) => {
    thread.model = model;
    if (environments.length > 0) throw new Error("it has an environment");
    for (const { text } of input)
      add({ type: "message", role: "user", content: [{ type: "input_text", text }] });
    const last = items.at(-1);
    if (last === undefined) throw new Error("nothing to say");
    setTimeout(() => runTurn(model), 0);
    return { turn: { id: "t" } };
  },
};

// A child of its own, which must not outlive it.
if (["silent", "killed"].includes(TROUBLE)) spawn("sleep", ["987654"], { stdio: "ignore" });
if (TROUBLE !== "silent") {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.forEach(hear);
  });
}
function hear(line) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return pending.get(id)?.(result);
  if (id === undefined) return;
  try {
    say({ id, result: METHODS[method](params) });
  } catch (error) {
    say({ id, error: { code: -32000, message: error.message } });
  }
}
setInterval(() => {}, 1000);

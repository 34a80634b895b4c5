// An untested version of a program must prove that it can wait: a call stops it, its process ends, another
// process gets the result, and it has no tool but ours. This file plays its model.
import { randomBytes } from "node:crypto";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { LoopliaError, messageOf } from "../core/errors.ts";
import type { Message } from "../core/events.ts";
import { redactNothing } from "../core/redaction.ts";
import { TOOL_PREFIX } from "./claude-stream.ts";
import { type Installed, PACKAGES, type ProgramName } from "./process.ts";
import { createProgramModel, type ProgramOptions } from "./program.ts";

/** Fully tested versions (`npm run test:programs`). */
const TRIED: Readonly<Record<ProgramName, RegExp>> = {
  claude: /^2\.1\.330$/,
  codex: /^0\.169\.\d+$/,
};

/** The packages to install, each at a fully tested version. */
export const TRIED_PACKAGES: Readonly<Record<ProgramName, string>> = {
  claude: `${PACKAGES.claude}@2.1.330`,
  codex: `${PACKAGES.codex}@0.169.0`,
};

type Kept = Omit<ProgramOptions, "upstream" | "approve">;

/**
 * Throws `config-invalid` if the version fails with this model. Keeps the result in `folder`, so that each version is
 * tested once with each model.
 */
export async function requireTried(
  options: Kept,
  installed: Installed,
  { folder, model }: { folder: string; model: string },
): Promise<void> {
  const { name } = options;
  const { version, path } = installed;
  if (version !== undefined && TRIED[name].test(version)) return;
  const { size, mtimeMs } = await stat(path);
  const called = `${name}-${version ?? `${size}-${Math.round(mtimeMs)}`}-${model.replace(/[^\w.-]/g, "_")}`;
  const known = join(folder, called);
  if ((await readFile(known, "utf8").catch(() => "")) === PASSED) return;
  try {
    await tryOut(options, model);
  } catch (error) {
    const program = version === undefined ? name : `${name} ${version}`;
    const problem = `${program} failed its self-test with the model ${model}: ${messageOf(error)}`;
    throw new LoopliaError("config-invalid", problem, {
      hint: `Install a tested version: \`npm install --global ${TRIED_PACKAGES[name]}\`.`,
    });
  }
  await mkdir(dirname(known), { recursive: true });
  await writeFile(known, PASSED);
}

const PASSED = "passed\n";
const CALL = { id: "call_selftest", input: { text: "hello" } };
/** As long as a result can be: it must arrive whole. */
const RESULT = `${"a line of the self-test\n".repeat(1_249)}its end`;

async function tryOut(options: Kept, name: string): Promise<void> {
  const asked: string[] = [];
  const model = createProgramModel({
    ...options,
    silenceMs: 60_000,
    upstream: async ({ path, body }) => {
      if (!/\/(?:messages|responses)\b/.test(path))
        return { status: 404, headers: {}, body: Readable.from(["{}"]) };
      asked.push(body.toString("utf8"));
      const events = options.name === "claude" ? claudeEvents(asked.length) : codexEvents(asked.length);
      const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      return {
        ...{ status: 200, headers: { "content-type": "text/event-stream" } },
        body: Readable.from([Buffer.from(text.join(""))]),
      };
    },
  });
  // The folder of a conversation is named after it, and several runs may test the same version at once.
  const conversationId = `self-test-${randomBytes(6).toString("hex")}`;
  const inputSchema = { type: "object", properties: { text: { type: "string" } } };
  const prefix = {
    system: "This is a self-test.",
    tools: [{ name: "echo", description: "Echoes.", inputSchema }],
  };
  const request = { conversationId, model: name, prefix };
  const { signal } = new AbortController();
  const opening: Message = { role: "user", content: [{ type: "text", text: "Call echo." }] };
  try {
    const first = await model.respond({ ...request, messages: [opening] }, { signal });
    const call = first.message.content.find(({ type }) => type === "tool_use");
    if (!call) throw new Error("its call did not arrive");
    const memory = await model.program?.release(conversationId, redactNothing);
    if (memory === undefined || !memory.includes(CALL.id)) throw new Error("its call did not wait");
    const result: Message = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: CALL.id, content: RESULT }],
    };
    await model.respond({ ...request, memory, messages: [opening, first.message, result] }, { signal });
    if (asked.length !== 2) throw new Error(`it asked its model ${asked.length} times, not twice`);
    if (!asked[1]?.includes(JSON.stringify(RESULT).slice(1, -1)))
      throw new Error("the result did not reach its model");
  } finally {
    await model.program?.release(conversationId);
  }
}

type Event = { type: string } & Record<string, unknown>;

/** First a call, then a text. */
function claudeEvents(turn: number): Event[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const start = {
    id: `msg_${turn}`,
    type: "message",
    role: "assistant",
    model: "self-test",
    content: [],
    usage,
  };
  const name = `${TOOL_PREFIX}echo`;
  const [block, delta] =
    turn === 1
      ? [
          { type: "tool_use", id: CALL.id, name, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(CALL.input) },
        ]
      : [
          { type: "text", text: "" },
          { type: "text_delta", text: "Done." },
        ];
  const stop_reason = turn === 1 ? "tool_use" : "end_turn";
  return [
    { type: "message_start", message: { ...start, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

function codexEvents(turn: number): Event[] {
  const id = `resp_${turn}`;
  const content = [{ type: "output_text", text: "Done.", annotations: [] }];
  const call = { type: "function_call", id: "fc_1", call_id: CALL.id, name: "echo", status: "completed" };
  const item =
    turn === 1
      ? { ...call, arguments: JSON.stringify(CALL.input) }
      : { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details };
  return [
    { type: "response.created", response: { id, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    {
      type: "response.completed",
      response: { id, model: "self-test", status: "completed", output: [item], usage },
    },
  ];
}

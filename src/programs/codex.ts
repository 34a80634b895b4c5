// Codex as a source of turns, over its app server. It only has our tools and gets a call's answer once the
// result exists. While a call waits the process is killed, and a later one gets the result in its history.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { LoopliaError, type ModelFailure, messageOf } from "../core/errors.ts";
import type { Message, ToolResultBlock } from "../core/events.ts";
import { isObject } from "../core/json.ts";
import type { ModelReply, ModelRequest, RespondOptions } from "../core/ports.ts";
import { nameForCodex, ResponseReader } from "./codex-stream.ts";
import type { ProgramConversation, Room } from "./conversation.ts";
import { type Door, readEvents } from "./gateway.ts";
import { CODEX_HELLO, codexCommand, codexHome } from "./launch.ts";
import { type Memory, tellAll, tellRest } from "./memory.ts";
import type { ProgramProcess } from "./process.ts";
import { OTHER_VERSION, RUN_AGAIN, Turns } from "./turns.ts";

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
const toolCall = z.looseObject({ callId: z.string() });
const started = z.looseObject({ thread: z.looseObject({ id: z.string() }) });
const fault = z.looseObject({
  message: z.string(),
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: z.string().nullish(),
});
const refused = z.looseObject({ error: fault });
const ended = z.looseObject({ turn: z.looseObject({ status: z.string(), error: fault.nullish() }) });
const delta = z.looseObject({ delta: z.string() });

/** Codex has this tool regardless of its settings and answers it by itself. */
const ITS_OWN = "request_user_input";
const ROLLOUT_MS = 3_000;
const STEP_MS = 50;

type Answer = { result?: unknown; error?: { message: string } | undefined };

/** One conversation with Codex, over all its processes. */
export class CodexConversation implements ProgramConversation {
  readonly #room: Room;
  readonly #turns: Turns;
  readonly #results = new Map<string, ToolResultBlock>();
  /** The calls whose results its model gets next. */
  #latest: ReadonlySet<string> = new Set();
  /** Request ids of the calls that the process waits for, by call id. */
  readonly #asked = new Map<string, string | number>();
  readonly #answers = new Map<number, (answer: Answer) => void>();
  readonly #reader = new ResponseReader();
  #process: ProgramProcess | undefined;
  #thread: string | undefined;
  /** The number of messages that the program was given, and of those that its model was asked with. */
  #given = 0;
  #known = 0;
  #requests = 0;
  #tools: ModelRequest["prefix"]["tools"] = [];
  #onText: ((delta: string) => void) | undefined;

  constructor(room: Room) {
    this.#room = room;
    this.#turns = new Turns("Codex", room.silenceMs);
  }

  async respond(asked: ModelRequest, { signal, onText }: RespondOptions): Promise<ModelReply> {
    this.#onText = onText;
    this.#tools = asked.prefix.tools;
    const rest = asked.messages.slice(this.#given);
    for (const block of asked.messages.flatMap(({ content }) => content)) {
      if (block.type === "tool_result") this.#results.set(block.tool_use_id, block);
    }
    this.#latest = new Set(
      rest.flatMap(({ content }) =>
        content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])),
      ),
    );
    this.#given = asked.messages.length;
    const isAnswer = rest.some(({ content }) => content.some(({ type }) => type === "tool_result"));
    if (this.#process?.isAlive && isAnswer) this.#answerCalls();
    else this.#goOn(asked).catch((error: unknown) => this.#turns.fail(asFailure(error)));
    const reply = await this.#turns.next(signal);
    this.#given = asked.messages.length + 1;
    this.#known = this.#given;
    return reply;
  }

  async recall(memory: Memory, _messages: readonly Message[]): Promise<void> {
    this.#thread = threadOf(memory.id);
    this.#given = memory.known;
    this.#known = memory.known;
    const path = join(this.#sessions(), memory.id);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, memory.file);
  }

  /**
   * A graceful end would record the calls as aborted, so the process is killed once its file has all of them.
   */
  async leave(isKept: boolean): Promise<Omit<Memory, "program" | "version"> | undefined> {
    const process = this.#process;
    if (isKept && process?.isAlive) await this.#untilWritten();
    if (isKept) process?.kill();
    else process?.abandon();
    await process?.end();
    const id = isKept ? await this.#findFile() : undefined;
    if (id === undefined) return undefined;
    const file = await readFile(join(this.#sessions(), id), "utf8");
    return { id, known: this.#known, waits: openCalls(file), file };
  }

  stop(why: LoopliaError): void {
    this.#turns.fail(why);
    this.#room.loosen();
  }

  readonly door: Door = {
    /** Checks the tools in each request, because nothing else shows what the model gets. */
    ready: async (body) => {
      const problem = this.#problemOf(JSON.parse(body.toString("utf8")));
      if (problem === undefined) this.#known = this.#given;
      else this.stop(failed(`was stopped: ${problem}`, "unavailable", OTHER_VERSION));
      return problem === undefined;
    },
    listen: (status) => {
      const heard = () => this.#turns.heard();
      if (status !== 200) return heard;
      this.#turns.trouble = undefined;
      const take = this.#reader.begin((reply) => this.#turns.push(reply));
      return readEvents(heard, (data) => {
        take(data);
        if (data === undefined) this.#takeCut();
      });
    },
  };

  /** Why a request may not be sent: it has other tools than ours, or not the whole of a result. */
  #problemOf(asked: unknown): string | undefined {
    const ours = new Set([...this.#tools.map(({ name }) => nameForCodex(name)), ITS_OWN]);
    const others = toolsIn(asked).filter((name) => !ours.has(name));
    if (others.length > 0)
      return `it may only have looplia's tools, and it has others (${others.join(", ")})`;
    for (const { id, text } of outputsIn(asked)) {
      const whole = this.#results.get(id)?.content.toWellFormed();
      if (whole === undefined || text === whole || !this.#latest.has(id)) continue;
      return `of a result with ${whole.length} characters its model would get ${text.length}`;
    }
    return undefined;
  }

  /** Begins a turn in the present process or in a new one. */
  async #goOn(asked: ModelRequest): Promise<void> {
    const { messages } = asked;
    this.#turns.begin();
    const text = this.#thread === undefined ? tellAll(messages) : tellRest(messages.slice(this.#known));
    let isInjected = false;
    if (!this.#process?.isAlive) isInjected = await this.#start(asked);
    const input = isInjected ? [] : [{ type: "text", text, text_elements: [] }];
    // Without environments it has no shell and reads no instructions from a folder.
    // The model, because a process that is there began with the one before a switch.
    const { model } = asked;
    await this.#call("turn/start", { threadId: this.#thread, model, input, environments: [] });
  }

  /** True if the calls at which it stopped got their results. */
  async #start({ model, prefix }: ModelRequest): Promise<boolean> {
    this.#asked.clear();
    this.#process = undefined;
    const hello = this.#answerTo(CODEX_HELLO);
    const { folder } = this.#room;
    this.#process = await this.#room.start(() => codexCommand(folder), {
      line: (text) => this.#hear(text),
      ended: (gone, how, complaint) => {
        if (this.#process && gone !== this.#process) return;
        this.#turns.failEnded(how, complaint);
        for (const answer of this.#answers.values()) answer({ error: { message: how } });
      },
    });
    this.#resultOf("initialize", await hello);
    this.#say({ method: "initialized" });
    const common = {
      ...{ model, cwd: join(this.#room.folder, "work"), approvalPolicy: "never", sandbox: "read-only" },
      developerInstructions: prefix.system,
    };
    if (this.#thread !== undefined) return this.#resume(common);
    const dynamicTools = prefix.tools.map((tool) => ({
      ...{ type: "function", ...tool },
      name: nameForCodex(tool.name),
    }));
    const result = await this.#call("thread/start", { ...common, environments: [], dynamicTools });
    this.#thread = started.parse(result).thread.id;
    return false;
  }

  async #resume(common: Record<string, unknown>): Promise<boolean> {
    const threadId = this.#thread;
    const id = await this.#findFile();
    const path = join(this.#sessions(), id ?? "");
    const waits = openCalls(await readFile(path, "utf8"));
    await this.#call("thread/resume", { threadId, path, excludeTurns: true, ...common });
    if (waits.length === 0) return false;
    const items = waits.map((call_id) => {
      const output = this.#results.get(call_id)?.content ?? "Its outcome is unknown. It was not run again.";
      return { type: "function_call_output", call_id, output };
    });
    await this.#call("thread/inject_items", { threadId, items });
    return true;
  }

  #say(said: Record<string, unknown>): void {
    this.#process?.write(`${JSON.stringify({ jsonrpc: "2.0", ...said })}\n`);
  }

  async #call(method: string, params: Record<string, unknown>): Promise<unknown> {
    this.#requests += 1;
    const id = this.#requests;
    const answer = this.#answerTo(id);
    this.#say({ id, method, params });
    if (!this.#process?.isAlive) this.#answers.get(id)?.({ error: { message: "it ended" } });
    return this.#resultOf(method, await answer);
  }

  #answerTo(id: number): Promise<Answer> {
    return new Promise((resolve) => {
      this.#answers.set(id, (answer) => {
        this.#answers.delete(id);
        resolve(answer);
      });
    });
  }

  #resultOf(method: string, { result, error }: Answer): unknown {
    if (this.#turns.fault) throw this.#turns.fault;
    if (error) throw failed(`refused ${method}: ${error.message}`, "unavailable", OTHER_VERSION);
    return result;
  }

  #hear(text: string): void {
    this.#turns.heard();
    const said = parse(text);
    try {
      this.#take(message.parse(said));
    } catch {
      const what = said === undefined ? "something other than JSON" : "what can't be read";
      const shown = JSON.stringify(text.slice(0, 200));
      this.#turns.fail(failed(`printed ${what}: ${shown}`, "unavailable"));
      this.#room.loosen();
    }
  }

  #take({ id, method, params, result, error }: z.infer<typeof message>): void {
    if (method === undefined) this.#answers.get(Number(id))?.({ result, error });
    else if (id !== undefined) this.#takeRequest(id, method, params);
    else if (method === "item/agentMessage/delta") this.#onText?.(delta.parse(params).delta);
    else if (method === "error") this.#turns.trouble = troubleOf(params);
    else if (method === "turn/completed") this.#endTurn(ended.parse(params).turn);
  }

  /** Answers only calls of our tools; the program may do nothing else. */
  #takeRequest(id: string | number, method: string, params: unknown): void {
    if (method !== "item/tool/call") {
      this.#say({ id, error: { code: -32601, message: "There is nobody to ask here." } });
      return;
    }
    this.#asked.set(toolCall.parse(params).callId, id);
    this.#takeCut();
    this.#answerCalls();
  }

  #takeCut(): void {
    const reply = this.#reader.takeCut(this.#asked);
    if (reply) this.#turns.push(reply);
  }

  #answerCalls(): void {
    for (const [callId, id] of this.#asked) {
      const found = this.#results.get(callId);
      if (!found) continue;
      this.#asked.delete(callId);
      const contentItems = [{ type: "inputText", text: found.content }];
      this.#say({ id, result: { contentItems, success: found.is_error !== true } });
    }
  }

  #endTurn({ status, error }: z.infer<typeof ended>["turn"]): void {
    if (status === "completed") {
      this.#turns.push(this.#reader.take());
      return;
    }
    this.#turns.fail(failureOf("failed", error?.message ?? status, error?.codexErrorInfo));
  }

  /** Waits until its file has every open call. */
  async #untilWritten(): Promise<void> {
    const open = [...this.#reader.calls].filter((id) => !this.#results.has(id));
    for (let waited = 0; waited < ROLLOUT_MS; waited += STEP_MS) {
      const id = await this.#findFile();
      const file = id === undefined ? "" : await readFile(join(this.#sessions(), id), "utf8");
      const written = new Set(openCalls(file));
      if (open.every((call) => written.has(call))) return;
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  #sessions(): string {
    return join(codexHome(this.#room.folder), "sessions");
  }

  async #findFile(): Promise<string | undefined> {
    const all = await readdir(this.#sessions(), { recursive: true }).catch(() => []);
    return all.find((name) => this.#thread !== undefined && name.endsWith(`${this.#thread}.jsonl`));
  }
}

/** The thread id in a file name: `…/rollout-<time>-<thread>.jsonl`. */
function threadOf(file: string): string {
  return /([0-9a-f-]{36})\.jsonl$/.exec(file)?.[1] ?? file;
}

/** The names of all tools in a request, wherever it has some: beside its input, in it, and in groups. */
function toolsIn(asked: unknown): string[] {
  if (!isObject(asked)) return ["an unreadable request"];
  const { input, tools } = asked;
  const items: unknown[] = Array.isArray(input) ? input : [];
  const groups = [tools, ...items.map((item) => (isObject(item) ? item.tools : undefined))];
  return groups.flatMap((group) => (group === undefined ? [] : namesIn(group)));
}

/** A group has tools of its own; a tool without a name is one of the service. */
function namesIn(group: unknown): string[] {
  if (!Array.isArray(group)) return ["an unreadable list"];
  return group.flatMap((tool: unknown) => {
    const { name, type, tools } = isObject(tool) ? tool : {};
    if (tools !== undefined) return namesIn(tools);
    return [String(name ?? type)];
  });
}

/** The results of calls as the model gets them: text, or its parts. */
function outputsIn(asked: unknown): { id: string; text: string }[] {
  const input: unknown[] = isObject(asked) && Array.isArray(asked.input) ? asked.input : [];
  return input.flatMap((item) => {
    if (!isObject(item) || item.type !== "function_call_output") return [];
    const parts: unknown[] = Array.isArray(item.output) ? item.output : [{ text: item.output }];
    const text = parts.map((part) => String(isObject(part) ? (part.text ?? "") : "")).join("");
    return [{ id: String(item.call_id), text }];
  });
}

/** Calls in the file without an output. */
function openCalls(file: string): string[] {
  const open = new Set<string>();
  for (const text of file.split("\n")) {
    const found = line.safeParse(parse(text));
    if (!found.success) continue;
    const { type, call_id } = found.data.payload;
    if (type === "function_call") open.add(call_id);
    if (type === "function_call_output") open.delete(call_id);
  }
  return [...open];
}

const line = z.looseObject({
  type: z.literal("response_item"),
  payload: z.looseObject({ type: z.string(), call_id: z.string() }),
});

/** Undefined for a line that a killed process left unfinished. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(what: string, modelFailure: ModelFailure, hint = RUN_AGAIN): LoopliaError {
  return new LoopliaError("model-failed", `Codex ${what}.`, { modelFailure, hint });
}

/** `info`: what Codex knows of the cause. */
function failureOf(what: string, text: string, info: unknown): LoopliaError {
  const kind = kindOf(info, text);
  const hint = kind === "bad-key" ? "Check OPENAI_API_KEY." : undefined;
  return failed(`${what}: ${wordsOf(text).replace(/\.+$/, "").slice(0, 500)}`, kind, hint);
}

/** The service refused a request, and Codex will make it again. */
function troubleOf(params: unknown): LoopliaError | undefined {
  const { data } = refused.safeParse(params);
  if (!data) return undefined;
  const { message, codexErrorInfo, additionalDetails } = data.error;
  return failureOf("still waits for its model", additionalDetails ?? message, codexErrorInfo);
}

function asFailure(error: unknown): LoopliaError {
  return error instanceof LoopliaError ? error : failed(`can't be used: ${messageOf(error)}`, "unavailable");
}

const KINDS: ReadonlyMap<unknown, ModelFailure> = new Map([
  ["unauthorized", "bad-key"],
  ["usageLimitExceeded", "no-credit"],
  ["rateLimitExceeded", "rate-limit"],
  ["serverOverloaded", "overloaded"],
  ["contextWindowExceeded", "context-too-long"],
  ["badRequest", "bad-request"],
]);

const STATUS_KINDS: ReadonlyMap<number, ModelFailure> = new Map([
  [400, "bad-request"],
  [401, "bad-key"],
  [402, "no-credit"],
  [429, "rate-limit"],
  [500, "server-error"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

/** `info` is a word, or an object that says which connection failed and the HTTP status. */
function kindOf(info: unknown, text: string): ModelFailure {
  const [detail] = isObject(info) ? Object.values(info) : [];
  const told = isObject(detail) ? detail.httpStatusCode : /\bstatus (\d{3})\b/.exec(text)?.[1];
  return KINDS.get(info) ?? STATUS_KINDS.get(Number(told)) ?? "unavailable";
}

/** The words of the service, which Codex shows as JSON. */
function wordsOf(text: string): string {
  const [, quoted] = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  const words = quoted === undefined ? undefined : parse(quoted);
  return typeof words === "string" && words !== "" ? words : text;
}

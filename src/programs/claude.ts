// Claude Code as a source of turns. It only has our tools, behind a hook that allows a call once its result
// exists and defers a call that must wait: then the process ends, and a later one resumes at exactly this
// call.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { LoopliaError } from "../core/errors.ts";
import type { Message, ToolResultBlock } from "../core/events.ts";
import type { ModelReply, ModelRequest, RespondOptions } from "../core/ports.ts";
import { TOOL_PREFIX, TurnReader } from "./claude-stream.ts";
import type { ProgramConversation, Room } from "./conversation.ts";
import { type Door, readEvents } from "./gateway.ts";
import { claudeCommand, claudeHome } from "./launch.ts";
import { type Memory, tellAll, tellRest } from "./memory.ts";
import type { ProgramProcess } from "./process.ts";
import { OTHER_VERSION, Turns } from "./turns.ts";

/** The time between a call in the output and the question of its hook. */
const RACE_MS = 2_000;
const DEFER_MS = 5_000;

const hookQuestion = z.looseObject({
  tool_name: z.string(),
  tool_input: z.unknown().optional(),
  tool_use_id: z.string(),
  agent_id: z.string().nullish(),
});
const mcpMessage = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      arguments: z.unknown().optional(),
      protocolVersion: z.string().optional(),
      _meta: z.looseObject({ "claudecode/toolUseId": z.string().optional() }).optional(),
    })
    .optional(),
});

const asked = z.discriminatedUnion("subtype", [
  z.looseObject({ subtype: z.literal("hook_callback"), input: hookQuestion }),
  z.looseObject({ subtype: z.literal("mcp_message"), message: mcpMessage }),
]);

/** One conversation with Claude Code, over all its processes. */
export class ClaudeConversation implements ProgramConversation {
  readonly #room: Room;
  readonly #turns: Turns;
  readonly #results = new Map<string, ToolResultBlock>();
  /** Calls that run and wait for nobody: their hook allows them before the result exists. */
  readonly #expected = new Set<string>();
  #reader = new TurnReader();
  #id: string;
  /** The number of messages that the program was given, and of those that its model was asked with. */
  #given = 0;
  #known = 0;
  #process: ProgramProcess | undefined;
  /** Whether it has only our tools: until then it may not call its model. */
  #isChecked = false;
  #isDeferring = false;
  #wasDeferred = false;
  #waits: string[] = [];
  #tools: ModelRequest["prefix"]["tools"] = [];
  #onText: ((delta: string) => void) | undefined;

  constructor(room: Room) {
    this.#room = room;
    this.#id = room.id;
    this.#turns = new Turns("Claude Code", room.silenceMs);
  }

  async respond(request: ModelRequest, { signal, onText }: RespondOptions): Promise<ModelReply> {
    this.#onText = onText;
    this.#tools = request.prefix.tools;
    const results = resultsIn(request.messages.slice(this.#given));
    for (const result of resultsIn(request.messages.slice(this.#known))) {
      this.#results.set(result.tool_use_id, result);
    }
    this.#given = request.messages.length;
    if (this.#process?.isAlive && results.length > 0) this.#turns.changed();
    else await this.#start(request);
    const reply = await this.#turns.next(signal);
    this.#given = request.messages.length + 1;
    this.#known = this.#given;
    return reply;
  }

  expect(toolCallIds: readonly string[]): void {
    for (const id of toolCallIds) this.#expected.add(id);
    this.#turns.changed();
  }

  async recall(memory: Memory, messages: readonly Message[]): Promise<void> {
    this.#id = memory.id;
    this.#given = memory.known;
    this.#known = memory.known;
    this.#waits = memory.waits;
    for (const block of messages.flatMap(({ content }) => content)) {
      if (block.type !== "tool_use" || !memory.waits.includes(block.id)) continue;
      this.#reader.calls.set(block.id, { name: TOOL_PREFIX + block.name, input: block.input });
    }
    const folder = join(
      claudeHome(this.#room.folder),
      "projects",
      join(this.#room.folder, "work").replace(/[^a-zA-Z0-9]/g, "-"),
    );
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${this.#id}.jsonl`), memory.file);
  }

  /**
   * Defers a single waiting call; any other activity is cut off, and the program's file shows how far it
   * came.
   */
  async leave(isKept: boolean): Promise<Omit<Memory, "program" | "version"> | undefined> {
    const process = this.#process;
    if (!isKept) {
      process?.abandon();
      await process?.end();
      return undefined;
    }
    const open = [...this.#reader.calls].filter(([id]) => !this.#results.has(id));
    const [only, ...others] = open;
    // The program itself answers a call of a tool that is not ours.
    const isOurs = this.#tools.some(({ name }) => only?.[1].name === TOOL_PREFIX + name);
    const canWait = isOurs && others.length === 0 && !this.#expected.has(only?.[0] ?? "");
    if (process?.isAlive && only && canWait && this.#turns.isEmpty) {
      this.#isDeferring = true;
      this.#turns.changed();
      await this.#turns.until(() => (process.isAlive ? undefined : true), { timeoutMs: DEFER_MS });
      if (this.#wasDeferred) this.#waits = [only[0]];
    }
    const isWritten = () => open.every(([id]) => this.#reader.printed.has(id)) || !process?.isAlive;
    await this.#turns.until(() => isWritten() || undefined, { timeoutMs: RACE_MS });
    // The bridge may not be there yet to tell it.
    if (!this.#isChecked) process?.kill();
    await this.#room.stop(process);
    const path = await this.#findFile();
    if (path === undefined) return undefined;
    return { id: this.#id, known: this.#known, waits: this.#waits, file: await readFile(path, "utf8") };
  }

  stop(why: LoopliaError): void {
    this.#turns.fail(why);
    this.#room.loosen();
  }

  readonly door: Door = {
    ready: async () => {
      await this.#turns.until(() => (this.#isChecked || this.#turns.fault ? true : undefined));
      const isOpen = this.#isChecked && !this.#turns.fault;
      if (isOpen) this.#known = this.#given;
      return isOpen;
    },
    listen: (status) => {
      const heard = () => this.#turns.heard();
      if (status !== 200) return heard;
      const take = this.#reader.begin({
        text: (delta) => this.#onText?.(delta),
        turn: (reply) => this.#turns.push(reply),
      });
      return readEvents(heard, take);
    },
  };

  async #start({ messages, model, prefix }: ModelRequest): Promise<void> {
    await this.#room.stop(this.#process);
    this.#process = undefined;
    const path = await this.#findFile();
    const hasFile = path !== undefined;
    const file = hasFile && this.#waits.length > 0 ? await readFile(path, "utf8") : "";
    // A process that ended soon after may have got the result already.
    const isOpen = (id: string) => this.#results.has(id) && !file.includes(`"tool_use_id":"${id}"`);
    const resumes = this.#waits.length > 0 && this.#waits.every(isOpen);
    const asked = hasFile ? tellRest(messages.slice(this.#known)) : tellAll(messages);
    if (!resumes) this.#waits = [];
    this.#turns.begin();
    this.#isChecked = false;
    this.#isDeferring = false;
    this.#wasDeferred = false;
    if (!resumes) this.#reader = new TurnReader();
    const { folder } = this.#room;
    const session = ["--model", model, hasFile ? "--resume" : "--session-id", this.#id];
    this.#process = await this.#room.start(() => claudeCommand(folder, session), {
      line: (text) => this.#hear(text),
      ended: (process, how, complaint) => this.#hearEnd(process, how, complaint),
    });
    this.#say({ type: "control_request", request_id: "1", request: introduction(prefix.system) });
    // A call that was deferred only runs if nothing is said.
    if (resumes) return;
    const message = { role: "user", content: asked };
    this.#say({ type: "user", message, parent_tool_use_id: null, session_id: "" });
  }

  #say(line: Record<string, unknown>): void {
    this.#process?.write(`${JSON.stringify(line)}\n`);
  }

  #hear(text: string): void {
    try {
      const heard = this.#reader.read(text);
      if (heard?.kind !== "waiting") this.#turns.heard();
      if (heard?.kind === "turn") this.#turns.push(heard.reply);
      if (heard?.kind === "deferred") this.#wasDeferred = true;
      if (heard?.kind === "failed") this.#turns.fail(heard.error);
      if (heard?.kind === "asked") this.#answer(heard.id, heard.request);
      if (heard?.isOver) this.#process?.endInput();
      if (heard?.kind === "started") {
        const problem = this.#checkStart(heard);
        if (problem) this.#turns.fail(problem);
        this.#isChecked = true;
      }
    } catch (error) {
      if (!(error instanceof LoopliaError)) throw error;
      this.#turns.fail(error);
    }
    if (this.#turns.fault) this.#room.loosen();
    this.#turns.changed();
  }

  /** The program may not continue without our tools or with other ones. */
  #checkStart({ tools, isConnected }: { tools: string[]; isConnected: boolean }): LoopliaError | undefined {
    const ours = new Set(this.#tools.map(({ name }) => TOOL_PREFIX + name));
    const isSame = tools.length === ours.size && tools.every((name) => ours.has(name));
    if (isSame && (isConnected || ours.size === 0)) return undefined;
    const what =
      isConnected || ours.size === 0 ? `it has other tools (${tools.join(", ")})` : "those are not connected";
    return new LoopliaError(
      "model-failed",
      `Claude Code was stopped: it may only have looplia's tools, and ${what}.`,
      {
        modelFailure: "unavailable",
        hint: OTHER_VERSION,
      },
    );
  }

  #hearEnd(process: ProgramProcess, how: string, complaint: string): void {
    if (this.#process && process !== this.#process) return;
    this.#turns.failEnded(how, complaint);
  }

  /** A hook that fails allows nothing, because no tool is allowed beforehand. */
  #answer(request_id: string, request: unknown): void {
    const answer = (response: Record<string, unknown>) =>
      this.#say({ type: "control_response", response: { request_id, ...response } });
    this.#reply(request).then(
      (response) => answer({ subtype: "success", response }),
      () => answer({ subtype: "error", error: "There is nobody to ask here." }),
    );
  }

  async #reply(request: unknown): Promise<Record<string, unknown>> {
    const question = asked.parse(request);
    if (question.subtype === "mcp_message") {
      return { mcp_response: (await this.#answerTools(question.message)) ?? NOTED };
    }
    const decision = await this.#decide(question.input);
    return { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } };
  }

  async #decide(question: z.infer<typeof hookQuestion>) {
    const { tool_use_id: id, tool_name: name, tool_input: input } = question;
    const deny = (reason: string) => ({ permissionDecision: "deny", permissionDecisionReason: reason });
    if (question.agent_id) return deny("Agents of your own can't use tools here; use Task.");
    const call = await this.#turns.until(() => this.#reader.calls.get(id), { timeoutMs: RACE_MS });
    if (
      !call ||
      call.name !== name ||
      !name.startsWith(TOOL_PREFIX) ||
      !isDeepStrictEqual(call.input, input)
    ) {
      return deny("This is not the call that the runner expects, so it was not run.");
    }
    const isKnown = () => this.#results.has(id) || this.#expected.has(id) || this.#isDeferring;
    await this.#turns.until(() => isKnown() || undefined);
    if (this.#isDeferring) return { permissionDecision: "defer" };
    return { permissionDecision: "allow" };
  }

  async #answerTools({ id, method, params }: z.infer<typeof mcpMessage>): Promise<unknown> {
    if (id === undefined) return undefined;
    const reply = (result: unknown) => ({ jsonrpc: "2.0", id, result });
    switch (method) {
      case "initialize":
        return reply({
          protocolVersion: params?.protocolVersion ?? "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "looplia", version: "1" },
        });
      case "ping":
        return reply({});
      case "tools/list":
        return reply({ tools: this.#tools });
      case "tools/call":
        await this.#turns.until(() => !this.#isRunning(params) || undefined);
        return reply(this.#resultOf(params));
      default:
        return { jsonrpc: "2.0", id, error: { code: -32601, message: `Method not found: ${method}` } };
    }
  }

  #isRunning(params: z.infer<typeof mcpMessage>["params"]): boolean {
    const id = params?._meta?.["claudecode/toolUseId"] ?? "";
    return this.#expected.has(id) && !this.#results.has(id) && this.#process?.isAlive === true;
  }

  /** The runner's earlier decision and result; a repeated question changes nothing. */
  #resultOf(params: z.infer<typeof mcpMessage>["params"]) {
    const toolCallId = params?._meta?.["claudecode/toolUseId"];
    const call = toolCallId === undefined ? undefined : this.#reader.calls.get(toolCallId);
    const result = toolCallId === undefined ? undefined : this.#results.get(toolCallId);
    const isSame =
      call?.name === TOOL_PREFIX + params?.name && isDeepStrictEqual(call?.input, params?.arguments ?? {});
    const text = isSame && result ? result.content : "Not run: the runner does not know this call.";
    return { content: [{ type: "text", text }], isError: !isSame || !result || result.is_error === true };
  }

  /** A process that fails early leaves no file. */
  async #findFile(): Promise<string | undefined> {
    const all = await readdir(join(claudeHome(this.#room.folder), "projects"), { recursive: true }).catch(
      () => [],
    );
    const name = all.find((one) => one.endsWith(`${this.#id}.jsonl`));
    return name === undefined ? undefined : join(claudeHome(this.#room.folder), "projects", name);
  }
}

function resultsIn(messages: readonly Message[]): ToolResultBlock[] {
  return messages.flatMap(({ content }) => content).filter((block) => block.type === "tool_result");
}

/** The answer to a message that needs none. */
const NOTED = { jsonrpc: "2.0", result: {}, id: 0 };

/** A hook may wait as long as a person at the terminal. A timer holds 24 days at most. */
const HOOK_SECONDS = 20 * 86_400;

/**
 * What the program is told first. It asks hook and tools over its own output, and gets the answers as input: a
 * connection for each would take longer than the call.
 */
function introduction(appendSystemPrompt: string) {
  const hook = { matcher: "", hookCallbackIds: ["call"], timeout: HOOK_SECONDS };
  const sdkMcpServers = ["looplia"];
  return { subtype: "initialize", appendSystemPrompt, sdkMcpServers, hooks: { PreToolUse: [hook] } };
}

// An agent program as a model, without the loop: a fake program, and a model in the test's own process.
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import type { Message, ToolUseBlock } from "../../src/core/events.ts";
import type { Model, ModelReply } from "../../src/core/ports.ts";
import type { Upstream } from "../../src/programs/gateway.ts";
import type { ProgramName } from "../../src/programs/process.ts";
import { createProgramModel, type ProgramOptions } from "../../src/programs/program.ts";

const HERE = import.meta.dirname;

/** What the model is sent, in the order in which it came. */
export type Seen = {
  headers: Readonly<Record<string, string>>;
  body: { messages: unknown[] } & Record<string, unknown>;
};

/** A request of the program to its model. */
export type Asked = Parameters<Upstream>[0];

export type ProgramSetting = {
  name: ProgramName;
  /** Puts the fake program of this trouble on the search path. */
  trouble?: string;
  upstream: (asked: Asked) => Promise<Response>;
  more?: Partial<ProgramOptions>;
};

/** A model whose program is the fake one. */
export async function fakeProgram(setting: ProgramSetting): Promise<Model> {
  return createProgramModel(await fakeOptions(setting));
}

/** The fake program on a search path of its own. */
export async function fakeOptions({
  name,
  trouble = "",
  upstream,
  more,
}: ProgramSetting): Promise<ProgramOptions> {
  const folder = await mkdtemp(join(tmpdir(), "looplia-fake-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const text = await readFile(join(HERE, `${name}-program.mjs`), "utf8");
  const path = join(folder, name);
  await writeFile(path, text.replace('TROUBLE = ""', `TROUBLE = ${JSON.stringify(trouble)}`), {
    mode: 0o755,
  });
  return {
    ...{ name, root: join(folder, "worktree"), sandbox: "auto", priceOf: () => 0 },
    upstream: async (asked) => answerOf(await upstream(asked)),
    environment: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
    bridge: resolve(HERE, "../../src/entry/bridge.ts"),
    temporary: folder,
    placeholder: { ANTHROPIC_API_KEY: "placeholder", OPENAI_API_KEY: "placeholder" },
    ...more,
  };
}

async function answerOf(response: Response): ReturnType<Upstream> {
  const body = Readable.from([Buffer.from(await response.arrayBuffer())]);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** The processes that a fake program has left: those with its home in their environment. */
export function leftOf({ temporary }: Pick<ProgramOptions, "temporary">): string[] {
  const home = Buffer.from(join(temporary, "looplia-programs-"));
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`).includes(home);
    } catch {
      return false;
    }
  });
}

export const TOOLS = ["readFile", "runCommand"].map((name) => ({
  ...{ name, description: name },
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}));

export const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
export const results = (...all: [id: string, content: string][]): Message => ({
  role: "user",
  content: all.map(([tool_use_id, content]) => ({ type: "tool_result", tool_use_id, content })),
});
export const call = (id: string, name: string, path: string): ToolUseBlock => ({
  ...{ type: "tool_use", id, name, input: { path } },
});

/** Asks the model for the next turn of the conversation `c`. */
export function ask(
  model: Model,
  messages: Message[],
  { memory, signal }: { memory?: string | undefined; signal?: AbortSignal } = {},
): Promise<ModelReply> {
  const prefix = { system: "You are an agent.", tools: TOOLS };
  const request = { conversationId: "s-1/c", model: "some-model", prefix, messages };
  return model.respond(
    { ...request, ...(memory === undefined ? {} : { memory }) },
    { signal: signal ?? new AbortController().signal },
  );
}

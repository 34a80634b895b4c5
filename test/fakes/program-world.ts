// A folder with work for an agent program, and strict local servers for its model. Scripts see the conversation as our own
// loop would have it, whatever the program wraps around it.
import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgramName } from "../../src/programs/process.ts";
import { type CliWorld, makeCliWorld } from "./cli-world.ts";
import type { RuleMessage } from "./message-rules.ts";
import { startMessagesApi } from "./messages-api.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import type { Turn } from "./messages-api-script.ts";
import { startOpenAIApi } from "./openai-api.ts";
import type { OpenAIBody } from "./openai-api-rules.ts";

const PREFIX = "mcp__looplia__";

const REAL: Record<ProgramName, string> = {
  claude: "@anthropic-ai/claude-code/bin/claude.exe",
  codex: "@openai/codex/bin/codex.js",
};

/** A fake, or the real program where `npm run test:programs` installed it. */
export function programFile(name: ProgramName): string {
  const installed = process.env.LOOPLIA_TEST_PROGRAMS;
  if (installed) return join(installed, "node_modules", REAL[name]);
  return join(import.meta.dirname, `${name}-program.mjs`);
}

/** Says what the agent does next in a conversation of ours. */
export type ProgramScript = (body: ApiBody) => Turn | Promise<Turn>;

export type ProgramWorld = CliWorld & Pick<Served, "environment" | "api" | "heard">;

/** `program`: the file that is started. Its model is a strict local server. */
export async function createProgramWorld(
  { name, program }: { name: ProgramName; program: string },
  script: ProgramScript,
  files: Record<string, string> = {},
): Promise<ProgramWorld> {
  const world = await makeCliWorld(files);
  const { path, api, environment, heard } = await serveProgram({ name, program }, script);
  return { ...world, environment: { ...environment, PATH: path }, api, heard };
}

type Api = Awaited<ReturnType<typeof startMessagesApi>> | Awaited<ReturnType<typeof startOpenAIApi>>;

/** `heard`: each request as the program sent it, with what it adds. */
type Served = { path: string; api: Api; environment: Record<string, string>; heard: string[] };

/** The program on a search path, its model, and the settings that lead from one to the other. */
export async function serveProgram(
  { name, program }: { name: ProgramName; program: string },
  script: ProgramScript,
): Promise<Served> {
  const heard: string[] = [];
  const bin = join(await mkdtemp(join(tmpdir(), "looplia-bin-")), "bin");
  await mkdir(bin);
  await symlink(program, join(bin, name));
  const path = `${bin}:${process.env.PATH}`;
  if (name === "claude") {
    const api = await startMessagesApi(async (body) => named(await script(body)), {
      apiKey: KEY,
      adapt: (body) => {
        heard.push(JSON.stringify(body));
        return plain(body);
      },
    });
    const access = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: api.url };
    const environment = { ...access, LOOPLIA_PROVIDER: name, LOOPLIA_MODEL: "claude-sonnet-5-5" };
    return { path, api, environment, heard };
  }
  const api = await startOpenAIApi(script, {
    apiKey: KEY,
    adapt: (body) => {
      heard.push(JSON.stringify(body));
      return plainItems(body);
    },
  });
  const access = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: api.url };
  const environment = { ...access, LOOPLIA_PROVIDER: name, LOOPLIA_MODEL: "gpt-6.2-sol" };
  return { path, api, environment, heard };
}

export const KEY = "sk-ant-canary-0123456789abcdef";

/** Without what Claude Code adds: its reminders, the prefix of its tools, the word to continue. */
function plain({ context_management: _, ...body }: ApiBody): ApiBody {
  const messages = body.messages.flatMap(({ role, content }): RuleMessage[] => {
    if (role === "system") return [];
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const own = blocks
      .filter(
        ({ type, text }) => type !== "text" || !/^<system-reminder>|^Continue from where/.test(String(text)),
      )
      .map((block) => (block.type === "tool_use" ? { ...block, name: withoutPrefix(block.name) } : block));
    return own.length === 0 && blocks.length > 0 ? [] : [{ role, content: own }];
  });
  return { ...body, messages };
}

function withoutPrefix(name: unknown): string {
  return String(name).replace(PREFIX, "");
}

function named(turn: Turn): Turn {
  if (typeof turn === "string" || "status" in turn || typeof turn.content === "string") return turn;
  const content = turn.content.map((block) =>
    block.type === "tool_use" ? { ...block, name: PREFIX + block.name } : block,
  );
  return { ...turn, content };
}

const FIELDS = new Set(
  "model instructions input tools tool_choice parallel_tool_calls reasoning store stream include".split(" "),
);

/** Without what Codex adds: its instructions and facts about its place, and fields of its own. */
function plainItems(body: OpenAIBody): OpenAIBody {
  const input = (body.input as OpenAIBody[]).flatMap((item) => {
    const text = (item.content as { text?: string }[] | undefined)?.[0]?.text ?? "";
    if (item.role === "developer" || text.startsWith("<environment_context>")) return [];
    const { internal_chat_message_metadata_passthrough: _, namespace: __, id, ...own } = item;
    // It names an output anew in each process.
    if (item.type !== "function_call_output") return [id === undefined ? own : { ...own, id }];
    return [typeof item.output === "string" ? own : { ...own, output: JSON.stringify(item.output) }];
  });
  const own = Object.fromEntries(Object.entries(body).filter(([field]) => FIELDS.has(field)));
  // The tools of a server that it starts itself.
  const tools = (body.tools as (OpenAIBody & { tools?: OpenAIBody[] })[] | undefined)?.flatMap((tool) =>
    tool.type === "namespace" ? (tool.tools ?? []) : [tool],
  );
  return { ...own, ...(tools ? { tools } : {}), input };
}

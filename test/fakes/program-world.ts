// A folder with work for an agent program, and strict local servers for its model. Scripts see the conversation as our own
// loop would have it, whatever the program wraps around it.
import { mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CliWorld, makeCliWorld } from "./cli-world.ts";
import type { RuleMessage } from "./message-rules.ts";
import { startMessagesApi } from "./messages-api.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import type { Turn } from "./messages-api-script.ts";

const PREFIX = "mcp__looplia__";

/** Says what the agent does next in a conversation of ours. */
export type ProgramScript = (body: ApiBody) => Turn | Promise<Turn>;

export type ProgramWorld = CliWorld & {
  environment: Record<string, string>;
  requests: () => { body: ApiBody; headers: Record<string, unknown> }[];
  assertDone(): void;
  close(): Promise<void>;
};

/** `program`: the file that is started as `claude`. */
export async function createProgramWorld(
  program: string,
  script: ProgramScript,
  files: Record<string, string> = {},
): Promise<ProgramWorld> {
  const world = await makeCliWorld(files);
  const bin = join(await mkdtemp(join(tmpdir(), "looplia-bin-")), "bin");
  await mkdir(bin);
  await symlink(program, join(bin, "claude"));
  const api = await startMessagesApi(async (body) => named(await script(body)), {
    apiKey: KEY,
    adapt: plain,
  });
  return {
    ...world,
    environment: {
      PATH: `${bin}:${process.env.PATH}`,
      LOOPLIA_PROVIDER: "claude",
      LOOPLIA_MODEL: "claude-sonnet-5-5",
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: api.url,
    },
    requests: () => api.requests,
    assertDone: () => api.assertDone(),
    close: () => api.close(),
  };
}

export const KEY = "sk-ant-canary-0123456789abcdef";

/** Without what Claude Code adds: its reminders, the prefix of its tools, the word to continue. */
function plain({ context_management: _, ...body }: ApiBody): ApiBody {
  const messages = body.messages.flatMap(({ role, content }): RuleMessage[] => {
    if (role === "system" || typeof content === "string") return [];
    const own = content
      .filter(
        ({ type, text }) => type !== "text" || !/^<system-reminder>|^Continue from where/.test(String(text)),
      )
      .map((block) => (block.type === "tool_use" ? { ...block, name: withoutPrefix(block.name) } : block));
    return [{ role, content: own }];
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

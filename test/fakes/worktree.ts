// A workspace over a fresh folder, and the context that a tool runs in.
import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Workspace } from "../../src/core/ports.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import type { Isolator } from "../../src/sandbox/isolation.ts";
import type { Tool, ToolContext, ToolReply } from "../../src/tools/tool.ts";

export type Worktree = { base: string; root: string; workspace: Workspace };

/** `base/root` is the worktree; what lies beside it is outside. Keys of `files` are relative to the worktree. */
export async function makeWorktree(
  files: Record<string, string | Uint8Array> = {},
  isolate?: (root: string) => Isolator,
): Promise<Worktree> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "worktree-")));
  const root = join(base, "root");
  await mkdir(root);
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
  const environment = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: base };
  return {
    base,
    root,
    workspace: await openWorkspace(root, {
      environment,
      systemTemp: join(base, "temp"),
      ...(isolate ? { isolate } : {}),
    }),
  };
}

/** A context in which nobody can be asked and there is nothing but the workspace; `parts` replace the rest. */
export function makeContext(workspace: Workspace, parts: Partial<ToolContext> = {}): ToolContext {
  return {
    call: { toolCallId: "call-1", conversationId: "c", taskId: "t", agent: "tester" },
    workspace,
    facts: {},
    signal: new AbortController().signal,
    skills: new Map(),
    artifacts: { write: async () => ({ text: "no artifacts here", isError: true }) },
    ask: async () => "nobody",
    subagents: { names: [], run: async () => ({ text: "no subagents here", isError: true }) },
    ...parts,
  };
}

/** Runs a tool as the loop does: the input is parsed, a refusal becomes a reply. Fails when the call is suspended. */
export async function callTool<Input>(
  tool: Tool<Input>,
  input: unknown,
  context: ToolContext,
): Promise<ToolReply> {
  try {
    const reply = await tool.run(tool.input().parse(input), context);
    if ("suspended" in reply) throw new TypeError("the call is suspended");
    return reply;
  } catch (error) {
    if (error instanceof TypeError || !(error instanceof Error)) throw error;
    return { text: error.message, isError: true };
  }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

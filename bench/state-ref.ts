// A thousand checkpoints: how large the state ref becomes, and how soon a run has the stores back from it.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { StoreLine } from "../src/core/events.ts";
import { startGitServer } from "../test/fakes/git-http.ts";
import { openRun, SESSION, STATE } from "../test/fakes/state-run.ts";
import { ROOT } from "./bundle.ts";
import type { Surroundings } from "./child.ts";
import { type Figure, mean, median } from "./report.ts";
import { benchStateRefSizes } from "./state-ref-sizes.ts";

const CHECKPOINTS = 1_000;
/** What a tool gives in each turn, in characters. */
const OUTPUT = 4_000;
const OPENINGS = 5;
const LIMITS = { packed: 0.6, loose: 2, openMs: 1_000 };

export async function benchStateRef({ folder }: Pick<Surroundings, "folder">): Promise<Figure[]> {
  const root = await mkdtemp(join(folder, "state-ref-"));
  const files = { "a.md": "a\n" };
  const server = await startGitServer({ root: join(root, "served"), repository: "o/r", token: "t", files });
  try {
    await server.git("config", "receive.autogc", "false");
    const before = bytesIn(join(server.bare, "objects"));
    const { raw, times } = await makeCheckpoints(root, server.bare);
    const loose = bytesIn(join(server.bare, "objects")) - before;
    execFileSync("git", ["repack", "-adq"], { cwd: server.bare });
    const packed = bytesIn(join(server.bare, "objects"), ".pack");
    const opened = await timeOpenings(root, server.bare);
    return [
      { name: "state ref of 1,000 checkpoints: raw", value: raw / 1e6, unit: "MB" },
      { name: "the same, loose to raw", value: loose / raw, unit: "times", demand: LIMITS.loose },
      { name: "the same, packed to raw", value: packed / raw, unit: "times", demand: LIMITS.packed },
      { name: "a checkpoint", value: mean(times), unit: "ms" },
      { name: "a checkpoint, the last hundred", value: mean(times.slice(-100)), unit: "ms" },
      { name: "state ref to loaded stores", value: median(opened), unit: "ms", demand: LIMITS.openMs },
      ...(await benchStateRefSizes(folder, sourceText(), linesOf)),
    ];
  } finally {
    await server.close();
  }
}

/** One turn each. `raw`: bytes of all lines; `times`: milliseconds of each checkpoint. */
async function makeCheckpoints(root: string, remote: string): Promise<{ raw: number; times: number[] }> {
  const run = await openRun(root, { name: "1.1", remote, pushesAMinute: Number.POSITIVE_INFINITY });
  const session = await run.store.session(SESSION);
  const source = sourceText();
  const times: number[] = [];
  for (let turn = 0; turn < CHECKPOINTS; turn += 1) {
    const from = (turn * 2_717) % (source.length - OUTPUT);
    await session.append(linesOf(turn, source.slice(from, from + OUTPUT)));
    const begun = performance.now();
    await run.state.checkpoint("turn");
    times.push(performance.now() - begun);
  }
  await run.store.close();
  const checkpoints = Number(execFileSync("git", ["rev-list", "--count", STATE], { cwd: remote }).toString());
  if (checkpoints !== CHECKPOINTS) throw new Error(`${checkpoints} checkpoints instead of ${CHECKPOINTS}.`);
  return { raw: bytesIn(run.folder, ".jsonl"), times };
}

async function timeOpenings(root: string, remote: string): Promise<number[]> {
  const times: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening += 1) {
    const begun = performance.now();
    const run = await openRun(root, { name: `2.${opening}`, remote });
    const { conversation } = await (await run.store.session(SESSION)).load();
    times.push(performance.now() - begun);
    await run.store.close();
    if (conversation.length !== CHECKPOINTS * 2) throw new Error(`${conversation.length} lines came back.`);
  }
  return times;
}

/** What agents read: the project's own sources. */
function sourceText(): string {
  const names = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => name.endsWith(".ts"));
  return files.map((name) => readFileSync(join(ROOT, "src", name), "utf8")).join("\n");
}

function linesOf(turn: number, text: string): StoreLine[] {
  const call = { conversationId: "c1", toolCallId: `toolu_${turn}`, toolName: "readFile" };
  const about = { toolCallId: call.toolCallId, taskId: "summary", conversationId: "c1" };
  const input = { path: `src/file-${turn}.ts` };
  const block = { type: "tool_use" as const, id: call.toolCallId, name: call.toolName, input };
  const usage = { inputTokens: 3 + turn, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const content = [{ type: "text" as const, text: `I read file ${turn}, for it says how.` }, block];
  const said = { model: "claude-sonnet-5-5", stopReason: "tool_use" as const, usage, costUsd: 0.01 };
  const result = { type: "tool_result" as const, tool_use_id: call.toolCallId, content: text };
  return [
    {
      store: "conversation",
      type: "Message",
      payload: { conversationId: "c1", message: { role: "assistant", content }, response: said },
    },
    {
      store: "audit",
      type: "ToolCallRequested",
      payload: {
        ...about,
        toolName: "readFile",
        authorActorId: "agent:a",
        input,
        decision: "allow",
        timestamp: turn,
      },
    },
    { store: "events", type: "ToolCallStarted", payload: call },
    {
      store: "audit",
      type: "ToolCallCompleted",
      payload: {
        ...about,
        authorActorId: "agent:a",
        output: { content: text },
        isError: false,
        durationMs: 3,
        timestamp: turn,
      },
    },
    { store: "conversation", type: "ToolResult", payload: { conversationId: "c1", block: result } },
    {
      store: "events",
      type: "ToolCallSettled",
      payload: { ...call, outcome: "done", resultHash: String(turn).padStart(64, "0") },
    },
  ];
}

function bytesIn(folder: string, ending = ""): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

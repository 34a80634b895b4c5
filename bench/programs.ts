// Claude Code and Codex through the loop, and on their own with the same tools, in turn: from the start of the process to its
// end. On its own, a program gets the tools from an MCP server. Both have a new home, as on a new runner. Only the real programs
// are measured: LOOPLIA_TEST_PROGRAMS names the folder where `npm run test:programs` finds them.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProgramScript, programFile, serveProgram } from "../test/fakes/program-world.ts";
import { type Surroundings, startProcess } from "./child.ts";
import { type Figure, median } from "./report.ts";

const READS = 4;
const TASKS = 5;
const MOST_MS = 100;
const NAMES = ["claude", "codex"] as const;
type Name = (typeof NAMES)[number];

/** Reads a file a few times, then reports; on its own, it then says that it is done. */
const scriptOf =
  (name: Name): ProgramScript =>
  (body) => {
    const text = JSON.stringify(body.messages);
    const done = Array.from({ length: READS + 1 }, (_, index) => `toolu_${index}`).filter((id) =>
      text.includes(id),
    );
    if (done.length > READS) return "Done.";
    // Codex names a server's tools in two words.
    const isSplit = name === "codex" && text.includes(PROMPT);
    const call = {
      type: "tool_use",
      id: `toolu_${done.length}`,
      ...(isSplit ? { namespace: "mcp__looplia" } : {}),
    };
    const read = { ...call, name: "readFile", input: { path: "README.md" } };
    const summary = {
      task_id: /Your task is `(.*?)`/.exec(text)?.[1] ?? "T1",
      status: "done",
      summary: "read",
    };
    return { content: [done.length < READS ? read : { ...call, name: "reportSummary", input: summary }] };
  };

export async function benchPrograms({ script: cli, folder, runs }: Surroundings): Promise<Figure[]> {
  if (!process.env.LOOPLIA_TEST_PROGRAMS) return [];
  const figures: Figure[] = [];
  for (const name of NAMES) {
    const { path, api, environment } = await serveProgram(
      { name, program: programFile(name) },
      scriptOf(name),
    );
    const own = { ...environment, PATH: path };
    const loop: number[] = [];
    const list: number[] = [];
    const alone: number[] = [];
    for (let round = 0; round <= Math.min(runs, 7); round += 1) {
      const through =
        (...flags: string[]) =>
        (root: string) => [process.execPath, cli, "run", "--mode", "tasks", ...flags, root];
      const around = await timeOf(through("--task", "T1"), own, folder);
      const many = await timeOf(through("--max-iterations", String(TASKS)), own, folder, STOPPED);
      const itself = await timeOf((root) => commandOf(name, root, api.url), own, folder);
      if (round === 0) continue;
      loop.push(around);
      list.push(many / TASKS);
      alone.push(itself);
    }
    api.assertDone();
    await api.close();
    // Per round, because a machine is not equally fast from one minute to the next.
    const more = (times: readonly number[]) => median(times.map((ms, round) => ms - (alone[round] ?? 0)));
    figures.push(
      { name: `${name}, ${READS} reads, on its own`, value: median(alone), unit: "ms" },
      { name: `${name}, ${READS} reads, through the loop`, value: median(loop), unit: "ms" },
      { name: `${name}, more through the loop`, value: more(loop), unit: "ms", demand: MOST_MS },
      {
        name: `${name}, more per task in a list of ${TASKS}`,
        value: more(list),
        unit: "ms",
        demand: MOST_MS,
      },
    );
  }
  return figures;
}

const PROMPT = "Read README.md four times, then report.";
const TOOLS = join(import.meta.dirname, "bare-tools.mjs");
const OFF = ["shell_tool", "unified_exec", "goals", "view_image", "plugins", "apps"];

/** How a person would start it, without tools of its own and without traffic of its own. */
function commandOf(name: Name, root: string, url: string): string[] {
  const server = { command: process.execPath, args: [TOOLS, root] };
  if (name === "claude") {
    const servers = JSON.stringify({
      mcpServers: { looplia: { type: "stdio", ...server, alwaysLoad: true } },
    });
    return [
      ...[programFile(name), "-p", PROMPT, "--output-format", "stream-json", "--verbose"],
      ...["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands", "--tools", ""],
      ...["--mcp-config", servers, "--model", "claude-sonnet-5-5"],
      ...["--allowedTools", "mcp__looplia__readFile,mcp__looplia__reportSummary"],
    ];
  }
  const provider = `{name="looplia",base_url="${url}",env_key="OPENAI_API_KEY",wire_api="responses"}`;
  const { command, args } = server;
  const tools = `{command="${command}",args=${JSON.stringify(args)},default_tools_approval_mode="approve"}`;
  const settings = [
    ...['model_provider="looplia"', `model_providers.looplia=${provider}`, `mcp_servers.looplia=${tools}`],
    ...OFF.map((feature) => `features.${feature}=false`),
    ...["agents.enabled=false", 'web_search="disabled"', "analytics.enabled=false"],
    ...["check_for_update_on_startup=false", "project_doc_max_bytes=0"],
  ];
  return [
    ...[process.execPath, programFile(name), "exec", "--json", "--skip-git-repo-check"],
    ...["-m", "gpt-6.2-sol", ...settings.flatMap((setting) => ["-c", setting]), PROMPT],
  ];
}

/** As the loop does it. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  MCP_CONNECTION_NONBLOCKING: "0",
  IS_SANDBOX: "1",
};

/** The exit code of a run that stops before its list is done, so that no review follows. */
const STOPPED = 4;

/** In a new repository with one task more than are run. */
async function timeOf(
  words: (root: string) => string[],
  environment: Record<string, string>,
  folder: string,
  isOver = 0,
): Promise<number> {
  const root = await mkdtemp(join(folder, "programs-"));
  const tasks = Array.from({ length: TASKS + 1 }, (_, index) => ({
    ...{ id: `T${index + 1}`, title: "Read", priority: 1, status: "todo" },
  }));
  const list = { schema_version: 1, source_files: ["README.md"], tasks };
  const home = `${root}-home`;
  await mkdir(home);
  await writeFile(join(root, "to-do.json"), JSON.stringify(list));
  await writeFile(join(root, "README.md"), "Read me.\n".repeat(40));
  const { startedAt, ended } = startProcess(words(root), { ...QUIET, ...environment, HOME: home }, root);
  const { code, output } = await ended;
  if (code !== isOver) throw new Error(`${words(root)[1]} ended with ${code}: ${output}`);
  return performance.now() - startedAt;
}

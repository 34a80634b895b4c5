// From the start of a process to its first model request, in turn with Claude Code and Codex. Both are no dependencies:
// `BENCH_PEERS=<folder>` names a folder in which `npm install @anthropic-ai/claude-code @openai/codex` has put them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ROOT } from "./bundle.ts";
import type { Surroundings } from "./child.ts";
import { type Figure, median } from "./report.ts";

const ITEM = "content/six-minute-build.md";
const PROMPT = "Say hello.";
/** The program's time as a part of the peer's. */
const CLAUDE_PART = 0.35;
const CODEX_PART = 0.75;

type Command = { words: readonly string[]; environment: Record<string, string> };

/** Nothing without a folder of peers. Node's compile cache counts, a daemon or warm-up does not. */
export async function benchPeers({ script, folder, runs }: Surroundings): Promise<Figure[]> {
  const peers = process.env.BENCH_PEERS;
  if (peers === undefined) return [];
  const repository = join(folder, "peers");
  await cp(join(ROOT, "examples"), repository, { recursive: true });
  const home = join(folder, "peers-home");
  await mkdir(join(home, ".codex"), { recursive: true });
  const program = (name: string) => join(peers, "node_modules/.bin", name);
  await using server = await startListener();
  const provider = `model_providers.local={name="local",base_url="${server.url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`;
  const exec = ["exec", "--skip-git-repo-check", "-c", 'model_provider="local"', "-c", provider, PROMPT];
  const commands: Command[] = [
    {
      words: [process.execPath, script, "run", "--file", ITEM, "--provider", "anthropic", repository],
      environment: { ANTHROPIC_API_KEY: "sk-bench", ANTHROPIC_BASE_URL: server.url },
    },
    {
      words: [program("claude"), "-p", PROMPT],
      environment: {
        ANTHROPIC_API_KEY: "sk-bench",
        ANTHROPIC_BASE_URL: server.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    },
    { words: [program("codex"), ...exec], environment: { OPENAI_API_KEY: "sk-bench" } },
  ];
  const times: number[][] = commands.map(() => []);
  for (let round = 0; round <= runs; round += 1) {
    for (const [at, command] of commands.entries()) {
      const time = await server.timeFirstPost(command, home, repository);
      if (round > 0) times[at]?.push(time);
    }
  }
  const [own = 0, claude = 0, codex = 0] = times.map(median);
  return [
    { name: "command line, start to first request", value: own, unit: "ms" },
    { name: "`claude -p`", value: claude, unit: "ms" },
    { name: "command line : `claude -p`", value: own / claude, unit: "times", demand: CLAUDE_PART },
    { name: "`codex exec`", value: codex, unit: "ms" },
    { name: "command line : `codex exec`", value: own / codex, unit: "times", demand: CODEX_PART },
  ];
}

/** Notes when a first POST to a model arrives, and refuses it as a bad request, so that the process ends by itself. */
async function startListener() {
  let arrived: (at: number) => void = () => {};
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (request.method === "POST" && /\/(messages|responses)(\?|$)/.test(request.url ?? "")) {
        arrived(performance.now());
      }
      response.writeHead(400, { "content-type": "application/json" });
      response.end('{"type":"error","error":{"type":"invalid_request_error","message":"Not now."}}');
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async timeFirstPost({ words, environment }: Command, home: string, cwd: string): Promise<number> {
      const [command = "", ...args] = words;
      const arrival = new Promise<number>((resolve) => {
        arrived = resolve;
      });
      const startedAt = performance.now();
      const child = spawn(command, args, {
        cwd,
        env: { PATH: process.env.PATH, HOME: home, CI: "1", ...environment },
        stdio: "ignore",
      });
      const ended = once(child, "exit");
      const at = await Promise.race([arrival, ended.then(() => Number.NaN)]);
      if (Number.isNaN(at)) throw new Error(`${words.join(" ")} ended without a request.`);
      await ended;
      return at - startedAt;
    },
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
    },
  };
}

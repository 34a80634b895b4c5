// The command line's bundle with a model that makes the worst calls, in a hostile repository.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundled } from "../fakes/bundle.ts";
import { type MessagesApi, startMessagesApi } from "../fakes/messages-api.ts";

/** One attempt and whether the program withstood it. `row`: of SECURITY; `detail`: what happened where it did not. */
export type Attack = { row: string; name: string; held: boolean; detail?: string };
/** Attacks that share worlds and processes. */
export type Scene = {
  name: string;
  /** Takes no more than a few seconds. */
  isQuick?: true;
  attack(): Promise<Attack[]>;
};

export type HostileCall = { name: string; input: unknown };
type CallResult = { text: string; isError: boolean };

export type HostileRun = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** By the index of the call; undefined: it was not run. */
  results: (CallResult | undefined)[];
  /** All that the model was sent. */
  requests: string;
};

type HostilePlace = {
  folder: string;
  key: string;
  /** Beside PATH, HOME and the key. */
  environment?: Record<string, string>;
  flags?: readonly string[];
  /** A person who rejects whatever is asked, so that the model goes on. */
  rejects?: true;
};

const TASK = {
  schema_version: 1,
  source_files: [],
  tasks: [{ id: "T1", title: "Attack", priority: 1, status: "todo", details: "Do your worst." }],
};

/** A folder with these files and a list of one task. */
export function hostileFolder(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "looplia-attack-"));
  putFiles(folder, { "to-do.json": `${JSON.stringify(TASK, null, 2)}\n`, ...files });
  return folder;
}

export function putFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * Runs the list; the model's turns are `turns`, each of one or more calls, and then it gives up. `whenDone` is called with the
 * number of turns whose results have come, before the next one begins.
 */
export async function hostileRun(
  place: HostilePlace,
  turns: readonly (readonly HostileCall[])[],
  whenDone: (turns: number) => void = () => {},
): Promise<HostileRun> {
  const results: HostileRun["results"] = [];
  let seen = 0;
  const api = await startMessagesApi((body) => {
    const turn = body.messages.filter(({ role }) => role === "assistant").length;
    takeResults(body.messages.at(-1)?.content, results);
    if (turn > seen) whenDone(turn);
    seen = Math.max(seen, turn);
    const calls = turns[turn];
    if (!calls) return "I give up.";
    const before = turns.slice(0, turn).flat().length;
    return {
      content: calls.map(({ name, input }, at) => ({
        ...{ type: "tool_use" as const, id: `call_${before + at}`, name, input },
      })),
    };
  });
  try {
    const ended = await start(place, api);
    return { ...ended, results, requests: api.requests.map(({ raw }) => raw).join("\n") };
  } finally {
    await api.close();
  }
}

function takeResults(content: unknown, results: HostileRun["results"]): void {
  if (!Array.isArray(content)) return;
  for (const block of content as Record<string, unknown>[]) {
    const [, index] = /^call_(\d+)$/.exec(String(block.tool_use_id)) ?? [];
    if (index === undefined) continue;
    const text = typeof block.content === "string" ? block.content : JSON.stringify(block.content);
    results[Number(index)] = { text, isError: block.is_error === true };
  }
}

async function start({ folder, key, environment, flags = [], rejects }: HostilePlace, api: MessagesApi) {
  const variables = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: api.url, ...environment };
  const settings = ["--max-turns", "60", "--approval", "none", ...flags];
  let ended = await runCli(["run", ...settings], folder, variables);
  for (let answers = 0; rejects && ended.code === 3 && answers < 60; answers += 1) {
    const [, id] = /looplia answer (\S+)/.exec(ended.stdout + ended.stderr) ?? [];
    if (id === undefined) break;
    ended = await runCli(["answer", id, "reject", ...settings], folder, variables);
  }
  return ended;
}

/** The person's own folder, where what marks local state as made here is: the same for each command line. */
const own = mkdtempSync(join(tmpdir(), "looplia-own-"));

/** The command line's bundle, with nothing of this machine's settings. */
export async function runCli(
  argv: readonly string[],
  folder: string,
  environment: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [await bundled("cli"), ...argv], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: mkdtempSync(join(tmpdir(), "looplia-home-")),
      XDG_STATE_HOME: own,
      USER: "ada",
      NODE_DISABLE_COMPILE_CACHE: "1",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return { code, stdout, stderr };
}

/** Path and bytes of every regular file below a folder. */
export function readTree(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path.slice(folder.length + 1), readFileSync(path, "latin1"));
  }
  return found;
}

/** The payloads of all audit lines below a state folder, in order. */
export function readAuditLines(folder: string): { type: string; payload: Record<string, unknown> }[] {
  const files = [...readTree(folder)].filter(([path]) => /\/audit\/\d{6}\.jsonl$/.test(path)).sort();
  return files.flatMap(([, text]) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string; payload: Record<string, unknown> }),
  );
}

let scripts = 0;

/**
 * A command that needs no question: a script that is in the folder already, or that an approved edit made. What it does,
 * nobody was asked about.
 */
export function runScript(folder: string, text: string): HostileCall {
  scripts += 1;
  putFiles(folder, { [`scripts/attack-${scripts}.sh`]: `${text}\n` });
  return run(`bash scripts/attack-${scripts}.sh`);
}

export function run(command: string): HostileCall {
  return { name: "runCommand", input: { command } };
}

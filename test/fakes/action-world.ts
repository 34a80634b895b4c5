// Everything around a run of the Action: a repository behind HTTP with a checkout, GitHub's API, the artifact service,
// a model, and the runner's files and variables.
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArtifactServer, startArtifactServer } from "./artifact-server.ts";
import { bundled } from "./bundle.ts";
import { type GitServer, repositoryOf, startGitServer } from "./git-http.ts";
import { type GithubServer, startGithubServer } from "./github-server.ts";
import { hear } from "./hear.ts";
import { writeDue } from "./kit-api.ts";
import { type MessagesApi, startMessagesApi } from "./messages-api.ts";
import type { ApiBody } from "./messages-api-rules.ts";
import type { Turn } from "./messages-api-script.ts";

export const TOKEN = "ghs_canaryOfTheJobsToken";
export const KEY = "sk-ant-canaryOfTheModelsKey";

export type Ran = {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  outputs: Map<string, string>;
  summary: string;
  /** STATE_… variables for `post`. */
  state: Record<string, string>;
};
export type RunChanges = {
  event?: { name: string; payload?: unknown; ref?: string; sha?: string };
  inputs?: Record<string, string>;
  environment?: Record<string, string>;
  /** Words before those of the process, as of a tracer. */
  before?: readonly string[];
  /** Called with the process as soon as it runs. */
  during?: (process: { kill(signal: NodeJS.Signals): void }) => Promise<void>;
};

export type ActionWorld = {
  root: string;
  repository: GitServer;
  github: GithubServer;
  artifacts: ArtifactServer;
  model: MessagesApi;
  /** Replaces the model's good answers while it is set. */
  modelTurn: ((body: ApiBody) => Turn | Promise<Turn>) | undefined;
  run(changes?: RunChanges): Promise<Ran>;
  /** Variables and files of the next run. */
  environment(changes?: RunChanges): Promise<Record<string, string>>;
  post(state: Record<string, string>, environment?: Record<string, string>): Promise<Ran>;
  /** The model forgets every conversation and request. */
  renewModel(): Promise<void>;
  close(): Promise<void>;
};

/** `<status> <reason code>`, as a run tells its runner. */
export function ended(ran: Ran): string {
  return `${ran.outputs.get("status")} ${ran.outputs.get("reason-code")}`;
}

/** What a run printed. */
export function said(ran: Ran): string {
  return ran.stdout + ran.stderr;
}

/** A world whose `main` branch has `files`; the run is a push to it with `content: content/*.md`. */
export async function createActionWorld(files: Record<string, string | Uint8Array>): Promise<ActionWorld> {
  const root = await mkdtemp(join(tmpdir(), "looplia-action-"));
  const repository = await startGitServer({
    root: join(root, "served"),
    repository: "owner/repo",
    token: TOKEN,
    files,
  });
  const github = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: repository.git });
  const artifacts = await startArtifactServer();
  const startModel = () => startMessagesApi((body) => (world.modelTurn ?? writeDue)(body));
  const checkout = join(root, "checkout");
  await cp(join(await repositoryOf(files), "checkout"), checkout, { recursive: true });
  // No address: which one counts is what GITHUB_SERVER_URL says.
  await writeFile(join(checkout, ".git/config"), `[remote "origin"]\n\turl = ${repository.bare}\n`);
  let runs = 0;
  const world: ActionWorld = {
    root,
    repository,
    github,
    artifacts,
    model: await startModel(),
    modelTurn: undefined,
    environment: (changes = {}) => environmentOf(world, ++runs, changes),
    run: async (changes = {}) => {
      const environment = await world.environment(changes);
      const attempt = `${environment.GITHUB_RUN_ID}.${environment.GITHUB_RUN_ATTEMPT}`;
      github.checks.runs.set(attempt, "in_progress");
      try {
        return await start(await bundled("action"), environment, changes);
      } finally {
        github.checks.runs.set(attempt, "completed");
      }
    },
    post: async (state, environment = {}) =>
      start(await bundled("post"), { ...(await environmentOf(world, runs, { environment })), ...state }),
    renewModel: async () => {
      await world.model.close();
      world.model = await startModel();
    },
    close: async () => {
      const servers = [repository.close(), github.close(), artifacts.close(), world.model.close()];
      const closed = await Promise.allSettled<unknown>(servers);
      await rm(root, { recursive: true, force: true });
      for (const one of closed) if (one.status === "rejected") throw one.reason;
    },
  };
  return world;
}

async function environmentOf(
  world: ActionWorld,
  run: number,
  changes: RunChanges,
): Promise<Record<string, string>> {
  const folder = join(world.root, `runner-${run}-${Math.random().toString(36).slice(2)}`);
  const temporary = join(folder, "temp");
  await mkdir(temporary, { recursive: true });
  const event = {
    name: "push",
    payload: { repository: { full_name: "owner/repo", default_branch: "main" } },
    ...changes.event,
  };
  await writeFile(join(folder, "event.json"), JSON.stringify(event.payload));
  const files: Record<string, string> = {};
  for (const name of ["OUTPUT", "STATE", "STEP_SUMMARY", "ENV", "PATH"]) {
    files[`GITHUB_${name}`] = join(folder, name.toLowerCase());
    await writeFile(join(folder, name.toLowerCase()), "");
  }
  const inputs = {
    content: "content/*.md",
    "github-token": TOKEN,
    "anthropic-api-key": KEY,
    "anthropic-base-url": world.model.url,
    ...changes.inputs,
  };
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "owner/repo",
    GITHUB_SERVER_URL: world.repository.serverUrl,
    GITHUB_API_URL: world.github.apiUrl,
    GITHUB_WORKSPACE: join(world.root, "checkout"),
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_REF: event.ref ?? "refs/heads/main",
    GITHUB_SHA: event.sha ?? (await world.repository.git("rev-parse", "main")),
    GITHUB_RUN_ID: String(100 + run),
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_JOB: "kit",
    RUNNER_TEMP: temporary,
    ...files,
    ...world.artifacts.environment,
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
    ),
    ...changes.environment,
  };
}

async function start(
  entry: string,
  env: Record<string, string>,
  { before = [], during }: Pick<RunChanges, "before" | "during"> = {},
): Promise<Ran> {
  const [file = "", ...words] = [...before, process.execPath, entry];
  const child = spawn(file, words, {
    env,
    cwd: env.GITHUB_WORKSPACE,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { ended } = hear(child);
  await during?.({ kill: (signal) => void child.kill(signal) });
  const { code: exitCode, stdout, stderr } = await ended;
  const state = await readPairs(env.GITHUB_STATE ?? "");
  return {
    exitCode,
    stdout,
    stderr,
    outputs: await readPairs(env.GITHUB_OUTPUT ?? ""),
    summary: await readFile(env.GITHUB_STEP_SUMMARY ?? "", "utf8"),
    state: Object.fromEntries([...state].map(([name, value]) => [`STATE_${name}`, value])),
  };
}

/** `name<<delimiter` blocks, as the runner reads them; the last of a name counts. */
async function readPairs(file: string): Promise<Map<string, string>> {
  const lines = (await readFile(file, "utf8")).split("\n");
  const pairs = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const [, name, delimiter] = /^(.+?)<<(.+)$/.exec(lines[at] ?? "") ?? [];
    if (!name || !delimiter) continue;
    const end = lines.indexOf(delimiter, at + 1);
    pairs.set(name, lines.slice(at + 1, end).join("\n"));
    at = end;
  }
  return pairs;
}

// Runs of the task loop over real folders, stores and prompts; only model, host and hook are made up.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { Cancellations } from "../../src/agent/session.ts";
import { loadConfiguration } from "../../src/config/load.ts";
import { createPrompts } from "../../src/config/prompts.ts";
import type { Host, Model, RunEvent, Stores, Workspace } from "../../src/core/ports.ts";
import { type Redact, redactNothing } from "../../src/core/redaction.ts";
import type { RunResult } from "../../src/core/result.ts";
import { itemFilesBelow } from "../../src/entry/wire-sessions.ts";
import { trustedFolder } from "../../src/files/sources.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import type { TodoFile } from "../../src/todo/document.ts";
import type { TaskAgent, TodoSettings } from "../../src/todo/run-state.ts";
import { allTools } from "../../src/tools/registry.ts";
import { type TerminalTrigger, wakeFromTerminal } from "../../src/work/terminal.ts";
import { ScriptedHost } from "./agent-world.ts";
import { openStores } from "./stores.ts";

const INSTALL = resolve(import.meta.dirname, "../..");
export const WORK_ID = "tasks-0a1b2c";

export type TodoWorld = {
  root: string;
  events: RunEvent[];
  /** What was kept for people: last messages by iteration, texts by name, calls of the hook. */
  kept: { last: Map<number, unknown>; texts: Map<string, string>; hooks: string[][] };
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  readList(): Promise<TodoFile>;
  /** `T1 done, T2 blocked` */
  states(): Promise<string>;
  run(model: Model, options?: TodoRunOptions): Promise<RunResult>;
};
export type TodoRunOptions = {
  trigger?: TerminalTrigger;
  host?: Host;
  settings?: Partial<TodoSettings>;
  agent?: Partial<TaskAgent>;
  signal?: AbortSignal;
  cancellations?: Cancellations;
  stores?: (stores: Stores) => Stores;
  workspace?: (workspace: Workspace) => Workspace;
  hook?: (words: readonly string[]) => Promise<string | undefined>;
  /** What stands in the way of keeping a last message. */
  logFault?: Error;
  redact?: Redact;
  now?: () => Date;
};

/** A repository in a temporary folder, removed when the test is over. Each `run` is a process of its own to the stores. */
export async function createTodoWorld(files: Record<string, string> = {}): Promise<TodoWorld> {
  const root = await mkdtemp(join(tmpdir(), "looplia-todo-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const world: TodoWorld = {
    root,
    events: [],
    kept: { last: new Map(), texts: new Map(), hooks: [] },
    async write(path, text) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    read: (path) => readFile(join(root, path), "utf8"),
    readList: async () => JSON.parse(await world.read("to-do.json")),
    states: async () => (await world.readList()).tasks.map(({ id, status }) => `${id} ${status}`).join(", "),
    run: (model, options = {}) => runIn(world, model, options),
  };
  for (const [path, text] of Object.entries(files)) await world.write(path, text);
  return world;
}

const LIMITS = { maxTurns: 50 };
const SETTINGS: TodoSettings = {
  todo: "to-do.json",
  sourceFiles: ["README.md", "docs/**/*.md"],
  schedule: { shown: "scripted", agents: ["scripted"] },
  applySummary: true,
  maxIterations: 50,
  dryRun: false,
  people: { answerTtlHours: 168, minApprovals: 1, workingDirectory: "." },
  gate: { policy: [], approval: "none", sandbox: "off", settingsFile: "looplia.yml" },
};

async function runIn(world: TodoWorld, model: Model, options: TodoRunOptions): Promise<RunResult> {
  const builtin = await trustedFolder(INSTALL, "");
  const trusted = await trustedFolder(world.root, "");
  const { configuration } = await loadConfiguration(trusted, builtin, { prompts: createPrompts(builtin) });
  const state = join(world.root, ".looplia/state");
  const clock = { now: options.now ?? (() => new Date()), elapsed: () => performance.now() };
  const stores = openStores(state, clock);
  const settings = { ...SETTINGS, ...options.settings };
  const opened = await openWorkspace(world.root, {
    environment: { PATH: process.env.PATH ?? "" },
    systemTemp: state,
  });
  const workspace: Workspace = { ...opened, isolation: { kind: "none", network: true, isOff: true } };
  const ports = {
    clock,
    ids: {
      hex: (bytes: number) =>
        Math.random()
          .toString(16)
          .slice(2, 2 + bytes * 2)
          .padEnd(bytes * 2, "0"),
    },
    workspace: options.workspace?.(workspace) ?? workspace,
    host: options.host ?? new ScriptedHost([]),
    model,
    stores: options.stores?.(stores) ?? stores,
    observe: (event: RunEvent) => void world.events.push(event),
    signal: options.signal ?? new AbortController().signal,
    redact: options.redact ?? redactNothing,
    ...(options.cancellations ? { cancellations: options.cancellations } : {}),
    configuration,
    tools: new Map(allTools().map((tool) => [tool.name, tool])),
    ...itemFilesBelow(world.root),
  };
  const sessions = await readdir(join(state, WORK_ID, "sessions")).catch(() => []);
  const found = sessions[0] === undefined ? {} : { sessionId: sessions[0] };
  const trigger = options.trigger ?? { kind: "tasks", workId: WORK_ID, key: "to-do.json", ...found };
  const { people, gate } = settings;
  const content = { pipeline: "writing-kit", orchestration: "program", model: "m", limits: LIMITS } as const;
  return wakeFromTerminal(
    trigger,
    ports,
    { ...content, concurrency: 1, dryRun: false, people, gate },
    {
      settings,
      async agent(name) {
        const common = { provider: model.provider, model, modelName: "scripted", limits: LIMITS };
        return { name, ...common, ...options.agent };
      },
      log: {
        async keepLast(iteration, message) {
          if (options.logFault) throw options.logFault;
          world.kept.last.set(iteration, message);
          return `/last/${iteration}.json`;
        },
        async keepText(_sessionId, name, text) {
          world.kept.texts.set(name, text);
          return `/kept/${name}`;
        },
        readText: async (_sessionId, name) => world.kept.texts.get(name),
        async runHook(words) {
          world.kept.hooks.push([...words]);
          return options.hook?.(words);
        },
      },
    },
  );
}

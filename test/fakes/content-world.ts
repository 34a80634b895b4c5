// Content runs over real folders, stores, pipelines and prompts; only model and host are made up.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { Cancellations } from "../../src/agent/session.ts";
import { throwIfErrors } from "../../src/config/diagnostics.ts";
import { loadConfiguration } from "../../src/config/load.ts";
import { createPrompts } from "../../src/config/prompts.ts";
import type { ContentSettings } from "../../src/content/ports.ts";
import type { Host, Model, RunEvent, Stores, Workspace } from "../../src/core/ports.ts";
import { type Redact, redactNothing } from "../../src/core/redaction.ts";
import type { RunResult } from "../../src/core/result.ts";
import { itemFilesBelow } from "../../src/entry/wire-sessions.ts";
import { trustedFolder } from "../../src/files/sources.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import { allTools } from "../../src/tools/registry.ts";
import { type TerminalTrigger, wakeFromTerminal } from "../../src/work/terminal.ts";
import { ScriptedHost } from "./agent-world.ts";
import { openStores } from "./stores.ts";

const INSTALL = resolve(import.meta.dirname, "../..");

export type ContentWorld = {
  root: string;
  events: RunEvent[];
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  run(trigger: TerminalTrigger, model: Model, options?: RunOptions): Promise<RunResult>;
};
export type RunOptions = {
  host?: Host;
  settings?: Partial<ContentSettings>;
  signal?: AbortSignal;
  redact?: Redact;
  cancellations?: Cancellations;
  /** What time it is; default: now. */
  now?: () => Date;
  /** Puts something in front of the worktree. */
  workspace?: (real: Workspace) => Workspace;
  /** Puts something in front of the stores. */
  stores?: (stores: Stores) => Stores;
};

/** A repository in a temporary folder, removed when the test is over. Each `run` is a process of its own to the stores. */
export async function createContentWorld(files: Record<string, string> = {}): Promise<ContentWorld> {
  const root = await mkdtemp(join(tmpdir(), "looplia-content-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const world: ContentWorld = {
    root,
    events: [],
    async write(path, text) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    read: (path) => readFile(join(root, path), "utf8"),
    run: (trigger, model, options = {}) => runIn(world, trigger, model, options),
  };
  for (const [path, text] of Object.entries(files)) await world.write(path, text);
  return world;
}

async function runIn(
  world: ContentWorld,
  trigger: TerminalTrigger,
  model: Model,
  options: RunOptions,
): Promise<RunResult> {
  const builtin = await trustedFolder(INSTALL, "");
  const settings: ContentSettings = {
    pipeline: "writing-kit",
    orchestration: "program",
    model: "scripted",
    limits: { maxTurns: 50 },
    concurrency: 4,
    dryRun: false,
    gate: { policy: [], approval: "risky", sandbox: "auto", settingsFile: "looplia.yml" },
    people: { answerTtlHours: 168, minApprovals: 1, workingDirectory: "." },
    ...options.settings,
  };
  const { configuration, diagnostics } = await loadConfiguration(
    await trustedFolder(world.root, ""),
    builtin,
    {
      prompts: createPrompts(builtin),
      pipeline: settings.pipeline,
    },
  );
  throwIfErrors(diagnostics);
  const state = join(world.root, ".looplia/state");
  let hex = 0;
  const clock = { now: options.now ?? (() => new Date()), elapsed: () => performance.now() };
  const stores = openStores(state, clock);
  const workspace = await openWorkspace(world.root, {
    environment: { PATH: process.env.PATH ?? "" },
    systemTemp: state,
    ...(options.redact === undefined ? {} : { redact: options.redact }),
  });
  return wakeFromTerminal(
    trigger,
    {
      clock,
      ids: {
        hex: (bytes) =>
          (Math.floor(Math.random() * 2 ** 40) + hex++)
            .toString(16)
            .padStart(bytes * 2, "0")
            .slice(-bytes * 2),
      },
      workspace: options.workspace?.(workspace) ?? workspace,
      host: options.host ?? new ScriptedHost([]),
      model,
      stores: options.stores?.(stores) ?? stores,
      observe: (event) => world.events.push(event),
      signal: options.signal ?? new AbortController().signal,
      redact: options.redact ?? redactNothing,
      ...(options.cancellations === undefined ? {} : { cancellations: options.cancellations }),
      configuration,
      tools: new Map(allTools().map((tool) => [tool.name, tool])),
      ...itemFilesBelow(world.root),
    },
    settings,
  );
}

/** Folder names of the sessions, sorted. */
export async function sessionsOf(world: ContentWorld): Promise<string[]> {
  return (await readdir(join(world.root, ".looplia/contentItem")).catch(() => [])).sort();
}

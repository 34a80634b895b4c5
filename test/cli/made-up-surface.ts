// A process that is none: streams that remember, signals on call, and a wiring that runs what a test says.

import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";
import type { CliTrigger, RunSurroundings, Surface, Wiring } from "../../src/cli/surface.ts";
import type { RunResult } from "../../src/core/result.ts";
import { trustedFolder } from "../../src/files/sources.ts";

export type Ran = { code: number; stdout: string; stderr: string; exits: number[]; listeners: number };
export type Script = (
  trigger: CliTrigger,
  around: RunSurroundings,
  world: { send(): void },
) => Promise<RunResult>;
export type Options = {
  nodeVersion?: string;
  environment?: Record<string, string>;
  run?: Script;
  wiring?: Partial<Wiring>;
  /** Called after each write to standard output, with all that was written there. */
  whenSaid?: (stdout: string, world: { send(): void }) => void;
};

const install = join(import.meta.dirname, "../..");

export async function makeFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "looplia-cli-")));
}

/** Runs one command line in `cwd`; nothing of the real process is seen or touched. */
export async function runMain(argv: string[], cwd: string, options: Options = {}): Promise<Ran> {
  const written = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") =>
    ({
      write(text: string) {
        written[name] += text;
        if (name === "stdout") options.whenSaid?.(written.stdout, { send });
      },
      isTTY: false,
      columns: 80,
    }) as unknown as NodeJS.WriteStream;
  const listeners = new Set<(signal: "SIGINT") => void>();
  const exits: number[] = [];
  const surface: Surface = {
    cwd,
    nodeVersion: options.nodeVersion ?? process.versions.node,
    environment: { USER: "ada", ...options.environment },
    stdin: { isTTY: false } as unknown as NodeJS.ReadStream,
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    elapsed: () => performance.now(),
    onSignal(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    exit: (code) => void exits.push(code),
  };
  const send = () => {
    for (const listener of listeners) listener("SIGINT");
  };
  const code = await main(argv, surface, async () => makeWiring(options, send));
  return { code, ...written, exits, listeners: listeners.size };
}

function makeWiring({ run, wiring }: Options, send: () => void): Wiring {
  const silent = {
    canAsk: false,
    ask: async () => "nobody" as const,
    async taskEnded() {},
    async secure() {},
  };
  return {
    run: async (trigger, around) => {
      if (!run) throw new Error(`nothing was to run: ${JSON.stringify(trigger)}`);
      return run(trigger, around, { send });
    },
    terminalHost: async () => silent,
    demoHost: async () => silent,
    readStores: () => async () => undefined,
    readFiles: async (root) => ({
      trusted: await trustedFolder(root, ""),
      builtin: await trustedFolder(install, ""),
    }),
    readCheckout: async () => ({}),
    findRelease: async () => undefined,
    programPackages: async () => ({ claude: "claude-package@1.0.0", codex: "codex-package@2.0.0" }),
    choose: async () => undefined,
    expireStates: async () => ({ expired: [], kept: 0 }),
    readAudit: async () => ({ status: "verified", sessions: [], compared: [], unreached: [] }),
    readLines: async () => ({ lines: [], audit: { ok: true, count: 0, head: "" } }),
    replay: async () => ({ status: "completed", turns: 0, compared: 0 }),
    probeGit: async () => ({ version: "git version 2.0" }),
    routes: async () => [],
    probeIsolation: async () => ({ kind: "bubblewrap", network: false }),
    priceLists: async () => [{ of: "Anthropic", asOf: "2026-11-21", source: "a page", days: 2 }],
    probeLimits: async () => ({ memory: 6 * 1024 ** 3, isKept: false }),
    taskSessions: async () => [],
    standingApprovals: async () => [],
    revokeApproval: async () => undefined,
    hasSources: async () => false,
    probeProvider: async () => "answered",
    probeStateRef: async () => undefined,
    probeGithub: async () => undefined,
    installFolder: install,
    version: "1.2.3",
    defaultModels: new Map([["anthropic", "claude-x"]]),
    ...wiring,
  };
}

// The process of an agent program: located outside the repository, isolated, connected line by line, and
// ended with all its children.
import type { ChildProcess } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from "node:fs";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { LoopliaError } from "../core/errors.ts";
import { type Isolator, type Launch, openIsolation } from "../sandbox/isolation.ts";
import { findOwnTool, ownSearchPath, writableFolders } from "../sandbox/own-tools.ts";
import { shellBefore } from "./bridge.ts";

/** `claude` and `codex`: the name of the provider, and of the file on the search path. */
export type ProgramName = "claude" | "codex";
export const PACKAGES: Readonly<Record<ProgramName, string>> = {
  claude: "@anthropic-ai/claude-code",
  codex: "@openai/codex",
};

export type ProgramPlace = {
  name: ProgramName;
  /** The worktree: no program in it is ever started, and the agent program does not see it. */
  root: string;
  /** The environment of commands; contains no key. */
  environment: Readonly<Record<string, string>>;
  sandbox: "auto" | "required" | "off";
  /** The script between the program and the runner's socket. */
  bridge: string;
  /** The parent of the conversations' folders. */
  temporary: string;
  /** How long the program may be silent during its turn. */
  silenceMs?: number;
};

/** An installed program. `base`: the file or folder that must be visible to start it. */
export type Installed = {
  path: string;
  kind: "binary" | "node" | "script";
  base: string;
  version: string | undefined;
};

/** Throws `config-invalid` with advice if the program is not installed. */
export function findInstalled({ name, root, environment }: ProgramPlace): Installed {
  const tool = findOwnTool(name, environment.PATH ?? "", writableFolders(root));
  if (!tool) {
    throw new LoopliaError(
      "config-invalid",
      `The provider ${name} needs the program \`${name}\`, which is not installed.`,
      {
        hint: `Install it before this step, outside the repository: \`npm install --global ${PACKAGES[name]}\` (docs/agents.md has the whole workflow).`,
      },
    );
  }
  const path = nativeOf(tool.path());
  const packages = path.indexOf(`${sep}node_modules${sep}`);
  return {
    path,
    kind: kindOf(firstBytes(path)),
    base: packages < 0 ? path : path.slice(0, packages + `${sep}node_modules`.length),
    version: versionOf(tool.path(), PACKAGES[name]),
  };
}

/** The program that Codex's script would start, because starting Node for it takes 40 ms; else the path itself. */
function nativeOf(path: string): string {
  const script = join("@openai", "codex", "bin", "codex.js");
  if (!path.endsWith(sep + script)) return path;
  const vendor = join(path.slice(0, -script.length), "@openai", `codex-linux-${process.arch}`, "vendor");
  const targets = existsSync(vendor) ? readdirSync(vendor) : [];
  const found = targets.map((target) => join(vendor, target, "bin", "codex")).find(existsSync);
  return found ?? path;
}

function kindOf(bytes: string): Installed["kind"] {
  if (!bytes.startsWith("#!")) return "binary";
  return /^#!.*\bnode\b/.test(bytes) ? "node" : "script";
}

function firstBytes(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(80);
    return bytes.toString("latin1", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** From its package, because asking the program takes as long as starting it. */
function versionOf(path: string, name: string): string | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (!existsSync(path)) continue;
    const own = JSON.parse(readFileSync(path, "utf8")) as { name?: unknown; version?: unknown };
    return own.name === name ? String(own.version) : undefined;
  }
  return undefined;
}

/** Isolation for one conversation's folder. Throws `config-invalid` if it is missing and was not switched off. */
export function isolate(place: ProgramPlace, folder: string, own: Installed["kind"]): Isolator {
  // In the conversation's folder, with which it goes, and which the program sees without it.
  const temporary = join(folder, "system");
  mkdirSync(temporary, { recursive: true });
  // Commands can't write to the conversation's folder, but to the worktree.
  const PATH = ownSearchPath(place.environment.PATH ?? "", writableFolders(place.root));
  const isolator = openIsolation({
    isBare: own !== "script",
    ...{ sandbox: place.sandbox, network: false, root: folder, environment: { ...place.environment, PATH } },
    ...{ closed: [place.root, temporary], temporary, warn: () => {} },
  });
  const { kind, reason, isOff } = isolator.isolation;
  if (kind === "none" && !isOff) {
    throw new LoopliaError(
      "config-invalid",
      `The provider ${place.name} only runs isolated, and ${reason}.`,
      {
        hint: "Fix this machine, or set `sandbox: off`: the program then runs with the permissions of this process, but still without tools of its own and without the key.",
      },
    );
  }
  return isolator;
}

/** An empty search path would be the current folder. */
const NOWHERE = "/nowhere";

/**
 * The program's paths; the same on every machine if it is isolated. Then `bridge` is the command that leads from a
 * loopback port to the runner's socket.
 */
type Stage = {
  bridge: [node: string, script: string] | undefined;
  command: string[];
  mounts: string[];
  /** Empty for a binary: it has no tools, and would only try out what it could start. */
  searchPath: string | undefined;
};

/** Prepares everything below `folder`; files of the machine are mounted there, never copied. */
export function setStage(
  { bridge }: ProgramPlace,
  installed: Installed,
  { folder, isolator }: { folder: string; isolator: Isolator },
): Stage {
  const { path, base, kind } = installed;
  const start = (node: string, program: string) => (kind === "node" ? [node, program] : [program]);
  const searchPath = kind === "binary" ? NOWHERE : undefined;
  if (isolator.isolation.kind === "none") {
    return { bridge: undefined, command: start(process.execPath, path), mounts: [], searchPath };
  }
  const at = (name: string) => join(folder, "bin", name);
  const inside = {
    node: at("node"),
    bridge: at(basename(bridge)),
    program: at(base === path ? "program" : "node_modules"),
  };
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const file of [inside.node, inside.bridge]) writeFileSync(file, "");
  if (base === path) writeFileSync(inside.program, "");
  else mkdirSync(inside.program, { recursive: true });
  const from = [process.execPath, bridge, base];
  const to = [inside.node, inside.bridge, inside.program];
  const fast = join(folder, "fast");
  return {
    bridge: [inside.node, inside.bridge],
    command: start(inside.node, inside.program + path.slice(base.length)),
    mounts: [...from.flatMap((path, index) => ["--ro-bind", path, to[index] ?? ""]), "--tmpfs", fast],
    searchPath,
  };
}

/** Where the program reaches the runner. Its connections wait until somebody serves them. */
export type Entrance = {
  socket: string;
  /** Of the loopback interface, for a program that is not isolated. */
  port: number | undefined;
  serve(take: (connection: Socket) => void): void;
  /** Tells the bridge to end the program; set by whoever serves. */
  loosen(): void;
  close(): void;
};

type StartPlan = {
  launch: Launch;
  stage: Stage;
  /** The conversation's folder, with `work`, `home` and `fast`, which no process after this one sees. */
  folder: string;
  entrance: Entrance;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
};

/** Called with the program's output and its end. */
export type Listener = {
  line(text: string): void;
  ended(process: ProgramProcess, how: string, complaint: string): void;
};

/** The only port of an isolated program. */
const PORT = 4000;

const MAX_COMPLAINT = 2_000;
/** After the bridge was told to end the program. A cancelled job has 7.5 s in total. */
const GRACE_MS = 2_000;

/** A process from its start to its end. */
export class ProgramProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  readonly #terminate: () => void;
  #isAbandoned = false;
  isAlive = true;

  constructor(plan: StartPlan, listener: Listener) {
    const { launch } = plan;
    const { words, environment, cwd } = describeStart(plan);
    // Not imported at the top: runs without an agent program load this file too.
    const { spawn } = process.getBuiltinModule("node:child_process");
    const child = spawn(words[0] ?? "", words.slice(1), {
      cwd,
      env: environment,
      stdio: "pipe",
      detached: true,
    });
    this.#terminate = plan.stage.bridge ? () => plan.entrance.loosen() : () => void child.kill("SIGTERM");
    this.#child = child;
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-MAX_COMPLAINT);
    });
    child.stdin.on("error", () => {}); // it may have ended, which its end event reports
    const hear = eachLine((line) => listener.line(line));
    child.stdout.on("data", hear).on("end", () => hear(Buffer.from("\n")));
    this.#gone = new Promise((resolve) => {
      let failed: string | undefined;
      child.on("error", (error) => {
        failed = error.message;
      });
      child.on("close", (code, signal) => {
        // Without isolation, its children may still be there.
        this.kill();
        this.isAlive = false;
        launch.finish();
        listener.ended(this, failed ?? howEnded(code, signal), complaint.trim());
        resolve();
      });
    });
  }

  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Tells the program to end. */
  terminate(): void {
    if (this.isAlive) this.#terminate();
  }

  /** Resolves when the process and all its children are gone; kills them after `graceMs`. */
  async end(graceMs = GRACE_MS): Promise<void> {
    const timer = setTimeout(() => this.kill(), graceMs);
    if (this.#isAbandoned) timer.unref();
    await this.#gone;
    clearTimeout(timer);
  }

  /** Kills it, and this process can end before the system has taken it apart. */
  abandon(): void {
    this.#isAbandoned = true;
    this.kill();
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
  }

  /** Isolated processes die with the first process of their namespace. */
  kill(): void {
    if (!this.isAlive || this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // Already gone.
    }
  }
}

/** Takes bytes in whatever pieces they arrive. Ends lines at line feeds only: JSON may contain other separators. */
export function eachLine(take: (line: string) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder();
  let rest = "";
  return (bytes) => {
    const lines = (rest + decoder.write(bytes)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(line);
  };
}

/** The process and its arguments, with the address of its model in place of `@PORT@`. */
function describeStart({ folder, entrance, stage, launch, args, environment }: StartPlan) {
  const { bridge, command, mounts } = stage;
  const outside = launch.environment.PATH ?? "/usr/bin:/bin";
  const searchPath = stage.searchPath ?? outside;
  const port = String(bridge ? PORT : entrance.port);
  const fill = (text: string) => text.replaceAll("@PORT@", port);
  const work = join(folder, "work");
  const own = [...command, ...args.map(fill)];
  const filled = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
  if (!bridge) return { words: own, environment: { ...filled, PATH: searchPath }, cwd: work };
  // The stage's mounts precede the last word, which ends bubblewrap's own arguments.
  const before = launch.before.toSpliced(-1, 0, ...mounts);
  const shell = shellBefore(bridge, { socket: entrance.socket, port }, { folder: work, searchPath });
  return { words: [...before, ...shell, ...own], environment: { ...filled, PATH: outside }, cwd: "/" };
}

/** Bubblewrap reports a signal as a shell does. */
function howEnded(code: number | null, signal: string | null): string {
  if (signal !== null) return `signal ${signal}`;
  const [name] = Object.entries(constants.signals).find(([, number]) => 128 + number === code) ?? [];
  return name === undefined ? `exit code ${code}` : `signal ${name}`;
}

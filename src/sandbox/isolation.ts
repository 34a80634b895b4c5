// Isolates commands with bubblewrap if it works.
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError, messageOf, quietly } from "../core/errors.ts";
import type { Network } from "../core/interaction.ts";
import type { Isolation } from "../core/ports.ts";
import { type CommandLimits, standardLimits } from "./limits.ts";
import { mountArguments, openCover } from "./mounts.ts";
import { findGit, findOwnTool, type OwnTool, writableFolders } from "./own-tools.ts";
import type { Bridge } from "./proxy.ts";
import { isolatedEnvironment } from "./visible.ts";

// Whether bubblewrap works on this machine, and what to do if not.

const PROBE_MS = 10_000;
const RESTRICTION = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

/** Runs `true` under bubblewrap with these arguments. Undefined if that works, else the error output. */
function tryBubblewrap(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
): string | undefined {
  // Not imported at the top: it takes 10 ms and more, and most runs reach the model without it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const tried = spawnSync(program, [...args, "--", "/bin/sh", "-c", "true"], {
    env: environment,
    cwd: "/",
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    timeout: PROBE_MS,
  });
  if (tried.status === 0) return undefined;
  return tried.stderr?.trim().split("\n").at(-1) || tried.error?.message || `exit code ${tried.status}`;
}

/** The arguments with which bubblewrap worked in this process, by its path. */
const worked = new Map<string, string[]>();

/** Tries bubblewrap beside other work, so that the first isolation does not wait for that. Never throws. */
export async function tryAhead({ environment, root }: Pick<IsolationOptions, "environment" | "root">) {
  const tool = findOwnTool("bwrap", environment.PATH ?? "", writableFolders(root));
  if (tool === undefined) return;
  const path = tool.path();
  const { execFile } = process.getBuiltinModule("node:child_process");
  const args = [...NAMESPACES, NO_MORE_NAMESPACES];
  const words = [...args, "--unshare-net", "--ro-bind", "/", "/", "--", "/bin/true"];
  await new Promise<void>((resolve) => {
    execFile(path, words, { env: environment, cwd: "/", timeout: PROBE_MS }, (error) => {
      if (!error) worked.set(path, args);
      resolve();
    });
  });
}

/**
 * Why there is no isolation and what to do, in one line. `said`: bubblewrap's output; undefined: not
 * installed.
 */
export function explainAbsence(
  said: string | undefined,
  facts: { platform: string; isRestricted: boolean },
): string {
  if (facts.platform !== "linux") return "bubblewrap runs on Linux only; use a Linux runner or container";
  if (said === undefined) {
    return `bubblewrap is not installed; install it, for example \`sudo apt-get install -y bubblewrap\`; ${ADD_STEP}`;
  }
  if (facts.isRestricted) {
    return `AppArmor prevents bubblewrap from creating namespaces, as ubuntu-24.04 does (${said}); ${ALLOW_IN_APPARMOR}`;
  }
  return `bubblewrap does not work here (${said}); ${ALLOW_NAMESPACES}`;
}

/** True if AppArmor allows user namespaces only to programs with their own profile. */
function isRestrictedByAppArmor(): boolean {
  return quietly(() => readFileSync(RESTRICTION, "utf8"))?.trim() === "1";
}

const PROFILE = "bwrap-userns-restrict";
const ADD_STEP = "in a workflow, add the step `looplia-action/isolation` before this one (docs/setup.md)";
const ALLOW_IN_APPARMOR = [
  `${ADD_STEP}, or load its profile:`,
  `\`sudo apt-get install -y apparmor-profiles && sudo cp /usr/share/apparmor/extra-profiles/${PROFILE} /etc/apparmor.d/`,
  `&& sudo apparmor_parser -r /etc/apparmor.d/${PROFILE}\`,`,
  "or else `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
].join(" ");
const ALLOW_NAMESPACES =
  "allow user namespaces: `sudo sysctl -w user.max_user_namespaces=10000`, and a container needs `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`";

// Nested repositories: their hooks and configuration would run when a person uses git there.

/** The `.git` of every nested repository and submodule below `root`, in any order. Skips `node_modules`. */
function findNestedGit(root: string): string[] {
  const found: string[] = [];
  const folders = [root];
  for (const folder of folders) {
    // A command can't change an unreadable folder either; or it is gone.
    for (const entry of quietly(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const path = join(folder, entry.name);
      if (entry.name.toLowerCase() === ".git") {
        if (folder !== root && !entry.isSymbolicLink()) found.push(path);
      } else if (entry.isDirectory() && entry.name !== "node_modules") folders.push(path);
    }
  }
  return found;
}

/** How to start a program with the isolation in `isolation`. */
export type Launch = {
  /** Precedes the program and its arguments; empty without isolation. */
  before: string[];
  environment: Record<string, string>;
  /**
   * Shell commands that run first: report on standard error that isolation is up, set limits, close inherited
   * descriptors.
   */
  setUp: string;
  limits: CommandLimits;
  /** Call this when the command has ended. */
  finish(): void;
};

export type Isolator = {
  /** Determined on first use, in about 10 ms, and never changes. */
  readonly isolation: Isolation;
  /**
   * Throws `config-invalid` if isolation is required but missing. `network`: overrides the commands' network
   * access.
   */
  launch(network?: boolean, reach?: Reach): Promise<Launch>;
  /** Removes files that commands left outside the worktree, and covers of `.git` from killed runs. */
  close(): Promise<void>;
};

/** Which files one program may use, besides those of every command. Paths are absolute. */
type Reach = {
  /** Paths in the worktree that it can only read. */
  kept?: readonly string[];
  /** It can only read the whole worktree. */
  isReadOnly?: boolean;
  /** Further paths that it can read. */
  shown?: readonly string[];
  /** Paths in a read-only worktree that it can write. */
  written?: readonly string[];
  /** Where it starts, if not in the worktree's root. */
  folder?: string;
};

type IsolationOptions = {
  sandbox: "auto" | "required" | "off";
  network: Network;
  /** The real folder that commands may write. */
  root: string;
  environment: Record<string, string>;
  /** Folders that no command may see: state, the runner's files, the checkout with its credentials. */
  closed: readonly (string | undefined)[];
  /** Absolute paths that commands may read, besides the system's programs and the toolchains. */
  shown?: readonly (string | undefined)[];
  /** The parent of the folder for commands' homes and caches. */
  temporary: string;
  /** Per command; the standard limits if absent. */
  limits?: CommandLimits;
  /** Shows no toolchains and no package caches: for a program that starts no others. */
  isBare?: boolean;
  /** Called once if there is no isolation. */
  warn(message: string): void;
};

/** User, processes, memory segments, host name, control groups; no capability, and no way to gain one. */
const NAMESPACES =
  "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent".split(
    " ",
  );
/** Since bubblewrap 0.8; ubuntu-22.04 has an older one. */
const NO_MORE_NAMESPACES = "--disable-userns";

/** Does nothing before its first use, to keep the time to the first model request short. */
export function openIsolation(options: IsolationOptions): Isolator {
  let found: Found | undefined;
  let scratch: string | undefined;
  let kept: string[] | undefined;
  const environment = isolatedEnvironment(options.environment, findGit(options.root) !== undefined);
  const limits = options.limits ?? standardLimits();
  const ownFolder = (): string => {
    scratch ??= mkdtempSync(join(options.temporary, "looplia-commands-"));
    return scratch;
  };
  const bridges = openBridges(() => join(ownFolder(), "network"));
  const mounts = (reach: Reached = {}): string[] => {
    // As of the first command, because later repositories are the commands' own.
    kept ??= findNestedGit(options.root);
    return mountsOf(options, ownFolder(), { ...reach, kept: [...kept, ...(reach.kept ?? [])] });
  };
  const cover = openCover(join(options.root, ".git"));
  const look = () => {
    if (found) return found;
    found = options.sandbox === "off" ? { isolation: OFF } : probe(options, environment, mounts, cover);
    warnOfAbsence(found.isolation, options);
    return found;
  };
  return {
    get isolation() {
      return look().isolation;
    },
    async launch(network, reach = {}) {
      const { program, isolation } = look();
      if (!program) {
        if (options.sandbox === "required") throw refusal(isolation.reason ?? "");
        return { before: [], environment: options.environment, setUp: "", limits, finish: () => {} };
      }
      const reached = network ?? options.network;
      const bridge = await bridges.find(reached);
      const isOpen = reached === true;
      const net = isOpen ? [] : ["--unshare-net"];
      const shown = mounts({ ...reach, isOpen, bridge });
      const before = [program.tool.path(), ...program.args, ...net, ...shown, "--"];
      return {
        before,
        environment: { ...environment, ...bridge?.environment },
        setUp: `${setUpShell(limits)}${bridge?.setUp ?? ""}`,
        limits,
        finish: cover.hold(),
      };
    },
    async close() {
      cover.clean();
      await bridges.close();
      if (scratch === undefined) return;
      const left = scratch;
      scratch = undefined;
      await removeScratch(left);
    },
  };
}

/** The options of a single command. */
type Reached = Reach & { isOpen?: boolean; bridge?: Bridge | undefined };

function mountsOf(
  options: IsolationOptions,
  scratch: string,
  { isOpen = false, kept = [], isReadOnly = false, bridge, ...reach }: Reached,
): string[] {
  const given = (paths: readonly (string | undefined)[] = []) => paths.filter((path) => path !== undefined);
  const [closed, shown] = [given(options.closed), given(options.shown)];
  // A command with network access fetches packages and needs room for them.
  const isFetching = isOpen || bridge?.isLocal === false;
  return mountArguments({
    ...{ ...options, closed, shown, isFetching, isReadOnly, scratch, kept },
    isBare: options.isBare === true,
    moved: [...(bridge?.shown ?? []), ...(reach.shown ?? []).map((path) => [path, path] as const)],
    written: reach.written ?? [],
    folder: reach.folder ?? options.root,
  });
}

function warnOfAbsence({ kind, reason }: Isolation, { network, warn }: IsolationOptions): void {
  const more = typeof network === "boolean" ? "" : " So the list of `network` limits nothing.";
  if (kind === "none") warn(`Commands are not isolated: ${reason}.${more}`);
}

/** One proxy for all commands, opened by the first that may reach hosts. `socket`: its path. */
function openBridges(socket: () => string) {
  let proxy: Promise<{ close(): void }> | undefined;
  return {
    async find(network: Network): Promise<Bridge | undefined> {
      if (typeof network === "boolean") return undefined;
      // Not imported at the top: it loads Node's HTTP, and most runs list no hosts.
      const { describeBridge, openProxy } = await import("./proxy.ts");
      proxy ??= openProxy(socket(), network);
      await proxy;
      return describeBridge(socket(), network);
    },
    async close() {
      (await proxy?.catch(() => undefined))?.close();
      proxy = undefined;
    },
  };
}

/** Removes the folder, including locked folders. A remainder is no failure of the run. */
export async function removeScratch(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true });
  await remove()
    .catch(() => unlock(folder).then(remove))
    .catch(() => undefined);
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await unlock(join(folder, entry.name));
}

/** `program`: bubblewrap and its constant arguments. */
type Found = { isolation: Isolation; program?: { tool: OwnTool; args: string[] } };

const OFF: Isolation = { kind: "none", network: true, reason: "the setting `sandbox` is `off`", isOff: true };

function probe(
  options: IsolationOptions,
  environment: Record<string, string>,
  mounts: () => string[],
  cover: ReturnType<typeof openCover>,
): Found {
  const none = (reason: string) => ({ isolation: { kind: "none" as const, network: true, reason } });
  const tool = findOwnTool("bwrap", options.environment.PATH ?? "", writableFolders(options.root));
  const facts = { platform: process.platform, isRestricted: isRestrictedByAppArmor() };
  if (tool === undefined || facts.platform !== "linux") return none(explainAbsence(undefined, facts));
  let uncover = (): void => {};
  try {
    let said: string | undefined;
    const seen = mounts();
    const isolated = (args: string[]) => ({
      isolation: { kind: "bubblewrap" as const, network: options.network },
      program: { tool, args },
    });
    const known = worked.get(tool.path());
    if (known) return isolated(known);
    uncover = cover.hold();
    for (const extra of [[NO_MORE_NAMESPACES], []]) {
      const before = [...NAMESPACES, ...extra];
      // Tested without network, because that is the harder case.
      said = tryBubblewrap(tool.path(), [...before, "--unshare-net", ...seen], environment);
      if (said !== undefined) continue;
      worked.set(tool.path(), before);
      return isolated(before);
    }
    return none(explainAbsence(said ?? "", facts));
  } catch (error) {
    return none(messageOf(error));
  } finally {
    uncover();
  }
}

const MOST_FILE_BYTES = 4 * 1024 ** 3;

/** Sizes in blocks of 512 bytes, as in every other shell; what the runner left open is not the command's. */
const BASH_SET_UP = `set -o posix; for f in /proc/self/fd/*; do f=\${f##*/}; if [ "$f" -gt 2 ]; then eval "exec $f>&-"; fi; done`;

/**
 * Per process: writable memory, file size, no core dumps. In total: processes and threads, which the kernel
 * counts per user namespace (never for root).
 */
function setUpShell({ memory, processes }: CommandLimits): string {
  const all = [
    "ulimit -c 0",
    `ulimit -f ${MOST_FILE_BYTES / 512}`,
    `ulimit -d ${Math.floor(memory / 1024)}`,
    `ulimit -u ${processes} || ulimit -p ${processes}`,
  ];
  return `echo started >&2; if [ -n "$BASH_VERSION" ]; then ${BASH_SET_UP}; fi; { ${all.join("; ")}; } 2>/dev/null; `;
}

function refusal(reason: string): LoopliaError {
  return new LoopliaError("config-invalid", `No command runs: \`sandbox\` is \`required\`, and ${reason}.`, {
    hint: "Continue without commands; a person can fix the machine, or set `sandbox: auto` to approve each command",
  });
}

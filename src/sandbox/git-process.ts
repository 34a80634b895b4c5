// Runs git for the program: no shell, no hooks, no drivers, no foreign configuration.
import type { ChildProcessByStdio } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { LoopliaError } from "../core/errors.ts";
import { findOwnTool, type OwnTool, ownSearchPath, writableFolders } from "./own-tools.ts";

const PASSED_ON = new Set(
  "PATH TMPDIR TEMP SYSTEMROOT LD_LIBRARY_PATH GIT_EXEC_PATH GIT_SSL_CAINFO GIT_SSL_CAPATH SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY".split(
    " ",
  ),
);
/** The sources of programs and libraries. */
const LOADED_FROM = new Set(["PATH", "LD_LIBRARY_PATH", "GIT_EXEC_PATH"]);
const SETTINGS = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.autocrlf", "false"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["credential.helper", ""],
  ["commit.gpgSign", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
  ["http.lowSpeedLimit", "1000"],
  ["http.lowSpeedTime", "60"],
] as const;
/** The newer protocol asks for the capabilities first, and a list of refs is whole either way. */
const LISTS = ["protocol.version", "0"] as const;

type GitResult = { exitCode: number; stdout: Buffer; stderr: string };
type Ended = GitResult & { signal: NodeJS.Signals | null };
export type GitCall = {
  cwd?: string;
  /** Uses this worktree with its own records and index; never reads a `.git` in the folder. */
  worktree?: { root: string; records: string; index: string };
  /** Absolute path of an index other than the repository's. */
  index?: string;
  input?: string | Uint8Array;
  /** Sends the token to the remote in this call. */
  authorized?: boolean;
  /** Exit codes besides 0 that are no failure. */
  answers?: readonly number[];
};
/** Throws `host-failed` for an exit code that is neither 0 nor in `answers`. */
export type Git = ((args: readonly string[], call?: GitCall) => Promise<GitResult>) & {
  readonly folder: string;
  /** Whether the folder is a bare clone that only this process writes to. */
  readonly isClone: boolean;
  /** Starts a process that the caller talks to and ends. */
  start(args: readonly string[]): GitProcess;
};
export type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The environment for git: the search path, proxies and certificates only. Programs and libraries never come
 * from `writable`, the folders that commands can write to.
 */
export function gitEnvironment(
  environment: Record<string, string | undefined>,
  writable: readonly string[] = [],
): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !PASSED_ON.has(name.toUpperCase())) continue;
    const own = LOADED_FROM.has(name.toUpperCase()) ? ownSearchPath(value, writable) : value;
    if (own !== "" || value === "") chosen[name] = own;
  }
  return chosen;
}

/**
 * git ignores `NODE_EXTRA_CA_CERTS`, so it gets a file with these and all certificates that Node and the
 * system trust.
 */
function trustedCertificates(place: { home: string; environment: Record<string, string> }) {
  const { NODE_EXTRA_CA_CERTS: extra, GIT_SSL_CAINFO: own } = place.environment;
  if (!extra || own) return {};
  const tls = process.getBuiltinModule("node:tls");
  // Node 20 can't list the system's certificates.
  const system = "getCACertificates" in tls ? tls.getCACertificates("system") : [];
  const file = join(place.home, "certificates.pem");
  writeFileSync(file, [...tls.rootCertificates, ...system, readFileSync(extra, "utf8")].join("\n"));
  return { GIT_SSL_CAINFO: file };
}

/**
 * A git that runs in `folder` with only the given environment; `home` is an empty folder of its own. Sends
 * the token as checkout does, only to the origin of `remote`.
 */
export function createGit(place: {
  folder: string;
  home: string;
  remote: string;
  token: string | undefined;
  environment: Record<string, string>;
  /** Folders that commands can write to: a git in them is never started. */
  writable?: readonly string[];
  isClone?: boolean;
}): Git {
  const tool = findOwnTool("git", place.environment.PATH ?? "", place.writable ?? []);
  const secrets = place.token ? [place.token, basicCredential(place.token)] : [];
  let trusted: Record<string, string> | undefined;
  const { folder, isClone = false } = place;
  const start = (args: readonly string[]) =>
    startGit(tool, args, { folder, environment: environmentOf(place, args, false) });
  const call: Git = Object.assign(runGit, { folder, isClone, start });
  return call;

  async function runGit(args: readonly string[], call: GitCall = {}): Promise<GitResult> {
    const environment = environmentOf(place, args, call.authorized === true);
    if (call.authorized) {
      trusted ??= trustedCertificates(place);
      Object.assign(environment, trusted);
    }
    const { worktree, index = worktree?.index } = call;
    if (worktree) Object.assign(environment, { GIT_DIR: worktree.records, GIT_WORK_TREE: worktree.root });
    if (index !== undefined) Object.assign(environment, { GIT_INDEX_FILE: index });
    const around = { folder: worktree?.root ?? call.cwd ?? place.folder, environment, input: call.input };
    const result = await patiently(args, () => run(tool, args, around));
    if (result.exitCode === 0 || call.answers?.includes(result.exitCode)) return result;
    throw failure(args, result, secrets);
  }
}

function environmentOf(
  place: Pick<Parameters<typeof createGit>[0], "environment" | "home" | "remote" | "token">,
  [command]: readonly string[],
  isAuthorized: boolean,
): Record<string, string> {
  const header = isAuthorized && place.token ? authorization(place.remote, place.token) : [];
  const lists = command === "ls-remote" ? [LISTS] : [];
  return {
    ...place.environment,
    ...configEnvironment([...SETTINGS, ...lists, ...header]),
    HOME: place.home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

const READS: readonly (string | undefined)[] = ["fetch", "ls-remote"];
const WAITS_MS = [500, 2_000];
const HICCUP =
  /returned error: (?:5\d\d|429)|RPC failed|early EOF|hung up|Empty reply|Could not resolve|Failed to connect|Connection (?:reset|refused|timed out)/i;

/** Retries a read from the remote twice after a failure of the server or the network. */
async function patiently(args: readonly string[], attempt: () => Promise<Ended>): Promise<Ended> {
  let result = await attempt();
  for (const wait of READS.includes(args[0]) ? WAITS_MS : []) {
    if (result.exitCode === 0 || !HICCUP.test(result.stderr) || /too slow/i.test(result.stderr)) break;
    await new Promise((resolve) => setTimeout(resolve, wait));
    result = await attempt();
  }
  return result;
}

function run(
  tool: OwnTool | undefined,
  args: readonly string[],
  around: { folder: string; environment: Record<string, string>; input: string | Uint8Array | undefined },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = startGit(tool, args, around);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on("error", () => {}); // a child that ends early reports the reason on standard error
    child.on("error", (cause) =>
      reject(new LoopliaError("host-failed", "git could not be started", { hint: "install git", cause })),
    );
    child.on("close", (code, signal) =>
      resolve({
        exitCode: code ?? 128,
        signal,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString("utf8"),
      }),
    );
    child.stdin.end(around.input ?? "");
  });
}

function startGit(
  tool: OwnTool | undefined,
  args: readonly string[],
  { folder, environment }: { folder: string; environment: Record<string, string> },
): GitProcess {
  if (!tool) throw notFound();
  // Not imported at the top: the command line reaches the model without git.
  const { spawn } = process.getBuiltinModule("node:child_process");
  return spawn(tool.path(), ["--no-pager", ...args], {
    argv0: "git", // the program may be a link to a binary with many names
    cwd: folder,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function notFound(): LoopliaError {
  const hint = "Install git, and put it on the PATH before folders of the project";
  return new LoopliaError(
    "host-failed",
    "There is no git on the PATH outside of folders that commands can write to",
    {
      hint,
    },
  );
}

function configEnvironment(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  settings.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return environment;
}

function authorization(remote: string, token: string): (readonly [string, string])[] {
  if (!/^https?:/.test(remote)) return [];
  return [
    [`http.${new URL(remote).origin}/.extraheader`, `AUTHORIZATION: basic ${basicCredential(token)}`],
    ["http.followRedirects", "false"],
  ];
}

function basicCredential(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString("base64");
}

function failure(args: readonly string[], result: Ended, secrets: readonly string[]): LoopliaError {
  let said = result.stderr
    .trim()
    .split("\n")
    .slice(isProtected(result) ? -30 : -5)
    .join("\n");
  for (const secret of secrets) said = said.replaceAll(secret, "***");
  if (/Could not resolve host|Failed to connect|Connection refused|timed out/i.test(said)) {
    said += "\ncheck the network and run again";
  }
  const hint = hintFor(said);
  return new LoopliaError(
    "host-failed",
    `git ${args.find((word) => !/^-|=/.test(word)) ?? ""} failed: ${said || result.signal || `exit code ${result.exitCode}`}`,
    {
      ...(hint === undefined ? {} : { hint }),
    },
  );
}

/** GitHub prints many lines on the violated rule or the found key before git lists the refs. */
function isProtected({ stderr }: Ended): boolean {
  return /GH0(?:06|13)|push protection/i.test(stderr);
}

const BRANCH_RULES =
  "give the job `permissions: contents: write` and exempt the branch prefix from the repository's rules";

// Only errors that another try can't fix have a hint, which tells callers not to retry.
function hintFor(said: string): string | undefined {
  if (/does not support --atomic/i.test(said)) {
    return "the state of a work and its branch are pushed together, which this server does not support: update it, or use one that does";
  }
  if (/push cannot contain secrets|push protection/i.test(said)) {
    return "GitHub's push protection found a key in a commit of the branch: take it out of the file, or let the link above through if it is none, then run again";
  }
  if (/must have verified signatures/i.test(said)) {
    return "the branch's rules require signed commits: set `commits: api` in looplia.yml, so that GitHub makes and signs them (docs/setup.md, Signed commits)";
  }
  // Refs are pushed together, so a rejected branch also rejects the state ref.
  if (/GH0(?:06|13): [^\n]* refs\/heads\//i.test(said)) return BRANCH_RULES;
  if (/hidden ref|refs\/(?!heads\/)\S+ .*\b(declined|refused|not allowed|prohibited)/i.test(said)) {
    return "the server refuses such refs: set `state-ref-prefix: refs/heads/looplia-state/`";
  }
  if (/without `?workflows`? permission/i.test(said)) {
    return "the job's token may not change workflows: take them out of the branch, or push them yourself";
  }
  if (/GH001|exceeds GitHub's file size limit/i.test(said)) return "leave out large files with .gitignore";
  if (/\b403\b|denied|not allowed|protected branch|hook declined|GH006|GH013/i.test(said)) {
    return BRANCH_RULES;
  }
  if (/\b401\b|Authentication failed|could not read Username/i.test(said)) {
    return "check the github-token: it is missing, expired or for another repository";
  }
  return undefined;
}

// The git that the program uses, for `doctor`.

/** Git's version, and the folder of the repository that contains `root`. Throws `host-failed` without git. */
export async function probeGit(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ version: string; repository?: string }> {
  const git = localGit(root, environment);
  const version = (await git(["--version"])).stdout.toString("utf8").trim();
  const found = await git(["rev-parse", "--show-toplevel"], { answers: [128] });
  const repository = found.stdout.toString("utf8").trim();
  return { version, ...(repository === "" ? {} : { repository }) };
}

function localGit(root: string, environment: Readonly<Record<string, string | undefined>>): Git {
  const writable = writableFolders(root);
  const place = { folder: root, home: "/dev/null", remote: "", token: undefined, writable };
  return createGit({ ...place, environment: gitEnvironment(environment, writable) });
}

/** Whether the index has a file in a folder. False without git, and outside a repository. */
export async function isTracked(
  root: string,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  try {
    const listed = await localGit(root, environment)(["ls-files", "-z", "--", folder], { answers: [128] });
    return listed.stdout.length > 0;
  } catch (error) {
    if (error instanceof LoopliaError) return false;
    throw error;
  }
}

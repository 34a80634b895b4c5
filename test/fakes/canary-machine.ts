// A machine with a key in every place where runners and people keep them, made below one folder.
import { execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Isolation } from "../../src/core/ports.ts";
import type { CanaryTask } from "./canary-process.ts";
import { type CanaryPlaces, FILES_OF_MACHINE, FILES_WITH_KEYS } from "./canary-ways.ts";

export type CanaryMachine = {
  key: string;
  root: string;
  places: CanaryPlaces;
  /** Runs commands in the worktree from a process that has the key in its environment. */
  run(sandbox: "required" | "off", commands: string[]): Promise<{ isolation: Isolation; outputs: string[] }>;
  remove(): Promise<void>;
};

/** Outside of `/tmp`, which is hidden as a whole, unless the repository itself is there. */
const PLACE = join(import.meta.dirname, "../../build");

export async function makeCanaryMachine(): Promise<CanaryMachine> {
  const key = `canary-key-${randomBytes(12).toString("hex")}`;
  mkdirSync(PLACE, { recursive: true });
  const base = mkdtempSync(join(PLACE, "canary-"));
  const temp = join(base, "work/_temp");
  const places = {
    HOME_FOLDER: join(base, "home"),
    MACHINE: join(base, "machine"),
    CHECKOUT: join(base, "work/project/project"),
    TEMP: temp,
    REPOSITORY: join(temp, "looplia/repository.git"),
    STATE: join(temp, "looplia/state"),
  };
  const root = join(temp, "looplia/worktree");
  writeKeys(places, key);
  makeRepositories(places, root, key);
  const shared = [join("/dev/shm", `${key.slice(-6)}.secret`), join("/tmp", `${key.slice(-6)}.secret`)];
  for (const path of shared) writeFileSync(path, key);
  const abstract = `canary-${key.slice(-6)}`;
  const servers = [createServer(), createServer(), createServer()] as const;
  const socket = join(mkdtempSync(join(tmpdir(), "canary-agent-")), "agent.sock");
  await Promise.all([
    listen(servers[0], key, 0),
    listen(servers[1], key, socket),
    listen(servers[2], key, `\0${abstract}`),
  ]);
  const address = servers[0].address();
  const port = typeof address === "object" && address ? address.port : 0;
  const neighbour = spawn("/bin/sh", ["-c", `exec 7<"${temp}/plain.secret"; sleep 300; : ${key}`], {
    env: { ...process.env, CANARY_KEY: key },
    stdio: "ignore",
    cwd: temp,
  });
  const all: CanaryPlaces = {
    ...places,
    SOCKET: socket,
    ABSTRACT: abstract,
    PORT: String(port),
    NEIGHBOUR: String(neighbour.pid),
  };
  return {
    key,
    root,
    places: all,
    run: (sandbox, commands) => runInside({ root, places: all, key, base }, sandbox, commands),
    async remove() {
      neighbour.kill("SIGKILL");
      for (const server of servers) server.close();
      for (const path of [...shared, base, dirname(socket)]) rmSync(path, { recursive: true, force: true });
    },
  };
}

function writeKeys(
  places: Pick<CanaryPlaces, "HOME_FOLDER" | "MACHINE" | "TEMP" | "STATE">,
  key: string,
): void {
  const files = {
    [places.MACHINE]: FILES_OF_MACHINE,
    [places.HOME_FOLDER]: FILES_WITH_KEYS,
    [places.TEMP]: ["plain.secret", "_github_workflow/event.json"],
    [places.STATE]: ["w-000000/header.json"],
  };
  for (const [folder, names] of Object.entries(files))
    for (const name of names) write(join(folder, name), `${key}\n`);
  write(join(places.HOME_FOLDER, ".gitconfig"), `[http]\n\textraheader = basic ${key}\n`);
  write(join(places.TEMP, "git-credentials-1.config"), `[http]\n\textraheader = basic ${key}\n`);
  for (const name of ["set_env", "add_path", "set_output", "step_summary"])
    write(join(places.TEMP, "_runner_file_commands", name), "");
}

function makeRepositories(
  { CHECKOUT, REPOSITORY }: Pick<CanaryPlaces, "CHECKOUT" | "REPOSITORY">,
  root: string,
  key: string,
): void {
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      stdio: "pipe",
    });
  mkdirSync(CHECKOUT, { recursive: true });
  git(CHECKOUT, "init", "-q");
  git(CHECKOUT, "config", "http.https://github.com/.extraheader", `AUTHORIZATION: basic ${key}`);
  writeFileSync(join(CHECKOUT, "a.md"), "text\n");
  git(CHECKOUT, "add", "a.md");
  git(CHECKOUT, "commit", "-qm", "first");
  execFileSync("git", ["clone", "-q", "--bare", CHECKOUT, REPOSITORY]);
  git(REPOSITORY, "config", "remote.origin.url", `https://x:${key}@example.org/a.git`);
  git(REPOSITORY, "worktree", "add", "-q", "--detach", root);
  mkdirSync(join(REPOSITORY, "hooks"), { recursive: true });
}

async function runInside(
  machine: { root: string; places: CanaryPlaces; key: string; base: string },
  sandbox: "required" | "off",
  commands: string[],
): Promise<{ isolation: Isolation; outputs: string[] }> {
  const { root, places, key } = machine;
  const variables = Object.entries(places)
    .map(([name, value]) => `${name}='${value}'; `)
    .join("");
  const task: CanaryTask = {
    root,
    sandbox,
    closed: [places.STATE, places.TEMP, dirname(places.TEMP)],
    environment: { PATH: process.env.PATH ?? "", HOME: places.HOME_FOLDER },
    commands: commands.map((command) => variables + command),
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "canary-process.ts"), Buffer.from(JSON.stringify(task)).toString("base64")],
    { env: { ...process.env, ANTHROPIC_API_KEY: key, CANARY_KEY: key }, maxBuffer: 100_000_000 },
  );
  return JSON.parse(stdout) as { isolation: Isolation; outputs: string[] };
}

function listen(server: Server, key: string, address: number | string): Promise<void> {
  server.on("connection", (connection) => {
    connection.on("error", () => connection.destroy());
    connection.end(`${key}\n`);
  });
  return new Promise((resolve) => {
    if (typeof address === "number") server.listen(address, "127.0.0.1", resolve);
    else server.listen(address, resolve);
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

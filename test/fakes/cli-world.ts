// A folder with an article, and the command line run in it as a person would, with nothing of this machine's settings.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundle.ts";
import { hear } from "./hear.ts";
import { ARTICLE } from "./kit-script.ts";
import { openTerminal, type Terminal } from "./pseudo-terminal.ts";

export type CliRan = { code: number | null; stdout: string; stderr: string };
export type CliWorld = {
  folder: string;
  run(argv: readonly string[], environment?: Record<string, string>): Promise<CliRan>;
  /** `whileRunning` gets the process and what it has said so far on standard error. */
  watch(
    argv: readonly string[],
    environment: Record<string, string>,
    whileRunning: (child: ChildProcess, said: () => string) => Promise<void>,
  ): Promise<CliRan>;
  terminal(argv: readonly string[], environment?: Record<string, string>): Terminal;
  /** Path and text of every file below a folder of the world, but for locks. */
  files(below?: string): Promise<Map<string, string>>;
};

/** A world with `content/kettles.md` and the given files. */
export async function makeCliWorld(files: Record<string, string | Uint8Array> = {}): Promise<CliWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "looplia-world-")));
  for (const [path, bytes] of Object.entries({ "content/kettles.md": ARTICLE, ...files })) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  const program = await bundled("cli");
  const world: CliWorld = {
    folder,
    run: (argv, environment = {}) => world.watch(argv, environment, async () => undefined),
    watch: (argv, environment, whileRunning) => start(folder, argv, environment, whileRunning),
    terminal: (argv, environment = {}) =>
      openTerminal([process.execPath, program, ...argv], {
        cwd: folder,
        environment: { HOME: folder, USER: "ada", ...environment },
      }),
    files: (below = ".") => readTree(join(folder, below)),
  };
  return world;
}

async function start(
  folder: string,
  argv: readonly string[],
  environment: Record<string, string>,
  whileRunning: (child: ChildProcess, said: () => string) => Promise<void>,
): Promise<CliRan> {
  const child = spawn(process.execPath, [await bundled("cli"), ...argv], {
    cwd: folder,
    // The folder is the home as well: nothing of a run but its results is to be found there.
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      NODE_DISABLE_COMPILE_CACHE: "1",
      USER: "ada",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { said, ended } = hear(child);
  await whileRunning(child, () => said.stderr);
  const { code, stdout, stderr } = await ended;
  return { code, stdout, stderr };
}

async function readTree(root: string): Promise<Map<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("/lock"))
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((path) => readFile(path, "latin1")));
  return new Map(files.map((path, index) => [path.slice(root.length + 1), texts[index] ?? ""]));
}

// The package as it would be published: small, complete, started with Node alone, and what it sets up runs as it is.
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePackage } from "../../scripts/package.ts";
import { type ActionWorld, ended, said } from "../fakes/action-world.ts";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { bundled } from "../fakes/bundle.ts";
import { type GitServer, startGitServer } from "../fakes/git-http.ts";
import { commentEvent } from "../fakes/github-server-events.ts";
import { openTerminal } from "../fakes/pseudo-terminal.ts";
import { createTasksWorld, use } from "../fakes/tasks-world.ts";
import { readWorkflow } from "../fakes/workflow.ts";
import { lintWorkflow, validateFile } from "../fakes/workflow-checks.ts";

/** The repository of the package: no token, so that everybody may read it. */
let home: GitServer;
let tarball: string;
let release: string;
let version: string;

beforeAll(async () => {
  const root = await mkdtemp(join(tmpdir(), "looplia-home-"));
  home = await startGitServer({
    root,
    repository: "acme/looplia-action",
    token: undefined,
    files: { a: "1" },
  });
  const copy = await mkdtemp(join(tmpdir(), "looplia-pack-"));
  await makePackage(copy, dirname(dirname(await bundled("cli"))), { address: home.url });
  const npm = ["pack", "--json", "--ignore-scripts", "--offline"];
  const [{ filename }] = JSON.parse(execFileSync("npm", npm, { cwd: copy, encoding: "utf8" }));
  tarball = join(copy, filename);
  version = JSON.parse(await readFile(join(copy, "package.json"), "utf8")).version;
  release = await home.git("rev-parse", "main");
  await home.git("tag", `v${version}`, release);
});
afterAll(() => home.close());

test("has at most 3 MB, no dependencies, no scripts, and is not private", async () => {
  expect((await stat(tarball)).size).toBeLessThan(3_000_000);
  const folder = await mkdtemp(join(tmpdir(), "looplia-package-"));
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const manifest = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
  expect([manifest.private, manifest.dependencies, manifest.scripts]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(manifest.repository.url).toBe(`git+${home.url}`);
  expect(Object.keys(manifest.bin)).toEqual(["looplia"]);
});

/** `npx` as somebody types it, with this Node. Beside this process, which serves the package's repository. */
async function npx(cwd: string, words: string[], node = process.execPath): Promise<string> {
  const options = ["--yes", "--offline", "--ignore-scripts", `file:${tarball}`];
  const env = {
    PATH: `${dirname(node)}:${process.env.PATH}`,
    HOME: await mkdtemp(join(tmpdir(), "looplia-npm-")),
  };
  return (await promisify(execFile)("npx", [...options, ...words], { cwd, env })).stdout;
}

/** This Node, and those of the search path: `.ci/run` adds Node 22. */
const nodes = [
  process.execPath,
  ...(process.env.PATH ?? "").split(":").map((folder) => join(folder, "node")),
];
const versions = new Map(
  nodes.flatMap((node): [string, string][] => {
    try {
      return [[execFileSync(node, ["--version"], { encoding: "utf8", stdio: "pipe" }).trim(), node]];
    } catch {
      return [];
    }
  }),
);

test.each([...versions])("npx starts the tarball with Node %s", async (_, node) => {
  const cwd = await mkdtemp(join(tmpdir(), "looplia-installed-"));
  expect(await npx(cwd, ["version"], node)).toContain(version);
  expect(await npx(cwd, ["demo", "content"], node)).toContain("The writing kit is valid");
  expect(await npx(cwd, ["init", "--tasks"], node)).toContain("looplia-tasks.yml");
  const article = await readFile(new URL("../../examples/content/six-minute-build.md", import.meta.url));
  await mkdir(join(cwd, "content"));
  await writeFile(join(cwd, "content/a.md"), article);
  await writeFile(join(cwd, "content/b.md"), article);
  await writeFile(join(cwd, "looplia.yml"), "content: content/*.md\nprovider: offline\n");
  expect(await npx(cwd, ["plan"], node)).toContain("2 new");
  expect(await npx(cwd, ["run", "--output", "summary"], node)).toContain("2");
});

test("npx starts it from git within 30 seconds and 15 MB, without another package", async () => {
  const clone = await mkdtemp(join(tmpdir(), "looplia-git-"));
  execFileSync("git", [
    "clone",
    "-q",
    "--depth",
    "1",
    `file://${resolve(import.meta.dirname, "../..")}`,
    clone,
  ]);
  const home = await mkdtemp(join(tmpdir(), "looplia-npm-"));
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: home };
  const words = ["--yes", "--offline", `git+file://${clone}`, "version"];
  const { stdout } = await promisify(execFile)("npx", words, { cwd: home, env, timeout: 30_000 });
  expect(stdout).toContain(version);
  const [, installed = ""] = /^(\d+)/.exec(execFileSync("du", ["-sk", home], { encoding: "utf8" })) ?? [];
  expect(Number(installed)).toBeLessThan(15_000);
  const packages = await readdir(join(home, ".npm/_npx"), { recursive: true });
  const names = packages.map((path) => /node_modules\/([^/.][^/]*)$/.exec(path)?.[1]).filter(Boolean);
  expect(names).toEqual(["looplia-action"]);
});

test.each([...versions])("its full-screen view with Node %s", async (version, node) => {
  const folder = await mkdtemp(join(tmpdir(), "looplia-unpacked-"));
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const program = join(folder, "package/dist/cli/index.js");
  const terminal = openTerminal([node, program, "demo", "content", "--ui", "tui"], {
    environment: { NO_COLOR: "1" },
  });
  if (Number(/\d+/.exec(version)) < 22) {
    await terminal.shows(`needs Node 22 or newer; this is Node ${version.slice(1)}`);
    expect(await terminal.ended()).toBe(2);
    return;
  }
  await terminal.shows("› 1 ");
  terminal.type("2\r");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).toContain("The writing kit is valid");
  expect(terminal.screen()).not.toContain("the demo takes the default");
});

type Started = { name: string; payload: Record<string, unknown> };

describe("a repository that `npx … init` set up, from a folder inside it", () => {
  async function setUp(flag: string, files: Record<string, string>): Promise<Record<string, string>> {
    const root = await mkdtemp(join(tmpdir(), "looplia-set-up-"));
    execFileSync("git", ["init", "-q", "-b", "main", root]);
    execFileSync("git", ["-C", root, "remote", "add", "origin", "git@github.com:acme/notes.git"]);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    await mkdir(join(root, "docs/deep"), { recursive: true });
    const told = await npx(join(root, "docs/deep"), ["init", flag]);
    expect(told).toContain("looplia.yml already exists: left unchanged");
    expect(told).toContain("https://github.com/acme/notes/settings/secrets/actions");
    const all = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = all
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(root.length + 1));
    const own = paths.filter((path) => !path.startsWith(".git/"));
    const written = await Promise.all(
      own.map(async (path) => [path, await readFile(join(root, path), "utf8")] as const),
    );
    for (const [path, text] of written.filter(([path]) => path.startsWith(".github/"))) {
      expect(text).toContain(`acme/looplia-action@${release} # v${version}`);
      expect([...(await validateFile(path, text)), ...lintWorkflow(path, text)], path).toEqual([]);
    }
    return Object.fromEntries(written);
  }

  /** The run that GitHub would start: the workflow's one job for the event, with the step's inputs. */
  async function run(world: ActionWorld, files: Record<string, string>, name: string, event: Started) {
    const path = join(await mkdtemp(join(tmpdir(), "looplia-workflow-")), name);
    await writeFile(path, files[`.github/workflows/${name}`] ?? "");
    const [start, ...others] = readWorkflow(path).start(event);
    expect(others).toEqual([]);
    // The world's key stands for the secret.
    const { "anthropic-api-key": _, ...inputs } = start?.inputs ?? {};
    return world.run({ event, inputs: { content: "", ...inputs } });
  }

  test("for articles: a push opens a pull request that asks, and an answer ends it", async () => {
    const settings = "# mine\nupload-audit: false\n";
    const files = await setUp("--articles", { "looplia.yml": settings });
    expect(files["looplia.yml"]).toBe(settings);
    const world = await createAskingWorld(files);
    try {
      const asked = await run(world, files, "looplia.yml", { name: "push", payload: {} });
      expect(ended(asked), said(asked)).toBe("waiting open-questions");
      expect(asked.outputs.get("pull-request-number")).toBe("1");
      const comment = world.say("maintainer", `/approve ${questionOf(world)}`);
      const event = commentEvent(world.github, comment) as Started;
      const answered = await run(world, files, "looplia-answer.yml", event);
      expect(ended(answered), said(answered)).toBe("completed done");
      expect(await world.effects()).toBe(1);
    } finally {
      await world.close();
    }
  });

  test("for tasks: a push opens a pull request that asks, and an answer goes on with the list", async () => {
    const settings = "upload-audit: false\nsandbox: off\n";
    const files = await setUp("--tasks", { "looplia.yml": settings, "README.md": "# x\n" });
    const runs = (turn: number) =>
      turn === 1 ? use("runCommand", { command: "echo hello > greeting" }) : undefined;
    const world = await createTasksWorld(files, { T1: runs });
    try {
      const asked = await run(world, files, "looplia-tasks.yml", { name: "push", payload: {} });
      expect(ended(asked), said(asked)).toBe("waiting open-questions");
      expect(asked.outputs.get("pull-request-number")).toBe("1");
      const [, id = ""] = /\/approve (q\S+)/.exec(world.ours("looplia:request")[0]?.body ?? "") ?? [];
      const event = commentEvent(world.github, world.say("maintainer", `/approve ${id}`));
      const answered = await run(world, files, "looplia-answer.yml", event as Started);
      expect(ended(answered), said(answered)).toBe("completed done");
      expect(await world.states()).toBe("T1 done, T2 done, project-done done");
      expect(await world.file("greeting")).toBe("hello");
    } finally {
      await world.close();
    }
  });
});

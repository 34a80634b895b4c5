// A command plants a program under the name of a tool of the program in every folder of the search path that it can reach.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openWorkspace } from "../../src/files/workspace.ts";
import { gitEnvironment, probeGit } from "../../src/sandbox/git-process.ts";
import { openIsolation } from "../../src/sandbox/isolation.ts";
import { findOwnTool, noteBareCommand, pinTool, writableFolders } from "../../src/sandbox/own-tools.ts";
import { isInside } from "../../src/sandbox/visible.ts";
import { isolate } from "../fakes/isolation.ts";
import { trustedPrograms } from "../fakes/trusted-programs.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };
const SYSTEM = "/usr/local/bin:/usr/bin:/bin";
/** As package runners, virtual environments and people put them first. */
const REACHED = [".venv/bin", "node_modules/.bin", "packages/a/node_modules/.bin", "bin", "."];
const TOOLS = ["git", "bwrap", "node", "notify"];

let base: string;
let root: string;
let PATH: string;

function program(path: string, marker = join(root, "planted-ran")): void {
  writeFileSync(path, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  chmodSync(path, 0o755);
}

beforeEach(async () => {
  ({ base, root } = await makeWorktree({ "a.md": "text\n" }));
  PATH = [...REACHED.map((folder) => join(root, folder)), "node_modules/.bin", ".", "", SYSTEM].join(
    delimiter,
  );
  execFileSync("git", ["init", "-q"], { cwd: root });
});

/** What a hostile command writes; the sandbox lets it, for the worktree is its own. */
function plantLine(): string {
  const lines = REACHED.flatMap((folder) => [
    `mkdir -p ${folder}`,
    ...TOOLS.map((name) => `printf '#!/bin/sh\\ntouch ${root}/planted-ran\\n' > ${folder}/${name}`),
    `chmod +x ${TOOLS.map((name) => `${folder}/${name}`).join(" ")}`,
  ]);
  return `${lines.join(" && ")} && echo planted`;
}

test("what an isolated command plants is started by nothing: not for its approval, its isolation, the hook or doctor", async () => {
  const environment = { PATH, HOME: base };
  const place = { environment, systemTemp: join(base, "temp") };
  const workspace = await openWorkspace(root, { ...place, isolate: isolate({ environment }) });
  expect((await workspace.run(plantLine(), limits)).output).toBe("planted\n");
  expect(existsSync(join(root, ".venv/bin/git"))).toBe(true);
  // Everything anew, as the next run has it.
  const next = await openWorkspace(root, { ...place, isolate: isolate({ environment }) });
  expect(await next.snapshot()).toMatch(/^[0-9a-f]{64}$/);
  expect((await next.run("echo isolated", limits)).output).toBe("isolated\n");
  expect((await probeGit(root, environment)).version).toMatch(/^git version/);
  const hook = (await trustedPrograms(root, { PATH })).find("notify");
  await expect(hook.start(["T1"], { network: false, environment: {} })).rejects.toThrow(
    "there is no notify on the PATH outside of folders that commands can write to",
  );
  expect(existsSync(join(root, "planted-ran"))).toBe(false);
});

test("where git is only in such a folder there is none, and the error says what to do", async () => {
  mkdirSync(join(root, "bin"));
  program(join(root, "bin/git"));
  const found = probeGit(root, { PATH: join(root, "bin") });
  await expect(found).rejects.toMatchObject({
    code: "host-failed",
    message: expect.stringMatching(/no git on the PATH outside of folders that commands can write to/),
    hint: expect.stringMatching(/Install git/),
  });
  const isolator = openIsolation({
    ...{ sandbox: "auto", network: false, root, closed: [], temporary: base, warn: () => {} },
    environment: { PATH: join(root, "bin"), HOME: base },
  });
  expect(isolator.isolation).toMatchObject({ kind: "none", reason: expect.stringMatching(/not installed/) });
  expect(existsSync(join(root, "planted-ran"))).toBe(false);
});

describe("which file is a tool", () => {
  test("never one in the worktree, by whatever name, nor in a relative folder", () => {
    mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
    program(join(root, "node_modules/.bin/bwrap"));
    symlinkSync(join(root, "node_modules/.bin"), join(base, "linked"));
    mkdirSync(join(base, "outside"));
    symlinkSync(join(root, "node_modules/.bin/bwrap"), join(base, "outside/bwrap"));
    const own = [
      join(root, "node_modules/.bin"),
      join(base, "linked"),
      join(base, "outside"),
      "node_modules/.bin",
      ".",
    ];
    expect(findOwnTool("bwrap", own.join(delimiter), [root])).toBeUndefined();
    expect(findOwnTool("bwrap", [...own, SYSTEM].join(delimiter), [root])?.path()).toMatch(/^\/usr/);
  });

  test("one that anybody may write is fine outside of them: hosted runners have such an /opt", () => {
    mkdirSync(join(base, "opt/bin"), { recursive: true });
    program(join(base, "opt/bin/git"));
    chmodSync(join(base, "opt/bin"), 0o777);
    chmodSync(join(base, "opt/bin/git"), 0o777);
    symlinkSync("git", join(base, "opt/bin/also"));
    const path = realpathSync(join(base, "opt/bin/git"));
    expect(findOwnTool("git", join(base, "opt/bin"), [root])?.path()).toBe(path);
    expect(findOwnTool("also", join(base, "opt/bin"), [root])?.path()).toBe(path);
  });

  test("none of a virtual environment or of another worktree of the repository, wherever these are", () => {
    mkdirSync(join(base, "venv/bin"), { recursive: true });
    program(join(base, "venv/bin/git"));
    writeFileSync(join(base, "venv/pyvenv.cfg"), "");
    expect(findOwnTool("git", join(base, "venv/bin"), [root])).toBeUndefined();
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], { cwd: root });
    git("commit", "-q", "--allow-empty", "-m", "first");
    git("worktree", "add", "-q", "--detach", join(base, "second"));
    const both = [root, join(base, "second")].map((folder) => realpathSync(folder)).sort();
    // Another test of this process may have noted the checkout of an Action.
    const ownOf = (folder: string) =>
      writableFolders(folder)
        .filter((one) => isInside(realpathSync(base), one))
        .sort();
    expect(ownOf(root)).toEqual(both);
    expect(ownOf(join(base, "second"))).toEqual(both);
  });

  test("one further on, where a folder of the search path can't be searched", () => {
    symlinkSync("endless", join(base, "endless"));
    const path = [join(base, "endless/bin"), SYSTEM].join(delimiter);
    expect(findOwnTool("git", path, [root])?.path()).toMatch(/\/git$/);
  });

  test("what comes before it on the search path later on is not taken", () => {
    for (const name of ["first", "second"]) mkdirSync(join(base, name));
    program(join(base, "second/tool"));
    const search = [join(base, "first"), join(base, "second")].join(delimiter);
    const found = findOwnTool("tool", search, [root])?.path();
    program(join(base, "first/tool"));
    expect(findOwnTool("tool", search, [root])?.path()).toBe(found);
  });
});

describe("after a command without isolation", () => {
  test.each([
    ["was written to", (path: string) => appendFileSync(path, "touch more\n")],
    [
      "was replaced",
      (path: string) => execFileSync("sh", ["-c", `cp -p ${path} ${path}.new && mv ${path}.new ${path}`]),
    ],
    ["is gone", (path: string) => execFileSync("rm", [path])],
  ])("a tool that %s is not started", (_, change) => {
    const path = join(base, "tool");
    program(path);
    const tool = pinTool(path);
    change(path);
    expect(tool.path()).toBe(path);
    noteBareCommand();
    expect(() => tool.path()).toThrow(/was not started: a command without isolation may have changed it/);
  });

  test("git is compared although nobody needed it before the command", async () => {
    mkdirSync(join(base, "tools"));
    const own = join(base, "tools/git");
    writeFileSync(own, `#!/bin/sh\nexec ${findOwnTool("git", SYSTEM, [])?.path()} "$@"\n`, { mode: 0o755 });
    const environment = { PATH: `${join(base, "tools")}:${SYSTEM}`, HOME: base };
    const workspace = await openWorkspace(root, { environment, systemTemp: base });
    await workspace.run(`printf '#!/bin/sh\\ntouch ${root}/planted-ran\\n' > ${own}`, limits);
    expect(readFileSync(own, "utf8")).toContain("planted-ran");
    await expect(probeGit(root, environment)).rejects.toThrow(`${own} was not started`);
    await workspace.snapshot();
    expect(existsSync(join(root, "planted-ran"))).toBe(false);
  });
});

test("git's children find programs and libraries only in folders of which commands can write none", () => {
  const inside = join(root, "lib");
  const given = { PATH, LD_LIBRARY_PATH: `${inside}:/usr/lib`, GIT_EXEC_PATH: inside };
  expect(gitEnvironment(given, [root])).toEqual({ PATH: SYSTEM, LD_LIBRARY_PATH: "/usr/lib" });
});

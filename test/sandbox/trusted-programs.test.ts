// Programs of the settings run the trusted bytes, in whatever form the settings name them, whatever commands planted.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { trustedPrograms } from "../fakes/trusted-programs.ts";

/** A worktree with these files; `bin` is where nothing of the worktree is. */
function makeRoot(files: Record<string, string>): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "looplia-programs-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "root");
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) write(join(root, path), text);
  return root;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o755 });
  chmodSync(path, 0o755);
}

type Programs = Awaited<ReturnType<typeof trustedPrograms>>;
type StartOptions = Partial<Parameters<ReturnType<Programs["find"]>["start"]>[1]>;

/** Starts a program as the program does, and returns what it said. */
async function said(program: ReturnType<Programs["find"]>, args: string[], options: StartOptions = {}) {
  const started = await program.start(args, { network: false, environment: {}, ...options });
  try {
    const [file = "", ...words] = started.words;
    const ended = spawnSync(file, words, { cwd: started.folder, env: started.environment, encoding: "utf8" });
    return `${ended.stdout}${ended.stderr.replace(/^started\n/, "")}`.trim();
  } finally {
    started.finish();
  }
}

const TRUSTED = "echo trusted\n";
const JS = 'console.log("trusted");\n';
/** What each form loads, and what a command writes there. */
const FORMS: [name: string, command: string, args: string[], files: Record<string, string>][] = [
  ["a script", "./tools/server.sh", [], { "tools/server.sh": `#!/bin/sh\n${TRUSTED}` }],
  ["a file of node", "node", ["tools/server.mjs"], { "tools/server.mjs": JS }],
  ["a file without its ending", "node", ["tools/server"], { "tools/server.js": JS }],
  ["a folder", "node", ["tools/server"], { "tools/server/index.js": JS }],
  ["a file that another one imports", "node", ["a.mjs"], { "a.mjs": 'import "./lib.mjs";', "lib.mjs": JS }],
  ["an option with a file", "node", ["--require=./x.js", "-e", "0"], { "x.js": JS }],
  ["an option of an import", "node", ["--import", "./x.mjs", "-e", "0"], { "x.mjs": JS }],
  ["a package", "node", ["-e", "require('own')"], { "node_modules/own/index.js": JS }],
  ["a module of python", "python3", ["-m", "mod"], { "mod.py": 'print("trusted")\n' }],
  ["a shell that sources", "sh", ["-c", ". ./lib.sh"], { "lib.sh": TRUSTED }],
  ["make", "make", ["-s"], { Makefile: "all:\n\t@echo trusted\n" }],
];

test.each(FORMS)("%s", async (_, command, args, files) => {
  const root = makeRoot(files);
  // `node_modules` is trusted where git tracks it.
  execFileSync("git", ["init", "-q"], { cwd: root });
  execFileSync("git", ["add", "-f", "."], { cwd: root });
  const programs = await trustedPrograms(root);
  for (const [path, text] of Object.entries(files))
    write(join(root, path), text.replaceAll("trusted", "planted"));
  expect(await said(programs.find(command), args)).toBe("trusted");
});

test("a program that a command plants, on the PATH or in a package's folder, is not found", async () => {
  const root = makeRoot({ "a.txt": "" });
  const planted = join(root, "node_modules/.bin");
  const programs = await trustedPrograms(root, { PATH: `${planted}:${process.env.PATH}` });
  for (const path of [
    join(planted, "own-server"),
    join(planted, "node"),
    join(root, "node_modules/own/index.js"),
  ]) {
    write(path, "#!/bin/sh\necho planted\n");
  }
  await expect(said(programs.find("own-server"), [])).rejects.toThrow("there is no own-server on the PATH");
  expect(await said(programs.find("node"), ["-p", "1"])).toBe("1");
  expect(await said(programs.find("node"), ["-e", "require('own')"])).toContain("Cannot find module 'own'");
  await expect(said(programs.find("./node_modules/.bin/own-server"), [])).rejects.toThrow(
    "among the trusted files",
  );
  await expect(said(programs.find(join(planted, "own-server")), [])).rejects.toThrow(
    "among the trusted files",
  );
});

test("a link of the repository that leads out of it is not part of the trusted files", async () => {
  const root = makeRoot({ "kept/lib.sh": TRUSTED });
  const outside = join(dirname(root), "outside");
  write(join(outside, "lib.sh"), "echo outside\n");
  symlinkSync(join(outside, "lib.sh"), join(root, "out.sh"));
  symlinkSync(join(root, "kept"), join(root, "back"));
  symlinkSync("kept", join(root, "inside"));
  const { top, find } = await trustedPrograms(root);
  expect(readdirSync(top).sort()).toEqual(["inside", "kept"]);
  expect(await said(find("sh"), ["-c", ". inside/lib.sh"])).toBe("trusted");
});

test("state, ignored files and repositories of others are not part of the trusted files", async () => {
  const root = makeRoot({
    ".gitignore": ".env\n",
    ".env": "SECRET=1",
    ".looplia/state/x.json": "{}",
    "nested/.git/HEAD": "ref: refs/heads/main\n",
    "nested/a.txt": "",
    "sub/a.txt": "",
  });
  execFileSync("git", ["init", "-q"], { cwd: root });
  rmSync(join(root, "nested/.git"), { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: join(root, "nested") });
  const { top } = await trustedPrograms(root);
  expect(readdirSync(top, { recursive: true }).sort()).toEqual([".gitignore", "sub", "sub/a.txt"]);
});

const LOOK = ["-c", 'cat "$1/a.txt"; echo x > "$1/a.txt"; echo x > "$1/out/b.txt"; ls "$1" | wc -l', "sh"];

test("the worktree is there only where the settings give it, and writable only in the paths that they name", async () => {
  const root = makeRoot({ "a.txt": "now\n", "out/c.txt": "" });
  const sh = (await trustedPrograms(root)).find("sh");
  expect(await said(sh, [...LOOK, root])).toMatch(/cat: .*No such file/);
  expect(await said(sh, [...LOOK, root], { worktree: { written: [] } })).toMatch(/^now\n/);
  expect(existsSync(join(root, "out/b.txt"))).toBe(false);
  expect(await said(sh, [...LOOK, root], { worktree: { written: ["out"] } })).toMatch(/^now\n/);
  expect([existsSync(join(root, "out/b.txt")), readdirSync(root).length]).toEqual([true, 2]);
  rmSync(join(root, "out"), { recursive: true });
  symlinkSync(tmpdir(), join(root, "out"));
  await expect(said(sh, LOOK, { worktree: { written: ["out"] } })).rejects.toThrow(
    "is not in the worktree or is a link",
  );
});

test("without isolation nothing starts but where it may", async () => {
  const root = makeRoot({ "lib.sh": TRUSTED });
  const programs = await trustedPrograms(root, { sandbox: "auto", PATH: "/nowhere" });
  write(join(root, "lib.sh"), "echo planted\n");
  const sh = programs.find("/bin/sh");
  await expect(said(sh, ["-c", ". ./lib.sh"])).rejects.toThrow("it can't be isolated here");
  expect(await said(sh, ["-c", ". ./lib.sh"], { mayBeBare: true })).toMatch(/^trusted\b/);
});

test("the folder is gone when the run has ended, and is made only outside of what commands can write", async () => {
  const root = makeRoot({ "a/b.txt": "" });
  const programs = await trustedPrograms(root);
  expect(await said(programs.find("cat"), ["a/b.txt"])).toBe("");
  await programs.end();
  expect(existsSync(dirname(programs.top))).toBe(false);
  const parents = [join(root, "a"), "/looplia-no-such-folder"];
  await expect(trustedPrograms(root, { parents })).rejects.toThrow(
    "needs a temporary folder outside the repository",
  );
});

// Nothing outside isolation executes, loads or obeys a byte of a worktree: every process and every opened file of whole
// stories is traced, in a worktree where whatever something could execute or load is a canary.
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import { bundled } from "../fakes/bundle.ts";
import { hear } from "../fakes/hear.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import { needIsolation } from "../fakes/needed.ts";
import { programFile, serveProgram } from "../fakes/program-world.ts";
import { createTasksWorld, questionOf } from "../fakes/tasks-world.ts";
import { type Touch, type Trace, traceProcesses } from "../fakes/traced.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const TOOLS =
  "git node npm npx sh bash bwrap perl env python3 cat claude codex notes-mcp systemd-run prlimit true tar".split(
    " ",
  );
const HOOKS = "pre-commit post-checkout post-index-change pre-push reference-transaction fsmonitor".split(
  " ",
);
const PACKAGES = ["yaml", "zod", "@anthropic-ai/sdk", "@modelcontextprotocol/sdk", "ajv", "looplia-action"];

/** Every file that something could execute, load or obey; each leaves a file in `marks` when that happens. */
function canaries(marks: string): Record<string, string> {
  const shell = (name: string) => `#!/bin/sh\ntouch '${marks}/${name}'\n`;
  const script = (name: string) => `require("fs").writeFileSync(${JSON.stringify(join(marks, name))}, "");\n`;
  const evil = join(marks, "..", "evil");
  return {
    ...Object.fromEntries(TOOLS.map((name) => [`node_modules/.bin/${name}`, shell(`bin-${name}`)])),
    ...Object.fromEntries(TOOLS.map((name) => [`bin/${name}`, shell(`bin-${name}`)])),
    ...Object.fromEntries(TOOLS.map((name) => [name, shell(`here-${name}`)])),
    ...Object.fromEntries(PACKAGES.map((name) => [`node_modules/${name}/index.js`, script(`package`)])),
    "package.json": `{"type":"commonjs","main":"index.js","scripts":{"preinstall":"touch '${marks}/npm'"}}`,
    ".npmrc": `script-shell=${evil}\nnode-options=--require=./evil.cjs\n`,
    "index.js": script("index"),
    "evil.cjs": script("required"),
    ".pnp.cjs": script("pnp"),
    "sitecustomize.py": `open(${JSON.stringify(join(marks, "python"))}, "w")\n`,
    ...Object.fromEntries(
      [".bashrc", ".profile", ".bash_env", ".envrc", ".env"].map((name) => [name, shell(name)]),
    ),
    ".gitattributes": "* filter=evil diff=evil merge=evil\n",
    Makefile: `all:\n\ttouch '${marks}/make'\n`,
    "tools/hook.sh": shell("hook"),
    "tools/lib.sh": shell("lib"),
    "tools/server.mjs": `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(marks, "server"))}, "");\n`,
  };
}

/** A repository's own files that lead to programs. */
function gitCanaries(marks: string): Record<string, string> {
  const run = `touch '${marks}/git-config'`;
  return {
    ...Object.fromEntries(
      HOOKS.map((name) => [`.git/hooks/${name}`, `#!/bin/sh\ntouch '${marks}/git-${name}'\n`]),
    ),
    ".git/config": [
      `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${run}\n\thooksPath = .git/hooks\n\tpager = ${run}\n\tsshCommand = ${run}`,
      `[filter "evil"]\n\tclean = ${run}\n\tsmudge = ${run}\n\trequired = true\n[diff "evil"]\n\ttextconv = ${run}\n`,
      `[credential]\n\thelper = "!${run}"\n[alias]\n\tls-files = "!${run}"\n`,
    ].join("\n"),
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/refs/heads/.keep": "",
    ".git/objects/.keep": "",
  };
}

function writeAll(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    if (text.startsWith("#!")) chmodSync(join(root, path), 0o755);
  }
}

/** The trusted files behind the canaries' names. `LIB` is what the hook sources. */
const HOOK = '#!/bin/sh\n. tools/lib.sh\ntest -s "$3" || exit 5\necho "$LIB" >&2\nexit 9\n';
const TRUSTED = { "tools/hook.sh": HOOK, "tools/lib.sh": "LIB=trusted-hook\n" };
const SETTINGS = `hook: ./tools/hook.sh
policy: allow mcp__notes
setup: ["echo prepared > prepared"]
mcp-servers: { notes: { command: node, args: [tools/server.mjs], required: true } }
`;

/** What a command runs that rewrites every canary. */
function plantScript(files: Record<string, string>): string {
  const text = JSON.stringify(JSON.stringify(files));
  return `const fs = require("fs"), path = require("path");
for (const [file, text] of Object.entries(JSON.parse(${text}))) {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { mode: 0o755 });
  } catch {}
}
`;
}

async function serverScript(): Promise<string> {
  return readFile(join(import.meta.dirname, "../fakes/tool-server.mjs"), "utf8");
}

/** A hostile worktree on this machine; the program and its tools are elsewhere. */
async function makeWorld(files: Record<string, string>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "looplia-origin-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, marks, home] = ["root", "marks", "home"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [root, marks, home]) mkdirSync(folder);
  writeAll(base, { evil: `#!/bin/sh\ntouch '${marks}/script-shell'\n` });
  const planted = canaries(marks);
  writeAll(root, {
    ...planted,
    ...gitCanaries(marks),
    ...TRUSTED,
    "tools/server.mjs": await serverScript(),
    ...files,
  });
  writeAll(root, { "plant.cjs": plantScript(planted) });
  const trace = traceProcesses();
  const program = await bundled("cli");
  const run = async (argv: readonly string[], environment: Record<string, string>) => {
    const [file = "", ...words] = [...trace.words, process.execPath, program, ...argv];
    const PATH = ["node_modules/.bin", "bin"]
      .map((name) => join(root, name))
      .concat([".", environment.PATH ?? process.env.PATH ?? ""])
      .join(":");
    const env = { HOME: home, USER: "ada", NODE_DISABLE_COMPILE_CACHE: "1", ...environment, PATH };
    const child = spawn(file, words, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    return hear(child).ended;
  };
  return { root, marks, run, trace };
}

/** Each is read as data, and leads to no program: git runs with its own settings, hooks and drivers off. */
const READ_BY_GIT = [
  // Which repository it is; what is tracked, and what is ignored.
  /(?:^|\/)\.git(?:\/(?:HEAD|config|index|packed-refs|commondir|gitdir|info\/(?:exclude|attributes|grafts|sparse-checkout)|shallow|refs(?:\/.*)?|objects(?:\/.*)?))?$/,
  /(?:^|\/)\.git(?:ignore|attributes)$/,
  // Which tracked files of the program's own worktree on a runner changed: it hashes them, with every filter off.
  /\/temp\/looplia-[^/]+\/worktree/,
];

/** What a process outside isolation touched below the worktrees, but for what it may read. */
function wrongs(trace: Trace, isWorktree: (path: string) => boolean): string[] {
  const isWrong = ({ what, path, by, own, isFolder }: Touch): boolean => {
    if (what === "execute") return isWorktree(path) || !path.startsWith("/");
    if (!isWorktree(path) || own || isFolder) return false;
    return basename(by) !== "git" || !READ_BY_GIT.some((one) => one.test(path));
  };
  const found = trace.outside().filter(isWrong);
  return [...new Set(found.map(({ what, path, by }) => `${by} ${what}s ${path}`))];
}

const isBelow = (folder: string) => (path: string) => path.startsWith(`${folder}/`);

function use(id: string, name: string, input: object) {
  return { content: [{ type: "tool_use" as const, id, name, input: { ...input } }] };
}

/** One that commands see: they have a temporary folder of their own. */
const NODE =
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find(
      (file) => !isBelow(realpathSync(tmpdir()))(file) && !file.startsWith("/tmp/") && existsSync(file),
    ) ?? process.execPath;
const PLANT = use("toolu_1", "runCommand", { command: `${NODE} plant.cjs` });
const ECHO = use("toolu_2", "mcp__notes__echo", { text: "hi" });
const REPORT = use("toolu_3", "reportSummary", { task_id: "T1", status: "done", summary: "Done." });

test("the command line: list, setup, command, answer, MCP server, hook", { timeout: 300_000 }, async () => {
  needIsolation();
  const world = await makeWorld({ "looplia.yml": SETTINGS, "to-do.json": makeTodo([makeTask("T1")]) });
  const seen: string[] = [];
  const api = await startMessagesApi((body: ApiBody) => {
    if (!JSON.stringify(body.messages[0]).includes("Your task is `T1`")) return "Nothing is missing.";
    seen.push(JSON.stringify(body.messages.at(-1)));
    return [PLANT, ECHO, REPORT][body.messages.filter(({ role }) => role === "assistant").length] ?? "Done.";
  });
  onTestFinished(() => api.close());
  const access = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
  const asked = await world.run(["run", "--json"], access);
  expect(asked.code, asked.stderr).toBe(3);
  const [{ interactionId }] = JSON.parse(asked.stdout).interactions;
  const done = await world.run(["answer", interactionId, "approve"], access);
  expect(done.code, done.stderr).toBe(0);
  // All of it happened, and what started was the trusted form of what the command had planted by then.
  expect(await readFile(join(world.root, "tools/lib.sh"), "utf8")).toContain("touch");
  expect(seen.join()).toContain("echo: hi");
  expect(done.stderr).toContain("it ended with 9: trusted-hook");
  expect(done.stderr).toContain("setup: echo prepared");
  expect(readdirSync(world.marks)).toEqual([]);
  expect(wrongs(world.trace, isBelow(world.root))).toEqual([]);
  expect(world.trace.isolated()).toBeGreaterThan(5);
  expect(world.trace.outside().some(({ by }) => basename(by) === "git")).toBe(true);
});

test("the command line: an article, and a runbook", { timeout: 300_000 }, async () => {
  needIsolation();
  const steps = [`$ ${NODE} plant.cjs`];
  const world = await makeWorld({
    "content/kettles.md": ARTICLE,
    "to-do.json": makeTodo([makeTask("T1", { steps }), makeTask("T2", { steps: ["$ echo hi"] })]),
    "looplia.yml": SETTINGS,
  });
  const article = await world.run(["run", "--file", "content/kettles.md", "--provider", "offline"], {});
  expect(article.code, article.stderr).toBe(0);
  const words = ["run", "--mode", "tasks", "--provider", "offline", "--approval", "none"];
  const list = await world.run(words, {});
  expect(list.code, list.stderr).toBe(0);
  expect(list.stderr.match(/it ended with 9: trusted-hook/g)).toHaveLength(2);
  expect(readdirSync(world.marks)).toEqual([]);
  expect(wrongs(world.trace, isBelow(world.root))).toEqual([]);
});

test.each(["claude", "codex"] as const)("the command line with %s", { timeout: 300_000 }, async (name) => {
  needIsolation();
  const world = await makeWorld({ "looplia.yml": SETTINGS, "to-do.json": makeTodo([makeTask("T1")]) });
  const { path, api, environment } = await serveProgram(
    { name, program: programFile(name) },
    ({ messages }) => {
      const text = JSON.stringify(messages);
      if (/Compare once more/.test(text)) return "Nothing to add.";
      return [PLANT, REPORT].find(({ content: [call] }) => !text.includes(call?.id ?? "")) ?? "All done.";
    },
  );
  onTestFinished(() => api.close());
  const asked = await world.run(["run", "--json"], { ...environment, PATH: path });
  expect(asked.code, asked.stderr).toBe(3);
  const [{ interactionId }] = JSON.parse(asked.stdout).interactions;
  const done = await world.run(["answer", interactionId, "approve"], { ...environment, PATH: path });
  expect(done.code, done.stderr).toBe(0);
  expect(done.stderr).toContain("it ended with 9: trusted-hook");
  expect(readdirSync(world.marks)).toEqual([]);
  expect(wrongs(world.trace, isBelow(world.root))).toEqual([]);
});

test.each(["committed by people", "planted by a command"])(
  "the Action, canaries %s",
  { timeout: 300_000 },
  async (how) => {
    needIsolation();
    const base = realpathSync(mkdtempSync(join(tmpdir(), "looplia-origin-")));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    const marks = join(base, "marks");
    mkdirSync(marks);
    const planted = canaries(marks);
    const trusted = { ...TRUSTED, "tools/server.mjs": await serverScript(), "looplia.yml": SETTINGS };
    const committed = how.startsWith("committed") ? planted : {};
    // A person would be asked about what decides which programs run.
    const { ".npmrc": _npm, ".envrc": _env, ...byCommand } = planted;
    const turns = [PLANT, ECHO];
    const world = await createTasksWorld(
      {
        ...committed,
        ...trusted,
        "plant.cjs": plantScript(byCommand),
        "to-do.json": makeTodo([makeTask("T1")]),
      },
      { T1: (turn) => turns[turn - 1] },
    );
    onTestFinished(() => world.close());
    const trace = traceProcesses();
    const places = ["node_modules/.bin", "bin"].map((name) => join(world.root, "checkout", name));
    const PATH = [...places, ".", process.env.PATH].join(":");
    writeAll(join(world.root, "checkout"), planted);
    const changes = { before: trace.words, environment: { PATH } };
    const asked = await world.start(changes);
    expect(ended(asked), said(asked)).toBe("waiting open-questions");
    const done = await world.comment("maintainer", `/approve ${questionOf(world)}`, changes);
    expect(ended(done), said(done)).toBe("completed done");
    expect(said(done)).toContain("it ended with 9: trusted-hook");
    expect(JSON.stringify(world.model.requests.map(({ body }) => body.messages))).toContain("echo: hi");
    expect(readdirSync(marks)).toEqual([]);
    const isWorktree = (path: string) =>
      isBelow(join(world.root, "checkout"))(path) || /\/temp\/looplia-[^/]+\/worktree/.test(path);
    expect(wrongs(trace, isWorktree)).toEqual([]);
    expect(trace.outside().some(({ path, own }) => own && isWorktree(path))).toBe(true);
    expect(trace.isolated()).toBeGreaterThan(3);
  },
);

test("what is executed or opened outside of isolation is seen, and what is isolated is not", async () => {
  needIsolation();
  const { root, trace } = await makeWorld({ "bin/seen": "#!/bin/sh\nexit 0\n", "bin/data": "" });
  const lines = [
    "./bin/seen",
    `cat '${root}/bin/data' >/dev/null`,
    `bwrap --unshare-user --unshare-pid --ro-bind / / /bin/sh -c './bin/seen; cat package.json' >/dev/null`,
  ];
  const [file = "", ...words] = [...trace.words, "/bin/sh", "-c", lines.join("; ")];
  expect(
    await hear(spawn(file, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })).ended,
  ).toMatchObject({ code: 0 });
  const found = wrongs(trace, isBelow(root)).map((line) => line.replace(/^\S*\//, ""));
  expect(found.sort()).toEqual([
    `cat opens ${root}/bin/data`,
    `seen opens ${root}/bin/seen`,
    "sh executes ./bin/seen",
  ]);
});

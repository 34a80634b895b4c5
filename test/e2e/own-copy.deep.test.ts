// An installation in the worktree: a command that rewrites it changes nothing of the run that started it.

import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";
import { hear } from "../fakes/hear.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

/** A worktree with the program in its `node_modules`, in an empty temporary folder. */
async function makeWorld() {
  const base = await realpath(await mkdtemp(join(tmpdir(), "looplia-own-copy-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, "root");
  const install = join(root, "node_modules/looplia-action");
  await mkdir(join(base, "tmp"));
  await mkdir(dirname(install), { recursive: true });
  await cp(join(await bundled("cli"), "../../.."), install, { recursive: true });
  const run = async (argv: string[], cwd = root, environment: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [join(install, "dist/cli/index.js"), ...argv], {
      cwd,
      env: { PATH: process.env.PATH, HOME: base, TMPDIR: join(base, "tmp"), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return hear(child).ended;
  };
  return { base, root, install, run };
}

const OPEN = ["--approval", "none", "--sandbox", "off", "--provider", "offline"];
/** Each file of the installation leaves a mark when something loads it. */
const REWRITE = `
const fs = require("fs"), path = require("path");
const top = "node_modules/looplia-action";
for (const file of fs.readdirSync(top, { recursive: true }).map((name) => path.join(top, name))) {
  if (file.endsWith(".js")) fs.writeFileSync(file, 'require("fs").writeFileSync("evil", "x"); process.exit(7);');
  else if (/\\.(?:md|yaml|json)$/.test(file)) fs.writeFileSync(file, "evil: [");
}
fs.renameSync(top, "node_modules/moved");
`;

/** A list with a task that notes in `base/seen` what is in the temporary folder. */
async function writeList(root: string, base: string): Promise<void> {
  await writeFile(join(root, "look.sh"), `ls '${base}/tmp' > '${base}/seen'\n`);
  await writeFile(join(root, "to-do.json"), makeTodo([makeTask("T1", { steps: ["$ sh look.sh"] })]));
}

test("a command that rewrites all of it changes nothing of the run, and the copy is gone at the end", async () => {
  const { base, root, run } = await makeWorld();
  await writeList(root, base);
  await writeFile(join(root, "rewrite.cjs"), REWRITE);
  const steps = ["$ node rewrite.cjs", "$ sh look.sh"];
  await writeFile(
    join(root, "to-do.json"),
    makeTodo([makeTask("T1", { steps }), makeTask("T2", { steps: ["$ echo hi"] })]),
  );
  const { code, stdout, stderr } = await run(["run", ...OPEN]);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("evil")]);
  expect(stdout).toContain("Every task is done");
  expect(await readdir(root)).not.toContain("evil");
  expect(await readFile(join(base, "seen"), "utf8")).toMatch(/^looplia-program-\d+-\w+$/m);
  expect(await readdir(join(base, "tmp"))).toEqual([]);
});

test("without a command there is no copy; what a killed process left is removed by the next", async () => {
  const { base, root, run } = await makeWorld();
  expect((await run(["version"])).code).toBe(0);
  const left = join(base, "tmp/looplia-program-999999999-abc");
  await mkdir(left);
  await writeList(root, base);
  expect((await run(["run", ...OPEN])).code).toBe(0);
  expect(await readFile(join(base, "seen"), "utf8")).not.toContain("999999999");
  expect(await readdir(join(base, "tmp"))).toEqual([]);
});

test.each([
  "by an argument",
  "through a link",
  "from a folder below",
  "in a linked worktree's main checkout",
])("a worktree is known %s", async (how) => {
  const { base, root, run } = await makeWorld();
  const other = join(base, "other");
  const below = join(root, "below");
  for (const folder of [other, below]) await mkdir(folder);
  for (const folder of [root, other, below]) await writeList(folder, base);
  if (how === "from a folder below") await mkdir(join(root, ".git"));
  if (how.startsWith("in a linked"))
    await writeFile(join(other, ".git"), `gitdir: ${root}/.git/worktrees/other\n`);
  await symlink(root, join(base, "link"));
  const starts: Record<string, [string[], string]> = {
    "by an argument": [[root], other],
    "through a link": [[], join(base, "link")],
    "from a folder below": [[], below],
  };
  const [argv, cwd] = starts[how] ?? [[], other];
  const { code, stderr } = await run(["run", ...OPEN, ...argv], cwd);
  expect(code, stderr).toBe(0);
  expect(await readFile(join(base, "seen"), "utf8")).toMatch(/^looplia-program-\d+-/);
});

test("outside of the worktree it stays where it is", async () => {
  const { base, run } = await makeWorld();
  const other = join(base, "other");
  await mkdir(other);
  await writeList(other, base);
  expect((await run(["run", ...OPEN], other)).code).toBe(0);
  expect(await readFile(join(base, "seen"), "utf8")).not.toContain("looplia-program");
});

test("where there is no folder for a copy, the run says so and does not start", async () => {
  const { root, run } = await makeWorld();
  await mkdir(join(root, "tmp"));
  const everything = ["run", ...OPEN, "/", root];
  const { code, stderr } = await run(everything);
  expect([code, stderr]).toEqual([2, expect.stringContaining("install looplia outside the repository")]);
});

// What Node compiled of the command line is kept for the next start, in a folder of the user's own.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";
import { hear } from "../fakes/hear.ts";

test("is kept in the user's cache", async () => {
  const { folder, start } = await prepare();
  await start({ HOME: join(folder, "home") });
  const compiled = join(folder, "home/.cache/looplia/compiled");
  expect((await readdir(compiled, { recursive: true })).length).toBeGreaterThan(3);
  expect(await readdir(join(folder, "tmp"))).toEqual([]);
});

test("is kept where XDG_CACHE_HOME says", async () => {
  const { folder, start } = await prepare();
  await start({ HOME: join(folder, "home"), XDG_CACHE_HOME: join(folder, "home/elsewhere") });
  expect(await readdir(join(folder, "home"))).toEqual(["elsewhere"]);
});

// A command could leave code there for the next start.
test("is not kept in the folder where commands run, nor in the checkout around it", async () => {
  const { folder, start } = await prepare();
  await start({ HOME: join(folder, "work") });
  await mkdir(join(folder, ".git"));
  await start({ HOME: join(folder, "home") });
  expect(await readdir(folder, { recursive: true })).toEqual([".git", "home", "tmp", "work"]);
});

// Node's own choice would be a temporary folder, where any user could leave code to be run.
test.each([{}, { HOME: "relative" }, { HOME: "/dev/null" }, { NODE_DISABLE_COMPILE_CACHE: "1" }])(
  "is not kept with %j, and the program starts all the same",
  async (changes) => {
    const { folder, start } = await prepare();
    const home = "NODE_DISABLE_COMPILE_CACHE" in changes ? { HOME: join(folder, "home") } : {};
    await start({ ...home, ...changes });
    expect(await readdir(folder, { recursive: true })).toEqual(["home", "tmp", "work"]);
  },
);

/** Runs `version` with no variables but these and PATH. */
async function prepare() {
  const folder = await mkdtemp(join(tmpdir(), "looplia-compiled-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "home"));
  for (const name of ["tmp", "work"]) await mkdir(join(folder, name));
  const start = async (environment: Record<string, string>): Promise<void> => {
    const child = spawn(process.execPath, [await bundled("cli"), "version"], {
      cwd: join(folder, "work"),
      env: { PATH: process.env.PATH, TMPDIR: join(folder, "tmp"), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(await hear(child).ended).toMatchObject({ code: 0, stderr: "" });
  };
  return { folder, start };
}

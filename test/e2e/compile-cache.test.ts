// What Node keeps of a start of the command line: only in folders that are the user's own.
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const ENTRY = resolve(import.meta.dirname, "../../src/entrypoints/cli.ts");

test("is kept in a folder of the user's own, closed to others", async () => {
  const { home, start } = await install();
  expect(await start({ HOME: home })).toBe("started\n");
  expect(await keptBelow(home)).not.toEqual([]);
  expect((await stat(join(home, ".cache/looplia/compiled"))).mode & 0o777).toBe(0o700);
});

test("is kept where XDG_CACHE_HOME says", async () => {
  const { home, start } = await install();
  await start({ HOME: home, XDG_CACHE_HOME: join(home, "elsewhere") });
  expect((await readdir(home)).sort()).toEqual(["elsewhere"]);
});

test.each<[string, (cache: string) => Promise<unknown>]>([
  ["a folder that others may write to", (cache) => chmod(join(cache, "looplia"), 0o777)],
  ["a cache that a group may write to", (cache) => chmod(cache, 0o775)],
  [
    "a link",
    async (cache) => {
      await rm(join(cache, "looplia"), { recursive: true });
      await mkdir(join(cache, "../linked/compiled"), { recursive: true });
      await symlink("../linked", join(cache, "looplia"));
    },
  ],
])("is not kept in %s, and the program starts all the same", async (_, spoil) => {
  const { home, start } = await install();
  await mkdir(join(home, ".cache/looplia/compiled"), { recursive: true, mode: 0o700 });
  await spoil(join(home, ".cache"));
  expect(await start({ HOME: home })).toBe("started\n");
  expect(await keptBelow(home)).toEqual([]);
});

test.each([{}, { HOME: "relative" }, { HOME: "/dev/null" }])("is not kept with %j", async (environment) => {
  const { home, start } = await install();
  expect(await start(environment)).toBe("started\n");
  expect(await readdir(home)).toEqual([]);
});

test("is not kept by who does not want it: NODE_DISABLE_COMPILE_CACHE", async () => {
  const { home, start } = await install();
  await start({ HOME: home, NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(await readdir(home)).toEqual([]);
});

async function keptBelow(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

/** The entry as it is built, beside a program that only says that it was started. */
async function install() {
  const folder = await mkdtemp(join(tmpdir(), "looplia-compiled-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  await mkdir(home);
  const source = stripTypeScriptTypes(await readFile(ENTRY, "utf8")).replace("cli-main.ts", "cli-main.js");
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "index.js"), source);
  await writeFile(join(folder, "cli-main.js"), 'console.log("started");\n');
  const start = async (environment: Record<string, string>): Promise<string> => {
    const child = spawn(process.execPath, [join(folder, "index.js")], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += String(bytes)));
    await new Promise((done) => child.once("close", done));
    return said;
  };
  return { home, start };
}

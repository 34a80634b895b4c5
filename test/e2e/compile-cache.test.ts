// What is kept of a start of the command line: only in folders that are the user's own, only for the very same program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const ENTRY = resolve(import.meta.dirname, "../../src/entrypoints/cli.ts");

const CACHE = ".cache/looplia/compiled";
const STARTED = 'console.log("started");\n';
const CALLS_ONE = `
function called() { return "inside of what is called"; }
function other() { return "inside of the other"; }
console.log(process.argv.includes("other") ? other() : called());
`;

test("is kept in a folder of the user's own, closed to others", async () => {
  const { home, start } = await install();
  expect(await start({ HOME: home })).toBe("started\n");
  expect(await keptBelow(home)).not.toEqual([]);
  expect((await stat(join(home, CACHE))).mode & 0o777).toBe(0o700);
});

test("is what was compiled when it was called, too", async () => {
  const { home, start } = await install(CALLS_ONE);
  await start({ HOME: home }, "run");
  const [name] = await keptBelow(home);
  const kept = await readFile(join(home, CACHE, String(name)), "latin1");
  expect(kept).toContain("inside of what is called");
  expect(kept).not.toContain("inside of the other");
});

test("is nothing that the program was working on", async () => {
  const { home, start } = await install(
    "const held = {}; held[process.env.KEY] = [process.env.KEY + '-canary']; held[process.env.KEY].at(0);",
  );
  await start({ HOME: home, KEY: "sk-of-a-person" });
  const [name] = await keptBelow(home);
  const kept = await readFile(join(home, CACHE, String(name)), "latin1");
  expect(kept).toContain("-canary");
  expect(kept).not.toContain("sk-of-a-person");
});

test("is kept while the first request is on its way, whatever becomes of the process", async () => {
  const { home, start } = await install(await dieWhenAnswered());
  await start({ HOME: home });
  expect(await keptBelow(home)).toEqual([expect.stringMatching(/-asked$/)]);
});

test("is kept again by the first start that gets as far as a request", async () => {
  const { home, start, program } = await install();
  const asks = await dieWhenAnswered();
  await writeFile(program, `if (process.env.KEY) { ${asks} }`);
  await start({ HOME: home });
  const [early] = await keptBelow(home);
  await start({ HOME: home, KEY: "k" });
  expect(await keptBelow(home)).toEqual([early, `${early}-asked`]);
  const before = await identities(home);
  await start({ HOME: home, KEY: "k" });
  expect(await identities(home)).toEqual(before);
});

test("is kept apart for each command, and once for what is none", async () => {
  const { home, start } = await install();
  for (const word of ["run", "status", "other", "rnu"]) await start({ HOME: home }, word);
  const names = (await keptBelow(home)).map((name) => name.split("-")[0]);
  expect(names.sort()).toEqual(["other", "run", "status"]);
});

test("is used, not written again, by the next start", async () => {
  const { home, start } = await install();
  await start({ HOME: home });
  const before = await identities(home);
  expect(await start({ HOME: home })).toBe("started\n");
  expect(await identities(home)).toEqual(before);
});

test.each<[string, (kept: Buffer) => Buffer]>([
  ["cut short", (kept) => kept.subarray(0, -9)],
  ["empty", () => Buffer.alloc(0)],
  ["changed in one byte", (kept) => kept.fill((kept.at(-5) ?? 0) ^ 1, kept.length - 5, kept.length - 4)],
])("is made again when it is %s", async (_, spoil) => {
  const { home, start } = await install();
  await start({ HOME: home });
  const path = join(home, CACHE, String((await keptBelow(home))[0]));
  await writeFile(path, spoil(await readFile(path)));
  const spoiled = await readFile(path);
  expect(await start({ HOME: home })).toBe("started\n");
  expect((await readFile(path)).equals(spoiled)).toBe(false);
  expect(await keptBelow(home)).toHaveLength(1);
});

test("is not used for another program of the same length", async () => {
  const { home, start, program } = await install();
  await start({ HOME: home });
  await writeFile(program, STARTED.replace("started", "altered"));
  expect(await start({ HOME: home })).toBe("altered\n");
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
  await mkdir(join(home, CACHE), { recursive: true, mode: 0o700 });
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

/** A program that makes a request and is killed at its answer. */
async function dieWhenAnswered(): Promise<string> {
  const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return `fetch("http://127.0.0.1:${port}").then(() => process.kill(process.pid, "SIGKILL"));`;
}

/** Each file with what tells whether it was written again. */
async function identities(home: string): Promise<[string, number][]> {
  const names = await keptBelow(home);
  return Promise.all(
    names.map(async (name): Promise<[string, number]> => [name, (await stat(join(home, CACHE, name))).ino]),
  );
}

async function keptBelow(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** The entry as it is built, beside a program that only says that it was started. */
async function install(text = STARTED) {
  const folder = await mkdtemp(join(tmpdir(), "looplia-compiled-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  await mkdir(home);
  const source = stripTypeScriptTypes(await readFile(ENTRY, "utf8"));
  const program = join(folder, "main/index.js");
  await mkdir(join(folder, "main"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "index.js"), source);
  await writeFile(join(folder, "main/package.json"), '{ "type": "commonjs" }');
  await writeFile(program, text);
  const start = async (environment: Record<string, string>, ...words: string[]): Promise<string> => {
    const child = spawn(process.execPath, [join(folder, "index.js"), ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += String(bytes)));
    await new Promise((done) => child.once("close", done));
    return said;
  };
  return { home, start, program };
}

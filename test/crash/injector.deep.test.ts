// The injector sees every effect, counts it once, and kills exactly there.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const INJECTOR = join(import.meta.dirname, "injector.mjs");
const SCRIPT = join(import.meta.dirname, "effects-script.mjs");
const EFFECTS = [
  "mkdir a",
  "writeFile a/sync",
  "appendFile a/sync",
  "mkdir b",
  "writeFile b/promise",
  "open b/.draft",
  "writeFile b/.draft",
  "datasync b/.draft",
  "link b/segment",
  "unlink b/.draft",
  "appendFile b/segment",
  "sync b",
  ...(existsSync("/proc/self/fd") ? ["writeFile b/pinned"] : []),
  "appendFile c",
  "open d",
  "write d",
  "fdatasync d",
  "rename e",
  "spawn node",
  "spawn true",
  "fetch POST",
];
let root: string;
let server: Server;
let requests = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "injector-"));
  server = createServer((_, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true, force: true });
});

async function run(name: string, crashAt?: string) {
  const [folder, elsewhere] = [join(root, name), join(root, `${name}-elsewhere`)];
  await mkdir(folder);
  await mkdir(elsewhere);
  const list = join(root, `${name}.list`);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const child = spawn(process.execPath, ["--import", INJECTOR, SCRIPT, folder, elsewhere, url], {
    env: {
      CRASH_FOLDERS: folder,
      CRASH_IGNORE: "\\.log$",
      CRASH_LIST: list,
      ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (...how) => resolve(how)),
  );
  const lines = existsSync(list) ? readFileSync(list, "utf8").trimEnd().split("\n") : [];
  return { folder, output, code, signal, lines: lines.map((line) => line.split("\t")) };
}

/** What stands in the folder: names, and the text of files. */
function look(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), entry.isFile() ? readFileSync(path, "utf8") : "folder"];
    }),
  );
}

const short = (kind = "", place = "") =>
  kind === "spawn"
    ? `spawn ${place.split("/").at(-1)}`
    : `${kind} ${kind === "fetch" ? place.split(" ")[0] : place}`;

test("lists every effect once, in order, with the place that caused it, and changes no result", async () => {
  const { lines, output, code } = await run("list");
  expect(code).toBe(0);
  expect(JSON.parse(output)).toEqual({ bytesWritten: 10, stdout: "child\n", status: 200 });
  expect(lines.map(([, kind, place]) => short(kind, place))).toEqual(EFFECTS);
  expect(lines.map(([index]) => Number(index))).toEqual(EFFECTS.map((_, index) => index + 1));
  for (const [, kind, , site] of lines) if (kind !== "spawn") expect(site).toMatch(/effects-script\.mjs:\d+/);
});

test("before an effect nothing of it is there, after it all of it", async () => {
  const cases: [string, string, string | undefined][] = [
    ["writeFile a/sync", "a/sync", "1"],
    ["writeFile b/.draft", "b/.draft", "first\n"],
    ["link b/segment", "b/segment", "first\n"],
    ["appendFile b/segment", "b/segment", "first\nsecond\n"],
    ["appendFile c", "c", "callback"],
    ["write d", "d", "descriptor"],
    ["rename e", "e", "descriptor"],
    ["unlink b/.draft", "b/.draft", undefined],
  ];
  for (const [index, [effect, place, text]] of cases.entries()) {
    const n = EFFECTS.indexOf(effect) + 1;
    const before = await run(`before-${index}`, `${n}:before`);
    const after = await run(`after-${index}`, `${n}:after`);
    expect([before.signal, after.signal]).toEqual(["SIGKILL", "SIGKILL"]);
    expect([before.lines.length, after.lines.length]).toEqual([n, n]);
    expect(look(after.folder)[place]).toBe(text);
    expect(look(before.folder)[place]).not.toBe(text);
  }
});

test("a request is not sent before, and answered after", async () => {
  const n = EFFECTS.length;
  const sent = requests;
  expect((await run("fetch-before", `${n}:before`)).signal).toBe("SIGKILL");
  expect(requests).toBe(sent);
  expect((await run("fetch-after", `${n}:after`)).signal).toBe("SIGKILL");
  expect(requests).toBe(sent + 1);
});

test("behind the last effect it lets the process end", async () => {
  expect((await run("behind", `${EFFECTS.length + 1}:before`)).code).toBe(0);
});

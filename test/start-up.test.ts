// What the command line loads before its first request to the model: packages that take long to load wait until needed.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const install = resolve(import.meta.dirname, "..");
const ARTICLE =
  "# Kettles\n\nA kettle boils sooner with its lid on, as every cook knows who has waited for one.\n";
const SLOW = ["zod", "yaml", "liquidjs", "ajv", "compromise", "re2js"];

test("neither schemas nor YAML are loaded before the first request of a new session", async () => {
  const loaded = await packagesBeforeRequest({});
  expect(loaded).toContain("@anthropic-ai/sdk");
  expect(loaded.filter((name) => SLOW.includes(name))).toEqual([]);
});

test("nor with plain settings, a sound profile and front matter of plain lines", async () => {
  const style = { tone: "mixed", targetWordCount: 900, voice: "first-person" };
  const loaded = await packagesBeforeRequest({
    "looplia.yml": "# remark\ncontent: content/*.md\nmax-turns: 5\n",
    ".looplia/user-profile.json": JSON.stringify({ userId: "me", topics: [], style }),
    "article.md": `---\ntitle: On kettles\nurl: https://example.com/kettles\n---\n${ARTICLE}`,
  });
  expect(loaded.filter((name) => SLOW.includes(name))).toEqual([]);
});

test("what is not plain brings its library: what is loaded is noted", async () => {
  const loaded = await packagesBeforeRequest({ "looplia.yml": "content: [content/*.md]\n" });
  expect(loaded).toContain("yaml");
});

test("the disk is waited for twelve times before the first request, whatever has to be durable by then", async () => {
  const rounds = await notedBeforeRequest("note-syncs.ts", { "article.md": ARTICLE });
  expect(rounds.length).toBeLessThanOrEqual(12);
  expect(sum(rounds.map(Number))).toBeGreaterThan(20);
});

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Names of the packages that `run --file` has loaded when its first request comes in. */
async function packagesBeforeRequest(files: Record<string, string>): Promise<string[]> {
  return [...new Set(await notedBeforeRequest("note-packages.ts", files))];
}

/** What a preloaded fake has noted when the first request of `run --file` comes in, which is never answered. */
async function notedBeforeRequest(fake: string, files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "looplia-start-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "work"));
  const all = { "article.md": ARTICLE, ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, "work", name)), { recursive: true });
    await writeFile(join(folder, "work", name), text);
  }
  const noted = join(folder, "noted");
  const asked = Promise.withResolvers<"asked">();
  const server = createServer(() => asked.resolve("asked")).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  const preload = join(import.meta.dirname, "fakes", fake);
  const program = join(install, "src/entrypoints/cli.ts");
  const child = spawn(process.execPath, ["--import", preload, program, "run", "--file", "article.md"], {
    cwd: join(folder, "work"),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      NOTED: noted,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += String(bytes)));
  const closed = new Promise<"closed">((done) => child.once("close", () => done("closed")));
  const first = await Promise.race([asked.promise, closed]);
  const lines = await readFile(noted, "utf8").catch(() => "");
  child.kill("SIGKILL");
  await closed;
  if (first !== "asked") throw new Error(`the program ended without a request:\n${said}`);
  return lines.split("\n").filter(Boolean);
}

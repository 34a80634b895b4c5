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
const SLOW = [
  "ajv",
  "compromise",
  "re2js",
  "minisearch",
  "diff",
  "micromark",
  "@octokit/core",
  "string-width",
  "log-update",
  "node:child_process",
  "node:readline",
  "node:v8",
];

test("no package that loads slowly is loaded before the first request", async () => {
  const style = { tone: "mixed", targetWordCount: 900, voice: "first-person" };
  const loaded = await packagesBeforeRequest({
    "looplia.yml": "content: [content/*.md]\nmax-turns: 5\n",
    ".looplia/user-profile.json": JSON.stringify({ userId: "me", topics: [], style }),
    "article.md": `---\ntitle: On kettles\nurl: https://example.com/kettles\n---\n${ARTICLE}`,
  });
  expect(loaded).toEqual(expect.arrayContaining(["@anthropic-ai/sdk", "yaml", "zod"]));
  expect(loaded.filter((name) => SLOW.includes(name))).toEqual([]);
});

test("a package is noted when it is loaded", async () => {
  const schema = "outputs: { a: { artifact: a.json, agent: social-writer, schema: a.schema.json } }";
  const loaded = await packagesBeforeRequest({
    "looplia.yml": "pipeline: mine\n",
    ".looplia/pipelines/mine.yaml": `name: mine\n${schema}\n`,
    ".looplia/pipelines/a.schema.json": "{}",
  });
  expect(loaded).toEqual(expect.arrayContaining(["ajv", "re2js"]));
});

test("the disk is waited for fifteen times before the first request, whatever has to be durable by then", async () => {
  const rounds = await notedBeforeRequest("note-syncs.ts", { "article.md": ARTICLE });
  expect(rounds.length).toBeLessThanOrEqual(15);
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
  const program = join(install, "src/entry/cli.ts");
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

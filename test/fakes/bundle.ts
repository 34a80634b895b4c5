// The program under test: a bundle of the sources as they are now, never an older one. Built once for each state of them.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { cp, mkdir, rename, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");
/** What an installation has beside its bundle. */
const BESIDE = ["package.json", "prompts", "pipelines", "examples"];
const SOURCES = ["src/**/*.{ts,json}", "{prompts,pipelines,examples}/**/*", "package*.json", "scripts/*.ts"];
const CACHE = join(ROOT, "node_modules/.cache/looplia");
const DAY_MS = 86_400_000;
const BUILD_MS = 60_000;

let install: Promise<string> | undefined;

/** The file that starts the program. The bundle is built unless it is there. */
export async function bundled(entry: "action" | "cli" | "post"): Promise<string> {
  install ??= findInstall();
  return join(await install, "dist", entry, "index.js");
}

async function findInstall(): Promise<string> {
  const found = join(CACHE, digestOf(SOURCES));
  if (existsSync(found)) return found;
  const lock = `${found}.lock`;
  await mkdir(CACHE, { recursive: true });
  const isFirst = await mkdir(lock).then(
    () => true,
    () => false,
  );
  // One worker builds for all of them.
  while (!isFirst && !existsSync(found) && isFresh(lock)) await wait(100);
  try {
    if (!existsSync(found)) await build(found);
  } finally {
    if (isFirst) await rmdir(lock);
  }
  return found;
}

/** Whether somebody is building: who was killed has left the lock. */
function isFresh(lock: string): boolean {
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - made < BUILD_MS;
}

async function build(found: string): Promise<void> {
  const draft = `${found}.${process.pid}`;
  // The bundler takes much memory, and keeps it: what a process has, each process that it starts pays for.
  const command = [join(ROOT, "scripts/build.ts"), "--out", join(draft, "dist")];
  await promisify(execFile)(process.execPath, command);
  for (const name of BESIDE) await cp(join(ROOT, name), join(draft, name), { recursive: true });
  removeOld();
  // Another process may have built the same meanwhile.
  await rename(draft, found).catch(() => rm(draft, { recursive: true }));
}

function digestOf(patterns: string[]): string {
  const hash = createHash("sha256");
  for (const path of globSync(patterns, { cwd: ROOT }).sort()) {
    if (statSync(join(ROOT, path)).isFile()) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** A bundle of yesterday: a run of the tests in the same folder does not take that long. */
function removeOld(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

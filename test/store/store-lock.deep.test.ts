// One live process a work: of many openers one wins; a dead owner's lock is taken over.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock } from "../../src/store/lock.ts";
import { readSession } from "../../src/store/scan.ts";
import { eventLine } from "../fakes/store-lines.ts";

const SESSION = "an-article-2026-11-21-0a1b2c";
let root: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "lock-"));
});
afterEach(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) await kill(child);
  await rm(root, { recursive: true, force: true });
});

type Answer = { won?: number; closed?: number; code?: string; message?: string };

function start(...commands: string[]): { child: ChildProcess; answer: Promise<Answer> } {
  const script = join(import.meta.dirname, "../fakes/store-process.ts");
  const child = spawn(process.execPath, [script, root, SESSION, ...commands], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const answer = once(lines, "line").then(([line]) => JSON.parse(line as string) as Answer);
  return { child, answer };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

test("of several processes at once exactly one wins; the others say who has it", async () => {
  const started = Array.from({ length: 5 }, () => start("hold"));
  const answers = await Promise.all(started.map(({ answer }) => answer));
  const winners = answers.filter((answer) => answer.won !== undefined);
  expect(winners).toHaveLength(1);
  for (const answer of answers.filter((one) => one.won === undefined)) {
    expect(answer.code).toBe("busy");
    expect(answer.message).toContain(`pid ${winners[0]?.won}`);
  }
});

test("killed while it held the lock: the next takes over and goes on", async () => {
  const first = start("a", "hold");
  expect((await first.answer).won).toBe(first.child.pid);
  expect((await start("b").answer).code).toBe("busy");
  await kill(first.child);
  expect((await start("c").answer).closed).toBeDefined();
  expect((await readSession(root, SESSION)).events).toEqual([eventLine("a"), eventLine("c")]);
});

test("of several that find a dead owner exactly one takes over", async () => {
  const first = start("hold");
  await first.answer;
  await kill(first.child);
  const answers = await Promise.all(Array.from({ length: 5 }, () => start("hold").answer));
  expect(answers.filter((answer) => answer.won !== undefined)).toHaveLength(1);
  expect(answers.filter((answer) => answer.code === "busy")).toHaveLength(4);
});

test("in one process, too, one of many wins at a time, and everyone in the end", async () => {
  let holders = 0;
  let turns = 0;
  const takeTurn = async (): Promise<void> => {
    for (;;) {
      const lock = await takeLock(root).catch((error: unknown) => {
        expect(error).toMatchObject({ code: "busy" });
        return undefined;
      });
      if (!lock) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      holders += 1;
      expect(holders).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      holders -= 1;
      turns += 1;
      return lock.release();
    }
  };
  await Promise.all(Array.from({ length: 20 }, takeTurn));
  expect(turns).toBe(20);
  expect(readdirSync(join(root, "lock"))).toHaveLength(1);
});

test.each([
  ["a process number that is nobody's", JSON.stringify({ pid: 2 ** 22 + 1, startedAt: "1" })],
  ["a process number that is another's by now", JSON.stringify({ pid: process.pid, startedAt: "1" })],
  ["a file that names nobody", "{"],
])("%s is taken over", async (_, text) => {
  mkdirSync(join(root, "lock"));
  writeFileSync(join(root, "lock", "000007"), text);
  const lock = await takeLock(root);
  expect(readdirSync(join(root, "lock"))).toEqual(["000008"]);
  await expect(takeLock(root)).rejects.toMatchObject({ code: "busy" });
  await lock.release();
  expect(readdirSync(join(root, "lock"))).toEqual(["000008.free"]);
});

test("an owner without a start time is believed while its process lives", async () => {
  mkdirSync(join(root, "lock"));
  writeFileSync(join(root, "lock", "000001"), JSON.stringify({ pid: process.pid, startedAt: null }));
  await expect(takeLock(root)).rejects.toThrow(`pid ${process.pid}`);
});

test("an owner that no process can be is nobody", async () => {
  mkdirSync(join(root, "lock"));
  writeFileSync(join(root, "lock", "000001"), JSON.stringify({ pid: 2 ** 40, startedAt: null }));
  (await takeLock(root)).release();
  expect(readdirSync(join(root, "lock")).sort().at(-1)).toMatch(/\.free$/);
});

test("one whose folder was removed meanwhile is given back without a word, and can be taken again", async () => {
  const lock = await takeLock(root);
  await rm(join(root, "lock"), { recursive: true });
  lock.release();
  (await takeLock(root)).release();
  expect(readdirSync(join(root, "lock"))).toEqual(["000001.free"]);
});

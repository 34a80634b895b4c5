// The month's ledger: a ref beside the state refs, or files on this disk. Runs that write at once lose nothing.
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { figuresOf, type MonthLedger, settleLease, takeTranche } from "../../src/core/money/ledger.ts";
import { openRepository } from "../../src/git/repository.ts";
import { pushRate } from "../../src/git/state-push.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";
import { openLedger } from "../../src/store/ledger.ts";
import { MemoryLedger } from "../fakes/memory-ledger.ts";

const PREFIX = "refs/looplia-state/";
const MONTH = "2026-11";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "looplia-budget-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function onRemote(): Promise<{ open(name: string): Promise<MonthLedger>; refs(): string }> {
  const root = await temporaryFolder();
  const remote = join(root, "remote.git");
  execFileSync("git", ["init", "--quiet", "--bare", remote]);
  return {
    async open(name) {
      const environment = gitEnvironment(process.env);
      const place = {
        temporary: join(root, name),
        remote,
        token: undefined,
        environment,
        rate: pushRate(1_000),
      };
      const repository = await openRepository(place);
      return repository.monthLedger(PREFIX);
    },
    refs: () => execFileSync("git", ["-C", remote, "for-each-ref", "--format=%(refname)"]).toString().trim(),
  };
}

async function onDisk(): Promise<{ open(name: string): Promise<MonthLedger>; refs(): string }> {
  const folder = await temporaryFolder();
  return { open: async () => openLedger(folder), refs: () => `${PREFIX}month.budget` };
}

async function inMemory(): ReturnType<typeof onDisk> {
  const ledger = new MemoryLedger();
  return { open: async () => ledger, refs: () => `${PREFIX}month.budget` };
}

test.each([
  ["a ref", onRemote],
  ["files", onDisk],
  ["the fake", inMemory],
])("%s: runs that lease and settle at once lose nothing", async (_name, place) => {
  const { open, refs } = await place();
  const runs = ["1", "2", "3"];
  await Promise.all(
    runs.map(async (id) => {
      const ledger = await open(id);
      const lease = { month: MONTH, limitUsd: 100, id, by: id, at: "2026-11-20T00:00:00.000Z", wantUsd: 10 };
      await ledger.update((stored) => takeTranche(stored, lease));
      await ledger.update((stored) => settleLease(stored, MONTH, id, 2));
    }),
  );
  const seen = await (await open("4")).update((stored) => stored);
  expect(figuresOf(seen, MONTH, 100)).toEqual({ month: MONTH, spentUsd: 6, leasedUsd: 0, limitUsd: 100 });
  expect(refs()).toBe(`${PREFIX}month.budget`);
});

test("files that no longer count are removed", async () => {
  const folder = await temporaryFolder();
  const ledger = openLedger(folder);
  const lease = {
    month: MONTH,
    limitUsd: 100,
    id: "1",
    by: "1",
    at: "2026-11-20T00:00:00.000Z",
    wantUsd: 10,
  };
  for (let round = 0; round < 5; round += 1) {
    await ledger.update((stored) => takeTranche(stored, lease));
    await ledger.update((stored) => settleLease(stored, MONTH, "1", 1));
  }
  expect((await readdir(join(folder, "budget"))).length).toBeLessThanOrEqual(2);
});

// Letters beside a state ref: durable, read by anybody, removed once, and no work's state.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Letters } from "../../src/core/ports-host.ts";
import { openRepository } from "../../src/git/repository.ts";
import { pushRate } from "../../src/git/state-push.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";

const REF = "refs/looplia/writing-kit-abc123";
let root: string;
let remote: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-letters-"));
  remote = join(root, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function lettersOf(runner: string, ref = REF): Promise<Letters> {
  const temporary = join(root, runner);
  await mkdir(temporary, { recursive: true });
  const environment = gitEnvironment(process.env);
  return (
    await openRepository({ temporary, remote, token: undefined, environment, rate: pushRate(1_000) })
  ).letters([ref]);
}

const textsOf = async (letters: Letters) => (await letters.list()).map(({ text }) => text).sort();

test("what several runs left at once is read by another, each for its own work", async () => {
  const [ada, grace, other] = await Promise.all([
    lettersOf("ada"),
    lettersOf("grace"),
    lettersOf("other", `${REF}-2`),
  ]);
  const odd = '{"a":"two\\nlines, ünïcode"}\n\nand more';
  await Promise.all([ada.leave(odd), grace.leave("second"), other.leave("of another work")]);
  const reader = await lettersOf("reader");
  expect(await textsOf(reader)).toEqual(["second", odd]);
  expect(await textsOf(await lettersOf("reader-2", `${REF}-2`))).toEqual(["of another work"]);
});

test("what was read is removed and nothing else; what is gone already is no failure", async () => {
  const writer = await lettersOf("writer");
  await writer.leave("first");
  const [one, two] = await Promise.all([lettersOf("one"), lettersOf("two")]);
  const [read, alsoRead] = await Promise.all([one.list(), two.list()]);
  await writer.leave("came later");
  await one.remove(read);
  await two.remove(alsoRead);
  expect(await textsOf(one)).toEqual(["came later"]);
  await one.remove([]);
});

test("a remote that is gone is told", async () => {
  const writer = await lettersOf("writer");
  await rm(remote, { recursive: true });
  await expect(writer.leave("x")).rejects.toMatchObject({ code: "host-failed" });
  await expect(writer.list()).rejects.toMatchObject({ code: "host-failed" });
});

// State counts only where it was made: by this user, on this machine, for this folder.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTracked } from "../../src/sandbox/git-process.ts";
import { claimState } from "../../src/store/origin.ts";

function place() {
  const base = mkdtempSync(join(tmpdir(), "origin-"));
  const root = join(base, "root");
  const stateFolder = join(root, ".looplia/state");
  mkdirSync(root);
  const keyFolder = join(base, "home/looplia");
  return {
    base,
    ...{ root, stateFolder, keyFolder },
    isTracked: (folder: string) => isTracked(root, folder, process.env),
  };
}
const fill = ({ stateFolder }: { stateFolder: string }, name = "tasks-abcdef") => {
  mkdirSync(join(stateFolder, name), { recursive: true });
  writeFileSync(join(stateFolder, name, "header.json"), "{}");
};

/** As a run does: looks, and signs before it writes. */
async function claim(here: ReturnType<typeof place>): Promise<string | undefined> {
  const { aside, sign } = await claimState(here);
  await sign();
  return aside;
}

test("state that was made here stays, again and again, for two runs at once too", async () => {
  const here = place();
  const claimed = await Promise.all([claimState(here), claimState(here)]);
  expect(existsSync(here.stateFolder)).toBe(false);
  expect(existsSync(here.keyFolder)).toBe(false);
  await Promise.all(claimed.map(({ sign }) => sign()));
  fill(here);
  expect(await Promise.all([claim(here), claim(here)])).toEqual([undefined, undefined]);
  expect(existsSync(join(here.stateFolder, "tasks-abcdef/header.json"))).toBe(true);
  expect(statSync(here.keyFolder).mode & 0o777).toBe(0o700);
});

test.each<[string, (here: ReturnType<typeof place>) => void]>([
  ["without an origin, as an archive brings it", (here) => fill(here)],
  [
    "with an origin that somebody made up",
    (here) => {
      fill(here);
      writeFileSync(join(here.stateFolder, "origin"), "00".repeat(32));
    },
  ],
])("state %s is moved aside whole", async (_, arrive) => {
  const here = place();
  arrive(here);
  const aside = await claim(here);
  expect(readdirSync(aside ?? "")).toContain("tasks-abcdef");
  expect(readdirSync(here.stateFolder)).toEqual(["origin"]);
  expect(await claim(here)).toBeUndefined();
});

test("state of this machine for another folder is moved aside, also where the other one was moved here", async () => {
  const here = place();
  await claim(here);
  fill(here);
  const copy = {
    ...here,
    root: join(here.base, "copy"),
    stateFolder: join(here.base, "copy/.looplia/state"),
  };
  cpSync(here.root, copy.root, { recursive: true });
  expect(await claim(copy)).toBeDefined();
  const moved = {
    ...here,
    root: join(here.base, "moved"),
    stateFolder: join(here.base, "moved/.looplia/state"),
  };
  renameSync(here.root, moved.root);
  expect(await claim(moved)).toBeDefined();
});

test("state of another user, or of a user whose key is gone, is moved aside", async () => {
  const here = place();
  await claim(here);
  fill(here);
  expect(await claim({ ...here, keyFolder: join(here.base, "other") })).toBeDefined();
});

test("state that a pull adds to one's own is moved aside with it", async () => {
  const here = place();
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: here.root,
      stdio: "pipe",
    });
  git("init", "-q");
  await claim(here);
  fill(here);
  expect(await claim(here)).toBeUndefined();
  fill(here, "tasks-bad000");
  git("add", "-f", ".looplia/state/tasks-bad000");
  const aside = await claim(here);
  expect(readdirSync(aside ?? "").sort()).toEqual(["origin", "tasks-abcdef", "tasks-bad000"]);
});

test("a folder outside the root is the choice of whoever names it", async () => {
  const here = place();
  const outside = { ...here, stateFolder: join(here.base, "elsewhere") };
  fill(outside);
  expect(await claim(outside)).toBeUndefined();
  expect(readdirSync(outside.stateFolder)).toEqual(["tasks-abcdef"]);
});

test("where the key can't be kept, the error says what to set, and nothing is written", async () => {
  const here = place();
  writeFileSync(join(here.base, "file"), "");
  await expect(claim({ ...here, keyFolder: join(here.base, "file/looplia") })).rejects.toMatchObject({
    code: "config-invalid",
    hint: expect.stringContaining("LOOPLIA_STATE_DIR"),
  });
  expect(existsSync(here.stateFolder)).toBe(false);
});

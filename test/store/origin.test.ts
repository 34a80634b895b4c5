// State counts only where it was made: by this user, on this machine, for this folder.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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

test("state that was made here stays, again and again, for two runs at once too", async () => {
  const here = place();
  expect(await Promise.all([claimState(here), claimState(here)])).toEqual([undefined, undefined]);
  fill(here);
  expect(await Promise.all([claimState(here), claimState(here)])).toEqual([undefined, undefined]);
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
  const aside = await claimState(here);
  expect(readdirSync(aside ?? "")).toContain("tasks-abcdef");
  expect(readdirSync(here.stateFolder)).toEqual(["origin"]);
  expect(await claimState(here)).toBeUndefined();
});

test("state of this machine for another folder is moved aside, also where the other one was moved here", async () => {
  const here = place();
  await claimState(here);
  fill(here);
  const copy = {
    ...here,
    root: join(here.base, "copy"),
    stateFolder: join(here.base, "copy/.looplia/state"),
  };
  cpSync(here.root, copy.root, { recursive: true });
  expect(await claimState(copy)).toBeDefined();
  const moved = {
    ...here,
    root: join(here.base, "moved"),
    stateFolder: join(here.base, "moved/.looplia/state"),
  };
  renameSync(here.root, moved.root);
  expect(await claimState(moved)).toBeDefined();
});

test("state of another user, or of a user whose key is gone, is moved aside", async () => {
  const here = place();
  await claimState(here);
  fill(here);
  expect(await claimState({ ...here, keyFolder: join(here.base, "other") })).toBeDefined();
});

test("state that a pull adds to one's own is moved aside with it", async () => {
  const here = place();
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: here.root,
      stdio: "pipe",
    });
  git("init", "-q");
  await claimState(here);
  fill(here);
  expect(await claimState(here)).toBeUndefined();
  fill(here, "tasks-bad000");
  git("add", "-f", ".looplia/state/tasks-bad000");
  const aside = await claimState(here);
  expect(readdirSync(aside ?? "").sort()).toEqual(["origin", "tasks-abcdef", "tasks-bad000"]);
});

test("a folder outside the root is the choice of whoever names it", async () => {
  const here = place();
  const outside = { ...here, stateFolder: join(here.base, "elsewhere") };
  fill(outside);
  expect(await claimState(outside)).toBeUndefined();
  expect(readdirSync(outside.stateFolder)).toEqual(["tasks-abcdef"]);
});

test("where the key can't be kept, the error says what to set, and nothing is moved", async () => {
  const here = place();
  fill(here);
  writeFileSync(join(here.base, "file"), "");
  await expect(claimState({ ...here, keyFolder: join(here.base, "file/looplia") })).rejects.toMatchObject({
    code: "config-invalid",
    hint: expect.stringContaining("LOOPLIA_STATE_DIR"),
  });
  expect(readFileSync(join(here.stateFolder, "tasks-abcdef/header.json"), "utf8")).toBe("{}");
});

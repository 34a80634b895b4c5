// State of a newer version: its header says so before anything else of it is judged, and nothing of it is touched.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readWork } from "../../src/store/scan.ts";
import { openStores } from "../../src/store/work.ts";
import { createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { fixedClock } from "../fakes/fixed-clock.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

const WORK = "writing-kit-abc123";
const SESSION = "kettles-2026-11-21-0a1b2c";
const HEADERS = [
  { schemaVersion: 5, codeVersion: "0.9.0", workId: WORK, kind: "content", key: "k", createdAt: "now" },
  { schemaVersion: 99, codeVersion: 7, of: "something else" },
];
/** Files that this version can't read, and folders that it does not know. */
const UNKNOWN = {
  "README.md": "x",
  [`sessions/${SESSION}/events/000001.jsonl`]: '{"v":2}\n{torn\n{"type":"UserInteractionRequested"',
  [`sessions/${SESSION}/base/src/main.ts`]: "x",
  "Other Folder/000001.bin": "x",
  "frozen/short": "x",
};

/** Every path below a folder, with its bytes and the time of its last change. */
function contentsOf(folder: string): unknown[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, statSync(path).mtimeMs, statSync(path).isFile() ? readFileSync(path, "utf8") : ""]);
}

test.each(HEADERS)("on the local disk, with the header %j", async (header) => {
  const root = await mkdtemp(join(tmpdir(), "looplia-newer-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const stateFolder = join(root, ".looplia/state");
  const folder = join(stateFolder, WORK);
  for (const [path, text] of Object.entries({ ...UNKNOWN, "header.json": JSON.stringify(header) })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const before = contentsOf(root);
  const stores = openStores({ stateFolder, codeVersion: "0.1.0", clock: fixedClock() });
  const tries = [
    () => stores.open({ workId: WORK, kind: "content", key: "k" }),
    () => stores.look(SESSION),
    () => stores.findInteraction("q1-abcdef"),
    () => readWork(folder),
  ];
  for (const attempt of tries) {
    await expect(attempt()).rejects.toMatchObject({
      code: "store-corrupt",
      message: expect.stringMatching(
        new RegExp(
          `header\\.json: written by a newer version .*state format ${header.schemaVersion}\\); .*format 4\\.`,
        ),
      ),
      hint: expect.stringMatching(/^Upgrade looplia/),
    });
  }
  expect(await stores.openQuestions(WORK)).toEqual([]);
  expect(contentsOf(root)).toEqual(before);
});

test("at the state ref: the run says so and pushes nothing; put back, the answer still counts", async () => {
  const world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  onTestFinished(() => world.close());
  await runHere(world);
  const { git, bare, requests } = world.repository;
  const ref = await git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  const tip = await git("rev-parse", ref);
  const approve = world.say("maintainer", `/approve ${questionOf(world)}`);
  const write = (args: string[], input = "") =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
      cwd: bare,
      input,
      env: { PATH: process.env.PATH, GIT_INDEX_FILE: join(world.root, "newer-index") },
    })
      .toString()
      .trim();
  for (const [header, files] of [
    [HEADERS[0], {}],
    [HEADERS[1], UNKNOWN],
  ] as const) {
    rmSync(join(world.root, "newer-index"), { force: true });
    for (const [path, text] of Object.entries({ ...files, "header.json": JSON.stringify(header) })) {
      const mode = path.startsWith("Other") ? "120000" : "100644";
      const oid = write(["hash-object", "-w", "--stdin"], text);
      write(["update-index", "--add", "--cacheinfo", `${mode},${oid},${path}`]);
    }
    const message = await git("log", "-1", "--format=%B", tip);
    const commit = write([
      "commit-tree",
      write(["write-tree"]),
      "-p",
      tip,
      "-m",
      files === UNKNOWN ? "of another kind" : message,
    ]);
    write(["update-ref", ref, commit]);
    const refs = await git("for-each-ref");
    requests.length = 0;
    const ran = await deliverHere(world, approve);
    expect(ran.ended, ran.said).toBe("failed store-corrupt");
    const said = `^${commit}:header\\.json: written by a newer version .*state format ${header?.schemaVersion}\\)`;
    expect(ran.report.message).toMatch(new RegExp(said));
    expect(requests.filter(({ path }) => path.includes("git-receive-pack"))).toEqual([]);
    expect(await git("for-each-ref")).toBe(refs);
  }
  write(["update-ref", ref, tip]);
  const ran = await deliverHere(world, approve);
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
  world.github.assertValid();
});

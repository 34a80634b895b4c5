// `audit verify` as people use it: a state ref, the zip of an artifact, and the exported file.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { expect, it } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";

const BUNDLE = join(import.meta.dirname, "../data/states/0.1/content.bundle");
const WORK = "writing-kit-c19f41";

it("verifies a work by its ref, a zip against its commits, and an export without them", async () => {
  const world = await makeCliWorld();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: world.folder, maxBuffer: 1e8 });
  git("init", "-q");
  git("fetch", "-q", BUNDLE, `refs/looplia/${WORK}:refs/looplia/${WORK}`);

  const byRef = await world.run(["audit", "verify", WORK, "--export", "log.jsonl"]);
  expect(byRef.stdout, byRef.stderr).toMatch(/✓ kettles-\S+: 3 lines, last hash e9a36ad1/);
  expect(byRef.stdout).toContain(`Compared with the commits of refs/looplia/${WORK}.`);
  expect(byRef.code).toBe(0);

  const names = String(git("ls-tree", "-r", "--name-only", `refs/looplia/${WORK}`))
    .trim()
    .split("\n");
  const files = Object.fromEntries(
    names.map((name) => [name, new Uint8Array(git("show", `refs/looplia/${WORK}:${name}`))]),
  );
  const audit = names.filter((name) => name.includes("/audit/")).sort();
  const last = audit.at(-1) ?? "";
  const lines = Buffer.from(files[last] ?? [])
    .toString()
    .trimEnd()
    .split("\n");
  files[last] = Buffer.from(
    lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(""),
  );
  writeFileSync(join(world.folder, "artifact.zip"), zipSync(files));
  const byZip = await world.run(["audit", "verify", "artifact.zip", "--json"]);
  expect(byZip.code, byZip.stderr).toBe(1);
  const { sessions } = JSON.parse(byZip.stdout) as {
    sessions: { problems: { kind: string; message: string }[] }[];
  };
  expect(sessions[0]?.problems.at(-1)?.message).toMatch(
    /^The log has 2 lines, and commit [0-9a-f]{12} of .* names 3/,
  );

  const exported = join(world.folder, "log.jsonl");
  expect((await world.run(["audit", "verify", "log.jsonl"])).code).toBe(0);
  writeFileSync(exported, readFileSync(exported, "utf8").replace("ToolCallCompleted", "ToolCallCompletes"));
  const changed = await world.run(["audit", "verify", "log.jsonl"]);
  expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining("The line was changed")]);
});

it("refuses what holds no log", async () => {
  const world = await makeCliWorld();
  const refused = async (...argv: string[]) => {
    const { code, stderr } = await world.run(["audit", ...argv]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused("verify", "content")).toContain("There is no audit log in content");
  expect(await refused("verify", "nowhere-1")).toContain('no file, folder or state ref "nowhere-1"');
  expect(await refused("verify", "content/kettles.md")).toContain("neither a zip nor an exported audit log");
  expect(await refused("check")).toContain("looplia audit verify");
});

it("exports into no other file, and names the reason where it can't write", async () => {
  const world = await makeCliWorld();
  execFileSync("git", ["init", "-q"], { cwd: world.folder });
  execFileSync("git", ["fetch", "-q", BUNDLE, `refs/looplia/${WORK}:refs/looplia/${WORK}`], {
    cwd: world.folder,
  });
  const before = await world.files("content");
  const exported = async (to: string) => {
    const { code, stderr } = await world.run(["audit", "verify", WORK, "--export", to]);
    return [code, stderr];
  };
  const refused = (why: string) => [
    2,
    expect.stringMatching(`error: ${world.folder}/\\S+ was not written: ${why}`),
  ];
  expect(await exported("content/kettles.md")).toEqual(refused("another file is there.\nName another path"));
  expect(await exported("none/log.jsonl")).toEqual(refused("a folder of the path is missing.\nName a file"));
  expect(await exported("content/.")).toEqual([2, expect.stringContaining("it is a folder")]);
  expect(await world.files("content")).toEqual(before);
  expect(await exported("log.jsonl")).toEqual([0, ""]);
  expect(await exported("log.jsonl")).toEqual([0, ""]);
});

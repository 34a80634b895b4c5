// Where the repository begins, wherever a person stands in it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRoot } from "../../src/cli/root.ts";
import { makeFolder, runMain } from "./made-up-surface.ts";

async function place(files: readonly string[]): Promise<string> {
  const top = await makeFolder();
  for (const path of ["home/repo/docs/sub/x", ...files.map((file) => `home/${file}`)]) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), "");
  }
  return join(top, "home");
}

describe("the repository's root", () => {
  it.each<[string, string[], string, string]>([
    ["is the git root", ["repo/.git/HEAD"], "repo/docs/sub", "repo"],
    ["is the git root of a worktree, whose `.git` is a file", ["repo/.git"], "repo/docs/sub", "repo"],
    [
      "is the outermost folder with settings",
      ["repo/.git/HEAD", "repo/docs/looplia.yml"],
      "repo/docs/sub",
      "repo/docs",
    ],
    [
      "is the outermost folder with settings, also above one that a command has put there",
      ["repo/.git/HEAD", "repo/looplia.yml", "repo/docs/looplia.yml"],
      "repo/docs/sub",
      "repo",
    ],
    [
      "is not where a list or state is",
      ["repo/.git/HEAD", "repo/docs/to-do.json", "repo/docs/.looplia/state/x/header.json"],
      "repo/docs",
      "repo",
    ],
    ["is the current folder outside of git", ["repo/looplia.yml"], "repo/docs", "repo/docs"],
    ["is never the home folder", [".git/HEAD", "looplia.yml"], "repo/docs", "repo/docs"],
  ])("%s", async (_, files, cwd, expected) => {
    const home = await place(files);
    expect(findRoot(join(home, cwd), "looplia.yml", home)).toBe(join(home, expected));
  });

  it("is the same for each command, and is named where the person stands elsewhere", async () => {
    const home = await place(["repo/.git/HEAD", "repo/docs/to-do.json"]);
    const repo = join(home, "repo");
    writeFileSync(join(repo, "looplia.yml"), "pipeline: newsletter\n");
    writeFileSync(join(repo, "docs/to-do.json"), '{"schema_version":1,"source_files":[],"tasks":[]}');
    const environment = { HOME: home };
    const status = await runMain(["status"], join(repo, "docs"), { environment });
    expect(status.stderr).toContain(`in ${repo}\n`);
    expect((await runMain(["status"], repo, { environment })).stderr).not.toContain("in /");
    expect((await runMain(["status", join(repo, "docs")], home, { environment })).stderr).not.toContain(
      "in /",
    );
    const doctor = await runMain(["doctor"], join(repo, "docs"), { environment });
    expect(doctor.stdout).toContain(`settings   ${repo}\n`);
    let ranIn = "";
    await runMain(["run", "--provider", "offline", "--file", "sub/x"], join(repo, "docs"), {
      environment,
      run: async (trigger, around) => {
        ranIn = `${around.root} ${trigger.kind === "file" ? trigger.source : ""}`;
        throw new Error("enough");
      },
    });
    expect(ranIn).toBe(`${repo} docs/sub/x`);
  });
});

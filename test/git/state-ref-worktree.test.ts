// What a checkpoint commits of the worktree. Real git.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../src/files/workspace.ts";
import { begin, gitThat, HEAD, root, server, useStateRefs } from "../fakes/state-ref-world.ts";
import { type Run, SESSION } from "../fakes/state-run.ts";

useStateRefs("by path");

describe("what of the worktree is committed", () => {
  async function save(change: (folder: string) => Promise<void>): Promise<Run> {
    const run = await begin("7.1");
    const { root: folder } = await run.state.openWorktree();
    await change(folder);
    await run.state.checkpoint("save", { isWhole: true });
    return run;
  }
  const put = async (folder: string, path: string, text = "x") => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const changes = async () => (await server.git("diff", "--name-status", "main", HEAD)).split("\n");

  test("new, changed and removed files, links as links, what may run as such; nothing that git ignores", async () => {
    await save(async (folder) => {
      await put(folder, "deep/new.md");
      await put(folder, "ignored/cache");
      await put(folder, ".looplia/state/secret.json");
      await put(folder, "deep/.looplia/state/secret.json");
      await put(folder, ".looplia-write-0123456789ab-1-00000000");
      await rm(join(folder, "b.md"));
      await symlink("/etc/passwd", join(folder, "link"));
      await chmod(join(folder, "tool.sh"), 0o755);
    });
    expect(await changes()).toEqual(["D\tb.md", "A\tdeep/new.md", "A\tlink", "M\ttool.sh"]);
    expect(await server.git("ls-tree", HEAD, "link", "tool.sh")).toMatch(/^120000.*\n100755/);
    expect(await server.git("show", `${HEAD}:link`)).toBe("/etc/passwd");
  });

  test("a folder where a file was, and the other way round", async () => {
    await save(async (folder) => {
      await rm(join(folder, "a.md"));
      await put(folder, "a.md/inside.md");
    });
    expect(await changes()).toEqual(["D\ta.md", "A\ta.md/inside.md"]);
  });

  test("repositories inside, workflows and names that are no text are left out, and told once; what a repository inside is set to runs nothing", async () => {
    const marker = join(root, "ran");
    const run = await save(async (folder) => {
      await put(folder, ".github/workflows/ci.yml", "on: push\n");
      await put(folder, "ok.md");
      execFileSync("git", ["init", "-q", join(folder, "nested")]);
      await put(folder, "nested/inside.md");
      await put(folder, "nested/.gitattributes", "* filter=evil\n");
      const drivers = `[filter "evil"]\n\tclean = touch ${marker}\n\trequired = true\n[core]\n\tfsmonitor = touch ${marker}\n`;
      await writeFile(join(folder, "nested/.git/config"), drivers, { flag: "a" });
      for (const hook of ["post-index-change", "pre-commit", "reference-transaction"]) {
        await put(folder, `nested/.git/hooks/${hook}`, `#!/bin/sh\ntouch ${marker}\n`);
        await chmod(join(folder, `nested/.git/hooks/${hook}`), 0o755);
      }
      const environment = { PATH: process.env.PATH ?? "" };
      await (await openWorkspace(folder, { environment, systemTemp: root })).snapshot();
      await writeFile(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])]), "x");
    });
    expect(await changes()).toEqual(["A\tok.md"]);
    expect(run.notices.sort()).toEqual([
      ".github/workflows/ci.yml was left out: the job's token may not change workflows",
      "bad\ufffd was left out: its name is not UTF-8",
      "nested/ was left out: it is a repository of its own",
    ]);
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    await run.state.checkpoint("again", { isWhole: true });
    expect(run.notices).toHaveLength(3);
    expect(existsSync(marker)).toBe(false);
  });

  test("what .git in the worktree says is never read: no filter, hook or driver of it runs", async () => {
    const marker = join(root, "ran");
    await save(async (folder) => {
      const hostile = join(root, "hostile");
      execFileSync("git", ["init", "-q", hostile]);
      const drivers = `[filter "evil"]\n\tclean = touch ${marker}\n\tsmudge = touch ${marker}\n\trequired = true\n[core]\n\tfsmonitor = touch ${marker}\n`;
      await writeFile(join(hostile, ".git/config"), drivers, { flag: "a" });
      await put(join(hostile, ".git"), "info/attributes", "* filter=evil\n");
      await writeFile(join(folder, ".git"), `gitdir: ${hostile}/.git\n`);
      await put(folder, ".gitattributes", "* filter=evil text eol=crlf ident working-tree-encoding=UTF-16\n");
      await put(folder, "a.md", "one\r\n$Id$\n");
    });
    expect(existsSync(marker)).toBe(false);
    expect(await server.git("cat-file", "-s", `${HEAD}:a.md`)).toBe("10");
  });

  test("what a command gave to git itself is committed like all else, whatever a killed one left there", async () => {
    let folder = "";
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
    const run = await save(async (root) => {
      folder = root;
      await put(folder, "added.md");
      git("add", "-A");
      await put(folder, "committed.md");
      git("add", "-A");
      git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "by an agent");
      await writeFile(git("rev-parse", "--git-path", "index.lock").trim(), "");
    });
    expect(await changes()).toEqual(["A\tadded.md", "A\tcommitted.md"]);
    expect(await server.git("log", "--format=%s", `main..${HEAD}`)).toBe(
      "chore: keep changes outside of steps",
    );
    await put(folder, "added.md", "again");
    await run.state.checkpoint("more", { isWhole: true });
    expect(await server.git("show", `${HEAD}:added.md`)).toBe("again");
  });

  test("a file that is cut short while git reads it, which kills git, is committed like all others", async () => {
    const environment = await gitThat(`
*ls-files*--modified*)
  if mkdir "${root}/listed" 2>/dev/null; then kill -BUS $$; fi ;;`);
    const run = await begin("7.1", { environment });
    const { root: folder } = await run.state.openWorktree();
    for (const path of ["a.md", "cut.bin", "new.md", "z.md"]) await put(folder, path, "changed");
    await run.state.checkpoint("save", { isWhole: true });
    expect(await changes()).toEqual(["M\ta.md", "A\tcut.bin", "A\tnew.md", "A\tz.md"]);
    expect(run.notices).toEqual([]);
  });

  test("a task's commit has its session and what it changed outside, not another's half-done folder", async () => {
    const run = await begin("7.1");
    const worktree = await run.state.openWorktree();
    const own = `.looplia/contentItem/${SESSION}`;
    await put(worktree.root, `${own}/summary.json`, "{}\n");
    await put(worktree.root, ".looplia/contentItem/another-2026-11-21-0a1b2c/summary.json", "half");
    await put(worktree.root, "a.md", "edited\n");
    expect(await worktree.commit(own, "content(an-article): add summary\n")).toBe(true);
    expect(await worktree.commit(own, "again\n")).toBe(false);
    await run.state.checkpoint("end of task", { isWhole: true });
    expect(await server.git("log", "--reverse", "--format=%s", "--name-only", `main..${HEAD}`)).toBe(
      [
        "content(an-article): add summary",
        "",
        `${own}/summary.json`,
        "a.md",
        "chore: keep changes outside of steps",
        "",
        ".looplia/contentItem/another-2026-11-21-0a1b2c/summary.json",
      ].join("\n"),
    );
  });
});

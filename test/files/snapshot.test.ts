import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../src/files/workspace.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const FILES = {
  ".gitignore": "built/\n",
  "a.txt": "one\n",
  "deep/b.sh": "echo\n",
  "built/out": "x",
  ".looplia/CLAUDE.md": "be kind",
};

function git(root: string, ...args: string[]): string {
  const settings = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...settings, ...args], { cwd: root, encoding: "utf8" });
}

async function makeRepository() {
  const tree = await makeWorktree(FILES);
  git(tree.root, "init", "-q");
  git(tree.root, "add", "-A");
  git(tree.root, "commit", "-qm", "first");
  return tree;
}

describe.each([
  ["in a repository", makeRepository],
  ["without git", () => makeWorktree(FILES)],
])("a snapshot %s", (_, make) => {
  const changes: [string, (root: string) => Promise<unknown>][] = [
    ["a byte", (root) => writeFile(join(root, "a.txt"), "two\n")],
    ["a new file", (root) => writeFile(join(root, "new"), "")],
    ["a file less", (root) => rm(join(root, "a.txt"))],
    ["a file that may be run", (root) => chmod(join(root, "deep/b.sh"), 0o755)],
    ["a link", (root) => symlink("a.txt", join(root, "link"))],
    ["instructions", (root) => writeFile(join(root, ".looplia/CLAUDE.md"), "be cruel")],
    ["what is ignored", (root) => writeFile(join(root, ".gitignore"), "built/\nnew\n")],
    [
      "a file whose name is no UTF-8",
      (root) => writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), ""),
    ],
    [
      "a file in a repository inside",
      async (root) => {
        await mkdir(join(root, "sub"));
        git(join(root, "sub"), "init", "-q");
        await writeFile(join(root, "sub/x"), "");
      },
    ],
    [
      "a package in a repository inside",
      async (root) => {
        await mkdir(join(root, "sub/node_modules"), { recursive: true });
        git(join(root, "sub"), "init", "-q");
        await writeFile(join(root, "sub/node_modules/x.js"), "");
      },
    ],
  ];
  test.each(changes)("tells %s", async (_name, change) => {
    const { root, workspace } = await make();
    const before = await workspace.snapshot();
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(await workspace.snapshot()).toBe(before);
    await change(root);
    expect(await workspace.snapshot()).not.toBe(before);
  });

  test.each([
    ".looplia/state/w/header.json",
    ".looplia/contentItem/s/summary.json",
    "moved/w/header.json",
    "temp/x",
    "node_modules/x/index.js",
    ".looplia-write-abc-1-2",
  ])("leaves out %s", async (path) => {
    const { root } = await make();
    await writeFile(join(root, ".gitignore"), "built/\nnode_modules/\n");
    const workspace = await openWorkspace(root, {
      environment: { PATH: process.env.PATH ?? "" },
      stateFolder: join(root, "moved"),
      systemTemp: join(root, "temp"),
    });
    const before = await workspace.snapshot();
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), "x");
    expect(await workspace.snapshot()).toBe(before);
  });

  test("foresees what edits would leave", async () => {
    const { workspace } = await make();
    const foreseen = await workspace.snapshot(
      new Map([
        ["a.txt", "two\n"],
        ["deep/née.txt", "new"],
      ]),
    );
    await workspace.forTools.writeText("a.txt", "two\n");
    await workspace.forTools.writeText("deep/née.txt", "new");
    expect(await workspace.snapshot()).toBe(foreseen);
  });

  test("leaves state and sessions out also where the workspace folder is a link", async () => {
    const { root, workspace } = await make();
    await rm(join(root, ".looplia"), { recursive: true });
    await mkdir(join(root, "elsewhere"));
    await symlink("elsewhere", join(root, ".looplia"));
    const before = await workspace.snapshot();
    await mkdir(join(root, "elsewhere/state"));
    await writeFile(join(root, "elsewhere/state/x"), "");
    expect(await workspace.snapshot()).toBe(before);
  });

  test("does not wait for a pipe, and looks at no file outside", async () => {
    const { base, root, workspace } = await make();
    execFileSync("mkfifo", [join(root, "pipe")]);
    await writeFile(join(base, "outside"), "1");
    await symlink("../outside", join(root, "out"));
    const before = await workspace.snapshot();
    await writeFile(join(base, "outside"), "2");
    expect(await workspace.snapshot()).toBe(before);
  });
});

describe("git as a weapon", () => {
  test("nothing of a hostile configuration is run, and the index stays as it is", async () => {
    const { base, root, workspace } = await makeRepository();
    const planted = join(base, "planted");
    const script = join(root, ".git/evil");
    await writeFile(script, `#!/bin/sh\ntouch ${planted}\ncat\n`, { mode: 0o755 });
    await mkdir(join(root, ".git/hooks"), { recursive: true });
    for (const hook of ["post-index-change", "pre-commit", "query-watchman"]) {
      await writeFile(join(root, ".git/hooks", hook), `#!/bin/sh\ntouch ${planted}\n`, { mode: 0o755 });
    }
    for (const [key, value] of [
      ["core.fsmonitor", script],
      ["core.hooksPath", join(root, ".git/hooks")],
      ["filter.evil.clean", script],
      ["filter.evil.smudge", script],
      ["filter.evil.process", script],
      ["filter.evil.required", "true"],
      ["core.sshCommand", script],
      ["core.pager", script],
      ["alias.ls-files", `!${script}`],
      ["core.excludesFile", join(base, "everything")],
    ] as const) {
      git(root, "config", key, value);
    }
    await writeFile(join(base, "everything"), "*\n");
    await mkdir(join(root, ".git/info"), { recursive: true });
    await writeFile(join(root, ".git/info/exclude"), "*\n");
    await writeFile(join(root, ".gitattributes"), "* filter=evil\n");
    const untouched = async () => [
      (await readFile(join(root, ".git/index"))).toString("hex"),
      (await readdir(join(root, ".git"), { recursive: true })).sort(),
    ];
    const before = await untouched();
    const hash = await workspace.snapshot();
    await writeFile(join(root, "untracked"), "x");
    expect(await workspace.snapshot(), "excludes outside the tree hide nothing").not.toBe(hash);
    expect(await untouched()).toEqual(before);
    expect(await readdir(base)).not.toContain("planted");
  });

  test("marks in the index hide no change", async () => {
    const { root, workspace } = await makeRepository();
    git(root, "update-index", "--assume-unchanged", "a.txt");
    git(root, "update-index", "--skip-worktree", "deep/b.sh");
    const before = await workspace.snapshot();
    await writeFile(join(root, "a.txt"), "two\n");
    const second = await workspace.snapshot();
    await writeFile(join(root, "deep/b.sh"), "evil\n");
    expect(new Set([before, second, await workspace.snapshot()]).size).toBe(3);
  });

  test("a folder that an outer repository ignores is bound all the same", async () => {
    const { root } = await makeRepository();
    const inner = join(root, "built");
    const workspace = await openWorkspace(inner, {
      environment: { PATH: process.env.PATH ?? "" },
      systemTemp: join(root, "temp"),
    });
    const before = await workspace.snapshot();
    await writeFile(join(inner, "out"), "changed");
    expect(await workspace.snapshot()).not.toBe(before);
  });

  test("a damaged repository is bound like a folder", async () => {
    const { root, workspace } = await makeRepository();
    await writeFile(join(root, ".git/index"), "torn");
    const before = await workspace.snapshot();
    await writeFile(join(root, "a.txt"), "two\n");
    expect(await workspace.snapshot()).not.toBe(before);
  });
});

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { TrustedFiles } from "../../src/core/ports.ts";
import { trustedFolder } from "../../src/files/sources.ts";
import { trustedCommit } from "../../src/git/repository.ts";
import { createGit, type Git } from "../../src/sandbox/git-process.ts";

let root: string;
let commit: string;
let git: Git;
const readers = new Map<string, TrustedFiles>();

const FILES: [string, string | Uint8Array][] = [
  [".looplia/CLAUDE.md", "be kind"],
  [".looplia/.claude/agents/b.md", "B"],
  [".looplia/.claude/agents/a.md", "A"],
  ["looplia.yml", "\ufeffmodel: x\n"],
  ["bad.yml", new Uint8Array([0xff, 0xfe])],
  ["ünïcode name.md", "u"],
];

beforeAll(async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "trusted-")));
  root = join(base, "root");
  for (const [path, bytes] of FILES) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
  await writeFile(join(base, "outside.md"), "outside");
  await symlink(".looplia/CLAUDE.md", join(root, "AGENTS.md"));
  await symlink(".looplia/.claude", join(root, ".claude"));
  await symlink("../outside.md", join(root, "out.md"));
  await symlink("nowhere.md", join(root, "dangling.md"));
  const run = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  run("init", "-q");
  run("add", "-A");
  run("commit", "-qm", "files");
  commit = run("rev-parse", "HEAD").trim();
  git = createGit({
    folder: join(root, ".git"),
    home: base,
    remote: "",
    token: undefined,
    environment: { PATH: process.env.PATH ?? "" },
  });
  readers.set("folder", await trustedFolder(root, ""));
  readers.set("commit", trustedCommit(git, commit, "main:"));
  readers.set("subfolder", trustedCommit(git, commit, "main:", ".looplia"));
});

function reader(name: string): TrustedFiles {
  const found = readers.get(name);
  if (!found) throw new Error(name);
  return found;
}

describe.each(["folder", "commit"])("a trusted %s", (name) => {
  test("gives texts without their BOM, and lists names in order", async () => {
    const files = reader(name);
    expect(await files.read(".looplia/CLAUDE.md")).toBe("be kind");
    expect(await files.read("looplia.yml")).toBe("model: x\n");
    expect(await files.read("ünïcode name.md")).toBe("u");
    expect(await files.list(".looplia/.claude/agents")).toEqual(["a.md", "b.md"]);
    expect(await files.list(".")).toContain("ünïcode name.md");
  });

  test("follows links inside, never out", async () => {
    const files = reader(name);
    expect(await files.read("AGENTS.md")).toBe("be kind");
    expect(await files.read(".claude/agents/a.md")).toBe("A");
    expect(await files.list(".claude/agents")).toEqual(["a.md", "b.md"]);
    for (const path of ["out.md", "dangling.md", "../outside.md", "/etc/passwd", "a\0b"]) {
      await expect(files.read(path), path).rejects.toMatchObject({ code: "config-invalid" });
    }
  });

  test("says which file is no text", async () => {
    await expect(reader(name).read("bad.yml")).rejects.toMatchObject({
      code: "config-invalid",
      message: `${reader(name).label}bad.yml is not UTF-8 text.`,
    });
  });
});

test("a commit is read as it was, whatever the working tree says now", async () => {
  await rm(join(root, ".looplia/CLAUDE.md"));
  expect(await reader("commit").read(".looplia/CLAUDE.md")).toBe("be kind");
  await writeFile(join(root, ".looplia/CLAUDE.md"), "be kind");
});

test("a commit below a folder", async () => {
  expect(await reader("subfolder").read("CLAUDE.md")).toBe("be kind");
  expect(await reader("subfolder").list("")).toEqual([".claude", "CLAUDE.md"]);
});

test("what is asked at one time is read by one process, each with its own end", async () => {
  const calls: string[] = [];
  const counted = trustedCommit(listening(calls), commit, "");
  const asked = [
    ".looplia/CLAUDE.md",
    "dangling.md",
    "none.md",
    "out.md",
    "bad.yml",
    "AGENTS.md",
    "looplia.yml/x",
  ];
  const read = asked.map((path) => counted.read(path).catch((error: Error) => error.message));
  const listed = [".looplia/.claude/agents", ".claude", "looplia.yml", "none"].map((path) =>
    counted.list(path),
  );
  const leads = "is a link that leads out of the repository, to nothing, or in a loop.";
  expect(await Promise.all(read)).toEqual([
    "be kind",
    `dangling.md ${leads}`,
    undefined,
    `out.md ${leads}`,
    "bad.yml is not UTF-8 text.",
    "be kind",
    undefined,
  ]);
  expect(await Promise.all(listed)).toEqual([["a.md", "b.md"], ["agents"], [], []]);
  expect(calls).toEqual(["--no-replace-objects cat-file --batch"]);
});

/** Notes each process. */
function listening(calls: string[]): Git {
  const run = (...[args, call]: Parameters<Git>) => {
    calls.push(args.join(" "));
    return git(args, call);
  };
  const start = (args: readonly string[]) => {
    calls.push(args.join(" "));
    return git.start(args);
  };
  return Object.assign(run, { ...git, start });
}

test("a file over 10 MiB is refused, and the next one is read", async () => {
  const folder = join(root, "large");
  const run = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" });
  await mkdir(folder);
  run("init", "-q");
  await writeFile(join(folder, "large.md"), Buffer.alloc(10 * 1024 * 1024 + 1, "x"));
  await writeFile(join(folder, "small.md"), Buffer.alloc(10 * 1024 * 1024, "y"));
  run("add", "-A");
  const tree = run("write-tree").trim();
  const large = createGit({
    ...{ folder: join(folder, ".git"), home: folder, remote: "", token: undefined },
    environment: { PATH: process.env.PATH ?? "" },
  });
  for (const isClone of [false, true]) {
    const files = trustedCommit(Object.assign(large.bind({}), { ...large, isClone }), tree, "main:");
    const [refused, read] = await Promise.allSettled([files.read("large.md"), files.read("small.md")]);
    expect(refused).toMatchObject({
      reason: { code: "config-invalid", message: "main:large.md is larger than 10 MiB." },
    });
    expect(read).toMatchObject({ value: "y".repeat(10 * 1024 * 1024) });
  }
});

test("only a full id names a commit", () => {
  const fail = async () => Promise.reject(new Error("git must not run"));
  const never = Object.assign(fail, { ...git });
  for (const name of ["main", "--help", "HEAD", "abc123", `${"a".repeat(40)}^`]) {
    expect(() => trustedCommit(never, name, "")).toThrow(/not the full id/);
  }
});

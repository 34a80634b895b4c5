import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TEMPORARY_PREFIX } from "../../src/files/names.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import { collect, makeWorktree } from "../fakes/worktree.ts";

const TEMPORARY = "/tmp/none";

test("a write makes missing folders, keeps the mode, and leaves nothing beside the file", async () => {
  const { root, workspace } = await makeWorktree({ "bin/run.sh": "old" });
  await chmod(join(root, "bin/run.sh"), 0o755);
  await workspace.writeAtomic("bin/run.sh", "new");
  await workspace.writeAtomic("a/b/c/d.bin", new Uint8Array([0, 255]));
  expect((await stat(join(root, "bin/run.sh"))).mode & 0o777).toBe(0o755);
  expect(await readdir(join(root, "bin"))).toEqual(["run.sh"]);
  expect(await workspace.read("a/b/c/d.bin")).toEqual(Buffer.from([0, 255]));
  expect(await readdir(join(root, "a/b/c"))).toEqual(["d.bin"]);
});

test("leftovers of a crash are hidden, and go at the next write of that file only", async () => {
  const { root, workspace } = await makeWorktree();
  await workspace.writeAtomic("a.json", "{}");
  const { createHash } = await import("node:crypto");
  const leftover = (name: string, pid: number) =>
    `${TEMPORARY_PREFIX}${createHash("sha256").update(name).digest("hex").slice(0, 12)}-${pid}-00ff00ff`;
  const [own, others, living] = [
    leftover("a.json", 2 ** 22 + 1),
    leftover("b.json", 2 ** 22 + 1),
    leftover("a.json", 1),
  ];
  for (const name of [own, others, living]) await writeFile(join(root, name), "torn");
  expect(await workspace.list(".")).toEqual([{ name: "a.json", isFolder: false }]);
  expect(await collect(workspace.forTools.walk("."))).toEqual(["a.json"]);
  await workspace.writeAtomic("a.json", "[]");
  expect((await readdir(root)).sort()).toEqual([others, living, "a.json"].sort());
});

test("many writers of one file do not remove each other's work", async () => {
  const { root, workspace } = await makeWorktree();
  await Promise.all(Array.from({ length: 30 }, (_, at) => workspace.writeAtomic("x/y.txt", `writer ${at}`)));
  expect(await readFile(join(root, "x/y.txt"), "utf8")).toMatch(/^writer \d+$/);
  expect(await readdir(join(root, "x"))).toEqual(["y.txt"]);
});

test.each([
  ["a file as folder", "notes.md/x.json", /notes\.md\/x\.json.*part of the path is a file/s],
  ["a name that is too long", `${"n".repeat(300)}.json`, /too long/],
  ["a folder", "folder", /not a regular file/],
])("what can't be written says path and reason: %s", async (_, path, expected) => {
  const { root, workspace } = await makeWorktree({ "notes.md": "x", "folder/y": "" });
  const before = (await readdir(root)).sort();
  await expect(workspace.writeAtomic(path, "x")).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringMatching(expected),
  });
  expect((await readdir(root)).sort()).toEqual(before);
});

test("an unwritable folder says path and reason", async () => {
  const system = await openWorkspace("/sys", { environment: {}, systemTemp: TEMPORARY });
  await expect(system.writeAtomic("looplia.json", "{}")).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringMatching(
      /"looplia\.json" can't be written: (permission denied|not permitted|.*read-only)/,
    ),
    hint: expect.stringMatching(/writable/),
  });
});

test("that nothing can be written in a folder is told beforehand, and changes nothing", async () => {
  const { root, workspace } = await makeWorktree({ "notes.md": "x", "folder/y": "" });
  await symlink("folder", join(root, "link"));
  for (const path of ["folder", "folder/new/deep", "new"]) await workspace.requireWritable(path);
  await expect(workspace.requireWritable("link/new")).rejects.toThrow(/a link is on it/);
  await expect(workspace.requireWritable("notes.md/new")).rejects.toMatchObject({
    message: expect.stringContaining("part of the path is a file"),
    hint: "Move that file away.",
  });
  expect((await readdir(root)).sort()).toEqual(["folder", "link", "notes.md"]);
});

test("a root that is missing or a file is refused when opened", async () => {
  const { root } = await makeWorktree({ file: "" });
  for (const path of ["none", "file/below"]) {
    await expect(
      openWorkspace(join(root, path), { environment: {}, systemTemp: TEMPORARY }),
    ).rejects.toMatchObject({
      code: "config-invalid",
    });
  }
});

test("the program reads, lists and removes; what is missing is no error", async () => {
  const { root, workspace } = await makeWorktree({ "b.txt": "b", "a/x": "", "c/y": "" });
  await symlink("b.txt", join(root, "link"));
  expect(await workspace.list("")).toEqual([
    { name: "a", isFolder: true },
    { name: "b.txt", isFolder: false },
    { name: "c", isFolder: true },
    { name: "link", isFolder: false },
  ]);
  expect(await workspace.list("none/at/all")).toEqual([]);
  expect(await workspace.read("none/at/all")).toBeUndefined();
  expect(await workspace.read("b.txt/below")).toBeUndefined();
  await workspace.remove("none/at/all");
  await workspace.remove("link");
  expect(Buffer.from((await workspace.read("b.txt")) ?? []).toString()).toBe("b");
  await workspace.remove("b.txt");
  expect(await workspace.read("b.txt")).toBeUndefined();
  await workspace.remove("a");
  expect((await workspace.list("")).map(({ name }) => name)).toEqual(["c"]);
});

test("texts for tools: UTF-8 of at most 10 MiB, kept as they are", async () => {
  const { root, workspace } = await makeWorktree({
    "bom.txt": "\ufeffa\r\nb",
    "binary.bin": new Uint8Array([65, 0, 66]),
    "latin1.txt": new Uint8Array([0xe9, 0x20]),
    "utf16.txt": Buffer.from("\ufeffabc", "utf16le"),
    empty: "",
    big: "",
  });
  const { forTools } = workspace;
  expect(await forTools.readText("bom.txt")).toBe("\ufeffa\r\nb");
  expect(await forTools.readText("empty")).toBe("");
  await truncate(join(root, "big"), 10 * 1024 * 1024 + 1);
  await expect(forTools.readText("binary.bin")).rejects.toThrow(/binary/);
  await expect(forTools.readText("latin1.txt")).rejects.toThrow(/not UTF-8/);
  await expect(forTools.readText("utf16.txt")).rejects.toThrow(/binary|UTF-8/);
  await expect(forTools.readText("big")).rejects.toThrow(/10 MiB/);
  await expect(forTools.writeText("half.txt", "\ud800")).rejects.toThrow(/surrogate/);
  expect(await forTools.readForEdit("half.txt")).toBeUndefined();
});

test("a walk: sorted as whole paths, links not followed, closed folders left out", async () => {
  const { root, workspace } = await makeWorktree(
    Object.fromEntries(
      [
        "a/x.md",
        "a-b.md",
        "a.md",
        "B.md",
        "node_modules/p/i.js",
        "a/node_modules/q.js",
        ".git/HEAD",
        "a/.git",
        ".looplia/state/s",
        ".looplia/contentItem/s/summary.json",
        ".github/w.yml",
      ].map((path) => [path, ""]),
    ),
  );
  await symlink("a", join(root, "linked"));
  await symlink("a.md", join(root, "linked.md"));
  const all = await collect(workspace.forTools.walk("."));
  expect(all).toEqual([
    ".github/w.yml",
    ".looplia/contentItem/s/summary.json",
    "B.md",
    "a-b.md",
    "a.md",
    "a/x.md",
  ]);
  expect(await collect(workspace.forTools.walk("linked"))).toEqual(["linked/x.md"]);
  expect(await collect(workspace.forTools.walk("a.md"))).toEqual(["a.md"]);
  expect(await collect(workspace.forTools.walk("", "*.md"))).toEqual(["B.md", "a-b.md", "a.md", "a/x.md"]);
  expect(await collect(workspace.forTools.walk("a", "*.md"))).toEqual(["a/x.md"]);
  expect(await collect(workspace.forTools.walk(".", "a/*"))).toEqual(["a/x.md"]);
  await expect(collect(workspace.forTools.walk("none"))).rejects.toThrow(/no folder/);
  await mkdir(join(root, "bare"));
  expect(await collect(workspace.forTools.walk("bare"))).toEqual([]);
});

import { execFileSync } from "node:child_process";
import { link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import { allTools } from "../../src/tools/registry.ts";
import fc, { anyCharacter, tries } from "../fakes/properties.ts";
import { collect, makeContext, makeWorktree, type Worktree } from "../fakes/worktree.ts";

const SECRET = "canary-8c1f";
let tree: Worktree;

beforeAll(async () => {
  tree = await makeWorktree({
    "notes.md": "inside",
    "docs/deep/a.md": "deep",
    ".git/config": SECRET,
    "sub/.git": `gitdir: ${SECRET}`,
    ".gitignore": "dist",
    ".github/workflows/ci.yml": "on: push",
    ".looplia/state/w/header.json": SECRET,
    ".looplia/contentItem/s/summary.json": "{}",
    ".looplia/CLAUDE.md": "be kind",
  });
  await writeFile(join(tree.base, "outside.txt"), SECRET);
  await mkdir(join(tree.base, "beside"));
  await writeFile(join(tree.base, "beside/secret.txt"), SECRET);
  const links: [string, string][] = [
    ["../outside.txt", "to-file"],
    ["../beside", "to-folder"],
    ["/etc/passwd", "absolute"],
    ["/proc/self", "process"],
    ["nowhere", "dangling"],
    ["../new.txt", "dangling-out"],
    ["circle", "circle"],
    [".git", "git-alias"],
    [".git/config", "config-alias"],
    [".looplia/state", "state-alias"],
    [".looplia/contentItem", "items-alias"],
    ["notes.md", "good-link"],
    ["docs", "good-folder"],
    ["to-folder", "docs/chain"],
    ["../../to-folder", "docs/deep/chain"],
  ];
  for (const [target, name] of links) await symlink(target, join(tree.root, name));
  execFileSync("mkfifo", [join(tree.root, "fifo")]);
});

const OUT = [
  "../outside.txt",
  "docs/../../outside.txt",
  "docs/../notes.md",
  "..",
  "/etc/passwd",
  "//etc/passwd",
  "\\\\server\\share",
  "C:\\Windows\\win.ini",
  "c:notes.md",
  "notes.md\0.txt",
  "\0",
  "to-file",
  "to-folder/secret.txt",
  "to-folder/new.txt",
  "absolute",
  "process/environ",
  "dangling",
  "dangling-out",
  "dangling/x",
  "circle",
  "docs/deep/chain/secret.txt",
];
const CLOSED = [
  ".git/config",
  ".git",
  ".GIT/config",
  ".Git/hooks/pre-commit",
  "git~1/config",
  "GIT~2/config",
  ".git./config",
  ".git /config",
  ".git. . /config",
  ".g\u200cit/config",
  ".git\ufeff/config",
  "\u202e.git/config",
  ".ｇｉｔ/config",
  ".git::$INDEX_ALLOCATION/config",
  ".git:x/config",
  ".git\\config",
  "docs\\..\\..\\x",
  "./.git/config",
  ".//.git//config",
  "sub/.git",
  "sub/.git/config",
  "git-alias/config",
  "config-alias",
  ".looplia/state/w/header.json",
  ".LOOPLIA/State/w/header.json",
  ".looplia/state./w/header.json",
  ".looplia/./state/w/header.json",
  "LOOPLI~1/state/w/header.json",
  "state-alias/w/header.json",
  "a\nb",
  "a\u001b[2Jb",
];
const READ_ONLY = [
  ".looplia/contentItem/s/summary.json",
  ".looplia/contentitem/s/new.json",
  "items-alias/s/summary.json",
];
const NO_FILE = ["docs", ".", "", "fifo", "notes.md/below"];

async function refused(promise: Promise<unknown>): Promise<LoopliaError> {
  const error = await promise.then(
    (value) => new Error(`accepted: ${String(value)}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LoopliaError);
  return error as LoopliaError;
}

describe("what tools are refused", () => {
  test.each([...OUT, ...CLOSED])("%j for reading, editing and writing", async (path) => {
    const { forTools } = tree.workspace;
    for (const error of [
      await refused(forTools.readText(path)),
      await refused(forTools.readForEdit(path)),
      await refused(forTools.writeText(path, "x")),
    ]) {
      expect(error.code).toBe("config-invalid");
      expect(error.message.length, "what and why").toBeGreaterThan(20);
      expect(error.hint, "what to do instead").toMatch(/\w+/);
      expect(`${error.message}${error.hint}`).not.toContain(SECRET);
    }
  });

  test.each(READ_ONLY)("%j for writing only", async (path) => {
    const error = await refused(tree.workspace.forTools.writeText(path, "x"));
    expect(error.hint).toContain("writeArtifact");
    await refused(tree.workspace.forTools.readForEdit(path));
  });

  test.each(NO_FILE)("%j, which is no file", async (path) => {
    await refused(tree.workspace.forTools.readText(path));
    await refused(tree.workspace.forTools.writeText(path, "x"));
  });

  test.each([
    "notes.md",
    "./notes.md",
    "good-link",
    "good-folder/deep/a.md",
    ".gitignore",
    ".github/workflows/ci.yml",
  ])("but not %j", async (path) => {
    expect(await tree.workspace.forTools.readText(path)).not.toContain(SECRET);
    expect(await tree.workspace.forTools.readForEdit(path)).toBeDefined();
  });

  test("session folders stay readable", async () => {
    expect(await tree.workspace.forTools.readText(".looplia/contentItem/s/summary.json")).toBe("{}");
    expect(await tree.workspace.forTools.readText("items-alias/s/summary.json")).toBe("{}");
  });

  test("state and temporary folders that were moved into the root", async () => {
    const other = await makeWorktree({ "st/x": SECRET, "tmp/y": SECRET, z: "open" });
    const { forTools } = await openWorkspace(other.root, {
      environment: {},
      stateFolder: join(other.root, "st"),
      systemTemp: join(other.root, "tmp"),
    });
    await refused(forTools.readText("st/x"));
    await refused(forTools.writeText("st/new/x", ""));
    await refused(forTools.readText("tmp/y"));
    expect(await collect(forTools.walk("."))).toEqual(["z"]);
  });

  test("state behind a workspace folder that is a link", async () => {
    const other = await makeWorktree({ "elsewhere/state/x": SECRET, "elsewhere/contentItem/s/a.json": "{}" });
    await symlink("elsewhere", join(other.root, ".looplia"));
    const { forTools } = await openWorkspace(other.root, { environment: {}, systemTemp: "/tmp/none" });
    await refused(forTools.readText("elsewhere/state/x"));
    await refused(forTools.writeText("elsewhere/contentItem/s/a.json", "x"));
  });

  test("a worktree inside the system's temporary folder is open", async () => {
    const other = await makeWorktree({ a: "open" });
    const { forTools } = await openWorkspace(other.root, { environment: {}, systemTemp: other.base });
    expect(await forTools.readText("a")).toBe("open");
  });
});

describe("what the program is refused", () => {
  test.each(OUT)("%j", async (path) => {
    await refused(
      tree.workspace
        .read(path)
        .then((found) => found ?? Promise.reject(new LoopliaError("config-invalid", ""))),
    );
    await refused(tree.workspace.writeAtomic(path, "x"));
  });

  test("nothing outside was made or changed", async () => {
    expect((await readdir(tree.base)).sort()).toEqual(["beside", "outside.txt", "root"]);
    expect(await readdir(join(tree.base, "beside"))).toEqual(["secret.txt"]);
    expect(await readFile(join(tree.base, "outside.txt"), "utf8")).toBe(SECRET);
  });
});

test("no path that a model gives makes a tool touch a byte outside the root or in .git", async () => {
  const { base, root, workspace } = tree;
  const untouched = async () => [
    (await readdir(base)).sort(),
    await readdir(join(base, "beside")),
    await readFile(join(base, "outside.txt"), "utf8"),
    await readFile(join(root, ".git/config"), "utf8"),
    (await readdir(join(root, ".git"))).sort(),
    await readFile(join(root, ".looplia/state/w/header.json"), "utf8"),
  ];
  const before = await untouched();
  const part = fc.constantFrom(
    ...[
      "..",
      ".",
      "",
      "docs",
      "deep",
      "chain",
      "to-folder",
      "to-file",
      "secret.txt",
      "outside.txt",
      "process",
      "cwd",
    ],
    ...[
      "root",
      ".git",
      ".GIT",
      "config",
      "git-alias",
      "good-folder",
      ".looplia",
      "state",
      "w",
      "header.json",
      "x",
    ],
    ...[
      "git~1",
      ".git.",
      "\0",
      "\\",
      "proc",
      "self",
      "environ",
      "environ\n",
      "beside",
      "circle",
      base,
      "~",
      "%2e%2e",
    ],
  );
  const path = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/")),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
  );
  const callsOf = (given: string): [name: string, input: Record<string, unknown>][] => [
    ["readFile", { path: given }],
    ["listFiles", { path: given }],
    ["grep", { path: given, pattern: "canary" }],
    ["grep", { path: given, pattern: "canary", glob: given.slice(0, 500) || "*" }],
    ["editFile", { path: given, oldStr: "", newStr: "planted" }],
    ["editFile", { path: given, oldStr: "canary", newStr: "planted" }],
  ];
  const tools = new Map(allTools().map((tool) => [tool.name, tool]));
  await fc.assert(
    fc.asyncProperty(path, async (given) => {
      for (const [name, input] of callsOf(given)) {
        const tool = tools.get(name);
        if (!tool) throw new Error(`there is no ${name}`);
        const parsed = tool.input().safeParse(input);
        if (!parsed.success) continue;
        const running = Promise.resolve(tool.run(parsed.data, makeContext(workspace)));
        const reply = await running.catch((error: unknown) => {
          expect(error).toBeInstanceOf(LoopliaError);
          return { text: "" };
        });
        expect("text" in reply ? reply.text : "").not.toContain(SECRET);
      }
    }),
    tries(60),
  );
  expect(await untouched()).toEqual(before);
});

test("a hard link is a file like any other, and writing to it leaves its twin alone", async () => {
  const { base, root, workspace } = await makeWorktree();
  await writeFile(join(base, "twin"), "old");
  await link(join(base, "twin"), join(root, "name"));
  await workspace.forTools.writeText("name", "new");
  expect(await readFile(join(base, "twin"), "utf8")).toBe("old");
});

// A link that a command makes with the name of a protected file is removed; what it leads to is somebody else's file.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listDecidingPaths } from "../../src/approval/gate.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import { isolate } from "../fakes/isolation.ts";
import { makeWorktree } from "../fakes/worktree.ts";

const limits = { timeoutMs: 200_000, maxOutput: 100_000, signal: new AbortController().signal };
const FILES = {
  ".github/CODEOWNERS": "* @ann\n",
  ".github/workflows/ci.yml": "on: push\n",
  ".claude/settings.json": "{}\n",
  "looplia.yml": "mode: tasks\n",
  "src/index.js": "1\n",
  "docs/a.md": "text\n",
  "node_modules/x/.npmrc": "a=b\n",
};

async function open(sandbox: "required" | "off", files: Record<string, string> = FILES) {
  const { base, root } = await makeWorktree(files);
  writeFileSync(join(base, "outside.txt"), "outside\n");
  const environment = { PATH: process.env.PATH ?? "", HOME: base };
  const workspace = await openWorkspace(root, {
    ...{ environment, systemTemp: join(base, "temp"), isolate: isolate({ sandbox }) },
    rules: { ...listDecidingPaths("looplia.yml"), aside: join(base, "put-back"), notify: () => {} },
  });
  return { base, root, workspace };
}

/** Every entry below a folder: files with their bytes, links with their targets. */
function tree(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    const found = lstatSync(join(root, path));
    if (found.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(root, path))}`];
    return found.isDirectory()
      ? [`${path}/`, ...tree(root, path)]
      : [`${path} ${readFileSync(join(root, path))}`];
  });
}

const TARGETS = [
  ...[".github/CODEOWNERS", ".github/workflows", ".github", ".claude/settings.json", "looplia.yml"],
  ...["src", "src/index.js", "docs", ".", "node_modules/x", "../outside.txt", "missing"],
];

describe.each(["required", "off"] as const)("sandbox: %s", (sandbox) => {
  test.each(TARGETS)("a new link to %s goes alone, under each name and from each folder", async (target) => {
    const { base, root, workspace } = await open(sandbox);
    const before = tree(root);
    const places = [
      ".npmrc",
      "sub/1/.npmrc",
      "sub/CODEOWNERS",
      "sub/.github",
      "docs/.claude",
      "sub/.looplia",
    ];
    const lines = places.flatMap((place) => {
      const up = "../".repeat(place.split("/").length - 1);
      return [`mkdir -p $(dirname ${place})`, `ln -s ${up}${target} ${place}`];
    });
    const { putBack } = await workspace.run([...lines, "rm -rf sub/none"].join("; "), limits);
    expect(tree(root).filter((line) => !/^sub\/(1\/)?$/.test(line))).toEqual(before);
    expect(putBack?.failed).toEqual([]);
    expect(readFileSync(join(base, "outside.txt"), "utf8")).toBe("outside\n");
  });

  test("a link that replaces the folder above a protected file goes alone", async () => {
    const { root, workspace } = await open(sandbox, { ...FILES, "pkg/.npmrc": "a=b\n" });
    const before = tree(root);
    await workspace.run("mv pkg old && ln -s src pkg; mkdir deep; ln -s ../src deep/.github", limits);
    const after = tree(root).filter((line) => !/^(old|deep)\//.test(line));
    expect(after).toEqual(before);
  });

  test("links to links, loops, and a link to where a protected link leads", async () => {
    const { root, workspace } = await open(sandbox);
    symlinkSync("docs", join(root, ".husky"));
    const before = tree(root);
    await workspace.run(
      "ln -s b .envrc; ln -s src b; mkdir l; ln -s .npmrc l/.npmrc; ln -s ../.husky l/.husky; ln -s $PWD l/.claude",
      limits,
    );
    expect(tree(root).filter((line) => !/^(b ->|l\/$)/.test(line))).toEqual(before);
  });

  test("what a command makes where a protected link leads is moved away; what was there stays", async () => {
    const { root, workspace } = await open(sandbox);
    symlinkSync("docs/later", join(root, ".husky"));
    mkdirSync(join(root, "hooks"));
    writeFileSync(join(root, "hooks/mine"), "mine\n");
    symlinkSync("../hooks", join(root, "docs/.husky"));
    const before = tree(root);
    await workspace.run(
      "mkdir docs/later; echo evil > docs/later/pre-commit; echo evil > hooks/pre-push",
      limits,
    );
    expect(tree(root)).toEqual(before);
    expect(existsSync(join(root, "hooks/mine"))).toBe(true);
  });
});

test("a folder that could not be read before is left as it is, and that is told", async () => {
  const { root, workspace } = await open("off", { "docs/a.md": "text\n" });
  // Root reads everything; a folder in place of one that this process can't read.
  const closed = join(root, "closed");
  mkdirSync(closed);
  writeFileSync(join(closed, ".npmrc"), "mine\n");
  chmodSync(closed, 0o000);
  const { putBack } = await workspace.run("chmod 755 closed", limits);
  if (process.getuid?.() !== 0) expect(putBack?.failed).toEqual(["closed/.npmrc"]);
  else expect(putBack).toBeUndefined();
  expect(readFileSync(join(closed, ".npmrc"), "utf8")).toBe("mine\n");
});

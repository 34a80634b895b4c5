// What every implementation of TrustedFiles promises, the fake too: code that was tested with one runs with the others.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSkill, loadSources } from "../../src/config/definitions.ts";
import type { TrustedFiles } from "../../src/core/ports.ts";
import { installedFolder, trustedFolder } from "../../src/files/sources.ts";
import { trustedCommit } from "../../src/git/repository.ts";
import { createGit } from "../../src/sandbox/git-process.ts";
import { memoryTrusted } from "../fakes/memory-trusted.ts";

const FILES = {
  "looplia.yml": "model: x\n",
  "empty.md": "",
  "skills/pdf/SKILL.md": "---\ndescription: reads – and fills\n---\nRead.",
  "skills/pdf/forms.md": "forms",
  "skills/pdf/scripts/fill.py": "fill",
  "skills/pdf/scripts/lib/dates.py": "dates",
  "skills/notes.md": "no skill",
};

let base: string;
let makers: Record<string, () => Promise<TrustedFiles>>;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "trusted-contract-")));
  const root = join(base, "root");
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const run = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  run("init", "-q");
  run("add", "-A");
  run("commit", "-qm", "files");
  const commit = run("rev-parse", "HEAD").trim();
  const environment = { PATH: process.env.PATH ?? "" };
  const git = createGit({
    folder: join(root, ".git"),
    home: base,
    remote: "",
    token: undefined,
    environment,
  });
  makers = {
    "the working tree": () => trustedFolder(root, ""),
    "a commit": async () => trustedCommit(git, commit, ""),
    "the installation": async () => installedFolder(root),
    "the fake": async () => memoryTrusted(FILES),
  };
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe.each(["the working tree", "a commit", "the installation", "the fake"])("%s", (name) => {
  let files: TrustedFiles;
  beforeAll(async () => {
    const make = makers[name];
    if (!make) throw new Error(name);
    files = await make();
  });

  test("reads the text of a file", async () => {
    expect(await files.read("looplia.yml")).toBe("model: x\n");
    expect(await files.read("empty.md")).toBe("");
    expect(await files.read("skills/pdf/scripts/lib/dates.py")).toBe("dates");
  });

  test("reads nothing where no file is: no such name, a folder, below a file", async () => {
    for (const path of ["none.md", "none/at/all.md", "skills", "skills/pdf", "looplia.yml/below"]) {
      expect(await files.read(path), path).toBeUndefined();
    }
  });

  test("lists the names of a folder in the order of their code units", async () => {
    expect(await files.list("skills")).toEqual(["notes.md", "pdf"]);
    expect(await files.list("skills/pdf")).toEqual(["SKILL.md", "forms.md", "scripts"]);
    expect((await files.list("")).filter((entry) => entry !== ".git")).toEqual([
      "empty.md",
      "looplia.yml",
      "skills",
    ]);
  });

  test("lists nothing where no folder is: no such name, a file, below a file", async () => {
    for (const path of ["none", "none/at/all", "skills/notes.md", "skills/notes.md/below"]) {
      expect(await files.list(path), path).toEqual([]);
    }
  });

  test("gives a skill its bundled files, and no skill for a file beside skills", async () => {
    const loaded = await loadSources([{ files, folder: "skills", isShared: true }], loadSkill);
    expect(loaded.map((skill) => [skill.name, skill.diagnostics])).toEqual([["pdf", []]]);
    const skill = loaded[0]?.definition;
    expect(skill?.files).toEqual(["forms.md", "scripts/fill.py", "scripts/lib/dates.py"]);
    expect(await skill?.read("scripts/lib/dates.py")).toBe("dates");
  });
});

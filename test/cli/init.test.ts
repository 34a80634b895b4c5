// `init` sets up a repository: workflows that run as they are, and nothing overwritten.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findDefaultBranch, findNamedRelease, findNewestRelease } from "../../src/git/remote.ts";
import { commitFiles, startGitServer } from "../fakes/git-http.ts";
import { readWorkflow } from "../fakes/workflow.ts";
import { makeFolder, runMain } from "./made-up-surface.ts";

const RELEASE = { repository: "acme/looplia-action", commit: "0a1b2c3d".repeat(5), name: "v1.2.3" };

async function init(argv: string[], { below = "", hasContent = false } = {}) {
  const root = await makeFolder();
  if (hasContent) await mkdir(join(root, "content"));
  await mkdir(join(root, below), { recursive: true });
  const ran = await runMain(["init", ...argv], join(root, below), {
    wiring: {
      readCheckout: async () => ({ root, branch: "trunk", page: "https://github.com/acme/notes" }),
      findRelease: async () => RELEASE,
    },
  });
  const files = (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
  return { ...ran, root, files };
}

test.each([
  ["--articles", "looplia.yml", "content/**"],
  ["--tasks", "looplia-tasks.yml", "to-do.json"],
])("%s writes workflows with the release and the default branch, at the root", async (flag, name, path) => {
  const { code, root, files, stdout } = await init([flag], { below: "docs/deep" });
  expect(code).toBe(0);
  expect(files).toContain(`.github/workflows/${name}`);
  expect(files.includes("to-do.json")).toBe(flag === "--tasks");
  for (const workflow of [name, "looplia-answer.yml"]) {
    const text = await readFile(join(root, ".github/workflows", workflow), "utf8");
    expect(text).toContain(`acme/looplia-action@${RELEASE.commit} # v1.2.3`);
    expect(text).not.toMatch(/OWNER|0{40}/);
    expect(text.includes(`acme/looplia-action/isolation@${RELEASE.commit} # v1.2.3`)).toBe(
      flag === "--tasks",
    );
  }
  const workflow = readWorkflow(join(root, ".github/workflows", name));
  expect(workflow.on).toMatchObject({ push: { branches: ["trunk"], paths: [path] } });
  expect(stdout).toContain("gh secret set ANTHROPIC_API_KEY");
  expect(stdout).toContain("https://github.com/acme/notes/settings/actions");
  expect(stdout).not.toContain("--ref");
});

test("the next step is a run where articles are already there", async () => {
  expect((await init(["--articles"])).stdout).toContain("Put an article into content/");
  const root = await makeFolder();
  await mkdir(join(root, "content/deep"), { recursive: true });
  await writeFile(join(root, "content/deep/a.md"), "# A\n");
  const { stdout } = await runMain(["init", "--articles"], root, {});
  expect(stdout).toContain("Try `looplia run` here");
  expect(stdout).not.toContain("Put an article into content/");
});

test("both flags set up both; without a flag and a person, a content folder decides", async () => {
  expect((await init(["--articles", "--tasks"])).files).toEqual([
    ".github/workflows/looplia-answer.yml",
    ".github/workflows/looplia-tasks.yml",
    ".github/workflows/looplia.yml",
    ".looplia/.gitignore",
    "looplia.yml",
    "to-do.json",
  ]);
  expect((await init([], { hasContent: true })).files).toContain(".github/workflows/looplia.yml");
  expect((await init([])).files).toContain("to-do.json");
});

test("an agent program is installed before the action, cached, in every workflow, and doctor sees where not", async () => {
  const { root, stdout } = await init(["--tasks", "--claude", "--codex"]);
  for (const name of ["looplia-tasks.yml", "looplia-answer.yml"]) {
    const { jobs } = readWorkflow(join(root, ".github/workflows", name));
    const [isolation, cache, install, action] = Object.values(jobs)[0]?.steps ?? [];
    expect(isolation).toEqual({ uses: expect.stringMatching(/\/looplia-action\/isolation@[0-9a-f]{40}$/) });
    const key = `agent-programs-\${{ runner.os }}-claude-1.0.0-codex-2.0.0`;
    expect(cache).toMatchObject({ uses: "actions/cache@v5", with: { path: "~/.agent-programs", key } });
    expect(install).toMatchObject({
      run: expect.stringMatching(
        /bin\/claude \] \|\| npm install .* claude-package@1\.0\.0\n.*codex-package@2\.0\.0\n.*GITHUB_PATH/,
      ),
    });
    expect(action?.with).toMatchObject({
      "anthropic-api-key": `\${{ secrets.ANTHROPIC_API_KEY }}`,
      "openai-api-key": `\${{ secrets.OPENAI_API_KEY }}`,
    });
  }
  expect(await readFile(join(root, "looplia.yml"), "utf8")).toMatch(
    /^provider: claude\nschedule: odd-even\nagents: \[claude, codex\]$/m,
  );
  expect(stdout).toContain("gh secret set OPENAI_API_KEY");
  const environment = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };
  const well = await runMain(["doctor"], root, { environment });
  expect(well.stdout).toMatch(/^✓ workflow +none lacks claude or codex$/m);
  const answer = join(root, ".github/workflows/looplia-answer.yml");
  await writeFile(answer, (await readFile(answer, "utf8")).replaceAll("codex-package", "other"));
  const ill = await runMain(["doctor"], root, { environment });
  expect(ill.stdout).toMatch(
    /^✓ workflow +warning: .*looplia-answer\.yml does not install codex\n +→ add the steps/m,
  );
});

test("the workflows install what the settings name that are there already", async () => {
  const root = await makeFolder();
  await writeFile(join(root, "looplia.yml"), "schedule: codex\n");
  await runMain(["init", "--tasks"], root, {});
  const text = await readFile(join(root, ".github/workflows/looplia-tasks.yml"), "utf8");
  expect(text).toMatch(/npm install .*codex-package@2\.0\.0/);
  expect(text).not.toContain("claude-package");
});

test("where a file has the name of a folder, init says which file is missing, and the next one writes it", async () => {
  const root = await makeFolder();
  const wiring = {
    readCheckout: async () => ({ root, branch: "trunk", page: "https://github.com/acme/notes" }),
    findRelease: async () => RELEASE,
  };
  await writeFile(join(root, ".looplia"), "");
  const failed = await runMain(["init", "--articles"], root, { wiring });
  expect(failed.code).toBe(2);
  expect(failed.stderr).toContain(
    ".looplia/.gitignore was not written: its folder's name is taken by a file.\nMove that file away, and run",
  );
  await rm(join(root, ".looplia"));
  const { code, stdout } = await runMain(["init", "--articles"], root, { wiring });
  expect(code).toBe(0);
  expect(stdout).toContain("✓ .looplia/.gitignore");
});

test("without a known commit init leaves zeros and says so; the next one fills them in and changes nothing else", async () => {
  const root = await makeFolder();
  const first = await runMain(["init", "--tasks"], root, {});
  expect(first.stdout).toMatch(
    /1\. Say which commit .*zeros:\n +looplia init --ref <owner>\/looplia-action@/,
  );
  expect((await runMain(["doctor"], root, {})).stdout).toContain("is a placeholder\n");
  const path = join(root, ".github/workflows/looplia-answer.yml");
  const mine = `# mine\n${await readFile(path, "utf8")}`;
  await writeFile(path, mine);
  const asked: (string | undefined)[] = [];
  const findRelease = async (ref?: string) => {
    asked.push(ref);
    return ref === "acme/looplia-action@v9" ? undefined : RELEASE;
  };
  const unknown = await runMain(["init", "--ref", "acme/looplia-action@v9"], root, {
    wiring: { findRelease },
  });
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("no such commit or tag was found");
  const again = await runMain(["init", "--ref=acme/looplia-action@v1.2.3"], root, {
    wiring: { findRelease },
  });
  expect(asked).toEqual(["acme/looplia-action@v9", "acme/looplia-action@v1.2.3"]);
  expect(again.stdout).toContain("✓ .github/workflows/looplia-answer.yml: placeholder filled in\n");
  expect(again.stdout).toContain("to-do.json already exists: left unchanged");
  expect(again.stdout).toContain(`The workflows use acme/looplia-action at 0a1b2c3 (v1.2.3).`);
  expect(await readFile(path, "utf8")).toBe(
    mine.replaceAll(
      /OWNER\/looplia-action(\S*)@0{40} # v0\.0\.0/g,
      `acme/looplia-action$1@${RELEASE.commit} # v1.2.3`,
    ),
  );
  expect((await runMain(["doctor"], root, {})).stdout).not.toContain("placeholder");
});

test("the release is the newest of the clone, or of the package's repository", async () => {
  const files = { "package.json": "{}" };
  const server = await startGitServer({
    root: await mkdtemp(join(tmpdir(), "looplia-served-")),
    repository: "acme/looplia-action",
    token: undefined,
    files,
  });
  try {
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", server.bare, ...args], { encoding: "utf8" }).trim();
    const commit = git("rev-parse", "main");
    const tag = (name: string, at: string) =>
      git("-c", "user.name=a", "-c", "user.email=a@b", "tag", "-a", name, "-m", "release", at);
    tag("v1.9.3", commit);
    const newest = await commitFiles(server.bare, "main", { "package.json": "{ }" }, "second");
    tag("v1.10.0", newest);
    git("tag", "v1", newest);
    git("tag", "v2.0.0-rc.1", newest);
    const folder = await mkdtemp(join(tmpdir(), "looplia-installed-"));
    const environment = { PATH: process.env.PATH };
    const install = { folder, environment };
    expect(await findNewestRelease(install)).toBeUndefined();
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({ repository: { url: `git+${server.url}` } }),
    );
    const release = { repository: "acme/looplia-action", commit: newest, name: "v1.10.0" };
    expect(await findNewestRelease(install)).toEqual(release);
    const clone = await mkdtemp(join(tmpdir(), "looplia-clone-"));
    execFileSync("git", ["clone", "-q", server.bare, clone]);
    expect(await findDefaultBranch(clone)).toBe("main");
    const inClone = (...args: string[]) => execFileSync("git", ["-C", clone, ...args]);
    inClone("remote", "set-url", "origin", "git@github.com:acme/looplia-action.git");
    expect(await findNewestRelease({ ...install, folder: clone })).toEqual(release);
    inClone("tag", "-d", "v1.10.0", "v1.9.3");
    inClone("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "not pushed");
    const pushed = { ...release, name: "a commit of your clone" };
    expect(await findNewestRelease({ ...install, folder: clone })).toEqual(pushed);
    inClone("remote", "remove", "origin");
    inClone("remote", "add", "origin", "git@github.com:acme/looplia-action.git");
    expect(await findNewestRelease({ ...install, folder: clone })).toBeUndefined();
    const named = (ref: string) => findNamedRelease(ref, new URL(server.url).origin, install);
    expect(await named(`you/looplia-action@${commit}`)).toEqual({
      ...{ repository: "you/looplia-action", commit, name: "chosen with --ref" },
    });
    expect(await named("acme/looplia-action@v1.9.3")).toEqual({ ...release, commit, name: "v1.9.3" });
    expect(await named("acme/looplia-action@v1")).toEqual({ ...release, name: "v1" });
    for (const unknown of ["acme/looplia-action@v7", "acme/looplia-action", "nobody/x@v1", `x@${commit}`]) {
      expect(await named(unknown), unknown).toBeUndefined();
    }
  } finally {
    await server.close();
  }
});

test("a package without a release of its repository knows the commit that it was made or installed from", async () => {
  const { repository, commit } = RELEASE;
  const root = await mkdtemp(join(tmpdir(), "looplia-served-"));
  const server = await startGitServer({ root, repository, token: undefined, files: { a: "1" } });
  const environment = { PATH: process.env.PATH };
  const modules = join(await mkdtemp(join(tmpdir(), "looplia-modules-")), "node_modules");
  const folder = join(modules, "looplia-action");
  await mkdir(folder, { recursive: true });
  const made = { repository: { url: `git+${server.url}` }, gitHead: commit };
  const found = { repository, commit, name: "made this package" };
  await writeFile(join(folder, "package.json"), JSON.stringify(made));
  expect(await findNewestRelease({ folder, environment })).toEqual(found);
  await writeFile(join(folder, "package.json"), "{}");
  for (const [address, expected] of [
    [`git+${server.url}#${commit}`, found],
    [`git+file:///home/me/looplia-action#${commit}`, undefined],
    ["file:looplia-action-0.1.0.tgz", undefined],
  ] as const) {
    const packages = { "node_modules/looplia-action": { resolved: address } };
    await writeFile(join(modules, ".package-lock.json"), JSON.stringify({ packages }));
    expect(await findNewestRelease({ folder, environment }), address).toEqual(expected);
  }
  await server.close();
});

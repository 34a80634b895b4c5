// `commits: api`: GitHub makes the branch's commits. Real git, and GitHub's API over the same repository.
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodeHost } from "../../src/core/ports-host.ts";
import { createGithubHost } from "../../src/github/pulls.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { type GithubServer, startGithubServer } from "../fakes/github-server.ts";
import { begin, HEAD, server, stateNow, useStateRefs } from "../fakes/state-ref-world.ts";
import { BRANCH, type Run } from "../fakes/state-run.ts";

const TOKEN = "ghs_canaryTokenCanaryToken";
let github: GithubServer;
let host: CodeHost;

useStateRefs("over HTTP");
beforeEach(async () => {
  github = await startGithubServer({ repository: "owner/repo", token: TOKEN, git: server.git });
  host = createGithubHost({ apiUrl: github.apiUrl, repository: "owner/repo", token: TOKEN });
});
afterEach(() => github.close());

const open = (name = "7.1") => begin(name, { makeCommit: host.makeCommit });
const put = async (folder: string, path: string, bytes: string | Uint8Array = "x") => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), bytes);
};
async function step(
  run: Run,
  change: (folder: string) => Promise<void>,
  message = "feat: a step",
): Promise<void> {
  const worktree = await run.state.openWorktree();
  await change(worktree.root);
  await worktree.commitAll(`${message}\n\nLooplia-Run: ${run.name}\n`);
}
const kinds = () => github.requests.map(({ kind }) => kind.replace("POST /repos/{owner}/{repo}/git/", ""));
const unsigned = async (range: string) => {
  const commits = (await server.git("rev-list", range)).split("\n").filter(Boolean);
  const texts = await Promise.all(commits.map((commit) => server.git("cat-file", "commit", commit)));
  return texts.filter((text) => !/^gpgsig /m.test(text)).length;
};

test("texts travel in their tree, other files as blobs; what may run, links, removals and renames stay what they are", async () => {
  const run = await open();
  await step(run, async (folder) => {
    await put(folder, "deep/ünïcode name.md", "\uFEFFline\r\nline\n");
    await put(folder, "binary", new Uint8Array([0, 255, 254, 10]));
    await put(folder, "long.txt", "long\n".repeat(20_000));
    await symlink("/etc/passwd", join(folder, "link"));
    await chmod(join(folder, "tool.sh"), 0o755);
    await rename(join(folder, "b.md"), join(folder, "renamed.md"));
    await rm(join(folder, "a.md"));
    await put(folder, "a.md/inside.md");
  });
  await run.state.checkpoint("save", { isWhole: true });
  expect((await server.git("diff", "--no-renames", "--name-status", "main", HEAD)).split("\n")).toEqual([
    "D\ta.md",
    "A\ta.md/inside.md",
    "D\tb.md",
    "A\tbinary",
    'A\t"deep/\\303\\274n\\303\\257code name.md"',
    "A\tlink",
    "A\tlong.txt",
    "A\trenamed.md",
    "M\ttool.sh",
  ]);
  expect(await server.git("ls-tree", HEAD, "link", "tool.sh")).toMatch(/^120000.*\n100755/);
  expect(kinds()).toEqual(["trees", "blobs", "blobs", "trees", "commits"]);
  expect(await unsigned(`main..${HEAD}`)).toBe(0);
  expect(await server.git("log", "-1", "--format=%B", HEAD)).toContain("Looplia-Run: 7.1");
});

test("each step is a commit of GitHub's, in order, and the state names the one that was pushed", async () => {
  const run = await open();
  for (const name of ["one", "two", "three"]) await step(run, (folder) => put(folder, name), `feat: ${name}`);
  const { work } = await run.state.checkpoint("save", { isWhole: true });
  expect(work).toBe((await stateNow()).branch);
  expect((await server.git("log", "--format=%s", `main..${HEAD}`)).split("\n")).toEqual([
    "feat: three",
    "feat: two",
    "feat: one",
  ]);
  expect(kinds()).toEqual(["trees", "commits", "trees", "commits", "trees", "commits"]);
  await step(run, (folder) => put(folder, "four"), "feat: four");
  await run.state.checkpoint("save", { isWhole: true });
  expect(kinds()).toHaveLength(8);
  expect(await unsigned(`main..${HEAD}`)).toBe(0);
});

test("a person pushes meanwhile: the steps are made again on top, and nothing is there twice", async () => {
  const run = await open();
  await step(run, (folder) => put(folder, "one"));
  await run.state.checkpoint("save", { isWhole: true });
  await commitFiles(server.bare, BRANCH, { "theirs.md": "theirs\n" }, "theirs");
  await step(run, (folder) => put(folder, "two"), "feat: two");
  await run.state.checkpoint("save", { isWhole: true });
  expect((await server.git("log", "--format=%s", `main..${HEAD}`)).split("\n")).toEqual([
    "feat: two",
    "theirs",
    "feat: a step",
  ]);
});

test("a run that dies between making a commit and pushing it leaves nothing: the next one makes its own", async () => {
  const dead = await open("1.1");
  await dead.claim();
  const before = await stateNow();
  await step(dead, (folder) => put(folder, "lost"));
  server.beforePush = () => Promise.resolve(403);
  await expect(dead.state.checkpoint("save", { isWhole: true })).rejects.toMatchObject({
    code: "host-failed",
  });
  server.beforePush = undefined;
  expect(kinds()).toContain("commits");
  expect(await stateNow()).toEqual(before);
  const next = await open("2.1");
  await step(next, (folder) => put(folder, "lost"));
  await next.state.checkpoint("save", { isWhole: true });
  expect((await server.git("log", "--format=%s", `${before.branch}..${HEAD}`)).split("\n")).toEqual([
    "feat: a step",
  ]);
});

test("what GitHub does not take ends the run with what to do", async () => {
  const run = await open();
  await step(run, (folder) => put(folder, "huge.bin", new Uint8Array(41 * 1024 * 1024)));
  await expect(run.state.checkpoint("save", { isWhole: true })).rejects.toMatchObject({
    message: expect.stringContaining("huge.bin is larger than 40 MiB"),
    hint: expect.stringContaining(".gitignore"),
  });
  const other = await open("8.1");
  await step(other, (folder) => put(folder, "one"));
  const aimed = { method: "POST", path: /\/git\/trees$/ };
  github.answers.push({ ...aimed, status: 403, body: { message: "Resource not accessible by integration" } });
  await expect(other.state.checkpoint("save", { isWhole: true })).rejects.toMatchObject({
    hint: expect.stringContaining("`permissions: contents: write`"),
  });
  github.answers.push({
    ...aimed,
    status: 201,
    body: {
      sha: await server.git("rev-parse", "main^{tree}"),
      url: "https://x.example",
      truncated: false,
      tree: [],
    },
  });
  await expect(other.state.checkpoint("save", { isWhole: true })).rejects.toMatchObject({
    message: expect.stringMatching(/^GitHub made the tree/),
  });
  await other.state.checkpoint("save", { isWhole: true });
  expect(await unsigned(`main..${HEAD}`)).toBe(0);
});

test("a person's token signs nothing: the run says so once, and goes on", async () => {
  const ada = github.accounts.addPerson("ada", "write");
  Object.assign(github.accounts.need("ada"), { token: "ghp_ada" });
  expect(ada.type).toBe("User");
  host = createGithubHost({ apiUrl: github.apiUrl, repository: "owner/repo", token: "ghp_ada" });
  const run = await open();
  for (const name of ["one", "two"]) {
    await step(run, (folder) => put(folder, name));
    await run.state.checkpoint("save", { isWhole: true });
  }
  expect(run.notices).toEqual([expect.stringMatching(/^GitHub did not sign/)]);
  expect(await unsigned(`main..${HEAD}`)).toBe(2);
});

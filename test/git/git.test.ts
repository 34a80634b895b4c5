import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LoopliaError } from "../../src/core/errors.ts";
import type { Repository, Worktree } from "../../src/core/ports-host.ts";
import { beginClone, findPage, findRemote, findRepository } from "../../src/git/remote.ts";
import { openRepository } from "../../src/git/repository.ts";
import { pushRate } from "../../src/git/state-push.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";
import { commitFiles, type GitServer, startGitServer } from "../fakes/git-http.ts";
import { BRANCH, openRun, type Run } from "../fakes/state-run.ts";

const TOKEN = "ghs_canaryTokenCanaryToken";
const SESSION = ".looplia/contentItem/first-2026-11-20-aaaaaa";
let root: string;
let server: GitServer;
const opened: Run[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-git-"));
  server = await startGitServer({
    root: join(root, "served"),
    repository: "owner/repo",
    token: TOKEN,
    files: {
      "content/a.md": "one\r\ntwo\r\n",
      "content/b.md": "b\n",
      "looplia.yml": "model: x\n",
      ".gitattributes": "*.md filter=evil text eol=lf working-tree-encoding=UTF-16 ident\n",
    },
  });
});
afterEach(async () => {
  for (const { store } of opened.splice(0)) await store.close();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

async function open(token: string | undefined = TOKEN, name = "clone"): Promise<Repository> {
  const temporary = join(root, name);
  await mkdir(temporary, { recursive: true });
  return openRepository({
    temporary,
    remote: server.url,
    token,
    environment: gitEnvironment(process.env),
    rate: pushRate(),
  });
}

async function openWork(environment?: Record<string, string>): Promise<Run & Worktree> {
  const at = { name: "1.1", remote: server.url, token: TOKEN, ...(environment ? { environment } : {}) };
  const run = await openRun(root, at);
  const worktree = await run.state.openWorktree();
  opened.push(run);
  return { ...run, ...worktree };
}

async function writeSession(work: { root: string }, text: string, file = "summary.json") {
  await mkdir(join(work.root, SESSION), { recursive: true });
  await writeFile(join(work.root, SESSION, file), text);
}

test("what is read from a server that fails for a moment is read again; what it refuses is not", async () => {
  const repository = await open();
  const statuses = [503, 429];
  server.beforeRead = () => statuses.shift();
  expect(await repository.tipOf("main")).toMatch(/^[0-9a-f]{40}$/);
  expect(statuses).toEqual([]);
  let asked = 0;
  server.beforeRead = () => {
    asked += 1;
    return 403;
  };
  await expect(repository.tipOf("main")).rejects.toMatchObject({ code: "host-failed" });
  expect(asked).toBe(1);
});

test("a clone that was begun answers its first questions without another request, and only in its folder", async () => {
  const temporary = join(root, "begun");
  await mkdir(temporary);
  const where = { serverUrl: server.serverUrl, repository: "owner/repo", checkout: root };
  const begun = await beginClone({ ...where, temporary, token: TOKEN, branch: "main" }, process.env);
  const openIn = (folder: string) =>
    openRepository({
      ...{
        begun,
        temporary: folder,
        remote: `${server.serverUrl}/owner/repo.git`,
        token: TOKEN,
        rate: pushRate(),
      },
      environment: gitEnvironment(process.env),
    });
  const repository = await openIn(temporary);
  const tip = await server.git("rev-parse", "main");
  expect(await repository.fetchBranch("main")).toBe(tip);
  const asked = () => server.requests.filter(({ path }) => path.includes("info/refs")).length;
  expect(asked()).toBe(2);
  expect(await repository.tipOf("main")).toBe(tip);
  expect((await repository.listFiles(tip, "content")).length).toBe(2);
  expect(asked()).toBe(2);
  expect(await repository.fetchBranch("main")).toBe(tip);
  expect(asked()).toBe(3);
  const other = await openIn(join(root, "other"));
  expect(await other.fetchBranch("main")).toBe(tip);
  expect(asked()).toBe(5);
});

test("a request that began and failed is told by the call that needs it", async () => {
  server.beforeRead = () => 403;
  const where = { serverUrl: server.serverUrl, repository: "owner/repo", checkout: root };
  const begun = await beginClone({ ...where, temporary: root, token: TOKEN, branch: "main" }, process.env);
  const repository = await openRepository({
    ...{ begun, temporary: root, remote: server.url, token: TOKEN, rate: pushRate() },
    environment: gitEnvironment(process.env),
  });
  await expect(repository.fetchBranch("main")).rejects.toMatchObject({ code: "host-failed" });
});

test("knows the default branch, tips, files and bytes of a commit", async () => {
  const repository = await open();
  expect(await repository.defaultBranch()).toBe("main");
  expect(await repository.tipOf("nowhere")).toBeUndefined();
  const tip = (await repository.tipOf("main")) ?? "";
  expect(tip).toBe(await server.git("rev-parse", "main"));
  expect(await repository.fetchBranch("main")).toBe(tip);
  expect(await repository.fetchBranch("nowhere")).toBeUndefined();
  expect(await repository.fetchBranch("ma*")).toBeUndefined();
  await repository.fetchCommit(tip);
  const files = await repository.listFiles(tip, "");
  expect(files.map((file) => file.path)).toEqual([
    ".gitattributes",
    "content/a.md",
    "content/b.md",
    "looplia.yml",
  ]);
  expect((await repository.listFiles(tip, "content")).map((file) => file.path)).toEqual([
    "content/a.md",
    "content/b.md",
  ]);
  expect(await repository.listFiles(tip, "nowhere")).toEqual([]);
  const blobs = await repository.readBlobs([files[1]?.oid ?? "", files[3]?.oid ?? ""]);
  expect(blobs.map((bytes) => Buffer.from(bytes).toString("utf8"))).toEqual(["one\r\ntwo\r\n", "model: x\n"]);
  const ids = files.map(({ oid }) => oid);
  expect((await repository.sizesOf(ids)).get(ids[1] ?? "")).toBe(blobs[0]?.length);
  expect(await repository.readFile(ids[1] ?? "", 10)).toEqual(blobs[0]);
  expect(await repository.readFile(ids[1] ?? "", 9)).toBeUndefined();
  expect(await repository.readBlobs([])).toEqual([]);
  await expect(repository.readBlobs([tip])).rejects.toThrow(/not a file/);
  const trusted = repository.trustedFiles(tip, "content", "main:");
  expect(await trusted.read("b.md")).toBe("b\n");
  expect(await trusted.list("")).toEqual(["a.md", "b.md"]);
});

test.each([
  ["origin on the server", "https://github.com/owner/repo", "https://github.com/owner/repo.git"],
  ["another repository", "https://github.com/other/repo", "https://github.com/owner/repo.git"],
  ["a password in it", "http://x:secret@127.0.0.1/owner/repo", "http://127.0.0.1/owner/repo"],
  ["this machine", "http://127.0.0.1:81/o/r.git", "http://127.0.0.1:81/o/r.git"],
  ["another host", "https://evil.example/owner/repo", "https://github.com/owner/repo.git"],
  ["ssh", "git@github.com:owner/repo.git", "https://github.com/owner/repo.git"],
  ["no url", "", "https://github.com/owner/repo.git"],
])("finds the remote: %s", async (_, url, remote) => {
  await mkdir(join(root, "checkout/.git"), { recursive: true });
  const text = `[core]\n\tbare = false\n[remote "other"]\n\turl = https://github.com/x/y\n[remote "origin"]\n\tfetch = x\n\turl = ${url}\n`;
  await writeFile(join(root, "checkout/.git/config"), text);
  const place = {
    checkout: join(root, "checkout"),
    serverUrl: "https://github.com/",
    repository: "owner/repo",
  };
  expect(await findRemote(place)).toBe(remote);
});

test.each([
  ["https://github.com/owner/repo", "owner/repo"],
  ["https://x:secret@github.com/owner/re.po.git", "owner/re.po"],
  ["git@github.com:owner/repo.git", "owner/repo"],
  ["ssh://git@github.com/owner/repo.git", "owner/repo"],
  ["http://127.0.0.1:81/owner/repo.git", "owner/repo"],
  ["https://evil.example/owner/repo", undefined],
  ["https://github.com.evil.example/owner/repo", undefined],
  ["git@evil.example:owner/repo.git", undefined],
  ["../elsewhere", undefined],
  ["", undefined],
])("names the repository of a checkout only where it is on the server: %s", async (url, repository) => {
  await mkdir(join(root, "checkout/.git"), { recursive: true });
  await writeFile(join(root, "checkout/.git/config"), `[remote "origin"]\n\turl = ${url}\n`);
  expect(await findRepository(join(root, "checkout"), "https://github.com")).toBe(repository);
});

test.each([
  ["https://github.com/owner/repo.git", "https://github.com/owner/repo"],
  ["https://user:token@ghes.example/owner/repo", "https://ghes.example/owner/repo"],
  ["git@ghes.example:owner/repo.git", "https://ghes.example/owner/repo"],
  ["http://127.0.0.1:81/owner/repo.git", undefined],
  ["../elsewhere", undefined],
])("names the page of a checkout on whatever server it is: %s", async (url, page) => {
  await mkdir(join(root, "checkout/.git"), { recursive: true });
  await writeFile(join(root, "checkout/.git/config"), `[remote "origin"]\n\turl = ${url}\n`);
  expect(await findPage(join(root, "checkout"))).toBe(page);
});

test("links and submodules are no files of a commit", async () => {
  const oid = await server.git("rev-parse", "main");
  const blob = await server.git("rev-parse", "main:looplia.yml");
  const index = join(root, "index");
  const tree = execFileSync(
    "sh",
    [
      "-c",
      `git read-tree main && git update-index --add --cacheinfo 120000,${blob},content/link.md --cacheinfo 160000,${oid},module && git write-tree`,
    ],
    { cwd: server.bare, env: { ...process.env, GIT_INDEX_FILE: index } },
  );
  const commit = await server.git(
    "-c",
    "user.name=x",
    "-c",
    "user.email=x@y",
    "commit-tree",
    tree.toString().trim(),
    "-m",
    "x",
  );
  await server.git("update-ref", "refs/heads/odd", commit);
  const repository = await open();
  await repository.fetchCommit(commit, "odd");
  const paths = (await repository.listFiles(commit, "")).map((file) => file.path);
  expect(paths).not.toContain("content/link.md");
  expect(await repository.listLinks(commit, "")).toEqual(["content/link.md"]);
  expect(paths).not.toContain("module");
});

test("a worktree has the committed bytes, whatever the attributes of the branch say", async () => {
  const work = await openWork();
  expect(await readFile(join(work.root, "content/a.md"), "utf8")).toBe("one\r\ntwo\r\n");
});

test("hooks, fsmonitor and filters of a hostile home or folder do not run", async () => {
  const marker = join(root, "ran");
  const home = join(root, "home");
  await mkdir(join(home, "hooks"), { recursive: true });
  for (const hook of [
    "pre-push",
    "post-checkout",
    "reference-transaction",
    "pre-commit",
    "post-index-change",
  ]) {
    await writeFile(join(home, "hooks", hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  }
  const hostile = `[core]\n\thooksPath = ${home}/hooks\n\tfsmonitor = touch ${marker}\n[filter "evil"]\n\tsmudge = touch ${marker}\n\tclean = touch ${marker}\n\trequired = true\n`;
  await writeFile(join(home, ".gitconfig"), hostile);
  const environment = gitEnvironment({
    ...process.env,
    HOME: home,
    GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
  });
  const work = await openWork(environment);
  await writeSession(work, "{}\n");
  await writeFile(join(work.root, SESSION, "content.md"), "x\r\n");
  expect(await work.commit(SESSION, "content(first): add summary\n")).toBe(true);
  await work.state.checkpoint("saved");
  expect(existsSync(marker)).toBe(false);
  expect(await server.git("show", `heads/${BRANCH}:${SESSION}/content.md`)).toBe("x");
  expect(await server.git("cat-file", "-s", `heads/${BRANCH}:${SESSION}/content.md`)).toBe("3");
});

test("commits a folder as it stands, with the bot as author, and no other session's", async () => {
  const work = await openWork();
  await writeSession(work, "{}\n");
  await writeSession(work, "half", ".summary.json.tmp");
  const other = ".looplia/contentItem/other-2026-11-20-bbbbbb";
  await mkdir(join(work.root, other), { recursive: true });
  await writeFile(join(work.root, other, "summary.json"), "half done");
  expect(await work.commit(SESSION, "content(first): add summary\n\nLooplia-Session: s\n")).toBe(true);
  expect(await work.commit(SESSION, "again\n")).toBe(false);
  await rm(join(work.root, SESSION, "summary.json"));
  await writeSession(work, "[]\n", "ideas.json");
  expect(await work.commit(SESSION, "content(first): add ideas\n")).toBe(true);
  await work.state.checkpoint("saved");
  const newest = `heads/${BRANCH}^{/add ideas}`;
  expect(await server.git("diff", "--name-only", "main", newest)).toBe(`${SESSION}/ideas.json`);
  expect(await server.git("log", "--format=%an %ae %s", `main..${newest}`)).toBe(
    [
      "github-actions[bot] 41898282+github-actions[bot]@users.noreply.github.com content(first): add ideas",
      "github-actions[bot] 41898282+github-actions[bot]@users.noreply.github.com content(first): add summary",
    ].join("\n"),
  );
  expect(
    await server.git("log", "-1", "--format=%(trailers:key=Looplia-Session,valueonly)", `${newest}~1`),
  ).toBe("s");
});

test("refuses to commit the state folder, a link, and what lies outside", async () => {
  const work = await openWork();
  await mkdir(join(work.root, ".looplia/state/x"), { recursive: true });
  await symlink("/etc", join(work.root, "elsewhere"));
  for (const folder of [".looplia/state", ".looplia/state/x", "elsewhere", "..", ".", ".git"]) {
    await expect(work.commit(folder, "x"), folder).rejects.toThrow(
      /refused to commit|not a directory|ENOTDIR/,
    );
  }
});

test("the token goes to the server only, and is written nowhere", async () => {
  const work = await openWork();
  await writeSession(work, "{}\n");
  await work.commit(SESSION, "x\n");
  await work.state.checkpoint("saved");
  expect(server.requests.every((request) => request.authorized)).toBe(true);
  for (const secret of [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString("base64")]) {
    const found = execFileSync("sh", ["-c", `grep -rlF '${secret}' . || true`], { cwd: join(root, "1.1") });
    expect(found.toString()).toBe("");
  }
});

test("a wrong token is a clear error without the token", async () => {
  const repository = await open("ghs_wrongToken");
  const failure = await repository.tipOf("main").catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(LoopliaError);
  expect(failure).toMatchObject({ code: "host-failed", hint: expect.stringContaining("github-token") });
  expect(String(failure)).not.toContain("ghs_wrongToken");
});

test("files of a person in a session's folder stay, hidden ones and links too", async () => {
  await server.git("branch", BRANCH, "main");
  await commitFiles(
    server.bare,
    BRANCH,
    { [`${SESSION}/.notes`]: "mine", [`${SESSION}/a.txt`]: "a" },
    "mine",
  );
  const work = await openWork();
  await symlink("a.txt", join(work.root, SESSION, "link"));
  await writeSession(work, "half", ".summary.json.tmp");
  await writeSession(work, "{}\n");
  await rm(join(work.root, SESSION, "a.txt"));
  await work.commit(SESSION, "x\n");
  await work.state.checkpoint("saved");
  expect(await server.git("diff", "--name-status", "main", `heads/${BRANCH}^{/^x}`)).toBe(
    `A\t${SESSION}/.notes\nA\t${SESSION}/summary.json`,
  );
});

test("a git child's environment has no token and no configuration of the machine", () => {
  const hostile = {
    PATH: "/bin",
    GITHUB_TOKEN: "t",
    GIT_CONFIG_GLOBAL: "x",
    GIT_SSH_COMMAND: "x",
    GIT_TRACE: "1",
    https_proxy: "p",
  };
  expect(gitEnvironment(hostile)).toEqual({ PATH: "/bin", https_proxy: "p" });
});

test("no git is looked for where a worktree keeps programs", () => {
  const PATH = "/work/node_modules/.bin:bin:.::/work/a/node_modules/.bin/:/usr/bin:/bin";
  expect(gitEnvironment({ PATH })).toEqual({ PATH: "/usr/bin:/bin" });
});

import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRepository } from "../../src/git/repository.ts";
import { pushRate } from "../../src/git/state-push.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";
import { bringSessions } from "../../src/work/carried.ts";
import { commitFiles, type GitServer, startGitServer } from "../fakes/git-http.ts";

let root: string;
let server: GitServer;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-bring-"));
  server = await startGitServer({
    root: join(root, "served"),
    repository: "o/r",
    token: "t",
    files: { "README.md": "x" },
  });
});
afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

function session(id: string, source: string, pipeline = "writing-kit", folder = "docs/") {
  const at = `${folder}.looplia/contentItem/${id}`;
  return {
    [`${at}/session.json`]: JSON.stringify({ version: 1, contentId: id, source, pipeline, steps: {} }),
    [`${at}/summary.json`]: `summary of ${id}`,
  };
}

test("brings sessions of the base whose source has none on the branch, and touches nothing else", async () => {
  await server.git("branch", "looplia/x", "main");
  const branch = await commitFiles(
    server.bare,
    "looplia/x",
    { ...session("a-branch", "content/a.md") },
    "branch",
  );
  const base = await commitFiles(
    server.bare,
    "main",
    {
      ...session("a-base", "content/a.md"),
      ...session("a-posts", "content/a.md", "social-posts"),
      ...session("b-base", "content/b.md"),
      "docs/.looplia/contentItem/torn/session.json": "{",
      "docs/.looplia/contentItem/torn/summary.json": "s",
    },
    "base",
  );
  const temporary = join(root, "clone");
  await mkdir(temporary);
  const repository = await openRepository({
    rate: pushRate(),
    temporary,
    remote: server.url,
    token: "t",
    environment: gitEnvironment(process.env),
  });
  await repository.fetchCommit(base, "main");
  await repository.fetchCommit(branch, "looplia/x");
  const state = await repository.openStateRef({
    ...{ ref: "refs/looplia/x", branch: "looplia/x", base, folder: join(root, "state"), run: "1.1" },
    seal: (whileSealed) => whileSealed(),
    auditHeads: () => new Map(),
    whenLost: () => {},
    whenConflict: async () => {},
    notice: () => {},
  });
  const work = await state.openWorktree();
  await bringSessions({ repository, base, branch, folder: "docs", root: work.root });
  const read = (id: string) =>
    readFile(join(work.root, `docs/.looplia/contentItem/${id}/summary.json`), "utf8");
  expect(await read("b-base")).toBe("summary of b-base");
  expect(await read("a-posts")).toBe("summary of a-posts");
  expect(await read("a-branch")).toBe("summary of a-branch");
  await expect(read("a-base")).rejects.toThrow(/ENOENT/);
  await expect(read("torn")).rejects.toThrow(/ENOENT/);
  expect(await work.commit("docs/.looplia/contentItem/a-branch", "x\n")).toBe(false);
});

test.each(["docs", "docs/.looplia", "docs/.looplia/contentItem", "docs/.looplia/contentItem/b-base"])(
  "nothing is written through a link that the branch has at %s",
  async (link) => {
    const base = await commitFiles(server.bare, "main", session("b-base", "content/b.md"), "base");
    const temporary = join(root, "clone");
    const outside = join(root, "outside");
    for (const folder of [temporary, outside, join(root, "worktree", dirname(link))]) {
      await mkdir(folder, { recursive: true });
    }
    await symlink(outside, join(root, "worktree", link));
    const repository = await openRepository({
      rate: pushRate(),
      temporary,
      remote: server.url,
      token: "t",
      environment: gitEnvironment(process.env),
    });
    await repository.fetchCommit(base, "main");
    const first = await server.git("rev-parse", `${base}~1`);
    await repository.fetchCommit(first, "main");
    const place = { repository, base, branch: first, folder: "docs", root: join(root, "worktree") };
    await expect(bringSessions(place)).rejects.toMatchObject({ code: "config-invalid" });
    expect(await readdir(outside)).toEqual([]);
  },
);

// Which works a remote has the state of.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRepository } from "../../src/git/repository.ts";
import { pushRate } from "../../src/git/state-push.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";

let root: string;
let remote: string;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
    cwd: remote,
    input: "",
    env: {
      PATH: process.env.PATH,
      GIT_COMMITTER_DATE: "2026-11-21T08:00:00Z",
      GIT_AUTHOR_DATE: "2026-11-21T08:00:00Z",
    },
  })
    .toString()
    .trim();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-works-"));
  remote = join(root, "remote.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function list(...prefixes: string[]) {
  const temporary = join(root, "runner");
  await mkdir(temporary, { recursive: true });
  const environment = gitEnvironment(process.env);
  const repository = await openRepository({
    rate: pushRate(),
    temporary,
    remote: `file://${remote}`,
    token: undefined,
    environment,
  });
  const works = await repository.storedWorks(prefixes);
  return { works: works.toSorted((a, b) => (a.workId < b.workId ? -1 : 1)), left: await readdir(temporary) };
}

test.each(["refs/looplia/", "refs/heads/looplia-state/"])(
  "%s: each with time and name of its newest checkpoint, letters, probes and other refs left out, nothing left behind",
  async (prefix) => {
    git("config", "uploadpack.allowFilter", "true");
    const tree = git("mktree");
    const commit = (message: string, ...parents: string[]) =>
      git("commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-m", message);
    const first = commit("chore: take the work");
    git("update-ref", `${prefix}writing-kit-aaaaaa`, commit("chore: give the work back\n\nNonce: 1", first));
    git("update-ref", `${prefix}tasks-bbbbbb-2`, first);
    git("update-ref", `${prefix}tasks-bbbbbb.letter-0011223344556677`, first);
    git("update-ref", `${prefix}probe-00112233aabb`, first);
    git("update-ref", `${prefix}probe-00112233aabb-2`, first);
    git("update-ref", `${prefix}deeper/than-a-work`, first);
    git("update-ref", "refs/other/writing-kit-cccccc", first);
    const { works, left } = await list(prefix);
    expect(works).toEqual([
      {
        workId: "tasks-bbbbbb-2",
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        at: "2026-11-21T08:00:00.000Z",
        message: "chore: take the work",
      },
      {
        workId: "writing-kit-aaaaaa",
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        at: "2026-11-21T08:00:00.000Z",
        message: "chore: give the work back",
      },
    ]);
    expect(left.sort()).toEqual(["home", "repository.git"]);
  },
);

test("under two prefixes: a work that has a state under both counts once, with the first", async () => {
  git("config", "uploadpack.allowFilter", "true");
  const tree = git("mktree");
  const commit = (message: string) => git("commit-tree", tree, "-m", message);
  git("update-ref", "refs/looplia-state/kit-aaaaaa", commit("new"));
  git("update-ref", "refs/looplia/kit-aaaaaa", commit("old"));
  git("update-ref", "refs/looplia/kit-bbbbbb", commit("old"));
  const { works } = await list("refs/looplia-state/", "refs/looplia/");
  expect(works.map(({ workId, message }) => `${workId} ${message}`)).toEqual([
    "kit-aaaaaa new",
    "kit-bbbbbb old",
  ]);
});

test("a remote without any", async () => {
  expect((await list("refs/looplia/")).works).toEqual([]);
});

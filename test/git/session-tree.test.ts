// Worktrees of sessions: what is unfinished there outlives the runner as trees in the state, and becomes part of one commit
// when the step ends.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hashContent } from "../../src/core/json.ts";
import { findUnknownKeys } from "../../src/entry/redact.ts";
import { commitFiles, startGitServer } from "../fakes/git-http.ts";
import { BRANCH, openRun, type Run, SESSION, STATE } from "../fakes/state-run.ts";

const FOLDER = ".looplia/contentItem";
/** By its full name: the state ref's is as short. */
const TIP = `refs/heads/${BRANCH}`;

async function begin(own: Record<string, string> = {}) {
  const root = await mkdtemp(join(tmpdir(), "looplia-session-tree-"));
  const files = { "a.txt": "a\n", "b.txt": "b\n", [`${FOLDER}/other/content.md`]: "other\n", ...own };
  const server = await startGitServer({ root: join(root, "served"), repository: "o/r", token: "t", files });
  const runs: Run[] = [];
  onTestFinished(async () => {
    await Promise.all(runs.map((run) => run.store.close()));
    await server.close();
    await rm(root, { recursive: true, force: true });
  });
  const next = async () => {
    const run = await openRun(root, {
      name: `${runs.length + 1}.1`,
      remote: server.bare,
      findKeys: findUnknownKeys,
    });
    runs.push(run);
    const worktree = await run.state.openWorktree();
    return { run, worktree, sessions: worktree.sessions([`${FOLDER}/`]) };
  };
  return { server, next, git: server.git };
}

async function endStep({ worktree }: Awaited<ReturnType<Awaited<ReturnType<typeof begin>>["next"]>>) {
  await mkdir(join(worktree.root, FOLDER, SESSION), { recursive: true });
  await writeFile(join(worktree.root, FOLDER, SESSION, "summary.json"), "{}\n");
  return worktree.commit(`${FOLDER}/${SESSION}`, "feat: a step\n");
}

test("unfinished files are on the next runner, though the branch they began at was rewritten and pruned", async () => {
  const { server, next, git } = await begin();
  const first = await next();
  const tree = await first.sessions.open(SESSION);
  expect(await readFile(join(tree.root, "a.txt"), "utf8")).toBe("a\n");
  // Folders of sessions are no part of it.
  await expect(readFile(join(tree.root, FOLDER, "other/content.md"))).rejects.toThrow("ENOENT");
  await writeFile(join(tree.root, "a.txt"), "a changed\n");
  await writeFile(join(tree.root, "new.txt"), "new\n");
  const kept = await tree.capture();
  tree.keep(kept);
  await writeFile(join(tree.root, "later.txt"), "of a call without a result\n");
  await first.run.claim();
  await tree.leave(true);
  expect(await git("ls-tree", "--name-only", `${STATE}:sessions/${SESSION}`)).toBe("base\nworktree");
  expect(JSON.parse(await git("show", `${STATE}:header.json`))).toMatchObject({ schemaVersion: 2 });
  expect(await git("ls-tree", "-r", "--name-only", TIP)).not.toContain("new.txt");

  await git("update-ref", TIP, await git("commit-tree", `${TIP}^{tree}`, "-m", "anew"));
  await git("reflog", "expire", "--expire=now", "--all");
  await git("gc", "-q", "--prune=now");
  await commitFiles(server.bare, BRANCH, { "b.txt": "b of a person\n" }, "edit");

  const second = await next();
  expect(second.sessions.isStored(SESSION)).toBe(true);
  const restored = await second.sessions.open(SESSION);
  // Their push reaches it only when it is asked for: the same tree as it was shown.
  expect(await restored.capture()).toBe(kept);
  await expect(readFile(join(restored.root, "later.txt"))).rejects.toThrow("ENOENT");
  expect(await readFile(join(restored.root, "b.txt"), "utf8")).toBe("b\n");
  await restored.refresh();
  expect(await readFile(join(restored.root, "b.txt"), "utf8")).toBe("b of a person\n");
  expect(await readFile(join(restored.root, "new.txt"), "utf8")).toBe("new\n");

  const before = await git("rev-parse", TIP);
  expect(await endStep(second)).toBe(true);
  await restored.leave(false);
  await second.run.state.checkpoint("end");
  expect(await git("rev-list", `${before}..${TIP}`)).toBe(await git("rev-parse", TIP));
  const changed = await git("diff", "--name-only", before, TIP);
  expect(changed.split("\n").sort()).toEqual(
    [`${FOLDER}/${SESSION}/summary.json`, "a.txt", "new.txt"].sort(),
  );
  // Nothing is unfinished any more.
  expect(await git("ls-tree", "-r", "--name-only", STATE)).not.toContain(`${SESSION}/worktree`);
});

test("where others changed the same lines, their version is kept, and people are told with both versions", async () => {
  const { next, git } = await begin();
  const at = await next();
  const [mine, other] = [await at.sessions.open(SESSION), await at.sessions.open("another-one")];
  for (const [tree, text] of [
    [mine, "mine\n"],
    [other, "of the other\n"],
  ] as const) {
    await writeFile(join(tree.root, "a.txt"), text);
    tree.keep(await tree.capture());
  }
  expect(await endStep(at)).toBe(true);
  await other.refresh();
  expect(await readFile(join(other.root, "a.txt"), "utf8")).toBe("of the other\n");
  await mkdir(join(at.worktree.root, FOLDER, "another-one"), { recursive: true });
  await at.worktree.commit(`${FOLDER}/another-one`, "feat: another step\n");
  await at.run.state.checkpoint("end");
  expect(at.run.conflicts).toMatchObject([
    { path: "a.txt", ours: expect.any(String), sha256: expect.any(String) },
  ]);
  expect(await git("show", `${TIP}:a.txt`)).toBe("mine");
  await other.refresh();
  expect(await readFile(join(other.root, "a.txt"), "utf8")).toBe("mine\n");
});

test("a text that an edit would leave is part of the tree, and what can't be stored is named", async () => {
  const { next } = await begin();
  const tree = await (await next()).sessions.open(SESSION);
  const before = await tree.capture();
  const planned = await tree.capture(new Map([["a.txt", "edited\n"]]));
  expect(planned).not.toBe(before);
  expect(await tree.capture()).toBe(before);
  await writeFile(join(tree.root, "a.txt"), "edited\n");
  expect(await tree.capture()).toBe(planned);
  await mkdir(join(tree.root, ".github/workflows"), { recursive: true });
  await writeFile(join(tree.root, ".github/workflows/run.yml"), "on: push\n");
  expect(await tree.capture()).toBe(planned);
  expect(tree.leftOut).toEqual([expect.stringContaining(".github/workflows/run.yml")]);
});

test("a file in which a command put a key is in the state and not on the branch, until the key is gone", async () => {
  const keyOf = (letters: string) => `ghp_${letters.repeat(9)}`;
  const known = `example: ${keyOf("Ab1C")}\n`;
  const { next, git } = await begin({ "known.txt": known });
  const at = await next();
  const tree = await at.sessions.open(SESSION);
  const write = (path: string, text: string) => writeFile(join(tree.root, path), text);
  const step = async () => {
    const kept = await tree.capture();
    tree.keep(kept);
    await endStep(at);
    await at.run.state.checkpoint("end");
    return kept;
  };
  await write("config.txt", `token=${keyOf("aB3d")}\n`);
  await write("a.txt", `a\n${keyOf("aB3d")}\n`);
  await write("known.txt", `${known}one more line\n`);
  await write("b.txt", "b changed\n");
  // A person allowed the call that brings this one: its request keeps the hash.
  await tree.newKeys([hashContent(keyOf("pA5s"))]);
  await write("allowed.txt", keyOf("pA5s"));
  const kept = await step();

  const changed = await git("diff", "--name-only", "main", TIP);
  const summary = `${FOLDER}/${SESSION}/summary.json`;
  expect(changed.split("\n").sort()).toEqual([summary, "allowed.txt", "b.txt", "known.txt"].sort());
  expect(await git("rev-parse", `${STATE}:sessions/${SESSION}/worktree`)).toBe(kept);
  expect(at.run.notices.sort()).toEqual([
    expect.stringMatching(/^a\.txt was left out of the branch: .*like a key \(github\)\. Remove the key/),
    expect.stringMatching(/^config\.txt was left out of the branch/),
  ]);

  const open = await tree.newKeys([]);
  expect(open.map(({ path }) => path).sort()).toEqual(["a.txt", "config.txt"]);
  await write("config.txt", "token=$TOKEN\n");
  await step();
  expect(await git("show", `${TIP}:config.txt`)).toBe("token=$TOKEN");
  expect(await git("show", `${TIP}:a.txt`)).toBe("a");
  expect(at.run.notices.length).toBe(2);

  await write("config.txt", `token=${keyOf("Zz9Y")}\n`);
  tree.keep(await tree.capture());
  expect((await tree.newKeys([])).map(({ path }) => path)).toContain("config.txt");
  const approved = hashContent(keyOf("Zz9Y"));
  expect((await tree.newKeys([approved])).map(({ path }) => path)).not.toContain("config.txt");
  await step();
  expect(await git("show", `${TIP}:config.txt`)).toBe(`token=${keyOf("Zz9Y")}`);
});

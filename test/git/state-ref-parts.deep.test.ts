// The parts of a checkpoint by themselves: the push of two refs, merges of trees, the pace of pushes.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commitTree, gitText, mergeTrees, readCommit } from "../../src/git/objects.ts";
import { createPushRate, pushTogether, readTips } from "../../src/git/state-push.ts";
import { createWaitingLine } from "../../src/git/state-ref.ts";
import { StateTree } from "../../src/git/state-tree.ts";
import { createGit, type Git, gitEnvironment } from "../../src/sandbox/git-process.ts";
import fc from "../fakes/properties.ts";

let root: string;
let remote: string;
let git: Git;
/** Ids of the texts that are in the repository. */
let blobs: Map<string, string>;

beforeEach(async () => {
  blobs = new Map();
  root = await mkdtemp(join(tmpdir(), "looplia-parts-"));
  remote = join(root, "remote.git");
  const folder = join(root, "clone.git");
  for (const bare of [remote, folder]) execFileSync("git", ["init", "-q", "--bare", bare]);
  git = createGit({ folder, home: root, remote, token: undefined, environment: gitEnvironment(process.env) });
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Id of a tree with these files. A text that stood in one before is not written again. */
async function treeOf(files: Readonly<Record<string, string>>): Promise<string> {
  const index = join(root, `index-${Math.random()}`);
  const lines: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const oid = blobs.get(text) ?? (await gitText(git, ["hash-object", "-w", "--stdin"], { input: text }));
    blobs.set(text, oid);
    lines.push(`100644 ${oid}\t${path}\n`);
  }
  await git(["update-index", "--add", "--index-info"], { index, input: lines.join("") });
  return gitText(git, ["write-tree"], { index });
}

describe("a push of both refs", () => {
  const ref = "refs/looplia/w-1";
  const branchRef = "refs/heads/looplia/w-1";
  const commitOn = async (parents: string[], text: string) =>
    commitTree(git, await treeOf({ text }), parents, text);
  const tips = () => readTips({ git, remote }, [ref, branchRef]);

  test("a forced, unrelated commit with the right lease is refused by the parent check", async () => {
    const first = await commitOn([], "first");
    const begun = { state: { ref, commit: first, expected: undefined } };
    expect(await pushTogether({ git, remote }, begun, () => {})).toEqual({ kind: "won" });
    const unrelated = await commitOn([], "unrelated");
    const grandchild = await commitOn([await commitOn([first], "child")], "grandchild");
    const merge = await commitOn([first, unrelated], "merge");
    for (const commit of [unrelated, grandchild, merge]) {
      const moves = { state: { ref, commit, expected: first } };
      await expect(pushTogether({ git, remote }, moves, () => {})).rejects.toMatchObject({
        code: "lost-race",
      });
    }
    // Git itself lets it through: the lease is right.
    const lease = `--force-with-lease=${ref}:${first}`;
    await git(["push", "-q", lease, "--", remote, `${unrelated}:${ref}`]);
    expect((await tips()).get(ref)).toBe(unrelated);
  });

  test("a commit with a parent creates no ref: it is expected where the parent is", async () => {
    const child = await commitOn([await commitOn([], "first")], "child");
    const moves = { state: { ref, commit: child, expected: undefined } };
    await expect(pushTogether({ git, remote }, moves, () => {})).rejects.toMatchObject({ code: "lost-race" });
    expect((await tips()).size).toBe(0);
  });

  test("the nonce is not decoration: two that made the same commit both win", async () => {
    const same = await commitOn([], "same");
    const moves = { state: { ref, commit: same, expected: undefined } };
    expect(await pushTogether({ git, remote }, moves, () => {})).toEqual({ kind: "won" });
    expect(await pushTogether({ git, remote }, moves, () => {})).toEqual({ kind: "won" });
  });

  test("neither moves where one has moved", async () => {
    const [state, branch] = [await commitOn([], "state"), await commitOn([], "branch")];
    await git(["push", "-q", "--", remote, `${branch}:${branchRef}`]);
    const moves = {
      state: { ref, commit: state, expected: undefined },
      branch: { ref: branchRef, commit: await commitOn([branch], "next"), expected: undefined },
    };
    expect(await pushTogether({ git, remote }, moves, () => {})).toEqual({ kind: "moved" });
    expect(await tips()).toEqual(new Map([[branchRef, branch]]));
  });

  test("a commit is read as it was made: parents, time and message", async () => {
    const parent = await commitOn([], "first");
    const commit = await commitTree(git, await treeOf({}), [parent], "subject\n\nRun: 1.1\n");
    expect(await readCommit(git, commit)).toMatchObject({
      parents: [parent],
      at: expect.stringMatching(/^2\d{3}-.*\.000Z$/),
      message: "subject\n\nRun: 1.1\n",
    });
  });
});

describe("the tree of a state folder", () => {
  test("has every file, also those of a checkpoint before it that git failed at", async () => {
    const folder = join(root, "state");
    await mkdir(join(folder, "work"), { recursive: true });
    await writeFile(join(folder, "work/000001.jsonl"), "one\n");
    let failures = 1;
    const write = async (...[args, call]: Parameters<Git>) => {
      if (args.includes("tree") && failures-- > 0) throw new Error("no room for another process");
      return git(args, call);
    };
    const tree = new StateTree(Object.assign(write, { ...git }), folder);
    await expect(tree.write()).rejects.toThrow("no room");
    await writeFile(join(folder, "work/000002.jsonl"), "two\n");
    const listed = await gitText(git, ["ls-tree", "-r", "--name-only", await tree.write()]);
    expect(listed.split("\n")).toEqual(["work/000001.jsonl", "work/000002.jsonl"]);
  });

  test("is read whole for 2,300 sessions with nine files each", async () => {
    const text = await gitText(git, ["hash-object", "-w", "--stdin"], { input: "{}\n" });
    const paths = ["header.json"];
    for (let number = 0; number < 2_300; number += 1) {
      const session = `sessions/item-${number}-${"long-name-".repeat(4)}2026-11-22-00ab12`;
      for (const store of ["events", "conversation", "audit"]) {
        for (const segment of [1, 2, 3]) paths.push(`${session}/${store}/00000${segment}.jsonl`);
      }
    }
    const input = paths.map((path) => `100644 ${text}\t${path}\0`).join("");
    const index = join(root, "many-index");
    await git(["update-index", "--add", "-z", "--index-info"], { index, input });
    const commit = await commitTree(git, await gitText(git, ["write-tree"], { index }), [], "many");
    const folder = join(root, "many");
    await mkdir(folder);
    const tree = new StateTree(git, folder);
    await tree.fill(commit);
    expect(await tree.write()).toBe(await gitText(git, ["rev-parse", `${commit}^{tree}`]));
  });
});

describe("a merge of trees", () => {
  async function merge(
    base: Record<string, string>,
    ours: Record<string, string>,
    theirs: Record<string, string>,
  ) {
    const trees = { base: await treeOf(base), ours: await treeOf(ours), theirs: await treeOf(theirs) };
    const { tree, conflicts } = await mergeTrees(git, root, trees);
    const files: Record<string, string> = {};
    for (const row of (await gitText(git, ["ls-tree", "-r", tree])).split("\n").filter(Boolean)) {
      const [, oid = "", path = ""] = /^\d+ blob (\w+)\t(.*)$/.exec(row) ?? [];
      files[path] = (await git(["cat-file", "blob", oid])).stdout.toString("utf8");
    }
    return { files, conflicts };
  }

  test("brings lines of both together, and lets their version is kept where both changed the same", async () => {
    const base = { a: "1\n2\n3\n4\n5\n", b: "x\n" };
    const both = await merge(
      base,
      { a: "I\n2\n3\n4\n5\n", b: "ours\n" },
      { a: "1\n2\n3\n4\nV\n", b: "theirs\n" },
    );
    expect(both).toEqual({ files: { a: "I\n2\n3\n4\nV\n", b: "theirs\n" }, conflicts: ["b"] });
  });

  test("a folder against a file: their version is kepts, whoever has which", async () => {
    expect((await merge({ a: "1" }, { "a/b": "ours" }, { a: "theirs" })).files).toEqual({ a: "theirs" });
    expect((await merge({ a: "1" }, { a: "ours" }, { "a/b": "theirs" })).files).toEqual({ "a/b": "theirs" });
    expect((await merge({}, { "a/b": "ours" }, { a: "theirs" })).files).toEqual({ a: "theirs" });
    expect((await merge({}, { a: "ours" }, { "a/b": "theirs" })).files).toEqual({ "a/b": "theirs" });
  });

  test("any three trees: what only one changed is as it made it; a conflict is theirs, byte for byte", async () => {
    const files = fc.dictionary(
      fc.constantFrom("a", "b", "c/d", "c/e", "f"),
      fc.constantFrom("1\n", "2\n", "\0"),
    );
    await fc.assert(
      fc.asyncProperty(files, files, files, async (base, ours, theirs) => {
        const merged = await merge(base, ours, theirs);
        for (const path of new Set([...Object.keys(base), ...Object.keys(ours), ...Object.keys(theirs)])) {
          const [was, our, their] = [base[path], ours[path], theirs[path]];
          const expected = our === was || our === their ? their : their === was ? our : their;
          expect(merged.files[path], path).toBe(expected);
          expect(merged.conflicts.includes(path)).toBe(our !== was && their !== was && our !== their);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("takes one process for each file that both changed, not four", async () => {
    const all = (text: string) => Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`f${at}`, text]));
    const trees = {
      base: await treeOf(all("1\n")),
      ours: await treeOf(all("2\n")),
      theirs: await treeOf(all("3\n")),
    };
    let calls = 0;
    const count = (...call: Parameters<Git>) => {
      calls += 1;
      return git(...call);
    };
    const { conflicts } = await mergeTrees(Object.assign(count, { ...git }), root, trees);
    expect(conflicts).toHaveLength(45);
    expect(calls).toBeLessThan(45 + 10);
  });

  test("leaves nothing behind", async () => {
    await mkdir(join(root, "passing"));
    const tree = await treeOf({ a: "1" });
    await mergeTrees(git, join(root, "passing"), { base: tree, ours: tree, theirs: tree });
    expect(execFileSync("ls", [join(root, "passing")]).toString()).toBe("");
  });
});

describe("the pace of pushes", () => {
  function paced(aMinute: number) {
    let now = 0;
    const sleep = async (ms: number) => {
      now += ms;
    };
    const said: string[] = [];
    const rate = createPushRate({ aMinute, elapsed: () => now, sleep, tell: (line) => said.push(line) });
    return { rate, said, now: () => now, pass: (ms: number) => (now += ms) };
  }
  const never = new Promise<void>(() => {});

  test("never more than six in any minute, however they are asked for", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30_000), { minLength: 7, maxLength: 30 }), async (pauses) => {
        const { rate, now, pass } = paced(6);
        const times: number[] = [];
        for (const pause of pauses) {
          pass(pause);
          await rate.turn(never);
          rate.count();
          times.push(now());
        }
        for (const [index, time] of times.slice(6).entries()) {
          expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(60_000);
        }
      }),
    );
  });

  test("the first six go at once; a wait of more than five seconds is said", async () => {
    const { rate, said, now, pass } = paced(6);
    for (let pushes = 0; pushes < 6; pushes += 1) {
      await rate.turn(never);
      rate.count();
    }
    expect([now(), said]).toEqual([0, []]);
    pass(2_000);
    await rate.turn(never);
    expect([now(), said]).toEqual([
      60_000,
      ["The next save waits 58 s: a repository gets at most 6 pushes in a minute."],
    ]);
    rate.count();
    await rate.turn(never);
    expect(said).toHaveLength(1);
  });

  test("those that can wait leave room for those that can't", () => {
    const { rate, pass } = paced(6);
    expect(rate.untilSoft()).toBe(0);
    rate.count();
    rate.count();
    expect(rate.untilSoft()).toBe(0);
    rate.count();
    expect(rate.untilSoft()).toBe(20_000);
    pass(15_000);
    expect(rate.untilSoft()).toBe(5_000);
  });

  test("what is urgent does not wait", async () => {
    const rate = createPushRate({ aMinute: 1, elapsed: () => 0, sleep: () => never });
    rate.count();
    await rate.turn(Promise.resolve());
  });
});

describe("what waits for its turn", () => {
  test("is joined by others of its kind until it begins, and those of another kind come after", async () => {
    const line = createWaitingLine<string>();
    const did: string[] = [];
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const ask = (want: string, kind = "both") =>
      line.join(want, kind, false, async (ticket) => {
        await begun;
        const said = ticket.close();
        did.push(said);
        return said;
      });
    const asked = [ask("a"), ask("b"), ask("a"), ask("c", "state"), ask("d")];
    begin();
    expect(await Promise.all(asked)).toEqual(["a, b", "a, b", "a, b", "c", "d"]);
    expect(await ask("e")).toBe("e");
    expect(did).toEqual(["a, b", "c", "d", "e"]);
  });

  test("one that fails fails for those who joined it, and for nobody later", async () => {
    const line = createWaitingLine<string>();
    const fails = () =>
      line.join("x", "both", false, async () => {
        throw new Error("no");
      });
    expect((await Promise.allSettled([fails(), fails()])).map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
    ]);
    expect(await line.join("y", "both", false, async (ticket) => ticket.close())).toBe("y");
  });
});

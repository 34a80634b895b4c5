// A checkpoint moves state ref and branch together or not at all, whoever else is at it. Real git, over HTTP.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { foldWork } from "../../src/core/work-state.ts";
import { readWork } from "../../src/store/scan.ts";
import { commitFiles } from "../fakes/git-http.ts";
import {
  begin,
  claimedBy,
  filesOf,
  gitThat,
  HEAD,
  openWork,
  root,
  server,
  stateNow,
  tipOf,
  useStateRefs,
} from "../fakes/state-ref-world.ts";
import { BRANCH, STATE } from "../fakes/state-run.ts";

useStateRefs("over HTTP");

describe("races", () => {
  test("two claim at once: one has it, the other gives way and writes nothing more", async () => {
    await openWork();
    const [one, two] = [await begin("2.1"), await begin("3.1")];
    const ended = await Promise.allSettled([one.claim(), two.claim()]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [winner, loser] = ended[0]?.status === "fulfilled" ? [one, two] : [two, one];
    expect(loser.lost).toMatchObject([{ code: "lost-race", hint: expect.stringContaining("concurrency") }]);
    expect([winner.state.isOurs, loser.state.isOurs]).toEqual([true, false]);
    const before = await stateNow();
    await expect(loser.state.checkpoint("more", { isWhole: true })).rejects.toMatchObject({
      code: "lost-race",
    });
    loser.state.checkpointSoon("more");
    expect(await stateNow()).toEqual(before);
    expect(await claimedBy(await begin("4.1"))).toBe(winner.name);
    expect(loser.lost).toHaveLength(1);
  });

  test.each(["a new work", "a work that is open"])("eight claim %s: one wins", async (what) => {
    if (what !== "a new work") await openWork();
    const eight = await Promise.all(["11", "12", "13", "14", "15", "16", "17", "18"].map((id) => begin(id)));
    const ended = await Promise.allSettled(eight.map((run) => run.claim()));
    const won = eight.filter((_, index) => ended[index]?.status === "fulfilled");
    expect(won).toHaveLength(1);
    for (const one of ended) {
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "lost-race" });
    }
    expect(await claimedBy(await begin("20"))).toBe(won[0]?.name);
  });

  test("the acknowledgement is lost: the tip is mine, so it is won", async () => {
    await openWork();
    const run = await begin("2.1");
    let pushes = 0;
    server.afterPush = () => ++pushes === 1;
    await run.claim();
    expect(run.state.isOurs).toBe(true);
    expect(run.state.last?.commit).toBe(await tipOf(STATE));
    expect(await server.git("rev-list", "--count", STATE)).toBe("3");
  });

  test("the acknowledgement is lost and another went on meanwhile: it gives way", async () => {
    await openWork();
    const [run, other] = [await begin("2.1"), await begin("3.1")];
    server.beforePush = async () => {
      server.beforePush = undefined;
      await other.claim();
      return 502;
    };
    await expect(run.claim()).rejects.toMatchObject({ code: "lost-race" });
  });

  test("a zombie wakes up: its lease fails before anything is changed", async () => {
    await openWork();
    const zombie = await begin("2.1");
    await zombie.claim();
    const next = await begin("3.1");
    await next.claim();
    const { root: folder } = await zombie.state.openWorktree();
    await writeFile(join(folder, "a.md"), "of the zombie");
    const before = await stateNow();
    await expect(zombie.state.checkpoint("secure")).rejects.toMatchObject({ code: "lost-race" });
    expect(await stateNow()).toEqual(before);
  });

  test("a person pushes in between: it is merged, here too, and both refs move", async () => {
    await openWork();
    const run = await begin("2.1");
    await run.claim();
    const { root: folder } = await run.state.openWorktree();
    await writeFile(join(folder, "a.md"), "one\ntwo\nTHREE\n");
    await writeFile(join(folder, "late.md"), "of the run\n");
    await commitFiles(server.bare, BRANCH, { "a.md": "ONE\ntwo\nthree\n", "b.md": null, "p.md": "p\n" }, "p");
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "2.1" } }]);
    const checkpoint = await run.state.checkpoint("release", { isWhole: true });
    expect(run.conflicts).toEqual([]);
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("ONE\ntwo\nTHREE");
    expect(await filesOf(HEAD)).toEqual([".gitignore", "a.md", "late.md", "p.md", "tool.sh"]);
    expect(await readFile(join(folder, "a.md"), "utf8")).toBe("ONE\ntwo\nTHREE\n");
    expect(await readFile(join(folder, "p.md"), "utf8")).toBe("p\n");
    expect(existsSync(join(folder, "b.md"))).toBe(false);
    expect(checkpoint.work).toBe(await tipOf(HEAD));
    expect(await server.git("log", "--format=%an", "--no-merges", `main..${HEAD}`)).toContain("A Person");
    await writeFile(join(folder, "late.md"), "again\n");
    await run.state.checkpoint("more", { isWhole: true });
    expect(await filesOf(HEAD)).toContain("p.md");
  });

  test.each([
    ["the merge", "*read-tree*--aggressive*", 1],
    ["writing the files", "*checkout-index*", 5],
  ])(
    "git fails at %s of what a person pushed: the next checkpoint brings it, and nothing gets lost",
    async (_, call, times) => {
      const count = `echo x >> "${root}/failed"; [ $(wc -l < "${root}/failed") -gt ${times} ] || exit 1`;
      const run = await begin("7.1", { environment: await gitThat(`\n${call}) ${count} ;;`) });
      await run.claim();
      const { root: folder } = await run.state.openWorktree();
      await writeFile(join(folder, "late.md"), "of the run\n");
      await commitFiles(
        server.bare,
        BRANCH,
        { "a.md": "ONE\ntwo\nthree\n", "b.md": null, "p.md": "p\n" },
        "p",
      );
      await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
      await expect(run.state.checkpoint("release", { isWhole: true })).rejects.toMatchObject({
        code: "host-failed",
      });
      await run.state.checkpoint("again", { isWhole: true });
      expect(await filesOf(HEAD)).toEqual([".gitignore", "a.md", "late.md", "p.md", "tool.sh"]);
      expect(await server.git("show", `${HEAD}:a.md`)).toBe("ONE\ntwo\nthree");
      expect(await server.git("log", "--format=%an", `main..${HEAD}`)).toContain("A Person");
      expect(await readFile(join(folder, "p.md"), "utf8")).toBe("p\n");
      expect(run.conflicts).toEqual([]);
    },
  );

  test("what is written while a person's push is fetched is merged, not replaced", async () => {
    const run = await begin("7.1");
    await run.claim();
    const { root: folder } = await run.state.openWorktree();
    const { store } = run;
    const seal = store.seal.bind(store);
    Object.assign(store, {
      async seal(whileSealed: () => Promise<void>) {
        await seal(whileSealed);
        Object.assign(store, { seal });
        await writeFile(join(folder, "a.md"), "one\ntwo\nTHREE\n");
      },
    });
    await commitFiles(server.bare, BRANCH, { "a.md": "ONE\ntwo\nthree\n" }, "p");
    await store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    await run.state.checkpoint("release", { isWhole: true });
    expect(run.conflicts).toEqual([]);
    expect(await readFile(join(folder, "a.md"), "utf8")).toBe("ONE\ntwo\nTHREE\n");
  });

  test("what stood in a file when it was held is committed, so a push of other lines is no conflict", async () => {
    const run = await begin("7.1");
    await run.claim();
    const worktree = await run.state.openWorktree();
    await writeFile(join(worktree.root, "a.md"), "one\ntwo\nTHREE\n");
    const held = worktree.hold("a.md");
    await commitFiles(server.bare, BRANCH, { "a.md": "ONE\ntwo\nthree\n" }, "mine");
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    await run.state.checkpoint("save", { isWhole: true });
    expect(run.conflicts).toEqual([]);
    expect(held.brought()).toEqual({ bytes: Buffer.from("ONE\ntwo\nTHREE\n") });
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("ONE\ntwo\nTHREE");
    held.release();
  });

  test("a file that is held stays in the commits though a link takes the place of its folder", async () => {
    const run = await begin("7.1");
    await run.claim();
    const worktree = await run.state.openWorktree();
    const folder = join(worktree.root, "lists");
    await mkdir(folder);
    await writeFile(join(folder, "to-do.json"), "before\n");
    await run.state.checkpoint("save", { isWhole: true });
    const held = worktree.hold("lists/to-do.json");
    await rename(folder, join(worktree.root, "moved"));
    await symlink("moved", folder);
    await run.state.checkpoint("save", { isWhole: true });
    expect(await server.git("ls-tree", "-r", "--name-only", HEAD, "lists", "moved")).toBe(
      "lists/to-do.json\nmoved/to-do.json",
    );
    expect(await server.git("show", `${HEAD}:lists/to-do.json`)).toBe("before");
    held.release();
  });

  test("a file that is held is committed as it was until it is released, and what a person pushes of it stands", async () => {
    const run = await begin("7.1");
    await run.claim();
    const worktree = await run.state.openWorktree();
    const held = worktree.hold("a.md");
    await writeFile(join(worktree.root, "a.md"), "an agent's\n");
    await writeFile(join(worktree.root, "b.md"), "b2\n");
    await run.state.checkpoint("save", { isWhole: true });
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("one\ntwo\nthree");
    expect(await server.git("show", `${HEAD}:b.md`)).toBe("b2");
    expect(held.brought()).toBe(undefined);
    await commitFiles(server.bare, BRANCH, { "a.md": "theirs\n" }, "mine");
    await writeFile(join(worktree.root, "b.md"), "b3\n");
    await run.state.checkpoint("save", { isWhole: true });
    expect(held.brought()).toEqual({ bytes: Buffer.from("theirs\n") });
    expect(await readFile(join(worktree.root, "a.md"), "utf8")).toBe("theirs\n");
    held.release();
    await writeFile(join(worktree.root, "a.md"), "ours\n");
    await run.state.checkpoint("save", { isWhole: true });
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("ours");
  });

  test("a person pushes before there is a worktree, or while nobody is at work: theirs is where it goes on", async () => {
    await openWork();
    await commitFiles(server.bare, BRANCH, { "p.md": "p\n" }, "while nobody is at work");
    const run = await begin("2.1");
    await commitFiles(server.bare, BRANCH, { "q.md": "q\n" }, "just before the claim");
    await run.claim();
    expect(run.state.last?.work).toBe(await tipOf(HEAD));
    expect(await server.git("log", "-2", "--format=%s", HEAD)).toBe(
      "just before the claim\nwhile nobody is at work",
    );
    const { root: folder } = await run.state.openWorktree();
    expect(await readFile(join(folder, "q.md"), "utf8")).toBe("q\n");
  });

  test.each([
    ["the same lines", { "a.md": "theirs\n" }, "theirs"],
    ["a file that the run changed was removed", { "a.md": null }, undefined],
    ["a folder where the run changed a file", { "a.md": null, "a.md/in.md": "theirs\n" }, undefined],
  ])(
    "a person's push conflicts (%s): their version is kepts, and is told, on record in the same checkpoint",
    async (_, files, text) => {
      await openWork();
      const run = await begin("2.1");
      await run.claim();
      const { root: folder } = await run.state.openWorktree();
      await writeFile(join(folder, "a.md"), "ours\n");
      await writeFile(join(folder, "ours.md"), "ours\n");
      await commitFiles(server.bare, BRANCH, { "a.md": null }, "away");
      if (text !== undefined || "a.md/in.md" in files)
        await commitFiles(server.bare, BRANCH, files, "theirs");
      run.state.checkpointSoon("pause");
      await expect.poll(() => run.conflicts.length).toBeGreaterThan(0);
      await run.state.checkpoint("nothing new", { isWhole: true });
      const hashOf = (of: string) => createHash("sha256").update(`${of}\n`).digest("hex");
      const sides = { ...(text === undefined ? {} : { sha256: hashOf(text) }), ours: hashOf("ours") };
      expect(run.conflicts).toContainEqual({
        path: "a.md",
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        ...sides,
      });
      const next = await begin("3.1");
      expect(foldWork((await readWork(next.folder)).events).conflicts).toEqual(run.conflicts);
      expect(await server.git("show", `${HEAD}:ours.md`)).toBe("ours");
      expect(await server.git("ls-tree", "-r", "--name-only", HEAD, "a.md")).toBe(
        text !== undefined ? "a.md" : "a.md/in.md" in files ? "a.md/in.md" : "",
      );
      if (text !== undefined) expect(await readFile(join(folder, "a.md"), "utf8")).toBe("theirs\n");
    },
  );

  test("a person rewrote the branch: what the run has is brought to theirs", async () => {
    await openWork();
    const run = await begin("2.1");
    await run.claim();
    const { root: folder } = await run.state.openWorktree();
    await writeFile(join(folder, "ours.md"), "ours\n");
    await server.git("update-ref", HEAD, "refs/heads/main");
    await commitFiles(server.bare, BRANCH, { "p.md": "p\n" }, "rewritten");
    const checkpoint = await run.state.checkpoint("pause", { isWhole: true });
    expect(checkpoint.work).toBe(await tipOf(HEAD));
    expect(await filesOf(HEAD)).toEqual([".gitignore", "a.md", "b.md", "ours.md", "p.md", "tool.sh"]);
  });

  test("the branch is deleted: closed, it is not brought back, and only the state can still be told so", async () => {
    await openWork();
    const run = await begin("2.1");
    await run.claim();
    await server.git("update-ref", "-d", HEAD);
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "2.1" } }]);
    await expect(run.state.checkpoint("release", { isWhole: true })).rejects.toMatchObject({
      code: "closed",
    });
    expect(run.lost).toMatchObject([{ code: "closed" }]);
    await run.store.appendWorkEvents([{ type: "WorkClosed", payload: { reason: "branch deleted" } }]);
    await run.state.checkpoint("close", { stateOnly: true });
    expect(await tipOf(HEAD)).toBeUndefined();
    const later = await begin("3.1");
    expect(foldWork((await readWork(later.folder)).events).closed).toEqual({ reason: "branch deleted" });
    expect(later.state.branchTip).toBeUndefined();
    await expect(later.claim()).rejects.toMatchObject({ code: "closed" });
  });
});

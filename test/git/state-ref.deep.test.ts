// A checkpoint moves state ref and branch together or not at all, whoever else is at it. Real git, over HTTP.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { foldWork } from "../../src/core/work-state.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";
import { readWork } from "../../src/store/scan.ts";
import { commitFiles, type GitServer, startGitServer } from "../fakes/git-http.ts";
import { BRANCH, openRun, type Run, SESSION, STATE } from "../fakes/state-run.ts";
import { eventLine, lineOf } from "../fakes/store-lines.ts";

const TOKEN = "ghs_canaryTokenCanaryToken";
/** The state ref without its prefix has the same name: git would take that one. */
const HEAD = `refs/heads/${BRANCH}`;
let root: string;
let server: GitServer;
let runs: Run[];

beforeEach(async () => {
  runs = [];
  root = await mkdtemp(join(tmpdir(), "looplia-state-ref-"));
  const files = { "a.md": "one\ntwo\nthree\n", "b.md": "b\n", ".gitignore": "ignored/\n", "tool.sh": "x" };
  server = await startGitServer({
    root: join(root, "served"),
    repository: "owner/repo",
    token: TOKEN,
    files,
  });
});
afterEach(async () => {
  for (const run of runs) await run.store.close();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

async function begin(name: string, options: Partial<Parameters<typeof openRun>[1]> = {}): Promise<Run> {
  const run = await openRun(root, { name, remote: server.url, token: TOKEN, ...options });
  runs.push(run);
  return run;
}

/** A run that has opened the work, ended, and left it to the next. */
async function openWork(): Promise<Run> {
  const run = await begin("1.1");
  await run.claim();
  await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "1.1" } }]);
  await run.state.checkpoint("release");
  return run;
}

/** The environment of a git before which a shell looks at the words of each call: `cases` of a `case` statement. */
async function gitThat(cases: string): Promise<Record<string, string>> {
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const program = `#!/bin/sh\nreal=${real}\ncase "$*" in${cases}\nesac\nexec "$real" "$@"\n`;
  await mkdir(join(root, "bin"));
  await writeFile(join(root, "bin/git"), program, { mode: 0o755 });
  return gitEnvironment({ ...process.env, PATH: `${join(root, "bin")}:${process.env.PATH}` });
}

const tipOf = (ref: string) => server.git("rev-parse", "--verify", "-q", ref).catch(() => undefined);
const stateNow = async () => ({ state: await tipOf(STATE), branch: await tipOf(HEAD) });
const filesOf = async (commit: string) =>
  (await server.git("ls-tree", "-r", "--name-only", commit)).split("\n");
const claimedBy = async (run: Run) => foldWork((await readWork(run.folder)).events).claim?.run;

describe("a checkpoint", () => {
  test("of a new work makes both refs: an orphan with trailers, and a branch with an empty commit", async () => {
    const run = await begin("7.1");
    expect(run.state.last).toBeUndefined();
    expect(run.state.isOurs).toBe(false);
    await run.claim();
    expect(run.state.isOurs).toBe(true);
    const { state, branch } = await stateNow();
    expect(run.state.last).toMatchObject({ commit: state, work: branch, run: "7.1" });
    expect(run.state.branchTip).toBe(branch);
    expect(await server.git("log", "--format=%P", STATE)).toBe("");
    expect(await server.git("log", "-1", "--format=%B", STATE)).toMatch(
      new RegExp(`^claim\n\nWork: ${branch}\nRun: 7\\.1\nNonce: [0-9a-f]{32}$`),
    );
    expect(await server.git("log", "--format=%s", `main..${HEAD}`)).toBe("chore: begin");
    expect(await server.git("diff", "--stat", "main", HEAD)).toBe("");
    expect(await filesOf(STATE)).toEqual(["header.json", "work/000001.jsonl"]);
  });

  test("is a child of the one before, and another run goes on from it with all that the stores had", async () => {
    const first = await begin("7.1");
    await first.claim();
    const session = await first.store.session(SESSION);
    const frozen = await session.freeze("the system prompt");
    const lines = [lineOf("audit", "x"), lineOf("conversation", "hello"), eventLine("a")];
    await session.append(lines);
    await mkdir(join(first.folder, "logs"), { recursive: true });
    await writeFile(join(first.folder, "logs", "20261121T090000-7.jsonl"), "{}\n");
    const checkpoint = await first.state.checkpoint("end of step");
    // Logs are derived and stay out, and so does what only this machine needs.
    expect((await filesOf(STATE)).map((path) => path.replace(/\/[^/]*$/, "")).toSorted()).toEqual([
      "frozen",
      "header.json",
      ...["audit", "conversation", "events"].map((store) => `sessions/${SESSION}/${store}`),
      "work",
    ]);
    expect(first.conflicts).toEqual([]);
    expect(await server.git("rev-list", "--count", STATE)).toBe("2");
    expect(await server.git("rev-parse", `${STATE}^0`)).toBe(checkpoint.commit);
    const second = await begin("8.1");
    expect(second.state.last).toEqual(checkpoint);
    expect(second.state.isOurs).toBe(false);
    const reopened = await second.store.session(SESSION);
    const loaded = await reopened.load();
    expect(loaded).toMatchObject({ events: [lines[2]], conversation: [lines[1]], setAside: [] });
    expect(await reopened.readFrozen(frozen)).toBe("the system prompt");
    expect(await second.store.workEvents()).toEqual(await first.store.workEvents());
  });

  test("never changes a file of an earlier one", async () => {
    const run = await begin("7.1");
    const session = await run.store.session(SESSION);
    for (const text of ["1", "2", "3", "4"]) {
      await session.append([lineOf("audit", text), lineOf("conversation", text), eventLine(text)]);
      await run.state.checkpoint(text);
    }
    const commits = (await server.git("rev-list", "--reverse", STATE)).split("\n");
    expect(commits).toHaveLength(4);
    const blobs = await Promise.all(commits.map((commit) => server.git("ls-tree", "-r", commit)));
    for (const [index, listed] of blobs.slice(1).entries()) {
      for (const row of (blobs[index] ?? "").split("\n")) expect(listed.split("\n")).toContain(row);
    }
    expect((await filesOf(STATE)).filter((path) => path.includes("/events/"))).toHaveLength(4);
  });

  test("names where each audit log stands that this run has opened, as the checkpoint's own tree has it", async () => {
    const first = await begin("7.1");
    const session = await first.store.session(SESSION);
    await first.claim();
    const trailers = () => server.git("log", "-1", "--format=%(trailers:key=Audit,valueonly)", STATE);
    expect(await trailers()).toBe("");
    await session.append([lineOf("audit", "one"), eventLine("a"), lineOf("audit", "two")]);
    // One that comes while the stores are sealed is in the next.
    const seal = first.store.seal.bind(first.store);
    let late: Promise<void> | undefined;
    first.store.seal = (whileSealed) =>
      seal(async () => {
        late ??= session.append([lineOf("audit", "three")]);
        await whileSealed?.();
      });
    await first.state.checkpoint("two lines");
    const two = (await trailers()).trim();
    await late;
    const second = await begin("8.1");
    const stored = (await readWork(second.folder)).sessions.get(SESSION)?.auditHead;
    expect(stored?.count).toBe(2);
    expect(two).toBe(`${SESSION} 2 ${stored?.hash}`);
    await session.close();
    await first.state.checkpoint("three lines");
    expect((await trailers()).trim()).toMatch(new RegExp(`^${SESSION} 3 [0-9a-f]{64}$`));
    // Who goes on from it reads it like any other.
    const third = await begin("9.1");
    expect(third.state.last).toEqual(first.state.last);
    await third.store.session(SESSION);
    await third.claim();
    expect((await trailers()).trim()).toMatch(new RegExp(`^${SESSION} 3 `));
  });

  test("where nothing is new is no push; what is asked for at once is one", async () => {
    const run = await begin("7.1");
    await run.claim();
    const pushes = () => server.requests.filter(({ path }) => path.endsWith("/git-receive-pack")).length;
    const before = pushes();
    expect(await run.state.checkpoint("again")).toEqual(run.state.last);
    expect(pushes()).toBe(before);
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    await Promise.all(["one", "two", "two", "three"].map((why) => run.state.checkpoint(why)));
    expect(pushes()).toBeLessThanOrEqual(before + 2);
    expect(await server.git("log", "-1", "--format=%s", STATE)).toMatch(/one|two, three/);
  });

  test("soon: several are one, and it comes by itself", async () => {
    const run = await begin("7.1", { pushesAMinute: 1_000_000 });
    await run.claim();
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    for (const why of ["task", "other task"]) run.state.checkpointSoon(why);
    const subject = () => server.git("log", "-1", "--format=%s", STATE);
    await expect.poll(subject).toBe("task");
    expect(await server.git("rev-list", "--count", STATE)).toBe("2");
  });

  test("waits for its turn among so many a minute; one that is urgent does not", async () => {
    const run = await begin("7.1", { pushesAMinute: 1 });
    await run.claim();
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    const waiting = run.state.checkpoint("pause");
    const first = await Promise.race([
      waiting.then(() => "pushed"),
      new Promise((done) => setTimeout(done, 300, "waits")),
    ]);
    expect(first).toBe("waits");
    const urgent = await run.state.checkpoint("release", { isUrgent: true });
    expect(await waiting).toEqual(urgent);
    expect(await server.git("log", "-1", "--format=%s", STATE)).toBe("pause, release");
  });

  test("keeps the effect with its record: what is in the worktree at that moment is on the branch", async () => {
    const run = await begin("7.1");
    const { root: folder } = await run.state.openWorktree();
    const session = await run.store.session(SESSION);
    await writeFile(join(folder, "a.md"), "edited\n");
    await session.append([eventLine("edited")]);
    await run.state.checkpoint("pause");
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("edited");
    expect(await server.git("log", "--format=%s", `main..${HEAD}`)).toBe("chore: save work in progress");
    expect(run.state.last?.work).toBe(await tipOf(HEAD));
    const next = await begin("8.1");
    const worktree = await next.state.openWorktree();
    expect(await readFile(join(worktree.root, "a.md"), "utf8")).toBe("edited\n");
  });
});

describe("what of the worktree is committed", () => {
  async function save(change: (folder: string) => Promise<void>): Promise<Run> {
    const run = await begin("7.1");
    const { root: folder } = await run.state.openWorktree();
    await change(folder);
    await run.state.checkpoint("save");
    return run;
  }
  const put = async (folder: string, path: string, text = "x") => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const changes = async () => (await server.git("diff", "--name-status", "main", HEAD)).split("\n");

  test("new, changed and removed files, links as links, what may run as such; nothing that git ignores", async () => {
    await save(async (folder) => {
      await put(folder, "deep/new.md");
      await put(folder, "ignored/cache");
      await put(folder, ".looplia/state/secret.json");
      await put(folder, "deep/.looplia/state/secret.json");
      await put(folder, ".looplia-write-0123456789ab-1-00000000");
      await rm(join(folder, "b.md"));
      await symlink("/etc/passwd", join(folder, "link"));
      await chmod(join(folder, "tool.sh"), 0o755);
    });
    expect(await changes()).toEqual(["D\tb.md", "A\tdeep/new.md", "A\tlink", "M\ttool.sh"]);
    expect(await server.git("ls-tree", HEAD, "link", "tool.sh")).toMatch(/^120000.*\n100755/);
    expect(await server.git("show", `${HEAD}:link`)).toBe("/etc/passwd");
  });

  test("a folder where a file was, and the other way round", async () => {
    await save(async (folder) => {
      await rm(join(folder, "a.md"));
      await put(folder, "a.md/inside.md");
    });
    expect(await changes()).toEqual(["D\ta.md", "A\ta.md/inside.md"]);
  });

  test("repositories inside, workflows and names that are no text are left out, and told once; what a repository inside is set to runs nothing", async () => {
    const marker = join(root, "ran");
    const run = await save(async (folder) => {
      await put(folder, ".github/workflows/ci.yml", "on: push\n");
      await put(folder, "ok.md");
      execFileSync("git", ["init", "-q", join(folder, "nested")]);
      await put(folder, "nested/inside.md");
      await put(folder, "nested/.gitattributes", "* filter=evil\n");
      const drivers = `[filter "evil"]\n\tclean = touch ${marker}\n\trequired = true\n[core]\n\tfsmonitor = touch ${marker}\n`;
      await writeFile(join(folder, "nested/.git/config"), drivers, { flag: "a" });
      for (const hook of ["post-index-change", "pre-commit", "reference-transaction"]) {
        await put(folder, `nested/.git/hooks/${hook}`, `#!/bin/sh\ntouch ${marker}\n`);
        await chmod(join(folder, `nested/.git/hooks/${hook}`), 0o755);
      }
      const environment = { PATH: process.env.PATH ?? "" };
      await (await openWorkspace(folder, { environment, systemTemp: root })).snapshot();
      await writeFile(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])]), "x");
    });
    expect(await changes()).toEqual(["A\tok.md"]);
    expect(run.notices.sort()).toEqual([
      ".github/workflows/ci.yml was left out: the job's token may not change workflows",
      "bad\ufffd was left out: its name is not UTF-8",
      "nested/ was left out: it is a repository of its own",
    ]);
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    await run.state.checkpoint("again");
    expect(run.notices).toHaveLength(3);
    expect(existsSync(marker)).toBe(false);
  });

  test("what .git in the worktree says is never read: no filter, hook or driver of it runs", async () => {
    const marker = join(root, "ran");
    await save(async (folder) => {
      const hostile = join(root, "hostile");
      execFileSync("git", ["init", "-q", hostile]);
      const drivers = `[filter "evil"]\n\tclean = touch ${marker}\n\tsmudge = touch ${marker}\n\trequired = true\n[core]\n\tfsmonitor = touch ${marker}\n`;
      await writeFile(join(hostile, ".git/config"), drivers, { flag: "a" });
      await put(join(hostile, ".git"), "info/attributes", "* filter=evil\n");
      await writeFile(join(folder, ".git"), `gitdir: ${hostile}/.git\n`);
      await put(folder, ".gitattributes", "* filter=evil text eol=crlf ident working-tree-encoding=UTF-16\n");
      await put(folder, "a.md", "one\r\n$Id$\n");
    });
    expect(existsSync(marker)).toBe(false);
    expect(await server.git("cat-file", "-s", `${HEAD}:a.md`)).toBe("10");
  });

  test("what a command gave to git itself is committed like all else, whatever a killed one left there", async () => {
    let folder = "";
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
    const run = await save(async (root) => {
      folder = root;
      await put(folder, "added.md");
      git("add", "-A");
      await put(folder, "committed.md");
      git("add", "-A");
      git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "by an agent");
      await writeFile(git("rev-parse", "--git-path", "index.lock").trim(), "");
    });
    expect(await changes()).toEqual(["A\tadded.md", "A\tcommitted.md"]);
    expect(await server.git("log", "--format=%s", `main..${HEAD}`)).toBe("chore: save work in progress");
    await rm(git("rev-parse", "--git-path", "index.lock").trim());
    expect(git("status", "--porcelain")).toBe("");
    await put(folder, "added.md", "again");
    await run.state.checkpoint("more");
    expect(await server.git("show", `${HEAD}:added.md`)).toBe("again");
    expect(git("status", "--porcelain")).toBe("");
  });

  test("a file that is cut short while git reads it, which kills git, stays out; all others are committed", async () => {
    const environment = await gitThat(`
*ls-files*--modified*)
  if mkdir "${root}/listed" 2>/dev/null; then kill -BUS $$; fi ;;
*update-index*--stdin*)
  cat > "${root}/asked"
  if grep -aq cut.bin "${root}/asked"; then : > "$GIT_INDEX_FILE.lock"; kill -BUS $$; fi
  exec "$real" "$@" < "${root}/asked" ;;`);
    const run = await begin("7.1", { environment });
    const { root: folder } = await run.state.openWorktree();
    for (const path of ["a.md", "cut.bin", "new.md", "z.md"]) await put(folder, path, "changed");
    await run.state.checkpoint("save");
    expect(await changes()).toEqual(["M\ta.md", "A\tnew.md", "A\tz.md"]);
    expect(run.notices).toEqual(["cut.bin could not be read, so it stays as it was committed"]);
  });

  test("a task's commit has its session and what it changed outside, not another's half-done folder", async () => {
    const run = await begin("7.1");
    const worktree = await run.state.openWorktree();
    const own = `.looplia/contentItem/${SESSION}`;
    await put(worktree.root, `${own}/summary.json`, "{}\n");
    await put(worktree.root, ".looplia/contentItem/another-2026-11-21-0a1b2c/summary.json", "half");
    await put(worktree.root, "a.md", "edited\n");
    expect(await worktree.commit(own, "content(an-article): add summary\n")).toBe(true);
    expect(await worktree.commit(own, "again\n")).toBe(false);
    await run.state.checkpoint("end of task");
    expect(await server.git("log", "--reverse", "--format=%s", "--name-only", `main..${HEAD}`)).toBe(
      [
        "content(an-article): add summary",
        "",
        `${own}/summary.json`,
        "a.md",
        "chore: save work in progress",
        "",
        ".looplia/contentItem/another-2026-11-21-0a1b2c/summary.json",
      ].join("\n"),
    );
  });
});

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
    await expect(loser.state.checkpoint("more")).rejects.toMatchObject({ code: "lost-race" });
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
    const checkpoint = await run.state.checkpoint("release");
    expect(run.conflicts).toEqual([]);
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("ONE\ntwo\nTHREE");
    expect(await filesOf(HEAD)).toEqual([".gitignore", "a.md", "late.md", "p.md", "tool.sh"]);
    expect(await readFile(join(folder, "a.md"), "utf8")).toBe("ONE\ntwo\nTHREE\n");
    expect(await readFile(join(folder, "p.md"), "utf8")).toBe("p\n");
    expect(existsSync(join(folder, "b.md"))).toBe(false);
    expect(checkpoint.work).toBe(await tipOf(HEAD));
    expect(await server.git("log", "--format=%an", "--no-merges", `main..${HEAD}`)).toContain("A Person");
    await writeFile(join(folder, "late.md"), "again\n");
    await run.state.checkpoint("more");
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
      await expect(run.state.checkpoint("release")).rejects.toMatchObject({ code: "host-failed" });
      await run.state.checkpoint("again");
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
    await run.state.checkpoint("release");
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
    await run.state.checkpoint("save");
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
    await run.state.checkpoint("save");
    const held = worktree.hold("lists/to-do.json");
    await rename(folder, join(worktree.root, "moved"));
    await symlink("moved", folder);
    await run.state.checkpoint("save");
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
    await run.state.checkpoint("save");
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("one\ntwo\nthree");
    expect(await server.git("show", `${HEAD}:b.md`)).toBe("b2");
    expect(held.brought()).toBe(undefined);
    await commitFiles(server.bare, BRANCH, { "a.md": "theirs\n" }, "mine");
    await writeFile(join(worktree.root, "b.md"), "b3\n");
    await run.state.checkpoint("save");
    expect(held.brought()).toEqual({ bytes: Buffer.from("theirs\n") });
    expect(await readFile(join(worktree.root, "a.md"), "utf8")).toBe("theirs\n");
    held.release();
    await writeFile(join(worktree.root, "a.md"), "ours\n");
    await run.state.checkpoint("save");
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
    "a person's push conflicts (%s): theirs stands, and is told, on record in the same checkpoint",
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
      const { work } = await run.state.checkpoint("nothing new");
      const hashOf = (of: string) => createHash("sha256").update(`${of}\n`).digest("hex");
      const sides = { ...(text === undefined ? {} : { sha256: hashOf(text) }), ours: hashOf("ours") };
      expect(run.conflicts).toContainEqual({ path: "a.md", commit: work, ...sides });
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
    const checkpoint = await run.state.checkpoint("pause");
    expect(checkpoint.work).toBe(await tipOf(HEAD));
    expect(await filesOf(HEAD)).toEqual([".gitignore", "a.md", "b.md", "ours.md", "p.md", "tool.sh"]);
  });

  test("the branch is deleted: closed, it is not brought back, and only the state can still be told so", async () => {
    await openWork();
    const run = await begin("2.1");
    await run.claim();
    await server.git("update-ref", "-d", HEAD);
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "2.1" } }]);
    await expect(run.state.checkpoint("release")).rejects.toMatchObject({ code: "closed" });
    expect(run.lost).toMatchObject([{ code: "closed" }]);
    await run.store.appendWorkEvents([{ type: "WorkClosed", payload: { reason: "branch deleted" } }]);
    await run.state.checkpoint("close", { stateOnly: true });
    expect(await tipOf(HEAD)).toBeUndefined();
    const later = await begin("3.1");
    expect(foldWork((await readWork(later.folder)).events).closed).toEqual({ reason: "branch deleted" });
    expect(later.state.branchTip).toBeUndefined();
    await expect(later.claim()).rejects.toMatchObject({ code: "closed" });
  });

  test("the server is down, then up: the same checkpoint is tried again", async () => {
    await openWork();
    const run = await begin("2.1");
    let tries = 0;
    server.beforePush = async () => (++tries < 3 ? 502 : undefined);
    await run.claim();
    expect(tries).toBe(3);
    expect(await server.git("rev-list", "--count", STATE)).toBe("3");
  });

  test("the server stays down: host-failed, and the next checkpoint has it all", async () => {
    await openWork();
    const run = await begin("2.1");
    server.beforePush = async () => 502;
    await expect(run.claim()).rejects.toMatchObject({ code: "host-failed" });
    expect([run.state.isOurs, run.lost.length]).toEqual([false, 0]);
    server.beforePush = undefined;
    await run.state.checkpoint("claim");
    expect(await claimedBy(await begin("3.1"))).toBe("2.1");
  });

  test.each(["a new work", "a work that is open"])(
    "the server carries a push out, then is down: %s goes on from it, and does not give way to itself",
    async (which) => {
      if (which !== "a new work") await openWork();
      const down = join(root, "down");
      const environment = await gitThat(`\n*push*|*ls-remote*) [ ! -e "${down}" ] || exit 1 ;;`);
      const run = await begin("2.1", { environment });
      server.afterPush = () => {
        writeFileSync(down, "");
        return true;
      };
      await expect(run.claim()).rejects.toMatchObject({ code: "host-failed" });
      server.afterPush = undefined;
      await rm(down);
      const { branch, state } = await stateNow();
      await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "2.1" } }]);
      const { commit } = await run.state.checkpoint("release");
      expect([run.lost, run.conflicts, run.state.isOurs]).toEqual([[], [], true]);
      expect(await stateNow()).toEqual({ branch, state: commit });
      expect(await server.git("rev-parse", `${STATE}^`)).toBe(state);
    },
  );

  test("a forbidden push is not tried again, and says which permission is missing", async () => {
    const run = await begin("2.1");
    let tries = 0;
    server.beforePush = async () => {
      tries += 1;
      return 403;
    };
    const hint = expect.stringContaining("contents: write");
    await expect(run.claim()).rejects.toMatchObject({ code: "host-failed", hint });
    expect(tries).toBe(1);
  });

  test("a server that refuses custom refs, or cannot push atomically, says what to do", async () => {
    const run = await begin("2.1");
    await server.git("config", "receive.hideRefs", "refs/looplia");
    await expect(run.claim()).rejects.toMatchObject({
      hint: expect.stringContaining("refs/heads/looplia-state/"),
    });
    await server.git("config", "--unset", "receive.hideRefs");
    await server.git("config", "receive.advertiseAtomic", "false");
    const other = await begin("3.1");
    await expect(other.claim()).rejects.toMatchObject({ hint: expect.stringContaining("together") });
    expect(await tipOf(STATE)).toBeUndefined();
  });

  test("a server that refuses the branch alone: told at once, and what comes later goes on from the state", async () => {
    const run = await begin("2.1");
    await server.git("config", "receive.hideRefs", "refs/heads/looplia");
    await expect(run.claim()).rejects.toMatchObject({ code: "host-failed", hint: expect.any(String) });
    expect(await server.git("rev-list", "--count", STATE)).toBe("1");
    expect([run.state.isOurs, run.lost.length]).toEqual([false, 0]);
    await server.git("config", "--unset", "receive.hideRefs");
    const later = await begin("3.1");
    expect(await claimedBy(later)).toBe("2.1");
  });

  test("the alternative prefix and a bare path work the same", async () => {
    const ref = "refs/heads/looplia-state/writing-kit-abc123";
    const run = await begin("2.1", { ref, remote: server.bare });
    await run.claim();
    const next = await begin("3.1", { ref, remote: server.bare });
    expect(await claimedBy(next)).toBe("2.1");
    await next.claim();
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "2.1" } }]);
    await expect(run.state.checkpoint("release")).rejects.toMatchObject({ code: "lost-race" });
  });
});

describe("what somebody else wrote to the state ref is refused, and nothing of it written", () => {
  async function replaceState(files: Record<string, string>, message: string): Promise<Run> {
    const run = await openWork();
    await commitFiles(server.bare, "odd", files, message);
    await server.git("update-ref", STATE, "refs/heads/odd");
    return run;
  }
  const trailers = "x\n\nWork: 0123456789012345678901234567890123456789\nRun: 1.1\nNonce: 00\n";

  test.each([
    ["an unrelated commit", { "a.md": "x" }, "x", /no trailers/],
    ["a file in an unknown place", { "header.json": "{}", "evil.sh": "x" }, trailers, /evil\.sh/],
    ["a path that leads elsewhere", { "sessions/s-1/events/sub/000001.jsonl": "x" }, trailers, /sub/],
    ["a session id that is none", { "sessions/Up/events/000001.jsonl": "x" }, trailers, /Up/],
  ])("%s", async (_, files, message, why) => {
    await replaceState(files, message);
    await expect(begin("2.1")).rejects.toThrow(why);
    await expect(begin("3.1")).rejects.toMatchObject({ code: "store-corrupt" });
    expect(existsSync(join(root, "2.1", "state"))).toBe(false);
  });

  test("a link in it", async () => {
    await replaceState({ "header.json": "/etc/passwd" }, trailers);
    const blob = await server.git("rev-parse", "odd:header.json");
    const index = { cwd: server.bare, env: { ...process.env, GIT_INDEX_FILE: join(root, "index") } };
    execFileSync("git", ["update-index", "--add", "--cacheinfo", `120000,${blob},header.json`], index);
    const tree = execFileSync("git", ["write-tree"], index).toString().trim();
    const commit = await server.git(
      "-c",
      "user.name=x",
      "-c",
      "user.email=x@y",
      "commit-tree",
      tree,
      "-m",
      trailers,
    );
    await server.git("update-ref", STATE, commit);
    await expect(begin("2.1")).rejects.toThrow(/120000/);
  });

  test.each([
    ["more files than a work has", 20_000, "x", /20001 files/],
    ["more bytes than a work has", 512, "x".repeat(1024 * 1024), /513 MiB/],
  ])("%s", async (_, count, text, why) => {
    await openWork();
    const git = (args: string[], input: string) =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
        cwd: server.bare,
        input,
      })
        .toString()
        .trim();
    const blob = git(["hash-object", "-w", "--stdin"], text);
    const name = (number: number) => number.toString(16).padStart(64, "0");
    const rows = Array.from({ length: count }, (_, number) => `100644 blob ${blob}\t${name(number)}\n`);
    const frozen = git(["mktree"], rows.join(""));
    const header = `100644 blob ${blob}\theader.json\n`;
    const tree = git(["mktree"], `${header}040000 tree ${frozen}\tfrozen\n`);
    git(["update-ref", STATE, git(["commit-tree", tree, "-F", "-"], trailers)], "");
    await expect(begin("2.1")).rejects.toThrow(why);
    expect(existsSync(join(root, "2.1", "state"))).toBe(false);
  });

  test("one that replaces it while a run is at work: the run gives way", async () => {
    const run = await openWork();
    await commitFiles(server.bare, "odd", { "a.md": "x" }, "x");
    await server.git("update-ref", STATE, "refs/heads/odd");
    await run.store.appendWorkEvents([{ type: "WorkClosed", payload: { reason: "x" } }]);
    await expect(run.state.checkpoint("more")).rejects.toMatchObject({ code: "lost-race" });
  });
});

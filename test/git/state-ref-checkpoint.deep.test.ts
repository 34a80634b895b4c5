// A checkpoint moves state ref and branch together. Real git, over HTTP.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readWork } from "../../src/store/scan.ts";
import { begin, filesOf, HEAD, server, stateNow, tipOf, useStateRefs } from "../fakes/state-ref-world.ts";
import { SESSION, STATE } from "../fakes/state-run.ts";
import { eventLine, lineOf } from "../fakes/store-lines.ts";

useStateRefs("over HTTP");

/** The rest is trees. */
function isOfStores(path: string): boolean {
  return !/^sessions\/(?:branch|program)\//.test(path);
}

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
    expect((await filesOf(STATE)).filter(isOfStores)).toEqual(["header.json", "work/000001.jsonl"]);
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
    expect(
      (await filesOf(STATE))
        .filter(isOfStores)
        .map((path) => path.replace(/\/[^/]*$/, ""))
        .toSorted(),
    ).toEqual([
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

  test("soon, and at once right after: one push", async () => {
    const run = await begin("7.1", { pushesAMinute: 1_000_000 });
    await run.claim();
    const pushes = () => server.requests.filter(({ path }) => path.endsWith("/git-receive-pack")).length;
    const before = pushes();
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    run.state.checkpointSoon("task");
    await run.state.checkpoint("pause");
    expect(pushes() - before).toBe(1);
    // What is still to be pushed soon would go with the next one.
    await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "7.1" } }]);
    await run.state.checkpoint("next");
    expect(pushes() - before).toBe(2);
    expect(await server.git("log", "-2", "--format=%s", STATE)).toBe("next\ntask, pause");
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
    await run.state.checkpoint("pause", { isWhole: true });
    expect(await server.git("show", `${HEAD}:a.md`)).toBe("edited");
    expect(await server.git("log", "--format=%s", `main..${HEAD}`)).toBe(
      "chore: keep changes outside of steps",
    );
    expect(run.state.last?.work).toBe(await tipOf(HEAD));
    const next = await begin("8.1");
    const worktree = await next.state.openWorktree();
    expect(await readFile(join(worktree.root, "a.md"), "utf8")).toBe("edited\n");
  });
});

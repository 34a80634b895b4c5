// What becomes of a checkpoint when the server fails or refuses it, or somebody else wrote to the state ref. Real git, over HTTP.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commitFiles } from "../fakes/git-http.ts";
import {
  begin,
  claimedBy,
  gitThat,
  openWork,
  root,
  server,
  stateNow,
  tipOf,
  useStateRefs,
} from "../fakes/state-ref-world.ts";
import { type Run, STATE } from "../fakes/state-run.ts";

useStateRefs("over HTTP");

describe("a server in trouble", () => {
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
    ["an unrelated commit", { "a.md": "x" }, "x", /lacks a checkpoint/],
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
    ["more files than a work has", 250_000, "x", /250001 files/],
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

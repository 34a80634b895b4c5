// `doctor` tries on the remote itself whether state refs can be kept there, and leaves nothing behind.
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { probeStateRef } from "../../src/git/state-push.ts";
import { type GitServer, startGitServer } from "../fakes/git-http.ts";

const TOKEN = "ghs_canaryTokenCanaryToken";
let root: string;
let server: GitServer;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "looplia-probe-test-"));
  const files = { "a.md": "a\n" };
  server = await startGitServer({
    root: join(root, "served"),
    repository: "owner/repo",
    token: TOKEN,
    files,
  });
  await mkdir(join(root, "checkout/.git"), { recursive: true });
  await mkdir(join(root, "temp"));
  await setOrigin(server.url);
});
afterEach(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const setOrigin = (url: string) =>
  writeFile(join(root, "checkout/.git/config"), `[remote "origin"]\n\turl = ${url}\n`);

const probe = (prefix = "refs/looplia/", token = TOKEN) =>
  probeStateRef({
    checkout: join(root, "checkout"),
    serverUrl: "https://github.com",
    repository: undefined,
    token,
    prefix,
    systemTemp: join(root, "temp"),
    environment: process.env,
  });

test.each(["refs/looplia/", "refs/heads/looplia-state/"])(
  "says that %s takes refs, and deletes what it pushed",
  async (prefix) => {
    const before = await server.git("for-each-ref");
    expect(await probe(prefix)).toBe(`${prefix} of owner/repo takes refs, two at once`);
    expect(await server.git("for-each-ref")).toBe(before);
    expect(await readdir(join(root, "temp"))).toEqual([]);
    expect(server.requests.every(({ authorized }) => authorized)).toBe(true);
  },
);

test("a server that refuses such refs: set the other prefix", async () => {
  await server.git("config", "receive.hideRefs", "refs/looplia");
  await expect(probe()).rejects.toMatchObject({
    code: "host-failed",
    hint: expect.stringContaining("state-ref-prefix: refs/heads/looplia-state/"),
  });
  expect(await probe("refs/heads/looplia-state/")).toContain("takes refs");
});

test("a server that takes such refs and does not show them: set the other prefix", async () => {
  await server.git("config", "uploadpack.hideRefs", "refs/looplia");
  await expect(probe()).rejects.toMatchObject({ hint: expect.stringContaining("state-ref-prefix") });
});

test("a server that cannot push two refs at once", async () => {
  await server.git("config", "receive.advertiseAtomic", "false");
  await expect(probe()).rejects.toMatchObject({ hint: expect.stringContaining("together") });
});

test("a token that may not push, or is wrong, is told as such and not shown", async () => {
  server.beforePush = async () => 403;
  await expect(probe()).rejects.toMatchObject({ hint: expect.stringContaining("contents: write") });
  const failure = await probe("refs/looplia/", "ghs_wrong").catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ hint: expect.stringContaining("github-token") });
  expect(String(failure)).not.toContain("ghs_wrong");
});

test("a remote that is not on the server gets neither a request nor the token", async () => {
  await setOrigin("https://evil.example/owner/repo");
  expect(await probe()).toBeUndefined();
  expect(server.requests).toEqual([]);
});

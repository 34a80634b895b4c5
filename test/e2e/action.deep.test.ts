// The Action from end to end: real git over HTTP, GitHub's API by its own description, a strict model, a runner's files.
import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ActionWorld, createActionWorld, KEY, type Ran, TOKEN } from "../fakes/action-world.ts";
import { zipNames } from "../fakes/artifact-server.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { liveText } from "../publish/rendered.ts";

const HOSTILE = `---
title: "::error::Ping @octocat #1 <!-- x"
---
# Heading ##[error]

Somebody said "and I count myself among them". ::set-output name=status::owned
`;

let world: ActionWorld;

beforeEach(async () => {
  world = await createActionWorld({
    "content/kettles.md": ARTICLE,
    "content/empty.md": "",
    "looplia.yml": "max-turns: 5\n",
  });
});
afterEach(async () => {
  await world.close();
});

type Item = {
  source: string;
  sessionId: string;
  status: string;
  reasonCode: string;
  pullRequestNumber?: number;
};

function itemsOf(ran: Ran): Item[] {
  return JSON.parse(ran.outputs.get("items") ?? "[]");
}

function files(branch: string): Promise<string> {
  return world.repository.git("ls-tree", "-r", "--name-only", `refs/heads/${branch}`);
}

function noSecret(ran: Ran): void {
  for (const secret of [TOKEN, KEY, Buffer.from(`x-access-token:${TOKEN}`).toString("base64")]) {
    for (const text of [ran.stdout, ran.stderr, ran.summary, ...ran.outputs.values()])
      expect(text).not.toContain(secret);
  }
}

test("two items, one of them broken: one pull request, one commit a task, a report of both", async () => {
  const repository = { full_name: "owner/repo", default_branch: "main", private: false };
  const ran = await world.run({ event: { name: "push", payload: { repository } } });
  expect(ran.outputs.get("reason-code"), ran.stdout + ran.stderr).toBe("config-invalid");
  expect(ran.exitCode).toBe(1);
  for (const said of [ran.stdout, ran.summary]) expect(said).toContain("public and `state-key` is not set");
  expect(ran.outputs.get("status")).toBe("failed");
  const branch = ran.outputs.get("branch") ?? "";
  expect(branch).toMatch(/^looplia\/writing-kit-[0-9a-f]{6}$/);
  expect(ran.outputs.get("work-id")).toBe(branch.slice("looplia/".length));
  const items = itemsOf(ran);
  expect(items.map(({ source, status, reasonCode }) => ({ source, status, reasonCode }))).toEqual([
    { source: "content/empty.md", status: "failed", reasonCode: "config-invalid" },
    { source: "content/kettles.md", status: "completed", reasonCode: "done" },
  ]);
  const session = items[1]?.sessionId ?? "";
  const folder = `.looplia/contentItem/${session}`;
  const added = (await world.repository.git("diff", "--name-only", "main", `refs/heads/${branch}`)).split(
    "\n",
  );
  const names = [
    "content.md",
    "ideas.json",
    "outline.json",
    "session.json",
    "summary.json",
    "writing-kit.json",
    "writing-kit.md",
  ];
  expect(added).toEqual(names.map((name) => `${folder}/${name}`));
  const log = await world.repository.git(
    "log",
    "--reverse",
    "--format=%s|%(trailers:key=Looplia-Session,valueonly,separator=%x2C)|%(trailers:key=Looplia-Step,valueonly,separator=%x2C)",
    `main..refs/heads/${branch}`,
  );
  expect(log.split("\n")).toEqual([
    "chore: begin||",
    `content(kettles-and-time): add summary|${session}|summary`,
    `content(kettles-and-time): add ideas|${session}|ideas`,
    `content(kettles-and-time): add outline and writing-kit|${session}|outline,writing-kit`,
  ]);
  const [request, ...others] = await world.github.pullRequests();
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    state: "open",
    title: expect.stringMatching(/^content\(writing-kit\): 1 of 2 kits made; content\//),
    head: { ref: branch },
    base: { ref: "main" },
  });
  expect(request?.body).toContain("**Angle: Waits as budgets**");
  expect(ran.outputs.get("pull-request-number")).toBe("1");
  expect(ran.outputs.get("pull-request-url")).toBe(request?.html_url);
  expect(ran.summary).toContain("Four minutes, every morning.");
  expect(ran.summary).toContain("content/empty.md");
  expect(world.model.requests.length).toBe(3);
  expect(Number(ran.outputs.get("input-tokens"))).toBeGreaterThan(0);
  expect(ran.outputs.get("artifact-url")).toMatch(/\/owner\/repo\/actions\/runs\/101\/artifacts\/1$/);
  const [artifact] = world.artifacts.artifacts;
  expect(artifact?.name).toBe(`looplia-${ran.outputs.get("work-id")}-101.1-kit`);
  const stored = zipNames(artifact?.zip ?? Buffer.alloc(0));
  const work = ran.outputs.get("work-id");
  expect(stored).toContain(`${work}/sessions/${session}/audit/000001.jsonl`);
  expect(stored.filter((name) => name.endsWith(".md"))).toEqual([`${work}/logs/report-${session}.md`]);
  const report = strFromU8(
    unzipSync(artifact?.zip ?? Buffer.alloc(0))[`${work}/logs/report-${session}.html`] ?? Buffer.alloc(0),
  );
  expect(report).toContain("<h1>Kettles and time</h1>");
  expect(report).toMatch(/<summary>writing-kit\.json<\/summary>[\s\S]*Four minutes, every morning\./);
  expect(await readdir(join(world.root, "checkout"))).not.toContain(".looplia");
  noSecret(ran);
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
});

test("the same run again asks no model; a changed item runs again in its session; a merge begins the next work", async () => {
  const inputs = { content: "content/kettles.md" };
  const first = await world.run({ inputs });
  expect(first.outputs.get("status"), first.stdout + first.stderr).toBe("completed");
  expect(first.exitCode).toBe(0);
  const asked = world.model.requests.length;
  const branch = first.outputs.get("branch") ?? "";
  const tip = await world.repository.git("rev-parse", `refs/heads/${branch}`);

  const again = await world.run({ inputs });
  expect(again.outputs.get("reason-code"), again.stdout + again.stderr).toBe("up-to-date");
  expect(again.outputs.get("pull-request-number")).toBe("1");
  expect(world.model.requests.length).toBe(asked);
  expect(await world.repository.git("rev-parse", `refs/heads/${branch}`)).toBe(tip);

  await commitFiles(
    world.repository.bare,
    "main",
    { "content/kettles.md": `${ARTICLE}\nOne more line.\n` },
    "edit",
  );
  const changed = await world.run({ inputs });
  expect(changed.outputs.get("reason-code"), changed.stdout).toBe("done");
  expect(changed.outputs.get("session-id")).toBe(first.outputs.get("session-id"));
  expect(world.model.requests.length).toBe(asked * 2);
  expect((await world.github.pullRequests()).length).toBe(1);

  await world.github.endPullRequest(1, "merged");
  const merged = await world.run({ inputs });
  expect(merged.outputs.get("reason-code"), merged.stdout).toBe("up-to-date");
  expect(merged.outputs.get("work-id")).toBe(`${first.outputs.get("work-id")}-2`);
  expect(merged.outputs.get("branch")).toBe("");
  expect(world.model.requests.length).toBe(asked * 2);
  expect((await world.github.pullRequests()).length).toBe(1);

  await commitFiles(
    world.repository.bare,
    "main",
    { "content/kettles.md": `${ARTICLE}\nAnother line.\n` },
    "edit",
  );
  const next = await world.run({ inputs });
  expect(next.outputs.get("branch"), next.stdout).toBe(`${branch}-2`);
  expect(next.outputs.get("session-id")).toBe(first.outputs.get("session-id"));
  expect(next.outputs.get("pull-request-number")).toBe("2");
  world.github.assertValid();
});

test("where Actions may not open pull requests the branch stays, and the next run only opens it", async () => {
  const inputs = { content: "content/kettles.md" };
  world.github.mayCreatePullRequests = false;
  const ran = await world.run({ inputs });
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe("failed");
  expect(ran.outputs.get("reason-code")).toBe("host-failed");
  expect(ran.stdout).toContain("Allow GitHub Actions to create and approve pull requests");
  expect(await files(ran.outputs.get("branch") ?? "")).toContain("writing-kit.json");
  const asked = world.model.requests.length;
  world.github.mayCreatePullRequests = true;
  const again = await world.run({ inputs });
  expect(again.outputs.get("status"), again.stdout).toBe("completed");
  expect(again.outputs.get("branch")).toBe(ran.outputs.get("branch"));
  expect(again.outputs.get("pull-request-number")).toBe("1");
  expect(world.model.requests.length).toBe(asked);
});

test.each<[string, Parameters<ActionWorld["run"]>[0], { status: string; reasonCode: string; says: RegExp }]>([
  [
    "a glob without a match",
    { inputs: { content: "nowhere/*.md" } },
    { status: "failed", reasonCode: "no-items", says: /nowhere\/\*\.md/ },
  ],
  [
    "no content",
    { inputs: { content: "" } },
    { status: "failed", reasonCode: "config-invalid", says: /`content` is not set/ },
  ],
  [
    "a mistyped secret",
    { inputs: { "anthropic-api-key": "" } },
    {
      status: "failed",
      reasonCode: "config-invalid",
      says: /anthropic-api-key and openai-api-key are both empty/,
    },
  ],
  [
    "no token",
    { inputs: { "github-token": "" } },
    { status: "failed", reasonCode: "config-invalid", says: /github-token is empty/ },
  ],
  [
    "an unknown pipeline",
    { inputs: { pipeline: "writing-kt" } },
    { status: "failed", reasonCode: "config-invalid", says: /writing-kt/ },
  ],
  [
    "a folder outside",
    { inputs: { "working-directory": "../x" } },
    { status: "failed", reasonCode: "config-invalid", says: /not inside the repository/ },
  ],
  [
    "no such settings",
    { inputs: { config: "other.yml" } },
    { status: "failed", reasonCode: "config-invalid", says: /main:other\.yml/ },
  ],
  [
    "a comment",
    { event: { name: "issue_comment" } },
    { status: "ignored", reasonCode: "no-command", says: /only new comments are read/ },
  ],
  [
    "pull_request_target",
    { event: { name: "pull_request_target" } },
    { status: "ignored", reasonCode: "fork-or-untrusted-event", says: /write access/ },
  ],
  [
    "a fork's pull request",
    {
      event: {
        name: "pull_request",
        payload: {
          repository: { full_name: "owner/repo" },
          pull_request: {
            head: { repo: { full_name: "stranger/repo" } },
            base: { ref: "main", sha: "a".repeat(40) },
          },
        },
      },
    },
    { status: "ignored", reasonCode: "fork-or-untrusted-event", says: /fork/ },
  ],
])("%s changes nothing and says why", async (_, changes, expected) => {
  const ran = await world.run(changes);
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe(expected.status);
  expect(ran.outputs.get("reason-code")).toBe(expected.reasonCode);
  expect(ran.stdout).toMatch(expected.says);
  expect(ran.exitCode).toBe(expected.status === "failed" ? 1 : 0);
  expect(world.model.requests.length).toBe(0);
  expect(await world.repository.git("for-each-ref", "refs/heads/looplia")).toBe("");
  noSecret(ran);
});

test("a wrong key leaves what was begun, and no pull request", async () => {
  world.modelTurn = () => ({ status: 401, type: "authentication_error", message: "invalid x-api-key" });
  const ran = await world.run({ inputs: { content: "content/kettles.md" } });
  expect(ran.outputs.get("reason-code"), ran.stdout + ran.stderr).toBe("model-failed");
  expect(await files(ran.outputs.get("branch") ?? "")).not.toContain("summary.json");
  expect(await world.github.pullRequests()).toEqual([]);
  world.modelTurn = undefined;
  const again = await world.run({ inputs: { content: "content/kettles.md" } });
  expect(again.outputs.get("reason-code"), again.stdout).toBe("done");
  expect(again.outputs.get("session-id")).toBe(ran.outputs.get("session-id"));
  noSecret(ran);
});

test("text of the content is no command to the runner and pings nobody", async () => {
  await commitFiles(world.repository.bare, "main", { "content/kettles.md": HOSTILE }, "hostile");
  const ran = await world.run({ inputs: { content: "content/kettles.md" } });
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe("completed");
  for (const line of ran.stdout.split("\n")) expect(line).not.toMatch(/^\s*::(error|set-output)|##\[/);
  const [request] = await world.github.pullRequests();
  const { title = "", body = "" } = request ?? {};
  expect(title + liveText(body ?? "")).not.toMatch(/@octocat|#1\b/);
});

test("settings are read from the trusted branch, never from the work branch", async () => {
  const inputs = { content: "content/kettles.md" };
  const first = await world.run({ inputs });
  const branch = first.outputs.get("branch") ?? "";
  await commitFiles(world.repository.bare, branch, { "looplia.yml": "no-such-setting: 1\n" }, "by the agent");
  const dispatch = { name: "workflow_dispatch", ref: `refs/heads/${branch}` };
  const again = await world.run({ inputs, event: dispatch });
  expect(again.outputs.get("reason-code"), again.stdout).toBe("up-to-date");
  expect(again.outputs.get("branch")).toBe(branch);
});

test("a broken looplia.yml is told with its line", async () => {
  await commitFiles(world.repository.bare, "main", { "looplia.yml": "model: x\nmax-turn: 5\n" }, "typo");
  const ran = await world.run();
  expect(ran.outputs.get("reason-code")).toBe("config-invalid");
  expect(ran.stdout).toMatch(/main:looplia\.yml:2: unknown setting "max-turn".*max-turns/);
});

test("a rehearsal says that it is one", async () => {
  const example = await commitFiles(world.repository.bare, "main", { "content/kettles.md": LONG }, "long");
  expect(example).toBeTruthy();
  const ran = await world.run({
    inputs: { content: "content/kettles.md", provider: "offline", "anthropic-api-key": "" },
  });
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe("completed");
  const [request] = await world.github.pullRequests();
  expect(request?.title).toContain("extractive rehearsal, no language model");
  expect(
    await world.repository.git("log", "-1", "--format=%b", `refs/heads/${ran.outputs.get("branch")}`),
  ).toContain("extractive rehearsal");
  expect(world.model.requests.length).toBe(0);
});

test("several items at once: one branch in a straight line, one pull request, a commit a task", async () => {
  const more = ["cups", "spoons"].map(
    (name) => [`content/${name}.md`, ARTICLE.replace("Kettles and time", name)] as const,
  );
  await commitFiles(
    world.repository.bare,
    "main",
    { ...Object.fromEntries(more), "content/empty.md": null },
    "more",
  );
  const ran = await world.run();
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe("completed");
  expect(ran.outputs.get("session-id")).toBe("");
  const branch = ran.outputs.get("branch") ?? "";
  const log = (await world.repository.git("log", "--format=%p|%s", `main..refs/heads/${branch}`)).split("\n");
  expect(log.length).toBe(10);
  expect(log.pop()).toMatch(/\|chore: begin$/);
  for (const line of log) expect(line).toMatch(/^[0-9a-f]+\|content\((cups|kettles-and-time|spoons)\): add /);
  expect((await world.github.pullRequests()).map(({ title }) => title)).toEqual([
    "content(writing-kit): 3 items",
  ]);
});

test("when its time is up it saves and ends green, with a warning", async () => {
  const passed = join(world.root, "passed");
  const preload = resolve(import.meta.dirname, "../fakes/pass-time.ts");
  world.modelTurn = async (body) => {
    if (world.model.requests.length === 1) return writeDue(body);
    await writeFile(passed, "");
    return { content: "never", delayMs: 60_000 };
  };
  const ran = await world.run({
    inputs: { content: "content/kettles.md", "timeout-minutes": "10" },
    environment: { NODE_OPTIONS: `--import ${preload}`, PASSED: passed },
  });
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe("stopped");
  expect(ran.outputs.get("reason-code")).toBe("deadline");
  expect(ran.exitCode).toBe(0);
  expect(ran.stdout).toMatch(/^::warning title=looplia stopped/m);
  expect(await files(ran.outputs.get("branch") ?? "")).toContain("summary.json");
});

test("interrupted, it saves what is done within seconds, and post uploads the rest", async () => {
  const inputs = { content: "content/kettles.md" };
  let asked = 0;
  let interrupt: (() => void) | undefined;
  const reached = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  world.modelTurn = (body) => {
    if (++asked === 1) return writeDue(body);
    interrupt?.();
    return { content: "never", delayMs: 60_000 };
  };
  const began = { at: 0 };
  const ran = await world.run({
    inputs,
    during: async (process) => {
      await reached;
      began.at = performance.now();
      process.kill("SIGINT");
    },
  });
  expect(performance.now() - began.at).toBeLessThan(7_500);
  expect(ran.outputs.get("status"), ran.stdout + ran.stderr).toBe("stopped");
  expect(ran.outputs.get("reason-code")).toBe("interrupted");
  expect(await files(ran.outputs.get("branch") ?? "")).toContain("summary.json");
  expect(world.artifacts.artifacts).toEqual([]);
  const post = await world.post(ran.state);
  expect(post.exitCode, post.stdout + post.stderr).toBe(0);
  expect(world.artifacts.artifacts.length).toBe(1);
  world.modelTurn = undefined;
  const resumed = await world.run({ inputs });
  expect(resumed.outputs.get("status"), resumed.stdout).toBe("completed");
  expect(resumed.outputs.get("session-id")).toBe(ran.outputs.get("session-id"));
  expect(asked).toBe(2);
});

test("post after a whole run uploads nothing again and removes the folder", async () => {
  const ran = await world.run({ inputs: { content: "content/kettles.md" } });
  const { temporary } = JSON.parse(ran.state.STATE_looplia ?? "{}") as { temporary: string };
  expect(await readdir(temporary)).toContain("worktree");
  const post = await world.post(ran.state);
  expect(post.exitCode).toBe(0);
  expect(world.artifacts.artifacts.length).toBe(1);
  await expect(readdir(temporary)).rejects.toThrow(/ENOENT/);
  expect((await world.post({})).exitCode).toBe(0);
  expect((await world.post({ STATE_looplia: "torn" })).exitCode).toBe(0);
});

const LONG = `---
title: How a small bakery counts its bread
---
# How a small bakery counts its bread

The bakery on the corner sells 412 loaves a day. It has counted every loaf since 1987, and the books fill a whole shelf.

"We count because we forget," says Marta Lind, who runs the bakery with her brother. Her brother disagrees about most things, but he agrees about the books.

## The books

Each book holds one year of bread. The first page names the flour, the second page names the people, and the rest is numbers. Visitors often ask to see the oldest book.

## What the numbers say

Rye sells better in winter, however the bakery sells more bread in summer. Why does rye wait for the cold? Marta Lind thinks that people want a heavy loaf when the evenings are long.

The bakery throws away 9 loaves a day. That is half of what it threw away in 2010, because the books showed which days were slow.
`;

// The Action when others are at work too: another run, a person, a server that fails, names and branches made to harm.
import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ActionWorld, createActionWorld, type Ran } from "../fakes/action-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { commentEvent } from "../fakes/github-server-events.ts";
import { writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { liveText, render } from "../publish/rendered.ts";

const SESSIONS = ".looplia/contentItem";
const execute = promisify(execFile);
let world: ActionWorld;

beforeEach(async () => {
  world = await createActionWorld({ "content/kettles.md": ARTICLE, "looplia.yml": "max-turns: 5\n" });
});
afterEach(async () => {
  await world.close();
});

function ended(ran: Ran) {
  return `${ran.outputs.get("status")} ${ran.outputs.get("reason-code")}`;
}

function said(ran: Ran) {
  return ran.stdout + ran.stderr;
}

function commit(branch: string, files: Record<string, string | null>) {
  return commitFiles(world.repository.bare, branch, files, "a person");
}

/** One commit on a branch of what a shell's commands make of its index. */
async function commitIndex(branch: string, change: string, input = ""): Promise<void> {
  const made = `git -c user.name=x -c user.email=x@y commit-tree -p refs/heads/${branch} -m odd $(git write-tree)`;
  const script = `git read-tree refs/heads/${branch} && ${change} && git update-ref refs/heads/${branch} $(${made})`;
  const env = { PATH: process.env.PATH ?? "", GIT_INDEX_FILE: join(world.root, "index") };
  const running = execute("sh", ["-c", script], { cwd: world.repository.bare, env });
  running.child.stdin?.end(input);
  await running;
}

async function paths(branch: string): Promise<string[]> {
  return (await world.repository.git("ls-tree", "-r", "--name-only", `refs/heads/${branch}`)).split("\n");
}

test("of two runs at once one gives way: one session, one pull request, no result twice", async () => {
  let atPush = 0;
  let bothThere: (() => void) | undefined;
  const together = new Promise<void>((resolve) => {
    bothThere = resolve;
  });
  world.repository.beforePush = async () => {
    if (++atPush === 2) bothThere?.();
    if (atPush <= 2) await together;
    return undefined;
  };
  const runs = await Promise.all([world.run(), world.run()]);
  expect(runs.map(ended).sort(), runs.map(said).join("\n")).toEqual(["completed done", "ignored lost-race"]);
  expect(runs.map((ran) => ran.exitCode)).toEqual([0, 0]);
  const [won, lost] = ended(runs[0]) === "completed done" ? runs : [runs[1], runs[0]];
  expect(said(lost)).toMatch(/::notice .*another run wrote/);
  const branch = won.outputs.get("branch") ?? "";
  const manifests = (await paths(branch)).filter((path) => path.endsWith("/session.json"));
  expect(manifests).toEqual([`${SESSIONS}/${won.outputs.get("session-id")}/session.json`]);
  expect(await world.repository.git("log", "--merges", "--format=%s", `refs/heads/${branch}`)).toBe("");
  expect((await world.github.pullRequests()).length).toBe(1);
});

test("in a conflict their version is kepts, the run says so, and a person is asked: nothing goes on until they answer", async () => {
  const first = await world.run();
  const branch = first.outputs.get("branch") ?? "";
  const summary = `${SESSIONS}/${first.outputs.get("session-id")}/summary.json`;
  await commit("main", { "content/kettles.md": `${ARTICLE}\nOne more line.\n` });
  const ours = await world.repository.git("show", `refs/heads/${branch}:${summary}`);
  const theirs = ours.replace("Four minutes", "Five minutes");
  let pushes = 0;
  world.repository.beforePush = async () => {
    if (++pushes === 2) await commit(branch, { [summary]: theirs });
    return undefined;
  };
  const another = { headline: "Another headline for the same four minutes" };
  world.modelTurn = (body) =>
    JSON.parse(JSON.stringify(writeDue(body)).replace(/Four minutes at the kettle/, another.headline));
  const ran = await world.run();
  expect(said(ran)).toMatch(/^::warning.*summary\.json/m);
  expect(await world.repository.git("show", `refs/heads/${branch}:${summary}`)).toBe(theirs);
  const log = await world.repository.git("log", "--format=%s", `refs/heads/${branch}`);
  expect(log).toContain("a person");
  world.repository.beforePush = undefined;
  world.modelTurn = undefined;
  expect(ended(ran), said(ran)).toBe("waiting open-questions");
  const asked = world.github.comments.all.find(({ body }) => body.includes("looplia:request"));
  expect(asked?.body).toContain(summary);
  const [choose = ""] = /\/choose q1-[0-9a-f]{6} keep/.exec(asked?.body ?? "") ?? [];
  const told = await world.run();
  expect(ended(told), said(told)).toBe("waiting open-questions");
  world.github.accounts.addPerson("maintainer", "maintain");
  const comment = world.github.comments.say("maintainer", choose);
  const kept = await world.run({ event: commentEvent(world.github, comment) });
  expect(ended(kept), said(kept)).toBe("completed done");
  expect(await world.repository.git("show", `refs/heads/${branch}:${summary}`)).toBe(theirs);
  expect(world.github.comments.need(asked?.id ?? 0).body).toMatch(/^### Chosen/m);
});

test("a token that may not push ends the run before it costs more, and a failed item hides it not", async () => {
  await commit("main", { "content/empty.md": "" });
  world.repository.beforePush = async () => 403;
  let turn = 0;
  world.modelTurn = (body) => (++turn === 1 ? writeDue(body) : { content: "never", delayMs: 60_000 });
  const ran = await world.run();
  expect(ended(ran), said(ran)).toBe("failed config-invalid");
  expect(said(ran)).toMatch(/^::warning::host-failed: git push failed.*contents: write/m);
  expect(turn).toBe(0);
  expect(await world.github.pullRequests()).toEqual([]);
});

test.each(["closed", "deleted"])("a work that is %s in mid-run is over: the next one begins", async (end) => {
  const first = await world.run();
  const branch = first.outputs.get("branch") ?? "";
  await commit("main", { "content/kettles.md": `${ARTICLE}\nOne more line.\n` });
  let turn = 0;
  world.modelTurn = async (body) => {
    if (++turn === 2) {
      await world.github.endPullRequest(1, "closed");
      if (end === "deleted") await world.repository.git("update-ref", "-d", `refs/heads/${branch}`);
    }
    return writeDue(body);
  };
  const ran = await world.run();
  expect(ended(ran), said(ran)).toBe("ignored closed");
  expect(ran.exitCode).toBe(0);
  const next = await world.run();
  expect(ended(next), said(next)).toBe("completed done");
  expect(next.outputs.get("branch")).toBe(`${branch}-2`);
});

test("session-id alone goes on where that session is", async () => {
  const first = await world.run();
  await commit("main", { "content/kettles.md": `${ARTICLE}\nOne more line.\n` });
  const inputs = { content: "", "session-id": first.outputs.get("session-id") ?? "" };
  const ran = await world.run({ inputs });
  expect(ended(ran), said(ran)).toBe("completed done");
  expect(ran.outputs.get("branch")).toBe(first.outputs.get("branch"));
  expect(ran.outputs.get("session-id")).toBe(first.outputs.get("session-id"));
  await world.github.endPullRequest(1, "merged");
  const merged = await world.run({ inputs });
  expect(ended(merged), said(merged)).toBe("completed up-to-date");
});

test("a push that hangs does not keep a canceled run from telling how it ended", async () => {
  let reach: (() => void) | undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  world.repository.beforePush = async () => {
    reach?.();
    await over;
    return 500;
  };
  const ran = await world
    .run({
      during: async (process) => {
        await reached;
        process.kill("SIGINT");
        await wait(500);
        process.kill("SIGTERM");
      },
    })
    .finally(end);
  expect(ended(ran), said(ran)).toBe("stopped interrupted");
  expect(said(ran)).toContain("no time to save everything");
});

test("nothing on the work branch instructs: settings, pipeline, agents, skills, profile", async () => {
  const first = await world.run();
  const branch = first.outputs.get("branch") ?? "";
  const front = (name: string) => `---\nname: ${name}\ndescription: OWNED\n---\nOWNED\n`;
  await commit(branch, {
    "looplia.yml": "max-turns: 1\nno-such-setting: 1\n",
    ".looplia/CLAUDE.md": "OWNED",
    "CLAUDE.md": "OWNED",
    ".looplia/user-profile.json": '{"topics":["OWNED"]}',
    ".looplia/pipelines/writing-kit.yaml": "name: [",
    ".looplia/.claude/agents/content-analyzer.md": front("content-analyzer"),
    ".claude/agents/idea-generator.md": front("idea-generator"),
    ".looplia/.claude/skills/media-reviewer/SKILL.md": front("media-reviewer"),
  });
  await commit("main", { "content/kettles.md": `${ARTICLE}\nOne more line.\n` });
  const sha = await world.repository.git("rev-parse", `refs/heads/${branch}`);
  const ran = await world.run({ event: { name: "workflow_dispatch", ref: `refs/heads/${branch}`, sha } });
  expect(ended(ran), said(ran)).toBe("completed done");
  expect(ran.outputs.get("branch")).toBe(branch);
  expect(JSON.stringify(world.model.requests)).not.toContain("OWNED");
});

test("a link in place of a folder on the work branch leads nowhere", async () => {
  const first = await world.run();
  await world.github.endPullRequest(1, "merged");
  await commit("main", { "content/b.md": ARTICLE.replace("Kettles", "Cups") });
  const branch = (await world.run()).outputs.get("branch") ?? "";
  expect(branch).not.toBe(first.outputs.get("branch"));
  const outside = join(world.root, "outside");
  await mkdir(outside);
  const blob = `$(printf %s ${outside} | git hash-object -w --stdin)`;
  await commitIndex(
    branch,
    `git rm -rq --cached .looplia && git update-index --add --cacheinfo 120000,${blob},.looplia`,
  );
  const ran = await world.run();
  expect(ended(ran), said(ran)).toBe("failed config-invalid");
  expect(said(ran)).toContain(".looplia on the work branch is not a folder");
  expect(await readdir(outside)).toEqual([]);
});

test("names made to harm are items like any other, and one with a line break is reported", async () => {
  const names = [
    'q"uote.md',
    "::set-output name=status::x.md",
    "A.md",
    "a.md",
    "%0A::error::.md",
    "$(id).md",
    "-rf.md",
    "\u202ertl.md",
    "<b>@octocat #1.md",
    "x|y.md",
  ];
  const harmful = ARTICLE.replace("Kettles and time", "T <img src=x> @octocat #1 closes #3");
  await commit("main", { "content/kettles.md": harmful });
  const oid = await world.repository.git("rev-parse", "main:content/kettles.md");
  const broken = "a\nb.md";
  const rows = [broken, ...names].map((name) => `100644 ${oid}\tcontent/${name}\0`).join("");
  await commitIndex("main", "git update-index -z --index-info", rows);
  const ran = await world.run();
  expect(ended(ran), said(ran)).toBe("completed done");
  const items = JSON.parse(ran.outputs.get("items") ?? "[]") as { source: string; sessionId: string }[];
  expect(items.map(({ source }) => source).sort()).toEqual(
    [...names, "kettles.md"].map((name) => `content/${name}`).sort(),
  );
  expect(said(ran)).toMatch(/^::warning.*"content\/a\\nb\.md" is left out: rename it/m);
  expect(new Set(items.map(({ sessionId }) => sessionId)).size).toBe(names.length + 1);
  for (const line of ran.stdout.split(/\r?\n/)) expect(line).not.toMatch(/^\s*::(error|set-output)/);
  const [request] = await world.github.pullRequests();
  const title = request?.title ?? "";
  const body = request?.body ?? "";
  expect(title + liveText(body) + liveText(ran.summary)).not.toMatch(/@octocat|#[13]\b|\u202e/);
  expect(render(body) + render(ran.summary)).not.toMatch(/<(?:img|b>)|\u202e/);
  const again = await world.run();
  expect(ended(again)).toBe("completed up-to-date");
});

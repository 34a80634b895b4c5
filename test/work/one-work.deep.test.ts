// An item is carried by one open work, a comment wakes only the work of its pull request, and damage has a way on.
import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { COMMAND, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { deliverHere, runHere, sweepHere } from "../fakes/run-here.ts";
import { createTasksWorld, use } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const SETTINGS = "upload-audit: false\n";

async function begin(settings = "") {
  const world = await createAskingWorld({ "looplia.yml": SETTINGS + settings });
  onTestFinished(() => world.close());
  return world;
}

test("a pull request that is opened again goes on, and the work that began meanwhile ends in its favour", async () => {
  const world = await begin();
  const open = () =>
    world.ours("looplia:request").flatMap(({ body }) => /\/approve (q\d+-[0-9a-f]{6})/.exec(body)?.[1] ?? []);
  await runHere(world);
  await world.github.endPullRequest(1, "closed");
  const event = { name: "schedule" };
  const second = await runHere(world, { event });
  expect(second.ended, second.said).toBe("waiting open-questions");
  expect(await world.github.pullRequests()).toHaveLength(2);
  await world.github.reopenPullRequest(1);
  const [late] = open();
  const refused = await deliverHere(
    world,
    world.github.comments.say("writer", `/approve ${late}`, { pullRequest: 2 }),
  );
  expect(refused.ended, refused.said).toBe("ignored closed");
  const said = world.github.comments.all.filter(({ body }) => body.includes("was refused")).at(-1)?.body;
  expect(said).toMatch(/pull request 1 was opened again/i);
  expect(said).toContain("go on in pull request 1");
  expect(world.ours("looplia:status").at(-1)?.body).toMatch(/pull request 1 was opened again/i);
  const again = await runHere(world, { event });
  expect(again.ended, again.said).toBe("waiting open-questions");
  const [question, ...more] = open();
  expect(more).toEqual([]);
  const ran = await deliverHere(
    world,
    world.github.comments.say("writer", `/approve ${question}`, { pullRequest: 1 }),
  );
  expect(ran.ended, ran.said).toBe("completed done");
  const ranOn = async (branch: string) =>
    (await world.repository.git("ls-tree", "--name-only", branch)).match(/^ran-/gm)?.length ?? 0;
  const requests = (await world.github.pullRequests()).toSorted((one, other) => one.number - other.number);
  expect(await Promise.all(requests.map(({ head }) => ranOn(head.ref)))).toEqual([1, 0]);
  world.github.assertValid();
});

test.each(["tasks", "auto"])("`/cancel` ends the list and starts nothing with `mode: %s`", async (mode) => {
  const world = await createTasksWorld(
    { "to-do.json": makeTodo([makeTask("T1")]), "looplia.yml": `${SETTINGS}mode: ${mode}\n` },
    { T1: (turn) => (turn === 1 ? use("runCommand", { command: COMMAND }) : undefined) },
  );
  onTestFinished(() => world.close());
  const asked = await world.here({ inputs: { mode: "" } });
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const ran = await world.hear("writer", "/cancel");
  expect(ran.report.status, ran.said).not.toBe("waiting");
  expect(world.ours("looplia:request")).toHaveLength(1);
  expect(world.model.requests).toHaveLength(1);
  const ref = await world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  expect(await world.repository.git("grep", "-h", "TaskCanceled", ref)).toContain("canceled by writer");
});

test("after `/cancel` no scheduled run begins the items again; `/looplia run` does", async () => {
  const world = await begin("mode: content\n");
  await runHere(world);
  const canceled = await deliverHere(world, world.say("writer", "/cancel"));
  expect(canceled.report.status, canceled.said).not.toBe("waiting");
  const later = await runHere(world, { event: { name: "schedule" } });
  expect(later.report.status, later.said).not.toBe("waiting");
  expect(world.ours("looplia:request")).toHaveLength(1);
  const again = await deliverHere(world, world.say("writer", "/looplia run"));
  expect(again.ended, again.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")).toHaveLength(2);
});

test("a list with `mode: tasks` goes on after a comment on its pull request", async () => {
  const world = await createTasksWorld(
    { "to-do.json": makeTodo([makeTask("T1")]), "looplia.yml": `${SETTINGS}mode: tasks\n` },
    { T1: (turn) => (turn === 1 ? use("runCommand", { command: COMMAND }) : undefined) },
  );
  onTestFinished(() => world.close());
  await world.here({ inputs: { mode: "" } });
  const id = /\/approve (q\d+-[0-9a-f]{6})/.exec(world.ours("looplia:request")[0]?.body ?? "")?.[1];
  const ran = await world.hear("writer", `/approve ${id}`);
  expect(ran.ended, ran.said).toBe("completed done");
});

test.each(["changed", "removed"])(
  "frozen bytes that were %s are damage that is told and restarted",
  async (how) => {
    const world = await begin();
    await runHere(world);
    const answer = world.say("writer", `/approve ${questionOf(world)}`);
    const ref = await world.repository.git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
    const git = (args: string[], input = "") =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
        cwd: world.repository.bare,
        input,
      })
        .toString()
        .trim();
    const [frozen = ""] = git(["ls-tree", `${ref}:frozen`]).split("\n");
    const left =
      how === "removed"
        ? ""
        : frozen.replace(/[0-9a-f]{40}(?=\t)/, git(["hash-object", "-w", "--stdin"], "x"));
    const folder = git(["mktree"], left === "" ? "" : `${left}\n`);
    const rows = git(["ls-tree", ref]).replace(/[0-9a-f]{40}(?=\tfrozen$)/m, folder);
    const commit = git([
      "commit-tree",
      git(["mktree"], `${rows}\n`),
      "-p",
      ref,
      "-m",
      git(["log", "-1", "--format=%B", ref]),
    ]);
    git(["update-ref", ref, commit]);

    const failed = await deliverHere(world, answer);
    expect(failed.ended, failed.said).toBe("failed store-corrupt");
    expect(world.github.comments.reactionsOf(answer.id)).toContain("confused");
    expect(world.ours("looplia:reply").map(({ body }) => body)).toEqual([
      expect.stringMatching(/^@writer: `\/approve .*\n\n```text\n\/looplia restart\n```/m),
    ]);
    expect((await sweepHere(world)).ended).toBe("failed store-corrupt");
    expect(world.ours("looplia:reply")).toHaveLength(1);
    const restarted = await deliverHere(world, world.say("writer", "/looplia restart"));
    expect(restarted.ended, restarted.said).toBe("waiting open-questions");
    const ran = await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
    expect(ran.ended, ran.said).toBe("completed done");
    expect(await world.effects()).toBe(1);
    world.github.assertValid();
  },
);

test("a run over single items that is stopped before the first one says so", async () => {
  const world = await begin("pull-request: per-item\n");
  const stopping = new AbortController();
  let lists = 0;
  world.github.onRequest = async ({ method, path }) => {
    if (method === "GET" && path.endsWith("/pulls") && ++lists === 2) stopping.abort("interrupted");
  };
  const ran = await runHere(world, { event: { name: "schedule" }, signal: stopping.signal });
  expect(ran.ended, ran.said).toBe("stopped interrupted");
  expect(await world.github.pullRequests()).toEqual([]);
});

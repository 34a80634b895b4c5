// When a run is over the status comment says nothing that is false, however it ended.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AskingWorld, createAskingWorld, questionOf } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { deliverHere, postHere, type RanHere, runHere, sweepHere } from "../fakes/run-here.ts";

let world: AskingWorld;

beforeEach(async () => {
  world = await createAskingWorld({ "looplia.yml": "upload-audit: false\n" });
  await runHere(world);
});
afterEach(() => world.close());

const status = () => world.ours("looplia:status")[0]?.body ?? "";
const approve = () => world.say("maintainer", `/approve ${questionOf(world)}`);

/** Calls `then` once, when the model is asked for the last step. */
function atLastStep(then: () => Promise<unknown>): void {
  const answer = world.modelTurn ?? writeDue;
  let isReached = false;
  world.modelTurn = async (body) => {
    if (!isReached && dueOutputs(body).includes("outline")) {
      isReached = true;
      await then();
    }
    return answer(body);
  };
}

/** The step before is pushed while the model is asked for the next one. */
async function merge(): Promise<void> {
  for (let looks = 0; looks < 200; looks += 1) {
    if ((await world.files()).some((file) => file.endsWith("/ideas.json"))) break;
  }
  await world.github.endPullRequest(1, "merged");
}

async function deleteBranch(): Promise<void> {
  const branch = (await world.branch()).replace(/^heads\//, "");
  await world.repository.git("update-ref", "-d", `refs/heads/${branch}`);
  // GitHub does so by itself.
  await world.github.endPullRequest(1, "closed");
}

test.each<[string, (ran: RanHere) => Promise<unknown>]>([
  ["post", (ran) => postHere(world, ran)],
  ["the next run", () => sweepHere(world)],
])(
  "GitHub fails at the last edit, and is well again later: %s shows how it ended, once",
  async (_, later) => {
    const id = world.ours("looplia:status")[0]?.id;
    atLastStep(async () => {
      world.github.onRequest = async ({ method, path }) => {
        if (method !== "PATCH" || !path.endsWith(`/comments/${id}`)) return;
        world.github.answers.push({ method, path: /\/comments\/\d+$/, status: 422, body: { message: "no" } });
      };
    });
    const ran = await deliverHere(world, approve());
    expect(ran.ended, ran.said).toBe("failed host-failed");
    expect(status()).toContain("waiting for 1 answer");
    world.github.onRequest = undefined;
    const asked = world.model.requests.length;
    await later(ran);
    expect(status()).toMatch(/^## looplia: completed/m);
    expect(world.model.requests.length).toBe(asked);
    const next = await sweepHere(world);
    expect(next.ended, next.said).toBe("ignored no-command");
  },
);

test.each<[string, () => Promise<unknown>]>([
  ["the pull request is closed", () => world.github.endPullRequest(1, "closed")],
  ["the branch is deleted", deleteBranch],
])("%s while a run is at work: that run says so, and nothing waits any more", async (_, end) => {
  atLastStep(end);
  const ran = await deliverHere(world, approve());
  expect(ran.ended, ran.said).toBe("ignored closed");
  expect(status()).not.toContain("running since");
  expect(status()).toMatch(/^## looplia: ignored \(the pull request or branch is gone\)/m);
  const tip = await world.repository.git("for-each-ref", "refs/looplia-state");
  const next = await sweepHere(world);
  expect(next.ended, next.said).toBe("ignored no-command");
  expect(await world.repository.git("for-each-ref", "refs/looplia-state")).toBe(tip);
});

test.each<[string, (branch: string) => Promise<unknown>]>([
  ["stays", async () => {}],
  ["is deleted by GitHub", (branch) => world.repository.git("update-ref", "-d", `refs/heads/${branch}`)],
])(
  "merged in a run's last seconds, and the branch %s: what the merge lacks comes on a pull request of its own, not made again",
  async (_, then) => {
    const branch = await world.branch();
    atLastStep(async () => {
      await merge();
      await then(branch);
    });
    const ran = await deliverHere(world, approve());
    expect(ran.ended, ran.said).toBe("ignored closed");
    expect(ran.said).not.toContain("warning");
    const told =
      /pull request 1 was merged before the run's last commits, and lacks \S+outline\.json, .*writing-kit\.json.*\. Pull request 2 brings that: https?:/;
    expect(status()).toMatch(told);
    const [carried] = await world.github.pullRequests();
    expect(carried).toMatchObject({ number: 2, state: "open", head: { ref: `${branch}-2` } });
    const list = async (ref: string) =>
      (await world.repository.git("ls-tree", "-r", "--name-only", ref)).split("\n");
    const [theirs, merged] = [await list(`${branch}-2`), await list("main")];
    expect(theirs.filter((file) => file.endsWith("/writing-kit.json"))).toHaveLength(1);
    expect(merged.filter((file) => !theirs.includes(file))).toEqual([]);
    expect(await world.repository.git("log", "-1", "--format=%s", `${branch}-2`)).toBe(
      "feat: what the merge of pull request 1 lacks",
    );
    const asked = world.model.requests.length;
    const next = await runHere(world);
    expect(next.ended, next.said).toBe("completed up-to-date");
    expect(next.report.pullRequest?.number).toBe(2);
    expect(world.model.requests).toHaveLength(asked);
    expect(world.ours("looplia:request")).toHaveLength(1);
    expect(theirs.filter((file) => file.startsWith("ran-"))).toHaveLength(1);
  },
);

test("the conversation is locked after the question: the status tells how it ended all the same", async () => {
  const answer = approve();
  world.github.onRequest = async ({ method, path }) => {
    if (method !== "POST" || !/\/(?:comments|reactions)$/.test(path)) return;
    const locked = { status: 403, body: { message: "Unable to create comment because issue is locked." } };
    world.github.answers.push({ method, path: /\/(?:comments|reactions)$/, ...locked });
  };
  const ran = await deliverHere(world, answer);
  expect(ran.ended, ran.said).toBe("completed done");
  expect(ran.said).toContain("unlock the pull request's conversation");
  expect(await world.effects()).toBe(1);
  expect(status()).toMatch(/^## looplia: completed/m);
  expect((await world.github.pullRequests())[0]?.body).not.toContain("is waiting for an answer");
  await sweepHere(world);
  expect(status()).toMatch(/^## looplia: completed/m);
  world.github.onRequest = undefined;
  expect((await sweepHere(world)).ended).toBe("completed up-to-date");
  expect(world.github.comments.reactionsOf(answer.id)).toContain("rocket");
}, 120_000);

test("the conversation is locked before the question: the run is green, title and text tell of it, the next run asks", async () => {
  await world.github.endPullRequest(1, "closed");
  world.github.onRequest = async ({ method, path }) => {
    if (method !== "POST" || !/\/(?:comments|reactions)$/.test(path)) return;
    const locked = { status: 403, body: { message: "Unable to create comment because issue is locked." } };
    world.github.answers.push({ method, path: /\/(?:comments|reactions)$/, ...locked });
  };
  const asked = await runHere(world);
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  expect(asked.said).toContain("unlock the pull request's conversation");
  const [pullRequest] = (await world.github.pullRequests()).filter(({ state }) => state === "open");
  expect(pullRequest?.title).toMatch(/^\[question\] /);
  expect(pullRequest?.body).toContain("Waiting for 1 answer");
  world.github.onRequest = undefined;
  const before = world.ours("looplia:request").length;
  await sweepHere(world);
  expect(world.ours("looplia:request")).toHaveLength(before + 1);
}, 120_000);

test("a refused reaction fails no run", async () => {
  const refused = { status: 403, body: { message: "Resource not accessible by integration" } };
  for (let count = 0; count < 8; count += 1)
    world.github.answers.push({ method: "POST", path: /\/reactions$/, ...refused });
  const ran = await deliverHere(world, approve());
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(1);
});

test("a scheduled run that could not show its own end, and then settles other works: post shows what is left", async () => {
  await commitFiles(world.repository.bare, "main", { "other/tea.md": ARTICLE }, "one more");
  await world.github.endPullRequest(1, "closed");
  world.modelTurn = writeDue;
  const fails = { method: "POST", path: /\/issues\/2\/comments$/, status: 422, body: { message: "no" } };
  world.github.answers.push(fails);
  const ran = await runHere(world, { inputs: { content: "other/*.md" }, event: { name: "schedule" } });
  expect(ran.ended, ran.said).toBe("failed host-failed");
  expect(status()).toMatch(/^## looplia: ignored \(the pull request or branch is gone\)/m);
  expect(world.ours("looplia:status")).toHaveLength(1);
  expect(ran.left.works).toHaveLength(1);
  const [, workId = ""] = /looplia:status (\S+)/.exec(status()) ?? [];
  const settled = { workId, branch: `looplia/${workId}`, folder: "/nowhere" };
  await postHere(world, { left: { works: [settled, ...(ran.left.works ?? [])] } });
  expect(world.ours("looplia:status")[1]?.body).toMatch(/^## looplia: completed/m);
});

test("a run is canceled after its pull request was closed: post says so", async () => {
  const interruption = new AbortController();
  atLastStep(async () => {
    await world.github.endPullRequest(1, "closed");
    interruption.abort("interrupted");
  });
  const ran = await deliverHere(world, approve(), { signal: interruption.signal });
  expect(ran.ended, ran.said).toBe("stopped interrupted");
  expect(status()).toContain("waiting for 1 answer");
  await postHere(world, ran);
  expect(status()).toMatch(/^## looplia: ignored \(the pull request or branch is gone\)/m);
});

test("comments that come as fast as they are answered: eight edits at most; what was said too late is told in the log, and read by the next run", async () => {
  const id = world.ours("looplia:status")[0]?.id;
  let edits = 0;
  world.github.onRequest = async ({ method, path }) => {
    if (method !== "PATCH" || !path.endsWith(`/comments/${id}`)) return;
    edits += 1;
    world.say("writer", "/status");
  };
  const ran = await deliverHere(world, world.say("writer", "/status"));
  world.github.onRequest = undefined;
  expect(edits).toBeGreaterThan(4);
  expect(edits).toBeLessThanOrEqual(8);
  expect(ran.said).toContain("comments written while this run ended are read by the next run");
  expect(status()).toMatch(/^## looplia: waiting for 1 answer/m);
  const last = world.github.comments.all.at(-1)?.id ?? 0;
  expect(world.github.comments.reactionsOf(last)).toEqual([]);
  await sweepHere(world);
  expect(world.github.comments.reactionsOf(last)).toEqual(["eyes", "rocket"]);
});

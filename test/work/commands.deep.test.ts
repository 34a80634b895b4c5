// What people say on a pull request, what expires, and what costs nobody anything, in this process: the same over the bundle
// is in the end-to-end tests.
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  type AskingWorld,
  asking,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { keepWorld } from "../fakes/kept-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { deliverHere, runHere, sweepHere } from "../fakes/run-here.ts";

const SETTINGS = "upload-audit: false\n";

describe("while a question waits", () => {
  let world: AskingWorld;
  let back: () => Promise<void>;

  beforeAll(async () => {
    world = await createAskingWorld({ "looplia.yml": SETTINGS });
    await runHere(world);
    back = await keepWorld(world);
    return () => world.close();
  });
  beforeEach(() => back());

  test("a waiting session costs a scheduled run no model request", async () => {
    const asked = world.model.requests.length;
    const tip = await world.repository.git(
      "rev-parse",
      (await world.branch()).replace("looplia/", "refs/looplia-state/"),
    );
    const ran = await runHere(world, { event: { name: "schedule" } });
    expect(ran.ended, ran.said).toBe("waiting open-questions");
    expect(ran.report.questions?.map(({ shortId }) => shortId)).toEqual([questionOf(world)]);
    expect(world.model.requests.length).toBe(asked);
    expect(
      await world.repository.git(
        "rev-parse",
        (await world.branch()).replace("looplia/", "refs/looplia-state/"),
      ),
    ).toBe(tip);
  });

  test.each<[string, string, string]>([
    ["/reject too risky", "Rejected", "too risky"],
    ["/revise use the other tool", "Sent back", "use the other tool"],
  ])("%s: the reason reaches the agent, and nothing ran", async (command, heading, reason) => {
    const ran = await deliverHere(world, world.say("writer", command));
    expect(ran.ended, ran.said).toBe("completed done");
    expect(world.ours("looplia:request")[0]?.body).toMatch(new RegExp(`^### ${heading}: run `, "m"));
    expect(await world.effects()).toBe(0);
    const told = world.model.requests.map(({ body }) => JSON.stringify(body.messages.at(-1)));
    expect(told.filter((message) => message.includes(reason))).toHaveLength(1);
  });

  test("/cancel ends the session: its question is closed, a later answer is refused", async () => {
    const question = questionOf(world);
    const canceled = await deliverHere(world, world.say("writer", "/cancel"));
    expect(canceled.ended, canceled.said).toBe("stopped closed");
    expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
    const late = world.say("writer", `/approve ${question}`);
    const ran = await deliverHere(world, late);
    expect(world.github.comments.reactionsOf(late.id)).toEqual(["confused"]);
    expect(ran.report.status).not.toBe("failed");
    expect(await world.effects()).toBe(0);
    // A clock does not ask again what a person ended; a person may.
    const scheduled = await runHere(world, { event: { name: "schedule" } });
    expect(scheduled.ended, scheduled.said).toBe("stopped closed");
    expect(world.ours("looplia:request")).toHaveLength(1);
    const again = await deliverHere(world, world.say("writer", "/looplia run"));
    expect(again.ended, again.said).toBe("waiting open-questions");
    expect(world.ours("looplia:request")).toHaveLength(2);
  });

  test("/looplia <text> is told to the next task, with its author, once", async () => {
    await deliverHere(world, world.say("writer", "/looplia Keep it short, please."));
    const before = world.model.requests.length;
    const ran = await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
    expect(ran.ended, ran.said).toBe("completed done");
    const openings = world.model.requests
      .slice(before)
      .filter(({ body }) => body.messages.length === 1)
      .map(({ body }) => JSON.stringify(body.messages[0]));
    expect(openings.filter((text) => text.includes("Keep it short, please."))).toHaveLength(1);
    expect(openings.find((text) => text.includes("Keep it short"))).toContain("writer wrote");
  });

  test("whoever may not decide is met with silence", async () => {
    const comment = world.say("reader", `/approve ${questionOf(world)}`);
    const ran = await deliverHere(world, comment);
    expect(ran.ended, ran.said).toBe("ignored not-permitted");
    expect(world.github.comments.reactionsOf(comment.id)).toEqual([]);
    expect(world.ours("looplia:reply")).toEqual([]);
    expect(await world.effects()).toBe(0);
  });
});

/** A world of this test's own. */
async function begin(files: Record<string, string> = {}): Promise<AskingWorld> {
  const world = await createAskingWorld({ "looplia.yml": SETTINGS, ...files });
  onTestFinished(() => world.close());
  return world;
}

test("/retry makes an output again in its session", async () => {
  const world = await begin();
  world.modelTurn = writeDue;
  await runHere(world);
  const asked = world.model.requests.length;
  const ran = await deliverHere(world, world.say("writer", "/retry ideas"));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(world.model.requests.length).toBeGreaterThan(asked);
  const again = await sweepHere(world);
  expect(again.ended, again.said).toBe("ignored no-command");
});

test("nobody answers in time: the question expires, its step fails, and a comment says so", async () => {
  const world = await begin();
  await runHere(world);
  const now = () => new Date(Date.now() + 169 * 3_600_000);
  const ran = await sweepHere(world, { clock: { now, elapsed: () => performance.now() } });
  expect(ran.ended, ran.said).toBe("stopped expired");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Expired/m);
  expect(world.ours("looplia:status")[0]?.body).toMatch(/^## looplia: stopped \(nobody answered in time\)/m);
  // An edit notifies nobody: a new comment mentions the same people as the question, with the way on, once.
  const told = () => world.ours("so it expired").map(({ body }) => body);
  const people = /@[\w-]+/.exec(
    world.ours("looplia:status").concat(world.ours("looplia:reply")).at(-1)?.body ?? "",
  );
  expect(told()).toEqual([expect.stringMatching(/question q1-[0-9a-f]{6}[\s\S]*\n\/looplia run\n/)]);
  if (people) expect(told()[0]).toContain(people[0]);
  expect(await world.effects()).toBe(0);
  // The comment says what to do: a schedule alone never asks the same again.
  const asked = world.model.requests.length;
  const later = await runHere(world, {
    clock: { now, elapsed: () => performance.now() },
    event: { name: "schedule" },
  });
  expect(later.ended, later.said).toBe("stopped expired");
  expect([world.ours("looplia:request").length, world.model.requests.length]).toEqual([1, asked]);
  expect(told()).toHaveLength(1);
  const again = await deliverHere(world, world.say("writer", "/looplia run"));
  expect(again.ended, again.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")).toHaveLength(2);
});

test("half of the time is over: the question says so once, and a new comment rings the phones again", async () => {
  const world = await begin();
  await runHere(world);
  const at = (hours: number) => ({
    clock: { now: () => new Date(Date.now() + hours * 3_600_000), elapsed: () => performance.now() },
  });
  await sweepHere(world, at(80));
  expect(world.ours("looplia:reply")).toEqual([]);
  for (const hours of [85, 90, 100]) {
    const ran = await sweepHere(world, at(hours));
    expect(ran.ended, ran.said).toMatch(/^(?:waiting open-questions|ignored no-command)$/);
  }
  const [reminder, ...others] = world.ours("looplia:reply");
  expect(others).toEqual([]);
  const [question, ...copies] = world.ours("looplia:request");
  expect(copies).toEqual([]);
  expect(reminder?.body).toContain(`issuecomment-${question?.id}`);
  expect(reminder?.body).toContain("is still open");
  expect(question?.body).toContain("**Reminder:**");
  const ran = await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
  expect(ran.ended, ran.said).toBe("completed done");
  world.github.assertValid();
});

test("a run that nobody started asks the owners of the item's path, and shows what the session has changed", async () => {
  const world = await begin({
    ".github/CODEOWNERS": "* @second\n/content/ @writer @owner/writers # text\n",
    "looplia.yml": `${SETTINGS}policy: allow editFile *.md\n`,
  });
  const input = { path: "notes.md", oldStr: "", newStr: "half a note\n" };
  const edit = asking({ type: "tool_use", id: "edit", name: "editFile", input });
  world.modelTurn = (body) =>
    dueOutputs(body)[0] === "ideas" && body.messages.length === 3 ? { content: [commandCall()] } : edit(body);
  const environment = { GITHUB_ACTION_REPOSITORY: "someone/looplia-action", GITHUB_ACTION_REF: "v1" };
  await runHere(world, { event: { name: "schedule" }, inputs: { mode: "content" }, environment });
  const [question] = world.ours("looplia:request");
  const page = "someone/looplia-action/blob/v1/docs/answering.md";
  expect(question?.body).toMatch(new RegExp(`\\[How to answer\\]\\(<\\S+/${page}>\\)`));
  expect(question?.body).toContain("@writer, @owner/writers and @second: your approval is needed.");
  expect(question?.body).toContain("Changes made by this session so far: 1 file");
  expect(question?.body).toContain("+half a note");
});

test.each<[string, string, string]>([
  ["who changed the item last", "", "@second"],
  ["`approvers`", "approvers: [maintainer]\n", "@maintainer"],
])("a run that nobody started asks %s, and the reminder mentions the same", async (_, setting, whom) => {
  const world = await begin({ "looplia.yml": `${SETTINGS}${setting}` });
  const person = { name: "Second", email: "7+second@users.noreply.github.com" };
  const item = { "content/kettles.md": `${ARTICLE}\nBoil less.\n` };
  await commitFiles(world.repository.bare, "main", item, "docs: say more", person);
  await commitFiles(world.repository.bare, "main", { "other.md": "x" }, "docs: something else");
  await runHere(world, { event: { name: "schedule" }, inputs: { mode: "content" } });
  const asked = `${whom}: your approval is needed.`;
  expect(world.ours("looplia:request")[0]?.body).toContain(asked);
  const clock = { now: () => new Date(Date.now() + 85 * 3_600_000), elapsed: () => performance.now() };
  await sweepHere(world, { clock });
  expect(world.ours("looplia:reply")[0]?.body).toMatch(new RegExp(`${whom}.*is still open`));
  const [question] = world.ours("looplia:request");
  expect(question?.body).toContain("**Reminder:**");
  expect(question?.body).toContain(asked);
});

test("a question before any change: an empty commit, and a pull request whose title says so", async () => {
  const world = await begin({
    ".looplia/.claude/agents/content-analyzer.md":
      "---\nname: content-analyzer\ndescription: d\ntools: askUser, writeArtifact\n---\nAsk.\n",
  });
  world.modelTurn = (body) =>
    body.messages.length === 1
      ? {
          content: [
            {
              type: "tool_use",
              id: "q",
              name: "askUser",
              input: { question: "Which?", options: ["A", "B"] },
            },
          ],
        }
      : writeDue(body);
  const ran = await runHere(world);
  expect(ran.ended, ran.said).toBe("waiting open-questions");
  const [pullRequest] = await world.github.pullRequests();
  expect(pullRequest).toMatchObject({ draft: false, title: expect.stringMatching(/^\[question\] content/) });
});

test("where GitHub refuses drafts, a question is asked, answered, and the work is done", async () => {
  const world = await begin();
  world.github.useFreePlan();
  const title = async () => (await world.github.pullRequests())[0]?.title;
  const asked = await runHere(world);
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  expect(await title()).toMatch(/^\[question\] content\(writing-kit\): /);
  const conclusion = () => world.github.checks.all.at(-1)?.conclusion;
  expect(conclusion()).toBe("neutral");
  const done = await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
  expect(done.ended, done.said).toBe("completed done");
  expect(await title()).toMatch(/^content\(writing-kit\): /);
  expect(conclusion()).toBe("success");
});

test("a draft of an earlier version: the status comment says what to press, and the draft is left to people", async () => {
  const world = await begin();
  await runHere(world);
  await world.github.makeDraft(1);
  await deliverHere(world, world.say("writer", `/approve ${questionOf(world)}`));
  const told = world.github.comments.all.filter(({ body }) => body.includes("Ready for review"));
  expect(told.map(({ id }) => id)).toEqual(world.ours("looplia:status").map(({ id }) => id));
  expect((await world.github.pullRequests())[0]).toMatchObject({ draft: true });
});

test("closed while it asks: the title loses the mark of the question", async () => {
  const world = await begin();
  await runHere(world);
  await world.github.endPullRequest(1, "closed");
  await sweepHere(world);
  expect((await world.github.pullRequests())[0]?.title).toMatch(/^content/);
});

test("closed by mistake, told so, and opened again: the question is asked again, and its answer ends the work", async () => {
  const world = await begin();
  const first = await runHere(world);
  const question = questionOf(world);
  await world.github.endPullRequest(1, "closed");
  await sweepHere(world);
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  await world.github.reopenPullRequest(1);
  const asked = world.model.requests.length;
  const ran = await runHere(world);
  expect(ran.ended, ran.said).toBe("waiting open-questions");
  expect(ran.report.pullRequest?.number).toBe(1);
  expect(world.model.requests.length).toBe(asked);
  expect(world.ours("looplia:request")).toHaveLength(2);
  expect((await world.github.pullRequests()).map(({ title }) => title)).toEqual([
    expect.stringMatching(/^\[question\] /),
  ]);
  const done = await deliverHere(world, world.say("writer", `/approve ${question}`));
  expect(done.ended, done.said).toBe("completed done");
  expect(done.report.items[0]?.sessionId).toBe(first.report.items[0]?.sessionId);
  expect(await world.effects()).toBe(1);
  expect(world.ours("looplia:request")[1]?.body).toMatch(/^### Approved/m);
}, 120_000);

test("closed and opened again after /cancel: what was canceled stays so", async () => {
  const world = await begin();
  await runHere(world);
  await deliverHere(world, world.say("writer", "/cancel"));
  await world.github.endPullRequest(1, "closed");
  await sweepHere(world);
  await world.github.reopenPullRequest(1);
  const ran = await deliverHere(world, world.say("writer", "/status"));
  expect(ran.report.questions, ran.said).toEqual([]);
  expect(await world.effects()).toBe(0);
}, 120_000);

test("merged or closed: answers are refused, and what is open is canceled", async () => {
  const world = await begin();
  await runHere(world);
  const question = questionOf(world);
  await world.github.endPullRequest(1, "closed");
  const early = world.say("reader", `/approve ${question}`);
  const late = world.say("maintainer", `/approve ${question}`);
  const ran = await deliverHere(world, late);
  expect(ran.ended, ran.said).toBe("ignored closed");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  expect(await world.effects()).toBe(0);
  // Who may is told why; everybody else is met with silence, and nothing is said twice.
  for (const comment of [late, early, late]) await deliverHere(world, comment);
  expect([early, late].map(({ id }) => world.github.comments.reactionsOf(id))).toEqual([[], ["confused"]]);
  const replies = world.ours("looplia:reply").map(({ body }) => body);
  expect(replies).toEqual([expect.stringMatching(/refused: Pull request \S*1\S* was merged or closed/)]);
});

// The story of a question over what repositories, plans, permissions and limits refuse: it ends as promised, or with the
// hint that helps.
import { afterEach, expect, test } from "vitest";
import {
  type AskingWorld,
  asking,
  COMMAND,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import { deliverHere, postHere, type RanHere, runHere, sweepHere } from "../fakes/run-here.ts";

let world: AskingWorld;

afterEach(() => world.close());

async function begin(settings = ""): Promise<void> {
  world = await createAskingWorld({ "looplia.yml": `upload-audit: false\n${settings}` });
}

async function askAndApprove(between: () => void = () => {}): Promise<RanHere> {
  const asked = await runHere(world);
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  between();
  const ran = await deliverHere(world, world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(await world.effects()).toBe(1);
  return ran;
}

const toldOf = ({ said, report }: RanHere) => `${said}${report.message ?? ""}`;

test.each<[string, () => void]>([
  ["a private repository of a free plan", () => world.github.useFreePlan()],
  ["a secondary rate limit", () => Object.assign(world.github.profile.secondaryLimit, { left: 2 })],
  [
    "a token that may not write checks",
    () => {
      world.github.checks.mayWrite = false;
    },
  ],
  [
    "a token with `pull-requests: write` and without `issues`",
    () => {
      world.github.profile.token.issues = "none";
    },
  ],
])("%s: asked, approved, done", async (_, set) => {
  await begin();
  set();
  const ran = await askAndApprove();
  expect(ran.ended, ran.said).toBe("completed done");
});

test("a conversation that is locked after the question: what was approved runs, and a warning says what to unlock", async () => {
  await begin();
  const ran = await askAndApprove(() => {
    world.github.profile.isLocked = true;
  });
  expect(ran.ended, ran.said).toBe("completed done");
  expect(ran.said).toMatch(/issue is locked/);
  world.github.profile.isLocked = false;
  await runHere(world, { inputs: { mode: "respond" }, event: { name: "schedule" } });
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Approved/m);
});

test.each([
  ["protected", /GH006/, /exempt the branch prefix from the repository's rules/],
  ["ruleset", /GH013/, /exempt the branch prefix from the repository's rules/],
  ["unsigned", /must have verified signatures/, /set `commits: api` in looplia.yml/],
  ["secret", /GITHUB PUSH PROTECTION/, /push protection found a key in a commit of the branch/],
] as const)("the branch is refused (%s): red, with the hint that helps", async (why, words, hint) => {
  await begin();
  await world.repository.refuseBranch(why);
  const ran = await runHere(world);
  expect(ran.ended, ran.said).toBe("failed host-failed");
  expect(toldOf(ran)).toMatch(words);
  expect(toldOf(ran)).toMatch(hint);
});

test.each([
  ["ruleset", /exempt the branch prefix from the repository's rules/],
  ["secret", /push protection found a key in a commit of the branch/],
] as const)(
  "the branch is refused after the question (%s): status and check say why, and once it is taken the work resumes",
  async (why, hint) => {
    await begin();
    // What it prints is the same when it runs again: a result that was not saved is lost with its runner.
    world.modelTurn = asking(commandCall(`${COMMAND} > /dev/null`));
    await runHere(world);
    await world.repository.refuseBranch(why);
    const environment = { GITHUB_RUN_ID: "900" };
    const approval = world.say("maintainer", `/approve ${questionOf(world)}`);
    const ran = await deliverHere(world, approval, { environment });
    expect(ran.ended, ran.said).toBe("failed host-failed");
    const expectTold = () => {
      const [status, ...more] = world.ours("looplia:status");
      expect(more).toEqual([]);
      for (const text of [/^## looplia: failed \(/m, hint, /comment `\/looplia run` to resume/]) {
        expect(status?.body).toMatch(text);
      }
      expect(world.github.checks.all[0]?.conclusion).toBe("failure");
    };
    expectTold();
    await postHere(world, ran, { environment });
    expectTold();
    expect(world.github.comments.reactionsOf(approval.id)).toEqual(["eyes"]);
    await world.repository.takeBranch();
    const resumed = await deliverHere(world, world.say("maintainer", "/looplia run"));
    expect(resumed.ended, resumed.said).toBe("completed done");
    expect(world.ours("looplia:request")).toHaveLength(1);
    expect(await world.effects()).toBe(1);
  },
);

test("a limit of GitHub that lasts: red, with the hint to wait, and the next run shows what is missing", async () => {
  await begin();
  Object.assign(world.github.profile.secondaryLimit, { left: 50, waitSeconds: 3_600 });
  const ran = await runHere(world);
  expect(ran.ended, ran.said).toBe("failed host-failed");
  expect(toldOf(ran)).toMatch(/limits this token for some minutes \(secondary rate limit\): run again later/);
  world.github.profile.secondaryLimit.left = 0;
  const next = await sweepHere(world);
  expect(next.ended, next.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")).toHaveLength(1);
});

test("branches whose rules require signed commits, with `commits: api`: GitHub makes and signs each one", async () => {
  await begin("commits: api\n");
  await world.repository.refuseBranch("unsigned");
  const ran = await askAndApprove();
  expect(ran.ended, ran.said).toBe("completed done");
  const [pull] = await world.github.pullRequests();
  const listed = await world.repository.git("rev-list", `main..refs/heads/${pull?.head.ref}`);
  const commits = await Promise.all(
    listed.split("\n").map((commit) => world.repository.git("cat-file", "commit", commit)),
  );
  expect(commits.length).toBeGreaterThan(1);
  for (const commit of commits) expect(commit).toMatch(/^gpgsig /m);
  const made = world.github.requests.filter(({ kind }) => kind.startsWith("POST /repos/{owner}/{repo}/git/"));
  expect(made.filter(({ kind }) => kind.endsWith("/commits"))).toHaveLength(commits.length);
  expect(made.length).toBeLessThanOrEqual(2 * commits.length);
  expect(ran.said).not.toMatch(/did not sign/);
});

test("a token that may not write pull requests: red, with the permission to give", async () => {
  await begin();
  Object.assign(world.github.profile.token, { issues: "none", pullRequests: "read" });
  const ran = await runHere(world);
  expect(ran.ended, ran.said).toBe("failed host-failed");
  expect(toldOf(ran)).toMatch(/`permissions: pull-requests: write`/);
});

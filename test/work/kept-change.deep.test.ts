// A command changes a file that decides what runs: the change is put back, and a person decides on the pull request.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readAudit } from "../../src/entry/audit.ts";
import { TOKEN } from "../fakes/action-world.ts";
import {
  type AskingWorld,
  asking,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import { dueOutputs, writeDue } from "../fakes/kit-api.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";

let world: AskingWorld;
beforeEach(async () => {
  world = await createAskingWorld({
    "looplia.yml": "approval: none\nsandbox: off\nupload-audit: false\n",
    ".npmrc": "registry=https://mine.example\n",
    "key.sh":
      "printf token=ghp_ >config.txt; for i in 1 2 3 4 5 6 7 8 9; do printf aB3d >>config.txt; done; echo b >b.txt",
    "build.sh": "echo 'registry=https://theirs.example' >.npmrc; echo built >built.txt\n",
  });
  world.modelTurn = asking(commandCall("sh build.sh"));
});
afterEach(() => world.close());

const atBranch = async (path: string) =>
  world.repository.git("show", `refs/heads/${await world.branch()}:${path}`);

test("the question shows the difference, and /approve makes the edit", async () => {
  const first = await runHere(world);
  expect(first.ended, first.said).toBe("waiting open-questions");
  const [asked] = world.ours("looplia:request");
  expect(asked?.body).toMatch(
    /^### A command changed \S*npmrc, and this was reverted\. Keep the command's version\?$/m,
  );
  expect(asked?.body).toContain("changes .npmrc, which decides what runs or who may");
  expect(asked?.body).toMatch(/-registry=https:\/\/mine\.example\n\+registry=https:\/\/theirs\.example/);
  expect(await atBranch(".npmrc")).toBe("registry=https://mine.example");

  const approval = world.say("maintainer", `/approve ${questionOf(world)}`);
  const second = await deliverHere(world, approval);
  expect(second.ended, second.said).toBe("completed done");
  expect(await atBranch(".npmrc")).toBe("registry=https://theirs.example");
  expect(await atBranch("built.txt")).toBe("built");
  const [request] = await world.github.pullRequests();
  expect(request?.body).toMatch(/> \[![A-Z]+\][\s\S]*\.npmrc/);
});

test.each(["approve", "reject"])(
  "a key in a file of a command is asked about, and /%s decides",
  async (word) => {
    const key = `ghp_${"aB3d".repeat(9)}`;
    world.modelTurn = asking(commandCall("sh key.sh"));
    const first = await runHere(world);
    expect(first.ended, first.said).toBe("waiting open-questions");
    const [asked] = world.ours("looplia:request");
    expect(asked?.body).toContain(
      "A command put what looks like a key (github) into config.txt: let it into the branch?",
    );
    expect(asked?.body).toContain("config.txt: github");
    expect(asked?.body).not.toContain(key);
    const { git } = world.repository;
    const stored = await git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
    const tree = (await git("ls-tree", "-r", "--name-only", stored)).split("\n");
    expect(tree.some((path) => path.endsWith("worktree/config.txt"))).toBe(true);

    const second = await deliverHere(world, world.say("maintainer", `/${word} ${questionOf(world)}`));
    expect(second.ended, second.said).toBe("completed done");
    expect(await atBranch("b.txt")).toBe("b");
    const files = await world.files();
    expect(files.includes("config.txt")).toBe(word === "approve");
    if (word === "approve") expect(await atBranch("config.txt")).toBe(`token=${key}`);
    else expect(second.said).toContain("config.txt was left out of the branch");
    expect(world.ours("looplia:request")).toHaveLength(1);
  },
);

test("a key in an artifact is asked about before the branch has it, and told in no comment", async () => {
  const key = `ghp_${"aB3d".repeat(9)}`;
  world.modelTurn = (body) => {
    const turn = writeDue(body);
    if (dueOutputs(body)[0] !== "ideas" || body.messages.length > 1) return turn;
    return JSON.parse(
      JSON.stringify(turn).replace(/("hooks":\[[^\]]*?"(?:text|content)":")/, `$1${key} `),
    ) as typeof turn;
  };
  const first = await runHere(world);
  expect(first.ended, first.said).toBe("waiting open-questions");
  const [asked] = world.ours("looplia:request");
  expect(asked?.body).toContain("contains what looks like a key (github), which may reach the branch");
  expect(asked?.body).toContain("> Something in this text looks like a key, and is withheld");
  expect(world.github.comments.all.some(({ body }) => body.includes(key))).toBe(false);
  const isAtBranch = async () => {
    const { git } = world.repository;
    return (await git("log", "-p", `refs/heads/${await world.branch()}`)).includes(key);
  };
  expect(await isAtBranch()).toBe(false);

  const second = await deliverHere(world, world.say("maintainer", `/approve ${questionOf(world)}`));
  expect(second.ended, second.said).toBe("completed done");
  expect(await isAtBranch()).toBe(true);
});

test("audit verify compares a log with the head that the request comment names", async () => {
  await runHere(world);
  const { git } = world.repository;
  const ref = await git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  const folder = join(world.root, "state-of-work");
  for (const path of (await git("ls-tree", "-r", "--name-only", ref)).split("\n")) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${await git("show", `${ref}:${path}`)}\n`);
  }
  const place = {
    root: join(world.root, "checkout"),
    environment: { PATH: process.env.PATH },
    settings: { branchPrefix: "looplia/", stateRefPrefix: "refs/looplia-state/" },
  } as unknown as Parameters<typeof readAudit>[0];
  const server = {
    serverUrl: `file://${join(world.root, "served")}`,
    apiUrl: world.github.apiUrl,
    repository: "owner/repo",
    token: TOKEN,
  };
  const verify = () => readAudit(place, folder, { server, cwd: world.root, exportTo: undefined });
  const problemsOf = ({ sessions }: Awaited<ReturnType<typeof verify>>) =>
    sessions.flatMap(({ problems }) => problems.map(({ message }) => message));

  const whole = await verify();
  expect(whole.compared).toContain("the request comments of pull request #1");
  expect([whole.unreached, problemsOf(whole)]).toEqual([[], []]);

  const [asked] = world.ours("looplia:request");
  if (asked) asked.body = asked.body.replace(/(one's hash `)[0-9a-f]{64}/, `$1${"0".repeat(64)}`);
  expect(problemsOf(await verify())).toEqual([expect.stringContaining("the comment ")]);
});

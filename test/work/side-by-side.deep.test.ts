// Decisions about different sessions never void each other: each session has a worktree of its own (DURABILITY, "What an
// approval is bound to").
import { expect, onTestFinished, test } from "vitest";
import { type AskingWorld, asking, commandCall, createAskingWorld } from "../fakes/asking-world.ts";
import { commitFiles } from "../fakes/git-http.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { deliverHere, runHere } from "../fakes/run-here.ts";
import { createTasksWorld, report, use } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const ITEMS = ["kettles", "lamps", "pots", "stoves"];

async function createItems(count: number, more: Record<string, string> = {}): Promise<AskingWorld> {
  const articles = ITEMS.slice(1, count).map((name) => [`content/${name}.md`, `${ARTICLE}\nOf ${name}.\n`]);
  const world = await createAskingWorld({
    ...Object.fromEntries(articles),
    "shared.txt": "one\n",
    "looplia.yml": "sandbox: 'off'\nupload-audit: false\n",
    ...more,
  });
  onTestFinished(() => world.close());
  // Each changes what every other worktree has as well, at a place of its own.
  world.modelTurn = asking(commandCall("mktemp ran-XXXXXX && ls ran-* | wc -l && cat shared.txt"));
  return world;
}

function questionsOf(world: Pick<AskingWorld, "ours">): string[] {
  return world
    .ours("looplia:request")
    .flatMap(({ body }) => /\/(?:approve|choose|answer) (q\d+-[0-9a-f]{6})/.exec(body)?.[1] ?? []);
}

/** What the button "Update branch" does. */
async function updateBranch(
  { repository: { git } }: Pick<AskingWorld, "repository">,
  branch: string,
): Promise<void> {
  const tree = (await git("merge-tree", "--write-tree", branch, "main")).split("\n")[0] ?? "";
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const merge = ["commit-tree", tree, "-p", branch, "-p", "main", "-m", "Merge branch 'main'"];
  await git("update-ref", `refs/heads/${branch}`, await git(...who, ...merge));
}

test("four items, four people, any order, a push and Update branch in between: all four commands run", async () => {
  const world = await createItems(4);
  const asked = await runHere(world);
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const questions = questionsOf(world);
  expect(questions).toHaveLength(4);
  const { bare } = world.repository;
  const branch = await world.branch();
  world.github.accounts.addPerson("fourth", "write");
  const people = ["writer", "maintainer", "second", "fourth"];
  for (const [at, question] of [3, 0, 2, 1].map((one) => questions[one]).entries()) {
    if (at === 1) await commitFiles(bare, branch, { "shared.txt": "two\n", "by-hand.txt": "x\n" }, "edit");
    if (at === 2) {
      await commitFiles(bare, "main", { "later.txt": "later\n" }, "later");
      await updateBranch(world, branch);
    }
    const ran = await deliverHere(world, world.say(people[at] ?? "", `/approve ${question}`));
    // The outcome waits for the questions that are still open.
    expect(ran.ended, ran.said).toBe(at === 3 ? "completed done" : "waiting open-questions");
    expect(await world.effects()).toBe(at + 1);
    expect(world.ours("looplia:request")).toHaveLength(4);
  }
  const files = await world.files();
  for (const file of ["by-hand.txt", "later.txt"]) expect(files).toContain(file);
  expect(files.filter((file) => file.endsWith("/ideas.json"))).toHaveLength(4);
  expect(await world.repository.git("show", `${branch}:shared.txt`)).toBe("two");
  // A person's steps: an answer for each question. One comment a question and the status, one commit a step.
  const ours = world.ours("looplia:").length;
  const subjects = (await world.repository.git("log", "--format=%s", `main..${branch}`)).split("\n");
  const steps = subjects.filter((subject) => subject.startsWith("content(")).length;
  expect({ ours, all: world.github.comments.all.length, steps }).toEqual({ ours: 5, all: 9, steps: 12 });
  world.github.assertValid();
});

test("one comment approves the commands of two sessions", async () => {
  const world = await createItems(2);
  await runHere(world);
  const questions = questionsOf(world);
  const ran = await deliverHere(world, world.say("writer", `/approve ${questions.join(" ")}`));
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.effects()).toBe(2);
  expect(world.ours("looplia:request")).toHaveLength(2);
});

test("two sessions change the same lines: nobody is asked about it, and the later one does its step again and is told why", async () => {
  const world = await createItems(2);
  world.modelTurn = asking(commandCall("mktemp ran-XXXXXX > shared.txt && cat shared.txt"));
  await runHere(world);
  const first = questionsOf(world);
  const ran = await deliverHere(world, world.say("writer", `/approve ${first.join(" ")}`));
  expect(ran.ended, ran.said).toBe("waiting open-questions");
  const [again, ...others] = questionsOf(world);
  expect(others).toEqual([]);
  expect(first).not.toContain(again);
  expect(world.ours("looplia:request").map(({ body }) => body)).not.toContainEqual(
    expect.stringContaining("A person changed"),
  );
  const told = world.model.requests.filter(({ body }) =>
    JSON.stringify(body.messages).includes("Another session of this work changed files at the same time"),
  );
  expect(told.length).toBeGreaterThan(0);
  const done = await deliverHere(world, world.say("writer", `/approve ${again}`));
  expect(done.ended, done.said).toBe("completed done");
  expect(world.ours("looplia:request")).toHaveLength(3);
});

test("a push and Update branch while a task of a list waits: its command runs, and its edit is in the same commit", async () => {
  const files = {
    "to-do.json": makeTodo([makeTask("T1")]),
    "looplia.yml": "policy: allow editFile *.md\nsandbox: 'off'\n",
  };
  const world = await createTasksWorld(files, {
    T1: (turn) => {
      if (turn === 1) return use("editFile", { path: "half.md", oldStr: "", newStr: "half\n" });
      return turn === 2 ? use("runCommand", { command: "cp half.md whole.md" }) : report("T1");
    },
  });
  onTestFinished(() => world.close());
  const asked = await world.here();
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const branch = await world.branch();
  await commitFiles(world.repository.bare, branch, { "by-hand.txt": "x\n" }, "edit");
  await commitFiles(world.repository.bare, "main", { "later.txt": "later\n" }, "later");
  await updateBranch(world, branch);
  const ran = await world.hear("writer", `/approve ${questionsOf(world).join(" ")}`);
  expect(ran.ended, ran.said).toBe("completed done");
  expect(world.ours("looplia:request")).toHaveLength(1);
  for (const file of ["whole.md", "half.md", "by-hand.txt", "later.txt"])
    expect(await world.file(file)).not.toBe("");
  const last = await world.repository.git(
    "log",
    "-1",
    "--format=%H",
    `refs/heads/${branch}`,
    "--",
    "whole.md",
  );
  const changed = await world.repository.git("show", "--name-only", "--format=", last);
  expect(changed.split("\n").sort()).toEqual(["half.md", "to-do.json", "whole.md"]);
});

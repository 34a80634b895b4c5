// What people and events do to a task list that the Action works through, with real git and a local GitHub.
import { afterEach, expect, test } from "vitest";
import { commitFiles } from "../fakes/git-http.ts";
import {
  type Behaviour,
  createTasksWorld,
  orderOf,
  questionOf,
  report,
  subjectOf,
  type TasksWorld,
  use,
} from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

let world: TasksWorld;

afterEach(async () => {
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
  await world.close();
});

const ASK: Behaviour = (turn) =>
  turn === 1 ? use("runCommand", { command: "mktemp ran-XXXXXX" }) : undefined;

const EDITS = { "looplia.yml": "policy: allow editFile *.md\n" };
const EDIT_AND_ASK: Behaviour = (turn) =>
  turn === 1
    ? use("editFile", { path: "T1.md", oldStr: "", newStr: "half\n" })
    : turn === 2
      ? use("runCommand", { command: "mktemp ran-XXXXXX" })
      : undefined;

test("/retry sets a task back, even a done one, and it is tried before the others; /looplia reaches its agent", async () => {
  const tasks = [makeTask("T1"), makeTask("T2", { priority: 5 })];
  world = await createTasksWorld({ "to-do.json": makeTodo(tasks) }, { T2: ASK });
  const asked = await world.here();
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  expect(await world.states()).toBe("T1 done, T2 todo");

  const told = await world.hear("writer", "/looplia Mind the comma.");
  expect(told.ended, told.said).toBe("waiting open-questions");
  const retried = await world.hear("maintainer", "/retry T1");
  expect(retried.ended, retried.said).toBe("waiting open-questions");
  expect(orderOf(world.model.requests)).toEqual(["T1", "T2", "T1"]);
  expect(JSON.stringify(world.model.requests.at(-1)?.body.messages[0])).toMatch(/writer.*Mind the comma\./s);
  expect(await world.states()).toBe("T1 done, T2 todo");
});

test("/retry of what waits begins it anew: its question is closed; one of a task that was never begun is refused", async () => {
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1")]) }, { T1: ASK });
  await world.here();
  const again = await world.hear("maintainer", "/retry T1");
  expect(again.ended, again.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request").map(({ body }) => /^### (\w+)/m.exec(body)?.[1])).toEqual([
    "Canceled",
    "Approve",
  ]);
  const strange = await world.hear("maintainer", "/retry T9");
  expect(strange.ended, strange.said).toBe("waiting open-questions");
  expect(world.ours("looplia:reply")[0]?.body).toMatch(/has begun T9\. Begun so far: T1\./);
});

test("/cancel ends the session and its question, and the list says that nobody is at its task; the next run begins another", async () => {
  const tasks = [makeTask("T1"), makeTask("T2", { status: "blocked", blockers: ["no key"] })];
  world = await createTasksWorld({ "to-do.json": makeTodo(tasks), ...EDITS }, { T1: EDIT_AND_ASK });
  const asked = await world.here();
  expect(await world.states()).toBe("T1 todo, T2 blocked");
  const canceled = await world.hear("maintainer", "/cancel");
  expect(canceled.ended, canceled.said).toBe("stopped closed");
  expect(await world.states()).toBe("T1 todo, T2 blocked");
  // What was changed so far is not thrown away.
  expect(await world.file("T1.md")).toBe("half");
  expect((await world.commits()).at(-1)).toMatch(/^chore: put T1 back\n\ncanceled by maintainer\n/);
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
  const status = world.ours("looplia:status")[0]?.body;
  expect(status).toMatch(
    /looplia: canceled\n\n```text\ncanceled by maintainer; `\/looplia run` starts over\n```/,
  );
  expect(status).toMatch(/\*\*T1\*\* Do T1 \| ○ todo\b/);
  const commits = (await world.commits()).length;
  await world.hear("maintainer", "/status");
  expect((await world.commits()).length).toBe(commits);
  await world.hear("maintainer", "/retry T1");
  expect(world.ours("looplia:reply")[0]?.body).toMatch(/was canceled\. Comment \/looplia run to start over/);
  // A clock does not ask what a person ended.
  const scheduled = await world.here({ event: { name: "schedule" } });
  expect(scheduled.ended, scheduled.said).toBe("stopped closed");
  expect(await world.states()).toBe("T1 todo, T2 blocked");
  const next = await world.hear("maintainer", "/looplia run");
  expect(next.ended, next.said).toBe("waiting open-questions");
  expect(next.report.items[0]?.sessionId).not.toBe(asked.report.items[0]?.sessionId);
  expect(await world.states()).toBe("T1 todo, T2 blocked");
});

test("/revise: the agent tries again in the same conversation; /status runs nothing", async () => {
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1")]) }, { T1: ASK });
  await world.here();
  const requests = world.model.requests.length;
  const shown = await world.hear("writer", "/status");
  expect(shown.ended, shown.said).toBe("waiting open-questions");
  expect(world.model.requests.length).toBe(requests);
  const revised = await world.hear("writer", `/revise ${questionOf(world)} by hand, please`);
  expect(revised.ended, revised.said).toBe("completed done");
  expect(JSON.stringify(world.model.requests[requests]?.body.messages.at(-1))).toContain("by hand, please");
  expect(world.model.requests[requests]?.body.messages).toHaveLength(3);
});

test("a wake that runs nothing says of the work what its result says, and counts no end marker", async () => {
  const stuck = () => report("T2", { status: "blocked", blockers: ["no key"] });
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) }, { T2: stuck });
  const ran = await world.here();
  expect(ran.ended, ran.said).toBe("stopped blocked-tasks");
  const shown = await world.hear("writer", "/status");
  expect(shown.ended, shown.said).toBe("stopped blocked-tasks");
  const [item] = shown.report.items;
  expect(`${item?.status} ${item?.reasonCode}`).toBe(shown.ended);
});

test("/status of a list that is done: completed, and its three tasks are three", async () => {
  const tasks = ["T1", "T2", "T3"].map((id) => makeTask(id));
  world = await createTasksWorld({ "to-do.json": makeTodo(tasks) });
  await world.here();
  expect(await world.states()).toBe("T1 done, T2 done, T3 done, project-done done");
  await world.hear("writer", "/status");
  const [status] = world.ours("looplia:status");
  expect(status?.body).toContain("## looplia: completed\n");
  expect(status?.body).toContain("**3 of 3 tasks done**");
});

test("a push of the list goes on in the open work; what was changed on the base is reported and not merged", async () => {
  const first = makeTodo([makeTask("T1"), makeTask("T2", { priority: 5 }), makeTask("T4", { priority: 5 })]);
  world = await createTasksWorld({ "to-do.json": first }, { T2: ASK });
  const started = await world.here();
  const second = makeTodo([makeTask("T1"), makeTask("T2", { priority: 4 }), makeTask("T3")]);
  await commitFiles(world.repository.bare, "main", { "to-do.json": second }, "more");
  const pushed = await world.here({ event: { name: "push" }, inputs: { mode: "auto" } });
  expect(pushed.ended, pushed.said).toBe("waiting open-questions");
  const warned =
    /T2 reads differently there, T3 is new there, T4 is gone there\. Merge main into looplia\/tasks-/;
  expect(pushed.said).toMatch(warned);
  expect(pushed.report.pullRequest?.number).toBe(started.report.pullRequest?.number);
  expect(await world.states()).toBe("T1 done, T2 todo, T4 todo");
  const asked = world.ours("looplia:request");
  expect(asked).toHaveLength(2);
  expect(asked[1]?.body).toContain("### 2 tasks of to-do.json were changed on main: take them?");
  expect(asked[1]?.body).toContain("T2 reads differently there\nT3 is new there\n```");
});

test("what can't be taken from the base is reported, and nobody is asked to take it: a broken list, tasks that are gone", async () => {
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  await world.here();
  await commitFiles(world.repository.bare, "main", { "to-do.json": "{ tasks" }, "broken");
  const ran = await world.here({ event: { name: "push" }, inputs: { mode: "auto" } });
  expect(ran.said).toContain("nothing of it is merged: it can't be read there");
  expect(ran.ended, ran.said).toBe("completed up-to-date");
  const gone = makeTodo([makeTask("T2")]);
  await commitFiles(world.repository.bare, "main", { "to-do.json": gone }, "gone");
  const again = await world.here({ event: { name: "push" }, inputs: { mode: "auto" } });
  expect(again.said).toMatch(/nothing of it is merged: .*T1 is gone there/);
  const asked = world.ours("looplia:request");
  expect(asked.map(({ body }) => /^### .*$/m.exec(body)?.[0])).toEqual(["### T2 is new on main: take it?"]);
});

test("a task that is new on the base is offered, also when the list is done: taken, it is done as well", async () => {
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  expect((await world.here()).ended).toBe("completed done");
  const second = makeTodo([makeTask("T1"), makeTask("N1")]);
  await commitFiles(world.repository.bare, "main", { "to-do.json": second }, "more");
  const push = () => world.here({ event: { name: "push" }, inputs: { mode: "auto" } });
  const asked = await push();
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const [question] = world.ours("looplia:request");
  expect(question?.body).toContain("N1 is new on main: take it?");
  await push();
  expect(world.ours("looplia:request")).toHaveLength(1);
  const taken = await world.hear("writer", `/choose ${questionOf(world)} take`);
  expect(taken.ended, taken.said).toBe("completed done");
  expect(await world.states()).toMatch(/^T1 done, project-done done, N1 done/);
  const again = await push();
  expect(again.ended, again.said).toBe("completed up-to-date");
  expect(world.ours("looplia:request")).toHaveLength(1);
});

test("an edit of the list on the branch stands: what was begun from other words starts over", async () => {
  world = await createTasksWorld(
    { "to-do.json": makeTodo([makeTask("T1")]) },
    { T1: (turn, body) => (JSON.stringify(body).includes("Paint it") ? undefined : ASK(turn, body)) },
  );
  await world.here();
  const { tasks } = JSON.parse(await world.file("to-do.json"));
  const edited = makeTodo([{ ...tasks[0], title: "Paint it" }, makeTask("T2")], { "x-note": "mine" });
  await commitFiles(world.repository.bare, await world.branch(), { "to-do.json": edited }, "mine");
  const next = await world.here();
  expect(next.ended, next.said).toBe("completed done");
  expect(await world.states()).toBe("T1 done, T2 done, project-done done");
  expect(await world.file("to-do.json")).toContain('"x-note": "mine"');
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Canceled/m);
});

test("a second event while a run is at work is busy; a limit stops it with a task left, and the next run goes on", async () => {
  const tasks = [makeTask("T1"), makeTask("T2")];
  const busy: string[] = [];
  world = await createTasksWorld({ "to-do.json": makeTodo(tasks), "looplia.yml": "max-iterations: 1\n" }, {});
  const answer = world.modelTurn;
  world.modelTurn = async (body) => {
    if (busy.length === 0) busy.push((await world.here()).ended);
    return answer?.(body) ?? report(subjectOf(body));
  };
  const ran = await world.here();
  expect([ran.ended, busy], ran.said).toEqual(["stopped max-iterations", ["ignored busy"]]);
  expect(ran.report.items[0]?.message).toContain("1 task is left: T2");
  expect(await world.states()).toBe("T1 done, T2 todo");
  const next = await world.here();
  expect(next.ended, next.said).toBe("completed done");
});

test("a runbook without a model: `$ ` steps wait for approval, `? ` steps for an answer, all on the pull request", async () => {
  const steps = [
    "? region: Which region? [eu | us]",
    "$ printenv LOOPLIA_REGION > region.txt",
    "$ ls nowhere",
  ];
  const tasks = [makeTask("T1", { steps }), makeTask("T2", { depends_on: ["T1"], steps: ["$ true"] })];
  world = await createTasksWorld({ "to-do.json": makeTodo(tasks) });
  const inputs = { provider: "offline", "anthropic-api-key": "" };
  const asked = await world.here({ inputs });
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const chosen = await world.hear("writer", `/choose ${questionOf(world)} 1`, { inputs });
  expect(chosen.ended, chosen.said).toBe("waiting open-questions");
  // Commands up to the next question are one Confirm, each with the answer that it gets as environment.
  expect(world.ours("looplia:request").at(-1)?.body).toMatch(
    /printenv LOOPLIA_REGION > region\.txt\n\s*# with LOOPLIA_REGION="eu"\n2\. [^\n]*\n\s*ls nowhere\n/,
  );
  const failed = await world.hear("maintainer", `/approve ${questionOf(world)}`, { inputs });
  expect(failed.ended, failed.said).toBe("stopped blocked-tasks");
  expect(world.ours("looplia:request")).toHaveLength(2);
  expect(await world.file("region.txt")).toBe("eu");
  expect(await world.states()).toBe("T1 blocked, T2 todo");
  expect((await world.commits()).at(-1)).toMatch(/^chore: note that T1 is blocked\n\n.*ls nowhere/);
  expect(world.model.requests).toEqual([]);
});

test("somebody adds a task while a run is at work: their version is kepts, what was done stays done, nobody is asked", async () => {
  let theirs: string | undefined = makeTodo([makeTask("T1"), makeTask("T2", { priority: 5 })]);
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1")]) }, {});
  const answer = world.modelTurn;
  world.modelTurn = async (body) => {
    if (theirs !== undefined) {
      const files = { "to-do.json": theirs };
      theirs = undefined;
      await commitFiles(world.repository.bare, await world.branch(), files, "one more");
    }
    return answer?.(body) ?? report(subjectOf(body));
  };
  const first = await world.here();
  expect(first.ended, first.said).toBe("completed done");
  // Before T1 ended, its push was brought in: the same run did T2.
  const next = await world.here();
  expect(next.ended, next.said).toBe("completed up-to-date");
  expect(orderOf(world.model.requests).filter((subject) => subject !== "review")).toEqual(["T1", "T2"]);
  expect(await world.states()).toMatch(/T1 done.*T2 done/);
  expect(world.ours("looplia:request")).toEqual([]);
});

test("nobody answers in time: the task is blocked, and the next one begins", async () => {
  const tasks = [makeTask("T1"), makeTask("T2", { priority: 5 })];
  world = await createTasksWorld(
    { "to-do.json": makeTodo(tasks), "looplia.yml": "answer-ttl-hours: 1\n" },
    { T1: ASK },
  );
  const asked = await world.here();
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const later = { now: () => new Date(Date.now() + 2 * 3_600_000), elapsed: () => performance.now() };
  const expired = await world.here({ clock: later });
  expect(expired.ended, expired.said).toBe("stopped blocked-tasks");
  expect(await world.states()).toBe("T1 blocked, T2 done");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/^### Expired/m);
});

test("mode `auto` finds a list wherever it is and whatever it is called; two spellings of its path are one work", async () => {
  const path = ".looplia/lists/now [1] {a,b}*.json";
  world = await createTasksWorld({ [path]: makeTodo([makeTask("T1"), makeTask("T2", { priority: 5 })]) });
  const here = (todo: string, task: string) =>
    world.here({ inputs: { mode: "auto", todo }, environment: { LOOPLIA_TASK: task } });
  const first = await here(path, "T1");
  expect(first.ended, first.said).toBe("completed done");
  const second = await here(`./.looplia/x/../lists//${path.split("/").at(-1)}`, "T2");
  expect(second.ended, second.said).toBe("completed done");
  expect(await world.github.pullRequests()).toHaveLength(1);
  const { tasks } = JSON.parse(await world.file(path));
  expect(tasks.map(({ status }: { status: string }) => status)).toEqual(["done", "done"]);
});

test("mode `auto` with `task` and nothing else runs that task alone; one that is not there is an error that leaves no trace", async () => {
  world = await createTasksWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  const alone = (task: string) => world.here({ inputs: { mode: "" }, environment: { LOOPLIA_TASK: task } });
  const missing = await alone("T9");
  expect(missing.ended, missing.said).toBe("failed config-invalid");
  expect(missing.report.message).toContain('There is no task "T9" in to-do.json.');
  expect(await world.repository.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  const ran = await alone("T2");
  expect(ran.ended, ran.said).toBe("completed done");
  expect(await world.states()).toBe("T1 todo, T2 done");
});

test("mode `auto` without content, list and documents says what is missing", async () => {
  world = await createTasksWorld({ "notes.txt": "x" });
  const nothing = await world.here({ inputs: { mode: "auto" } });
  expect(nothing.ended).toBe("failed config-invalid");
  expect(nothing.report.message).toMatch(/`content` is not set, and main has no to-do\.json/);
});

test("a blocked task has a commit, and no other as long as its agent says the same; a skipped one has none", async () => {
  const tasks = [makeTask("T1"), makeTask("T2", { priority: 5 })];
  let isChanged = false;
  world = await createTasksWorld(
    { "to-do.json": makeTodo(tasks), ...EDITS },
    {
      T1: (turn) =>
        isChanged && turn === 1
          ? use("editFile", { path: "T1.md", oldStr: "", newStr: "half\n" })
          : report("T1", { status: "blocked", blockers: ["no key"] }),
      T2: () => report("T2", { status: "skipped", summary: "Not now." }),
    },
  );
  const subjects = async () => (await world.commits()).map((message) => message.split("\n")[0]);
  for (const _ of [1, 2, 3]) {
    const ran = await world.here();
    expect(ran.ended, ran.said).toBe("stopped blocked-tasks");
    expect(await world.states()).toBe("T1 blocked, T2 todo");
  }
  const noted = ["chore: note that T1 is blocked"];
  expect(await subjects()).toEqual(noted);
  const again = await world.hear("maintainer", "/retry T1");
  expect(again.ended, again.said).toBe("stopped blocked-tasks");
  expect(await subjects()).toEqual(noted);
  isChanged = true;
  await world.hear("writer", "/retry T1");
  expect(await subjects()).toEqual([...noted, "chore: note that T1 is blocked"]);
});

test("an approved edit of a file that decides what runs is boxed at the top; what a command changed of one is told", async () => {
  world = await createTasksWorld(
    {
      "looplia.yml": "policy: allow runCommand node owners.mjs\n",
      "owners.mjs": "import { writeFileSync } from 'node:fs';\nwriteFileSync('CODEOWNERS', '');\n",
      "to-do.json": makeTodo([makeTask("T1")]),
    },
    {
      T1: (turn) =>
        turn === 1
          ? use("editFile", { path: "docs/.envrc", oldStr: "", newStr: "export A=1\n" })
          : turn === 2
            ? use("runCommand", { command: "node owners.mjs" })
            : undefined,
    },
  );
  const box = "This work changes what decides what runs or who has permission. Review before merging:";
  const asked = await world.here();
  expect(asked.ended, asked.said).toBe("waiting open-questions");
  const [before] = await world.github.pullRequests();
  expect(before?.body).not.toContain(box);
  const undone = await world.hear("maintainer", `/approve ${questionOf(world)}`);
  expect(undone.ended, undone.said).toBe("waiting open-questions");
  expect(world.ours("looplia:status")[0]?.body).toMatch(
    /A command changed .*CODEOWNERS.*The change was undone, and a copy is in put-back\/[0-9a-f]{8} of the workflow artifact/,
  );
  const done = await world.hear("maintainer", `/reject ${questionOf(world)}`);
  expect(done.ended, done.said).toBe("completed done");
  const [after] = await world.github.pullRequests();
  expect(after?.body).toMatch(
    new RegExp(`^<!-- looplia:work .* -->\n\n> \\[!CAUTION\\]\n> ${box}\n>\n> - \`docs/.envrc\`\n\n`),
  );
});

test.each(["approve", "reject"])("a key in a task's title and in an agent's words, and /%s", async (word) => {
  const key = `ghp_${"aB3d".repeat(9)}`;
  const tasks = [makeTask("T1", { title: `Rotate ${key}` }), makeTask("T2", { priority: 5 })];
  world = await createTasksWorld({ "to-do.json": makeTodo(tasks) });
  const first = await world.here();
  expect(first.ended, first.said).toBe("waiting open-questions");
  expect(await world.states()).toMatch(/^T1 done, T2 done/);
  const told = async () =>
    JSON.stringify([world.github.comments.all, await world.github.pullRequests()]).includes(key);
  const commits = () => world.repository.git("log", "--all", "--format=%B");
  const [asked, ...others] = world.ours("looplia:request");
  expect(others).toEqual([]);
  expect(asked?.body).toMatch(/Publish what looks like a key \(github\) in \d texts\?/);
  expect(asked?.body).toMatch(/github: in [^\n]*a commit message/);
  expect([await told(), (await commits()).includes(key)]).toEqual([false, false]);

  const second = await world.hear("maintainer", `/${word} ${questionOf(world)}`);
  expect(second.ended, second.said).toBe("completed up-to-date");
  expect(await told()).toBe(word === "approve");
  expect(world.ours("looplia:request")).toHaveLength(1);
});

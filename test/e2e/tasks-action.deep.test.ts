// The task list in the Action: one work, one commit a task, and people who steer it on the pull request.
import { afterEach, expect, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import {
  createTasksWorld,
  questionOf,
  report,
  subjectOf,
  type TasksWorld,
  use,
} from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

let world: TasksWorld;

afterEach(async () => {
  await world.close();
});

/** What differs from run to run. */
function blot(text: string): string {
  return text
    .replace(/to-do-\d{4}-\d\d-\d\d-[0-9a-f]{6}/g, "<session>")
    .replace(/tasks-[0-9a-f]{6}/g, "<work>")
    .replace(/ran-\w{6}/g, "ran-<random>");
}

const EDITS = { "looplia.yml": "policy: allow editFile *.md\n" };

test("start, tasks, a question, green; /approve goes on in the same task; a commit a task, one pull request", async () => {
  const tasks = [
    makeTask("T1", { tags: ["docs"], title: "Say hello" }),
    makeTask("T2", { priority: 4, title: "Make a file" }),
    makeTask("T3", { priority: 5, depends_on: ["T2"] }),
  ];
  world = await createTasksWorld(
    { ...EDITS, "to-do.json": makeTodo(tasks, { project: { name: "Greetings", root: "." } }) },
    {
      T1: (turn) =>
        turn === 1 ? use("editFile", { path: "hello.md", oldStr: "", newStr: "Hi\n" }) : undefined,
      T2: (turn) => (turn === 1 ? use("runCommand", { command: "mktemp ran-XXXXXX" }) : undefined),
    },
  );
  const asked = await world.start();
  expect(ended(asked), said(asked)).toBe("waiting open-questions");
  expect(asked.outputs.get("work-id")).toMatch(/^tasks-[0-9a-f]{6}$/);
  expect(await world.states()).toBe("T1 done, T2 todo, T3 todo");
  expect(world.ours("looplia:status")[0]?.body).toMatch(
    /\| \*\*T2\*\* Make a file \| \? waiting for your answer · /,
  );
  expect(world.ours("looplia:request")[0]?.body).toContain(
    "\nFor task **T2**: Make a file, asked by the agent `anthropic`.",
  );
  expect(asked.stdout).toMatch(/due: T1 \(todo\), T2 \(todo\), T3 \(todo\)\n/);
  expect(asked.stdout).toMatch(
    /^::group::iteration 2: T2: Make a file \(agent anthropic, model \S+, schedule anthropic\)$/m,
  );
  expect(asked.stdout).toMatch(/: q1-[0-9a-f]{6} is waiting for an answer: Run \(at most 30 s\): mktemp/);
  expect(asked.stdout).not.toMatch(/::debug::|artifact/i);
  const turns = world.model.requests.length;

  // By schedule there is nothing to do while somebody must answer.
  const idle = await world.start();
  expect(ended(idle), said(idle)).toBe("waiting open-questions");
  expect(idle.stdout).toMatch(/^looplia: waiting for 1 answer \(http\S+\/pull\/1\)$/m);
  expect(world.model.requests.length).toBe(turns);

  const approved = await world.comment("maintainer", `/approve ${questionOf(world)} go ahead`);
  expect(ended(approved), said(approved)).toBe("completed done");
  expect(approved.outputs.get("session-id")).toBe(asked.outputs.get("session-id"));
  const goesOn = world.model.requests[turns]?.body.messages ?? [];
  expect(goesOn).toHaveLength(3);
  expect(JSON.stringify(goesOn[2])).toMatch(/tool_result.*ran-/);
  expect(await world.states()).toBe("T1 done, T2 done, T3 done, project-done done");
  expect(blot((await world.commits()).join("\n----\n"))).toMatchInlineSnapshot(`
    "docs: Say hello

    Did T1.

    Looplia-Session: <session>
    Looplia-Task: T1
    Looplia-Run: 101.1
    ----
    chore: Make a file

    Did T2.

    Looplia-Session: <session>
    Looplia-Task: T2
    Looplia-Run: 103.1
    ----
    chore: Do T3

    Did T3.

    Looplia-Session: <session>
    Looplia-Task: T3
    Looplia-Run: 103.1
    ----
    chore: Project done

    Looplia-Session: <session>
    Looplia-Task: project-done
    Looplia-Run: 103.1"
  `);
  const [pullRequest, ...others] = await world.github.pullRequests();
  expect([others, pullRequest?.title]).toEqual([[], "chore: Greetings"]);
  expect(pullRequest?.body).toMatch(/3 of 3 tasks done.*\| \*\*T1\*\* Say hello \| ✓ done[^|]*<br>Did T1\./s);

  // With the end marker there is nothing to do, and no model is asked.
  const requests = world.model.requests.length;
  const over = await world.start();
  expect(ended(over), said(over)).toBe("completed up-to-date");
  expect(world.model.requests.length).toBe(requests);
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
});

test("merged while the last task runs, and GitHub deletes the branch: that task comes on the next pull request, not done again", async () => {
  world = await createTasksWorld(
    {
      "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]),
      "looplia.yml": "policy: allow editFile *.md\n",
    },
    {
      T2: (turn) =>
        turn === 1 ? use("editFile", { path: "two.md", oldStr: "", newStr: "second\n" }) : undefined,
    },
  );
  // What a pull request is opened for: an earlier run ended with T1.
  const first = await world.here({ environment: { LOOPLIA_MAX_ITERATIONS: "1" } });
  expect(first.ended, first.said).toBe("stopped max-iterations");
  const branch = await world.branch();
  const answer = world.modelTurn;
  let isMerged = false;
  world.modelTurn = async (body) => {
    if (!isMerged) {
      isMerged = true;
      await world.github.endPullRequest(1, "merged");
      await world.repository.git("update-ref", "-d", `refs/heads/${branch}`);
    }
    return answer?.(body) ?? report(subjectOf(body));
  };
  const cut = await world.start();
  expect(ended(cut), said(cut)).toBe("ignored closed");
  expect(world.ours("looplia:status")[0]?.body).toMatch(
    /pull request 1 was merged before the run's last commits, and lacks .*two\.md\. Pull request 2 brings that/,
  );
  expect(await world.branch()).toBe(`${branch}-2`);
  expect(await world.file("two.md")).toBe("second");
  const asked = world.model.requests.length;
  const next = await world.here();
  expect(next.ended, next.said).toBe("completed up-to-date");
  expect(world.model.requests).toHaveLength(asked);
  expect(await world.states()).toBe("T1 done, T2 done, project-done done");
  expect((await world.github.pullRequests())[0]).toMatchObject({ number: 2, state: "open" });
});

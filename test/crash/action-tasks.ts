// The trial of a task list in the Action: one task writes a file, the next asks for a command, the last depends on it.
import type { TodoFile } from "../../src/todo/document.ts";
import type { Turn } from "../fakes/messages-api-script.ts";
import { createTasksWorld, type TasksWorld } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";
import type { Scenario } from "./action-trial.ts";

const IDS = ["T1", "T2", "T3"];
const MADE = "Made once.";
const FILES = {
  "looplia.yml": "policy: allow editFile *.md\n",
  "to-do.json": makeTodo([
    makeTask("T1"),
    makeTask("T2", { priority: 4, "x-own": 1 }),
    makeTask("T3", { priority: 5, depends_on: ["T2"] }),
  ]),
};

export const TASKS_SCENARIO: Scenario<TasksWorld> = {
  // What the model says is the same each time: a turn that died with its runner is asked for again to the byte.
  create: () =>
    createTasksWorld(FILES, {
      T1: (turn) =>
        turn === 1
          ? say("edit", "editFile", { path: "T1.md", oldStr: "", newStr: `${MADE}\n` })
          : report("T1"),
      T2: (turn) =>
        turn === 1 ? say("run", "runCommand", { command: "mktemp ran-XXXXXX > /dev/null" }) : report("T2"),
      T3: () => report("T3"),
    }),
  wake: (world) => world.start(),
  problemsOf: async (world) => {
    const problems: string[] = [];
    const { git } = world.repository;
    const branch = `refs/heads/${await world.branch()}`;
    const states = [...IDS, "project-done"].map((id) => `${id} done`).join(", ");
    const { tasks }: TodoFile = JSON.parse(await world.file("to-do.json"));
    const found = tasks.map(({ id, status }) => `${id} ${status}`).join(", ");
    if (found !== states) problems.push(`the list says ${found}`);
    if (tasks[1]?.["x-own"] !== 1) problems.push("a field of somebody's own is gone");
    if ((await world.file("T1.md")) !== MADE) problems.push("T1.md is another file");
    const paths = (await git("ls-tree", "-r", "--name-only", branch)).split("\n");
    const ran = paths.filter((path) => path.startsWith("ran-")).length;
    if (ran !== 1) problems.push(`the command ran ${ran} times`);
    const done = (await world.commits()).flatMap(
      (message) => /^Looplia-Task: (.*)$/m.exec(message)?.[1] ?? [],
    );
    for (const id of IDS) {
      const times = done.filter((one) => one === id).length;
      if (times !== 1) problems.push(`${id} has ${times} commits`);
    }
    return problems;
  },
};

function report(id: string): Turn {
  return say(`report-${id}`, "reportSummary", { task_id: id, status: "done", summary: `Did ${id}.` });
}

function say(id: string, name: string, input: Record<string, unknown>): Turn {
  return { content: [{ type: "tool_use", id, name, input }] };
}

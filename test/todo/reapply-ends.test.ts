// A push over the list that takes the place of what the program wrote: nothing is done twice, and the person's word stands.
import { expect, test } from "vitest";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { ScriptedModel } from "../fakes/scripted-model.ts";
import { report, subjectOf, todoModel } from "../fakes/todo-script.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

/** As it is when the merge of a push was in conflict with what the program wrote. */
class OverruledHost extends ScriptedHost {
  commits: string[] = [];

  overruled(path: string): string[] {
    return path === "to-do.json" ? this.commits : [];
  }
}

test("a task that had ended is not begun again, a new one is; once for each push", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1"), makeTask("T2")]) });
  const host = new OverruledHost([]);
  const theirs = makeTodo([
    makeTask("T1", { status: "doing" }),
    makeTask("T2"),
    makeTask("T3", { priority: 5 }),
  ]);
  let asked = 0;
  const model = new ScriptedModel(async (request) => {
    const subject = subjectOf(request);
    if (subject === "review") return "Nothing is missing.";
    if (subject === "T2") {
      asked += 1;
      await world.write("to-do.json", theirs);
      host.commits = ["c1"];
    }
    return report(subject, subject === "T1" ? { files: ["a.md"] } : {});
  });
  expect((await world.run(model, { host })).status).toBe("completed");
  expect(model.requests.map(subjectOf)).toEqual(["T1", "T2", "T3", "review"]);
  expect(asked).toBe(1);
  expect(await world.states()).toBe("T1 done, T2 done, T3 done, project-done done");
  expect((await world.readList()).tasks[0]?.files).toEqual(["a.md"]);

  // The same push overrules nothing twice: who sets a task back now means it.
  await world.write("to-do.json", makeTodo([makeTask("T1"), makeTask("T2", { status: "done" })]));
  const again = todoModel();
  await world.run(again, { host });
  expect(again.requests.map(subjectOf)).toEqual(["T1", "review"]);
});

test("a task in other words is another task: it is begun", async () => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
  const host = new OverruledHost([]);
  await world.run(todoModel(), { host });
  await world.write("to-do.json", makeTodo([makeTask("T1", { title: "Do it otherwise" })]));
  host.commits = ["c1"];
  const model = todoModel();
  await world.run(model, { host });
  expect(model.requests.map(subjectOf)).toEqual(["T1", "review"]);
});

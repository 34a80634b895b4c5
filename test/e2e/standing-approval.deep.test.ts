// A standing approval over the bundle: `/approve <id> always`, runs that ask no more, the status comment, `/revoke`.
import { afterEach, expect, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import { createTasksWorld, questionOf, type TasksWorld, use } from "../fakes/tasks-world.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

let world: TasksWorld;

afterEach(async () => {
  world.github.assertValid();
  expect(world.model.faults).toEqual([]);
  await world.close();
});

const LIST = (turn: number) => (turn === 1 ? use("runCommand", { command: "ls to-do.json" }) : undefined);

test("`always` covers the same line in later runs until `/revoke`, and the status comment lists it", async () => {
  const tasks = [makeTask("T1"), makeTask("T2", { priority: 4 })];
  world = await createTasksWorld({ "to-do.json": makeTodo(tasks) }, { T1: LIST, T2: LIST });
  const comment = async (body: string) => {
    const ran = await world.comment("maintainer", body);
    return { ended: ended(ran), said: said(ran) };
  };
  const asked = await world.start();
  expect(ended(asked), said(asked)).toBe("waiting open-questions");
  expect(world.ours("looplia:request")[0]?.body).toMatch(/\/approve q1-[0-9a-f]{6} always/);

  // T1 runs by the answer, T2 in the same run by the approval that stands.
  const done = await comment(`/approve ${questionOf(world)} always`);
  expect(done.ended, done.said).toBe("completed done");
  expect(world.ours("looplia:request")).toHaveLength(1);
  expect(world.ours("looplia:status")[0]?.body).toMatch(
    /Approved for the rest of this work:[\s\S]*\*\*1\*\* `ls to-do\.json`: by maintainer, .*`\/revoke 1`/,
  );

  const again = await comment("/retry T1");
  expect(again.ended, again.said).toBe("completed done");
  expect(world.ours("looplia:request")).toHaveLength(1);

  await comment("/revoke 1");
  expect(world.ours("looplia:status")[0]?.body).not.toContain("Approved for the rest of this work");
  const last = await comment("/retry T2");
  expect(last.ended, last.said).toBe("waiting open-questions");
  expect(world.ours("looplia:request")).toHaveLength(2);
});

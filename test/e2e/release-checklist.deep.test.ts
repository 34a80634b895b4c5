// What the example's release checklist asks of a person, counted on a pull request.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createTasksWorld, type TasksWorld } from "../fakes/tasks-world.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../examples");
const FILES = ["CHANGELOG.md", "VERSION", "looplia.yml", "to-do.json"];

let world: TasksWorld;

afterEach(async () => {
  await world.close();
});

test("three answers, one comment a question, one commit a task", async () => {
  const read = async (name: string) => [name, await readFile(join(EXAMPLES, name), "utf8")];
  world = await createTasksWorld(Object.fromEntries(await Promise.all(FILES.map(read))));
  const inputs = { provider: "offline", sandbox: "off" };
  let ran = await world.here({ inputs });
  let answers = 0;
  for (; ran.ended.startsWith("waiting") && answers < 20; answers += 1) {
    const open = world.ours("looplia:request").at(-1)?.body ?? "";
    const [, line = ""] = /^(\/(?:approve|choose) q\d+-[0-9a-f]{6}(?: patch)?)$/m.exec(open) ?? [];
    ran = await world.hear("maintainer", line, { inputs });
  }
  expect(ran.ended, ran.said).toBe("completed done");
  const comments = { questions: world.ours("looplia:request").length, ours: world.ours("looplia:").length };
  // The fourth comment of ours is the status; each answer started one run.
  expect({ answers, ...comments }).toEqual({ answers: 3, questions: 3, ours: 4 });
  const titles = (await world.commits()).map((message) => message.split("\n")[0]);
  expect(titles).toEqual([
    "chore: Check that there is something to release",
    "chore: Raise the version",
    "chore: Write the release notes",
    "chore: Project done",
  ]);
  expect(await world.file("VERSION")).toBe("1.4.3");
});

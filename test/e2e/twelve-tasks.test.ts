// A run of twelve tasks over the command line, against the strict scripted model server: the file, the log and who was
// asked are golden.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import type { Turn } from "../fakes/messages-api-script.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const TASKS = [
  makeTask("T10", { priority: 2, depends_on: ["T2"] }),
  makeTask("T2", { priority: 2, "x-own": { keep: [1, 2] } }),
  makeTask("T1", { priority: 1, details: "The first." }),
  makeTask("T3", { priority: 1, depends_on: ["T1", "T10"] }),
  makeTask("T4", { status: "blocked", blockers: ["was blocked"] }),
  makeTask("T5", { title: "Is blocked again" }),
  makeTask("T6", { title: "Fails" }),
  makeTask("T7", { title: "Is skipped" }),
  makeTask("T8", { title: "Reports another" }),
  makeTask("T9", { status: "doing", priority: 5 }),
  makeTask("A11", { priority: 3, files: ["a.md"] }),
  makeTask("T12", { status: "done" }),
];

/** Numbers that no JavaScript value holds: they must come through. */
const TODO = makeTodo(TASKS).replace('"keep": [', '"big": 12345678901234567890,\n        "keep": [');

let made = 0;

function use(name: string, input: Record<string, unknown>): Turn {
  made += 1;
  return { content: [{ type: "tool_use", id: `toolu_${made}`, name, input }] };
}

function subjectOf(body: ApiBody): string {
  const text = JSON.stringify(body.messages[0]);
  return /Your task is `(.*?)`/.exec(text)?.[1] ?? "review";
}

function answer(body: ApiBody): Turn {
  const id = subjectOf(body);
  const report = (more: object = {}) =>
    use("reportSummary", { task_id: id, status: "done", summary: `Did ${id}.`, ...more });
  const isFirst = body.messages.length === 1;
  switch (id) {
    case "T1":
      return isFirst ? use("readFile", { path: "README.md" }) : report({ files: ["README.md"] });
    case "T5":
      return report({ status: "blocked", blockers: ["no key"], summary: "No key." });
    case "T6":
      return { content: [{ type: "text", text: "I give up." }] };
    case "T7":
      return report({ status: "skipped", summary: "Not now." });
    case "T8":
      return report({ task_id: "T5" });
    case "A11":
      return report({ files: ["b.md", "a.md"] });
    default:
      return report();
  }
}

function blot(text: string): string {
  return (
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(/to-do-\d{4}-\d\d-\d\d-[0-9a-f]{6}/g, "<session>")
      // Whether it can isolate is the machine's.
      .replace(/^warning: Commands are not isolated.*\n/gm, "")
  );
}

test("twelve tasks with dependencies, priorities, one blocked, one failing, one skipping, one with a wrong id", {
  timeout: 60_000,
}, async () => {
  const api = await startMessagesApi(answer);
  onTestFinished(() => api.close());
  const world = await makeCliWorld({ "to-do.json": TODO, "README.md": "# Hi\n" });
  const { code, stdout, stderr } = await world.run(["run", "--mode", "tasks", "--model", "claude-opus-4-8"], {
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: api.url,
  });
  api.assertDone();
  expect([code, stdout]).toEqual([4, ""]);
  const order = api.requests.map(({ body }) => subjectOf(body)).filter((id, at, all) => id !== all[at - 1]);
  expect(order).toEqual(["T9", "T1", "T2", "T10", "T3", "A11", "T5", "T6", "T7", "T8", "T4"]);
  // One prefix for all tasks: the provider's cache is shared by them.
  expect(new Set(api.requests.map(({ body }) => JSON.stringify([body.system, body.tools]))).size).toBe(1);
  const todo = await readFile(join(world.folder, "to-do.json"), "utf8");
  await expect(blot(todo)).toMatchFileSnapshot("golden/twelve-tasks.to-do.golden.json");
  await expect(blot(stderr).replace(/ in \d[\w. ]*|\(\d+ms\)/g, "")).toMatchFileSnapshot(
    "golden/twelve-tasks.progress.golden.txt",
  );
  const state = join(world.folder, ".looplia/state");
  const [work = ""] = await readdir(state);
  const logs = await readdir(join(state, work, "logs"));
  const log = await readFile(
    join(state, work, "logs", logs.find((name) => name.endsWith(".jsonl")) ?? ""),
    "utf8",
  );
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = lines
    .filter(({ type }) => type === "summary" || type === "error")
    .map(({ payload }) => payload);
  await expect(blot(`${JSON.stringify(told, null, 1)}\n`)).toMatchFileSnapshot(
    "golden/twelve-tasks.log.golden.json",
  );
  expect(logs.filter((name) => name.endsWith(".last.json"))).toHaveLength(12);
});

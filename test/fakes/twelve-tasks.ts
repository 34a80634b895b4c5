// Twelve tasks with dependencies and priorities, one blocked, one failing, one skipping, one with a wrong id: the list, the
// model that works through it, and what of a run differs from place to place.
import { readFile } from "node:fs/promises";
import { makeTask, makeTodo } from "../todo/samples.ts";
import { type Behaviour, report, use } from "./tasks-world.ts";

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

/** The repository. The list has numbers that no JavaScript value holds: they must come through. */
export const TWELVE_FILES = {
  "to-do.json": makeTodo(TASKS).replace('"keep": [', '"big": 12345678901234567890,\n        "keep": ['),
  "README.md": "# Hi\n",
  "looplia.yml": "policy: allow editFile *.md\n",
};

/** The tasks in the order in which they are tried, each once in a row. */
export const TWELVE_ORDER = ["T9", "T1", "T2", "T10", "T3", "A11", "T5", "T6", "T7", "T8", "T4"];

/** What the model does at each; the others are done at once. */
export const TWELVE: Record<string, Behaviour> = {
  T1: (turn) =>
    turn === 1 ? use("readFile", { path: "README.md" }) : report("T1", { files: ["README.md"] }),
  T5: () => report("T5", { status: "blocked", blockers: ["no key"], summary: "No key." }),
  T6: (turn) => (turn === 1 ? write("c.md") : { content: [{ type: "text", text: "I give up." }] }),
  T7: () => report("T7", { status: "skipped", summary: "Not now." }),
  T8: () => report("T8", { task_id: "T5" }),
  A11: (turn) => (turn === 1 ? write("b.md") : report("A11", { files: ["b.md", "a.md"] })),
};

function write(path: string) {
  return use("editFile", { path, oldStr: "", newStr: "Hi\n" });
}

/** Without times, ids of sessions, and what the machine can isolate. */
export function blotTwelve(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/to-do-\d{4}-\d\d-\d\d-[0-9a-f]{6}/g, "<session>")
    .replace(/^warning: Commands are not isolated.*\n/gm, "");
}

/** What the log of a run tells of its iterations and errors. */
export async function readTold(log: string): Promise<string> {
  const lines = (await readFile(log, "utf8")).trim().split("\n");
  const told = lines
    .map((line): { type: string; payload: unknown } => JSON.parse(line))
    .filter(({ type }) => type === "summary" || type === "error")
    .map(({ payload }) => payload);
  return blotTwelve(`${JSON.stringify(told, null, 1)}\n`);
}

// Records states of open works as this version writes them: `node test/fakes/record-states.ts test/data/states/<version>`.
// `test/e2e/earlier-states.deep.test.ts` resumes them with every later version.
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeTask, makeTodo } from "../todo/samples.ts";
import type { ActionWorld } from "./action-world.ts";
import { asking, commandCall, createAskingWorld } from "./asking-world.ts";
import { makeCliWorld } from "./cli-world.ts";
import { startMessagesApi } from "./messages-api.ts";
import type { RecordedWork } from "./recorded-work.ts";
import { runHere } from "./run-here.ts";
import { createTasksWorld, questionOf, use } from "./tasks-world.ts";

const SETTINGS = { "looplia.yml": "sandbox: 'off'\n" };
const AGENT =
  "---\nname: idea-generator\ndescription: Makes ideas.\ntools: Read, Bash, Write\n---\nMake ideas.\n";
const LOCAL_COMMAND = "echo ran >> ran";

const folder = resolve(process.argv[2] ?? "");
await mkdir(folder, { recursive: true });

const content = await createAskingWorld(SETTINGS);
await runHere(content);
await keep(content, "content");

const list = { "to-do.json": makeTodo([makeTask("T1"), makeTask("T2", { priority: 5 })]), ...SETTINGS };
const edit = use("editFile", { path: "T1.md", oldStr: "", newStr: "one\n" });
const tasks = await createTasksWorld(list, {
  T1: (turn) => (turn === 1 ? edit : undefined),
  T2: (turn) => (turn === 1 ? use("runCommand", { command: "mktemp ran-XXXXXX" }) : undefined),
});
await tasks.here();
await tasks.hear("maintainer", `/approve ${questionOf(tasks)}`);
await keep(tasks, "tasks");

const api = await startMessagesApi(asking(commandCall(LOCAL_COMMAND)));
const local = await makeCliWorld({ ...SETTINGS, ".looplia/.claude/agents/idea-generator.md": AGENT });
const recordedAt = new Date().toISOString();
const asked = await local.run(["--file", "content/kettles.md", "--json"], {
  ANTHROPIC_API_KEY: "k",
  ANTHROPIC_BASE_URL: api.url,
});
const { interactions, sessionId } = JSON.parse(asked.stdout);
await api.close();
// Without the dot: git ignores `.looplia/state`.
await cp(join(local.folder, ".looplia"), join(folder, "local/looplia"), {
  recursive: true,
  filter: (path) => !/\/(?:lock|logs|\.gitignore)$/.test(path),
});
for (const name of ["content", "looplia.yml"]) {
  await cp(join(local.folder, name), join(folder, "local", name), { recursive: true });
}
const { interactionId } = interactions[0];
await writeJson("local.json", { recordedAt, sessionId, interactionId, request: api.requests.at(-1)?.body });

/** Every ref as a bundle, and beside it what GitHub shows and what the model heard last. */
async function keep(world: ActionWorld, name: string): Promise<void> {
  await world.repository.git("bundle", "create", "-q", join(folder, `${name}.bundle`), "--all");
  const [pull] = await world.github.pullRequests();
  const kept: RecordedWork = {
    recordedAt: new Date().toISOString(),
    pullRequest: { head: pull?.head.ref ?? "", title: pull?.title ?? "", body: pull?.body ?? "" },
    comments: world.github.comments.all,
    checks: world.github.checks.all,
    request: world.model.requests.at(-1)?.body,
  };
  await writeJson(`${name}.json`, kept);
  await world.close();
}

async function writeJson(name: string, value: unknown): Promise<void> {
  await writeFile(join(folder, name), `${JSON.stringify(value, null, 1)}\n`);
}

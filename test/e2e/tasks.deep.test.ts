// The task loop on the command line: real processes, real files, no language model.
import { readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { Turn } from "../fakes/messages-api-script.ts";
import { KEYS } from "../fakes/pseudo-terminal.ts";
import { readWorkflow } from "../fakes/workflow.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

const OPEN = ["--sandbox", "off", "--approval", "none", "--provider", "offline"];

function runbook(id: string, steps: string[], more: object = {}) {
  return makeTask(id, { steps, ...more });
}

async function statesOf(folder: string, name = "to-do.json"): Promise<string> {
  const { tasks } = JSON.parse(await readFile(join(folder, name), "utf8"));
  return tasks.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`).join(", ");
}

describe("demo tasks", () => {
  it("works through the example's release checklist, every question answered visibly", async () => {
    const world = await makeCliWorld();
    const { code, stdout, stderr } = await world.run(["demo", "tasks"]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/takes the default: patch[\s\S]*→ the demo approves/),
    ]);
    expect(stdout).toMatch(
      /✓ T1 [\s\S]*✓ T3 [\s\S]*## 1\.4\.3\n[\s\S]*Every task is done\. In your own repository:\n {2}node \/\S+index\.js init\n$/,
    );
  });
});

describe("run", () => {
  it("stops a runbook at its first command that fails; the rest goes on, and the exit code says that something is left", async () => {
    const tasks = [
      runbook("T1", ["$ true", "$ ls no-such-file", "$ touch never"]),
      runbook("T2", ["$ echo hi"]),
    ];
    const world = await makeCliWorld({ "to-do.json": makeTodo(tasks) });
    const { code, stderr } = await world.run(["run", ...OPEN]);
    expect(code).toBe(4);
    expect(stderr).toContain(
      "iteration 2: T2: Do T2 (agent offline, model offline-extractive, schedule offline)",
    );
    expect(stderr).toMatch(/1 task is left: T1 \(blocked: \$ ls .*Exit code \d\./);
    expect(await statesOf(world.folder)).toBe("T1 blocked, T2 done");
    expect((await world.run(["status"])).stdout).toMatch(/ unfinished\n +to-do\.json through tasks/);
    expect(await readdir(world.folder)).not.toContain("never");
  });

  it("asks in between processes, and gives later commands the answer as environment, never as text", async () => {
    const steps = ["? region: Which region? /^[a-z' ;]+$/", "$ echo $LOOPLIA_REGION"];
    const world = await makeCliWorld({ "to-do.json": makeTodo([runbook("T1", steps)]) });
    const waiting = await world.run(["run", "--json", ...OPEN]);
    const [{ interactionId }] = JSON.parse(waiting.stdout).interactions;
    expect([waiting.code, await statesOf(world.folder)]).toEqual([3, "T1 doing"]);
    const wrong = await world.run(["answer", interactionId, "input", "A1", ...OPEN]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("does not answer")]);
    const answered = await world.run([
      "answer",
      interactionId,
      "input",
      "eu'; touch oops ;'",
      "--json",
      ...OPEN,
    ]);
    // A command with a bare variable in it can't be judged by its words, so a person has to approve it.
    const [confirm] = JSON.parse(answered.stdout).interactions;
    expect([answered.code, confirm.kind]).toEqual([3, "Confirm"]);
    const words = ["answer", confirm.interactionId, "approve", "--comment", "go", ...OPEN];
    const approved = await world.run(words);
    expect([approved.code, await statesOf(world.folder)]).toEqual([0, "T1 done, project-done done"]);
    const [last] = [...(await world.files(".looplia/state"))].filter(([name]) => name.endsWith(".last.json"));
    expect(JSON.parse(last?.[1] ?? "{}").summary.summary).toContain("\n  eu'; touch oops ;'");
    const { sessionId } = JSON.parse(waiting.stdout);
    expect((await world.run(["report", sessionId])).stdout).toMatch(
      /\| Run \(at most 600 s\): echo \\\$LOOPLIA_REGION and 1 more line \| answered \| approve: go \| terminal:ada \|/,
    );
    expect(await readdir(world.folder)).not.toContain("oops");
  });

  it("goes on in the list that the session was begun for, whatever the settings say by now", async () => {
    const named = (title: string) => makeTodo([runbook("T1", ["? who: Who?", "$ touch a"], { title })]);
    const world = await makeCliWorld({ "sub/list.json": named("Theirs"), "to-do.json": named("Another") });
    const waiting = await world.run(["run", "--json", "--todo", "sub/list.json", ...OPEN]);
    const { sessionId, interactions } = JSON.parse(waiting.stdout);
    const status = await world.run(["status"]);
    expect(status.stdout).toMatch(/^to-do\.json: 1 todo[\s\S]*waiting\n +sub\/list\.json through tasks/);
    const answer = ["answer", interactions[0].interactionId, "input", "me", ...OPEN];
    expect((await world.run(answer)).code).toBe(0);
    expect(await statesOf(join(world.folder, "sub"), "list.json")).toBe("T1 done, project-done done");
    expect(await readFile(join(world.folder, "to-do.json"), "utf8")).toBe(named("Another"));
    expect((await world.run(["run", "--session-id", sessionId, ...OPEN])).stdout).toContain("Up to date");
    expect((await world.run(["status", sessionId])).stdout).toMatch(/^✓ .* completed\n +sub\/list\.json/);
  });

  it("without a key marks nothing done that takes a model", async () => {
    const world = await makeCliWorld({ "to-do.json": makeTodo([makeTask("T1")]) });
    const { code, stderr } = await world.run(["run"]);
    expect([code, stderr]).toEqual([4, expect.stringContaining("it takes a language model")]);
    expect(await statesOf(world.folder)).toBe("T1 todo");
    const { stdout } = await world.run(["status"]);
    expect(stdout).toMatch(
      /^to-do\.json: 1 todo[\s\S]*■ to-do-.* unfinished\n[\s\S]*resume: looplia run --session-id /,
    );
  });

  it("calls the hook without a shell and without secrets; its failure is a warning", async () => {
    const hook = '#!/bin/sh\n{ echo "$# $1 $2 $4"; env; cat "$3"; } >&2; touch oops; exit 9\n';
    const world = await makeCliWorld({
      "to-do.json": makeTodo([runbook("$(touch oops)", ["$ echo hi"])]),
      "looplia.yml": "hook: ./hook.sh\n",
    });
    await writeFile(join(world.folder, "hook.sh"), hook, { mode: 0o755 });
    const secret = { ANTHROPIC_API_KEY: "sk-secret", GITHUB_TOKEN: "ghs-secret" };
    const { code, stderr } = await world.run(["run", ...OPEN], secret);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/warning: The hook failed/)]);
    expect(stderr).toContain("it ended with 9: 4 $(touch oops) done iteration-1");
    expect(stderr).toMatch(/"iteration": ?1\b/);
    expect(stderr).not.toContain("secret");
    expect(await readdir(world.folder)).not.toContain("oops");
  });

  it("logs into a folder of its own with --log-dir, one last message an iteration", async () => {
    const world = await makeCliWorld({ "to-do.json": makeTodo([runbook("T1", ["$ echo hi"])]) });
    const logs = await realpath(world.folder);
    await world.run(["run", "--log-dir", join(logs, "logs"), ...OPEN]);
    const [project = ""] = await readdir(join(logs, "logs"));
    expect(project).toMatch(/^looplia-world-.*-[0-9a-f]{8}$/);
    const names = await readdir(join(logs, "logs", project));
    expect(names.map((name) => name.replace(/^.*Z-\d+/, ""))).toEqual(["-iter-1.last.json", ".jsonl"]);
    const lines = (await readFile(join(logs, "logs", project, names[1] ?? ""), "utf8")).trim().split("\n");
    const types = new Set(lines.map((line) => JSON.parse(line).type));
    expect([...types].sort()).toEqual([
      "assistant_message",
      "command",
      "progress",
      "summary",
      "tool",
      "usage",
    ]);
  });

  it("logs each agent that failed, and how the run ended, as errors", async () => {
    const api = await startMessagesApi(() => ({ status: 400, type: "invalid_request_error", message: "no" }));
    onTestFinished(() => api.close());
    const tasks = ["T1", "T2", "T3"].map((id) => makeTask(id));
    const world = await makeCliWorld({ "to-do.json": makeTodo(tasks) });
    const { code } = await world.run(["run"], { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url });
    const logs = [...(await world.files(".looplia/state"))].filter(([path]) =>
      /logs\/[^/]+\.jsonl$/.test(path),
    );
    const lines = logs.flatMap(([, text]) => text.trim().split("\n")).map((line) => JSON.parse(line));
    const errors = lines.filter(({ type }) => type === "error").map(({ payload }) => payload);
    const failed = { code: "model-failed", recoverable: true };
    expect([code, errors]).toEqual([
      1,
      [
        ...["T1", "T2", "T3"].map((taskId) => expect.objectContaining({ ...failed, taskId })),
        expect.objectContaining({ ...failed, message: expect.stringMatching(/^3 tasks in a row failed/) }),
      ],
    ]);
  });

  it("logs what ended the run as a whole as an error", async () => {
    const world = await makeCliWorld({
      "to-do.json": makeTodo([runbook("T1", ["$ echo hi"])]),
      "looplia.yml": "hook: ./hook.sh\n",
    });
    const hook = `#!/bin/sh\necho '[]' > '${join(world.folder, "to-do.json")}'\n`;
    await writeFile(join(world.folder, "hook.sh"), hook, { mode: 0o755 });
    expect((await world.run(["run", ...OPEN])).code).toBe(2);
    const { stdout } = await world.run(["tail"]);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d error config-invalid: to-do\.json is not a JSON object/m);
  });

  it.each([
    ["[]", /not a JSON object/],
    ['{"tasks": [', /is not JSON/],
    [makeTodo([makeTask("A", { depends_on: ["B"] })]), /depends on "B"/],
    [makeTodo([{ id: "A" }]), /tasks\[0\]\.title/],
  ])("refuses %j and leaves it untouched", async (text, said) => {
    const world = await makeCliWorld({ "to-do.json": text });
    const { code, stderr } = await world.run(["run", ...OPEN]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
    expect(await readFile(join(world.folder, "to-do.json"), "utf8")).toBe(text);
  });
});

describe("a folder with documents and no list", () => {
  it("gets a list from its model, with the schema in the session's state, and is worked through", async () => {
    const use = (name: string, input: object): Turn => ({
      content: [{ type: "tool_use", id: `toolu_${name}`, name, input: { ...input } }],
    });
    const list = JSON.parse(makeTodo([makeTask("T1")]));
    const openings: string[] = [];
    const api = await startMessagesApi((body) => {
      const [opening] = body.messages;
      const text = JSON.stringify(opening);
      openings.push(text);
      if (text.includes("There is no `to-do.json` yet"))
        return use("writeArtifact", { output: "to-do", content: list });
      if (!text.includes("Your task is `T1`")) return "All is there.";
      return use("reportSummary", { task_id: "T1", status: "done", summary: "Did it." });
    });
    onTestFinished(() => api.close());
    const world = await makeCliWorld({ "README.md": "# Hi\n\nWanted: T1.\n" });
    const provider = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
    const { code, stderr } = await world.run(["run"], provider);
    expect([code, await statesOf(world.folder)], stderr).toEqual([0, "T1 done, project-done done"]);
    const schemas = [...(await world.files(".looplia/state"))].filter(([path]) =>
      path.endsWith("to-do.schema.json"),
    );
    const [[path = "", text = ""] = []] = schemas;
    expect(path).toMatch(/^tasks-[0-9a-f]{6}\/sessions\/to-do-[^/]+\/to-do\.schema\.json$/);
    expect(openings[0]).toContain(join(world.folder, ".looplia/state", path));
    expect(Object.keys(JSON.parse(text).properties)).toContain("tasks");
    expect(openings[0]).toContain("- `README.md`");
  });
});

describe("a folder with nothing in it", () => {
  it("gets a list from a person's words", async () => {
    const use = (name: string, input: object): Turn => ({
      content: [{ type: "tool_use", id: `toolu_${name}`, name, input: { ...input } }],
    });
    const api = await startMessagesApi((body) => {
      const [opening, ...later] = body.messages;
      const said = JSON.stringify(later.at(-1) ?? "");
      if (!JSON.stringify(opening).includes("There is no `to-do.json` yet")) return "All is there.";
      if (later.length === 0) return use("askUser", { question: "What is wanted?" });
      const tasks = [makeTask("T1", { status: "todo", title: /wanted: (\w+)/.exec(said)?.[1] ?? "" })];
      return use("writeArtifact", {
        output: "to-do",
        content: { schema_version: 1, source_files: [], tasks },
      });
    });
    onTestFinished(() => api.close());
    const world = await makeCliWorld();
    await rm(join(world.folder, "content"), { recursive: true });
    const provider = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
    const waiting = await world.run(["run", "--json"], provider);
    const [{ interactionId }] = JSON.parse(waiting.stdout).interactions;
    // The home is the folder as well: what marks local state as made here is in `.local`.
    expect([waiting.code, await readdir(world.folder)]).toEqual([3, [".local", ".looplia"]]);
    const answer = ["answer", interactionId, "input", "wanted: hats", "--max-iterations", "1"];
    await world.run(answer, provider);
    const { tasks } = JSON.parse(await readFile(join(world.folder, "to-do.json"), "utf8"));
    expect(tasks[0]).toMatchObject({ id: "T1", title: "hats" });
  });
});

describe("init", () => {
  it("writes what is missing, never prompts, and overwrites nothing; what it wrote is well", async () => {
    const world = await makeCliWorld({ "looplia.yml": "max-turns: 5\n" });
    const { code, stdout } = await world.run(["init", "--tasks"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/looplia\.yml already exists[\s\S]*✓ to-do\.json/),
    ]);
    const files = [...(await world.files())].map(([path]) => path).sort();
    expect(files).toEqual([
      ".github/workflows/looplia-answer.yml",
      ".github/workflows/looplia-tasks.yml",
      ".looplia/.gitignore",
      ...["content/kettles.md", "looplia.yml", "to-do.json"],
    ]);
    expect(await readFile(join(world.folder, "looplia.yml"), "utf8")).toBe("max-turns: 5\n");
    expect(stdout).toMatch(
      /looplia init --ref <owner>\/looplia-action@[\s\S]*ANTHROPIC_API_KEY[\s\S]*to-do\.json[\s\S]*doctor/,
    );
    const workflow = readWorkflow(join(world.folder, ".github/workflows/looplia-tasks.yml"));
    expect(workflow.on).toMatchObject({ push: { paths: ["to-do.json"] }, schedule: expect.anything() });
    const [job] = workflow.start({ name: "push", payload: {} }, { ANTHROPIC_API_KEY: "key" });
    expect(job?.inputs).toMatchObject({ mode: "tasks", "anthropic-api-key": "key" });
    const answers = readWorkflow(join(world.folder, ".github/workflows/looplia-answer.yml"));
    expect(Object.keys(answers.on)).toEqual(["issue_comment", "repository_dispatch"]);
    const again = await world.run(["init", "--tasks"]);
    expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining("✓")]);
    expect((await world.run(["ls", "todo"])).stdout).toMatch(/^T1 .*\nT2 /);
  });
});

describe("tail, status and report", () => {
  it("tell of a run from a second terminal while it goes on", async () => {
    const steps = ["$ echo one", "$ sleep 3", "? name: Who?"];
    const world = await makeCliWorld({ "to-do.json": makeTodo([runbook("T1", steps)]) });
    const none = await world.run(["tail"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("There is no log")]);
    let followed = "";
    const tail = world.watch(["tail", "--follow"], {}, async (child) => {
      child.stdout?.on("data", (text) => {
        followed += String(text);
        if (followed.includes("question q1-")) child.kill("SIGINT");
      });
    });
    const ran = await world.run(["run", ...OPEN]);
    expect([ran.code, (await tail).code]).toEqual([3, 0]);
    expect(followed).toMatch(
      /^\d\d:\d\d:\d\d session to-do-.*\n[\s\S]*iteration 1 started: T1: Do T1 .*\n[\s\S]*runCommand echo one: Exit code 0\. \(.*\n[\s\S]*question q1-.*Who\?/,
    );
    const status = await world.run(["status"]);
    expect((await world.run(["tail"])).stdout).toMatch(/ session to-do-\S+ waiting \(open-questions\)\n$/);
    expect(status.stdout).toMatch(
      /^to-do\.json: 0 todo, 1 doing[\s\S]*to-do-.* {2}waiting\n[\s\S]*looplia answer q1-[0-9a-f]{6} input/,
    );
    const [{ sessionId }] = JSON.parse((await world.run(["status", "--json"])).stdout);
    const report = await world.run(["report", sessionId]);
    expect([report.code, report.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^# to-do-[\s\S]*\| `T1` Do T1 \| started \|[\s\S]*\| Who\? \| open \|[\s\S]*`runCommand` \| 2 \| 0 \|/,
      ),
    ]);
    const json = JSON.parse((await world.run(["report", sessionId, "--json"])).stdout);
    expect(json).toMatchObject({
      sessionId,
      tasks: [{ id: "T1", attempts: 1 }],
      interactions: [{ status: "open" }],
    });
    const html = await world.run(["report", sessionId, "--html"]);
    expect(html.stdout).toMatch(/^<!doctype html>[\s\S]*The audit chain of \d+ lines is intact/);
    expect((await world.run(["report", "nope"])).code).toBe(2);
  });
});

describe("a developer's prompts", () => {
  const todo = { "to-do.json": makeTodo([runbook("T1", ["$ echo hi"])]) };

  it("are read and printed only with LOOPLIA_PROMPT_MODE=dev; to anybody else the flags do not exist", async () => {
    const names = ["TodoPath", "SchemaPath", "WorkDir", "Iteration", "Schedule", "Now"];
    const task = ["ID", "Title", "Status"].map((name) => `SelectedTask.${name}`);
    const variables = [...names, ...task].map((name) => `${name}={{ ${name} }};`).join("\n");
    const own = { "mine/iteration.md": `Own words.\n${variables}\n\n\`\`\`json\n{{ facts }}\n\`\`\`\n` };
    const world = await makeCliWorld({ ...todo, ...own });
    const flags = ["run", "--prompt-dir", "mine", "--print-prompt", ...OPEN];
    const refused = await world.run(flags);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Unknown flag --prompt-dir")]);
    expect((await world.run(["help", "run"])).stdout).not.toContain("prompt-dir");
    const { code, stderr } = await world.run(flags, { LOOPLIA_PROMPT_MODE: "dev" });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/--- iteration\.md\nOwn words\.\n[\s\S]*"id":"T1"/),
    ]);
    const told = Object.fromEntries(
      [...stderr.matchAll(/^(\S+)=(.*);$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(told).toEqual({
      ...{ TodoPath: "to-do.json", WorkDir: world.folder, Iteration: "1", Schedule: "offline" },
      ...{ "SelectedTask.ID": "T1", "SelectedTask.Title": "Do T1", "SelectedTask.Status": "todo" },
      Now: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      SchemaPath: expect.stringMatching(/\/sessions\/to-do-[^/]+\/to-do\.schema\.json$/),
    });
    expect(JSON.parse(await readFile(told.SchemaPath ?? "", "utf8"))).toHaveProperty("properties.tasks");
    const nowhere = await world.run(["run", "--prompt-dir", "mien"], { LOOPLIA_PROMPT_MODE: "dev" });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("no folder mien")]);
    expect(stderr).toContain("--- worker.md\nYou work on one task");
  });

  it("LESSONS, prompts were read from the user's folder: they are never, nor from the repository", async () => {
    const planted = { "prompts/iteration.md": "Planted.", ".looplia/prompts/worker.md": "Planted." };
    const world = await makeCliWorld({ ...todo, ...planted });
    expect((await world.run(["run", ...OPEN])).code).toBe(0);
    const texts = [...(await world.files(".looplia/state")).values()].join("\n");
    expect(texts).not.toContain("Planted");
  });
});

describe("in a terminal", () => {
  it("the live view shows titles, how commands ended and why a task runs again; the answers to copy have short ids", async () => {
    const list = (...steps: string[]) => makeTodo([makeTask("T1", { title: "Count the seats", steps })]);
    const world = await makeCliWorld({ "to-do.json": list("$ echo looking; ls no-such-file") });
    const first = world.terminal(["run", ...OPEN], { COLUMNS: "120" });
    expect(await first.ended()).toBe(4);
    const plain = (screen: string) => stripVTControlCharacters(screen);
    expect(plain(first.screen())).toMatch(/T1 {2}Count the seats/);
    expect(plain(first.screen())).toMatch(/runCommand .*ls no-such-file[\s\S]*Exit code 2\.[\s\S]*looking/);
    await writeFile(join(world.folder, "to-do.json"), list("$ echo found"));
    const ask = ["--sandbox", "off", "--approval", "all", "--provider", "offline"];
    const second = world.terminal(["run", ...ask]);
    await second.shows("to navigate");
    const shown = plain(second.screen());
    expect(shown).toMatch(/│ +again, because \$ echo looking; ls no-such-file: Exit code 2\. +│/);
    expect(shown).toMatch(/^question q1-[0-9a-f]{6} \(T1 Count the seats\) · /m);
    second.type(KEYS.ctrlC);
    expect(await second.ended()).toBe(4);
    const { stdout } = await world.run(["status"]);
    expect(stdout).toMatch(/T1 {2}Count the seats/);
    expect(stdout).toMatch(
      /\(q1-[0-9a-f]{6}, T1 Count the seats\)\n +looplia answer q1-[0-9a-f]{6} approve\n/,
    );
    const id = /to-do-\d{4}-\d\d-\d\d-[0-9a-f]{6}/.exec(stdout)?.[0] ?? "";
    expect((await world.run(["report", id])).stdout).toMatch(/T1\W+Count the seats/);
  });
});

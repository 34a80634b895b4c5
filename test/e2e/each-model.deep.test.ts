// The two stories that every model must pass, over the bundles: a question on a pull request, and a run of twelve tasks.
import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { ended, said } from "../fakes/action-world.ts";
import {
  type AskingWorld,
  asking,
  commandCall,
  createAskingWorld,
  questionOf,
} from "../fakes/asking-world.ts";
import { makeCliWorld } from "../fakes/cli-world.ts";
import { MODEL_KINDS, type ModelKind, startModelServer } from "../fakes/model-servers.ts";
import type { ProgramScript } from "../fakes/program-world.ts";
import { behave, createTasksWorld, subjectOf, use } from "../fakes/tasks-world.ts";
import { blotTwelve, TWELVE, TWELVE_FILES, TWELVE_ORDER } from "../fakes/twelve-tasks.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";

/** The kinds whose reasoning comes back with the next request, to the same model alone. */
const HAS_REASONING: readonly ModelKind[] = ["anthropic", "openai responses"];
const NO_KEY = { "anthropic-api-key": "", "anthropic-base-url": "" };

async function start(kind: ModelKind, script: ProgramScript) {
  const server = await startModelServer(kind, script);
  onTestFinished(() => server.close());
  return server;
}

describe.each(MODEL_KINDS)("%s", (kind) => {
  it("asks on the pull request; another machine runs the approved command once and goes on", async () => {
    const server = await start(kind, asking(commandCall()));
    const world = await createAskingWorld();
    onTestFinished(() => world.close());
    const changes = { inputs: NO_KEY, environment: server.environment };
    const checkout = join(world.root, "checkout");
    await cp(checkout, join(world.root, "pristine"), { recursive: true });
    const asked = await world.start(changes);
    expect(ended(asked), said(asked)).toBe("waiting open-questions");
    expect(await world.effects()).toBe(0);
    await rm(checkout, { recursive: true });
    await rename(join(world.root, "pristine"), checkout);
    const approved = await world.deliver(world.say("maintainer", `/approve ${questionOf(world)}`), changes);
    expect(ended(approved), said(approved)).toBe("completed done");
    expect(await world.effects()).toBe(1);
    server.assertDone();
    world.github.assertValid();
    expect(await replayed(world)).toMatch(/^\d+ recorded turns, [1-9]\d* results? compared, completed\n$/);
    expect(await world.effects()).toBe(1);
  });

  it.each([
    ["gone", { status: 404, type: "not_found_error", message: "no such model" }],
    ["limited", { status: 429, type: "rate_limit_error", message: "slow down", retryAfterMs: 1 }],
    ["overloaded", { status: 529, type: "overloaded_error", message: "overloaded", retryAfterMs: 1 }],
  ])(
    "that is %s in mid-conversation leaves it to the fallback model, which gets all but what is bound",
    async (_, refusal) => {
      const asked: string[] = [];
      const thinking = { type: "thinking", thinking: "bound-to-the-first" };
      const server = await start(kind, (body) => {
        const text = JSON.stringify(body.messages);
        asked.push(body.model);
        const isFirst = body.model !== "spare-model";
        if (isFirst && text.includes("Read me.")) return refusal;
        if (isFirst) {
          const call = { type: "tool_use", id: "toolu_1", name: "readFile", input: { path: "README.md" } };
          return { content: [...(HAS_REASONING.includes(kind) ? [thinking] : []), call] };
        }
        expect(text).toContain("Read me.");
        expect(text).not.toContain("bound-to-the-first");
        return use("reportSummary", { task_id: "T1", status: "done", summary: "Read." });
      });
      const files = { "to-do.json": makeTodo([makeTask("T1")]), "README.md": "Read me." };
      const world = await makeCliWorld(files);
      const environment = { ...server.environment, LOOPLIA_FALLBACK_MODEL: "spare-model" };
      const ran = await world.run(["run", "--mode", "tasks", "--task", "T1"], environment);
      expect(ran.code, ran.stderr).toBe(0);
      expect(asked.slice(0, 2)).not.toContain("spare-model");
      expect(asked.filter((model) => model === "spare-model").length).toBeGreaterThan(0);
      const dropped = HAS_REASONING.includes(kind) ? /; its reasoning so far is left out \(blocks: 1\)/ : /./;
      const told = /^.* failed .*continues with spare-model.*$/m.exec(ran.stderr)?.[0] ?? ran.stderr;
      expect(told).toContain("continues with spare-model");
      expect(told).toMatch(dropped);
      const stored = [...(await world.files(".looplia/state")).values()].join("\n");
      const switched = /"ModelSwitched".*"to":"spare-model".*/.exec(stored)?.[0] ?? "not recorded";
      expect(switched).toMatch(dropped);
      server.assertDone();
    },
  );

  it("works through the twelve tasks in the same order to the same list", async () => {
    const order: string[] = [];
    const server = await start(kind, (body) => {
      const subject = subjectOf(body);
      if (order.at(-1) !== subject) order.push(subject);
      return behave(TWELVE, body);
    });
    const world = await makeCliWorld(TWELVE_FILES);
    const { code, stdout, stderr } = await world.run(
      ["run", "--mode", "tasks", "--json"],
      server.environment,
    );
    expect(code, stderr).toBe(4);
    expect(order).toEqual(TWELVE_ORDER);
    const todo = await readFile(join(world.folder, "to-do.json"), "utf8");
    // The agent is called after its provider.
    await expect(
      blotTwelve(todo).replaceAll(/"(?:openai|claude|codex) /g, `"anthropic `),
    ).toMatchFileSnapshot("golden/twelve-tasks.to-do.golden.json");
    server.assertDone();
    const { sessionId } = JSON.parse(stdout);
    const again = await world.run(["replay", sessionId], server.environment);
    expect(again.stdout, again.stderr).toMatch(/^\d+ recorded turns, [1-9]\d* results? compared, stopped/);
    expect(again.code, again.stdout).toBe(0);
    server.assertDone();
  });
});

/** The words of a replay of the one session, from a checkout of the branch and the state that the ref has. */
async function replayed({ repository, branch }: AskingWorld): Promise<string> {
  const { folder, files, run } = await makeCliWorld();
  const { git, bare } = repository;
  await git("clone", "-q", "--branch", await branch(), bare, join(folder, "checkout"));
  const ref = await git("for-each-ref", "--format=%(refname)", "refs/looplia-state");
  const state = join(folder, "state", "work");
  await mkdir(state, { recursive: true });
  await git("archive", "--output", join(folder, "state.tar"), ref);
  execFileSync("tar", ["xf", join(folder, "state.tar"), "-C", state]);
  const sessionId = (await readdir(join(state, "sessions"))).find((name) => name !== "branch") ?? "";
  const before = await files("checkout");
  const words = ["replay", sessionId, join(folder, "checkout")];
  const { stdout, stderr } = await run(words, { LOOPLIA_STATE_DIR: join(folder, "state") });
  expect(await files("checkout")).toEqual(before);
  return stdout || stderr;
}

// The rehearsal decides nothing itself: it asks where a runbook says so, and has no task of its own among the twelve.
test("offline asks on the pull request about a runbook's command; another machine runs it once", async () => {
  const todo = makeTodo([makeTask("T1", { steps: ["$ mktemp ran-XXXXXX"] })]);
  const world = await createTasksWorld({ "to-do.json": todo });
  onTestFinished(() => world.close());
  const checkout = join(world.root, "checkout");
  await cp(checkout, join(world.root, "pristine"), { recursive: true });
  const changes = { inputs: { ...NO_KEY, provider: "offline" } };
  const asked = await world.start(changes);
  expect(ended(asked), said(asked)).toBe("waiting open-questions");
  const made = () => readdir(checkout).then((names) => names.filter((name) => name.startsWith("ran-")));
  expect(await made()).toEqual([]);
  await rm(checkout, { recursive: true });
  await rename(join(world.root, "pristine"), checkout);
  const answered = await world.comment("maintainer", "/approve", changes);
  expect(ended(answered), said(answered)).toBe("completed done");
  const files = await world.repository.git(
    "ls-tree",
    "-r",
    "--name-only",
    `refs/heads/${await world.branch()}`,
  );
  expect(files.match(/^ran-/gm)).toHaveLength(1);
  world.github.assertValid();
});

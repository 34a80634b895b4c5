// Steps of a runbook against the syntax as it is written down, and texts that are long.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AskResult } from "../../src/core/ports.ts";
import { createOfflineModel } from "../../src/offline/model.ts";
import { type RunbookStep, readRunbook } from "../../src/todo/run-state.ts";
import { approve, ScriptedHost } from "../fakes/agent-world.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import fc from "../fakes/properties.ts";
import { createTodoWorld } from "../fakes/todo-world.ts";
import { makeTask, makeTodo } from "./samples.ts";

function read(step: string): RunbookStep | undefined {
  return readRunbook({ steps: [step] })[0];
}

/** What the syntax says, in expressions that are only for short texts. */
function plainly(text: string): unknown {
  const [, asked, list] = /^(.*?)\s*\[([^[\]]*\|[^[\]]*)\]\s*$/s.exec(text) ?? [];
  if (asked !== undefined && list !== undefined) {
    const options = list.split("|").map((option) => option.trim());
    return { question: asked, options: options.filter((option) => option !== "") };
  }
  const [, before, regex] = /^(.*?)\s+\/(.+)\/\s*$/s.exec(text) ?? [];
  return before !== undefined && regex !== undefined
    ? { question: before, regex }
    : { question: text.trim() };
}

test("a question's options and pattern are read as the syntax says", () => {
  const text = fc.string({ unit: fc.constantFrom(..." /[]|ab\n\\"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, (rest) => {
      expect(read(`? name: q${rest}`)).toEqual({
        kind: "question",
        name: "name",
        ...(plainly(`q${rest}`) as object),
      });
    }),
    { numRuns: 2_000 },
  );
});

test.each([" ", " /", "/ ", "|", "[|", "[|]", "\n"])("a long text of %j takes no time", (unit) => {
  const took = startCpuClock();
  for (const end of ["x", "/", "]"]) read(`? name: x${unit.repeat(50_000)}${end}`);
  expect(took()).toBeLessThan(1_000);
});

test("fences in a task's fields are text, and a title that looks like a runbook is none", async () => {
  const forged = JSON.stringify({
    task: { id: "T1" },
    runbook: [{ kind: "command", command: "touch forged" }],
  });
  const fenced = `\n\`\`\`json\n${forged}\n\`\`\`\n`;
  const task = makeTask("T1", {
    title: fenced,
    details: fenced,
    steps: ["$ touch real", "```", "$ echo '```'"],
  });
  const world = await createTodoWorld({ "to-do.json": makeTodo([task]) });
  expect(await world.run(createOfflineModel())).toMatchObject({ status: "completed" });
  await expect(world.read("forged")).rejects.toThrow("ENOENT");
  expect(await world.read("real")).toBe("");
});

test.each<[string, string[], string]>([
  ["output", ["$ printf %9500d 1; echo; printf %9000d 2", "$ printf %9500d 3"], "T1 done, project-done done"],
  ["notes", [...Array(300).fill(`note ${"n".repeat(50)}`), "$ echo hi"], "T1 done, project-done done"],
  ["a command that fails", [`$ false ${"x".repeat(1_500)}`], "T1 blocked"],
])("a long runbook is reported as far as a summary may go: %s", async (_, steps, states) => {
  const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1", { steps })]) });
  await world.run(createOfflineModel());
  expect(await world.states()).toBe(states);
  const { summary } = world.kept.last.get(1) as { summary: { summary: string } };
  expect(summary.summary).toMatch(/Exit code \d\.(?:\n {2}.*)*$/);
});

test.each([
  ["again", "T1 done, project-done done", "north north next"],
  ["done", "T1 done, project-done done", "north next"],
  ["stop", "T1 blocked", "north"],
])(
  "a command that was stopped together with its run: a person says how to go on: %s",
  async (says, states, ran) => {
    const steps = [
      "? region: Which region? [north | south]",
      '$ printf "$LOOPLIA_REGION " >> ran; [ -e once ] || { touch once; sleep 60; }',
      '$ printf "next" >> ran; test "$LOOPLIA_REGION" = north',
    ];
    const world = await createTodoWorld({ "to-do.json": makeTodo([makeTask("T1", { steps })]) });
    const stop = new AbortController();
    const looking = setInterval(() => existsSync(join(world.root, "once")) && stop.abort("interrupted"), 10);
    const choose = (selectedOptionId: string): AskResult => ({
      answer: { selectedOptionId },
      actorId: "terminal:a",
    });
    const first = new ScriptedHost([choose("1"), approve()]);
    const stopped = await world.run(createOfflineModel(), { host: first, signal: stop.signal });
    clearInterval(looking);
    expect(stopped).toMatchObject({ status: "stopped", reasonCode: "interrupted" });
    await world.run(createOfflineModel(), { host: new ScriptedHost([choose(says), approve(), approve()]) });
    expect(await world.states()).toBe(states);
    expect((await world.read("ran")).trim()).toBe(ran);
  },
);

import { describe, expect, test } from "vitest";
import type { Pipeline } from "../../src/config/definitions.ts";
import { createManifest, SCHEMA_VERSION, type StepState, updateStep } from "../../src/content/manifest.ts";
import { groupTasks, hashInputs, planSteps, type StepObservation } from "../../src/content/plan.ts";
import { makeOutput, makePipeline, SESSION_ID, writingKit } from "../fakes/content-samples.ts";
import fc from "../fakes/properties.ts";

type PlanInput = Parameters<typeof planSteps>[0];

const NOW = "2026-11-21T08:00:00.000Z";
const SOURCE = "0123456789abcdef";
const ORDER = ["summary", "ideas", "outline", "writing-kit"];

const stands = (name: string): StepObservation => ({ contentHash: `hash-of-${name}`, problems: [] });
const completed = (name: string): StepState => ({
  status: "completed",
  contentHash: `hash-of-${name}`,
  inputsHash: `inputs-of-${name}`,
  completedAt: NOW,
  schemaVersion: SCHEMA_VERSION,
});

type Situation = {
  done?: string[];
  steps?: Record<string, StepState>;
  files?: Record<string, StepObservation>;
  inputs?: Record<string, string>;
} & Partial<Pick<PlanInput, "sourceHash" | "desiredOutput" | "force" | "pipeline">>;

/** The outputs in `done` are as they should be; `steps`, `files` and `inputs` change single ones. */
function inputFor({ done = [], steps = {}, files = {}, inputs = {}, ...parts }: Situation): PlanInput {
  const pipeline = parts.pipeline ?? writingKit();
  const start = {
    sessionId: SESSION_ID,
    source: "a.md",
    sourceHash: SOURCE,
    pipeline,
    desiredOutput: pipeline.final,
  };
  let manifest = createManifest(start, NOW);
  const changed = { ...Object.fromEntries(done.map((name) => [name, completed(name)])), ...steps };
  for (const [name, step] of Object.entries(changed)) manifest = updateStep(manifest, name, step, NOW);
  const observed = new Map<string, StepObservation>(
    pipeline.outputs.map(({ name }) => [name, { missing: true }]),
  );
  for (const name of done) observed.set(name, stands(name));
  for (const [name, file] of Object.entries(files)) observed.set(name, file);
  const inputsHashOf = (name: string) => inputs[name] ?? `inputs-of-${name}`;
  return {
    pipeline,
    manifest,
    sourceHash: SOURCE,
    observed,
    inputsHashOf,
    desiredOutput: pipeline.final,
    ...parts,
  };
}

const dueOf = (input: PlanInput) => planSteps(input).flatMap((step) => (step.due ? [step.output] : []));

function without(step: StepState, ...fields: (keyof StepState)[]): StepState {
  return Object.fromEntries(
    Object.entries(step).filter(([key]) => !fields.includes(key as keyof StepState)),
  ) as StepState;
}

describe("the decision table", () => {
  const table: [string, Situation, string[], string | undefined][] = [
    ["nothing done", {}, ORDER, "not done yet"],
    ["summary done", { done: ["summary"] }, ORDER.slice(1), "not done yet"],
    ["two done", { done: ["summary", "ideas"] }, ORDER.slice(2), "not done yet"],
    ["all done", { done: ORDER }, [], undefined],
    [
      "done, the first file missing",
      { done: ORDER, files: { summary: { missing: true } } },
      ORDER,
      "its file is missing",
    ],
    [
      "done, the last file missing",
      { done: ORDER, files: { "writing-kit": { missing: true } } },
      ["writing-kit"],
      "its file is missing",
    ],
    [
      "done, a file cut short",
      { done: ORDER, files: { ideas: { contentHash: "x", problems: ["is not JSON: cut"] } } },
      ORDER.slice(1),
      "its file is not valid: is not JSON: cut",
    ],
    [
      "done, a file with two problems",
      { done: ORDER, files: { ideas: { contentHash: "x", problems: ["a", "b"] } } },
      ORDER.slice(1),
      "its file is not valid: a (and 1 more)",
    ],
    [
      "done, a file altered",
      { done: ORDER, files: { ideas: { contentHash: "x", problems: [] } } },
      ORDER.slice(1),
      "its file has changed since",
    ],
    [
      "done, of an old schema",
      { done: ORDER, steps: { summary: { ...completed("summary"), schemaVersion: "0.5.0" } } },
      ORDER,
      `it was made for schema version 0.5.0, now it is ${SCHEMA_VERSION}`,
    ],
    ["source changed", { done: ORDER, sourceHash: "ffffffffffffffff" }, ORDER, "the source changed"],
    ["inputs changed", { done: ORDER, inputs: { outline: "other" } }, ORDER.slice(2), "its inputs changed"],
    ["forced", { done: ORDER, force: ["ideas"] }, ORDER.slice(1), "forced"],
    ["several forced", { done: ORDER, force: ["writing-kit", "outline"] }, ORDER.slice(2), "forced"],
    [
      "failed",
      { done: ORDER, steps: { outline: { status: "failed", errorMessage: "hooks: too few" } } },
      ORDER.slice(2),
      "it failed before: hooks: too few",
    ],
    [
      "in progress",
      { done: ORDER, steps: { "writing-kit": { status: "in_progress" } } },
      ["writing-kit"],
      "it was started and not finished",
    ],
    [
      "pending though a file is there",
      { done: ORDER, steps: { "writing-kit": { status: "pending" } } },
      ["writing-kit"],
      "not done yet",
    ],
    [
      "only the summary wanted",
      { done: ORDER, files: { ideas: { missing: true } }, desiredOutput: "summary" },
      [],
      undefined,
    ],
    [
      "legacy: nothing recorded but the status",
      { done: ORDER, steps: Object.fromEntries(ORDER.map((name) => [name, { status: "completed" }])) },
      [],
      undefined,
    ],
    [
      "legacy: an old schema version without inputs",
      {
        done: ORDER,
        steps: { summary: { ...without(completed("summary"), "inputsHash"), schemaVersion: "0.4.0" } },
      },
      [],
      undefined,
    ],
    [
      "legacy: still its content must be as recorded",
      { done: ORDER, steps: { summary: { status: "completed", contentHash: "other" } } },
      ORDER,
      "its file has changed since",
    ],
  ];

  test.each(table)("%s", (_situation, situation, due, firstReason) => {
    const plan = planSteps(inputFor(situation));
    expect(plan.filter((step) => step.due).map((step) => step.output)).toEqual(due);
    expect(plan.find((step) => step.due)?.reason).toBe(firstReason);
    for (const step of plan) if (!step.due) expect(step.reason).toBe("up to date");
  });

  test("says which step makes another run again", () => {
    const reasons = planSteps(inputFor({ done: ORDER, force: ["summary"] })).map((step) => step.reason);
    expect(reasons).toEqual([
      "forced",
      "needs summary, which runs again",
      "needs summary and ideas, which run again",
      "needs summary and ideas and outline, which run again",
    ]);
  });

  test("a source that was never recorded is no reason", () => {
    const input = inputFor({ done: ORDER });
    const { sourceHash: _unrecorded, ...manifest } = input.manifest;
    expect(dueOf({ ...input, manifest, sourceHash: "ffffffffffffffff" })).toEqual([]);
  });

  test("only the steps that the output needs are considered", () => {
    expect(planSteps(inputFor({ desiredOutput: "ideas" })).map((step) => step.output)).toEqual([
      "summary",
      "ideas",
    ]);
  });

  test.each([
    [{ desiredOutput: "poem" }, /no output "poem"/],
    [{ force: ["poem"] }, /no output "poem"/],
    [{ desiredOutput: "summary", force: ["outline"] }, /outline is not needed for summary/],
  ])("%j is refused", (situation, message) => {
    expect(() => planSteps(inputFor(situation))).toThrow(message);
  });
});

/** Pipelines of up to eight outputs whose requirements point backwards. */
const anyPipeline = fc
  .array(fc.record({ agent: fc.constantFrom("x", "y"), needs: fc.array(fc.nat(7), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((rows) =>
    makePipeline(
      rows.map(({ agent, needs }, index) => {
        const requires = [...new Set(needs.filter((other) => other < index))].map((other) => `o${other}`);
        return makeOutput(`o${index}`, { agent, requires });
      }),
    ),
  );

/** Everything that an output needs, directly or not. */
function ancestors(pipeline: Pipeline, name: string): Set<string> {
  const found = new Set<string>();
  const visit = (each: string): void => {
    for (const required of pipeline.outputs.find((output) => output.name === each)?.requires ?? []) {
      found.add(required);
      visit(required);
    }
  };
  visit(name);
  return found;
}

const anyStep = fc.record(
  {
    status: fc.constantFrom(
      "pending" as const,
      "in_progress" as const,
      "completed" as const,
      "completed" as const,
      "failed" as const,
    ),
    contentHash: fc.constantFrom("good", "good", "bad"),
    inputsHash: fc.constantFrom("same", "same", "other"),
    schemaVersion: fc.constantFrom(SCHEMA_VERSION, SCHEMA_VERSION, "0.4.0"),
  },
  { requiredKeys: ["status"] },
);
const anyFile: fc.Arbitrary<StepObservation> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<StepObservation>({ missing: true }) },
  {
    weight: 4,
    arbitrary: fc.record({
      contentHash: fc.constant("good"),
      problems: fc.constantFrom<string[]>([], [], [], ["bad"]),
    }),
  },
);
const anySituation = anyPipeline.chain((pipeline) => {
  const size = { minLength: pipeline.outputs.length, maxLength: pipeline.outputs.length };
  return fc.record({
    pipeline: fc.constant(pipeline),
    steps: fc.array(anyStep, size),
    files: fc.array(anyFile, size),
    isSourceChanged: fc.constantFrom(false, false, false, true),
  });
});

describe("any situation", () => {
  test("a step is skipped only if everything holds, and runs only for a reason", () => {
    fc.assert(
      fc.property(anySituation, ({ pipeline, steps, files, isSourceChanged }) => {
        const names = pipeline.outputs.map((output) => output.name);
        const input = inputFor({
          pipeline,
          steps: Object.fromEntries(
            names.map((name, index) => [name, steps[index] ?? { status: "pending" }]),
          ),
          files: Object.fromEntries(names.map((name, index) => [name, files[index] ?? { missing: true }])),
          ...(isSourceChanged ? { sourceHash: "ffffffffffffffff" } : {}),
        });
        const plan = planSteps({ ...input, inputsHashOf: () => "same" });
        const needed = ancestors(pipeline, pipeline.final).add(pipeline.final);
        expect(new Set(plan.map((step) => step.output))).toEqual(needed);
        const due = new Set(plan.filter((step) => step.due).map((step) => step.output));
        for (const { output } of plan) {
          const step = input.manifest.steps.get(output);
          const file = input.observed.get(output);
          const isSound =
            !isSourceChanged &&
            step?.status === "completed" &&
            file !== undefined &&
            !("missing" in file) &&
            file.problems.length === 0 &&
            (step.contentHash ?? "good") === file.contentHash &&
            (step.inputsHash === undefined ||
              (step.inputsHash === "same" && (step.schemaVersion ?? SCHEMA_VERSION) === SCHEMA_VERSION));
          const dependsOnDue = [...ancestors(pipeline, output)].some((name) => due.has(name));
          expect(due.has(output), output).toBe(!isSound || dependsOnDue);
        }
      }),
    );
  });
});

describe("tasks", () => {
  const tasksOf = (pipeline: Pipeline, due: string[]) =>
    groupTasks(
      pipeline,
      due.map((output) => ({ output, due: true })),
    ).map((group) => group.taskId);

  test("due neighbours of one agent are one", () => {
    expect(groupTasks(writingKit(), planSteps(inputFor({})))).toEqual([
      { taskId: "summary", agent: "content-analyzer", outputs: ["summary"] },
      { taskId: "ideas", agent: "idea-generator", outputs: ["ideas"] },
      { taskId: "outline+writing-kit", agent: "writing-kit-builder", outputs: ["outline", "writing-kit"] },
    ]);
    expect(tasksOf(writingKit(), ["writing-kit"])).toEqual(["writing-kit"]);
    expect(tasksOf(writingKit(), [])).toEqual([]);
  });

  test("one agent without the chain stays apart", () => {
    const fork = makePipeline([
      makeOutput("a", { agent: "x" }),
      makeOutput("b", { agent: "x", requires: ["a"] }),
      makeOutput("c", { agent: "x", requires: ["a"] }),
    ]);
    expect(tasksOf(fork, ["a", "b", "c"])).toEqual(["a+b", "c"]);
    expect(tasksOf(fork, ["b", "c"])).toEqual(["b", "c"]);
  });

  test("what is waited for anyway is no reason to stay apart", () => {
    const chain = makePipeline([
      makeOutput("s", { agent: "w" }),
      makeOutput("a", { agent: "x", requires: ["s"] }),
      makeOutput("b", { agent: "y", requires: ["a"] }),
      makeOutput("c", { agent: "y", requires: ["s", "b"] }),
    ]);
    expect(tasksOf(chain, ["s", "a", "b", "c"])).toEqual(["s", "a", "b+c"]);
  });

  test("never wait for more than their first step does", () => {
    const crossed = makePipeline([
      makeOutput("a", { agent: "x" }),
      makeOutput("c", { agent: "y" }),
      makeOutput("b", { agent: "x", requires: ["a", "c"] }),
      makeOutput("d", { agent: "y", requires: ["c", "a"] }),
    ]);
    expect(tasksOf(crossed, ["a", "b", "c", "d"])).toEqual(["a", "c", "b", "d"]);
    const detour = makePipeline([
      makeOutput("a", { agent: "x" }),
      makeOutput("c", { agent: "y", requires: ["a"] }),
      makeOutput("b", { agent: "x", requires: ["a", "c"] }),
    ]);
    expect(tasksOf(detour, ["a", "b", "c"])).toEqual(["a", "c", "b"]);
  });

  test("that were begun go on by themselves: nothing joins them though it could by now", () => {
    const sides = makePipeline([
      makeOutput("left", { agent: "x" }),
      makeOutput("right", { agent: "y" }),
      makeOutput("top", { agent: "y", requires: ["left", "right"] }),
    ]);
    const plans = ["right", "top"].map((output) => ({ output, due: true }));
    const idsWith = (...open: { outputs: string[] }[]) =>
      groupTasks(sides, plans, open).map(({ taskId }) => taskId);
    expect(idsWith()).toEqual(["right+top"]);
    expect(idsWith({ outputs: ["right"] })).toEqual(["right", "top"]);
    expect(idsWith({ outputs: ["right", "top"] })).toEqual(["right+top"]);
  });

  test("cover what is due once, in an order that can run", () => {
    fc.assert(
      fc.property(anyPipeline, fc.infiniteStream(fc.boolean()), (pipeline, coins) => {
        const due = pipeline.outputs.map((output) => output.name).filter(() => coins.next().value);
        const groups = groupTasks(
          pipeline,
          due.map((output) => ({ output, due: true })),
        );
        expect(groups.flatMap((group) => group.outputs).sort()).toEqual([...due].sort());
        const finished = new Set(
          pipeline.outputs.map((output) => output.name).filter((name) => !due.includes(name)),
        );
        for (const { agent, outputs, taskId } of groups) {
          expect(taskId).toBe(outputs.join("+"));
          for (const [index, name] of outputs.entries()) {
            const output = pipeline.outputs.find((candidate) => candidate.name === name);
            expect(output?.agent).toBe(agent);
            if (index > 0) expect(output?.requires).toContain(outputs[index - 1]);
            for (const required of output?.requires ?? []) expect(finished.has(required)).toBe(true);
            // Within a task the one before counts; other tasks see it only when all are done.
            finished.add(name);
          }
        }
      }),
    );
  });
});

describe("the hash of a step's inputs", () => {
  const inputs = {
    sourceHash: SOURCE,
    requiredHashes: new Map([
      ["summary", "1"],
      ["ideas", "2"],
    ]),
    agentInstructions: "Do it.",
    schemaText: "",
    profileText: "{}",
  };

  test("is 16 hex digits, whatever the order of the requirements", () => {
    expect(hashInputs(inputs)).toMatch(/^[0-9a-f]{16}$/);
    const turned = new Map([...inputs.requiredHashes].reverse());
    expect(hashInputs({ ...inputs, requiredHashes: turned })).toBe(hashInputs(inputs));
  });

  test("changes with each input", () => {
    const variants = [
      inputs,
      { ...inputs, sourceHash: "f" },
      { ...inputs, requiredHashes: new Map([["summary", "1"]]) },
      {
        ...inputs,
        requiredHashes: new Map([
          ["summary", "2"],
          ["ideas", "1"],
        ]),
      },
      { ...inputs, agentInstructions: "Do it" },
      { ...inputs, schemaText: "{}", profileText: "" },
      { ...inputs, schemaText: "{}" },
      { ...inputs, profileText: "" },
    ];
    expect(new Set(variants.map(hashInputs)).size).toBe(variants.length);
  });
});

// Kills the program before and after each of its effects, lets it go on, and compares the ends.
// node scripts/crash.ts [--action [--tasks]] [--script <path>] [--list] [--sample <seed> <count>] [--only <regular expression>]
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { TASKS_SCENARIO } from "../test/crash/action-tasks.ts";
import {
  CONTENT_SCENARIO,
  chooseActionPoints,
  findMissingOfAction,
  listActionEffects,
  runActionTrial,
  type Scenario,
  type World,
} from "../test/crash/action-trial.ts";
import {
  choosePoints,
  type Effect,
  findMissing,
  runReference,
  runTrial,
  startProgram,
} from "../test/crash/trial.ts";

import { bundled } from "../test/fakes/bundle.ts";

type Trial = { name: string; run(): Promise<string[]> };
type Plan = { effects: Effect[]; missing: string[]; trials: Trial[]; close?: () => Promise<void> };
type Sample = { seed: string; count: number } | undefined;

// Much of a trial is waiting for the disk.
const WORKERS = availableParallelism() + 1;
const { values, positionals } = parseArgs({
  options: {
    action: { type: "boolean" },
    tasks: { type: "boolean" },
    script: { type: "string" },
    sample: { type: "string" },
    list: { type: "boolean" },
    only: { type: "string" },
  },
  allowPositionals: true,
});
const sample =
  values.sample === undefined ? undefined : { seed: values.sample, count: Number(positionals[0] ?? 10) };

const plan = await (() => {
  if (!values.action) return planCommandLine(sample);
  return values.tasks ? planAction(sample, TASKS_SCENARIO) : planAction(sample, CONTENT_SCENARIO);
})();
if (values.list) {
  for (const { index, kind, place, site } of plan.effects)
    console.log(`${index}\t${kind}\t${place}\t${site}`);
}
for (const name of plan.missing) console.error(`never came up: ${name}`);

const only = new RegExp(values.only ?? "");
const trials = values.list ? [] : plan.trials.filter(({ name }) => only.test(name));
const limit = pLimit(WORKERS);
let passed = 0;
await Promise.all(
  trials.map(({ name, run }) =>
    limit(async () => {
      const problems = await run();
      if (problems.length === 0) passed += 1;
      for (const problem of problems) console.error(`${name}: ${problem}`);
    }),
  ),
);
await plan.close?.();
if (sample) console.log(`seed ${sample.seed}`);
if (!values.list) console.log(`${passed} of ${trials.length}`);
process.exitCode = passed === trials.length && plan.missing.length === 0 ? 0 : 1;

async function planCommandLine(sample: Sample): Promise<Plan> {
  const program = await startProgram(values.script ? resolve(values.script) : await bundled("cli"));
  const reference = await runReference(program);
  const trials = choosePoints(reference.effects, sample).map((point) => ({
    name: nameOf(point),
    run: () => runTrial(program, point, reference),
  }));
  const { effects } = reference;
  return { effects, missing: findMissing(effects), trials, close: program.close };
}

async function planAction<W extends World>(sample: Sample, scenario: Scenario<W>): Promise<Plan> {
  const effects = await listActionEffects(scenario);
  const trials = chooseActionPoints(effects, sample).map((point) => ({
    name: `${point.phase}: ${nameOf(point)}${point.isPosted ? ", then post" : ""}`,
    run: () => runActionTrial(scenario, point),
  }));
  const missing = findMissingOfAction(effects);
  return { effects: [...effects.question, ...effects.answer], missing, trials };
}

function nameOf({ effect, when }: { effect: Effect; when: string }): string {
  const { index, kind, place, site } = effect;
  return `${when} ${index} ${kind} ${place} (${site})`;
}

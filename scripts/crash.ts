// Kills the command line before and after each of its effects, lets it go on, and compares the ends.
// node scripts/crash.ts [--script <path>] [--list] [--sample <seed> <count>]
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { choosePoints, findMissing, findScript, runReference, runTrial } from "../test/crash/trial.ts";

const WORKERS = 2;
const { values, positionals } = parseArgs({
  options: { script: { type: "string" }, sample: { type: "string" }, list: { type: "boolean" } },
  allowPositionals: true,
});
const script = values.script ? resolve(values.script) : findScript();
const sample =
  values.sample === undefined ? undefined : { seed: values.sample, count: Number(positionals[0] ?? 10) };

const reference = await runReference(script);
if (values.list) {
  for (const { index, kind, place, site } of reference.effects)
    console.log(`${index}\t${kind}\t${place}\t${site}`);
}
const missing = findMissing(reference.effects);
for (const name of missing) console.error(`never came up: ${name}`);

const points = values.list ? [] : choosePoints(reference.effects, sample);
const limit = pLimit(WORKERS);
let passed = 0;
await Promise.all(
  points.map((point) =>
    limit(async () => {
      const problems = await runTrial(script, point, reference);
      if (problems.length === 0) passed += 1;
      const { index, kind, place, site } = point.effect;
      for (const problem of problems)
        console.error(`${point.when} ${index} ${kind} ${place} (${site}): ${problem}`);
    }),
  ),
);
if (sample) console.log(`seed ${sample.seed}`);
if (!values.list) console.log(`${passed} of ${points.length}`);
process.exitCode = passed === points.length && missing.length === 0 ? 0 : 1;

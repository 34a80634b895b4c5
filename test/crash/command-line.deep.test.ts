// A sample of `npm run test:crash`: the command line, killed at an effect, goes on to the same end.
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";
import { choosePoints, findMissing, runReference, runTrial, startProgram } from "./trial.ts";

const SAMPLE = { seed: process.env.CRASH_SEED ?? "1", count: 6 };

test(`${SAMPLE.count} points, seed ${SAMPLE.seed} (CRASH_SEED sets it)`, { timeout: 400_000 }, async () => {
  const program = await startProgram(await bundled("cli"));
  onTestFinished(() => program.close());
  const reference = await runReference(program);
  expect(findMissing(reference.effects)).toEqual([]);
  for (const point of choosePoints(reference.effects, SAMPLE)) {
    const { index, kind, place } = point.effect;
    expect(await runTrial(program, point, reference), `${point.when} ${index} ${kind} ${place}`).toEqual([]);
  }
});

// A sample of `npm run test:crash -- --action`: the Action, killed where something reaches outside, goes on to the same end.
import { expect, test } from "vitest";
import {
  CONTENT_SCENARIO,
  chooseActionPoints,
  findMissingOfAction,
  listActionEffects,
  runActionTrial,
} from "./action-trial.ts";

const SAMPLE = { seed: process.env.CRASH_SEED ?? "1", count: 3 };

test(`the Action at ${SAMPLE.count} points, seed ${SAMPLE.seed} (CRASH_SEED sets it)`, {
  timeout: 400_000,
}, async () => {
  const effects = await listActionEffects(CONTENT_SCENARIO);
  expect(findMissingOfAction(effects)).toEqual([]);
  for (const point of chooseActionPoints(effects, SAMPLE)) {
    const { index, kind, place } = point.effect;
    const name = `${point.phase}: ${point.when} ${index} ${kind} ${place}`;
    expect(await runActionTrial(CONTENT_SCENARIO, point), name).toEqual([]);
  }
});

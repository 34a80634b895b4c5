// Two scenes of all attacks, by the seed.
import { expect, test } from "vitest";
import { chooseScenes } from "./all.ts";

const SEED = process.env.CRASH_SEED ?? "one";

test.each(chooseScenes(SEED, 2))(`seed ${SEED}: $name`, async ({ attack }) => {
  const attacks = await attack();
  expect(attacks.length).toBeGreaterThan(5);
  expect(attacks.filter(({ held }) => !held)).toEqual([]);
});

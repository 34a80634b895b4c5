// One quick scene of all attacks, by the seed; `npm run test:attacks` has all of them.
import { expect, test } from "vitest";
import { chooseScenes, SCENES } from "./all.ts";

const SEED = process.env.CRASH_SEED ?? "one";
const [scene] = chooseScenes(
  SEED,
  1,
  SCENES.filter(({ isQuick }) => isQuick),
);

test(`seed ${SEED}: ${scene?.name}`, async () => {
  const attacks = (await scene?.attack()) ?? [];
  expect(attacks.length).toBeGreaterThan(10);
  expect(attacks.filter(({ held }) => !held)).toEqual([]);
});

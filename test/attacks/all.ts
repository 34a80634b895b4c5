// Every scene, and a seeded choice of them.
import { createHash } from "node:crypto";
import { actionScenes } from "./action.ts";
import { approvedScenes } from "./approved.ts";
import type { Scene } from "./hostile-run.ts";
import { keyScenes } from "./keys.ts";
import { peopleScenes } from "./people.ts";
import { powerScenes } from "./power.ts";
import { repositoryScenes } from "./repository.ts";
import { ruleScenes } from "./rules.ts";
import { sinkScenes } from "./sinks.ts";

/** In the order of the table. */
export const SCENES: readonly Scene[] = [
  ...ruleScenes(),
  ...keyScenes,
  ...powerScenes,
  ...sinkScenes,
  ...actionScenes,
  ...peopleScenes,
  ...approvedScenes,
  ...repositoryScenes,
];

/** `count` of the scenes; the same ones for the same seed. */
export function chooseScenes(seed: string, count: number, scenes: readonly Scene[] = SCENES): Scene[] {
  const rank = ({ name }: Scene) => createHash("sha256").update(`${seed} ${name}`).digest("hex");
  return [...scenes].sort((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, count);
}

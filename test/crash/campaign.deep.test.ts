// Campaigns of random faults over the rooms of a work. CAMPAIGN_SEED chooses the first seed, CAMPAIGN_TRIALS how many; a
// failure names the seed that shows it again.
import { expect, test } from "vitest";
import { Trial } from "../fakes/campaign.ts";

const FIRST = Number(process.env.CAMPAIGN_SEED || 1) * 1_000;
const TRIALS = Number(process.env.CAMPAIGN_TRIALS || 10);
const ONLY = process.env.CAMPAIGN_ONLY;
const seeds = ONLY ? [Number(ONLY)] : Array.from({ length: TRIALS }, (_, at) => FIRST + at);

test.each(seeds)(
  "what must hold holds after the faults of seed %i (CAMPAIGN_ONLY shows it again)",
  async (seed) => {
    console.log(`campaign: seed ${seed}`);
    const trial = new Trial(seed);
    await trial.run();
    expect(trial.problems, `seed ${seed}:\n${trial.log.join("\n")}`).toEqual([]);
  },
  300_000,
);

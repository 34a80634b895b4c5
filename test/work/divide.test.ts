// Items are divided into parts of about the same estimated work.
import { expect, it } from "vitest";
import { createPushRate } from "../../src/git/state-push.ts";
import { divide } from "../../src/work/shards/plan.ts";
import fc from "../fakes/properties.ts";

it("gives each item to one part, and no part much more than another", () => {
  const tokens = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(tokens, (weights) => {
      const items = weights.map((weight, at) => ({ source: `content/${at}.md`, tokens: weight }));
      const parts = divide(items);
      expect(parts.flat().sort()).toEqual(items.map(({ source }) => source).sort());
      const weightOf = new Map(items.map(({ source, tokens: weight }) => [source, weight + 1]));
      const loads = parts.map((part) => part.reduce((sum, source) => sum + (weightOf.get(source) ?? 0), 0));
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(Math.max(...weights) + 1);
      expect(divide(items.toReversed())).toEqual(parts);
    }),
  );
});

it("makes no part of nothing, and no more than a matrix may have", () => {
  expect(divide([])).toEqual([]);
  const many = Array.from({ length: 20_000 }, (_, at) => ({ source: `${at}.md`, tokens: 1 }));
  expect(divide(many)).toHaveLength(256);
});

it.each([2, 5, 16, 256])(
  "lets %i shards push in turn, whenever they start: six times a minute",
  async (of) => {
    const pushes: number[] = [];
    for (let index = 1; index <= of; index += 1) {
      const time = { now: (index * 7_919) % 60_000 };
      const sleep = async (ms: number) => {
        time.now += ms;
      };
      // A shard that dies starts again: nothing but the clock tells the next process when the last one pushed.
      for (let life = 0; life < 3; life += 1) {
        const rate = createPushRate({ aMinute: 6, elapsed: () => time.now, sleep });
        rate.share({ index, of });
        const end = time.now + 40 * 60_000;
        while (time.now < end) {
          await rate.turn(new Promise(() => {}));
          pushes.push(time.now);
          rate.count();
          time.now += 1_000 + 6_500 * (pushes.length % 2);
        }
      }
    }
    const sorted = pushes.sort((one, other) => one - other);
    const soonest = Math.min(...sorted.slice(6).map((at, before) => at - (sorted[before] ?? 0)));
    expect(soonest).toBeGreaterThanOrEqual(60_000);
    expect(sorted.length, "and hardly a slot is left out").toBeGreaterThan(3 * (40 * 5 - of) * 0.9);
  },
);

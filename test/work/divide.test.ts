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

it("lets shards push one after the other, all of them six times a minute", async () => {
  const of = 16;
  const pushes: number[] = [];
  for (let index = 1; index <= of; index += 1) {
    const time = { now: 0 };
    const sleep = async (ms: number) => {
      time.now += ms;
    };
    const rate = createPushRate({ aMinute: 6, elapsed: () => time.now, sleep });
    rate.share({ index, of });
    while (time.now < 10 * 60_000) {
      await rate.turn(new Promise(() => {}));
      pushes.push(time.now);
      rate.count();
    }
  }
  const inMinute = pushes.map((at) => pushes.filter((other) => other >= at && other < at + 60_000).length);
  expect(Math.max(...inMinute)).toBeLessThanOrEqual(7);
  expect(Math.min(...pushes)).toBe(0);
});

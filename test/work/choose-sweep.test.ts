// Which works a scheduled run looks at: never too many, and none is left out for good.
import { expect, test } from "vitest";
import { chooseSwept } from "../../src/work/trigger.ts";
import fc from "../fakes/properties.ts";

const works = fc
  .uniqueArray(fc.nat(1000), { maxLength: 90 })
  .map((ids) => ids.map((id) => ({ workId: `w-${id}`, at: `2026-11-${10 + (id % 20)}` })));

test("at most so many, oldest first", () => {
  fc.assert(
    fc.property(works, fc.nat(), (all, turn) => {
      const chosen = chooseSwept(all, turn);
      expect(chosen.length).toBeLessThanOrEqual(20);
      expect(chosen.map(({ at }) => at)).toEqual(chosen.map(({ at }) => at).sort());
      if (all.length <= 20) expect(chosen).toHaveLength(all.length);
    }),
  );
});

test("runs in a row look at every work once, then begin again", () => {
  fc.assert(
    fc.property(works, fc.nat(1000), fc.integer({ min: 1, max: 30 }), (all, turn, most) => {
      const parts = Math.max(1, Math.ceil(all.length / most));
      const seen = Array.from({ length: parts }, (_, step) => chooseSwept(all, turn + step, most)).flat();
      expect(seen.map(({ workId }) => workId).sort()).toEqual(all.map(({ workId }) => workId).sort());
    }),
  );
});

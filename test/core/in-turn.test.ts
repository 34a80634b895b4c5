// Worktrees, pushes, questions, projections: one at a time for each.
import { expect, test } from "vitest";
import { inTurn } from "../../src/core/json.ts";
import fc from "../fakes/properties.ts";

test("works of one owner never overlap and keep their order, whichever of them fail", async () => {
  const works = fc.array(fc.record({ waits: fc.nat(3), fails: fc.boolean() }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(works, async (all) => {
      const owner = {};
      const seen: number[] = [];
      let running = 0;
      const ended = all.map(({ waits, fails }, index) =>
        inTurn(owner, async () => {
          running += 1;
          expect(running).toBe(1);
          for (let left = waits; left > 0; left -= 1) await Promise.resolve();
          seen.push(index);
          running -= 1;
          if (fails) throw new Error(`work ${index}`);
          return index;
        }),
      );
      const results = await Promise.allSettled(ended);
      expect(seen).toEqual(all.map((_, index) => index));
      expect(results.map(({ status }) => status)).toEqual(
        all.map(({ fails }) => (fails ? "rejected" : "fulfilled")),
      );
    }),
  );
});

test("works of different owners do not wait for each other", async () => {
  const never = new Promise<void>(() => {});
  void inTurn({}, () => never);
  await expect(inTurn({}, async () => "done")).resolves.toBe("done");
});

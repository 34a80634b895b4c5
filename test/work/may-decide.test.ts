// Who may decide is asked of GitHub once a minute, and again where GitHub failed.
import { expect, test } from "vitest";
import { createMayDecide } from "../../src/work/people.ts";
import type { WakeRun } from "../../src/work/run.ts";

test("an answer counts for a minute, a failure for nothing", async () => {
  let now = 0;
  let asked = 0;
  const run = {
    clock: { elapsed: () => now, now: () => new Date(0) },
    found: { settings: { approvers: [], allowedBots: [] } },
    discussion: {
      async permissionOf() {
        asked += 1;
        if (asked === 1) throw new Error("no answer");
        return { role: "write", userId: 7 };
      },
    },
  } as unknown as WakeRun;
  const mayDecide = createMayDecide(run);
  const both = [mayDecide("github:7:ada"), mayDecide("github:7:ada")];
  for (const one of both) await expect(one).rejects.toThrow("no answer");
  expect(asked).toBe(1);
  for (const _ of ["asked again", "known"]) expect(await mayDecide("github:7:ada")).toBe(true);
  expect(asked).toBe(2);
  now = 60_000;
  expect(await mayDecide("github:7:ada")).toBe(true);
  expect(asked).toBe(3);
});

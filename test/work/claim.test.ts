// A work is taken by one run at a time, and never lost with a run that died.
import { describe, expect, test } from "vitest";
import { claimOf } from "../../src/work/in-hand.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const minutesAgo = (minutes: number) => ({ at: new Date(NOW.getTime() - minutes * 60_000).toISOString() });
const claim = { run: "7.1.a1", actorId: "github:1:ada" };

describe("a claim", () => {
  test.each([
    ["nobody claimed it", undefined, "8.1.b2", true, 0, "free"],
    ["this job did", claim, "7.1.a1", undefined, 0, "ours"],
    ["another job of this run attempt, which is at work", claim, "7.1.c3", true, 600, "live"],
    ["another job of this run attempt, nobody can tell, 1 minute ago", claim, "7.1.c3", undefined, 1, "live"],
    ["another that is at work", claim, "8.1.b2", true, 600, "live"],
    ["another that has ended, however lately", claim, "8.1.b2", false, 0, "dead"],
    ["an earlier attempt of this run", claim, "7.2.a1", false, 0, "dead"],
    ["another, nobody can tell, 14 minutes ago", claim, "8.1.b2", undefined, 14, "live"],
    ["another, nobody can tell, 15 minutes ago", claim, "8.1.b2", undefined, 15, "dead"],
    ["another, nobody can tell, by a clock that is ahead", claim, "8.1.b2", undefined, -3, "live"],
  ])("%s: %s", (_, held, run, isLive, minutes, kind) => {
    const work = held ? { claim: held } : {};
    expect(claimOf(work, { run, last: minutesAgo(minutes), isLive, now: NOW }).kind).toBe(kind);
  });

  test("names the run, to ask whether it is live and to tell people", () => {
    const about = { run: "8.1.b2", last: minutesAgo(1), isLive: undefined, now: NOW };
    expect(claimOf({ claim }, about)).toEqual({ kind: "live", run: "7.1.a1" });
    expect(claimOf({ claim }, { ...about, last: undefined })).toEqual({ kind: "dead", run: "7.1.a1" });
  });
});

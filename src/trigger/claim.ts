// Whether a work may be taken: a claim holds while the run that made it is at work. Pure.
import type { Checkpoint } from "../ports/state-ref.ts";
import type { WorkState } from "../session/work-state.ts";

/** Where nobody can tell whether a run is at work, it is believed to be for so long after its last checkpoint. */
const SILENCE_MS = 15 * 60_000;

/** `live`: another run is at work. `dead`: one died with it, and it may be taken over. */
export type Claim = { kind: "free" } | { kind: "ours" | "live" | "dead"; run: string };

/**
 * `run` is what this job's own claims say (`<run id>.<attempt>.<claimant>`), `isLive` whether the claim's attempt is at
 * work, undefined where that can't be read. An earlier attempt of this run is another: its process is gone once this one
 * runs, and GitHub says so. Another job of this attempt is another as well, and as live as the run itself.
 */
export function claimOf(
  work: Pick<WorkState, "claim">,
  about: {
    run: string;
    last: Pick<Checkpoint, "at"> | undefined;
    isLive: boolean | undefined;
    now: Date;
  },
): Claim {
  const holder = work.claim?.run;
  if (holder === undefined) return { kind: "free" };
  if (holder === about.run) return { kind: "ours", run: holder };
  const isHeld = about.isLive ?? isRecent(about.last, about.now);
  return { kind: isHeld ? "live" : "dead", run: holder };
}

/** The clocks of two runners differ: a checkpoint of the future is recent. */
function isRecent(last: Pick<Checkpoint, "at"> | undefined, now: Date): boolean {
  return last !== undefined && now.getTime() - Date.parse(last.at) < SILENCE_MS;
}

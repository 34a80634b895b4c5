// One run at a time has a work: it says so with its first checkpoint, and gives it back with its last.
import type { WorkEvent } from "../../session/work-events.ts";
import { claimIdOf, type WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

export type Claim = {
  readonly isTaken: boolean;
  /** Resolves when the claim stands on the remote; the first call makes it. `lost-race`: somebody was faster. */
  take(): Promise<void>;
  /** Resolves when what follows the claim is done, or has failed. */
  whenShown(): Promise<void>;
  /** Gives the work back. `isUrgent`: seconds count. `isBehind`: a later wake has to show how it ended. */
  release(how: { isUrgent?: boolean; isBehind: boolean }): Promise<void>;
};

/** `alongside` is stored with the claim; `whenTaken` follows it. A claim that this run made before is taken already. */
export function createClaim(
  run: WakeRun,
  work: WorkInHand,
  options: { alongside: readonly WorkEvent[]; whenTaken(): Promise<void> },
): Claim {
  const id = claimIdOf(run);
  let taking = work.state.claim?.run === id ? Promise.resolve() : undefined;
  let showing: Promise<void> = Promise.resolve();
  const claim = async (): Promise<void> => {
    const { startedBy: actorId, rerunBy } = run;
    const payload = { run: id, actorId, ...(rerunBy === undefined ? {} : { rerunBy }) };
    await work.note({ type: "WorkClaimed", payload }, ...options.alongside);
    await work.checkpoint("chore: take the work");
    // Nothing waits for what is only shown; the end of the run shows it again.
    showing = options.whenTaken().catch(() => undefined);
  };
  return {
    get isTaken() {
      return taking !== undefined;
    },
    take() {
      taking ??= claim();
      return taking;
    },
    whenShown: () => showing,
    async release({ isUrgent = false, isBehind }) {
      await work.note({ type: "WorkReleased", payload: { run: id, ...(isBehind ? { isBehind } : {}) } });
      await work.checkpoint("chore: give the work back", { isUrgent });
    },
  };
}

// How far a run goes: what it may cost, and the run that continues where it had to stop.
import { Budget } from "../agent/budget.ts";
import type { WakeRun } from "./run.ts";

type Scene = Pick<WakeRun, "found" | "repository" | "discussion" | "facts" | "claimant" | "clock">;

/** The cost limits of this run and of the month. The month's ledger is on the remote, beside the states. */
export function budgetOf({
  found,
  repository,
  discussion,
  facts,
  claimant,
  clock,
}: Scene): Budget | undefined {
  const { maxRunCostUsd: runUsd, maxMonthCostUsd: limitUsd, dryRun, stateRefPrefix } = found.settings;
  if (dryRun || (runUsd === undefined && limitUsd === undefined)) return undefined;
  const month =
    limitUsd === undefined ? undefined : { limitUsd, ledger: repository.monthLedger(stateRefPrefix) };
  const by = `${facts.runId}.${facts.attempt}`;
  const isLive = async (run: string, at: string): Promise<boolean> => {
    const [id = "", attempt = ""] = run.split(".");
    const told = await discussion.isRunLive(id, attempt);
    return told ?? clock.now().getTime() - Date.parse(at) < LONGEST_RUN_MS;
  };
  return new Budget({ runUsd, month, clock, id: `${by}.${claimant}`, by, isLive });
}

/** GitHub's limit for a hosted job: an older lease counts as dead if GitHub does not report its run. */
const LONGEST_RUN_MS = 6 * 3_600_000;

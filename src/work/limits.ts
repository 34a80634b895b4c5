// How far a run goes: what it may cost, and the run that continues where it had to stop.
import { Budget } from "../agent/budget.ts";
import { valueAt } from "../core/json.ts";
import { type ActionOutcome, outcomeOf, settle, type WakeRun } from "./run.ts";

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

// A run that stopped although a new run could go on starts the new run itself, where `continue` is set.

/** Input of the workflow that counts the continuations, so that no chain runs forever. */
const COUNTER = "looplia-continuation";
const MOST_CONTINUATIONS = 20;

/**
 * Starts the run's workflow again after `deadline` or `max-iterations`. The outcome stays as it is: a workflow that does
 * not start is a warning.
 */
export async function continueRun(
  scene: Pick<WakeRun, "found" | "facts" | "event" | "host" | "observe" | "signal">,
  { reasonCode }: ActionOutcome,
): Promise<void> {
  const { found, facts, event, host, observe, signal } = scene;
  const { continue: isWanted, dryRun, shard } = found.settings;
  const isLimit = reasonCode === "deadline" || reasonCode === "max-iterations";
  if (!isWanted || !isLimit || dryRun || shard !== undefined || signal.aborted) return;
  const warn = (message: string) => observe({ type: "notice", level: "warning", message });
  const before = Number(valueAt(event.payload, "inputs", COUNTER)) || 0;
  if (before >= MOST_CONTINUATIONS) {
    warn(`continue: ${before} runs continued one another, so no other one is started`);
    return;
  }
  const file = /\/\.github\/workflows\/([^/@]+)@/.exec(facts.workflowRef ?? "")?.[1];
  const ref = /^refs\/(?:heads|tags)\/(.+)$/.exec(event.ref)?.[1];
  if (file === undefined || ref === undefined) {
    warn("continue: GitHub names no workflow file and branch for this run, so it can't be started again");
    return;
  }
  const inputs = { [COUNTER]: String(before + 1) };
  const failure = await settle(
    async () => void (await host.startWorkflow({ file, ref, inputs })),
    (thrown) => outcomeOf(thrown).message,
  );
  if (failure === undefined)
    observe({ type: "notice", level: "info", message: `continue: started ${file} again` });
  else
    warn(
      `continue: ${failure}\nThe job needs \`actions: write\`, and the workflow \`workflow_dispatch\` with the input ${COUNTER}.`,
    );
}

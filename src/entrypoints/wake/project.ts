// Brings the pull request up to what is stored. Every part is idempotent by look-up: what is there already is known by
// marker and author, and ids in the state are only a cache of that.
import { explain, LoopliaError } from "../../errors.ts";
import type { PullRequest } from "../../ports/repository.ts";
import { acknowledge } from "./acknowledge.ts";
import { listQuestions } from "./list-questions.ts";
import { findOwed } from "./owed.ts";
import { askPeople, settleRequest } from "./project-requests.ts";
import { projectStatus } from "./project-status.ts";
import { writeDescription } from "./pull-request.ts";
import type { Telling, WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

/**
 * Fails with `host-failed`; what was done until then is noted. Nothing happens where there is no pull request. False: the
 * conversation is locked, which is told as a warning, and the rest of it waits until somebody unlocks it.
 */
export function project(run: WakeRun, work: WorkInHand, telling: Telling): Promise<boolean> {
  return work.inTurn(() => show(run, work, telling));
}

/** What GitHub refuses of the rest, in a locked conversation for example, never leaves the status comment behind. */
async function show(run: WakeRun, work: WorkInHand, telling: Telling): Promise<boolean> {
  const { pullRequest } = run.work;
  if (!pullRequest) return true;
  const reportNow = async () => {
    return { ...telling.report, pullRequest, questions: await listQuestions(run, work) };
  };
  const parts = [
    () => showOwed(run, work, telling, pullRequest),
    async () => writeDescription(run, await reportNow()),
    async () => projectStatus(run, work, pullRequest, { ...telling, report: await reportNow() }),
  ];
  const failures: unknown[] = [];
  for (const part of parts) await part().catch((thrown: unknown) => failures.push(thrown));
  const others = failures.filter((failure) => !isLocked(failure));
  if (others.length > 0) throw others[0];
  const [locked] = failures.filter(isLocked);
  if (locked) run.observe({ type: "notice", level: "warning", message: explain(locked) });
  return !locked;
}

function isLocked(thrown: unknown): thrown is LoopliaError {
  return thrown instanceof LoopliaError && thrown.hostFailure === "locked";
}

async function showOwed(
  run: WakeRun,
  work: WorkInHand,
  telling: Telling,
  pullRequest: PullRequest,
): Promise<void> {
  const owed = findOwed(work.state, await work.questions());
  for (const question of owed.ask) await askPeople(run, work, pullRequest, question);
  for (const question of owed.settle) await settleRequest(run, work, pullRequest, question);
  const isOver = telling.runningSince === undefined;
  for (const handled of owed.answer) await acknowledge(run, work, pullRequest, handled, isOver);
}

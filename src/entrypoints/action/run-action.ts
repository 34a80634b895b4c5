// A run of the Action from its event to its report.
import type { Report } from "../../publish/report.ts";
import { type EventFacts, type Refusal, refuseEvent } from "../../trigger/event.ts";
import { respondTo } from "../../trigger/respond.ts";
import type { Job, Told } from "./job.ts";
import { type Outcome, outcomeOf, settle } from "./outcome.ts";
import { start } from "./start.ts";

/** Never throws: what goes wrong is in the report. */
export async function runAction(job: Job): Promise<{ report: Report; workId: string; branch: string }> {
  const told: Told = { pipeline: "", isRehearsal: false, items: [], workId: "", branch: "" };
  const refusal = refuse(job.event);
  const outcome: Outcome = refusal
    ? { status: "ignored", reasonCode: refusal.reasonCode, message: refusal.message }
    : await settle(() => start(job, told), outcomeOf);
  const { workId, branch, ...rest } = told;
  // What a run brought may say more of itself; which items there are is told.
  const { status, reasonCode, message } = outcome;
  const report = { ...rest, status, reasonCode, ...(message === undefined ? {} : { message }) };
  return { report, workId, branch };
}

/** What can be told from the event alone. Which bots may answer stands in the settings. */
function refuse(event: EventFacts): Refusal | undefined {
  const spoken = respondTo(event, { allowedBots: [] });
  if (!spoken) return refuseEvent(event);
  return "reasonCode" in spoken && spoken.reasonCode === "no-command" ? spoken : undefined;
}

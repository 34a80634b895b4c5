// The paragraph of a request's comment that says whose word is wanted, and whose does not count. Pure.
import { UNKNOWN } from "../session/actor.ts";
import { type InteractionRequest, letsCallsRun } from "../session/interaction.ts";
import { mentionAll, nameOf, personOf } from "./people.ts";
import { renderUntil } from "./request-parts.ts";

/** Who is asked. Logins are the program's, never a model's. */
export type AskedPeople = {
  /** The setting: logins and `@org/team`; empty: who has write access. */
  approvers: readonly string[];
  minApprovals: number;
  selfApproval: boolean;
  /** `actor`: whom GitHub names for the run, who is told where it is nobody's doing. */
  run: { actor?: string };
};

const ASKS = {
  Confirm: "a yes or no is needed",
  Select: "one of these must be chosen",
  Input: "an answer is needed",
  Composite: "a few answers are needed",
};

/** One paragraph of Markdown; until when stands in it. */
export function whoIsAsked(request: InteractionRequest, around: AskedPeople): string {
  const addressed = around.approvers.length > 0 ? around.approvers : whoIsNear(request, around);
  const isGate = request.kind === "Confirm" && letsCallsRun(request);
  const asked = isGate ? "approval is needed before this runs" : ASKS[request.kind];
  const who =
    around.approvers.length > 0
      ? "Only those who are named here may answer, and only with write access."
      : "Anyone with write access may answer.";
  const several =
    request.kind === "Confirm" && around.minApprovals > 1
      ? `**${around.minApprovals} different people** must approve; one rejection ends it.`
      : "";
  const notStarter = around.selfApproval ? "" : whoMayNot(request.startedBy);
  const lead =
    addressed.length > 0
      ? `${mentionAll(addressed)}: ${asked}.`
      : `${asked[0]?.toUpperCase()}${asked.slice(1)}.`;
  return [lead, who, several, notStarter, renderUntil(request)].filter((part) => part !== "").join(" ");
}

/** Nobody is subscribed to a bot's pull request: one person who led to it, and may answer, hears of it. */
function whoIsNear({ startedBy = [] }: InteractionRequest, { run, selfApproval }: AskedPeople): string[] {
  const led = startedBy.flatMap((actor) => personOf(actor) ?? []);
  if (led.length > 0) return selfApproval ? led.slice(0, 1) : [];
  return [run.actor ?? ""].flatMap((actor) => personOf(actor) ?? []);
}

/** With `self-approval: false`. */
function whoMayNot(startedBy: readonly string[] | undefined): string {
  if (!startedBy || startedBy.includes(UNKNOWN)) {
    return "**Nobody may answer it**: `self-approval` is off, and GitHub did not say who started what led to it.";
  }
  const [first, ...others] = startedBy
    .map(personOf)
    .flatMap((login) => login ?? [])
    .map(nameOf);
  if (first === undefined) return "";
  if (others.length === 0) return `Not ${first}, who started it.`;
  return `Not ${[first, ...others].join(" or ")}: who started it, or told the agent something.`;
}

// What comments and letters are judged by, and carried out with.
import type { Discussion } from "../../ports/discussion.ts";
import type { WorkState } from "../../session/work-state.ts";
import type { Circumstances } from "../../trigger/judge.ts";
import type { Question } from "../../trigger/questions.ts";
import type { PeopleSettings } from "../../trigger/who-may.ts";
import { outputsOf } from "./known-outputs.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand, WorkQuestion } from "./work-in-hand.ts";

export type Judging = {
  discussion: Discussion;
  settings: PeopleSettings;
  now(): Date;
  /** Of a session: all that it can make, begun or not. */
  outputsOf(sessionId: string): Promise<readonly string[]>;
  /** Told of what leaves no other trace. */
  log(message: string): void;
  /** Why nothing of the work goes on: then every command is refused. */
  over?: string;
};

/** What a run judges by; `over` is left to whoever knows. */
export function judgingOf(run: WakeRun, work: WorkInHand): Judging & Pick<WakeRun["found"], "settings"> {
  return {
    discussion: run.discussion,
    settings: run.found.settings,
    now: () => run.clock.now(),
    outputsOf: (sessionId) => outputsOf(run, work, sessionId),
    log: (message) => run.observe({ type: "notice", level: "info", message }),
  };
}

/** What a comment is judged by. */
export async function circumstances(
  work: WorkInHand,
  { settings, discussion }: { settings: PeopleSettings; discussion: Circumstances["asks"] },
): Promise<Circumstances> {
  const questions = (await work.questions()).map((question) => toQuestion(question, work.state));
  return { settings, questions, asks: discussion };
}

/** A question as those who judge see it. */
function toQuestion({ request, response, closed, approvals }: WorkQuestion, state: WorkState): Question {
  const published = state.requestComments.get(request.interactionId);
  const given = approvals.map(({ actorId }) => actorId);
  const ended = response
    ? { why: "answered" as const, ...when(response.answeredAt), actorId: response.authorActorId }
    : closed && { why: closed.why, ...when(closed.at) };
  return {
    request,
    ...(published ? { published } : {}),
    ...(ended ? { closed: ended } : {}),
    approvals: given,
  };
}

function when(at: string | undefined): { at?: string } {
  return at === undefined ? {} : { at };
}

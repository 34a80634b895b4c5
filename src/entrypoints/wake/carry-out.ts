// Stores what an accepted command does.
import { loginOf } from "../../session/actor.ts";
import type { HandledComment } from "../../session/work-events.ts";
import type { Effect } from "../../trigger/judge.ts";
import { cancelSessions, type NotDone, recordAnswers } from "./change-sessions.ts";
import { followAnswers } from "./conflicts.ts";
import type { Judging } from "./judging.ts";
import { findRetry } from "./retry.ts";
import type { WorkInHand } from "./work-in-hand.ts";

type Said = { commentId?: number; createdAt: string; actorId: string; permission: string };
type Done = Pick<HandledComment, "interactionIds" | "retry" | "runsAll">;

/** Stores what an accepted command does: it has answers only, or one other effect. */
export async function carryOut(
  work: WorkInHand,
  effects: readonly Effect[],
  said: Said,
  { settings, now, outputsOf }: Judging,
): Promise<Done | NotDone> {
  const { commentId, createdAt: answeredAt, actorId, permission } = said;
  const answers = effects.filter((effect) => effect.type === "answer");
  if (answers.length > 0) {
    const given = { actorId, ...(commentId === undefined ? {} : { commentId }), permission, answeredAt };
    const problem = await recordAnswers(work, answers, given, settings.minApprovals);
    if (problem) return problem;
    const interactionIds = answers.map(({ interactionId }) => interactionId);
    await followAnswers(work, interactionIds, given);
    return { interactionIds };
  }
  const [effect] = effects;
  switch (effect?.type) {
    case "message":
      if (commentId === undefined) return {};
      await work.note({ type: "MessageLeft", payload: { commentId, actorId, text: effect.text } });
      return {};
    case "cancel": {
      const reason = `canceled by ${loginOf(actorId)}`;
      const canceled = { reason, actorId, at: now().toISOString() };
      return (await cancelSessions(work, effect.session, canceled)) ?? {};
    }
    case "retry": {
      const found = await findRetry(work, effect, outputsOf);
      return "reason" in found ? found : { retry: found };
    }
    case "run":
      return { runsAll: true };
    default:
      return {};
  }
}

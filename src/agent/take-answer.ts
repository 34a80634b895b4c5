// An answer that is given from outside of a run (`looplia answer`).
import { checkAnswer } from "../approval/answer.ts";
import { LoopliaError } from "../errors.ts";
import type { InteractionAnswer } from "../session/interaction.ts";
import { isPending, type TaskState } from "../session/state.ts";
import { recordAnswer } from "./ask.ts";
import type { AgentSession } from "./session.ts";

/** Who says what to which question; the id is whole. */
export type OutsideAnswer = { interactionId: string; answer: InteractionAnswer; actorId: string };

/**
 * Checks and stores an answer before anything runs. Fails with `config-invalid`, and changes nothing, where the question
 * is closed or expired, where the answer is none to it, or where `whyUseless` says why its task has no use for one.
 */
export async function takeAnswer(
  session: Pick<AgentSession, "journal" | "observe" | "asking" | "clock">,
  { interactionId, answer, actorId }: OutsideAnswer,
  whyUseless: (task: TaskState) => Promise<string | undefined> = async () => undefined,
): Promise<void> {
  const { journal, clock } = session;
  const { state, sessionId } = journal;
  const interaction = state.interactions.get(interactionId);
  if (!interaction || !isPending(interaction)) {
    throw refused(`The question ${interactionId} is no longer open.`, LIST);
  }
  const { taskId, expiresAt } = interaction.request;
  const task = state.tasks.get(taskId);
  const reason = task && (await whyUseless(task));
  const resume = `\`looplia run --session-id ${sessionId}\``;
  if (reason !== undefined) {
    throw refused(
      `An answer to ${interactionId} is of no use: ${reason}.`,
      `Go on with ${resume}; it asks again where it must.`,
    );
  }
  if (expiresAt !== undefined && clock.now().getTime() >= Date.parse(expiresAt)) {
    throw refused(
      `The question ${interactionId} expired at ${expiresAt}.`,
      `${resume} ends what waited for it; run it again to begin anew.`,
    );
  }
  const checked = await checkAnswer(interaction.request, answer);
  if (!checked.ok) throw refused(`That does not answer ${interactionId}: expected ${checked.expected}.`);
  await recordAnswer(session, interaction, { answer: checked.answer, actorId });
}

const LIST = "`looplia status` lists the open questions.";

function refused(message: string, hint?: string): LoopliaError {
  return new LoopliaError("config-invalid", message, hint === undefined ? {} : { hint });
}

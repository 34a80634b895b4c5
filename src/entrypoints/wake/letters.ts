// Answers that a bot dispatched. They stand nowhere but in the event, and the state has one writer: each is left as a letter
// first, and read like a comment by whichever run has the work then.
import type { Letter } from "../../ports/letters.ts";
import { judgeDispatch } from "../../trigger/judge.ts";
import { readLetter, writeLetter } from "../../trigger/letter.ts";
import type { Dispatched } from "../../trigger/respond.ts";
import { isAllowedBot } from "../../trigger/who-may.ts";
import { stateRefsOf } from "../action/state-refs.ts";
import { carryOut } from "./carry-out.ts";
import { circumstances, type Judging } from "./judging.ts";
import type { WakeRun } from "./wake-run.ts";
import type { WorkInHand } from "./work-in-hand.ts";

type Verdict = "accepted" | "not-permitted" | "no-command";

/** What the letters brought; `verdict` is the one of the most effect. */
export type ReadLetters = {
  letters: readonly Letter[];
  verdict?: Verdict;
  actorIds: string[];
  /** What they answered. */
  interactionIds: string[];
};

/** Durable when it resolves, whoever has the work. */
export async function leaveLetter(
  { repository, found, wiring, clock }: Pick<WakeRun, "repository" | "found" | "wiring" | "clock">,
  workId: string,
  dispatched: Dispatched,
): Promise<void> {
  const letter = writeLetter({ ...dispatched, at: clock.now().toISOString() });
  await repository.letters(stateRefsOf(found.settings, workId)).leave(wiring.redact(letter));
}

/** One look at the remote. */
export function listLetters({ repository, found, work }: WakeRun): Promise<Letter[]> {
  return repository.letters(stateRefsOf(found.settings, work.workId)).list();
}

/** Letters that were read and whose effect is stored. A server that forbids it keeps them: nothing is done twice. */
export async function removeLetters(
  { repository, found, work, observe }: WakeRun,
  letters: readonly Letter[],
): Promise<void> {
  try {
    await repository.letters(stateRefsOf(found.settings, work.workId)).remove(letters);
  } catch {
    observe({ type: "notice", level: "info", message: "a letter that was read could not be removed yet" });
  }
}

/** Judges each and stores what it does. Fails as `Discussion` does. */
export async function handleLetters(
  work: WorkInHand,
  letters: readonly Letter[],
  judging: Judging & { settings: { allowedBots: readonly string[] } },
): Promise<ReadLetters> {
  const read: ReadLetters = { letters, actorIds: [], interactionIds: [] };
  for (const { id, text } of letters) {
    if (work.state.letters.has(id)) continue;
    const { verdict, actorId, interactionIds = [] } = await handleLetter(work, text, judging);
    if (verdict === "accepted") await work.note({ type: "LetterHandled", payload: { id } });
    read.interactionIds.push(...interactionIds);
    if (actorId !== undefined) read.actorIds.push(actorId);
    if (read.verdict !== "accepted" && (verdict !== "no-command" || !read.verdict)) read.verdict = verdict;
  }
  return read;
}

/** Only answers and cancellations can come so. */
async function handleLetter(
  work: WorkInHand,
  text: string,
  judging: Judging,
): Promise<{ verdict: Verdict; actorId?: string; interactionIds?: string[] }> {
  const answer = readLetter(text);
  if (!answer) return { verdict: "no-command" };
  const { command, sender, bot, at: createdAt } = answer;
  // It was allowed when it wrote; what counts is now.
  if (!isAllowedBot({ author: { ...bot, isBot: true } }, judging.settings.allowedBots)) {
    return { verdict: "not-permitted" };
  }
  const verdict = await judgeDispatch({ command, sender, createdAt }, await circumstances(work, judging));
  if (verdict.verdict === "ignored") return { verdict: verdict.reason };
  const refuse = (reason: string) => {
    judging.log(`a command of ${sender} was refused: ${reason}`);
    return { verdict: "no-command" } as const;
  };
  if (verdict.verdict === "refused") return refuse(verdict.refusal.reason);
  if (verdict.effects.some(({ type }) => type !== "answer" && type !== "cancel" && type !== "status")) {
    return refuse("it must be written as a comment");
  }
  const { actorId, permission } = verdict;
  const done = await carryOut(work, verdict.effects, { createdAt, actorId, permission }, judging);
  return "reason" in done ? refuse(done.reason) : { ...done, verdict: "accepted", actorId };
}

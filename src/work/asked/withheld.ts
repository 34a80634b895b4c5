// Asks people whether what looks like keys may be told where people read: in comments, pull requests and commits.
import { approvedKeys, askedKeys } from "../../agent/kept.ts";
import { MAX_OPEN_QUESTIONS } from "../../agent/session.ts";
import { createProgramQuestion } from "../../approval/request.ts";
import { PROGRAM } from "../../core/json.ts";
import type { WakeRun, WorkInHand } from "../run.ts";
import { startersOf } from "../trigger.ts";
import { originOf } from "./conflicts.ts";

/** From now on, texts contain the keys that people let through in this work, and no others. */
export async function letThrough({ wiring }: WakeRun, work: WorkInHand): Promise<void> {
  wiring.keys.allow(approvedKeys(await work.questions()));
}

/**
 * Raises one question about all keys that were withheld and that nobody was asked about before, and saves it. True if it
 * did. The text stays withheld until a person approves; then it is published as it is.
 */
export async function askWithheld(run: WakeRun, work: WorkInHand): Promise<boolean> {
  const withheld = run.wiring.keys.take();
  const asked = (await work.questions()).flatMap(({ request }) => askedKeys(request));
  const found = withheld.filter(({ hash }) => !asked.includes(hash));
  const owner = (await work.sessions()).findLast(({ state }) => !state.canceled);
  const isFull = (await work.openQuestions()).length >= MAX_OPEN_QUESTIONS;
  const [first] = found;
  if (!first || !owner || isFull) return false;
  const origin = await originOf(run, work, owner.sessionId);
  const places = [...new Set(found.flatMap((one) => one.places))];
  const what = found.length === 1 ? `what looks like a key (${first.kind})` : "what looks like keys";
  const where = places.length === 1 ? places[0] : `${places.length} texts`;
  const startedBy = startersOf(work.state, [
    run.startedBy,
    ...(run.rerunBy === undefined ? [] : [run.rerunBy]),
  ]);
  const place = { taskId: PUBLISH, conversationId: PUBLISH, agent: PROGRAM, startedBy };
  const payload = createProgramQuestion(
    { ...origin, ...place },
    {
      kind: "Confirm",
      purpose: "generic",
      display: {
        title: `Publish ${what} in ${where}?`,
        description:
          "It is withheld there until a person allows it. Whoever can read this pull request could use the key.",
        content: found.map(({ kind, places }) => `${kind}: in ${places.join(", ")}`).join("\n"),
        contentKind: "PlainText",
      },
      options: [
        { id: "approve", label: "Publish it as it is", style: "danger" },
        { id: "reject", label: "Leave it out", isDefault: true },
      ],
    },
  );
  const keyHashes = found.map(({ hash }) => hash);
  const asking = { ...payload, keyHashes };
  await work.change(owner.sessionId, [
    { store: "events", type: "UserInteractionRequested", payload: asking },
  ]);
  await work.checkpoint("chore: save a question");
  return true;
}

/** Used in place of an agent question's task and conversation. */
const PUBLISH = "publish";

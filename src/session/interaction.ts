// UIP: a request to a person and the response. Field names are the protocol's; see INTERFACE §6.
import type { z } from "zod";
import type { conflictFile, eventPayloads, interactionAnswer } from "./line-shapes.ts";

/** A request as it is stored in `UserInteractionRequested`. */
export type InteractionRequest = z.infer<typeof eventPayloads.UserInteractionRequested>;
export type InteractionKind = InteractionRequest["kind"];
export type InteractionPurpose = InteractionRequest["purpose"];
export type ContentKind = NonNullable<InteractionRequest["display"]["contentKind"]>;
export type InteractionOption = NonNullable<InteractionRequest["options"]>[number];
export type InputValidation = NonNullable<InteractionRequest["validation"]>;
/** One question of a Composite; its answer's `inputValue` is a JSON object by these ids. */
export type InteractionField = NonNullable<InteractionRequest["fields"]>[number];
/** A file that a person pushed while a run changed it as well, by the merge that brought it in: theirs stands. */
export type ConflictFile = z.infer<typeof conflictFile>;
/** What a person said; one of `selectedOptionId` and `inputValue` is set. */
export type InteractionAnswer = z.infer<typeof interactionAnswer>;
/** An answer as it is stored in `UserInteractionResponded`. */
export type InteractionResponse = z.infer<typeof eventPayloads.UserInteractionResponded>;
/** One person's word for a request that several must approve, as it is stored in `ApprovalGiven`. */
export type Approval = z.infer<typeof eventPayloads.ApprovalGiven>;

/** What stands in a request for a person to type: `q<ordinal>-<six hex digits of the fingerprint>`. */
export const SHORT_ID = /^q[1-9]\d*-[0-9a-f]{6}$/;

/**
 * True where the answer lets calls of the turn run: what the gate asks, and what is in doubt. A model's own question lets
 * nothing run, whatever its purpose is called.
 */
export function letsCallsRun({
  purpose,
  bindings,
}: Pick<InteractionRequest, "purpose" | "bindings">): boolean {
  return purpose === "confirm_risky_action" && bindings !== undefined;
}

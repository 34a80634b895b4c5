// How a conversation ends. Waiting and limits are outcomes, never exceptions.
import { explain, LoopliaError } from "../errors.ts";

export type StopReasonCode = "max-turns" | "cost-limit" | "interrupted" | "deadline" | "closed";

/** `expired` and `rejected`: what people did, or did not do, ended the task. */
export type FailureCode = "invalid-artifact" | "model-failed" | "expired" | "rejected";

export type Outcome =
  | { kind: "completed"; text: string }
  /** A person must answer first; the open interactions are in the state. */
  | { kind: "waiting" }
  /** Saved; the next run goes on. */
  | { kind: "stopped"; reasonCode: StopReasonCode; message: string }
  /** The task is over; a later run begins it anew. */
  | { kind: "failed"; reasonCode: FailureCode; message: string };

/** A model that can't be reached is an outcome; the conversation stays open for a later run. */
export function modelFailure(error: unknown): Extract<Outcome, { kind: "failed" }> {
  if (!(error instanceof LoopliaError) || error.code !== "model-failed") throw error;
  return {
    kind: "failed",
    reasonCode: "model-failed",
    message: explain(error),
  };
}

/** True when a person ended the task, or nobody answered: then no agent above it may go on as if it had only failed. */
export function isEndedByPeople(outcome: Outcome): boolean {
  return outcome.kind === "failed" && (outcome.reasonCode === "expired" || outcome.reasonCode === "rejected");
}

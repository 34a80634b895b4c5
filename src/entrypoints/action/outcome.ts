// How a run of the Action ends: an expected failure is an outcome, anything else is a bug, and says so. Pure.
import { LoopliaError } from "../../errors.ts";
import type { Report } from "../../publish/report.ts";

export type Outcome = Pick<Report, "status" | "reasonCode" | "message">;

const ORDER = ["failed", "waiting", "stopped", "completed", "ignored"];

/** The outcome that a thrown error stands for. */
export function outcomeOf(thrown: unknown): Outcome {
  if (thrown instanceof LoopliaError) {
    const message = thrown.hint ? `${thrown.message}\n${thrown.hint}` : thrown.message;
    return { status: statusOf(thrown), reasonCode: thrown.code, message };
  }
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return {
      status: "stopped",
      reasonCode: "interrupted",
      message: "stopped on request; what was done is saved",
    };
  }
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return {
    status: "failed",
    reasonCode: "bug",
    message: `This is a bug in looplia, please report it:\n${stack}`,
  };
}

/** The outcome of the work, or the one that its error stands for. */
export async function settle<T>(work: () => Promise<T>, rescue: (thrown: unknown) => T): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    return rescue(thrown);
  }
}

/** The graver of two; of equals the first. */
export function graver(first: Outcome, second: Outcome | undefined): Outcome {
  if (!second || ORDER.indexOf(first.status) <= ORDER.indexOf(second.status)) return first;
  return second;
}

function statusOf(error: LoopliaError): Outcome["status"] {
  switch (error.code) {
    case "busy":
    case "lost-race":
      return "ignored";
    case "interrupted":
    case "deadline":
    case "cost-limit":
      return "stopped";
    default:
      return "failed";
  }
}

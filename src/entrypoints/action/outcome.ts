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

/** The graver of two; of equals the first. A run whose work is over or another's is ignored unless it failed as well. */
export function graver(ran: Outcome, published: Outcome | undefined): Outcome {
  if (!published) return ran;
  if (published.status === "ignored" && ran.status !== "failed") return published;
  return ORDER.indexOf(ran.status) <= ORDER.indexOf(published.status) ? ran : published;
}

/** The gravest of several works, the first of equals. */
export function gravest(outcomes: readonly Outcome[]): Outcome | undefined {
  return outcomes.toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status))[0];
}

function statusOf(error: LoopliaError): Outcome["status"] {
  switch (error.code) {
    case "busy":
    case "lost-race":
    case "closed":
      return "ignored";
    case "interrupted":
    case "deadline":
    case "cost-limit":
      return "stopped";
    default:
      return "failed";
  }
}

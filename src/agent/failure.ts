// Which failures of a tool are answers to the model, and which end the run.
import { explain, LoopliaError } from "../errors.ts";
import type { ToolReply } from "../tools/tool.ts";

/** A refusal or a system error becomes a reply; anything else (a bug, a lost store, a failed model) is thrown on. */
export function replyToFailure(error: unknown): ToolReply {
  if (error instanceof LoopliaError && error.code === "config-invalid") {
    return { text: explain(error), isError: true };
  }
  if (error instanceof Error && "syscall" in error) return { text: error.message, isError: true };
  throw error;
}

// What whoever reads of a run must know beside how it ended. Pure.
import { alert, escapeInline } from "./markdown.ts";
import { type Report, STATE_IS_PUBLIC } from "./report.ts";

const MOST = 10;

/** A box of its own; empty where there is nothing to warn of. */
export function renderWarnings({ warnings = [], isStatePublic }: Report): string {
  const shown = warnings
    .slice(0, MOST)
    .map((warning) => escapeInline(warning, 300))
    .filter((line) => line !== "");
  const lines = [...(isStatePublic ? [STATE_IS_PUBLIC] : []), ...shown];
  const more = warnings.length - MOST;
  if (more > 0) lines.push(`… ${more} more: see the run.`);
  return lines.length > 0 ? alert("WARNING", lines.map((line) => `- ${line}`).join("\n")) : "";
}

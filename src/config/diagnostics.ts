// Diagnostics with file and line; all of them are reported at once.
import { distance } from "fastest-levenshtein";
import { LoopliaError } from "../core/errors.ts";

/** `line` counts from 1. */
export type Diagnostic = {
  severity: "error" | "warning";
  file: string;
  line?: number | undefined;
  message: string;
  hint?: string | undefined;
};

/** `file:line: message (hint)` */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const place = diagnostic.line === undefined ? diagnostic.file : `${diagnostic.file}:${diagnostic.line}`;
  return `${place}: ${diagnostic.message}${diagnostic.hint ? ` (${diagnostic.hint})` : ""}`;
}

/** Throws `config-invalid` with every error, one per line, when there is at least one. */
export function throwIfErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  if (errors.length === 0) return;
  throw new LoopliaError("config-invalid", errors.map(formatDiagnostic).join("\n"));
}

export type DiagnosticReport = ReturnType<typeof createReport>;

/** A report that adds its findings to `diagnostics` as errors of `file`. */
export function createReport(
  file: string,
  diagnostics: Diagnostic[],
  severity: Diagnostic["severity"] = "error",
) {
  return (line: number | undefined, message: string, hint?: string) => {
    diagnostics.push({ severity, file, line, message, hint });
  };
}

// "Did you mean": suggests the known name nearest to an unknown one.

/**
 * `did you mean "x"?` for the nearest of `names`, or the only one it is a prefix of; undefined if none is
 * near.
 */
export function suggestName(name: string, names: Iterable<string>): string | undefined {
  const wanted = normalize(name);
  let best: string | undefined;
  let bestDistance = mostSteps(wanted) + 1;
  const longer: string[] = [];
  for (const candidate of names) {
    const steps = stepsBetween(wanted.slice(0, 100), normalize(candidate));
    if (steps < bestDistance) [best, bestDistance] = [candidate, steps];
    if (normalize(candidate).startsWith(`${wanted}-`)) longer.push(candidate);
  }
  if (longer.length === 1) best ??= longer[0];
  return best === undefined ? undefined : `did you mean "${best}"?`;
}

/** A short word with half of its letters changed is another word. */
function mostSteps(wanted: string): number {
  return wanted.length < 5 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
}

// Swapped letters are the most common typo but would count as two steps: "modle" is "model", not "mode".
function stepsBetween(one: string, other: string): number {
  const isSwap = [...one].sort().join("") === [...other].sort().join("");
  return isSwap ? distance(one, other) / 4 : distance(one, other);
}

// `maxTurns`, `max_turns` and `MAX-TURNS` are the same mistake.
function normalize(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

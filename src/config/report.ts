// Collects what is wrong with one file.
import type { Diagnostic } from "./diagnostics.ts";
import type { LocatedEntry } from "./located-yaml.ts";
import { suggestName } from "./suggest.ts";

export type Report = (line: number | undefined, message: string, hint?: string) => void;

/** A report whose findings are errors of `file`, added to `diagnostics`. */
export function createReport(
  file: string,
  diagnostics: Diagnostic[],
  severity: Diagnostic["severity"] = "error",
): Report {
  return (line, message, hint) => {
    const place = { file, ...(line === undefined ? {} : { line }) };
    diagnostics.push({ severity, ...place, message, ...(hint === undefined ? {} : { hint }) });
  };
}

/** Reports each key that is not among `known`. */
export function reportUnknownKeys(
  entries: ReadonlyMap<string, LocatedEntry>,
  known: readonly string[],
  report: Report,
): void {
  for (const [key, { line }] of entries) {
    if (!known.includes(key)) report(line, `unknown key "${key}"`, suggestName(key, known));
  }
}

// All that is wrong with a configuration is reported at once, with file and line.
import { LoopliaError } from "../errors.ts";

/** `line` counts from 1. */
export type Diagnostic = {
  severity: "error" | "warning";
  file: string;
  line?: number;
  message: string;
  hint?: string;
};

/** `file:line: message (hint)` */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const place = diagnostic.line === undefined ? diagnostic.file : `${diagnostic.file}:${diagnostic.line}`;
  return `${place}: ${diagnostic.message}${diagnostic.hint ? ` (${diagnostic.hint})` : ""}`;
}

/** Throws `config-invalid` with every error, one a line, when there is at least one. */
export function throwIfErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  if (errors.length === 0) return;
  throw new LoopliaError("config-invalid", errors.map(formatDiagnostic).join("\n"));
}

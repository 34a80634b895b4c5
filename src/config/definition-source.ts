// Where agents, skills and pipelines are looked for: a few folders, the first that has a name wins.
import { LoopliaError } from "../errors.ts";
import type { TrustedFiles } from "../ports.ts";
import type { Diagnostic } from "./diagnostics.ts";

export type DefinitionSource = {
  files: TrustedFiles;
  folder: string;
  /** Other programs keep their files here as well: what is broken and not needed is a warning only. */
  isShared: boolean;
};

/** One file read: what it defines, or why it defines nothing. */
export type Loaded<Definition> = {
  name: string;
  isShared: boolean;
  definition: Definition | undefined;
  diagnostics: Diagnostic[];
};

/** Text of a trusted file; undefined when it is missing or unreadable, the latter with a diagnostic. */
export async function readTrusted(
  files: TrustedFiles,
  path: string,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof LoopliaError)) throw error;
    const file = `${files.label}${path}`;
    const message = error.message.startsWith(file) ? error.message.slice(file.length).trim() : error.message;
    diagnostics.push({
      severity: "error",
      file,
      message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
    return undefined;
  }
}

/** The first of each name, broken or not: a broken file never lets a later source step in unseen. */
export function chooseFirst<One extends { name: string }>(loaded: readonly One[]): Map<string, One> {
  const chosen = new Map<string, One>();
  for (const one of loaded) if (!chosen.has(one.name)) chosen.set(one.name, one);
  return chosen;
}

/** What a collection found, errors of what is shared and not in `needed` lowered to warnings. */
export function diagnosticsOf<Definition>(
  chosen: ReadonlyMap<string, Loaded<Definition>>,
  needed: ReadonlySet<string>,
): Diagnostic[] {
  return [...chosen.values()].flatMap(({ name, isShared, diagnostics }) =>
    isShared && !needed.has(name) ? diagnostics.map(lowerToWarning) : diagnostics,
  );
}

/** The sound definitions by name. */
export function definitionsOf<Definition>(
  chosen: ReadonlyMap<string, Loaded<Definition>>,
): Map<string, Definition> {
  const sound = new Map<string, Definition>();
  for (const { name, definition } of chosen.values())
    if (definition !== undefined) sound.set(name, definition);
  return sound;
}

export function lowerToWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}

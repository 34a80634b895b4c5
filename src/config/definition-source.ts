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
  /** The agents that the file names, also when it is broken. */
  agents?: string[];
};

/** Text of a trusted file; undefined when it is missing or refused, the latter with a diagnostic. */
export function readTrusted(
  files: TrustedFiles,
  path: string,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  return orDiagnostic(() => files.read(path), `${files.label}${path}`, diagnostics);
}

/** Entries of a trusted folder; empty when it is missing or refused, the latter with a diagnostic. */
export async function listTrusted(
  files: TrustedFiles,
  folder: string,
  diagnostics: Diagnostic[],
): Promise<string[]> {
  return (await orDiagnostic(() => files.list(folder), `${files.label}${folder}`, diagnostics)) ?? [];
}

async function orDiagnostic<Result>(
  action: () => Promise<Result>,
  file: string,
  diagnostics: Diagnostic[],
): Promise<Result | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof LoopliaError)) throw error;
    const message = error.message.startsWith(file) ? error.message.slice(file.length).trim() : error.message;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    diagnostics.push({ severity: "error", file, message, ...hint });
    return undefined;
  }
}

/** Loads every entry of every source, sources in their order; a folder that is refused is a finding of its own. */
export async function loadSources<Definition>(
  sources: readonly DefinitionSource[],
  load: (source: DefinitionSource, entry: string) => Promise<Loaded<Definition> | undefined>,
): Promise<Loaded<Definition>[]> {
  const perSource = await Promise.all(
    sources.map(async (source) => {
      const diagnostics: Diagnostic[] = [];
      const entries = await listTrusted(source.files, source.folder, diagnostics);
      const { isShared, folder } = source;
      const refused =
        diagnostics.length > 0 ? [{ name: folder, isShared, definition: undefined, diagnostics }] : [];
      return [...refused, ...(await Promise.all(entries.map((entry) => load(source, entry))))];
    }),
  );
  return perSource.flat().filter((loaded) => loaded !== undefined);
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

/** The same finding, which stops nobody. */
export function lowerToWarning(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "warning" };
}

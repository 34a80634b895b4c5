// Skills: a folder with a SKILL.md and files bundled beside it. Metadata is always in view, the rest on request.
import type { TrustedFiles } from "../ports.ts";
import { readDefinitionName, readDescription } from "./agents.ts";
import {
  type DefinitionSource,
  type Loaded,
  listTrusted,
  loadSources,
  lowerToWarning,
  readTrusted,
} from "./definition-source.ts";
import type { SkillDefinition } from "./definitions.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { readFrontMatter } from "./front-matter.ts";
import { createReport } from "./report.ts";

const ENTRY_FILE = "SKILL.md";
const MAX_FILES = 200;
const MAX_DEPTH = 4;

/** All folders of the sources that have a SKILL.md, in their order; what is broken has no definition. */
export function loadSkills(sources: readonly DefinitionSource[]): Promise<Loaded<SkillDefinition>[]> {
  return loadSources(sources, loadSkill);
}

async function loadSkill(
  { files, folder, isShared }: DefinitionSource,
  folderName: string,
): Promise<Loaded<SkillDefinition> | undefined> {
  const base = `${folder}/${folderName}`;
  const diagnostics: Diagnostic[] = [];
  const entries = await listTrusted(files, base, diagnostics);
  if (diagnostics.length > 0) return { name: folderName, isShared, definition: undefined, diagnostics };
  if (!entries.includes(ENTRY_FILE)) return undefined;
  const file = `${files.label}${base}/${ENTRY_FILE}`;
  const text = await readTrusted(files, `${base}/${ENTRY_FILE}`, diagnostics);
  const frontMatter = readFrontMatter(text ?? "", file, diagnostics);
  const name = readDefinitionName(frontMatter, folderName, file, diagnostics);
  const description = readDescription(frontMatter, file, diagnostics);
  const body = frontMatter.body.trim();
  if (diagnostics.every(({ severity }) => severity === "warning") && body === "") {
    createReport(file, diagnostics)(undefined, "has no instructions");
  }
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return { name, isShared, definition: undefined, diagnostics };
  }
  const bundled = await listBundled(
    files,
    base,
    entries.filter((entry) => entry !== ENTRY_FILE),
    diagnostics,
  );
  const read = bundledReader(files, base, bundled);
  return { name, isShared, definition: { name, description, body, files: bundled, file, read }, diagnostics };
}

/** Reads the bundled files of a skill's folder by their names, and no others. */
export function bundledReader(
  files: TrustedFiles,
  folder: string,
  bundled: readonly string[],
): SkillDefinition["read"] {
  const known = new Set(bundled);
  return async (path) => (known.has(path) ? files.read(`${folder}/${path}`) : undefined);
}

async function listBundled(
  files: TrustedFiles,
  base: string,
  entries: readonly string[],
  diagnostics: Diagnostic[],
): Promise<string[]> {
  const found: string[] = [];
  const look = async (path: string) => {
    const refused: Diagnostic[] = [];
    return { path, inside: await listTrusted(files, `${base}/${path}`, refused), refused };
  };
  const visit = async (paths: readonly string[], depth: number): Promise<void> => {
    for (let at = 0; at < paths.length && depth <= MAX_DEPTH; at += MAX_FILES) {
      // Those of a folder are asked for together: one after another they are as many processes of git.
      for (const { path, inside, refused } of await Promise.all(paths.slice(at, at + MAX_FILES).map(look))) {
        if (found.length >= MAX_FILES) return;
        diagnostics.push(...refused.map(lowerToWarning));
        if (inside.length === 0 && refused.length === 0) found.push(path);
        await visit(
          inside.map((entry) => `${path}/${entry}`),
          depth + 1,
        );
      }
    }
  };
  await visit(entries, 1);
  return found;
}

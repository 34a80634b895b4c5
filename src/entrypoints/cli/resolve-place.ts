// Where a command runs and with which settings: folder, looplia.yml, variables, flags, provider.
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { type Diagnostic, formatDiagnostic, throwIfErrors } from "../../config/diagnostics.ts";
import { resolveSettings } from "../../config/settings.ts";
import type { Settings } from "../../config/settings-table.ts";
import { readTaskAgents } from "../../config/task-agents.ts";
import { errnoOf, LoopliaError, messageOf } from "../../errors.ts";
import { REHEARSAL } from "../../publish/report.ts";
import type { Surface } from "./surface.ts";
import type { Place } from "./wiring.ts";

export type FoundPlace = {
  place: Place;
  /** Everything that is wrong or odd about the settings. */
  diagnostics: Diagnostic[];
  /** What the person should know before it starts. */
  notices: string[];
};

/** Never throws for wrong settings: they are in `diagnostics`. */
export async function findPlace(
  surface: Surface,
  folder: string | undefined,
  overrides: Record<string, string | boolean | string[]>,
): Promise<FoundPlace> {
  const repository = resolve(surface.cwd, folder ?? ".");
  const { environment } = surface;
  const sources = { fileName: "looplia.yml", environment, overrides, overridesSource: "flag" } as const;
  // The first pass tells where the file of settings is.
  const { config, workingDirectory } = resolveSettings({ ...sources, file: undefined }).settings;
  const { text, problem } = await readConfig(repository, config);
  const { settings, diagnostics } = resolveSettings({ ...sources, file: text, fileName: config });
  if (problem) diagnostics.push(problem);
  const root = resolve(repository, workingDirectory);
  if (!(await isFolder(root))) {
    diagnostics.push({ severity: "error", file: "working-directory", message: `there is no folder ${root}` });
  }
  const stateFolder = environment.LOOPLIA_STATE_DIR
    ? resolve(surface.cwd, environment.LOOPLIA_STATE_DIR)
    : join(root, ".looplia", "state");
  const chosen = chooseProvider(settings);
  if (chosen.problem) diagnostics.push(chosen.problem);
  diagnostics.push(...readTaskAgents(chosen.settings).diagnostics);
  return {
    place: { root, stateFolder, settings: chosen.settings, environment },
    diagnostics,
    notices: chosen.notice === undefined ? [] : [chosen.notice],
  };
}

/** Prints warnings and notices on standard error. Throws LoopliaError `config-invalid` with every error. */
export function reportPlace(surface: Surface, { diagnostics, notices }: FoundPlace): void {
  const warnings = diagnostics.filter((diagnostic) => diagnostic.severity === "warning");
  for (const warning of warnings) surface.stderr.write(`warning: ${formatDiagnostic(warning)}\n`);
  throwIfErrors(diagnostics);
  for (const notice of notices) surface.stderr.write(`${notice}\n`);
}

/** The path of a content item: as given, else in the root. Throws LoopliaError `config-invalid` if it is nowhere. */
export async function findItem(surface: Surface, place: Place, path: string): Promise<string> {
  for (const base of [surface.cwd, place.root]) {
    const found = resolve(base, path);
    if (await exists(found)) return found;
    if (isAbsolute(path)) break;
  }
  throw new LoopliaError("config-invalid", `There is no file ${path}.`, {
    hint: `looked in ${[...new Set([surface.cwd, place.root])].join(" and ")}`,
  });
}

async function readConfig(
  repository: string,
  config: string,
): Promise<{ text: string | undefined; problem?: Diagnostic }> {
  try {
    return { text: await readFile(resolve(repository, config), "utf8") };
  } catch (thrown) {
    const isMissing = errnoOf(thrown) === "ENOENT";
    if (isMissing && config === "looplia.yml") return { text: undefined };
    const message = isMissing ? "there is no such file of settings" : `cannot be read: ${messageOf(thrown)}`;
    return { text: undefined, problem: { severity: "error", file: config, message } };
  }
}

/** Without a key the command line rehearses offline, and says so; a provider that was named must have its key. */
function chooseProvider(settings: Settings): { settings: Settings; notice?: string; problem?: Diagnostic } {
  const hasKey = settings.anthropicApiKey !== undefined;
  if (settings.provider === "offline") return { settings, notice: `Offline: ${REHEARSAL}.` };
  if (settings.provider === "anthropic" && !hasKey) {
    const hint = "set the variable ANTHROPIC_API_KEY, or rehearse with --provider offline";
    const problem = {
      severity: "error",
      file: "anthropic-api-key",
      message: "the provider anthropic has no key",
    };
    return { settings, problem: { ...problem, severity: "error", hint } };
  }
  if (hasKey) return { settings: { ...settings, provider: "anthropic" } };
  const notice = `ANTHROPIC_API_KEY is not set, so this is offline: ${REHEARSAL}.`;
  return { settings: { ...settings, provider: "offline" }, notice };
}

/** A link to a folder is one. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

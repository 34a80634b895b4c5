// Which refs a run works on, and its settings from the trusted one. Nothing is read from a work branch.
import { posix } from "node:path";
import { type Diagnostic, formatDiagnostic, throwIfErrors } from "../../config/diagnostics.ts";
import { resolveSettings } from "../../config/settings.ts";
import type { Settings } from "../../config/settings-table.ts";
import { LoopliaError } from "../../errors.ts";
import type { Repository } from "../../ports/repository.ts";
import type { TrustedFiles } from "../../ports.ts";
import { chooseRefs, defaultBranchOf, type EventFacts } from "../../trigger/event.ts";
import { type Environment, readInputs } from "./runner-facts.ts";
import { checkStatePrefix } from "./state-refs.ts";

export type Found = {
  settings: Settings;
  /** Branch whose items are read, and its tip. */
  base: string;
  baseCommit: string;
  /** Settings, pipelines and instructions, below the working directory. */
  trusted: TrustedFiles;
  /** The same below another folder of the repository. */
  trustedAt(folder: string): TrustedFiles;
  /** The working directory in the repository, `/` between names; empty for its root. */
  folder: string;
  warnings: string[];
};

/** Throws `config-invalid` with everything that is wrong with the settings. */
export async function findSettings(
  repository: Repository,
  event: EventFacts,
  environment: Environment,
): Promise<Found> {
  const defaultBranch = defaultBranchOf(event.payload) ?? (await repository.defaultBranch());
  const early = await readEarly(environment);
  // A work branch is known by its prefix, and that is a setting: the default branch says which.
  const defaultCommit = await fetchTip(repository, defaultBranch);
  const onDefault = await readAt(repository, defaultCommit, `${defaultBranch}:`, early.config, environment);
  const refs = chooseRefs(event, { branchPrefix: onDefault.settings.branchPrefix, defaultBranch });
  // Each branch is asked for once: what a run is made of is how the remote was at one moment.
  const tipOf = async (name: string) => (name === defaultBranch ? defaultCommit : fetchTip(repository, name));
  const { branch, commit = await tipOf(branch) } = refs.trusted;
  await repository.fetchCommit(commit, branch);
  const isDefault = commit === defaultCommit;
  const read = isDefault
    ? onDefault
    : await readAt(repository, commit, `${branch}:`, early.config, environment);
  throwIfErrors(read.diagnostics);
  const { settings } = read;
  checkStatePrefix(settings);
  const folder = checkedFolder(settings.workingDirectory);
  const trustedAt = (below: string) => repository.trustedFiles(commit, below, `${branch}:`);
  return {
    settings: { ...settings, provider: chooseProvider(settings), workingDirectory: folder || "." },
    base: refs.base,
    baseCommit: refs.base === branch && !refs.trusted.commit ? commit : await tipOf(refs.base),
    trusted: trustedAt(folder),
    trustedAt,
    folder,
    warnings: read.diagnostics.map(formatDiagnostic),
  };
}

/** Settings that are needed before any file is read: inputs and variables only. Wrong ones are reported later. */
export async function readEarly(environment: Environment): Promise<Settings> {
  return (await resolve(undefined, "looplia.yml", environment)).settings;
}

async function readAt(
  repository: Repository,
  commit: string,
  label: string,
  config: string,
  environment: Environment,
): Promise<{ settings: Settings; diagnostics: Diagnostic[] }> {
  const text = await repository.trustedFiles(commit, "", label).read(config);
  const resolved = await resolve(text, `${label}${config}`, environment);
  if (text === undefined && config !== "looplia.yml") {
    const missing = { file: `${label}${config}`, message: "there is no such file of settings" };
    resolved.diagnostics.push({ severity: "error", ...missing });
  }
  return resolved;
}

function resolve(file: string | undefined, fileName: string, environment: Environment) {
  const overrides = readInputs(environment);
  return resolveSettings({ file, fileName, environment, overrides, overridesSource: "input" });
}

async function fetchTip(repository: Repository, branch: string): Promise<string> {
  const tip = await repository.tipOf(branch);
  if (tip === undefined) {
    throw new LoopliaError("config-invalid", `there is no branch ${branch}`, {
      hint: "push it, then run again",
    });
  }
  await repository.fetchCommit(tip, branch);
  return tip;
}

function checkedFolder(folder: string): string {
  const path = posix.normalize(folder).replace(/\/+$/, "");
  if (path === ".") return "";
  if (!posix.isAbsolute(path) && !/^\.\.(\/|$)/.test(path)) return path;
  throw new LoopliaError("config-invalid", `working-directory: ${folder} is not inside the repository`, {
    hint: "name a folder of the repository, for example docs",
  });
}

/** A mistyped secret is an empty string, and must not open a pull request: `offline` has to be named. */
function chooseProvider(settings: Settings): "anthropic" | "offline" {
  if (settings.provider === "offline") return "offline";
  if (settings.anthropicApiKey !== undefined) return "anthropic";
  throw new LoopliaError("config-invalid", "anthropic-api-key is empty, so no model can be asked", {
    hint: "check the name of the secret; for an extractive rehearsal without a model set `provider: offline`",
  });
}

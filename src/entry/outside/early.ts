// Starts the agent program that a run will probably need, before anything else of this program is loaded.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_ANTHROPIC_MODEL } from "../../config/providers.ts";
import type { Settings } from "../../config/settings-table.ts";
import { type Early, startEarly } from "../../programs/early.ts";
import type { ProgramName, ProgramPlace } from "../../programs/process.ts";
import { commandEnvironment } from "../../sandbox/visible.ts";

/** Where a program would work. Folders are absolute. */
export type ProgramSurroundings = {
  root: string;
  installFolder: string;
  environment: Readonly<Record<string, string | undefined>>;
  settings: Pick<Settings, "sandbox">;
};

/** Set once by `beginEarly`. */
export let early: Early | undefined;

export type Guess = Omit<ProgramSurroundings, "environment"> & {
  name: ProgramName;
  model: string | undefined;
};

/** Never throws: the run itself reports what is wrong. */
export async function beginEarly(
  { name, model = DEFAULT_ANTHROPIC_MODEL, ...around }: Guess,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const place = placeOf(name, { ...around, environment });
  const placeholder = placeholderOf(name, Boolean(environment.ANTHROPIC_API_KEY));
  early = await startEarly({ ...place, placeholder }, model).catch(() => undefined);
}

/** Where a program works. */
export function placeOf(
  name: ProgramName,
  { root, environment, settings, installFolder }: ProgramSurroundings,
): ProgramPlace {
  return {
    ...{ name, root, sandbox: settings.sandbox, environment: commandEnvironment(environment) },
    ...{ bridge: join(installFolder, "dist", "bridge", "index.js"), temporary: tmpdir() },
  };
}

/** An API key comes before a subscription. */
export function placeholderOf(name: ProgramName, hasApiKey: boolean): Record<string, string> {
  if (name === "codex") return { OPENAI_API_KEY: PLACEHOLDER };
  return hasApiKey ? { ANTHROPIC_API_KEY: PLACEHOLDER } : { CLAUDE_CODE_OAUTH_TOKEN: PLACEHOLDER };
}

const PLACEHOLDER = "sk-ant-the-key-is-outside";

// Wires agent programs: who they are for, where they are, and the key that they never see.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { priceOf } from "../../anthropic/prices.ts";
import type { Settings } from "../../config/settings-table.ts";
import { LoopliaError } from "../../core/errors.ts";
import type { Model } from "../../core/ports.ts";
import { priceOfOpenAI } from "../../openai/prices.ts";
import { serviceUpstream } from "../../programs/gateway.ts";
import {
  findInstalled,
  type Installed,
  type ProgramName,
  type ProgramPlace,
} from "../../programs/process.ts";
import { createProgramModel } from "../../programs/program.ts";
import { requireTried } from "../../programs/self-test.ts";
import { commandEnvironment } from "../../sandbox/visible.ts";
import { hasProxy } from "./routes.ts";

/** Where a program would work. Folders are absolute. */
export type ProgramSurroundings = {
  root: string;
  installFolder: string;
  environment: Readonly<Record<string, string | undefined>>;
  settings: Pick<Settings, "sandbox">;
};

/** Throws `config-invalid` for ways of paying that programs do not get here. */
export function createProgram(name: ProgramName, settings: Settings, around: ProgramSurroundings): Model {
  refuseClouds(name, settings, around.environment);
  const options = { ...placeOf(name, around), ...accessOf(name, settings, hasProxy(around.environment)) };
  const approve = (installed: Installed, model: string) =>
    requireTried(options, installed, { folder: cacheOf(around), model });
  return createProgramModel({ ...options, approve });
}

const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

function refuseClouds(
  name: ProgramName,
  { anthropicCloud }: Settings,
  environment: ProgramSurroundings["environment"],
): void {
  if (name !== "claude") return;
  const variable = CLOUDS.find((one) => environment[one]);
  const set = anthropicCloud === "none" ? variable : "anthropic-cloud";
  if (set === undefined) return;
  throw new LoopliaError("config-invalid", `${set} is set: the provider claude can't use a cloud.`, {
    hint: "Use the cloud with `provider: anthropic`, or unset it and give ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN.",
  });
}

/** The key stays outside; the program gets a word in its place. */
function accessOf(name: ProgramName, settings: Settings, isProxied: boolean) {
  const placeholder = placeholderOf(name, settings.anthropicApiKey !== undefined);
  if (name === "codex") {
    const { openaiApiKey, openaiBaseUrl: baseURL = "https://api.openai.com/v1" } = settings;
    const key = openaiApiKey === undefined ? undefined : { authorization: `Bearer ${openaiApiKey}` };
    const paths = /^\/(?:responses|models)\b/;
    const upstream = serviceUpstream({ baseURL, paths, key: key ?? {}, isProxied });
    return { upstream, placeholder, priceOf: priceOfOpenAI };
  }
  const { anthropicApiKey, anthropicBaseUrl: baseURL = "https://api.anthropic.com" } = settings;
  const paths = /^\/v1\/(?:messages|models)\b/;
  // An API key comes before a subscription.
  const key: Record<string, string> =
    anthropicApiKey === undefined
      ? { authorization: `Bearer ${settings.claudeCodeOauthToken}` }
      : { "x-api-key": anthropicApiKey };
  return { upstream: serviceUpstream({ baseURL, paths, key, isProxied }), placeholder, priceOf };
}

/** Where it is kept which versions passed. */
function cacheOf({ environment: { XDG_CACHE_HOME, HOME = tmpdir() } }: ProgramSurroundings): string {
  return join(XDG_CACHE_HOME || join(HOME, ".cache"), "looplia", "programs");
}

/** For `doctor`: what is installed. Throws `config-invalid` where it can't be used. */
export async function probeProgram(
  name: ProgramName,
  settings: Settings,
  around: ProgramSurroundings & { model: string },
): Promise<string> {
  refuseClouds(name, settings, around.environment);
  const options = { ...placeOf(name, around), ...accessOf(name, settings, hasProxy(around.environment)) };
  const installed = await findInstalled(options);
  await requireTried(options, installed, { folder: cacheOf(around), model: around.model });
  const version = installed.version ?? "of an unknown version";
  return `${name} ${version} is installed and can wait for people, with ${around.model}`;
}

/** Where a program works. */
function placeOf(
  name: ProgramName,
  { root, environment, settings, installFolder }: ProgramSurroundings,
): ProgramPlace {
  return {
    ...{ name, root, sandbox: settings.sandbox, environment: commandEnvironment(environment) },
    ...{ bridge: join(installFolder, "dist", "bridge", "index.js"), temporary: tmpdir() },
  };
}

/** An API key comes before a subscription. */
function placeholderOf(name: ProgramName, hasApiKey: boolean): Record<string, string> {
  if (name === "codex") return { OPENAI_API_KEY: PLACEHOLDER };
  return hasApiKey ? { ANTHROPIC_API_KEY: PLACEHOLDER } : { CLAUDE_CODE_OAUTH_TOKEN: PLACEHOLDER };
}

const PLACEHOLDER = "sk-ant-the-key-is-outside";

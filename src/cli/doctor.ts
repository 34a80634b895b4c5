// `doctor`: checks the setup and gives a fix for each problem.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Colors } from "picocolors/types.js";
import { type Diagnostic, formatDiagnostic } from "../config/diagnostics.ts";
import { describeRule, prefixProblem } from "../config/policy.ts";
import { describeMissingKey, hasAccess, PROVIDERS, type Provider } from "../config/providers.ts";
import { usedAgents } from "../config/tasks.ts";
import { messageOf } from "../core/errors.ts";
import { describeNetwork } from "../core/interaction.ts";
import { printedJson, toPlainLine } from "../core/json.ts";
import type { Isolation } from "../core/ports.ts";
import { REHEARSAL } from "../publish/report.ts";
import type { CommandLine } from "./arguments.ts";
import {
  checkGithub,
  checkStateRef,
  checkWorkflows,
  type Finding,
  failed,
  failure,
  passed,
  warningOf,
} from "./on-github.ts";
import { type FoundPlace, findPlace } from "./run.ts";
import { countByStatus, readTasks } from "./status.ts";
import { type CliPlace, colorsFor, type Surface, type Wiring } from "./surface.ts";

// The checks of `doctor` that need no network.

const LEAST_NODE = 20;

/** `version` in Node's form: `v24.1.0`. */
function checkNode(version: string): Finding {
  const major = Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
  if (major >= LEAST_NODE) return passed("node", version);
  return failed("node", `${version} is too old`, `install Node ${LEAST_NODE} or newer`);
}

/** A warning passes, but is shown. */
function findingOf(name: string, { hint, ...bare }: Diagnostic): Finding {
  const detail = formatDiagnostic(bare);
  return bare.severity === "warning" ? passed(name, `warning: ${detail}`, hint) : failed(name, detail, hint);
}

/** Git is required; a folder outside a repository is only reported. */
async function checkGit(place: CliPlace, wiring: Wiring): Promise<Finding> {
  try {
    const { version, repository = "not in a repository" } = await wiring.probeGit(place);
    return passed("git", `${version}, ${repository}`);
  } catch (thrown) {
    return failure("git", thrown, "install git and put it on the PATH");
  }
}

/** All problems of pipelines, agents, skills, profile and prompts at once, and the models that agents name. */
async function checkConfiguration(
  root: string,
  pipeline: string,
  wiring: Wiring,
): Promise<{ findings: Finding[]; models: string[] }> {
  try {
    const { trusted, builtin } = await wiring.readFiles(root);
    const { loadConfiguration } = await import("../config/load.ts");
    const { checkPrompts, createPrompts } = await import("../config/prompts.ts");
    const prompts = createPrompts(builtin);
    const { configuration, diagnostics } = await loadConfiguration(trusted, builtin, { prompts });
    const { pipelines, agents, skills } = configuration;
    const findings = diagnostics.map((diagnostic) => findingOf("files", diagnostic));
    const named = pipelines.has(pipeline) ? [...pipelines.keys()] : [];
    if (named.length > 0) findings.push(passed("pipelines", named.join(", ")));
    else if (findings.every((finding) => finding.isWell)) {
      const fix = `use one of ${[...pipelines.keys()].join(", ")}`;
      findings.push(failed("pipelines", `there is no pipeline ${pipeline}`, fix));
    }
    findings.push({ name: "agents", isWell: agents.size > 0, detail: [...agents.keys()].join(", ") });
    findings.push(passed("skills", [...skills.keys()].join(", ") || "none"));
    findings.push(passed("prompts", `${await checkPrompts(builtin)}, the install's own`));
    const { modelFor } = await import("../agent/attempt.ts");
    const models = [...agents.values()].map((agent) => modelFor({ modelName: "" }, agent));
    return { findings, models: models.filter((model) => model !== "") };
  } catch (thrown) {
    return { findings: [failed("files", messageOf(thrown), "fix or reinstall that file")], models: [] };
  }
}

/** All problems of the task list; a missing list passes. */
async function checkTasks(root: string, path: string, wiring: Wiring): Promise<Finding[]> {
  const name = "tasks";
  try {
    const list = await readTasks((await wiring.readFiles(root)).trusted, path);
    if (!list) return [passed(name, `there is no ${path}`)];
    if (list.diagnostics.length === 0) return [passed(name, `${path}: ${countByStatus(list.tasks)}`)];
    return list.diagnostics.map((diagnostic) => findingOf(name, diagnostic));
  } catch (thrown) {
    return [failure(name, thrown)];
  }
}

/**
 * Without isolation commands need a person's approval, or none run: a warning unless isolation is required.
 */
async function checkSandbox(place: CliPlace, wiring: Wiring): Promise<Finding> {
  const isRequired = place.settings.sandbox === "required";
  try {
    return describeIsolation(await wiring.probeIsolation(place), isRequired, place.settings.hook);
  } catch (thrown) {
    const detail = `cannot be tried: ${messageOf(thrown)}`;
    return failed("sandbox", detail, "check that the folder is there and readable");
  }
}

/** A late watchdog is no fault of the machine. */
async function checkLimits(wiring: Wiring): Promise<Finding> {
  const { memory, isKept } = await wiring.probeLimits();
  const how = isKept
    ? "enforced by the kernel (control group)"
    : "checked four times a second, best effort: this machine delegates no control group";
  const size = `${(memory / 1024 ** 3).toFixed(1)} GiB`;
  return passed("limits", `all processes of a command together: ${size} of memory, ${how}`);
}

/** Prices change every few months. */
const OLD_DAYS = 120;

/** One line for each price list; `max-cost-usd` holds as far as they are right. */
async function checkPrices(wiring: Wiring): Promise<Finding[]> {
  return (await wiring.priceLists()).map(({ of, asOf, source, days }) => {
    const detail = `${of}'s, of ${asOf} (${days} days ago), from ${source}`;
    return days > OLD_DAYS
      ? warningOf("prices", detail, "install a newer release, or compare the costs with that page")
      : passed("prices", detail);
  });
}

function describeIsolation(
  { kind, network, reason = "", isOff }: Isolation,
  isRequired: boolean,
  hook: string | undefined,
): Finding {
  if (kind !== "none") return passed("sandbox", `${kind}, ${describeNetwork(network)}`);
  const [why = "", advice] = reason.split("; ", 2);
  const fix = isOff ? undefined : advice;
  if (isRequired) return failed("sandbox", `required, but ${why}`, fix);
  const bare = hook === undefined ? "" : `; the hook ${hook} runs without isolation, from the trusted files`;
  return passed("sandbox", `warning: commands are not isolated: ${why}${bare}`, fix);
}

/** Tests what a write will need: the folder, or its nearest existing parent. */
async function checkFolder(name: string, folder: string): Promise<Finding> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined);
    if (!found && path !== dirname(path)) continue;
    const isWritable =
      found?.isDirectory() === true &&
      (await access(path, constants.W_OK).then(
        () => true,
        () => false,
      ));
    if (isWritable) return passed(name, `${folder} is writable`);
    const detail = found?.isDirectory() ? `${path} is not writable` : `${path} is no folder`;
    return failed(name, detail, "make it a writable folder, or move state with LOOPLIA_STATE_DIR");
  }
}

// The checks of `doctor` that ask a server: the provider, GitHub, the remote. A failure is only one line of
// the report.

const PROBE_MS = 15_000;

/**
 * A key and an answer of every model that the settings, an agent's front matter or an agent of the task list
 * names.
 */
async function checkProviders(
  { place, diagnostics }: Pick<FoundPlace, "place" | "diagnostics">,
  models: readonly string[],
  wiring: Wiring,
): Promise<Finding[]> {
  const { settings } = place;
  const main = PROVIDERS.find((known) => known === settings.provider) ?? "offline";
  const agents = usedAgents(settings);
  const asked = new Map<Provider, Set<string | undefined>>([
    [main, new Set([settings.model, ...models, ...named(settings.fallbackModel)])],
  ]);
  for (const { provider, model, fallbackModel } of agents) {
    const known = asked.get(provider) ?? new Set();
    const inherited = provider === main ? settings.model : undefined;
    asked.set(provider, new Set([...known, model ?? inherited, ...named(fallbackModel)]));
  }
  const each = [...asked].map(async ([provider, ofProvider]): Promise<Finding[]> => {
    if (provider === "offline") return main === "offline" ? [OFFLINE] : [];
    if (!hasAccess(provider, settings)) {
      const names = agents.filter((agent) => agent.provider === provider).map(({ name }) => name);
      return [keyless(provider, place, provider === main ? undefined : names)];
    }
    return askModels({ ...place, settings: { ...settings, provider } }, ofProvider, { diagnostics, wiring });
  });
  return (await Promise.all(each)).flat();
}

function named(model: string | undefined): string[] {
  return model === undefined ? [] : [model];
}

const OFFLINE = passed(
  "provider",
  `offline (${REHEARSAL}); set ANTHROPIC_API_KEY or OPENAI_API_KEY for a language model`,
);

function keyless(provider: Exclude<Provider, "offline">, place: CliPlace, agents?: string[]): Finding {
  const { problem, fix } = describeMissingKey(provider, place.environment);
  const whose = agents === undefined ? "" : ` (for the agents ${agents.join(", ")})`;
  const instead = agents === undefined ? ", or use --provider offline" : "";
  return failed("key", `${problem}${whose}`, `${fix}${instead}`);
}

/** One line per model of the provider. A key for another base URL is sent nowhere else. */
async function askModels(
  place: CliPlace,
  models: ReadonlySet<string | undefined>,
  { diagnostics, wiring }: Pick<FoundPlace, "diagnostics"> & { wiring: Wiring },
): Promise<Finding[]> {
  const { settings } = place;
  const { provider } = settings;
  const isProgram = provider === "claude" || provider === "codex";
  const service = provider === "openai" || provider === "codex" ? "openai" : "anthropic";
  const name = isProgram ? "program" : "provider";
  const isAddress = new RegExp(`${service}[-_]base[-_]url`, "i");
  if (diagnostics.some(({ file, message }) => isAddress.test(`${file} ${message}`))) {
    const detail = "not checked: it is not known which address the key is for";
    return [aboutKey(settings), failed(name, detail, `fix ${service}-base-url, see settings`)];
  }
  const fallback = isProgram ? "see docs/agents.md" : `check the network and ${service}-base-url`;
  const signal = AbortSignal.timeout(PROBE_MS);
  const ask = async (model: string | undefined): Promise<Finding> => {
    try {
      return passed(name, await wiring.probeProvider({ ...place, settings: { ...settings, model } }, signal));
    } catch (thrown) {
      return failure(name, thrown, fallback);
    }
  };
  return [aboutKey(settings), ...(await Promise.all([...models].map(ask)))];
}

/** What lets the provider in, never its value. */
function aboutKey({
  provider,
  openaiApiKey,
  anthropicApiKey,
  anthropicCloud,
}: CliPlace["settings"]): Finding {
  const tell = (detail: string) => passed("key", detail);
  if (provider === "anthropic" && anthropicCloud !== "none") return tell(`${anthropicCloud} has its own`);
  if (provider === "openai" || provider === "codex") {
    if (openaiApiKey !== undefined) return tell("openai-api-key is set");
    return tell("none is set: the server at openai-base-url may need none");
  }
  return tell(anthropicApiKey === undefined ? "claude-code-oauth-token is set" : "anthropic-api-key is set");
}

/** Prints the findings; 0 only if all are well. */
export async function doctorCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const found = await findPlace(surface, line.folder, line.overrides);
  const findings = await examine(found, surface.nodeVersion, wiring);
  if (line.isJson) surface.stdout.write(printedJson(findings));
  else surface.stdout.write(findingLines(findings, colorsFor(surface, surface.stdout)).join(""));
  return findings.every((finding) => finding.isWell) ? 0 : 1;
}

/** Runs every check; a failure stops no other check. */
async function examine(found: FoundPlace, nodeVersion: string, wiring: Wiring): Promise<Finding[]> {
  const { place } = found;
  const { root, stateFolder, settings } = place;
  const configuration = await checkConfiguration(root, settings.pipeline, wiring);
  const remote = Promise.all([
    checkProviders(found, configuration.models, wiring),
    checkWorkflows(place, wiring),
    checkGithub(place, wiring),
    checkStateRef(place, wiring),
  ]);
  return [
    checkNode(`v${nodeVersion}`),
    await checkGit(place, wiring),
    ...checkSettings(found),
    ...configuration.findings,
    ...(await checkTasks(root, settings.todo, wiring)),
    ...(await wiring.routes(place)).map((detail) => passed("route", detail)),
    await checkSandbox(place, wiring),
    await checkLimits(wiring),
    ...(await checkPrices(wiring)),
    await checkFolder("artifacts", `${root}/.looplia`),
    await checkFolder("state", stateFolder),
    ...(await remote).flat(),
  ];
}

function checkSettings({ diagnostics, place }: FoundPlace): Finding[] {
  const rules = place.settings.policy.flatMap((rule) => {
    const said = describeRule(rule);
    if (said === undefined) return [];
    const short = prefixProblem(rule);
    const found = passed("policy", said);
    return short === undefined
      ? [found]
      : [found, warningOf("policy", short, "end the rule in … to allow more words")];
  });
  if (diagnostics.length === 0) return [passed("settings", place.root), ...rules];
  return [...diagnostics.map((diagnostic) => findingOf("settings", diagnostic)), ...rules];
}

/** One line per finding, with its fix below. */
function findingLines(findings: readonly Finding[], { green, red, dim }: Colors): string[] {
  return findings.flatMap(({ name, isWell, detail, fix }) => [
    `${isWell ? green("✓") : red("✗")} ${name.padEnd(10)} ${toPlainLine(detail)}\n`,
    ...(fix === undefined ? [] : [dim(`  ${" ".repeat(10)} → ${toPlainLine(fix)}\n`)]),
  ]);
}

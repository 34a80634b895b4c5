// Puts an adapter behind each port; with its neighbours `wire-*.ts` the only importer of adapters.
import { randomBytes } from "node:crypto";
import { join, posix } from "node:path";
import { createAnthropicModel, DEFAULT_ANTHROPIC_MODEL } from "../adapters/anthropic.ts";
import { installedFolder } from "../adapters/installed-files.ts";
import { openRunLog, type RunLog } from "../adapters/log-files.ts";
import { openStores } from "../adapters/store-files.ts";
import type { Cancellations } from "../agent/cancellations.ts";
import type { Configuration } from "../config/definitions.ts";
import { formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { loadConfiguration } from "../config/load.ts";
import { readPolicy } from "../config/policy.ts";
import { secretsOf } from "../config/secrets.ts";
import type { Settings } from "../config/settings-table.ts";
import type { RunResult } from "../content/item-result.ts";
import type { ContentSettings } from "../content/ports.ts";
import { runSetup } from "../content/run-setup.ts";
import { handle, type Trigger } from "../handle.ts";
import type { TasksSide } from "../handle-tasks.ts";
import type { Clock, Host, Ids, Model, Observer, Stores, TrustedFiles, WorkStore } from "../ports.ts";
import { createRedactor, type Redact, redactValue } from "../session/redaction.ts";
import { allTools } from "../tools/registry.ts";
import { withDeadline } from "./deadline.ts";
import { keptOpen } from "./kept-open.ts";
import { logEnds, logThrown } from "./log-end.ts";
import { findLogFolder } from "./log-folder.ts";
import { type DeveloperPrompts, openPrompts } from "./prompts.ts";
import { redactError } from "./redact-ports.ts";
import { openWorktree, settingsFileOf } from "./wire-worktree.ts";

export const clock: Clock = { now: () => new Date(), elapsed: () => performance.now() };
const ids: Ids = { hex: (bytes) => randomBytes(bytes).toString("hex") };

/** Where and with what a trigger is handled. Folders are absolute. */
export type RunPlace = {
  /** The worktree. */
  root: string;
  stateFolder: string;
  /** Where the program itself is: `prompts/`, `pipelines/`, `examples/`. */
  installFolder: string;
  version: string;
  /** `provider` is decided: never `auto`. */
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  trusted: TrustedFiles;
  host: Host;
  /** Sessions that a person cancels while they run. */
  cancellations?: Cancellations;
  /** Who led to what this run asks, its starter first (`startersOf`). */
  startedBy?: readonly string[];
  observe: Observer;
  signal: AbortSignal;
  isDemo?: boolean;
  prompts?: DeveloperPrompts;
  /** Stores of the one work there is, which stay open; else they are opened and closed here. */
  openStore?: () => Promise<WorkStore>;
  readSource(path: string): Promise<Uint8Array | undefined>;
};

/** Handles a trigger with real adapters. Throws LoopliaError for what concerns the run as a whole. */
export async function runTrigger(place: RunPlace, trigger: Trigger): Promise<RunResult> {
  const logs: RunLog[] = [];
  const redact = createRedactor(secretsOf(place.environment, place.settings));
  const observe: Observer = (event) => {
    const safe = redactValue(event, redact);
    place.observe(safe);
    for (const log of logs) log.observe(safe);
  };
  const model = await createModel(place.settings, place.isDemo === true);
  const configuration = await readConfiguration(place, observe);
  const { workspace, close } = await openWorktree(place, observe, redact);
  const signal = withDeadline(place.signal, place.settings.timeoutMinutes, clock.elapsed());
  const whenOpen = async (): Promise<void> => {
    // The work of a runner is in a fresh worktree; on the command line it is the user's own.
    if (place.openStore) await runSetup(workspace, place.settings.setup, { observe, signal });
  };
  const ports = {
    clock,
    ids,
    workspace,
    host: place.host,
    model,
    stores: createStores(place, logs, whenOpen),
    observe,
    redact,
    signal,
    configuration,
    tools: new Map(allTools().map((tool) => [tool.name, tool])),
    readSource: place.readSource,
    ...(place.cancellations === undefined ? {} : { cancellations: place.cancellations }),
    ...(place.startedBy === undefined ? {} : { startedBy: place.startedBy }),
  };
  try {
    const content = await contentSettings(place.settings);
    const tasks = await tasksSideFor(trigger, place, { content, redact, logs });
    const result = redactValue(await handle(trigger, ports, content, tasks), redact);
    logEnds(logs, result);
    return result;
  } catch (thrown) {
    const error = redactError(thrown, redact);
    logThrown(logs, error);
    throw error;
  } finally {
    await Promise.all([close(), ...logs.map((log) => log.close())]);
  }
}

/** Warnings are told; throws `config-invalid` with everything that is wrong. */
async function readConfiguration(
  { installFolder, prompts, trusted, settings: { pipeline } }: RunPlace,
  observe: Observer,
): Promise<Configuration> {
  const builtin = installedFolder(installFolder);
  const own = prompts?.folder === undefined ? undefined : installedFolder(prompts.folder);
  const { configuration, diagnostics } = await loadConfiguration(trusted, builtin, {
    prompts: openPrompts(builtin, own, prompts?.show),
    pipeline,
  });
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === "warning") {
      observe({ type: "notice", level: "warning", message: formatDiagnostic(diagnostic) });
    }
  }
  throwIfErrors(diagnostics);
  return configuration;
}

/** Only a run of tasks, or one that may turn out to be, loads what it takes. */
async function tasksSideFor(
  trigger: Trigger,
  place: RunPlace,
  { content, redact, logs }: { content: ContentSettings; redact: Redact; logs: readonly RunLog[] },
): Promise<TasksSide | undefined> {
  if (trigger.kind === "file" || trigger.kind === "items") return undefined;
  const { createTasksSide } = await import("./wire-tasks.ts");
  const logPath = () => logs[0]?.path ?? join(place.stateFolder, "run.jsonl");
  return createTasksSide(
    { ...place, redact, logPath, createModel: (own) => createModel(own, false), defaultModel },
    content,
  );
}

/** The model that the settings name. */
export async function createModel(settings: Settings, isDemo: boolean): Promise<Model> {
  if (settings.provider === "anthropic") {
    const baseURL = settings.anthropicBaseUrl;
    return createAnthropicModel({ apiKey: settings.anthropicApiKey ?? "", ...(baseURL ? { baseURL } : {}) });
  }
  const { createOfflineModel } = await import("../adapters/offline/model.ts");
  return createOfflineModel({ askInDemo: isDemo });
}

async function defaultModel(settings: Settings): Promise<string> {
  if (settings.provider === "anthropic") return DEFAULT_ANTHROPIC_MODEL;
  return (await import("../adapters/offline/model.ts")).OFFLINE_MODEL;
}

async function contentSettings(settings: Settings): Promise<ContentSettings> {
  const { pipeline, output, force, orchestration, fallbackModel, concurrency, dryRun } = settings;
  const { maxTurns, maxTokens, maxCostUsd, answerTtlHours, minApprovals, workingDirectory } = settings;
  const isOffline = settings.provider === "offline";
  return {
    pipeline,
    ...(output === undefined ? {} : { output }),
    ...(force === undefined ? {} : { force: [force] }),
    orchestration,
    // Another provider's model means nothing to the rehearsal.
    model: (isOffline ? undefined : settings.model) ?? (await defaultModel(settings)),
    ...(fallbackModel === undefined || isOffline ? {} : { fallbackModel }),
    limits: {
      maxTurns,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    },
    concurrency,
    dryRun,
    gate: {
      policy: await readPolicy(settings.policy),
      approval: settings.approval,
      sandbox: settings.sandbox,
      settingsFile: settingsFileOf(settings),
    },
    people: { answerTtlHours, minApprovals, workingDirectory: posix.normalize(workingDirectory) },
  };
}

/** The stores on disk, with a log beside those of each work that is opened. */
function createStores(place: RunPlace, logs: RunLog[], whenOpen: () => Promise<void>): Stores {
  const { root, stateFolder, version, settings, openStore } = place;
  const logFolder = findLogFolder(root, settings.logDir);
  const stores = openStores({ stateFolder, codeVersion: version, clock, stateKey: settings.stateKey });
  return {
    ...stores,
    async open(work) {
      const opened = openStore ? keptOpen(await openStore()) : await stores.open(work);
      const folder = logFolder ?? join(stateFolder, work.workId, "logs");
      logs.push(openRunLog({ folder, clock, pid: process.pid }));
      await whenOpen();
      return opened;
    },
  };
}

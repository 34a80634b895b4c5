// Connects each port to an adapter. Only the files of this room import adapters.

import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix, relative } from "node:path";
import { requirePrice } from "../agent/limits.ts";
import type { Limits } from "../agent/session.ts";
import { listDecidingPaths } from "../approval/gate.ts";
import type { Configuration } from "../config/definitions.ts";
import { formatDiagnostic, throwIfErrors } from "../config/diagnostics.ts";
import { loadConfiguration } from "../config/load.ts";
import { readPolicy } from "../config/policy.ts";
import { type DeveloperPrompts, openPrompts } from "../config/prompts.ts";
import { describeMissingKey, hasAccess } from "../config/providers.ts";
import { secretsOf } from "../config/secrets.ts";
import { findLogFolder } from "../config/settings.ts";
import type { Settings } from "../config/settings-table.ts";
import { providerOf, readTaskAgents, SOURCE_FILES } from "../config/tasks.ts";
import type { ContentSettings } from "../content/ports.ts";
import { runSetup } from "../content/result.ts";
import { LoopliaError } from "../core/errors.ts";
import { plainNetwork } from "../core/interaction.ts";
import type { Clock, Ids, Model, Observer, PutBack, Stores, Workspace } from "../core/ports.ts";
import type { ToolServers } from "../core/ports-host.ts";
import { type Redact, redactValue } from "../core/redaction.ts";
import type { RunResult } from "../core/result.ts";
import { installedFolder } from "../files/sources.ts";
import { openWorkspace } from "../files/workspace.ts";
import { type Isolator, openIsolation } from "../sandbox/isolation.ts";
import { commandEnvironment } from "../sandbox/visible.ts";
import { findSessionWork } from "../store/find.ts";
import { openStores } from "../store/work.ts";
import { createTaskLog, openRunLog, type RunLog } from "../terminal/logs.ts";
import type { TaskAgent } from "../todo/run-state.ts";
import { allTools } from "../tools/registry.ts";
import { tellPutBack } from "../tools/run-command.ts";
import type { Tool } from "../tools/tool.ts";
import { handle, type TasksSide } from "../work/handle.ts";
import type { ActionPlace } from "../work/run.ts";
import { type TerminalTrigger, wakeFromTerminal } from "../work/terminal.ts";
import { logEnds, logThrown, withDeadline } from "./lifetime.ts";
import { createModel, defaultModel } from "./outside/models.ts";
import { redactArguments, redactError, redactorOf } from "./redact.ts";

// What the task loop needs from the program.

type TaskHook = NonNullable<Parameters<typeof createTaskLog>[0]["startHook"]>;
type TasksPlace = Pick<RunPlace, "root" | "stateFolder" | "settings" | "environment" | "signal"> & {
  redact: Redact;
  startHook: TaskHook | undefined;
  /** A replay asks no model and needs no key. */
  replay?: RunPlace["replay"];
  /** Path of the run's log. */
  logPath(): string;
  createModel(settings: Settings): Promise<Model>;
  defaultModel(settings: Settings): Promise<string>;
};

/** Throws `config-invalid` for agents that can't run. */
async function createTasksSide(place: TasksPlace, content: ContentSettings): Promise<TasksSide> {
  const { settings, stateFolder, signal, logPath, startHook } = place;
  const found = readTaskAgents(settings);
  throwIfErrors(found.diagnostics);
  const { todo, task, applySummary, maxIterations, dryRun, reviewAgent, repairAgent } = settings;
  const { people, gate } = content;
  return {
    agent: agentFinder(place, found, content),
    log: redactArguments(
      createTaskLog({
        ...{ logPath, signal },
        async sessionFolder(sessionId) {
          const workId = (await findSessionWork(stateFolder, sessionId)) ?? sessionId;
          return join(stateFolder, workId, "sessions", sessionId);
        },
        ...(startHook === undefined ? {} : { startHook }),
      }),
      place.redact,
    ),
    settings: {
      ...{ todo, applySummary, maxIterations, dryRun, people, gate },
      ...(task === undefined ? {} : { task }),
      sourceFiles: settings.sourceFiles.length > 0 ? settings.sourceFiles : SOURCE_FILES,
      schedule: { shown: found.schedule.shown, agents: found.schedule.turns },
      ...(reviewAgent === undefined ? {} : { reviewAgent }),
      ...(repairAgent === undefined ? {} : { repairAgent }),
    },
  };
}

function agentFinder(
  place: TasksPlace,
  { agents }: ReturnType<typeof readTaskAgents>,
  content: ContentSettings,
): (name: string) => Promise<TaskAgent> {
  const models = new Map<string, Promise<Model>>();
  const { settings } = place;
  return async (name) => {
    const own = agents.get(name);
    if (!own) {
      const hint = `There are: ${[...agents.keys()].join(", ")}.`;
      throw new LoopliaError("config-invalid", `The agent ${JSON.stringify(name)} no longer exists.`, {
        hint,
      });
    }
    const provider = providerOf(own, settings);
    const toolCalls = own.toolCalls ?? settings.toolCalls;
    const isMain = provider === settings.provider;
    // A model belongs to its provider.
    const mine: Settings = { ...settings, provider, toolCalls, model: isMain ? settings.model : undefined };
    if (!place.replay && provider !== "offline" && !hasAccess(provider, settings)) {
      const { problem, fix } = describeMissingKey(provider, place.environment);
      throw new LoopliaError("config-invalid", `The agent ${name} can't be asked: ${problem}.`, {
        hint: fix,
      });
    }
    const key = `${provider} ${toolCalls}`;
    const model = await (models.get(key) ?? place.createModel(mine));
    models.set(key, Promise.resolve(model));
    const inherited = isMain ? content.model : undefined;
    const modelName = own.model ?? inherited ?? (await place.defaultModel(mine));
    const { maxTurns, timeoutMinutes } = own;
    const limits = maxTurns === undefined ? content.limits : { ...content.limits, maxTurns };
    const fallbackModel = own.fallbackModel ?? (isMain ? content.fallbackModel : undefined);
    requirePrice(limits, model, fallbackModel === undefined ? [modelName] : [modelName, fallbackModel]);
    return {
      ...{ name, provider, model, modelName, limits },
      ...(fallbackModel === undefined ? {} : { fallbackModel }),
      ...(timeoutMinutes === undefined ? {} : { timeoutMs: timeoutMinutes * 60_000 }),
    };
  };
}

// The worktree of a run, and the isolation of its commands.

/** Folders are absolute. */
type WorktreePlace = {
  root: string;
  /** Further folders that commands don't see. */
  hidden?: readonly string[];
  stateFolder: string;
  settings: Pick<Settings, "sandbox" | "sandboxRead" | "network" | "config" | "workingDirectory">;
  environment: Readonly<Record<string, string | undefined>>;
};

/**
 * Opens the worktree with commands isolated as the settings require; `close` removes files that commands left
 * outside it. `isTold`: another worktree already warned about missing isolation.
 */
export async function openWorktree(
  place: WorktreePlace,
  observe: Observer,
  redact: Redact,
  isTold = false,
): Promise<{ workspace: Workspace; close(): Promise<void> }> {
  let isolator: Isolator | undefined;
  const warn = (message: string) => observe({ type: "notice", level: "warning", message });
  const workspace = await openWorkspace(place.root, {
    environment: commandEnvironment(place.environment),
    stateFolder: place.stateFolder,
    systemTemp: place.environment.RUNNER_TEMP ?? place.stateFolder,
    redact,
    rules: rulesOf(place, warn),
    isolate: (root) => {
      isolator = isolatorFor({ ...place, root }, isTold ? () => {} : warn);
      return isolator;
    },
  });
  return { workspace, close: async () => isolator?.close() };
}

/**
 * Commands can't change files that decide which programs run or who has permission; each attempt is reported.
 */
function rulesOf({ settings, stateFolder, environment }: WorktreePlace, warn: (message: string) => void) {
  // People can't open a path on a runner; the Action uploads the state folder instead.
  const placeOf = (copy: string) =>
    environment.GITHUB_ACTIONS === "true" ? `${relative(stateFolder, copy)} of the workflow artifact` : copy;
  return {
    ...listDecidingPaths(settingsFileOf(settings)),
    aside: join(stateFolder, "put-back"),
    notify: (putBack: PutBack) => warn(tellPutBack({ ...putBack, copy: placeOf(putBack.copy) })),
  };
}

/** The file of settings, relative to the worktree. */
function settingsFileOf({ config, workingDirectory }: Pick<Settings, "config" | "workingDirectory">): string {
  return posix.relative(workingDirectory, config);
}

/** The isolation of commands here; calls `warn` if there is none. */
export function isolatorFor(place: WorktreePlace, warn: (message: string) => void): Isolator {
  const { root, stateFolder, settings, environment } = place;
  const { RUNNER_TEMP, RUNNER_TOOL_CACHE, GITHUB_EVENT_PATH } = environment;
  return openIsolation({
    root,
    sandbox: settings.sandbox,
    network: plainNetwork(settings.network),
    environment: commandEnvironment(environment),
    closed: [
      ...(place.hidden ?? []),
      ...[stateFolder, join(root, ".looplia", "state"), RUNNER_TEMP],
      // The parent of `_temp` holds the runner's checkouts with credentials, its actions and its own files.
      RUNNER_TEMP && basename(RUNNER_TEMP) === "_temp" ? dirname(RUNNER_TEMP) : undefined,
      GITHUB_EVENT_PATH && dirname(GITHUB_EVENT_PATH),
    ],
    shown: [
      RUNNER_TOOL_CACHE,
      ...settings.sandboxRead.map((path) => path.replace(/^~(?=\/)/, environment.HOME ?? "/root")),
    ],
    temporary: tmpdir(),
    warn,
  });
}

export const clock: Clock = { now: () => new Date(), elapsed: () => performance.now() };
const ids: Ids = { hex: (bytes) => randomBytes(bytes).toString("hex") };

/** The surroundings of a trigger. Folders are absolute. */
export type RunPlace = Omit<ActionPlace, "startedBy" | "openStore" | "cancellations"> & {
  startedBy?: ActionPlace["startedBy"];
  cancellations?: ActionPlace["cancellations"];
  /** The open stores of the only work, whose wake goes on elsewhere; otherwise the run is a wake of its own. */
  openStore?: ActionPlace["openStore"];
  /** The program's folder, with `prompts/`, `pipelines/`, `examples/`. */
  installFolder: string;
  version: string;
  isDemo?: boolean;
  /** Marks local state as made here; comes before the first write. */
  signState?: (() => Promise<void>) | undefined;
  prompts?: DeveloperPrompts;
  /** A recorded session instead of a model; `toolOf` may replace a tool. */
  replay?: { model: Model; servers: ToolServers; toolOf(tool: Tool): Tool };
  /** On a runner: removes unknown keys from the output of tools. */
  watchKeys?: (tool: Tool) => Tool;
};

/** Handles a trigger with real adapters. Throws LoopliaError for failures of the whole run. */
export async function runTrigger(place: RunPlace, trigger: TerminalTrigger): Promise<RunResult> {
  const logs: RunLog[] = [];
  const redact = redactorOf(secretsOf(place.environment, place.settings));
  const observe: Observer = (event) => {
    const safe = redactValue(event, redact);
    place.observe(safe);
    for (const log of logs) log.observe(safe);
  };
  const { replay } = place;
  const model = replay?.model ?? (await createModel(place.settings, place.isDemo === true, place));
  const { workspace, close } = await openWorktree(place, observe, redact);
  const signal = withDeadline(place.signal, place.settings.timeoutMinutes, clock.elapsed());
  const read = await readConfiguration(place, observe);
  const programs = await openPrograms(place, { observe, redact, signal });
  const servers = replay?.servers ?? programs?.servers;
  const own = await ownWorkspaces(place, trigger, { workspace, observe, redact, signal });
  const whenOpen = async (): Promise<void> => {
    // On a runner the worktree is fresh; on the command line it is the user's own.
    if (own) await own.prepare();
    else if (place.openStore)
      await runSetup(workspace, place.settings.setup, { observe, signal, sandbox: place.settings.sandbox });
    await programs?.servers?.ready();
  };
  const ports = {
    clock,
    ids,
    workspace,
    ...(own === undefined ? {} : { workspaceOf: own.workspaceOf }),
    model,
    stores: createStores(place, logs, whenOpen),
    observe,
    redact,
    signal,
    configuration: servers ? { ...read, servers } : read,
    tools: toolsOf(place),
    ...givenPorts(place),
  };
  try {
    const content = await contentSettings(place.settings);
    const tasks = await tasksSideFor(trigger, place, {
      content,
      redact,
      logs,
      startHook: programs?.startHook,
    });
    const isWoken = place.openStore !== undefined && trigger.kind !== "answer";
    const run = isWoken
      ? handle(trigger, ports, content, tasks)
      : wakeFromTerminal(trigger, ports, content, tasks);
    const result = redactValue(await run, redact);
    logEnds(logs, result);
    return result;
  } catch (thrown) {
    const error = redactError(thrown, redact);
    logThrown(logs, error);
    throw error;
  } finally {
    await Promise.all([close(), programs?.close(), ...logs.map((log) => log.close())]);
  }
}

function toolsOf({ replay, watchKeys }: RunPlace) {
  const toolFor = (tool: Tool): Tool => replay?.toolOf(tool) ?? watchKeys?.(tool) ?? tool;
  return new Map(allTools().map((tool) => [tool.name, toolFor(tool)]));
}

function givenPorts({ host, readSource, matchSources, cancellations, startedBy, budget }: RunPlace) {
  return {
    ...{ host, readSource, matchSources },
    ...(cancellations === undefined ? {} : { cancellations }),
    ...(startedBy === undefined ? {} : { startedBy }),
    ...(budget === undefined ? {} : { budget }),
  };
}

type Around = { workspace: Workspace; observe: Observer; redact: Redact; signal: AbortSignal };

/** Only a run with a hook or with MCP servers loads their modules. */
async function openPrograms(place: RunPlace, around: Omit<Around, "workspace">) {
  const { hook, mcpServers, dryRun } = place.settings;
  if (place.replay || dryRun || (hook === undefined && mcpServers.length === 0)) return undefined;
  const { openTrusted } = await import("./outside/trusted.ts");
  return openTrusted(place, around);
}

/** Only a run with such sessions loads their modules. */
async function ownWorkspaces(
  place: RunPlace,
  trigger: TerminalTrigger,
  { workspace, observe, redact, signal }: Around,
) {
  const { sessions } = place;
  if (!sessions) return undefined;
  const { createSessionWorkspaces } = await import("./wire-sessions.ts");
  const { setup, sandbox, workingDirectory } = place.settings;
  const todo = trigger.kind === "tasks" ? place.settings.todo : undefined;
  const open = (root: string) => openWorktree({ ...place, root }, observe, redact, true);
  return createSessionWorkspaces(
    { sessions, folder: posix.normalize(workingDirectory), setup, sandbox, todo, open, observe, signal },
    workspace,
  );
}

/** Reports warnings; throws `config-invalid` with all errors. */
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

type TasksAround = { content: ContentSettings; logs: readonly RunLog[] } & Pick<
  TasksPlace,
  "redact" | "startHook"
>;

/** Only a run that has or may have tasks loads their modules. */
async function tasksSideFor(
  trigger: TerminalTrigger,
  place: RunPlace,
  { content, redact, logs, startHook }: TasksAround,
): Promise<TasksSide | undefined> {
  if (trigger.kind === "file" || trigger.kind === "items") return undefined;
  const logPath = () => logs[0]?.path ?? join(place.stateFolder, "run.jsonl");
  return createTasksSide(
    {
      ...place,
      redact,
      logPath,
      startHook,
      createModel: async (own) => place.replay?.model ?? createModel(own, false, place),
      defaultModel,
    },
    content,
  );
}

async function contentSettings(settings: Settings): Promise<ContentSettings> {
  const { pipeline, output, force, orchestration, fallbackModel, concurrency, dryRun, chooseAngle, batch } =
    settings;
  const { answerTtlHours, minApprovals, workingDirectory } = settings;
  const isOffline = settings.provider === "offline";
  return {
    pipeline,
    ...(output === undefined ? {} : { output }),
    ...(force === undefined ? {} : { force: [force] }),
    orchestration,
    // The rehearsal ignores the model of another provider.
    model: (isOffline ? undefined : settings.model) ?? (await defaultModel(settings)),
    ...(fallbackModel === undefined || isOffline ? {} : { fallbackModel }),
    limits: limitsOf(settings),
    concurrency,
    dryRun,
    batch: batch && orchestration === "program",
    chooseAngle,
    gate: {
      policy: await readPolicy(settings.policy),
      approval: settings.approval,
      sandbox: settings.sandbox,
      settingsFile: settingsFileOf(settings),
    },
    people: { answerTtlHours, minApprovals, workingDirectory: posix.normalize(workingDirectory) },
  };
}

function limitsOf({ maxTurns, maxTokens, maxCostUsd, maxRunCostUsd, maxMonthCostUsd }: Settings): Limits {
  return {
    maxTurns,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(maxMonthCostUsd === undefined ? {} : { sharedUsd: "max-month-cost-usd" }),
    ...(maxRunCostUsd === undefined ? {} : { sharedUsd: "max-run-cost-usd" }),
  };
}

/** The stores on disk; each opened work has a log beside them. */
function createStores(place: RunPlace, logs: RunLog[], whenOpen: () => Promise<void>): Stores {
  const { root, stateFolder, version, settings, openStore } = place;
  const logFolder = findLogFolder(root, settings.logDir);
  const { stateKey } = settings;
  const stores = openStores({
    ...{ stateFolder, codeVersion: version, clock, stateKey },
    beforeOpening: place.signState,
  });
  return {
    ...stores,
    async open(work) {
      const opened = openStore ? await openStore() : await stores.open(work);
      const folder = logFolder ?? join(stateFolder, work.workId, "logs");
      logs.push(openRunLog({ folder, clock, pid: process.pid }));
      await whenOpen();
      return opened;
    },
  };
}

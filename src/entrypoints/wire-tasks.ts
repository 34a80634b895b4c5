// What the task loop needs of the rest of the program.
import { join } from "node:path";
import { commandEnvironment } from "../adapters/command-environment.ts";
import { findSessionWork } from "../adapters/store-find.ts";
import { createTaskLog } from "../adapters/task-log.ts";
import { requirePrice } from "../agent/limits.ts";
import { throwIfErrors } from "../config/diagnostics.ts";
import type { Settings } from "../config/settings-table.ts";
import { PROVIDERS, readTaskAgents, SOURCE_FILES, type TaskAgents } from "../config/task-agents.ts";
import type { ContentSettings } from "../content/ports.ts";
import { LoopliaError } from "../errors.ts";
import type { TasksSide } from "../handle-tasks.ts";
import type { Model, TrustedFiles } from "../ports.ts";
import type { Redact } from "../session/redaction.ts";
import type { TaskAgent } from "../todo/ports.ts";
import { redactArguments } from "./redact-ports.ts";

export type TasksPlace = {
  root: string;
  stateFolder: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  trusted: TrustedFiles;
  redact: Redact;
  /** Path of the run's log. */
  logPath(): string;
  createModel(settings: Settings): Promise<Model>;
  defaultModel(settings: Settings): Promise<string>;
};

/** Throws `config-invalid` for agents that can't be. */
export async function createTasksSide(place: TasksPlace, content: ContentSettings): Promise<TasksSide> {
  const { settings, root, stateFolder, environment, signal, logPath } = place;
  const found = readTaskAgents(settings);
  throwIfErrors(found.diagnostics);
  const { todo, task, hook, applySummary, maxIterations, dryRun, reviewAgent, repairAgent } = settings;
  const { people, gate } = content;
  return {
    agent: agentFinder(place, found, content),
    log: redactArguments(
      await createTaskLog({
        ...{ root, logPath, signal, trusted: place.trusted, environment: commandEnvironment(environment) },
        async sessionFolder(sessionId) {
          const workId = (await findSessionWork(stateFolder, sessionId)) ?? sessionId;
          return join(stateFolder, workId, "sessions", sessionId);
        },
        ...(hook === undefined ? {} : { hook }),
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
  { agents }: TaskAgents,
  content: ContentSettings,
): (name: string) => Promise<TaskAgent> {
  const models = new Map<string, Promise<Model>>();
  const { settings } = place;
  return async (name) => {
    const own = agents.get(name);
    if (!own) {
      const hint = `There are: ${[...agents.keys()].join(", ")}.`;
      throw new LoopliaError("config-invalid", `There is no agent ${JSON.stringify(name)} any more.`, {
        hint,
      });
    }
    const provider = own.provider ?? PROVIDERS.find((known) => known === settings.provider) ?? "offline";
    const mine: Settings = { ...settings, provider };
    if (provider === "anthropic" && settings.anthropicApiKey === undefined) {
      throw new LoopliaError("config-invalid", `The agent ${name} has no key.`, {
        hint: "Set ANTHROPIC_API_KEY.",
      });
    }
    const model = await (models.get(provider) ?? place.createModel(mine));
    models.set(provider, Promise.resolve(model));
    const inherited = provider === settings.provider ? content.model : undefined;
    const modelName = own.model ?? inherited ?? (await place.defaultModel(mine));
    const { maxTurns, timeoutMinutes } = own;
    const limits = maxTurns === undefined ? content.limits : { ...content.limits, maxTurns };
    const fallbackModel = provider === settings.provider ? content.fallbackModel : undefined;
    requirePrice(limits, model, fallbackModel === undefined ? [modelName] : [modelName, fallbackModel]);
    return {
      ...{ name, provider, model, modelName, limits },
      ...(fallbackModel === undefined ? {} : { fallbackModel }),
      ...(timeoutMinutes === undefined ? {} : { timeoutMs: timeoutMinutes * 60_000 }),
    };
  };
}

// The Action's outputs, and the agents of the task loop.
import { type Diagnostic, suggestName } from "./diagnostics.ts";
import { PROVIDERS, type Provider } from "./providers.ts";
import type { Settings } from "./settings-table.ts";

export const actionOutputs = [
  [
    "status",
    "`completed`, `waiting`, `ignored`, `stopped` or `failed`; for several items, the most serious status.",
  ],
  [
    "reason-code",
    "The reason as one stable word, for example `done`, `up-to-date`, `cost-limit` or `config-invalid`.",
  ],
  ["work-id", "The work that the pull request carries."],
  ["session-id", "The session; empty for several sessions."],
  ["interaction-id", "The open request to a person, if there is one."],
  ["pull-request-number", "The number of the pull request that was opened or updated."],
  ["pull-request-url", "The URL of the pull request."],
  ["branch", "The work branch."],
  ["artifact-url", "The URL of the workflow artifact with state and audit log."],
  ["cost-usd", "US dollars that this run cost."],
  ["input-tokens", "Tokens that the models read."],
  ["output-tokens", "Tokens that the models wrote."],
  [
    "items",
    "JSON: `[{source, sessionId, status, reasonCode, pullRequestNumber?, interactionIds, costUsd}]`, one entry per content item.",
  ],
  [
    "matrix",
    "JSON: `{include: [{shard, base, plan}]}` of `mode: plan`, for the jobs that process the items.",
  ],
  ["result-json", "JSON: the result as `looplia run --json` prints it."],
] as const satisfies readonly (readonly [name: string, description: string])[];

// The agents of the task loop and the order of their turns, from the settings.

/** An agent's own settings; all others come from the general settings. */
type AgentSettings = {
  name: string;
  provider?: Provider;
  model?: string;
  fallbackModel?: string;
  toolCalls?: Settings["toolCalls"];
  maxTurns?: number;
  timeoutMinutes?: number;
};
/** The default sources of a first task list. */
export const SOURCE_FILES = ["README.md", "docs/**/*.md"];

type TaskAgents = {
  agents: ReadonlyMap<string, AgentSettings>;
  /** `shown` is the schedule's display name; `turns` are names in order, at least one. */
  schedule: { shown: string; turns: string[] };
  diagnostics: Diagnostic[];
};

type Said = Pick<Settings, "agents" | "schedule" | "reviewAgent" | "repairAgent" | "provider">;

/** Unknown names are reported in `diagnostics`. The provider must be decided: not `auto`. */
export function readTaskAgents(settings: Said): TaskAgents {
  const diagnostics: Diagnostic[] = [];
  const fail = (file: string, message: string, hint?: string) =>
    void diagnostics.push({ severity: "error", file, message, ...(hint === undefined ? {} : { hint }) });
  const agents = new Map<string, AgentSettings>();
  const turns: string[] = [];
  for (const line of settings.agents) {
    const [name = "", ...words] = line.split(/\s+/);
    const known = agents.get(name);
    if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
      fail("agents", `${JSON.stringify(name)} is no name of an agent`);
    else if (known && words.length > 0)
      fail("agents", `${name} is described twice`, "name it alone the second time");
    else if (!known)
      agents.set(
        name,
        readAgent(name, words, (message, hint) => fail("agents", message, hint)),
      );
    turns.push(name);
  }
  for (const provider of PROVIDERS)
    if (!agents.has(provider)) agents.set(provider, { name: provider, provider });
  const known = new Set([...turns, ...PROVIDERS]);
  const check = (file: string, name: string | undefined) => {
    if (name === undefined || known.has(name)) return;
    fail(
      file,
      `there is no agent ${JSON.stringify(name)}`,
      suggestName(name, known) ?? `there are: ${[...known].join(", ")}`,
    );
  };
  check("review-agent", settings.reviewAgent);
  check("repair-agent", settings.repairAgent);
  const schedule = readSchedule(settings, turns);
  if (schedule.turns.length === 0) fail("schedule", "odd-even takes two agents", "name them as `agents`");
  for (const name of schedule.turns) check("schedule", name);
  return { agents, schedule, diagnostics };
}

/** The agents that work on a task list, review it or repair it, with their providers. */
export function usedAgents(settings: Said): (AgentSettings & { provider: Provider })[] {
  const { agents, schedule } = readTaskAgents(settings);
  const names = new Set([...schedule.turns, settings.reviewAgent, settings.repairAgent]);
  return [...names].flatMap((name) => {
    const agent = agents.get(name ?? "");
    return agent ? [{ ...agent, provider: providerOf(agent, settings) }] : [];
  });
}

/** The agent's own provider, else the general one, which must be decided: not `auto`. */
export function providerOf({ provider }: AgentSettings, settings: Pick<Settings, "provider">): Provider {
  return provider ?? PROVIDERS.find((known) => known === settings.provider) ?? "offline";
}

function readSchedule({ schedule, provider }: Said, turns: string[]): TaskAgents["schedule"] {
  const all = turns.length > 0 ? turns : [provider];
  const distinct = [...new Set(all)];
  switch (schedule) {
    case "odd-even":
      return { shown: schedule, turns: distinct.length < 2 ? [] : distinct.slice(0, 2) };
    case "round-robin":
      return { shown: schedule, turns: all };
    default: {
      const name = schedule ?? distinct[0] ?? provider;
      return { shown: name, turns: [name] };
    }
  }
}

const TOOL_CALLS: ReadonlySet<string> = new Set<Settings["toolCalls"]>(["auto", "native", "text"]);
const NUMBERS = new Map([
  ["max-turns", "maxTurns"],
  ["timeout-minutes", "timeoutMinutes"],
]);

function readAgent(
  name: string,
  words: readonly string[],
  fail: (message: string, hint?: string) => void,
): AgentSettings {
  const agent: Record<string, unknown> = {};
  for (const word of words) {
    const [, key = word, value = ""] = /^([a-z-]+)=(.+)$/.exec(word) ?? [];
    const number = NUMBERS.get(key);
    if (number !== undefined) {
      if (/^\d+(?:\.\d+)?$/.test(value) && Number(value) > 0) agent[number] = Number(value);
      else fail(`${name}: ${key} must be a number above 0, not ${JSON.stringify(value)}`);
    } else if (key === "provider") {
      if (PROVIDERS.some((provider) => provider === value)) agent.provider = value;
      else fail(`${name}: there is no provider ${JSON.stringify(value)}`, suggestName(value, PROVIDERS));
    } else if (key === "tool-calls") {
      if (TOOL_CALLS.has(value)) agent.toolCalls = value;
      else fail(`${name}: tool-calls is one of ${[...TOOL_CALLS].join(", ")}`);
    } else if (key === "model" && value !== "") agent.model = value;
    else if (key === "fallback-model" && value !== "") agent.fallbackModel = value;
    else {
      const keys = ["provider", "model", "fallback-model", "tool-calls", ...NUMBERS.keys()];
      fail(
        `${name}: ${JSON.stringify(word)} says nothing`,
        suggestName(key, keys) ?? `write ${keys.join("=…, ")}=…`,
      );
    }
  }
  if (agent.provider === undefined && PROVIDERS.some((provider) => provider === name)) agent.provider = name;
  return { ...agent, name };
}

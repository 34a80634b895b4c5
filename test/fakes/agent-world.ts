// An agent session over real stores and a real worktree in a temporary folder; only model, host and prompts are made up.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runAttempt } from "../../src/agent/attempt.ts";
import type { Budget } from "../../src/agent/budget.ts";
import {
  type AgentRun,
  type AgentSession,
  Journal,
  type Limits,
  OpenQuestions,
  type Outcome,
} from "../../src/agent/session.ts";
import { listDecidingPaths } from "../../src/approval/gate.ts";
import type { AgentDefinition, Prompts } from "../../src/config/definitions.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { AskResult, Host, Isolation, Model, RunEvent } from "../../src/core/ports.ts";
import { openWorkspace } from "../../src/files/workspace.ts";
import { openWorkStore } from "../../src/store/work.ts";
import { allTools, toolDefinition } from "../../src/tools/registry.ts";
import { type Life, mortalStore } from "./dying-stores.ts";

/** Answers in order; `later` and `nobody` as the port says. */
export class ScriptedHost implements Host {
  readonly canAsk: boolean;
  readonly asked: InteractionRequest[] = [];
  readonly #answers: AskResult[];

  constructor(answers: AskResult[] | "nobody") {
    this.canAsk = answers !== "nobody";
    this.#answers = answers === "nobody" ? [] : answers;
  }

  async ask(request: InteractionRequest): Promise<AskResult> {
    this.asked.push(request);
    return this.#answers.shift() ?? "later";
  }

  async taskEnded(): Promise<void> {}
  async secure(): Promise<void> {}
}

export function approve(): AskResult {
  return { answer: { selectedOptionId: "approve" }, actorId: "terminal:test" };
}

const prompts: Prompts = { render: async (file, variables) => `${file} ${JSON.stringify(variables)}` };

function agent(name: string, tools?: string[]): [string, AgentDefinition] {
  const definition = {
    name,
    description: `The ${name}.`,
    instructions: `You are ${name}.`,
    file: `${name}.md`,
  };
  return [name, tools ? { ...definition, tools } : definition];
}

/** What tests set of the attempt `main`. */
type Around = Pick<Parameters<typeof runAttempt>[0], "isDone" | "debt">;

export type World = { root: string; state: string; clock: { now(): Date; elapsed(): number } };

export async function createWorld(): Promise<World> {
  const root = await mkdtemp(join(tmpdir(), "looplia-agent-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  let tick = 0;
  const clock = { now: () => new Date(Date.UTC(2026, 0, 1) + tick++), elapsed: () => tick };
  return { root, state: join(root, ".looplia/state/w-000000"), clock };
}

/** One process: opens the stores, runs the conversation `main` of task `t`, closes the stores. */
export async function runOnce(
  world: World,
  model: Model,
  options: {
    host?: Host;
    limits?: Partial<Limits>;
    signal?: AbortSignal;
    fallbackModel?: string;
    tools?: string[];
    isDone?: AgentRun["isDone"];
    debt?: Around["debt"];
    observe?: (event: RunEvent) => void;
    /** When this process dies. */
    life?: Life;
    questions?: OpenQuestions;
    nextOrdinal?: () => Promise<number>;
    minApprovals?: number;
    /** What the gate is told; commands run as they ever do. */
    isolation?: Isolation;
    gate?: Partial<AgentSession["gate"]>;
    budget?: Budget;
    /** Commands change none of the files that decide what runs. */
    hasRules?: true;
  } = {},
): Promise<{ outcome: Outcome; session: AgentSession }> {
  const header = { workId: "w-000000", kind: "content", key: "k", codeVersion: "test" };
  const work = await openWorkStore({ folder: world.state, header, clock: world.clock });
  try {
    const life = options.life ?? { lines: 0, ends: Number.POSITIVE_INFINITY };
    const { journal } = await Journal.open(work.workId, mortalStore(await work.session("s-1"), life));
    const workspace = await openWorkspace(world.root, {
      environment: { PATH: process.env.PATH ?? "" },
      systemTemp: tmpdir(),
      ...(options.hasRules
        ? {
            rules: {
              ...listDecidingPaths("looplia.yml"),
              aside: join(world.root, ".looplia/state/put-back"),
              notify: () => {},
            },
          }
        : {}),
    });
    const session: AgentSession = {
      journal,
      configuration: {
        pipelines: new Map(),
        agents: new Map([
          agent("main", options.tools),
          agent("helper", ["readFile", "askUser", "Task", "editFile"]),
        ]),
        mainAgent: agent("main")[1],
        skills: new Map(),
        instructions: "",
        profileText: "",
        toolDefinitions: new Map(allTools().map((tool) => [tool.name, toolDefinition(tool)])),
        artifactSchemas: new Map(),
        prompts,
      },
      workspace: options.isolation ? { ...workspace, isolation: options.isolation } : workspace,
      host: options.host ?? new ScriptedHost([]),
      model,
      modelName: "first",
      ...(options.fallbackModel ? { fallbackModel: options.fallbackModel } : {}),
      tools: new Map(allTools().map((tool) => [tool.name, tool])),
      limits: { maxTurns: 50, ...options.limits },
      ...(options.budget ? { budget: options.budget } : {}),
      clock: world.clock,
      observe: options.observe ?? (() => undefined),
      signal: options.signal ?? new AbortController().signal,
      gate: {
        policy: [],
        approval: "risky",
        sandbox: "auto",
        settingsFile: "looplia.yml",
        ...options.gate,
      },
      asking: {
        nextOrdinal: options.nextOrdinal ?? (async () => journal.state.interactions.size + 1),
        open: options.questions ?? new OpenQuestions(),
        ttlHours: 168,
        minApprovals: options.minApprovals ?? 1,
        workingDirectory: ".",
        log: work,
      },
    };
    const { isDone = () => undefined, debt } = options;
    const around = { isDone, ...(debt ? { debt } : {}) };
    return { outcome: await runMain(session, around), session };
  } finally {
    await work.close();
  }
}

async function runMain(session: AgentSession, around: Around): Promise<Outcome> {
  const main = session.configuration.agents.get("main");
  if (!main) throw new Error("no main agent");
  return runAttempt({
    ...{ session, depth: 0, subagents: ["helper"], ...around },
    task: { taskId: "t", agent: "main", conversationId: "main" },
    definition: () => main,
    opening: () => "Begin.",
    accept: async ({ output }) => ({ text: `wrote ${output}` }),
  });
}

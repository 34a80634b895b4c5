// What a phase is, and how its conversation begins: prefix, schema and first message.
import { buildPrefix, startConversation } from "../agent/loop.ts";
import type { TaskState } from "../core/state.ts";
import { sessionFor, type TaskAgent, type TodoRun } from "./run-state.ts";
import type { TodoWrite } from "./write.ts";

export type Phase = {
  name: "bootstrap" | "repair" | "review";
  agent: TaskAgent;
  /** What it works from: an attempt that was begun from something else begins anew. */
  source: string;
  /** Further variables of its prompt. */
  variables: Record<string, unknown>;
  write(sent: unknown): Promise<TodoWrite>;
  /** The agent may end without writing: there was nothing to write. */
  isOptional: boolean;
};

const SCHEMA = "to-do.json";
const TOOLS = ["readFile", "listFiles", "grep", "searchCode", "writeArtifact", "askUser"];

/** Stores what the agent of a phase is told first. */
export async function beginPhase(run: TodoRun, phase: Phase, state: TaskState): Promise<void> {
  const { conversationId, taskId, agent } = state;
  const { configuration } = run.ports;
  const session = sessionFor(run, phase.agent, run.ports.workspace, run.ports.signal);
  const prefix = await buildPrefix(session, {
    name: "planner",
    description: "Keeps the to-do list.",
    instructions: await configuration.prompts.render("planner.md", {}),
    tools: TOOLS,
    file: "prompts/planner.md",
  });
  const start = { conversationId, taskId, agent, depth: 0, model: phase.agent.modelName };
  await startConversation(session, start, prefix, await renderPhase(run, phase));
}

/** The schema of the list as a file beside the session's stores, for commands: its path. */
export async function keepSchema(run: TodoRun): Promise<string> {
  const { log } = run.ports;
  run.schemaPath ??= await log.keepText(run.journal.sessionId, "to-do.schema.json", `${schemaOf(run)}\n`);
  return run.schemaPath;
}

function schemaOf({ ports }: TodoRun): string {
  return ports.configuration.artifactSchemas.get(SCHEMA) ?? "";
}

/** The message that starts a phase. */
async function renderPhase(run: TodoRun, phase: Phase): Promise<string> {
  const { configuration, workspace, clock } = run.ports;
  const schema = schemaOf(run);
  return configuration.prompts.render(`${phase.name}.md`, {
    TodoPath: run.settings.todo,
    SchemaPath: await keepSchema(run),
    WorkDir: workspace.root,
    Schedule: run.settings.schedule.shown,
    Now: clock.now().toISOString(),
    schema,
    ...phase.variables,
  });
}

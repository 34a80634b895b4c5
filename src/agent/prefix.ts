// The bytes that a conversation begins with: system text and tool definitions. No date, nothing that changes.
import type { AgentDefinition, Configuration } from "../config/definitions.ts";
import type { FrozenPrefix, ToolDefinition } from "../session/message.ts";
import type { AgentSession } from "./session.ts";

/** The prefix of an agent's conversation: frame, its instructions, the repository's instructions, skills' metadata. */
export async function buildPrefix(
  session: Pick<AgentSession, "configuration" | "tools">,
  agent: AgentDefinition,
): Promise<FrozenPrefix> {
  const { configuration, tools } = session;
  const names = new Set(agent.tools ?? tools.keys());
  const own = [...tools.values()].filter((tool) => names.has(tool.name));
  const system = await configuration.prompts.render("agent-system.md", {
    agent: { name: agent.name, description: agent.description, instructions: agent.instructions },
    instructions: configuration.instructions,
    skills: names.has("Skill")
      ? [...configuration.skills.values()].map(({ name, description }) => ({ name, description }))
      : [],
    subagents: names.has("Task")
      ? [...configuration.agents.values()].map(({ name, description }) => ({ name, description }))
      : [],
  });
  return { system, tools: own.map(({ name }) => definitionOf(configuration, name)) };
}

function definitionOf({ toolDefinitions }: Configuration, name: string): ToolDefinition {
  const definition = toolDefinitions.get(name);
  if (!definition) throw new Error(`the installation's prompts/tools.json lacks the tool ${name}`);
  return definition;
}

/** Names that mean "whatever the program uses". */
const ALIASES = new Set(["inherit", "default", "sonnet", "opus", "haiku"]);

/** The model an agent's front matter names, else the setting. */
export function modelFor(session: Pick<AgentSession, "modelName">, agent: AgentDefinition): string {
  return agent.model === undefined || ALIASES.has(agent.model) ? session.modelName : agent.model;
}

// A subagent is an agent run exposed as a tool: its own conversation, its own tools, gated call by call.
import { runConversation, startConversation } from "./loop.ts";
import { isEndedByPeople } from "./outcome.ts";
import { buildPrefix, modelFor } from "./prefix.ts";
import type { AgentRun, AgentSession, SubagentOutcome } from "./session.ts";

/** `Task` nests to this depth. */
const MAX_DEPTH = 3;

/** Runs or goes on with the subagent's conversation; its last text is the result of the call. */
export async function runSubagent(
  session: AgentSession,
  parent: AgentRun,
  agent: string,
  prompt: string,
  conversationId: string,
): Promise<SubagentOutcome> {
  const definition = session.configuration.agents.get(agent);
  if (!definition) return { reply: { text: `There is no agent ${JSON.stringify(agent)}.`, isError: true } };
  const depth = parent.depth + 1;
  if (depth > MAX_DEPTH) {
    return {
      reply: { text: `Not started: subagents nest to depth ${MAX_DEPTH}. Do it yourself.`, isError: true },
    };
  }
  if (!session.journal.hasBegun(conversationId)) {
    const start = {
      conversationId,
      taskId: parent.taskId,
      agent,
      depth,
      model: modelFor(session, definition),
    };
    await startConversation(session, start, await buildPrefix(session, definition), prompt);
  }
  const run: AgentRun = {
    ...parent,
    conversationId,
    agent,
    depth,
    isDone: () => undefined,
    whenEnded: async (text) => ({ outcome: { kind: "completed", text } }),
    runSubagent: (name, task, id) => runSubagent(session, run, name, task, id),
  };
  const outcome = await runConversation(session, run);
  if (outcome.kind === "completed") return { reply: { text: outcome.text || "(the subagent said nothing)" } };
  if (outcome.kind === "failed" && !isEndedByPeople(outcome))
    return { reply: { text: `The subagent failed: ${outcome.message}.`, isError: true } };
  return { outcome };
}

// Which agent runs an iteration. Pure.

/** `shown` is how the settings call it; the agents take turns, and one that stands twice has two turns. */
export type Schedule = { shown: string; agents: readonly string[] };

/** The agent of iteration n of a session, from 1. */
export function agentAt({ agents }: Schedule, iteration: number): string {
  const agent = agents[(iteration - 1) % agents.length];
  if (agent === undefined) throw new Error("a schedule has no agent");
  return agent;
}

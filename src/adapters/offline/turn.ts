// What the offline model says in a turn.

export type Turn = { text: string; calls?: { name: string; input: Record<string, unknown> }[] };

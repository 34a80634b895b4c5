// What stands in the audit log of the session of agent-world.ts.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export type Requested = {
  toolCallId: string;
  toolName: string;
  authorActorId: string;
  decision: string;
  dangers?: string[];
  isolation?: string;
};

/** Every call that was logged as requested, in order. */
export async function auditOf(world: { state: string }): Promise<Requested[]> {
  const folder = join(world.state, "sessions/s-1/audit");
  const requested: Requested[] = [];
  for (const name of (await readdir(folder)).sort()) {
    for (const line of (await readFile(join(folder, name), "utf8")).trim().split("\n")) {
      const { type, payload } = JSON.parse(line) as { type: string; payload: Requested };
      if (type === "ToolCallRequested") requested.push(payload);
    }
  }
  return requested;
}

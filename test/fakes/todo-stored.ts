// What a world's session has stored.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TodoWorld, WORK_ID } from "./todo-world.ts";

/** Payloads of the events of a type, in their order. */
export async function readStored(world: Pick<TodoWorld, "root">, type: string): Promise<unknown[]> {
  const sessions = join(world.root, ".looplia/state", WORK_ID, "sessions");
  const [sessionId = ""] = await readdir(sessions);
  const events = join(sessions, sessionId, "events");
  const texts = await Promise.all(
    (await readdir(events)).sort().map((name) => readFile(join(events, name), "utf8")),
  );
  const lines = texts.flatMap((text) => text.split("\n").filter(Boolean)).map((line) => JSON.parse(line));
  return lines.filter((line) => line.type === type).map(({ payload }) => payload);
}

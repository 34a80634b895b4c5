// The same turns without anything around them: read, and append each message to a file with fsync.
// node bare-loop.js <repository> <turns>
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Message, toolCallsOf } from "../src/core/events.ts";
import { peakMemory } from "./child.ts";
import { ITEM, type LoopReport, replyOf } from "./turns.ts";

const [root = "", turns = ""] = process.argv.slice(2);
const startedAt = performance.now();
const requestedAt: number[] = [];
const history: Message[] = [];
const file = await open(join(root, "history.jsonl"), "wx");

async function keep(message: Message): Promise<void> {
  history.push(message);
  await file.appendFile(`${JSON.stringify(message)}\n`);
  await file.datasync();
}

async function respond(_messages: readonly Message[]): Promise<Message> {
  requestedAt.push(performance.now());
  return replyOf(requestedAt.length).message;
}

await keep({ role: "user", content: [{ type: "text", text: await readFile(join(root, ITEM), "utf8") }] });
for (let turn = 1; turn <= Number(turns); turn += 1) {
  const reply = await respond(history);
  await keep(reply);
  const content = await readFile(join(root, ITEM), "utf8");
  const results = toolCallsOf(reply).map(({ id }) => ({
    type: "tool_result" as const,
    tool_use_id: id,
    content,
  }));
  await keep({ role: "user", content: results });
}
await file.close();
const report: LoopReport = { startedAt, requestedAt, peakMb: await peakMemory("self"), sessionId: "" };
console.log(JSON.stringify(report));

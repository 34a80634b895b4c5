// What the command line is measured against: the bare SDK, which reads a file and asks a model about it.
import { readFile } from "node:fs/promises";
import { Anthropic } from "@anthropic-ai/sdk";

const client = new Anthropic();
const text = await readFile(process.argv[2] ?? "", "utf8");
const events = await client.messages.create({
  model: "claude-sonnet-5-5",
  max_tokens: 32_000,
  system: "Summarise what you are given.",
  messages: [{ role: "user", content: text }],
  stream: true,
});
for await (const event of events) {
  if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
    process.stdout.write(event.delta.text);
  }
}

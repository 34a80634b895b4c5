// The turns of Claude Code, read from the model's answer on its way and from what the program prints.
import { expect, test } from "vitest";
import type { ModelReply } from "../../src/core/ports.ts";
import { TurnReader } from "../../src/programs/claude-stream.ts";
import { readEvents } from "../../src/programs/gateway.ts";

const USAGE = { input_tokens: 7, output_tokens: 3 };
const SAID = { type: "text", text: "Ich prüfe die Datei. 🫖" };
const CALL = { type: "tool_use", id: "a", name: "mcp__looplia__readFile", input: { path: "naïve.md" } };
const TURN = [SAID, { ...CALL, name: "readFile" }];

/** An answer as the service streams it. */
function answer(id: string, stop_reason: string, json = JSON.stringify(CALL.input)): string {
  const middle = Math.floor(json.length / 2);
  const events = [
    { type: "message_start", message: { id, model: "claude-x", content: [], usage: USAGE } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: SAID.text } },
    { type: "content_block_start", index: 1, content_block: { ...CALL, input: {} } },
    ...[json.slice(0, middle), json.slice(middle)].map((partial_json) => ({
      ...{ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json } },
    })),
    { type: "message_delta", delta: { stop_reason }, usage: USAGE },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join("");
}

function begin(reader: TurnReader) {
  const turns: ModelReply[] = [];
  let text = "";
  const take = reader.begin({
    text: (delta) => {
      text += delta;
    },
    turn: (reply) => void turns.push(reply),
  });
  return { turns, text: () => text, hear: readEvents(() => {}, take) };
}

const printed = (id: string, ...content: object[]) =>
  JSON.stringify({
    type: "assistant",
    parent_tool_use_id: null,
    message: { id, model: "claude-x", content },
  });
const ended = (stop_reason: string) =>
  JSON.stringify({ type: "result", subtype: "success", is_error: false, stop_reason });

test("an answer with calls is one turn, wherever its bytes are split", () => {
  const bytes = Buffer.from(answer("m", "tool_use"));
  for (let at = 0; at <= bytes.length; at += 1) {
    const { hear, turns, text } = begin(new TurnReader());
    hear(bytes.subarray(0, at));
    hear(bytes.subarray(at));
    expect(turns).toMatchObject([{ message: { content: TURN }, stopReason: "tool_use", model: "claude-x" }]);
    expect(turns[0]?.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    expect(text()).toBe(SAID.text);
  }
});

test.each([
  ["after", (reader: TurnReader, hear: () => void) => [hear(), reader.read(printed("m", SAID, CALL))]],
  ["before", (reader: TurnReader, hear: () => void) => [reader.read(printed("m", SAID, CALL)), hear()]],
])("what the program prints of it %s it is complete is not told again", (_, both) => {
  const reader = new TurnReader();
  const { hear, turns } = begin(reader);
  both(reader, () => hear(Buffer.from(answer("m", "tool_use"))));
  expect(turns).toMatchObject([{ message: { content: TURN } }]);
  expect([...reader.printed]).toEqual(["a"]);
  reader.read(printed("n", { type: "text", text: "Done." }));
  expect(reader.read(ended("end_turn"))).toMatchObject({
    reply: { message: { content: [{ type: "text", text: "Done." }] }, stopReason: "end_turn" },
  });
});

test("the program continues a cut answer: what it printed of both is one turn", () => {
  const reader = new TurnReader();
  begin(reader).hear(Buffer.from(answer("m", "max_tokens")));
  reader.read(printed("m", { type: "text", text: "First." }));
  const { hear, turns } = begin(reader);
  hear(Buffer.from(answer("n", "tool_use")));
  expect(turns[0]?.message.content).toEqual([{ type: "text", text: "First." }, ...TURN]);
  expect(turns[0]?.usage).toMatchObject({ inputTokens: 14, outputTokens: 6 });
});

test("an answer that the program keeps to itself counts, and says nothing in the conversation", () => {
  const reader = new TurnReader();
  const { hear, turns } = begin(reader);
  hear(Buffer.from(answer("m", "end_turn")));
  expect(turns).toEqual([]);
  reader.read(printed("n", { type: "text", text: "Done." }));
  expect(reader.read(ended("end_turn"))).toMatchObject({
    reply: { message: { content: [{ type: "text", text: "Done." }] }, usage: { inputTokens: 7 } },
  });
});

test("arguments that are not JSON stay what they are, and the tool refuses them", () => {
  const { hear, turns } = begin(new TurnReader());
  hear(Buffer.from(answer("m", "tool_use", '{"path": "a')));
  expect(turns[0]?.message.content[1]).toMatchObject({ id: "a", input: '{"path": "a' });
});

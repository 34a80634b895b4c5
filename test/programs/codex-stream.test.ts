// The turns of Codex, read from the model's responses on their way.
import { expect, test } from "vitest";
import type { ModelReply } from "../../src/core/ports.ts";
import { nameForCodex, ResponseReader } from "../../src/programs/codex-stream.ts";
import { readEvents } from "../../src/programs/gateway.ts";

const CALL = {
  ...{ type: "function_call", call_id: "a", name: "readFile", arguments: '{"path":"naïve.md"}' },
};
const TURN = [
  { type: "text", text: "Ich prüfe die Datei. 🫖" },
  { type: "tool_use", id: "a", name: "readFile", input: { path: "naïve.md" } },
];
const usage = { input_tokens: 7, output_tokens: 3, input_tokens_details: { cached_tokens: 2 } };
const ITEMS = [
  { type: "response.created", response: { model: "gpt-x" } },
  ...[{ type: "message", content: [{ type: "output_text", text: "Ich prüfe die Datei. 🫖" }] }, CALL].map(
    (item) => ({ type: "response.output_item.done", item }),
  ),
];

const written = (events: { type: string }[]) =>
  Buffer.from(
    events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join(""),
  );

function begin(reader: ResponseReader) {
  const turns: ModelReply[] = [];
  return {
    turns,
    hear: readEvents(
      () => {},
      reader.begin((reply) => void turns.push(reply)),
    ),
  };
}

test("a response with calls is one turn, wherever its bytes are split", () => {
  const bytes = written([...ITEMS, { type: "response.completed", ...{ response: { usage } } }]);
  for (let at = 0; at <= bytes.length; at += 1) {
    const { hear, turns } = begin(new ResponseReader());
    for (const piece of [bytes.subarray(0, at), bytes.subarray(at), undefined]) hear(piece);
    expect(turns).toMatchObject([{ message: { content: TURN }, stopReason: "tool_use", model: "gpt-x" }]);
    expect(turns[0]?.usage).toMatchObject({ inputTokens: 5, outputTokens: 3, cacheReadTokens: 2 });
  }
});

test.each([
  ["is lost", []],
  ["fails", [{ type: "response.failed", response: { error: { code: "server_error" } } }]],
])("the calls of a response that %s are a turn once Codex has asked for all of them", (_, rest) => {
  const reader = new ResponseReader();
  const { hear, turns } = begin(reader);
  hear(written([...ITEMS, ...rest]));
  expect(reader.takeCut(new Map([["a", 1]]))).toBeUndefined();
  hear(undefined);
  expect(turns).toEqual([]);
  expect(reader.takeCut(new Map())).toBeUndefined();
  expect(reader.takeCut(new Map([["a", 1]]))).toMatchObject({
    ...{ message: { content: TURN }, stopReason: "tool_use", model: "gpt-x" },
  });
  expect(reader.takeCut(new Map([["a", 1]]))).toBeUndefined();
});

test("a response that Codex asks for again takes the place of the lost one", () => {
  const reader = new ResponseReader();
  const { hear } = begin(reader);
  hear(written(ITEMS));
  hear(undefined);
  const next = begin(reader);
  next.hear(written(ITEMS.slice(0, 2)));
  hear(undefined);
  expect(reader.takeCut(new Map([["a", 1]]))).toBeUndefined();
  expect(reader.take().message.content).toEqual(TURN.slice(0, 1));
});

test("a call of a response that was cut at its limit is told, and does not run", () => {
  const { hear, turns } = begin(new ResponseReader());
  hear(written([...ITEMS, { type: "response.incomplete", ...{ response: { usage } } }]));
  expect(turns).toMatchObject([{ message: { content: TURN }, stopReason: "max_tokens" }]);
});

test("fields that a service leaves empty lose no call", () => {
  const { hear, turns } = begin(new ResponseReader());
  const empty = { content: null, summary: null };
  const items = [
    { type: "reasoning", ...empty },
    { ...CALL, ...empty },
    { ...CALL, call_id: null },
  ];
  const nothing = { model: null, usage: { input_tokens: 7, output_tokens: 3, input_tokens_details: null } };
  const created = { type: "response.created", response: { model: "gpt-x" } };
  const done = items.map((item) => ({ type: "response.output_item.done", item }));
  hear(written([created, ...done, { type: "response.completed", ...{ response: nothing } }]));
  expect(turns).toMatchObject([
    { message: { content: TURN.slice(1) }, model: "gpt-x", usage: { inputTokens: 7, outputTokens: 3 } },
  ]);
});

test.each([
  ["mcp__notes__echo", "server__notes__echo"],
  ["readFile", "readFile"],
  [`mcp__notes__${"x".repeat(52)}`, `srv__notes__${"x".repeat(52)}`],
])("the tool %s has a name that Codex and its API accept, and its own in a turn", (name, forCodex) => {
  expect(nameForCodex(name)).toBe(forCodex);
  expect(forCodex.length).toBeLessThanOrEqual(64);
  const { hear, turns } = begin(new ResponseReader());
  const item = { ...CALL, name: forCodex };
  hear(written([{ type: "response.output_item.done", ...{ item } }, { type: "response.completed" }]));
  expect(turns[0]?.message.content).toMatchObject([{ type: "tool_use", name }]);
});

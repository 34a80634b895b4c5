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
  return written(eventsOf(id, stop_reason, json));
}

const written = (events: { type: string }[]) =>
  events.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join("");

function eventsOf(id: string, stop_reason: string, json: string) {
  const middle = Math.floor(json.length / 2);
  return [
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
}

/** The same with the end of each block, up to the end of its call. */
function untilCall(id: string) {
  const [start, said, text, call, ...rest] = eventsOf(id, "tool_use", JSON.stringify(CALL.input));
  const end = { type: "content_block_stop" };
  return [start, said, text, end].concat([call, ...rest.slice(0, 2), end]).flatMap((event) => event ?? []);
}

const stopped = (stop_reason: string, usage: object | null = USAGE) => ({
  ...{ type: "message_delta", delta: { stop_reason }, usage },
});

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
const line = (said: object) => JSON.stringify(said);
/** What the program prints when it runs those calls that it has of an answer. */
const LOST = line({
  type: "assistant",
  message: {
    ...{ id: "x", model: "<synthetic>", stop_reason: "tool_use" },
    content: [{ type: "text", text: "API Error: Connection lost mid-response." }],
  },
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

test.each([
  ["has lost its end", [stopped("tool_use")], "tool_use"],
  ["is cut at the limit of one response", [stopped("max_tokens")], "max_tokens"],
  ["says that it ended", [stopped("end_turn")], "end_turn"],
])("the program waits for a call of an answer that %s: it is a turn, once", (_, rest, stopReason) => {
  const reader = new TurnReader();
  const { hear, turns } = begin(reader);
  reader.read(printed("m", SAID));
  hear(Buffer.from(written([...untilCall("m"), ...rest])));
  reader.read(printed("m", CALL));
  hear(undefined);
  expect(turns).toMatchObject([{ message: { content: TURN }, stopReason, model: "claude-x" }]);
  expect(reader.read(LOST)).toBeUndefined();
  reader.read(printed("n", { type: "text", text: "Done." }));
  expect(reader.read(ended("end_turn"))).toMatchObject({
    reply: { message: { content: [{ type: "text", text: "Done." }] }, model: "claude-x" },
  });
});

test.each([
  ["is lost", []],
  ["ends with an error", [{ type: "error", error: { type: "overloaded_error" } }]],
  ["is lost in its second call", [{ type: "content_block_start", content_block: { ...CALL, id: "b" } }]],
])("what the program has of an answer that %s is a turn once it says so", (_, rest) => {
  const reader = new TurnReader();
  const { hear, turns } = begin(reader);
  hear(Buffer.from(written([...untilCall("m"), ...rest])));
  hear(undefined);
  // Without a call that it printed, it asks again.
  expect(reader.read(LOST)).toBeUndefined();
  for (const block of [SAID, CALL]) reader.read(printed("m", block));
  expect(turns).toEqual([]);
  expect(reader.read(LOST)).toMatchObject({
    reply: { message: { content: TURN }, stopReason: "tool_use", model: "claude-x" },
  });
  expect(reader.read(LOST)).toBeUndefined();
});

test("the calls of a refused answer never run: the program cancels them and goes on", () => {
  const reader = new TurnReader();
  const { hear, turns } = begin(reader);
  reader.read(printed("m", SAID, CALL));
  hear(Buffer.from(written([...untilCall("m"), stopped("refusal"), { type: "message_stop" }])));
  hear(undefined);
  reader.read(printed("m", { ...CALL, id: "b" }));
  expect(turns).toEqual([]);
  expect([...reader.calls.keys()]).toEqual([]);
  const next = begin(reader);
  next.hear(Buffer.from(answer("n", "tool_use").replace('"id":"a"', '"id":"c"')));
  expect(next.turns[0]?.message.content).toEqual([SAID, SAID, { ...CALL, name: "readFile", id: "c" }]);
});

test("a call that the model makes instead of a summary of the conversation is none of the conversation", () => {
  const reader = new TurnReader();
  reader.read(line({ type: "system", subtype: "status", status: "compacting" }));
  const summing = begin(reader);
  summing.hear(Buffer.from(answer("m", "tool_use")));
  expect(summing.turns).toEqual([]);
  expect(summing.text()).toBe("");
  expect([...reader.calls.keys()]).toEqual([]);
  reader.read(line({ type: "system", subtype: "status", status: null, compact_result: "success" }));
  const { hear, turns } = begin(reader);
  hear(Buffer.from(answer("n", "tool_use")));
  expect(turns[0]).toMatchObject({ message: { content: TURN }, usage: { inputTokens: 14, outputTokens: 6 } });
});

test("two answers at once are two answers", () => {
  const reader = new TurnReader();
  const [one, other] = [begin(reader), begin(reader)];
  one.hear(Buffer.from(written([...untilCall("m"), stopped("tool_use")])));
  other.hear(Buffer.from(written([...eventsOf("n", "", "").slice(0, 1), stopped("end_turn")])));
  one.hear(Buffer.from(written([{ type: "message_stop" }])));
  other.hear(Buffer.from(written([{ type: "message_stop" }])));
  expect(one.turns).toMatchObject([{ message: { content: TURN }, stopReason: "tool_use" }]);
  expect(other.turns).toEqual([]);
});

test("each usage in an answer is that of the answer so far", () => {
  const reader = new TurnReader();
  const { hear } = begin(reader);
  const nothing = { input_tokens: 0, output_tokens: 1 };
  const so_far = { input_tokens: 50, cache_read_input_tokens: 9, output_tokens: 3 };
  const start = { type: "message_start", message: { id: "m", model: "claude-x", usage: nothing } };
  const middle = { type: "message_delta", delta: {}, usage: so_far };
  hear(Buffer.from(written([start, middle, stopped("end_turn", { output_tokens: 5 })])));
  expect(reader.read(ended("end_turn"))).toMatchObject({
    reply: { usage: { inputTokens: 50, outputTokens: 5, cacheReadTokens: 9, cacheWriteTokens: 0 } },
  });
});

test("a service may give every answer the same id", () => {
  const reader = new TurnReader();
  const first = begin(reader);
  first.hear(Buffer.from(answer("m", "tool_use")));
  reader.read(printed("m", SAID, CALL));
  const second = begin(reader);
  second.hear(Buffer.from(written(eventsOf("m", "end_turn", "").slice(0, 3))));
  reader.read(printed("m", { type: "text", text: "Done." }));
  expect(reader.read(ended("end_turn"))).toMatchObject({
    reply: { message: { content: [{ type: "text", text: "Done." }] } },
  });
});

/** An answer with a call, with this in place of parts that services leave out. */
function bare(start: object, end: { type: string }[]) {
  const call = { type: "content_block_start", index: 0, content_block: { ...CALL, input: {} } };
  const json = { type: "content_block_delta", index: 0, delta: { ...JSON_DELTA, text: null } };
  return [{ type: "message_start", message: { content: [], ...start } }, call, json, STOP_0, ...end];
}
const STOP_0 = { type: "content_block_stop", index: 0 };
const JSON_DELTA = { type: "input_json_delta", partial_json: JSON.stringify(CALL.input) };

test.each<[string, object, { type: string }[]]>([
  ["id", { model: "claude-x", usage: USAGE }, [stopped("tool_use"), { type: "message_stop" }]],
  ["usage", { id: "m", model: "claude-x" }, [stopped("tool_use", {}), { type: "message_stop" }]],
  ["model", { id: "m", usage: null }, [stopped("tool_use", null), { type: "message_stop" }]],
  ["stop reason", { id: "m", model: "claude-x" }, [{ type: "message_stop" }]],
])("an answer without %s is one turn, once", (_, start, end) => {
  const reader = new TurnReader();
  for (const id of ["a", "b"]) {
    const { hear, turns } = begin(reader);
    hear(Buffer.from(written(bare(start, end)).replaceAll('"id":"a"', `"id":"${id}"`)));
    reader.read(line({ type: "assistant", message: { ...start, content: [{ ...CALL, id }] } }));
    expect(turns).toMatchObject([{ message: { content: [{ ...CALL, id, name: "readFile" }] } }]);
    expect(turns[0]).toMatchObject({ stopReason: "tool_use" });
  }
  begin(reader).hear(Buffer.from(written(bare(start, []).slice(0, 1))));
  reader.read(line({ type: "assistant", message: { ...start, content: [SAID] } }));
  expect(reader.read(ended("end_turn"))).toMatchObject({ reply: { message: { content: [SAID] } } });
});

test("as in Claude Code, a call's arguments are those that arrive after its beginning, for its number", () => {
  const { hear, turns } = begin(new TurnReader());
  const starts = ["a", "b", "c"].map((id, index) => ({
    ...{ type: "content_block_start", index, content_block: { ...CALL, id, input: { path: "early" } } },
  }));
  const deltas = [1, 0].map((index) => ({
    ...{ type: "content_block_delta", index },
    delta: { type: "input_json_delta", partial_json: `{"path":"${index}"}` },
  }));
  hear(Buffer.from(written([...starts, ...deltas, stopped("tool_use")])));
  expect(turns[0]?.message.content).toMatchObject([
    ...[
      { id: "a", input: { path: "0" } },
      { id: "b", input: { path: "1" } },
    ],
    { id: "c", input: {} },
  ]);
});

test("after a refusal, calls run also where every answer has the same id", () => {
  const reader = new TurnReader();
  begin(reader).hear(Buffer.from(written([...untilCall("m"), stopped("refusal")])));
  const { hear, turns } = begin(reader);
  hear(Buffer.from(answer("m", "tool_use").replace('"id":"a"', '"id":"c"')));
  expect(turns[0]?.message.content).toMatchObject([{ type: "text" }, { id: "c" }]);
});

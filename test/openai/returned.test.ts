// Fields that only the server knows come back to it, byte for byte: what DeepSeek, Gemini and OpenAI demand.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { createOpenAIModel } from "../../src/openai/model.ts";
import { ask, results, say, signal } from "../anthropic/anthropic-fixture.ts";
import { findForgottenFault } from "../fakes/openai-api-rules.ts";

type Item = Record<string, unknown>;

/** A server that answers in turn with these events, and refuses what `faultIn` finds. */
async function serve(turns: Item[][], faultIn: (body: Item, turn: number) => string | undefined) {
  const bodies: Item[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Item;
    bodies.push(body);
    const message = faultIn(body, bodies.length - 1);
    if (message !== undefined)
      return void response.writeHead(400).end(JSON.stringify({ error: { message } }));
    const events = turns[bodies.length - 1] ?? [];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, bodies };
}

const chunk = (delta: Item, finish_reason: string | null = null) => ({
  ...{ model: "m", choices: [{ delta, finish_reason }] },
});
const made = (id: string, extra: Item) => ({
  ...{ index: 0, id, type: "function", ...extra },
  function: { name: "readFile", arguments: '{"path":"a"}' },
});
const THOUGHTS = ['First — "a"\n', "\u2028 then b. "];
const SIGNED = { extra_content: { google: { thought_signature: "CiQB/+==" } } };

it.each<[string, Item[], Item]>([
  [
    "DeepSeek's thoughts, in pieces",
    [
      ...THOUGHTS.map((reasoning_content) => chunk({ reasoning_content })),
      chunk({ tool_calls: [made("c1", {})] }),
    ],
    { reasoning_content: THOUGHTS.join(""), tool_calls: [made("c1", {})] },
  ],
  [
    "Gemini's signature of a call",
    [chunk({ tool_calls: [made("c1", SIGNED)] })],
    { tool_calls: [made("c1", SIGNED)] },
  ],
  [
    "fields and calls with the names of what every object has",
    [
      chunk({ __proto__x: 1, constructor: "c", reasoning_details: [{ a: 1 }] }),
      chunk({ reasoning_details: [{ b: 2 }], tool_calls: [made("__proto__", SIGNED)] }),
    ],
    {
      __proto__x: 1,
      constructor: "c",
      reasoning_details: [{ a: 1 }, { b: 2 }],
      tool_calls: [made("__proto__", SIGNED)],
    },
  ],
])("over Chat Completions: %s", async (_, pieces, wrote) => {
  const turns = [[...pieces, chunk({}, "tool_calls")], [chunk({ content: "Done." }, "stop")]];
  const { baseURL, bodies } = await serve(turns, ({ messages }, turn) =>
    findForgottenFault(messages as Item[], turn === 0 ? [] : [wrote]),
  );
  const model = createOpenAIModel({ apiKey: "", baseURL, backOffMs: 1 });
  const { message } = await model.respond(ask(say("hi")), { signal });
  const call = message.content.find((block) => block.type === "tool_use");
  const history = [say("hi"), message, results([String(call?.id), "A"])];
  // As it is stored and read again.
  const stored = JSON.parse(JSON.stringify(history)) as typeof history;
  const reply = await model.respond(ask(...stored), { signal });
  expect(reply.message.content).toEqual([{ type: "text", text: "Done." }]);
  expect(bodies).toHaveLength(2);
});

it("over the Responses API: the phase of a message", async () => {
  const item = (phase: string, said: string) => ({
    ...{ type: "message", id: "m1", role: "assistant", status: "completed", phase },
    content: [{ type: "output_text", text: said }],
  });
  const call = {
    type: "function_call",
    id: "f1",
    call_id: "c1",
    name: "readFile",
    arguments: "{}",
    namespace: "n",
  };
  const items = [item("commentary", "I look."), item("other", "And look."), call];
  const end = { type: "response.completed", response: { status: "completed" } };
  const done = items.map((one, output_index) => ({
    type: "response.output_item.done",
    output_index,
    item: one,
  }));
  const { baseURL, bodies } = await serve([[...done, end], [end]], () => undefined);
  const model = createOpenAIModel({ apiKey: "", baseURL, api: "responses", backOffMs: 1 });
  const { message } = await model.respond(ask(say("hi")), { signal });
  await model.respond(ask(say("hi"), message, results(["c1", "A"])), { signal });
  const input = (bodies[1]?.input ?? []) as Item[];
  expect(input.slice(1, 4)).toEqual([
    {
      type: "message",
      role: "assistant",
      phase: "commentary",
      content: [{ type: "output_text", text: "I look." }],
    },
    {
      type: "message",
      role: "assistant",
      phase: "other",
      content: [{ type: "output_text", text: "And look." }],
    },
    { type: "function_call", call_id: "c1", name: "readFile", arguments: "{}", namespace: "n" },
  ]);
});

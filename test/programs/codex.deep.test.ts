// Codex as a model, with a fake of its app server: turns, parallel calls that wait, resuming, and everything that goes wrong.
import { expect, test } from "vitest";
import { createProgramModel } from "../../src/programs/program.ts";
import {
  type Asked,
  ask,
  call,
  fakeOptions,
  fakeProgram,
  leftOf,
  results,
  type Seen,
  user,
} from "../fakes/program-model.ts";

type Item = Record<string, unknown>;

const said = (text: string): Item => ({
  ...{ type: "message", role: "assistant", id: "m" },
  content: [{ type: "output_text", text }],
});
const asks = (call_id: string, name: string, path: string): Item => ({
  ...{ type: "function_call", id: call_id, call_id, name, arguments: JSON.stringify({ path }) },
});

/** Streams these turns, and keeps what it was asked. */
function api(...turns: Item[][]) {
  const seen: (Omit<Seen, "body"> & { body: { input: Item[]; tools: Item[] } })[] = [];
  const upstream = async ({ headers, body }: Asked) => {
    seen.push({ headers, body: JSON.parse(body.toString("utf8")) });
    const turn = turns[seen.length - 1];
    if (!turn) return Response.json({ error: { message: "no more turns" } }, { status: 400 });
    const details = { cached_tokens: 2, cache_write_tokens: 0 };
    const usage = { input_tokens: 9, input_tokens_details: details, output_tokens: 3 };
    const events = [
      ...turn.map((item) => ({ type: "response.output_item.done", item })),
      { type: "response.completed", response: { model: "gpt-x", usage } },
    ];
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    return new Response(text, { headers: { "content-type": "text/event-stream" } });
  };
  return { upstream, seen, input: (index: number) => JSON.stringify(seen[index]?.body.input) };
}

const kept = (text: string) => text;

test("gives turns of one process, and hears the results of its calls", async () => {
  const { upstream, seen, input } = api(
    [said("I look."), asks("a", "readFile", "x"), asks("b", "runCommand", "y")],
    [said("Done.")],
  );
  const model = await fakeProgram({ name: "codex", upstream });
  const first = await ask(model, [user("Begin.")]);
  expect(first).toMatchObject({ stopReason: "tool_use", model: "gpt-x" });
  expect(first.usage).toMatchObject({ inputTokens: 7, cacheReadTokens: 2, outputTokens: 3 });
  const calls = [call("a", "readFile", "x"), call("b", "runCommand", "y")];
  expect(first.message.content).toEqual([{ type: "text", text: "I look." }, ...calls]);
  const told = results(["a", "text of x"], ["b", "ran"]);
  const second = await ask(model, [user("Begin."), first.message, told]);
  expect(second.message.content).toEqual([{ type: "text", text: "Done." }]);
  expect(input(1)).toMatch(/text of x.*ran/);
  expect(seen[0]?.headers.authorization).toBeUndefined();
  await model.program?.release("s-1/c");
});

test("a call may hold what other readers take for the end of a line", async () => {
  const path = "x\u2028y\u2029z\u0085";
  const { upstream } = api([asks("a", "readFile", path)], [said("Done.")]);
  const model = await fakeProgram({ name: "codex", upstream });
  const { message } = await ask(model, [user("Begin.")]);
  expect(message.content).toEqual([call("a", "readFile", path)]);
  const reply = await ask(model, [user("Begin."), message, results(["a", path])]);
  expect(reply.message.content).toEqual([{ type: "text", text: "Done." }]);
  await model.program?.release("s-1/c");
});

test("parallel calls wait with the process gone; another one gets their results as its history", async () => {
  const { upstream, seen, input } = api(
    [asks("a", "runCommand", "one"), asks("b", "runCommand", "two")],
    [said("Done.")],
  );
  const before = await fakeProgram({ name: "codex", upstream });
  expect(before.program?.asksAlone).toBe(false);
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  expect(JSON.parse(memory ?? "{}")).toMatchObject({ waits: ["a", "b"], known: 2 });
  const after = await fakeProgram({ name: "codex", upstream });
  const told = results(["a", "ran once"], ["b", "A person rejected this call"]);
  const reply = await ask(after, [user("Begin."), message, told], { memory });
  expect(reply.message.content).toEqual([{ type: "text", text: "Done." }]);
  expect(seen).toHaveLength(2);
  expect(input(1).match(/function_call_output/g)).toHaveLength(2);
  expect(input(1)).toMatch(/ran once.*A person rejected/);
  await after.program?.release("s-1/c");
});

test("is told what else it should do, in the process that there is and in another one", async () => {
  const { upstream, input } = api([said("Done.")], [said("Really.")], [said("Yes.")]);
  const model = await fakeProgram({ name: "codex", upstream });
  const first = await ask(model, [user("Begin.")]);
  const two = [user("Begin."), first.message, user("Are you sure?")];
  const second = await ask(model, two);
  expect(input(1)).toMatch(/Begin\..*Done\..*Are you sure\?/);
  const memory = await model.program?.release("s-1/c", kept);
  const after = await fakeProgram({ name: "codex", upstream });
  await ask(after, [...two, second.message, user("Very?")], { memory });
  expect(input(2)).toMatch(/Are you sure\?.*Really\..*Very\?/);
  await after.program?.release("s-1/c");
});

test("what it was not told before a run was stopped is told by the next one", async () => {
  const { upstream, input } = api([said("Done.")], [said("Really.")]);
  const before = await fakeProgram({ name: "codex", upstream });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  const told = [user("Begin."), message, user("Are you sure?")];
  const stopped = await fakeProgram({ name: "codex", upstream });
  await expect(ask(stopped, told, { memory, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  const later = await stopped.program?.release("s-1/c", kept);
  const after = await fakeProgram({ name: "codex", upstream });
  await ask(after, told, { memory: later });
  expect(input(1)).toMatch(/Done\..*Are you sure\?/);
  await after.program?.release("s-1/c");
});

test("a file from before a process that was killed is of no use: it is told what happened since", async () => {
  const { upstream, input } = api([asks("a", "runCommand", "rm")], [said("Done.")]);
  const before = await fakeProgram({ name: "codex", upstream });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  const since = [results(["a", "it ran once"]), { ...message, content: [call("b", "runCommand", "mv")] }];
  const after = await fakeProgram({ name: "codex", upstream });
  await ask(after, [user("Begin."), message, ...since, results(["b", "it moved"])], { memory });
  expect(input(1)).toMatch(/Begin\..*Call a.*it ran once.*Call b.*it moved/);
  await after.program?.release("s-1/c");
});

test("what Claude Code left is of no use to it: it is told the whole conversation", async () => {
  const { upstream, input } = api([said("Done.")]);
  const model = await fakeProgram({ name: "codex", upstream });
  const memory = JSON.stringify({ program: "claude", version: "", id: "i", known: 1, waits: [], file: "" });
  const turn = { role: "assistant" as const, content: [call("a", "runCommand", "rm")] };
  await ask(model, [user("Begin."), turn, results(["a", "it ran once"])], { memory });
  expect(input(0)).toMatch(/Begin\..*Call a: runCommand.*it ran once/);
  await model.program?.release("s-1/c");
});

test.each([
  ["not-json", /printed something other than JSON: "thread 'main' panicked"/],
  ["other-words", /printed what can't be read: "\{\\"method\\":\\"turn\/completed\\"/],
  ["cut", /ended before its answer was complete \(exit code 9\)/],
  ["killed", /ended before its answer was complete \(signal SIGKILL\)/],
  ["other-tools", /it may only have looplia's tools, and it has others \(shell\)/],
  ["code-mode", /it may only have looplia's tools, and it has others \(exec, sleep\)/],
  ["silent", /sent nothing for 1 seconds/],
])("trouble %s is a clear error, and nothing stays behind", async (trouble, message) => {
  for (const sandbox of ["auto", "off"] as const) {
    const { upstream } = api([said("Done.")]);
    const more = { sandbox, ...(trouble === "silent" ? { silenceMs: 1_000 } : {}) };
    const options = await fakeOptions({ name: "codex", trouble, upstream, more });
    const model = createProgramModel(options);
    const failure = await ask(model, [user("Begin.")]).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "model-failed",
      modelFailure: "unavailable",
      hint: expect.stringMatching(/\.$/),
    });
    expect(String(failure)).toMatch(message);
    await model.program?.release("s-1/c", kept);
    await expect.poll(() => leftOf(options), { timeout: 5_000 }).toEqual([]);
  }
});

test("a result that it cuts ends the turn: the model would go on with a part of it", async () => {
  const long = "a line of a long result\n".repeat(1_000);
  for (const trouble of ["", "cuts"]) {
    const { upstream, input } = api([asks("a", "readFile", "x")], [said("Done.")]);
    const model = await fakeProgram({ name: "codex", trouble, upstream });
    const { message } = await ask(model, [user("Begin.")]);
    const second = ask(model, [user("Begin."), message, results(["a", long])]);
    if (trouble === "") {
      expect((await second).message.content).toEqual([{ type: "text", text: "Done." }]);
      expect(input(1)).toContain(JSON.stringify(long));
    } else await expect(second).rejects.toThrow(/of a result with 24000 characters its model would get 100/);
    await model.program?.release("s-1/c");
  }
});

test("where it waits long to ask its model again, the error says why", async () => {
  const options = { upstream: api().upstream, more: { silenceMs: 1_000 } };
  const model = await fakeProgram({ name: "codex", trouble: "refused", ...options });
  await expect(ask(model, [user("Begin.")])).rejects.toMatchObject({
    modelFailure: "rate-limit",
    message: "Codex still waits for its model: exceeded retry limit, last status: 429 Too Many Requests.",
  });
  await model.program?.release("s-1/c");
});

test.each([
  [
    401,
    "Incorrect API key provided.",
    "bad-key",
    /Codex failed: Incorrect API key provided\.$/,
    "Check OPENAI_API_KEY.",
  ],
  [429, "Slow down.", "rate-limit", /Codex failed: Slow down\.$/, "Run again to resume."],
  [503, "", "overloaded", /Codex failed: unexpected status 503 /, "Run again to resume."],
])(
  "a refusal of its model (%i) is told in the service's words, with its kind",
  async (status, message, kind, words, hint) => {
    const upstream = async () => Response.json({ error: { message } }, { status });
    const model = await fakeProgram({ name: "codex", upstream });
    const failure = await ask(model, [user("Begin.")]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ modelFailure: kind, hint, message: expect.stringMatching(words) });
    await model.program?.release("s-1/c");
  },
);

test("what its model refuses is told in its words", async () => {
  const model = await fakeProgram({ name: "codex", upstream: api().upstream });
  await expect(ask(model, [user("Begin.")])).rejects.toThrow(/Codex failed: .*no more turns/);
  await model.program?.release("s-1/c");
});

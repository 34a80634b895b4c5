// Claude Code as a model, with a fake of the program: turns, waiting, resuming, and everything that goes wrong.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ContentBlock } from "../../src/core/events.ts";
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

const PREFIX = "mcp__looplia__";

/** Answers with these turns, and keeps what it was asked. */
function api(...turns: (string | ContentBlock[])[]) {
  const seen: Seen[] = [];
  const upstream = async ({ headers, body }: Asked) => {
    seen.push({ headers, body: JSON.parse(body.toString("utf8")) as Seen["body"] });
    const turn = turns[seen.length - 1];
    if (turn === undefined) return Response.json({ error: { message: "no more turns" } }, { status: 400 });
    const blocks: ContentBlock[] = typeof turn === "string" ? [{ type: "text", text: turn }] : turn;
    const content = blocks.map((block) =>
      block.type === "tool_use" ? { ...block, name: PREFIX + block.name } : block,
    );
    const stop_reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
    const usage = { input_tokens: 7, output_tokens: 3 };
    return new Response(eventsOf({ id: `m-${seen.length}`, model: "claude-x", content, stop_reason, usage }));
  };
  const last = (index: number) => JSON.stringify(seen[index]?.body.messages.at(-1));
  return { upstream, seen, last };
}

/** A message as the service streams it, its blocks whole. */
function eventsOf({
  content,
  stop_reason,
  usage,
  ...message
}: Record<string, unknown> & { content: ContentBlock[] }) {
  const blocks = content.flatMap((block, index) => {
    const [start, delta] =
      block.type === "tool_use"
        ? [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
          ]
        : [
            { type: "text", text: "" },
            { ...block, type: "text_delta" },
          ];
    return [
      { type: "content_block_start", index, content_block: start },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ];
  });
  const events = [
    { type: "message_start", message: { ...message, role: "assistant", content: [], usage } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

const kept = (text: string) => text;

test("gives turns of one process, and hears the results of its calls", async () => {
  const { upstream, seen, last } = api([call("a", "readFile", "x"), call("b", "runCommand", "y")], "Done.");
  const model = await fakeProgram({ name: "claude", upstream });
  const first = await ask(model, [user("Begin.")]);
  expect(first).toMatchObject({ stopReason: "tool_use", model: "claude-x" });
  expect(first.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  expect(first.message.content).toEqual([call("a", "readFile", "x"), call("b", "runCommand", "y")]);
  const told = results(["a", "text of x"], ["b", "ran"]);
  const second = await ask(model, [user("Begin."), first.message, told]);
  expect(second.message.content).toEqual([{ type: "text", text: "Done." }]);
  expect(last(1)).toMatch(/text of x.*ran/);
  expect(seen[0]?.body.tools).toMatchObject([{ name: `${PREFIX}readFile` }, { name: `${PREFIX}runCommand` }]);
  // The key is added outside.
  expect(seen[0]?.headers["x-api-key"]).toBeUndefined();
  await model.program?.release("s-1/c");
});

test("a call that waits is deferred; another process resumes at it, without another request", async () => {
  const { upstream, seen, last } = api([call("a", "runCommand", "rm")], "Done.");
  const before = await fakeProgram({ name: "claude", upstream });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  expect(JSON.parse(memory ?? "{}")).toMatchObject({ waits: ["a"], known: 2 });
  const after = await fakeProgram({ name: "claude", upstream });
  const reply = await ask(after, [user("Begin."), message, results(["a", "it ran once"])], { memory });
  expect(reply.message.content).toEqual([{ type: "text", text: "Done." }]);
  expect(seen).toHaveLength(2);
  expect(last(1)).toContain("it ran once");
  await after.program?.release("s-1/c");
});

test("calls that were cut off together are told with their results when it resumes", async () => {
  const { upstream, last } = api([call("a", "readFile", "x"), call("b", "readFile", "y")], "Done.");
  const before = await fakeProgram({ name: "claude", upstream });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  const after = await fakeProgram({ name: "claude", upstream });
  await ask(after, [user("Begin."), message, results(["a", "one"], ["b", "two"])], { memory });
  expect(last(1)).toMatch(/do not make it again.*one.*two/);
  await after.program?.release("s-1/c");
});

test("without its file, it is told the whole conversation", async () => {
  const { upstream, seen, last } = api("Done.");
  const model = await fakeProgram({ name: "claude", upstream });
  const told = [user("Begin."), { role: "assistant" as const, content: [call("a", "runCommand", "rm")] }];
  await ask(model, [...told, results(["a", "it ran once"])]);
  expect(seen[0]?.body.messages).toHaveLength(1);
  expect(last(0)).toMatch(/Begin\..*Call a: runCommand.*it ran once/);
  await model.program?.release("s-1/c");
});

test("a file from before a process that was killed is of no use: it is told what happened since", async () => {
  const { upstream, seen, last } = api([call("a", "runCommand", "rm")], "Done.");
  const before = await fakeProgram({ name: "claude", upstream });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  const since = [results(["a", "it ran once"]), { ...message, content: [call("b", "runCommand", "mv")] }];
  const after = await fakeProgram({ name: "claude", upstream });
  await ask(after, [user("Begin."), message, ...since, results(["b", "it moved"])], { memory });
  expect(seen).toHaveLength(2);
  expect(last(1)).toMatch(/Begin\..*Call a.*it ran once.*Call b.*it moved/);
  await after.program?.release("s-1/c");
});

test("a call that runs is asked for before its result exists; cut off, it is told when it resumes", async () => {
  const { upstream, last } = api([call("a", "readFile", "x")], [call("b", "readFile", "y")], "Done.");
  const before = await fakeProgram({ name: "claude", upstream });
  const first = await ask(before, [user("Begin.")]);
  before.program?.expect("s-1/c", ["a"]);
  const heard = [user("Begin."), first.message, results(["a", "text of x"])];
  const second = await ask(before, heard);
  expect(last(1)).toContain("text of x");
  before.program?.expect("s-1/c", ["b"]);
  const memory = await before.program?.release("s-1/c", kept);
  expect(JSON.parse(memory ?? "{}")).toMatchObject({ waits: [], known: 4 });
  const after = await fakeProgram({ name: "claude", upstream });
  await ask(after, [...heard, second.message, results(["b", "text of y"])], { memory });
  expect(last(2)).toMatch(/do not make it again.*text of y/);
  await after.program?.release("s-1/c");
});

test("a call that is not the one that waited is not run", async () => {
  const { upstream, last } = api([call("a", "runCommand", "rm")], "Done.");
  const before = await fakeProgram({ name: "claude", upstream });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  const after = await fakeProgram({ name: "claude", upstream });
  // The stored call is another one than the program's file says.
  const other = { ...message, content: [call("a", "runCommand", "ls")] };
  await ask(after, [user("Begin."), other, results(["a", "listed"])], { memory });
  expect(last(1)).toMatch(/not the call that the runner expects/);
  expect(last(1)).not.toContain("listed");
  await after.program?.release("s-1/c");
});

test("secrets are cut out of what it leaves", async () => {
  const { upstream } = api([call("a", "runCommand", "rm canary-key")], "Done.");
  const model = await fakeProgram({ name: "claude", upstream });
  await ask(model, [user("Begin.")]);
  const redact = (text: string) => text.replaceAll("canary-key", "***");
  const memory = await model.program?.release("s-1/c", redact);
  const { file } = JSON.parse(memory ?? "{}") as { file: string };
  const { brotliDecompressSync } = await import("node:zlib");
  const text = brotliDecompressSync(Buffer.from(file, "base64")).toString("utf8");
  expect(text).toContain("rm ***");
  expect(text).not.toContain("canary-key");
});

test.each([
  ["login", /failed: Invalid API key/, "bad-key"],
  ["not-json", /printed something other than JSON: "Segmentation fault"/, "unavailable"],
  ["cut", /ended before its answer was complete \(exit code 9\)/, "unavailable"],
  ["killed", /ended before its answer was complete \(signal SIGKILL\)/, "unavailable"],
  ["unconnected", /it may only have looplia's tools, and those are not connected/, "unavailable"],
  ["other-tools", /it has other tools \(.*Bash\)/, "unavailable"],
  ["silent", /sent nothing for 1 seconds/, "unavailable"],
])("trouble %s is a clear error, and nothing stays behind", async (trouble, message, modelFailure) => {
  for (const sandbox of ["auto", "off"] as const) {
    const { upstream } = api("Done.");
    const more = { sandbox, ...(trouble === "silent" ? { silenceMs: 1_000 } : {}) };
    const options = await fakeOptions({ name: "claude", trouble, upstream, more });
    const model = createProgramModel(options);
    const failure = await ask(model, [user("Begin.")]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "model-failed", modelFailure, hint: expect.stringMatching(/\.$/) });
    expect(String(failure)).toMatch(message);
    await model.program?.release("s-1/c", kept);
    await expect.poll(() => leftOf(options), { timeout: 5_000 }).toEqual([]);
  }
});

test.each(["", "login"])("another model goes on after the first one failed (%s)", async (trouble) => {
  let asked = 0;
  const { upstream, last } = api("Done.");
  const failing: typeof upstream = async (request) => {
    asked += 1;
    if (asked === 1) return Response.json({ error: { message: "overloaded" } }, { status: 529 });
    return upstream(request);
  };
  const setting = { name: "claude", trouble, upstream: failing } as const;
  const options = await fakeOptions(setting);
  const model = createProgramModel(options);
  const failure = await ask(model, [user("Begin.")]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ modelFailure: trouble === "" ? "overloaded" : "bad-key" });
  // The program recovers, whether or not the first process left a file.
  const program = join(options.environment.PATH?.split(":")[0] ?? "", "claude");
  await writeFile(program, (await readFile(program, "utf8")).replace(`TROUBLE = "login"`, `TROUBLE = ""`));
  asked = 1;
  const reply = await ask(model, [user("Begin.")]);
  expect(reply.message.content).toEqual([{ type: "text", text: "Done." }]);
  expect(last(0)).toMatch(trouble === "" ? /Continue from where you left off/ : /Begin\./);
  await model.program?.release("s-1/c");
});

test("another model goes on after the first one failed right after a call that had waited", async () => {
  let isOverloaded = false;
  const { upstream, seen, last } = api([call("a", "runCommand", "rm")], "Done.");
  const failing: typeof upstream = async (request) =>
    isOverloaded ? Response.json({ error: { message: "overloaded" } }, { status: 529 }) : upstream(request);
  const before = await fakeProgram({ name: "claude", upstream: failing });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  const after = await fakeProgram({ name: "claude", upstream: failing });
  const told = [user("Begin."), message, results(["a", "it ran once"])];
  isOverloaded = true;
  await expect(ask(after, told, { memory })).rejects.toMatchObject({ modelFailure: "overloaded" });
  isOverloaded = false;
  const reply = await ask(after, told, { memory });
  expect(reply.message.content).toEqual([{ type: "text", text: "Done." }]);
  expect(JSON.stringify(seen[1]?.body.messages).match(/it ran once/g)).toHaveLength(1);
  expect(last(1)).toContain("Continue from where you left off.");
  await after.program?.release("s-1/c");
});

test("results that it did not get before a run was stopped are told by the next one", async () => {
  const { upstream, last } = api([call("a", "readFile", "x"), call("b", "readFile", "y")], "Done.");
  const before = await fakeProgram({ name: "claude", upstream });
  const { message } = await ask(before, [user("Begin.")]);
  const memory = await before.program?.release("s-1/c", kept);
  const told = [user("Begin."), message, results(["a", "one"], ["b", "two"])];
  const stopped = await fakeProgram({ name: "claude", upstream });
  const signal = AbortSignal.abort();
  await expect(ask(stopped, told, { memory, signal })).rejects.toThrow(/abort/i);
  const later = await stopped.program?.release("s-1/c", kept);
  const after = await fakeProgram({ name: "claude", upstream });
  await ask(after, told, { memory: later });
  expect(last(1)).toMatch(/do not make it again.*one.*two/);
  await after.program?.release("s-1/c");
});

test("an aborted request leaves a conversation that resumes", async () => {
  const aborting = new AbortController();
  const hanging = await fakeProgram({
    name: "claude",
    upstream: async () => {
      aborting.abort();
      return new Promise(() => {});
    },
  });
  await expect(ask(hanging, [user("Begin.")], { signal: aborting.signal })).rejects.toThrow(/abort/i);
  const memory = await hanging.program?.release("s-1/c", kept);
  const { upstream, last } = api("Done.");
  const after = await fakeProgram({ name: "claude", upstream });
  await ask(after, [user("Begin.")], { memory });
  expect(last(0)).toContain("Continue from where you left off.");
  await after.program?.release("s-1/c");
});

test("says how to install what is missing", async () => {
  const { upstream } = api();
  const model = await fakeProgram({ name: "claude", upstream, more: { environment: { PATH: "/nowhere" } } });
  await expect(ask(model, [user("Begin.")])).rejects.toMatchObject({
    code: "config-invalid",
    hint: expect.stringContaining("npm install --global @anthropic-ai/claude-code"),
  });
});

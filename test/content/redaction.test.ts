// A key in everything that a run reads: it must be in nothing that the run says or writes.
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import type { AskResult, ModelRequest } from "../../src/core/ports.ts";
import { createRedactor, REDACTED } from "../../src/core/redaction.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, dueOutputs, SUMMARY, writeDue } from "../fakes/kit-script.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";

const KEY = "sk-canary/0a1B2c3D4e5F6g7H8i9J";
const FORMS = [
  KEY,
  Buffer.from(KEY).toString("base64"),
  Buffer.from(KEY).toString("hex"),
  [...KEY].reverse().join(""),
  encodeURIComponent(KEY),
];
const ITEM = ARTICLE.replace("title: Kettles and time", `title: "Kettles ${KEY}"`)
  .replace("https://example.org/kettles", `https://example.org/${encodeURIComponent(KEY)}`)
  .replace("and I count myself among them", `and I count ${KEY} among them`);
const FILES = {
  "a.md": ITEM,
  "notes.md": `one ${KEY}\n${FORMS.join("\n")}\n`,
  ".looplia/CLAUDE.md": `Use ${KEY} never.`,
  // Of a repository's own: with every tool.
  ".looplia/.claude/agents/content-analyzer.md": `---\nname: content-analyzer\ndescription: Reads ${KEY}.\n---\nRead ${KEY}.\n`,
};
/** The copy of the item is byte for byte, so that it can be compared. */
const OWN = [...Object.keys(FILES), "content.md"];

const approve: AskResult = {
  answer: { selectedOptionId: "approve", comment: `fine, ${KEY}` },
  actorId: "terminal:a",
};
const reject: AskResult = {
  answer: { selectedOptionId: "reject", comment: `no, ${KEY}` },
  actorId: "terminal:a",
};
const answer: AskResult = { answer: { inputValue: `it is ${KEY}` }, actorId: "terminal:a" };

/** Reads all there is, in every way, then repeats what it read where the program writes. */
function curious(request: ModelRequest) {
  const turn = request.messages.length;
  const { sessionFolder } = JSON.parse(
    [...JSON.stringify(request.messages[0]).matchAll(/```json\\n(.*?)\\n```/g)]
      .at(-1)?.[1]
      ?.replaceAll('\\"', '"') ?? "{}",
  ) as { sessionFolder: string };
  if (dueOutputs(request)[0] !== "summary") return writeDue(request);
  switch (turn) {
    case 1:
      return {
        content: [
          call("c1", "readFile", { path: `${sessionFolder}/content.md` }),
          call("c2", "grep", { pattern: "canary", path: "." }),
          call("c3", "grep", { pattern: "sk-c", path: "notes.md" }),
          call("c4", "listFiles", { path: "." }),
          call("c5", "askUser", { question: "What is it?", kind: "Input" }),
        ],
      };
    case 3:
      return {
        content: [
          call("d1", "runCommand", {
            command:
              "cat notes.md; base64 notes.md; xxd -p notes.md; fold -w 7 notes.md; rev notes.md; seq 1 2000; cat notes.md",
          }),
          call("d2", "editFile", { path: "notes.md", oldStr: "one", newStr: "two" }),
        ],
      };
    case 5:
      return { content: [call("e1", "runCommand", { command: "false" })] };
    case 7:
      return {
        content: [
          call("f1", "writeArtifact", {
            output: "summary",
            content: { headline: JSON.stringify(request.messages) },
          }),
        ],
      };
    default: {
      const quote = { text: `and I count ${REDACTED} among them` };
      return writeDue(request, new Map([["summary", { ...SUMMARY, importantQuotes: [quote] }]]));
    }
  }
}

async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test("a key in item, files, output, answers and instructions is in no request and in no file of the run", async () => {
  const world = await createContentWorld(FILES);
  const model = new ScriptedModel(curious);
  const host = new ScriptedHost([answer, approve, reject]);
  const result = await world.run({ kind: "file", source: "a.md" }, model, {
    host,
    redact: createRedactor([KEY]),
  });
  expect(result).toMatchObject({ status: "completed" });
  expect(host.asked.length).toBeGreaterThanOrEqual(3);
  const said: [string, string][] = [
    ["requests", JSON.stringify(model.requests)],
    ["questions", JSON.stringify(host.asked)],
    ["the item's title", result.items[0]?.title ?? ""],
  ];
  for (const path of await filesBelow(world.root)) {
    const name = relative(world.root, path);
    if (!OWN.some((own) => name.endsWith(own))) said.push([name, await readFile(path, "utf8")]);
  }
  expect(said.length).toBeGreaterThan(10);
  for (const [place, text] of said) {
    for (const form of FORMS) expect(text.includes(form), `${form} in ${place}`).toBe(false);
    expect(text.replaceAll(/\s|\\n/g, "").includes(KEY), `folded in ${place}`).toBe(false);
  }
  expect(JSON.stringify(model.requests).split(REDACTED).length).toBeGreaterThan(10);
  const [sessionId = ""] = await sessionsOf(world);
  expect(await world.read(`.looplia/contentItem/${sessionId}/content.md`)).toBe(ITEM);
});

test("an edit keeps the bytes of the file, key and all; only what is shown of it is redacted", async () => {
  const world = await createContentWorld(FILES);
  const model = new ScriptedModel((request) => {
    if (dueOutputs(request)[0] !== "summary") return writeDue(request);
    if (request.messages.length > 1)
      return writeDue(request, new Map([["summary", { ...SUMMARY, importantQuotes: [] }]]));
    return { content: [call("a", "editFile", { path: "notes.md", oldStr: "one", newStr: "two" })] };
  });
  const host = new ScriptedHost([approve]);
  await world.run({ kind: "file", source: "a.md" }, model, { host, redact: createRedactor([KEY]) });
  expect(await world.read("notes.md")).toBe(FILES["notes.md"].replace("one", "two"));
  expect(JSON.stringify(host.asked)).toContain(`+two ${REDACTED}`);
});

test("of a key that stands where a line is cut, or a last word, not even the half is said", async () => {
  const world = await createContentWorld(FILES);
  const model = new ScriptedModel((request) => {
    if (request.messages.length > 3) return { content: [{ type: "text", text: `${"x".repeat(490)}${KEY}` }] };
    const id = `a${request.messages.length}`;
    return { content: [call(id, "runCommand", { command: `echo ${"x".repeat(85)} ${KEY}` })] };
  });
  const host = new ScriptedHost([approve, reject]);
  const result = await world.run({ kind: "file", source: "a.md" }, model, {
    host,
    redact: createRedactor([KEY]),
  });
  const half = KEY.slice(0, 6);
  expect(JSON.stringify(host.asked)).toContain("Run (at most 30 s): echo xx");
  expect(JSON.stringify(host.asked)).not.toContain(half);
  const told = world.events.filter(({ type }) => /^tool-/.test(type));
  const summary = expect.stringMatching(/^echo xx/);
  const refused = expect.stringContaining("rejected");
  expect(told).toMatchObject([
    { type: "tool-started", summary },
    { isError: false, summary },
    { refused, summary },
  ]);
  expect(JSON.stringify(told)).not.toContain(half);
  expect(result.items[0]?.message).toContain("it said: xx");
  expect(result.items[0]?.message).not.toContain(half);
});

test("a session goes on with the same bytes after a pause", async () => {
  const world = await createContentWorld(FILES);
  const redact = createRedactor([KEY]);
  const paused = new ScriptedModel(curious);
  const first = await world.run({ kind: "file", source: "a.md" }, paused, {
    host: new ScriptedHost([]),
    redact,
  });
  expect(first.status).toBe("waiting");
  const resumed = new ScriptedModel(curious);
  const interactionId = first.items[0]?.interactions[0]?.interactionId ?? "";
  const given = { inputValue: `it is ${KEY}` };
  const trigger = { kind: "answer", interactionId, answer: given, actorId: "terminal:a" } as const;
  await world.run(trigger, resumed, { host: new ScriptedHost([approve, reject]), redact });
  const before = paused.requests.at(-1)?.messages ?? [];
  expect(resumed.requests[0]?.messages.slice(0, before.length)).toEqual(before);
  expect(resumed.requests[0]?.prefix).toEqual(paused.requests.at(-1)?.prefix);
});

test("a model that says a key of itself keeps its words, for its thinking is bound to them; the audit has none", async () => {
  const world = await createContentWorld(FILES);
  const model = new ScriptedModel((request) =>
    request.messages.length > 1 || dueOutputs(request)[0] !== "summary"
      ? writeDue(request, new Map([["summary", { ...SUMMARY, importantQuotes: [] }]]))
      : { content: [call("a", "readFile", { path: `${KEY}/missing` })] },
  );
  await world.run({ kind: "file", source: "a.md" }, model, { redact: createRedactor([KEY]) });
  const second = model.requests[1]?.messages ?? [];
  expect(second[1]).toEqual({
    role: "assistant",
    content: [call("a", "readFile", { path: `${KEY}/missing` })],
  });
  expect(JSON.stringify(second[2])).toContain(`${REDACTED}/missing`);
  expect(JSON.stringify(second[2])).not.toContain(KEY);
  const stores = (await filesBelow(join(world.root, ".looplia/state"))).filter((path) =>
    path.endsWith(".jsonl"),
  );
  for (const path of stores) {
    const isConversation = path.includes("/conversation/");
    expect((await readFile(path, "utf8")).includes(KEY), path).toBe(isConversation);
  }
});

// A whole session is recorded in the order in which its lines became durable, and gone on with from each of its prefixes:
// a suspended `Task`, two subagents that wait at once, and a person's push between pause and resume.
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { expect, test } from "vitest";
import { viewSession } from "../../src/core/conversation.ts";
import type { InteractionRequest } from "../../src/core/interaction.ts";
import type { AskResult, Host, ModelRequest, Stores, WorkStore } from "../../src/core/ports.ts";
import { readSession } from "../../src/store/scan.ts";
import { findFaults, readEndState } from "../crash/end-state.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, dueOutputs, writeDue } from "../fakes/kit-script.ts";
import { call, ScriptedModel, type ScriptedReply } from "../fakes/scripted-model.ts";

/** They mostly wait for the disk. */
const AT_ONCE = 6;
const settings = { pipeline: "sides" };
const PUSHED = { path: "by-hand.md", text: "A person wrote this.\n" };
const agent = (name: string, tools: string) =>
  `---\nname: ${name}\ndescription: Makes it.\ntools: ${tools}\n---\nYou are ${name}.\n`;

/** Two sides that need nothing of each other, then what needs both. */
const FILES = {
  "a.md": ARTICLE,
  ".looplia/pipelines/sides.yaml": `name: sides
description: Two sides and a top
outputs:
  left: { artifact: left.json, agent: asks-through, schema: part.schema.json }
  right: { artifact: right.json, agent: asks, schema: part.schema.json }
  top: { artifact: top.json, agent: asks, requires: [left, right], schema: part.schema.json }
`,
  ".looplia/pipelines/part.schema.json": JSON.stringify({
    type: "object",
    required: ["size"],
    properties: { size: { type: "integer" } },
    additionalProperties: false,
  }),
  ".looplia/.claude/agents/asks-through.md": agent("asks-through", "Task, readFile, writeArtifact"),
  ".looplia/.claude/agents/asks.md": agent("asks", "askUser, editFile, writeArtifact"),
  ".looplia/.claude/agents/helper.md": agent("helper", "askUser"),
};

/** Its file shows that it was started and not made: then it starts once more. */
const EDIT_MADE_AGAIN = "ToolCallStarted of e in right#1 came twice";

const ask = (id: string, question: string) => call(id, "askUser", { question, options: ["Calm", "Loud"] });

/** What is said depends on the conversation alone, as a good model's answer would. */
function sidesModel(): ScriptedModel {
  return new ScriptedModel((request): ScriptedReply => {
    const [due] = dueOutputs(request);
    const turn = (request.messages.length + 1) / 2;
    const write = writeDue(request, new Map(["left", "right", "top"].map((name) => [name, { size: 4 }])));
    if (due === undefined) return turn === 1 ? { content: [ask("q", "Which tone?")] } : { content: "Calm." };
    if (due === "left" && turn === 1) {
      return { content: [call("t", "Task", { agent: "helper", prompt: "Find out." })] };
    }
    if (due === "left" && turn === 2) return { content: [call("r", "readFile", { path: PUSHED.path })] };
    if (due === "right" && turn === 1) return { content: [ask("q", "Which length?")] };
    if (due === "right" && turn === 2) {
      return { content: [call("e", "editFile", { path: "right.txt", oldStr: "", newStr: "once\n" })] };
    }
    return write;
  });
}

class PresentHost implements Host {
  readonly canAsk = true;

  async ask({ kind }: InteractionRequest): Promise<AskResult> {
    const selectedOptionId = kind === "Confirm" ? "approve" : "calm";
    return { answer: { selectedOptionId }, actorId: "terminal:t" };
  }

  async taskEnded(): Promise<void> {}
  async secure(): Promise<void> {}
}

type Files = ReadonlyMap<string, Buffer>;

/** Every file of the repository but for the stores. */
function filesOf({ root }: ContentWorld): Files {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const names = paths.map((path) => path.slice(root.length + 1));
  const kept = names.filter((name) => !name.startsWith(".looplia/state/"));
  return new Map(kept.map((name) => [name, readFileSync(join(root, name))]));
}

/** `before[n]`: the repository when line n + 1 of the session was about to become durable. */
function recording(world: ContentWorld, before: Files[]): (stores: Stores) => Stores {
  const recorded = (work: WorkStore): WorkStore => ({
    workId: work.workId,
    async session(sessionId) {
      const store = await work.session(sessionId);
      return {
        sessionId,
        load: () => store.load(),
        append: (lines) => {
          const files = filesOf(world);
          for (const _ of lines) before.push(files);
          return store.append(lines);
        },
        freeze: (bytes) => store.freeze(bytes),
        readFrozen: (sha256) => store.readFrozen(sha256),
        close: () => store.close(),
      };
    },
    workEvents: () => work.workEvents(),
    appendWorkEvents: (events) => work.appendWorkEvents(events),
    nextOrdinal: () => work.nextOrdinal(),
    auditHeads: () => work.auditHeads(),
    seal: (whileSealed) => work.seal(whileSealed),
    close: () => work.close(),
  });
  return (stores) => ({ ...stores, open: async (work) => recorded(await stores.open(work)) });
}

/** Files of the stores with the first `count` lines of the session, whatever store they are in. */
function cutStores({ root }: ContentWorld, count: number): Files {
  const folder = join(root, ".looplia/state");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const cut = new Map<string, Buffer>();
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\/(lock|logs)(\/|$)/.test(path)) continue;
    const bytes = readFileSync(path);
    const isStore = /\/(events|conversation|audit)\/\d{6}\.jsonl$/.test(path);
    const lines = bytes.toString("utf8").split(/(?<=\n)/);
    const left = isStore ? lines.filter((line) => JSON.parse(line).seq <= count).join("") : bytes;
    if (left.length > 0) cut.set(path.slice(root.length + 1), Buffer.from(left));
  }
  return cut;
}

async function worldOf(...all: Files[]): Promise<ContentWorld> {
  const world = await createContentWorld();
  for (const [path, bytes] of all.flatMap((files) => [...files])) {
    await mkdir(dirname(join(world.root, path)), { recursive: true });
    await writeFile(join(world.root, path), bytes);
  }
  return world;
}

/** Everything that was said in the session's conversations, by their names; its id blotted out. */
async function conversationsOf(world: ContentWorld, sessionId: string): Promise<Map<string, string>> {
  const state = join(world.root, ".looplia/state");
  const works = readdirSync(state).map((work) => join(state, work));
  const work = works.find((one) => readdirSync(join(one, "sessions")).includes(sessionId)) ?? "";
  const { conversations } = viewSession(sessionId, await readSession(work, sessionId));
  const said = [...conversations].map(([name, { messages }]): [string, string] => [name, textOf(messages)]);
  return new Map(said.map((pair) => blotted(pair, sessionId)));
}

/** Without what may differ: the session's id, and how an edit is told that its file shows as made. */
function blotted([name, text]: [string, string], sessionId: string): [string, string] {
  const same = text.replaceAll(sessionId, "<session>").replaceAll("Done: right.txt.", "Created right.txt.");
  return [name.replace(`${sessionId}/`, ""), same];
}

/** So that a beginning of the messages is a beginning of the text. */
function textOf(messages: readonly unknown[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

function frameOf({ prefix }: ModelRequest): string {
  return JSON.stringify(prefix);
}

test("every prefix of a recorded session ends as it did, each request with the one before as its exact beginning", async () => {
  const recorded = await createContentWorld(FILES);
  const before: Files[] = [];
  const stores = recording(recorded, before);
  const models = [sidesModel(), sidesModel()] as const;
  const away = new ScriptedHost([]);
  const waiting = await recorded.run({ kind: "file", source: "a.md" }, models[0], {
    settings,
    stores,
    host: away,
  });
  expect(waiting.status).toBe("waiting");
  expect(away.asked.map(({ display }) => display.title).sort()).toEqual(["Which length?", "Which tone?"]);
  const pausedAt = before.length;
  await recorded.write(PUSHED.path, PUSHED.text);
  const [sessionId = ""] = await sessionsOf(recorded);
  const host = new PresentHost();
  const resumed = await recorded.run({ kind: "session", sessionId }, models[1], { settings, stores, host });
  expect(resumed.status).toBe("completed");
  const [end, said] = [readEndState(recorded.root), await conversationsOf(recorded, sessionId)];
  expect([...said.keys()].filter((name) => name.includes("/t"))).toHaveLength(1);
  const frames = new Map(
    models.flatMap(({ requests }) =>
      requests.map((one) => blotted([one.conversationId, frameOf(one)], sessionId)),
    ),
  );

  const goOnFrom = async (count: number): Promise<void> => {
    const place = `${count} of ${before.length} lines, paused at ${pausedAt}`;
    const world = await worldOf(before[count] ?? new Map(), cutStores(recorded, count));
    if (count <= pausedAt) await world.write(PUSHED.path, PUSHED.text);
    const isBegun =
      (await world.read(`.looplia/contentItem/${sessionId}/session.json`).catch(() => "")) !== "";
    const trigger = isBegun
      ? ({ kind: "session", sessionId } as const)
      : ({ kind: "file", source: "a.md" } as const);
    const model = sidesModel();
    const result = await world.run(trigger, model, { settings, host: new PresentHost() });
    expect(result.status, place).toBe("completed");
    const faults = findFaults(world.root).filter((fault) => fault !== EDIT_MADE_AGAIN);
    expect(faults, place).toEqual([]);
    expect(readEndState(world.root), place).toEqual(end);
    expect(await world.read("right.txt"), place).toBe("once\n");
    const id = result.items[0]?.sessionId ?? "";
    expect(await conversationsOf(world, id), place).toEqual(said);
    for (const request of model.requests) {
      const [name, text] = blotted([request.conversationId, textOf(request.messages)], id);
      expect(said.get(name)?.startsWith(text), `${place}: ${name}`).toBe(true);
      expect(frameOf(request), place).toBe(frames.get(name));
    }
  };
  const limit = pLimit(AT_ONCE);
  const counts = before.map((_, index) => index).slice(1);
  await Promise.all(counts.map((count) => limit(() => goOnFrom(count))));
});

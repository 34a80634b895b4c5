// Sessions that go on after something changed meanwhile: files, pipeline, source, another process, a kill.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Host, Stores } from "../../src/core/ports.ts";
import { ScriptedHost } from "../fakes/agent-world.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { Killed, mortalStores } from "../fakes/dying-stores.ts";
import { ARTICLE, askingModel, dueOutputs, IDEAS, kitModel, writeDue } from "../fakes/kit-script.ts";
import { call, ScriptedModel, type ScriptedReply } from "../fakes/scripted-model.ts";

const FILE = { kind: "file", source: "a.md" } as const;
const ITEMS = { kind: "items", workId: "writing-kit-abcdef", key: "k", sources: ["a.md"] } as const;
const ALL = [["summary"], ["ideas"], ["outline"]];

async function sessionOf(world: ContentWorld): Promise<{ folder: string; sessionId: string }> {
  const [sessionId = ""] = await sessionsOf(world);
  return { folder: `.looplia/contentItem/${sessionId}`, sessionId };
}

const question = (id: string) => call(id, "askUser", { question: "Which angle?", options: ["Calm", "Loud"] });

/** A session whose step `ideas` is waiting for an answer. */
async function waitingWorld(files: Record<string, string> = {}) {
  const world = await createContentWorld({ "a.md": ARTICLE, ...files });
  const host = new ScriptedHost([]);
  const result = await world.run(FILE, askingModel("ideas"), { host });
  expect(result.status).toBe("waiting");
  const interactionId = host.asked[0]?.interactionId ?? "";
  return { world, interactionId, ...(await sessionOf(world)) };
}

const firsts = (model: ScriptedModel) =>
  model.requests.filter((request) => request.messages.length === 1).map(dueOutputs);

const OWN_WORDS = { headline: "A headline in a person's own words" };

const PIPELINE = join(import.meta.dirname, "../../pipelines/writing-kit.yaml");

it("due neighbours of one agent stay one task when what they began together became stale", async () => {
  const own = (await readFile(PIPELINE, "utf8")).replace("agent: content-analyzer", "agent: idea-generator");
  const world = await createContentWorld({ "a.md": ARTICLE, ".looplia/pipelines/writing-kit.yaml": own });
  const waiting = await world.run(FILE, askingModel("summary"), { host: new ScriptedHost([]) });
  expect(waiting.status).toBe("waiting");
  const { sessionId } = await sessionOf(world);
  const model = kitModel();
  const forced = { settings: { force: ["summary"] } };
  expect((await world.run({ kind: "session", sessionId }, model, forced)).status).toBe("completed");
  expect(firsts(model)).toEqual([["summary", "ideas"], ["outline"]]);
});

it("a call for an output that is not due counts as a try", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const model = new ScriptedModel(({ messages }) => ({
    content: [call(`w${messages.length}`, "writeArtifact", { output: "outline", content: {} })],
  }));
  const result = await world.run(FILE, model);
  expect(result).toMatchObject({ status: "failed", reasonCode: "invalid-artifact" });
  expect(model.requests.length).toBeLessThanOrEqual(4);
});

describe("while a step is waiting for an answer", () => {
  it("a person edits the artifact that it was begun from: it starts over, from the edited one", async () => {
    const { world, sessionId, folder } = await waitingWorld();
    const edited = JSON.stringify({
      ...JSON.parse(await world.read(`${folder}/summary.json`)),
      ...OWN_WORDS,
    });
    await world.write(`${folder}/summary.json`, edited);
    const model = kitModel();
    expect((await world.run({ kind: "session", sessionId }, model)).status).toBe("completed");
    expect(firsts(model)).toEqual(ALL.slice(1));
    expect(await world.read(`${folder}/summary.json`)).toBe(edited);
  });

  it("it is forced: it starts over, and the old question is closed", async () => {
    const { world, sessionId, interactionId } = await waitingWorld();
    const model = kitModel();
    const settings = { force: ["ideas"] };
    expect((await world.run({ kind: "session", sessionId }, model, { settings })).status).toBe("completed");
    expect(firsts(model)).toEqual(ALL.slice(1));
    const late = { kind: "answer", interactionId, answer: { selectedOptionId: "calm" } } as const;
    await expect(world.run({ ...late, actorId: "terminal:t" }, kitModel())).rejects.toThrow("no longer open");
  });

  it("it starts over: its due neighbour of the same agent is one task with it again", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(FILE, askingModel("outline"), { settings: { output: "outline" } });
    const ended: (readonly string[])[] = [];
    const host: Host = new ScriptedHost([]);
    host.taskEnded = async ({ outputs }) => {
      ended.push(outputs);
    };
    const { sessionId } = await sessionOf(world);
    const settings = { force: ["outline"] };
    await world.run({ kind: "session", sessionId }, kitModel(), { host, settings });
    expect(ended).toEqual([["outline", "writing-kit"]]);
  });

  it("what it builds on is forced: both start over", async () => {
    const { world, sessionId } = await waitingWorld();
    const model = kitModel();
    const settings = { force: ["summary"] };
    expect((await world.run({ kind: "session", sessionId }, model, { settings })).status).toBe("completed");
    expect(firsts(model)).toEqual(ALL);
  });

  it("its agent is another one now: it starts over", async () => {
    const { world, sessionId } = await waitingWorld();
    const builtIn = await readFile(join(import.meta.dirname, "../../pipelines/writing-kit.yaml"), "utf8");
    await world.write(
      ".looplia/pipelines/writing-kit.yaml",
      builtIn.replace("agent: idea-generator", "agent: poet"),
    );
    await world.write(".looplia/.claude/agents/poet.md", "---\nname: poet\ndescription: d\n---\nRhyme.\n");
    const model = kitModel();
    expect((await world.run({ kind: "session", sessionId }, model)).status).toBe("completed");
    expect(firsts(model)[0]).toEqual(["ideas"]);
    expect(model.requests[0]?.prefix.system).toContain("Rhyme.");
  });

  it("the source changes: an answer is refused with the reason and changes nothing", async () => {
    const { world, sessionId, folder, interactionId } = await waitingWorld();
    await world.write("a.md", `${ARTICLE}\nOne more line.\n`);
    const before = await world.read(`${folder}/session.json`);
    const answer = { kind: "answer", interactionId, answer: { selectedOptionId: "calm" } } as const;
    await expect(world.run({ ...answer, actorId: "terminal:t" }, new ScriptedModel([]))).rejects.toThrow(
      "the source changed",
    );
    expect(await world.read(`${folder}/session.json`)).toBe(before);
    const model = kitModel();
    expect((await world.run({ kind: "session", sessionId }, model)).status).toBe("completed");
    expect(firsts(model)).toEqual(ALL);
  });

  it("nothing changes: the answer goes into the same conversation", async () => {
    const { world, interactionId } = await waitingWorld();
    const model = kitModel();
    const answer = { kind: "answer", interactionId, answer: { selectedOptionId: "2" } } as const;
    expect((await world.run({ ...answer, actorId: "terminal:t" }, model)).status).toBe("completed");
    expect(model.requests[0]?.messages).toHaveLength(3);
    expect(firsts(model)).toEqual(ALL.slice(2));
  });

  it("two answers at once: one counts, the other is told so", async () => {
    const { world, interactionId } = await waitingWorld();
    const answer = (selectedOptionId: string) =>
      world.run(
        { kind: "answer", interactionId, answer: { selectedOptionId }, actorId: "terminal:t" },
        kitModel(),
      );
    const results = await Promise.allSettled([answer("calm"), answer("loud"), answer("calm")]);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(String(result.reason)).toMatch(/in use|no longer open/);
    }
  });

  it("an earlier output was asked for: the answer runs no further than that", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const host = new ScriptedHost([]);
    await world.run(FILE, askingModel("ideas"), { host, settings: { output: "ideas" } });
    const interactionId = host.asked[0]?.interactionId ?? "";
    const answer = { kind: "answer", interactionId, answer: { selectedOptionId: "2" } } as const;
    const result = await world.run({ ...answer, actorId: "terminal:t" }, kitModel());
    expect(result.items[0]).toMatchObject({ status: "completed", output: "ideas" });
    expect(result.items[0]?.artifacts.has("outline")).toBe(false);
  });
});

describe("an accepted artifact of a task that is not done", () => {
  /** Outline accepted, the kit not: the builder asks in between. */
  async function halfDone() {
    const world = await createContentWorld({
      "a.md": ARTICLE,
      ".looplia/.claude/agents/writing-kit-builder.md":
        "---\nname: writing-kit-builder\ndescription: d\n---\nBuild.\n",
    });
    const model = new ScriptedModel((request): ScriptedReply => {
      const written = writeDue(request);
      const isBuilder = dueOutputs(request).includes("outline") && request.messages.length === 1;
      return isBuilder ? { content: [...written.content.slice(0, 1), question("q")] as never } : written;
    });
    expect((await world.run(FILE, model)).status).toBe("waiting");
    return { world, ...(await sessionOf(world)) };
  }
  const cases: [string, (path: string) => Promise<void>][] = [
    ["was removed", (path) => rm(path)],
    ["was cut short", (path) => writeFile(path, "[{")],
    ["was swapped", (path) => writeFile(path, '[{"heading":"x","notes":"y","keyPoints":["z"]}]\n')],
  ];
  it.each(cases)("%s: the task starts over", async (_name, change) => {
    const { world, sessionId, folder } = await halfDone();
    await change(join(world.root, folder, "outline.json"));
    const model = kitModel();
    expect((await world.run({ kind: "session", sessionId }, model)).status).toBe("completed");
    expect(firsts(model)).toEqual([["outline"]]);
    const kit = JSON.parse(await world.read(`${folder}/writing-kit.json`));
    expect(kit.suggestedOutline).toEqual(JSON.parse(await world.read(`${folder}/outline.json`)));
    expect((await world.run({ kind: "session", sessionId }, new ScriptedModel([]))).reasonCode).toBe(
      "up-to-date",
    );
  });

  it("changes before the task ends: the step is not marked completed", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = new ScriptedModel(async (request): Promise<ScriptedReply> => {
      const written = writeDue(request);
      if (!dueOutputs(request).includes("outline")) return written;
      if (request.messages.length === 1) return { content: written.content.slice(0, 1) as never };
      const { folder } = await sessionOf(world);
      await world.write(`${folder}/outline.json`, '[{"heading":"x","notes":"y","keyPoints":["z"]}]\n');
      return { content: written.content.slice(1) as never };
    });
    const result = await world.run(FILE, model);
    const { folder, sessionId } = await sessionOf(world);
    if (result.status === "completed") {
      const again = await world.run({ kind: "session", sessionId }, new ScriptedModel([]));
      expect(again.reasonCode).toBe("up-to-date");
    } else {
      expect(result.items[0]?.message).toContain("outline.json");
      const { steps } = JSON.parse(await world.read(`${folder}/session.json`));
      expect(steps.outline.status).toBe("failed");
    }
  });
});

describe("killed between the manifest and the end of the task", () => {
  /** All done, but the last `TaskCompleted` never reached the disk. */
  async function unfinished() {
    const whole = { lines: 0, ends: Number.POSITIVE_INFINITY };
    const reference = await createContentWorld({ "a.md": ARTICLE });
    await reference.run(FILE, kitModel(), { stores: mortalStores(whole) });
    const world = await createContentWorld({ "a.md": ARTICLE });
    const stores = mortalStores({ lines: 0, ends: whole.lines - 1, lingers: true });
    await expect(world.run(FILE, kitModel(), { stores })).rejects.toThrow(Killed);
    const session = await sessionOf(world);
    const { steps } = JSON.parse(await world.read(`${session.folder}/session.json`));
    expect(steps["writing-kit"].status).toBe("completed");
    return { world, ...session };
  }

  it("a file is removed: its step runs", async () => {
    const { world, folder, sessionId } = await unfinished();
    await rm(join(world.root, folder, "writing-kit.json"));
    const result = await world.run({ kind: "session", sessionId }, kitModel());
    expect(result.status).toBe("completed");
    expect(JSON.parse(await world.read(`${folder}/writing-kit.json`)).contentId).toBe(sessionId);
  });

  it("its output is forced: it runs again", async () => {
    const { world, sessionId } = await unfinished();
    const model = kitModel();
    await world.run({ kind: "session", sessionId }, model, { settings: { force: ["outline"] } });
    expect(firsts(model)).toEqual([["outline"]]);
  });
});

describe("another process", () => {
  it("finished the session between the plan and the lock: nothing runs twice", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(FILE, kitModel(), { settings: { output: "summary" } });
    const { sessionId } = await sessionOf(world);
    const late = (stores: Stores): Stores => ({
      ...stores,
      open: async (work) => {
        await world.run({ kind: "session", sessionId }, kitModel());
        return stores.open(work);
      },
    });
    const result = await world.run({ kind: "session", sessionId }, new ScriptedModel([]), { stores: late });
    expect(result).toMatchObject({ status: "completed" });
  });

  it("began the item's session between the plan and the lock: it is the one that goes on", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const late = (stores: Stores): Stores => ({
      ...stores,
      open: async (work) => {
        await world.run(ITEMS, kitModel());
        return stores.open(work);
      },
    });
    const result = await world.run(ITEMS, new ScriptedModel([]), { stores: late });
    expect(result.status).toBe("completed");
    expect(await sessionsOf(world)).toHaveLength(1);
  });

  it("at work on the same session: busy, and nothing is changed", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(FILE, kitModel(), { settings: { output: "summary" } });
    const { sessionId } = await sessionOf(world);
    const model = new ScriptedModel(async (request) => {
      if (request.messages.length === 1 && dueOutputs(request).includes("ideas")) {
        const other = world.run({ kind: "session", sessionId }, new ScriptedModel([]));
        await expect(other).rejects.toMatchObject({ code: "busy" });
      }
      return writeDue(request);
    });
    expect((await world.run({ kind: "session", sessionId }, model)).status).toBe("completed");
  });
});

describe("many items", () => {
  it("a bug in one ends the run only when the others are done", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, "b.md": ARTICLE.replace("Kettles", "Pots") });
    const model = new ScriptedModel(async (request) => {
      if (request.conversationId.startsWith("kettles")) throw new TypeError("a bug");
      await new Promise((resolve) => setTimeout(resolve, 50));
      return writeDue(request);
    });
    await expect(world.run({ ...ITEMS, sources: ["a.md", "b.md"] }, model)).rejects.toThrow("a bug");
    const pots = (await sessionsOf(world)).find((name) => name.startsWith("pots")) ?? "";
    const { steps } = JSON.parse(await world.read(`.looplia/contentItem/${pots}/session.json`));
    expect(steps["writing-kit"].status).toBe("completed");
  });

  it.each([
    ["torn", (text: string) => text.slice(0, text.length / 2)],
    ["torn at its beginning", () => '{ "ver'],
    ["of a newer version", (text: string) => text.replace('"version": 1', '"version": 2')],
  ])("one whose session.json is %s fails alone and is left as it is", async (_name, damage) => {
    const world = await createContentWorld({ "a.md": ARTICLE, "b.md": ARTICLE.replace("Kettles", "Pots") });
    await world.run(ITEMS, kitModel());
    const { folder } = await sessionOf(world);
    const damaged = damage(await world.read(`${folder}/session.json`));
    await world.write(`${folder}/session.json`, damaged);
    const result = await world.run({ ...ITEMS, sources: ["a.md", "b.md"] }, kitModel());
    expect(result.items.map((item) => [item.source, item.status, item.reasonCode])).toEqual([
      ["a.md", "failed", "config-invalid"],
      ["b.md", "completed", "done"],
    ]);
    expect(result.items[0]?.message).toContain(`${folder}/session.json`);
    expect(await world.read(`${folder}/session.json`)).toBe(damaged);
    expect(await sessionsOf(world)).toHaveLength(2);
  });
});

describe("artifacts of steps that this run does not need", () => {
  const cases: [string, (path: string) => Promise<void>][] = [
    ["cut short", (path) => writeFile(path, "[{")],
    ["not UTF-8", (path) => writeFile(path, new Uint8Array([0x5b, 0xff, 0x5d]))],
    ["of another shape", (path) => writeFile(path, "{}")],
  ];
  it.each(cases)("are %s: they are left out, and the run ends as ever", async (_name, damage) => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(FILE, kitModel());
    const { folder, sessionId } = await sessionOf(world);
    await damage(join(world.root, folder, "outline.json"));
    const settings = { output: "summary" };
    const done = await world.run({ kind: "session", sessionId }, new ScriptedModel([]), { settings });
    expect(done.reasonCode).toBe("up-to-date");
    const forced = { output: "ideas", force: ["ideas"] };
    const again = await world.run({ kind: "session", sessionId }, kitModel(), { settings: forced });
    expect(again.items[0]?.artifact).toMatchObject({ hooks: IDEAS.hooks });
    expect((await world.run({ kind: "session", sessionId }, kitModel())).status).toBe("completed");
  });
});

describe("a place that can't be written", () => {
  it("in mid-run ends the run with the reason; the model is not told to fix it", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = new ScriptedModel(async (request): Promise<ScriptedReply> => {
      const { folder } = await sessionOf(world);
      await mkdir(join(world.root, folder, "summary.json"), { recursive: true });
      return writeDue(request);
    });
    await expect(world.run(FILE, model)).rejects.toMatchObject({
      code: "host-failed",
      message: expect.stringMatching(/contentItem\/.*\/summary\.json/),
    });
    expect(model.requests).toHaveLength(1);
  });
});

describe("the stores of a session", () => {
  async function stopped() {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(FILE, askingModel("ideas"));
    const { sessionId, folder } = await sessionOf(world);
    const stores = join(world.root, ".looplia/state", sessionId, "sessions", sessionId);
    return { world, sessionId, folder, segment: (name: string) => join(stores, `${name}/000001.jsonl`) };
  }

  it.each(["events", "conversation", "audit"])(
    "%s with a torn last line: it is reported, and the run goes on",
    async (name) => {
      const { world, sessionId, segment } = await stopped();
      const text = await readFile(segment(name), "utf8");
      await writeFile(segment(name), text.slice(0, -20));
      const result = await world.run({ kind: "session", sessionId }, kitModel());
      const notices = world.events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
      expect(notices.join()).toContain(`${name}/000001.jsonl`);
      // The question stands where it was asked; where that was lost, the model is asked again.
      expect(["completed", "waiting"]).toContain(result.status);
    },
  );

  it.each(["events", "conversation", "audit"])(
    "%s damaged before its end: store-corrupt, and nothing is changed",
    async (name) => {
      const { world, sessionId, folder, segment } = await stopped();
      const damaged = (await readFile(segment(name), "utf8")).replace("{", "#");
      await writeFile(segment(name), damaged);
      const before = await world.read(`${folder}/session.json`);
      const run = world.run({ kind: "session", sessionId }, new ScriptedModel([]));
      await expect(run).rejects.toMatchObject({
        code: "store-corrupt",
        message: expect.stringContaining(`${name}/000001.jsonl:1`),
      });
      expect(await readFile(segment(name), "utf8")).toBe(damaged);
      expect(await world.read(`${folder}/session.json`)).toBe(before);
    },
  );

  it("a folder in a segment's place is a clear error, also while another session is answered", async () => {
    const { world, sessionId, segment } = await stopped();
    const host = new ScriptedHost([]);
    await world.run(FILE, askingModel("ideas"), { host });
    await rm(segment("events"));
    await mkdir(segment("events"));
    const run = world.run({ kind: "session", sessionId }, new ScriptedModel([]));
    await expect(run).rejects.toMatchObject({ code: "store-corrupt" });
    const answer = { kind: "answer", actorId: "terminal:t", answer: { selectedOptionId: "calm" } } as const;
    const interactionId = host.asked[0]?.interactionId ?? "";
    expect((await world.run({ ...answer, interactionId }, kitModel())).status).toBe("completed");
    const lost = world.run({ ...answer, interactionId: "x.q1-abcdef" }, new ScriptedModel([]));
    await expect(lost).rejects.toMatchObject({ code: "store-corrupt" });
  });
});

describe("a file where the folder of sessions should be", () => {
  it.each([FILE, ITEMS])("is said to be so, and nothing is changed: %o", async (trigger) => {
    const world = await createContentWorld({ "a.md": ARTICLE, ".looplia/contentItem": "" });
    const ended = await world.run(trigger, new ScriptedModel([])).catch((error: unknown) => error);
    const failed = { code: "config-invalid", message: expect.stringContaining("contentItem") };
    const { code, ...said } = failed;
    if (trigger.kind === "file") expect(ended).toMatchObject(failed);
    else expect(ended).toMatchObject({ status: "failed", items: [{ reasonCode: code, ...said }] });
    expect(await readdir(join(world.root, ".looplia"))).toEqual(["contentItem"]);
  });
});

describe("settings that change between runs", () => {
  it("the program leads what a main agent began: its question is closed", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = new ScriptedModel([{ content: [question("q")] }]);
    const settings = { orchestration: "agent" } as const;
    expect((await world.run(FILE, model, { settings })).status).toBe("waiting");
    const { sessionId } = await sessionOf(world);
    const result = await world.run({ kind: "session", sessionId }, kitModel());
    expect(result.status).toBe("completed");
    expect(result.items[0]?.interactions).toEqual([]);
  });

  it("a limit in dollars is refused while an agent names a model without a price", async () => {
    const agent = "---\nname: content-analyzer\ndescription: d\nmodel: unheard-of\n---\nRead.\n";
    const files = { "a.md": ARTICLE, ".looplia/.claude/agents/content-analyzer.md": agent };
    const world = await createContentWorld(files);
    const model = new ScriptedModel([], { price: (name) => (name === "unheard-of" ? null : 0.1) });
    const run = world.run(FILE, model, { settings: { limits: { maxTurns: 50, maxCostUsd: 1 } } });
    await expect(run).rejects.toThrow("unheard-of");
    expect(await sessionsOf(world)).toEqual([]);
  });
});

describe("a link in the session folder", () => {
  it.each([
    ["ideas.json", "../../../notes.json"],
    ["ideas.json", "../../../.git/config"],
    ["ideas.json", "nowhere"],
    ["ideas.json", "/etc/hostname"],
    ["session.json", "../../../notes.json"],
    ["content.md", "../../../.git/config"],
  ])("%s -> %s is refused: nothing is read or written through it", async (file, target) => {
    const world = await createContentWorld({ "a.md": ARTICLE, ".git/config": "token = secret\n" });
    await world.run(FILE, kitModel(), { settings: { output: "summary" } });
    const { folder, sessionId } = await sessionOf(world);
    await world.write("notes.json", await world.read(`${folder}/session.json`));
    await rm(join(world.root, folder, file), { force: true });
    await symlink(target, join(world.root, folder, file));
    await rm(join(world.root, "a.md"));
    const before = await world.read("notes.json");
    const run = world.run({ kind: "session", sessionId }, new ScriptedModel([]));
    await expect(run).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(file),
    });
    expect(await world.read("notes.json")).toBe(before);
    expect(await world.read(".git/config")).toBe("token = secret\n");
  });

  it("that appears in mid-run ends the run", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, "notes.json": "{}" });
    const model = new ScriptedModel(async (request) => {
      const { folder } = await sessionOf(world);
      await symlink("../../../notes.json", join(world.root, folder, "summary.json"));
      return writeDue(request);
    });
    await expect(world.run(FILE, model)).rejects.toMatchObject({ code: "host-failed" });
    expect(await world.read("notes.json")).toBe("{}");
  });
});

describe("a session.json whose source is forged", () => {
  it.each(["\u0000", ".looplia", "x".repeat(5000)])("as %j is a clear error", async (source) => {
    const { world, sessionId } = await forge({ source });
    const run = world.run({ kind: "session", sessionId }, new ScriptedModel([]));
    await expect(run).rejects.toMatchObject({ code: "config-invalid" });
  });

  it.each(["", "content/gone.md"])("as %j goes on from the copy", async (source) => {
    const { world, sessionId } = await forge({ source });
    expect((await world.run({ kind: "session", sessionId }, kitModel())).status).toBe("completed");
  });

  it.each(["/etc/hostname", "../secret.md", "content/../../secret.md"])(
    "as %j, outside the repository, is refused with file and reason, and no model sees it",
    async (source) => {
      const { world, sessionId } = await forge({ source });
      await writeFile(join(world.root, "../secret.md"), "# Secret\n\nNobody may read this.\n");
      onTestFinished(() => rm(join(world.root, "../secret.md"), { force: true }));
      const model = new ScriptedModel([]);
      const run = world.run({ kind: "session", sessionId }, model);
      await expect(run).rejects.toThrow(/session\.json: its source .* outside the repository/);
      expect(model.requests).toEqual([]);
    },
  );

  it("as a file outside goes on while that is what the session began with", async () => {
    const folder = await mkdtemp(join(tmpdir(), "looplia-outside-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "a.md"), ARTICLE);
    const { world, sessionId } = await forge({ source: join(folder, "a.md") });
    expect((await world.run({ kind: "session", sessionId }, kitModel())).status).toBe("completed");
  });

  async function forge(fields: Record<string, unknown>) {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(FILE, kitModel(), { settings: { output: "summary" } });
    const { folder, sessionId } = await sessionOf(world);
    const manifest = JSON.parse(await world.read(`${folder}/session.json`));
    await world.write(`${folder}/session.json`, JSON.stringify({ ...manifest, ...fields }));
    return { world, sessionId };
  }
});

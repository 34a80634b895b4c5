import { readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentSummarySchema, writingKitSchema } from "../../src/content/artifact.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import { type ContentWorld, createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, dueOutputs, kitModel, SUMMARY, writeDue } from "../fakes/kit-script.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";

const FILE = { kind: "file", source: "a.md" } as const;
const ITEMS = { kind: "items", workId: "writing-kit-abcdef", key: "k", sources: ["a.md"] } as const;

async function sessionOf(world: ContentWorld): Promise<{ folder: string; sessionId: string }> {
  const [sessionId = ""] = await sessionsOf(world);
  return { folder: `.looplia/contentItem/${sessionId}`, sessionId };
}

describe("a whole run", () => {
  it("makes four valid artifacts and a manifest, one task for the two steps of one agent", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = kitModel();
    const result = await world.run(FILE, model);
    expect(result).toMatchObject({ status: "completed", reasonCode: "done" });
    expect(model.requests.map(dueOutputs)).toEqual([["summary"], ["ideas"], ["outline"]]);
    const { folder, sessionId } = await sessionOf(world);
    const kit = writingKitSchema().parse(JSON.parse(await world.read(`${folder}/writing-kit.json`)));
    const summary = contentSummarySchema().parse(JSON.parse(await world.read(`${folder}/summary.json`)));
    expect(kit.summary).toEqual(summary);
    expect(kit.contentId).toBe(sessionId);
    expect(kit.source).toEqual({
      id: sessionId,
      label: "Kettles and time",
      url: "https://example.org/kettles",
    });
    expect(kit.meta).toEqual({ relevanceToUser: 0.5, estimatedReadingTimeMinutes: 1 });
    expect(await world.read(`${folder}/content.md`)).toBe(ARTICLE);
    const manifest = JSON.parse(await world.read(`${folder}/session.json`));
    expect(Object.values(manifest.steps).map((step) => (step as { status: string }).status)).toEqual(
      Array(4).fill("completed"),
    );
  });

  it.each(["program", "agent"] as const)(
    "ends with the same files under orchestration %s",
    async (orchestration) => {
      const world = await createContentWorld({ "a.md": ARTICLE });
      const model = new ScriptedModel((request) => {
        if (!request.conversationId.endsWith("/orchestrate#1")) return writeDue(request);
        const agents = ["content-analyzer", "idea-generator", "writing-kit-builder"];
        const agent = agents[(request.messages.length - 1) / 2];
        return {
          content: [call(`t${request.messages.length}`, "Task", { agent, prompt: "Your step, please." })],
        };
      });
      const result = await world.run(FILE, model, { settings: { orchestration } });
      expect(result.status).toBe("completed");
      const { folder, sessionId } = await sessionOf(world);
      const names = ["summary", "ideas", "outline", "writing-kit"];
      const files = await Promise.all(names.map((name) => world.read(`${folder}/${name}.json`)));
      expect(files.map((text) => text.replaceAll(sessionId, "ID"))).toMatchSnapshot("files of a session");
    },
  );

  it("finishes what the main agent forgot", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = new ScriptedModel((request) =>
      request.conversationId.endsWith("/orchestrate#1") ? "I think that is all." : writeDue(request),
    );
    const result = await world.run(FILE, model, { settings: { orchestration: "agent" } });
    expect(result.status).toBe("completed");
    expect(model.requests).toHaveLength(4);
  });

  it("stops at an earlier output and goes on from there", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const first = await world.run(FILE, kitModel(), { settings: { output: "summary" } });
    expect(first.items[0]).toMatchObject({ output: "summary", finalOutput: "writing-kit" });
    const { sessionId, folder } = await sessionOf(world);
    await expect(world.read(`${folder}/ideas.json`)).rejects.toThrow();
    const model = kitModel();
    await world.run({ kind: "session", sessionId }, model);
    expect(model.requests.map(dueOutputs)).toEqual([["ideas"], ["outline"]]);
  });

  it("asks nothing of a model in a dry run and changes nothing", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const result = await world.run(FILE, new ScriptedModel([]), { settings: { dryRun: true } });
    expect(result.items[0]?.steps.map((step) => step.status)).toEqual(Array(4).fill("pending"));
    expect(await sessionsOf(world)).toEqual([]);
  });

  it("leaves no trace where no session can be written", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, ".looplia/elsewhere/x": "" });
    await symlink("elsewhere", join(world.root, ".looplia/contentItem"));
    const run = world.run(FILE, new ScriptedModel([]));
    await expect(run).rejects.toMatchObject({ message: expect.stringContaining("a link is on it") });
    expect((await readdir(join(world.root, ".looplia"))).sort()).toEqual(["contentItem", "elsewhere"]);
  });
});

describe("an artifact that is not valid", () => {
  const bad = { ...SUMMARY, headline: "short", importantQuotes: [{ text: "nobody said this" }] };

  it("is never the step's file; the model gets every error and a hint and tries again", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    let writes = 0;
    const model = new ScriptedModel((request) => {
      if (!dueOutputs(request).includes("summary")) return writeDue(request);
      writes += 1;
      return writeDue(request, writes === 1 ? new Map([["summary", bad]]) : undefined);
    });
    expect((await world.run(FILE, model)).status).toBe("completed");
    const retry = JSON.stringify(model.requests[1]?.messages.at(-1));
    expect(retry).toContain("headline");
    expect(retry).toContain("nobody said this");
    const failed = world.events.find((event) => event.type === "validation-failed");
    expect(failed).toMatchObject({ output: "summary", recoverable: true });
  });

  it("fails the step after the retries, with field, expectation and what came; what depends on it does not run", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = new ScriptedModel((request) => writeDue(request, new Map([["summary", bad]])));
    const result = await world.run(FILE, model);
    expect(result).toMatchObject({ status: "failed", reasonCode: "invalid-artifact" });
    expect(model.requests).toHaveLength(3);
    const { folder } = await sessionOf(world);
    await expect(world.read(`${folder}/summary.json`)).rejects.toThrow();
    const { steps } = JSON.parse(await world.read(`${folder}/session.json`));
    expect(steps.summary.status).toBe("failed");
    expect(steps.summary.errorMessage).toMatch(/headline.*10.*short/);
    expect(steps.ideas.status).toBe("pending");
  });

  it("can't be claimed: an agent that ends without it is told once, then the step is failed", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = new ScriptedModel(["I have written summary.json.", "Really."]);
    const result = await world.run(FILE, model);
    expect(result.items[0]?.message).toContain("Really.");
    model.assertDone();
  });

  it("can't be another task's or a name that nobody knows", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const turn = {
      content: ["ideas", "../session", "__proto__"].map((output, at) =>
        call(`${at}`, "writeArtifact", { output, content: {} }),
      ),
    };
    const model = new ScriptedModel((request, index) => (index === 0 ? turn : writeDue(request)));
    expect((await world.run(FILE, model)).status).toBe("completed");
    expect(JSON.stringify(model.requests[1]?.messages.at(-1)).match(/Not written/g)).toHaveLength(3);
  });

  it("ends when the agent sends nothing but other outputs, turn after turn", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const model = new ScriptedModel((_, index) => ({
      content: [call(`${index}`, "writeArtifact", { output: "ideas", content: {} })],
    }));
    expect((await world.run(FILE, model)).reasonCode).toBe("invalid-artifact");
    expect(model.requests).toHaveLength(3);
  });
});

const ALL = [["summary"], ["ideas"], ["outline"]];

function changeSteps(names: readonly string[], change: (step: object) => object) {
  return async (world: ContentWorld, folder: string): Promise<void> => {
    const manifest = JSON.parse(await world.read(`${folder}/session.json`));
    for (const name of names) manifest.steps[name] = change(manifest.steps[name]);
    await world.write(`${folder}/session.json`, JSON.stringify(manifest));
  };
}

function undo(...names: string[]) {
  return async (world: ContentWorld, folder: string): Promise<void> => {
    await changeSteps(names, () => ({ status: "pending" }))(world, folder);
    for (const name of names) await rm(join(world.root, folder, `${name}.json`));
  };
}

describe("a second run of the same item", () => {
  const cases: [string, (world: ContentWorld, folder: string) => Promise<void>, string[][]][] = [
    ["nothing done", undo("summary", "ideas", "outline", "writing-kit"), ALL],
    ["summary done", undo("ideas", "outline", "writing-kit"), ALL.slice(1)],
    ["two done", undo("outline", "writing-kit"), ALL.slice(2)],
    ["all done", async () => undefined, []],
    [
      "summary of an old schema",
      changeSteps(["summary"], (step) => ({ ...step, schemaVersion: "0.9.0" })),
      ALL,
    ],
    [
      "summary missing",
      (world, folder) => rm(join(world.root, folder, "summary.json")),
      [["summary"], ["ideas"], ["outline"]],
    ],
    [
      "outline edited",
      (world, folder) =>
        writeFile(
          join(world.root, folder, "outline.json"),
          '[{"heading":"x","notes":"y","keyPoints":["z"]}]',
        ),
      [],
    ],
    ["kit missing", (world, folder) => rm(join(world.root, folder, "writing-kit.json")), []],
    [
      "source changed",
      (world) => world.write("a.md", `${ARTICLE}\nOne more line.\n`),
      [["summary"], ["ideas"], ["outline"]],
    ],
    [
      "profile changed",
      (world) =>
        world.write(
          ".looplia/user-profile.json",
          JSON.stringify({
            userId: "u",
            topics: [],
            style: { tone: "expert", targetWordCount: 900, voice: "first-person" },
          }),
        ),
      [["summary"], ["ideas"], ["outline"]],
    ],
    [
      "instructions changed",
      (world) => world.write(".looplia/CLAUDE.md", "Write short sentences."),
      [["summary"], ["ideas"], ["outline"]],
    ],
    [
      "a skill changed that one agent may load",
      (world) =>
        world.write(
          ".looplia/.claude/skills/idea-finder/SKILL.md",
          "---\nname: idea-finder\ndescription: finds\n---\nLook twice.\n",
        ),
      [["ideas"], ["outline"]],
    ],
    [
      "one agent changed",
      (world) =>
        world.write(
          ".looplia/.claude/agents/idea-generator.md",
          "---\nname: idea-generator\ndescription: d\n---\nOther.\n",
        ),
      [["ideas"], ["outline"]],
    ],
  ];

  it("a bundled file changed of a skill that one agent may load", async () => {
    const folder = ".looplia/.claude/skills/idea-finder";
    const skill = "---\nname: idea-finder\ndescription: finds\n---\nRead words.md.\n";
    const world = await createContentWorld({
      "a.md": ARTICLE,
      [`${folder}/SKILL.md`]: skill,
      [`${folder}/words/words.md`]: "one",
    });
    await world.run(ITEMS, kitModel());
    expect(await world.run(ITEMS, new ScriptedModel([]))).toMatchObject({ reasonCode: "up-to-date" });
    await world.write(`${folder}/words/words.md`, "two");
    const model = kitModel();
    await world.run(ITEMS, model);
    expect(model.requests.map(dueOutputs)).toEqual([["ideas"], ["outline"]]);
  });

  it.each(cases)("%s", async (name, change, expected) => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel());
    const { folder } = await sessionOf(world);
    await change(world, folder);
    const model = kitModel();
    const result = await world.run(ITEMS, model);
    expect(model.requests.map(dueOutputs)).toEqual(expected);
    expect(result).toMatchObject({
      status: "completed",
      reasonCode: name === "all done" ? "up-to-date" : "done",
    });
    expect(await sessionsOf(world)).toHaveLength(1);
    expect((await world.run(ITEMS, new ScriptedModel([]))).reasonCode).toBe("up-to-date");
  });

  it("leaves all as it is when the profile was only laid out anew", async () => {
    const profile = {
      userId: "u",
      topics: [],
      style: { tone: "expert", targetWordCount: 900, voice: "first-person" },
    };
    const world = await createContentWorld({
      "a.md": ARTICLE,
      ".looplia/user-profile.json": JSON.stringify(profile),
    });
    await world.run(ITEMS, kitModel());
    const { style, ...rest } = profile;
    await world.write(".looplia/user-profile.json", JSON.stringify({ style, ...rest }, null, 4));
    expect((await world.run(ITEMS, new ScriptedModel([]))).reasonCode).toBe("up-to-date");
  });

  it("runs a forced output and what depends on it", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    await world.run(ITEMS, kitModel());
    const model = kitModel();
    await world.run(ITEMS, model, { settings: { force: ["ideas"] } });
    expect(model.requests.map(dueOutputs)).toEqual([["ideas"], ["outline"]]);
  });
});

describe("many items", () => {
  it("run side by side; a broken one and a missing one stop no other", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, "b.md": ARTICLE, "empty.md": "" });
    const sources = ["a.md", "b.md", "empty.md", "gone.md"];
    const result = await world.run({ ...ITEMS, sources }, kitModel());
    expect(result.status).toBe("failed");
    expect(result.items.map((item) => [item.source, item.status, item.reasonCode])).toEqual([
      ["a.md", "completed", "done"],
      ["b.md", "completed", "done"],
      ["empty.md", "failed", "config-invalid"],
      ["gone.md", "failed", "config-invalid"],
    ]);
    expect(await sessionsOf(world)).toHaveLength(2);
  });

  it("each listens for the end of the run by itself: many at once are not too many listeners", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, "b.md": ARTICLE });
    const model = kitModel();
    const heard = new Set<AbortSignal>();
    const respond = model.respond.bind(model);
    model.respond = (request, options) => {
      heard.add(options.signal);
      return respond(request, options);
    };
    const controller = new AbortController();
    const { signal } = controller;
    await world.run({ ...ITEMS, sources: ["a.md", "b.md"] }, model, { signal });
    expect([heard.size, heard.has(signal)]).toEqual([2, false]);
    controller.abort();
    expect([...heard].map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("a model that fails for one leaves its conversation open for the next run", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE });
    const down = new LoopliaError("model-failed", "the network is down", { modelFailure: "network" });
    const failed = await world.run(
      ITEMS,
      new ScriptedModel([{ content: [call("1", "readFile", { path: "a.md" })] }, { error: down }]),
    );
    expect(failed).toMatchObject({ status: "failed", reasonCode: "model-failed" });
    const model = kitModel();
    expect((await world.run(ITEMS, model)).status).toBe("completed");
    expect(model.requests[0]?.messages).toHaveLength(3);
  });
});

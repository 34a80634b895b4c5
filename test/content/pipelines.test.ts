import { describe, expect, it } from "vitest";
import { approve, ScriptedHost } from "../fakes/agent-world.ts";
import { createContentWorld, sessionsOf } from "../fakes/content-world.ts";
import { ARTICLE, dueOutputs, SUMMARY, writeDue } from "../fakes/kit-script.ts";
import { call, ScriptedModel } from "../fakes/scripted-model.ts";

const FILE = { kind: "file", source: "a.md" } as const;

function agentFile(name: string, tools = ""): string {
  return `---\nname: ${name}\ndescription: Makes it.\n${tools}---\nYou make it.\n`;
}

/** Two independent outputs, then one that needs both, all by agents and schemas of the user. */
const DIAMOND = {
  ".looplia/pipelines/diamond.yaml": `name: diamond
description: Two sides and a top
outputs:
  left: { artifact: left.json, agent: maker, schema: part.schema.json }
  right: { artifact: right.json, agent: other, schema: part.schema.json }
  top: { artifact: top.json, agent: maker, requires: [left, right], schema: part.schema.json }
`,
  ".looplia/pipelines/part.schema.json": JSON.stringify({
    type: "object",
    required: ["size"],
    properties: { size: { type: "integer", minimum: 3 } },
    additionalProperties: false,
  }),
  ".looplia/.claude/agents/maker.md": agentFile("maker"),
  ".claude/agents/other.md": agentFile("other", "tools: Read, Write\n"),
};

describe("a user's own pipeline", () => {
  it("runs with own agents and a JSON Schema beside it, without a change of code", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, ...DIAMOND });
    let running = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const model = new ScriptedModel(async (request) => {
      running += 1;
      most = Math.max(most, running);
      // The first of the two independent steps waits for the other one.
      if (most === 2) both.resolve();
      await both.promise;
      running -= 1;
      const isFirst = request.messages.length === 1;
      const size = dueOutputs(request).includes("left") && isFirst ? 1 : 4;
      return writeDue(request, new Map(["left", "right", "top"].map((name) => [name, { size }])));
    });
    const result = await world.run(FILE, model, { settings: { pipeline: "diamond" } });
    expect(result.status).toBe("completed");
    expect(most, "independent outputs run at the same time").toBe(2);
    expect(model.requests.map(dueOutputs).at(-1)).toEqual(["top"]);
    expect(model.requests).toHaveLength(4);
    const [sessionId] = await sessionsOf(world);
    expect(JSON.parse(await world.read(`.looplia/contentItem/${sessionId}/top.json`))).toEqual({ size: 4 });
    const refused = world.events.find((event) => event.type === "validation-failed");
    expect(refused).toMatchObject({ output: "left", errors: [expect.stringContaining("size")] });
    const tools = model.requests.find((request) => request.prefix.system.startsWith("You are `other`"))
      ?.prefix.tools;
    expect(tools?.map((tool) => tool.name)).toEqual(["readFile", "writeArtifact"]);
  });

  it("makes only the step with the other schema or other needs stale, and a plan names the cause", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, ...DIAMOND });
    const sized = (request: Parameters<typeof writeDue>[0]) =>
      writeDue(request, new Map(["left", "right", "top"].map((name) => [name, { size: 4 }])));
    const items = { kind: "items", workId: "diamond-abcdef", key: "k", sources: ["a.md"] } as const;
    const settings = { pipeline: "diamond" };
    await world.run(items, new ScriptedModel(sized), { settings });
    await world.write(
      ".looplia/pipelines/diamond.yaml",
      DIAMOND[".looplia/pipelines/diamond.yaml"].replace(
        "right.json, agent: other, schema: part",
        "right.json, agent: other, schema: right",
      ),
    );
    await world.write(
      ".looplia/pipelines/right.schema.json",
      JSON.stringify({ type: "object", required: ["size"] }),
    );
    const stale = async () => {
      const { plan } = await world.run({ ...items, isPlan: true }, new ScriptedModel([]), { settings });
      return plan?.items.map((item) => [item.state, item.stale, item.outputs]);
    };
    expect(await stale()).toEqual([["stale", ["schema"], ["right", "top"]]]);
    const model = new ScriptedModel(sized);
    await world.run(items, model, { settings });
    expect(model.requests.map(dueOutputs)).toEqual([["right"], ["top"]]);
    const file = ".looplia/pipelines/diamond.yaml";
    await world.write(file, (await world.read(file)).replace("[left, right]", "right, final: true"));
    expect(await stale()).toEqual([["stale", ["pipeline"], ["top"]]]);
  });
});

it("the second shipped pipeline is configuration too", async () => {
  const world = await createContentWorld({ "a.md": ARTICLE });
  const model = new ScriptedModel((request) => {
    if (dueOutputs(request).includes("summary")) return writeDue(request);
    return {
      content: [
        call(`${request.messages.length}`, "writeArtifact", { output: dueOutputs(request)[0], content: 7 }),
      ],
    };
  });
  const result = await world.run(FILE, model, { settings: { pipeline: "social-posts" } });
  expect(result).toMatchObject({ status: "failed", reasonCode: "invalid-artifact" });
  expect(result.items[0]?.steps[0]).toMatchObject({ output: "summary", status: "completed" });
});

describe("a question in the middle of a step", () => {
  const ask = { content: [call("q", "askUser", { question: "Which hook?", options: ["One", "Two"] })] };
  const tools = "tools: askUser, writeArtifact\n";
  const agents = { ".looplia/.claude/agents/idea-generator.md": agentFile("idea-generator", tools) };

  it.each(["program", "agent"] as const)(
    "waits and goes on exactly there (%s leads)",
    async (orchestration) => {
      const world = await createContentWorld({ "a.md": ARTICLE, ...agents });
      const reply = (request: Parameters<typeof writeDue>[0]) => {
        if (request.conversationId.endsWith("/orchestrate#1")) {
          const agent = ["content-analyzer", "idea-generator", "writing-kit-builder"][
            (request.messages.length - 1) / 2
          ];
          return { content: [call(`t${request.messages.length}`, "Task", { agent, prompt: "Go." })] };
        }
        if (dueOutputs(request).includes("ideas") && request.messages.length === 1) return ask;
        return writeDue(request);
      };
      const first = await world.run(FILE, new ScriptedModel(reply), { settings: { orchestration } });
      expect(first).toMatchObject({ status: "waiting", reasonCode: "open-questions" });
      const [request] = first.items[0]?.interactions ?? [];
      const sessionId = first.items[0]?.sessionId ?? "";
      expect(
        JSON.parse(await world.read(`.looplia/contentItem/${sessionId}/session.json`)).steps.ideas.status,
      ).toBe("in_progress");

      const again = await world.run({ kind: "session", sessionId }, new ScriptedModel([]), {
        settings: { orchestration },
      });
      expect(again.items[0]?.interactions[0]?.interactionId).toBe(request?.interactionId);

      const answer = {
        kind: "answer",
        interactionId: request?.shortId ?? "",
        actorId: "terminal:t",
      } as const;
      const wrong = world.run({ ...answer, answer: { selectedOptionId: "9" } }, new ScriptedModel([]), {
        settings: { orchestration },
      });
      await expect(wrong).rejects.toThrow(/expected one of these options: 1 one, 2 two/);

      const model = new ScriptedModel(reply);
      const done = await world.run({ ...answer, answer: { selectedOptionId: "2" } }, model, {
        settings: { orchestration },
      });
      expect(done.status).toBe("completed");
      expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain("chose two");

      const twice = world.run({ ...answer, answer: { selectedOptionId: "2" } }, new ScriptedModel([]), {
        settings: { orchestration },
      });
      await expect(twice).rejects.toThrow("no longer open");
    },
  );

  it("is closed when the source changes, and the step starts over", async () => {
    const world = await createContentWorld({ "a.md": ARTICLE, ...agents });
    const items = { kind: "items", workId: "writing-kit-abcdef", key: "k", sources: ["a.md"] } as const;
    const reply = (request: Parameters<typeof writeDue>[0]) =>
      dueOutputs(request).includes("ideas") && request.messages.length === 1 ? ask : writeDue(request);
    const first = await world.run(items, new ScriptedModel(reply));
    await world.write("a.md", `${ARTICLE}More.\n`);
    const host = new ScriptedHost([approve()]);
    const second = await world.run(items, new ScriptedModel(reply), { host });
    expect(second.status).toBe("waiting");
    const before = first.items[0]?.interactions.map((request) => request.interactionId);
    expect(second.items[0]?.interactions).toHaveLength(1);
    expect(second.items[0]?.interactions.map((request) => request.interactionId)).not.toEqual(before);
  });
});

it("adopts a folder with artifacts and no manifest, and one in the short form", async () => {
  const folder = ".looplia/contentItem/old-2025-12-12-a1b2c3";
  const summary = { ...SUMMARY, contentId: "old-2025-12-12-a1b2c3", score: { relevanceToUser: 0.5 } };
  const files = { [`${folder}/content.md`]: ARTICLE, [`${folder}/summary.json`]: JSON.stringify(summary) };
  const short = JSON.stringify({
    version: 1,
    contentId: "old-2025-12-12-a1b2c3",
    updatedAt: "2025-12-12T10:30:00Z",
    steps: { analyzing: "done" },
  });
  for (const extra of [{}, { [`${folder}/session.json`]: short }]) {
    const world = await createContentWorld({ ...files, ...extra });
    const model = new ScriptedModel((request) => writeDue(request));
    const result = await world.run({ kind: "session", sessionId: "old-2025-12-12-a1b2c3" }, model);
    expect(result.status).toBe("completed");
    expect(model.requests.map(dueOutputs)).toEqual([["ideas"], ["outline"]]);
  }
});

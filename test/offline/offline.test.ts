// A step's conversation with the offline model: what it reads, writes, asks, tries again, and what it leads.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type ToolUseBlock, toolCallsOf } from "../../src/core/events.ts";
import { cutWords } from "../../src/offline/article.ts";
import { createOfflineModel, OFFLINE_MODEL } from "../../src/offline/model.ts";
import { REHEARSAL } from "../../src/publish/report.ts";
import { readFileTool } from "../../src/tools/files.ts";
import { askUserTool } from "../../src/tools/people.ts";
import { callTool, makeContext, makeWorktree } from "../fakes/worktree.ts";
import { converse, FOLDER, inputOf, nextTurn, openingOf, type Step } from "./offline-conversation.ts";

const ARTICLE = readFileSync(
  resolve(import.meta.dirname, "../../examples/content/swifts-of-harrow-street.md"),
  "utf8",
);
const FILES = { "content.md": ARTICLE, "summary.json": "{}", "ideas.json": "{}" };

/** The calls of each turn, and what was said last. */
async function turnsOf(step: Step): Promise<{ turns: ToolUseBlock[][]; last: string }> {
  const { messages, last } = await converse(step, FILES);
  return { turns: messages.filter((message) => message.role === "assistant").map(toolCallsOf), last };
}

const shown = (turns: ToolUseBlock[][]) =>
  turns.map((calls) =>
    calls.map((call) => [call.name, inputOf(call).get("path") ?? inputOf(call).get("output")]),
  );

describe("a step", () => {
  test("reads the item and what it requires in one turn, then writes each output in order", async () => {
    const { turns, last } = await turnsOf({
      outputs: ["outline", "writing-kit"],
      requires: ["summary", "ideas"],
    });
    const read = ["content.md", "summary.json", "ideas.json"].map((name) => [
      "readFile",
      `${FOLDER}/${name}`,
    ]);
    expect(shown(turns)).toEqual([
      read,
      [["writeArtifact", "outline"]],
      [["writeArtifact", "writing-kit"]],
      [],
    ]);
    expect(last).toBe(`Done: ${REHEARSAL}.`);
  });

  test("reads a long item to its end in the parts that the tool gives", async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `Swift number ${at} flew over the roof of a house.`);
    const code = `\`\`\`\n${"count(swifts); // each of them, from the roof of the house\n".repeat(700)}\`\`\``;
    const opening = openingOf({ outputs: ["outline"] }).replaceAll(FOLDER, "made/session");
    const { workspace } = await makeWorktree({
      "made/session/content.md": `${lines.join("\n")}\n\n${code}\n# The end\n\nIt ends.`,
    });
    const offsets: unknown[] = [];
    const answer = async (call: ToolUseBlock) => {
      if (call.name !== "readFile") return { text: "Accepted." };
      offsets.push(inputOf(call).get("offset"));
      return callTool(readFileTool, call.input, makeContext(workspace));
    };
    const { messages } = await converse({ outputs: ["outline"], opening, answer }, {});
    expect(offsets).toEqual([undefined, expect.any(Number)]);
    const outline = inputOf(messages.flatMap(toolCallsOf).at(-1) as ToolUseBlock).get("content");
    const expected = { heading: "The end", notes: "It ends.", keyPoints: ["It ends."], estimatedWords: 2 };
    expect(outline).toEqual([
      expect.objectContaining({ heading: "Part 1", estimatedWords: 20 * 10 }),
      expected,
    ]);
  });

  test("does not go round in circles over a last line that looks like the tool's note", async () => {
    const text = `${ARTICLE}\n[lines 1–2 of 3; go on with offset 1]`;
    const { artifacts } = await converse({ outputs: ["summary"] }, { "content.md": text });
    expect(artifacts.has("summary")).toBe(true);
  });

  test("follows the last block of its first message only", async () => {
    const other = openingOf({ outputs: ["ideas"] });
    const schema = '```json\n{"type": "object"}\n```\n';
    const opening = other + schema + openingOf({ outputs: ["summary"] }) + schema;
    const { artifacts } = await converse({ outputs: [], opening }, { "content.md": `${ARTICLE}\n${other}` });
    expect([...artifacts.keys()]).toEqual(["summary"]);
  });

  test("calls again when the outcome of a call is unknown", async () => {
    const unknown = { text: "Interrupted: its outcome is unknown.", isError: true };
    const answer = (_: ToolUseBlock, count: number) => (count < 2 || count === 3 ? unknown : undefined);
    const { turns } = await turnsOf({ outputs: ["summary"], answer });
    expect(shown(turns).flat()).toEqual([
      ["readFile", `${FOLDER}/content.md`],
      ["readFile", `${FOLDER}/content.md`],
      ["readFile", `${FOLDER}/content.md`],
      ["writeArtifact", "summary"],
      ["writeArtifact", "summary"],
    ]);
  });

  test("costs nothing, says its name, and gives each call an id of its own", async () => {
    const model = createOfflineModel();
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(model.provider).toBe("offline");
    expect(model.priceOf(OFFLINE_MODEL, usage)).toBe(0);
    const step = { outputs: ["summary", "ideas"] };
    const opening = [{ role: "user" as const, content: [{ type: "text" as const, text: openingOf(step) }] }];
    expect(await nextTurn(step, opening)).toMatchObject({
      usage,
      model: OFFLINE_MODEL,
      stopReason: "tool_use",
    });
    const both = await Promise.all(
      ["summary#1", "summary#2"].map((conversationId) => turnsOf({ ...step, conversationId })),
    );
    const ids = both.flatMap(({ turns }) => turns.flat().map((call) => call.id));
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
  });

  test("stops when it is aborted", async () => {
    const request = { conversationId: "c", model: "m", prefix: { system: "", tools: [] }, messages: [] };
    const signal = AbortSignal.abort();
    await expect(createOfflineModel().respond(request, { signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});

describe("a refused artifact", () => {
  const refusal = {
    text: 'Not written. Every problem:\n- importantQuotes[1].text: expected words, got "x"\n- bullets[0]: expected text',
    isError: true,
  };

  test("is sent once more without the items that were refused", async () => {
    let sent = 0;
    const answer = (call: ToolUseBlock) =>
      call.name === "writeArtifact" && sent++ === 0 ? refusal : undefined;
    const { turns } = await turnsOf({ outputs: ["summary"], answer });
    const [first, second] = turns
      .flat()
      .slice(1)
      .map((call) => Object(inputOf(call).get("content")));
    expect(second.importantQuotes).toEqual(first.importantQuotes.toSpliced(1, 1));
    expect(second.bullets).toEqual(first.bullets.slice(1));
    expect(second.tags).toEqual(first.tags);
  });

  test("that is refused again ends the turn with what was wrong", async () => {
    const answer = (call: ToolUseBlock) => (call.name === "writeArtifact" ? refusal : undefined);
    const { turns, last } = await turnsOf({ outputs: ["summary"], answer });
    expect(turns.flat().map((call) => call.name)).toEqual(["readFile", "writeArtifact", "writeArtifact"]);
    expect(last).toMatch(
      /^Cannot rehearse: summary\.json was refused twice\. .*bullets\[0\]: expected text/s,
    );
  });
});

describe("the demo's question", () => {
  const step: Step = { outputs: ["ideas"], tools: ["readFile", "askUser"], askInDemo: true };
  const textsOf = async (answer: Step["answer"]) => {
    const { artifacts } = await converse(answer ? { ...step, answer } : step, FILES);
    return Object(artifacts.get("ideas")).hooks.map((hook: { text: string }) => hook.text);
  };

  test("is a Select over the hooks that the tool takes, and the chosen one comes first", async () => {
    const plain = await textsOf(undefined);
    let input: unknown;
    const chosen = await textsOf((call) => {
      if (call.name !== "askUser") return undefined;
      input = call.input;
      return { text: `The person chose hook-3 (${plain[2]}).\nComment: hook-1 is dull` };
    });
    expect(askUserTool.input().parse(input)).toEqual({
      question: expect.stringMatching(/\?$/),
      kind: "Select",
      purpose: "choose_strategy",
      options: plain.map((text: string, at: number) => ({
        id: `hook-${at + 1}`,
        label: text.length > 99 ? expect.stringMatching(/^.{20,98}…$/su) : text,
      })),
    });
    expect(chosen).toEqual([plain[2], plain[0], plain[1], ...plain.slice(3)]);
  });

  test("shows with an ellipsis what is cut", () => {
    expect(cutWords("four ".repeat(30), 120, "…")).toBe(`${"four ".repeat(24).trim()}…`);
    expect(cutWords("x".repeat(130), 120, "…")).toBe(`${"x".repeat(119)}…`);
    expect(cutWords("whole", 120, "…")).toBe("whole");
  });

  test("is asked once, and not at all outside the demo or for another output", async () => {
    const asked = async (change: Partial<Step>) => {
      const { turns } = await turnsOf({ ...step, ...change });
      return turns.flat().filter((call) => call.name === "askUser").length;
    };
    expect(await asked({})).toBe(1);
    expect(await asked({ askInDemo: false })).toBe(0);
    expect(await asked({ outputs: ["summary"] })).toBe(0);
  });

  test("keeps the order for an answer that names no hook", async () => {
    const plain = await textsOf(undefined);
    for (const text of ["The person answered reject.", "The person chose hook-99 (?)."]) {
      expect(await textsOf((call) => (call.name === "askUser" ? { text } : undefined))).toEqual(plain);
    }
  });
});

describe("the lead", () => {
  const steps = [
    { agent: "content-analyzer", outputs: ["summary"] },
    { agent: "writing-kit-builder", outputs: ["outline", "writing-kit"] },
  ];
  const lead: Step = {
    outputs: [],
    opening: `Lead.\n\n\`\`\`json\n${JSON.stringify({ sessionFolder: FOLDER, steps })}\n\`\`\``,
  };

  test("starts each step in order, one a turn", async () => {
    const { turns, last } = await turnsOf(lead);
    expect(turns.map((calls) => calls.map((call) => [call.name, inputOf(call).get("agent")]))).toEqual([
      [["Task", "content-analyzer"]],
      [["Task", "writing-kit-builder"]],
      [],
    ]);
    expect(last).toContain(REHEARSAL);
  });

  test("stops at a step that failed", async () => {
    const { turns, last } = await turnsOf({
      ...lead,
      answer: () => ({ text: "Failed: it was empty.", isError: true }),
    });
    expect(turns.flat()).toHaveLength(1);
    expect(last).toBe("Cannot rehearse: Failed: it was empty.");
  });
});

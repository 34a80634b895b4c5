// Where a summary is found in what an agent said last: the whole text, a fenced block, from brace to brace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it, test } from "vitest";
import { checkSummary, findSummary } from "../../src/todo/attempt.ts";
import { changeFor } from "../../src/todo/edit.ts";
import fc from "../fakes/properties.ts";
import { makeTask } from "./samples.ts";

const done = (summary: string) => JSON.stringify({ task_id: "T1", status: "done", summary });
const fence = (text: string) => `\`\`\`json\n${text}\n\`\`\`\n`;
const saidIn = async (text: string) => findSummary(text)?.summary;

describe("a summary in a text", () => {
  it.each([
    ["is the whole text", ` ${done("whole")}\n`, "whole"],
    ["is a fenced block", `All is in place.\n\n${fence(done("fenced"))}\nBye.`, "fenced"],
    ["is the last of several blocks", fence(done("first")) + fence(done("last")), "last"],
    ["is a block before what is between braces", `{\n${fence(done("fenced"))}}`, "fenced"],
    ["is passed over in a block that holds none", fence(done("one")) + fence('{"a":1}'), "one"],
    ["stands between other words", `So: ${done("bare")} and that is it.`, "bare"],
    ["has braces of its own", `So: ${done("{a}")}.`, "{a}"],
    ["stands after prose with braces", `I set {x} and { y: 1 }, so: ${done("last")} {see}`, "last"],
    ["is the last of several in prose", `${done("one")} or rather ${done('two " } {')}`, 'two " } {'],
  ])("%s", async (_how, text, said) => {
    expect(await saidIn(text)).toBe(said);
  });

  it.each(["", "Done.", "{", "}{", "[]", "null", '{"status":"done"}', '{"task_id":"T1","status":"doing"}'])(
    "is not in %j",
    async (text) => {
      expect(findSummary(text)).toBeUndefined();
    },
  );

  it("is found in any words around it, and nothing is made up from others", async () => {
    const word = fc.stringMatching(/^[^{}`]*$/);
    await fc.assert(
      fc.asyncProperty(word, word, fc.string(), async (before, after, said) => {
        const text = said.trim() === "" ? "x" : said;
        expect(await saidIn(`${before} ${done(text)} ${after}`)).toBe(text);
        expect(findSummary(before + after)).toBeUndefined();
      }),
    );
  });

  it("has all that is wrong with it named", async () => {
    const checked = checkSummary({ task_id: 1, status: "finished", files: "a.md" });
    expect(checked).toEqual({ problems: expect.stringMatching(/task_id[\s\S]*status[\s\S]*files/) });
  });
});

test("the schema that is shipped agrees with the program about any summary", async () => {
  const text = readFileSync(join(import.meta.dirname, "../../prompts/task-summary.schema.json"), "utf8");
  const validate = new Ajv2020().compile(JSON.parse(text));
  const value = fc.oneof(
    fc.string({ maxLength: 70 }),
    fc.constantFrom("done", "blocked", "skipped", "todo", null, 1),
    fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 2 }),
  );
  const field = fc.constantFrom("task_id", "status", "summary", "files", "blockers", "own");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(field, value), { maxLength: 3 }), async (changes) => {
      const summary = { task_id: "T1", status: "done", ...Object.fromEntries(changes) };
      expect("summary" in checkSummary(summary)).toBe(validate(summary));
    }),
    { numRuns: 300 },
  );
});

describe("an applied summary", () => {
  it("sets state, union of files and blockers and the time, and changes nothing the second time", () => {
    const task = makeTask("T1", { details: "As it was.", files: ["a.md"] });
    const end = { status: "done", files: ["a.md", "b.md"], blockers: [] } as const;
    expect(changeFor(task, end, "now")).toEqual({
      set: { status: "done", updated_at: "now" },
      add: { files: ["a.md", "b.md"] },
    });
    expect(changeFor({ ...task, status: "done", files: ["b.md", "a.md"] }, end, "later")).toEqual({});
  });

  it("takes the blockers of what is done away; of what is blocked, files, blockers and time are set", () => {
    const task = makeTask("T1", { status: "doing", blockers: ["no key", "no time"] });
    const done = { status: "done", blockers: ["later"] } as const;
    expect(changeFor(task, done, "now")).toEqual({
      set: { status: "done", updated_at: "now" },
      remove: { blockers: ["no key", "no time"] },
      add: { files: [] },
    });
    const bare = changeFor(task, { status: "done" }, "now");
    expect(bare).toEqual({ set: { status: "done", updated_at: "now" }, add: { files: [] } });
    const blocked = changeFor(makeTask("T2"), { status: "blocked", files: ["a.md"], blockers: ["x"] }, "now");
    expect(blocked).toMatchObject({ set: { status: "blocked" }, add: { files: ["a.md"], blockers: ["x"] } });
  });
});

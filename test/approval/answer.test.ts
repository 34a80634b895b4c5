import { describe, expect, it, test } from "vitest";
import { checkAnswer } from "../../src/approval/questions.ts";
import type { InteractionAnswer, InteractionRequest } from "../../src/core/interaction.ts";
import { startCpuClock } from "../fakes/cpu-clock.ts";
import { makeRequest } from "../fakes/requests.ts";

const select = makeRequest({
  kind: "Select",
  options: [
    { id: "two", label: "The first" },
    { id: "2", label: "Its id is a number" },
    { id: "three", label: "The third" },
  ],
});
const counts = makeRequest({
  kind: "Select",
  options: [
    { id: "option-1", label: "3" },
    { id: "option-2", label: "2" },
    { id: "option-3", label: "10" },
  ],
});
const twins = makeRequest({
  kind: "Select",
  options: [
    { id: "a", label: "Later" },
    { id: "b", label: "later" },
    { id: "go", label: "Now" },
    { id: "c", label: "Go" },
    { id: "d", label: "" },
  ],
});
const input = makeRequest({ kind: "Input", validation: { regex: "^\\d{4}$", required: true } });
const composite = makeRequest({
  kind: "Composite",
  fields: [
    {
      id: "tone",
      label: "Tone?",
      kind: "Select",
      options: [
        { id: "plain", label: "" },
        { id: "bold", label: "" },
      ],
    },
    { id: "sure", label: "Sure?", kind: "Confirm", options: makeRequest().options ?? [] },
    { id: "year", label: "Year?", kind: "Input", validation: { regex: "^\\d{4}$", required: true } },
    { id: "note", label: "Note?", kind: "Input" },
  ],
});
const fields = (value: unknown): InteractionAnswer => ({ inputValue: JSON.stringify(value) });

describe("an answer is taken", () => {
  test.each<[string, InteractionRequest, InteractionAnswer, InteractionAnswer]>([
    ["an option by its id", select, { selectedOptionId: "three" }, { selectedOptionId: "three" }],
    ["an option by its number", select, { selectedOptionId: "1" }, { selectedOptionId: "two" }],
    ["an exact id before a number", select, { selectedOptionId: "2" }, { selectedOptionId: "2" }],
    ["a number that is its label too", counts, { selectedOptionId: "2" }, { selectedOptionId: "option-2" }],
    ["a number that is nobody's label", counts, { selectedOptionId: "1" }, { selectedOptionId: "option-1" }],
    ["an id in another letter case", select, { selectedOptionId: "Three" }, { selectedOptionId: "three" }],
    ["a whole label", select, { selectedOptionId: "the  first" }, { selectedOptionId: "two" }],
    [
      "a label that is a number and no option's",
      counts,
      { selectedOptionId: "10" },
      { selectedOptionId: "option-3" },
    ],
    ["a text that matches", input, { inputValue: "2026" }, { inputValue: "2026" }],
    ["a refusal of a Select", select, { selectedOptionId: "reject" }, { selectedOptionId: "reject" }],
    ["a refusal of an Input", input, { selectedOptionId: "reject" }, { selectedOptionId: "reject" }],
    ["a refusal of a Composite", composite, { selectedOptionId: "reject" }, { selectedOptionId: "reject" }],
    [
      "fields by id or number, those that may be left out left out",
      composite,
      fields({ year: "2026", sure: "approve", tone: 2 }),
      fields({ tone: "bold", sure: "approve", year: "2026" }),
    ],
    [
      "fields as lines, as a phone writes them",
      composite,
      { inputValue: "Tone: 2\nsure: approve\n\nYEAR: 2026" },
      fields({ tone: "bold", sure: "approve", year: "2026" }),
    ],
    [
      "digits as a number where a text is asked",
      composite,
      fields({ tone: "plain", sure: "1", year: 2026, note: "x" }),
      fields({ tone: "plain", sure: "approve", year: "2026", note: "x" }),
    ],
  ])("%s", async (_, request, answer, taken) => {
    expect(await checkAnswer(request, answer)).toEqual({ ok: true, answer: taken });
  });
});

describe("a wrong answer is told what would be right", () => {
  test.each<[string, InteractionRequest, InteractionAnswer, string]>([
    ["no option", select, {}, "one of these options: 1 two, 2 2, 3 three"],
    ["an option that is not there", select, { selectedOptionId: "4" }, "one of these options"],
    [
      "a number that is another's label",
      counts,
      { selectedOptionId: "3" },
      "the id (a number would be ambiguous)",
    ],
    ["a label that two options have", twins, { selectedOptionId: "later" }, "one of these options"],
    ["the id of one that is the label of another", twins, { selectedOptionId: "Go" }, "one of these options"],
    ["a part of a label", select, { selectedOptionId: "The" }, "one of these options"],
    ["nothing, though an option has no label", twins, { selectedOptionId: " " }, "one of these options"],
    ["number 0", select, { selectedOptionId: "0" }, "one of these options"],
    ["an option where a text is asked", input, { selectedOptionId: "approve" }, "a text"],
    ["nothing", input, { inputValue: "  " }, "a non-empty text"],
    ["another form", input, { inputValue: "26" }, "a text that matches ^\\d{4}$"],
    [
      "no JSON",
      composite,
      { inputValue: "tone=plain" },
      "a line `field: value` for each, or a JSON object, with tone, sure, year, note",
    ],
    ["no text at all", composite, {}, "a line `field: value` for each"],
    ["a list", composite, { inputValue: "[]" }, "a JSON object, with tone"],
  ])("%s", async (_, request, answer, expected) => {
    expect(await checkAnswer(request, answer)).toEqual({
      ok: false,
      expected: expect.stringContaining(expected),
    });
  });

  it("without a word about numbers where words came", async () => {
    expect(await checkAnswer(select, { selectedOptionId: "The fourth" })).toEqual({
      ok: false,
      expected: "one of these options: 1 two, 2 2, 3 three",
    });
  });

  it("with everything that is wrong in a Composite at once", async () => {
    const text = '{"tone":"loud","year":{"a":1},"__proto__":"x","other":"y"}';
    expect(await checkAnswer(composite, { inputValue: text })).toEqual({
      ok: false,
      expected:
        "for tone one of these options: 1 plain, 2 bold; for sure one of these options: 1 approve, 2 reject; " +
        'for year a text; no field "__proto__", "other" (there are tone, sure, year, note)',
    });
  });

  it("in linear time, whatever the pattern", async () => {
    const slow = makeRequest({ kind: "Input", validation: { regex: "^(a+)+$" } });
    const took = startCpuClock();
    expect((await checkAnswer(slow, { inputValue: `${"a".repeat(10_000)}!` })).ok).toBe(false);
    expect(took()).toBeLessThan(2_000);
  });
});

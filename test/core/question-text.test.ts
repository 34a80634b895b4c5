import { describe, expect, it } from "vitest";
import { optionWord, questionLines } from "../../src/core/interaction.ts";
import { makeRequest } from "../fakes/requests.ts";

const shown = (contentKind: "Json" | "Table", content: unknown) =>
  questionLines(makeRequest({ kind: "Input", display: { title: "T", content, contentKind } })).slice(1);

describe("a question as text", () => {
  it("shows a table of objects with their names as header", () => {
    expect(
      shown("Table", [
        { agent: "writer", turns: 3 },
        { agent: "x", note: "a\nb" },
      ]),
    ).toEqual(["agent   turns  note", "------  -----  ----", "writer  3", "x              a b"]);
  });

  it("shows a table of rows without a header", () => {
    expect(
      shown("Table", [
        ["a", 1],
        ["bcd", null, true],
      ]),
    ).toEqual(["a    1", "bcd     true"]);
  });

  it("shows what is no table, and JSON, as JSON", () => {
    expect(shown("Table", "plain")).toEqual(["plain"]);
    expect(shown("Table", [1])).toEqual(["[", "  1", "]"]);
    expect(shown("Json", { a: "x" })).toEqual(["{", '  "a": "x"', "}"]);
  });

  it("shows the fields of a Composite with their options", () => {
    const fields = [
      {
        id: "tone",
        label: "Which tone?",
        kind: "Select" as const,
        options: [{ id: "plain", label: "Plain words" }],
      },
      { id: "year", label: "year", kind: "Input" as const },
    ];
    expect(questionLines(makeRequest({ kind: "Composite", display: { title: "T" }, fields }))).toEqual([
      "T",
      "  tone  Which tone?",
      "    1  plain  Plain words",
      "  year",
    ]);
  });

  it("hides nothing in a cell", () => {
    expect(shown("Table", [["a\u202eb"]])[0]).not.toContain("\u202e");
  });
});

describe("what to write for an option", () => {
  const options = ["plain.id-1", "two words", "q1-0a1b2c", "-x"].map((id) => ({ id, label: "" }));

  it("is its id, or its number where that can't be typed or would be taken for a question", () => {
    expect(options.map((_, at) => optionWord(options, at))).toEqual(["plain.id-1", "2", "3", "4"]);
  });
});

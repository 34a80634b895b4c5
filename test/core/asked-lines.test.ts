// What a terminal shows of a question beside what is asked.
import { describe, expect, test } from "vitest";
import { askedLines, optionWord } from "../../src/core/interaction.ts";
import { confirm, input } from "../publish/requests.ts";

const confirmOf = (changes: Partial<typeof confirm>) =>
  askedLines({ ...confirm, display: { title: "T", content: "c", contentKind: "PlainText" }, ...changes });

describe("in a terminal an approval says", () => {
  test("why it is dangerous, how commands run and what it is bound to, between content and options", () => {
    expect(confirmOf({})).toEqual([
      "T",
      "c",
      "! Dangerous: deletes: rm -r tables/2025",
      "Commands run isolated (bubblewrap), without network.",
      "Not run if a file changes first. Files that git ignores do not count.",
      "  1  Approve",
      "  2  Reject",
    ]);
  });

  test("that nothing stands between a command and the machine", () => {
    const lines = confirmOf({ isolation: { kind: "none", network: true }, dangers: [] });
    expect(lines[2]).toBe("! Commands run without isolation, as you can on this machine.");
  });

  test("nothing of commands where there are only edits", () => {
    const display = { title: "T", content: "+a", contentKind: "Diff" as const };
    expect(confirmOf({ display, dangers: [] }).slice(2, -2)).toEqual(["Not made if the file changes first."]);
  });
});

test("a question for a text says which form the text must have", () => {
  expect(askedLines({ ...input, validation: { regex: "^v\\d+$" } })).toContain(
    "The answer must match ^v\\d+$",
  );
  expect(askedLines({ ...input, validation: { required: true } }).join("\n")).not.toContain("must match");
});

test("an option is named by its id, or by its number where the id can't be typed", () => {
  const options = ["a", "b c", "1"].map((id) => ({ id, label: id }));
  expect(options.map((_, at) => optionWord(options, at))).toEqual(["a", "2", "1"]);
});

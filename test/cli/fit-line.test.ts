import { describe, expect, it } from "vitest";
import { cutText, fitLine, padText, widthOf, wrapLines, wrapText } from "../../src/cli/live/view.ts";
import { showUnseen, toPlainLine, toPlainText } from "../../src/core/json.ts";
import fc, { anyCharacter } from "../fakes/properties.ts";

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: fc.constantFrom("日", "é", "e\u0301", "👩‍👩‍👧", "a", " ", "…"), maxLength: 40 }),
);
const runs = { numRuns: 300, verbose: 1 } as const;

describe("cutting and wrapping", () => {
  it("never exceeds the width, and cuts only what does not fit", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), (text, width) => {
        const plain = toPlainLine(text);
        const cut = cutText(plain, width);
        expect(widthOf(cut)).toBeLessThanOrEqual(width);
        if (widthOf(plain) <= width) expect(cut).toBe(plain);
        else expect(plain.startsWith(cut.replace(/…$/, ""))).toBe(true);
        expect(cut.isWellFormed()).toBe(plain.isWellFormed() || cut.isWellFormed());
      }),
      runs,
    );
  });

  it("pads to exactly the width", () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), fc.integer({ min: 1, max: 50 }), (parts, width) => {
        const line = fitLine(
          parts.map((text) => ({ text: toPlainLine(text) })),
          width,
          true,
        );
        expect(widthOf(line)).toBe(width);
      }),
      runs,
    );
  });

  it("wraps without losing a word", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 50 }), (text, width) => {
        const plain = toPlainLine(text).normalize();
        const lines = wrapText(plain, width);
        expect(lines.join("").replace(/\s/g, "")).toBe(plain.replace(/\s/g, ""));
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
      runs,
    );
  });

  it("wraps whole texts with what goes on a little further in", () => {
    expect(wrapLines("  one two three four five\nshort", 20)).toBe("  one two three\n    four five\nshort");
    expect(wrapLines("  one two three four five\nshort", 19)).toBe("  one two three four five\nshort");
  });

  it("counts wide characters as two", () => {
    expect(cutText("日本語テキスト", 5)).toBe("日本…");
    expect(padText("日本", 6)).toBe("日本  ");
  });
});

describe("plain text", () => {
  const esc = "\u001b";

  it.each([
    [`${esc}[31mred${esc}[0m`, "red"],
    [`a${esc}]0;title\u0007b`, "ab"],
    [`a${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, "alink"],
    [`${esc}[2J${esc}[Hgone`, "gone"],
    ["\u009b31mred", "red"],
    ["bell\u0007 back\b nul\u0000", "bell back nul"],
    ["one\r\ntwo\rthree", "one\ntwo\nthree"],
    ["abc\u202edef\u202c", "abcdef"],
    [`cut off ${esc}[3`, "cut off 3"],
  ])("of %j is %j", (text, expected) => {
    expect(toPlainText(text)).toBe(expected);
  });

  it("has no control left, whatever came", () => {
    const unit = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 3 }),
      fc.constantFrom(esc, "[", "]", "m", "\u0007"),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(toPlainText(text)).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
        expect(toPlainLine(text)).not.toMatch(/\p{Cc}/u);
      }),
      runs,
    );
  });

  it("shows what cannot be seen, and keeps the rest", () => {
    expect(showUnseen("a\u202eb\u200bc\r\n\td\u{e0041}")).toBe("a<U+202E>b<U+200B>c<U+000D>\n\td<U+E0041>");
    expect(showUnseen("\ud800")).toBe("<U+D800>");
    expect(showUnseen("plain “text” 日本 é 👍")).toBe("plain “text” 日本 é 👍");
  });
});

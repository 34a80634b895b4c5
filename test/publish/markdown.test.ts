import { expect, test } from "vitest";
import { toPlainLine, toPlainText } from "../../src/core/json.ts";
import {
  cutMarkdown,
  escapeInline,
  fence,
  neutralizeLine,
  plainTitle,
  sentence,
} from "../../src/publish/markdown.ts";
import fc, { tries } from "../fakes/properties.ts";
import { hostile } from "./hostile.ts";
import { decode, liveText, render } from "./rendered.ts";

function textOf(html: string): string {
  return decode(html.replace(/<\/?(?:p|code)>/g, ""));
}

test("an escaped line shows exactly its text: no markup, no HTML, no link", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const html = render(escapeInline(text, 10_000));
      expect(textOf(html)).toBe(toPlainLine(text.toWellFormed()));
    }),
    tries(200),
  );
});

test("nobody is mentioned and nothing is referred to", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const shown of [liveText(escapeInline(text)), plainTitle(text, 200)]) {
        expect(shown).not.toMatch(/(^|[^\w])@[a-z0-9]/i);
        expect(shown).not.toMatch(/#\d/);
        expect(shown).not.toMatch(/\bGH-\d/i);
      }
    }),
    tries(200),
  );
});

test("an escaped line stays in its table cell and list item", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const escaped = escapeInline(text);
      const html = render(`| a | b |\n|--|--|\n| ${escaped} | last |\n\n- ${escaped}\n\nend`);
      expect(html.match(/<td/g)?.length).toBe(2);
      expect(html.match(/<li>/g)?.length).toBe(1);
      expect(html).toContain("<td>last</td>");
      expect(html.endsWith("<p>end</p>")).toBe(true);
    }),
    tries(200),
  );
});

test("a fence holds whatever stands in it", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const html = render(`${fence(text, 10_000)}\n\nend`);
      const inside = /^<pre><code class="language-text">([\s\S]*)<\/code><\/pre>\n<p>end<\/p>$/.exec(
        html,
      )?.[1];
      expect(inside).toBeDefined();
      expect(textOf(inside ?? "").trimEnd()).toBe(toPlainText(text.toWellFormed()).trimEnd());
    }),
    tries(200),
  );
});

test("no line of a log is a workflow command", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(neutralizeLine(text)).not.toMatch(/::|##\[|\p{Cc}/u);
    }),
    tries(200),
  );
});

test.each([
  ["::error::x", ": :error: :x"],
  [":::", ": : :"],
  ["a ##[group]b", "a # #[group]b"],
  [":\u001b[0m:x", ": :x"],
  ["a\r::warning::b", "a : :warning: :b"],
])("%j becomes %j", (text, line) => {
  expect(neutralizeLine(text)).toBe(line);
});

test("long text is cut by characters, never inside one", () => {
  expect(cutMarkdown("aaaa", 4)).toBe("aaaa");
  expect(cutMarkdown("😀😀😀😀", 3)).toBe("😀😀…");
  expect(escapeInline("x".repeat(600)).length).toBe(500);
});

test.each([
  ["the comment was edited", "The comment was edited."],
  ["q1-0a1b2c was decided already", "q1-0a1b2c was decided already."],
])("%s: a sentence has a capital, an id keeps its letters", (text, expected) => {
  expect(sentence(text)).toBe(expected);
});

test.each([
  "[skip ci]",
  "[ci skip]",
  "[No CI]",
  "[skip actions]",
  "[actions skip]",
  "a [skip-ci] b",
  "[[skip ci]]",
])("a title skips no workflow: %s", (text) => {
  expect(plainTitle(`content: ${text} tides`, 200)).not.toMatch(
    /\[(?:skip|no|ci|actions)[ -](?:ci|skip|actions)\]/i,
  );
  expect(plainTitle("content: tides [part 1, no comment]", 200)).toContain("[part 1, no comment]");
});

import { expect, test } from "vitest";
import { describeOddItems, selectItems } from "../../src/work/trigger.ts";

const paths = [
  "content/b.md",
  "content/a.md",
  "content/deep/c.md",
  "README.md",
  ".looplia/contentItem/x/content.md",
  "notes.txt",
  ".hidden/d.md",
];

test.each<[string[], string[]]>([
  [["content/*.md"], ["content/a.md", "content/b.md"]],
  [["content/**/*.md"], ["content/a.md", "content/b.md", "content/deep/c.md"]],
  [
    ["./content/*.md", "README.md"],
    ["README.md", "content/a.md", "content/b.md"],
  ],
  [
    ["**/*.md", "!content/deep/**"],
    ["README.md", "content/a.md", "content/b.md"],
  ],
  [
    ["**/*.md", ".looplia/**"],
    ["README.md", "content/a.md", "content/b.md", "content/deep/c.md"],
  ],
  [[".hidden/*.md"], [".hidden/d.md"]],
  [["nowhere/*.md"], []],
  [["!**/*.md"], []],
  [[], []],
])("%j", (globs, items) => {
  expect(selectItems(paths, globs)).toEqual(items);
});

test("a file whose name keeps it from being an item is named, and so is a link, with what to do", () => {
  const paths = ["content/a\nb.md", "content/c\\d.md", "content/e.md", "content/\uFFFD.md", "notes/f\ng.md"];
  const links = ["content/g.md", "notes/h.md"];
  expect(selectItems(paths, ["content/*.md"])).toEqual(["content/e.md"]);
  expect(describeOddItems({ files: paths, links }, ["content/*.md"])).toEqual([
    '"content/a\\nb.md" is left out: rename it in UTF-8, without control characters and backslashes.',
    '"content/c\\\\d.md" is left out: rename it in UTF-8, without control characters and backslashes.',
    '"content/\uFFFD.md" is left out: rename it in UTF-8, without control characters and backslashes.',
    '"content/g.md" is left out: it is a link. Put the file itself there.',
  ]);
});

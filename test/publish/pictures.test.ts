import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { pictures } from "../../scripts/pictures/comments.ts";

const docs = resolve(import.meta.dirname, "../../docs/comments");
const pages = ["../../README.md", "../answering.md", "../tasks.md"].map((path) =>
  readFileSync(resolve(docs, path), "utf8"),
);

test.each(pictures)(
  "the picture $name is of what is written today (else: node scripts/picture-comments.ts)",
  ({ name, markdown }) => {
    expect(readFileSync(`${docs}/${name}.md`, "utf8")).toBe(markdown);
    expect(existsSync(`${docs}/${name}.png`)).toBe(true);
    expect(pages.some((page) => page.includes(`comments/${name}.png`))).toBe(true);
  },
);

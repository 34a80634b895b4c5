import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { pictures } from "../../scripts/pictures/comments.ts";
import { COLORS, drawPage, fileOf, themes } from "../../scripts/pictures/page.ts";
import { terminalPictures } from "../../scripts/pictures/terminal.ts";

const docs = resolve(import.meta.dirname, "../../docs/comments");
/** The page that each picture was drawn of. */
const drawn: Record<string, string> = JSON.parse(readFileSync(`${docs}/drawn.json`, "utf8"));
const pages = ["../../README.md", "../answering.md", "../tasks.md"].map((path) =>
  readFileSync(resolve(docs, path), "utf8"),
);

test.each(pictures)(
  "the picture $name is of what is written today (else: node scripts/picture-comments.ts)",
  (picture) => {
    expect(readFileSync(`${docs}/${picture.name}.md`, "utf8")).toBe(picture.markdown);
    for (const theme of themes) {
      const file = fileOf(picture.name, theme);
      expect(drawn[file]).toBe(createHash("sha256").update(drawPage(picture, theme)).digest("hex"));
      expect(existsSync(`${docs}/${file}.png`)).toBe(true);
      expect(pages.some((page) => page.includes(`comments/${file}.png`))).toBe(true);
    }
  },
);

test.each([...terminalPictures()])(
  "the picture %s of the terminal is of what is drawn today (else: node scripts/picture-terminal.ts)",
  (name, draw) => {
    const page = readFileSync(resolve(docs, "../command-line.md"), "utf8");
    for (const theme of themes) {
      const path = `terminal/${fileOf(name, theme)}.svg`;
      expect(readFileSync(resolve(docs, "..", path), "utf8")).toBe(draw(theme));
      expect(page).toContain(path);
    }
  },
);

test.each(themes)("the colours of the %s pictures meet WCAG AA", (theme) => {
  const { page, inset, border: _, addedBack, removedBack, code, added, removed, ...fronts } = COLORS[theme];
  for (const front of Object.values(fronts)) expect(contrast(front, page)).toBeGreaterThanOrEqual(4.5);
  for (const back of [inset, code]) expect(contrast(fronts.text, back)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(fronts.muted, inset)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(added, addedBack)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(removed, removedBack)).toBeGreaterThanOrEqual(4.5);
});

/** The contrast ratio of two colours (WCAG 2.2, "contrast ratio"). */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

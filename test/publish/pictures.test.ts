import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { COLORS, drawPage, fileOf, pictures, themes } from "../../scripts/pictures/page.ts";

const docs = resolve(import.meta.dirname, "../../docs");
/** The page that each picture was drawn of. */
const drawn: Record<string, string> = JSON.parse(readFileSync(join(docs, "comments/drawn.json"), "utf8"));
const readme = readFileSync(resolve(docs, "../README.md"), "utf8");
const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
const shown = [readme, ...pages.map((name) => readFileSync(join(docs, name), "utf8"))].join("\n");

// That the texts are those of a run of today is tested with the bundles: pictures.deep.test.ts.
test.each(pictures)(
  "the picture $name is drawn of its text (else: node scripts/pictures.ts comments)",
  ({ name, text, width }) => {
    const markdown = readFileSync(join(docs, `comments/${text}.md`), "utf8");
    for (const theme of themes) {
      const file = fileOf(name, theme);
      const page = drawPage(markdown, width, theme);
      expect(drawn[file]).toBe(createHash("sha256").update(page).digest("hex"));
      expect(existsSync(join(docs, `comments/${file}.png`))).toBe(true);
    }
  },
);

test("each picture stands in a page of the docs, and is small", () => {
  const files = ["comments", "terminal", "report"].flatMap((folder) =>
    readdirSync(join(docs, folder)).map((name) => `${folder}/${name}`),
  );
  for (const file of files.filter((name) => /\.(?:png|svg)$/.test(name))) {
    expect(shown).toContain(file);
    expect(readFileSync(join(docs, file)).length).toBeLessThan(220_000);
  }
});

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

// The pictures of the docs are of what the bundles write today, and what they show fits on a phone and on a wide screen.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { drawPage, fileOf, themes } from "../../scripts/pictures/page.ts";
import { recordTexts } from "../../scripts/pictures/recorded.ts";
import { drawScreens, wordsOf } from "../../scripts/pictures/screen.ts";
import {
  demoReport,
  demoWords,
  recordViews,
  reportWords,
  steadyWords,
} from "../../scripts/pictures/terminal.ts";
import { bundled } from "../fakes/bundle.ts";
import { LOW_CONTRASTS, openPage } from "../fakes/chromium.ts";

const docs = resolve(import.meta.dirname, "../../docs");
const read = (path: string) => readFileSync(join(docs, path), "utf8");
const TEXTS = [
  ...["approved", "confirm", "select", "status", "status-tasks"],
  ...["summary", "summary-broken", "summary-tasks"],
];

test("comments, statuses and summaries are those of a run of today (else: node scripts/pictures.ts comments)", async () => {
  const texts = await recordTexts();
  expect([...texts.keys()].sort()).toEqual(TEXTS);
  for (const [name, text] of texts) expect(text).toBe(read(`comments/${name}.md`));
});

test("the views of the terminal are those of a run of today (else: node scripts/pictures.ts terminal)", async () => {
  for (const { name, title, size, screen } of await recordViews(await bundled("cli"))) {
    for (const theme of themes) {
      const svg = read(`terminal/${fileOf(name, theme)}.svg`);
      expect(drawnWords(svg), name).toBe(drawnWords(drawScreens([screen], size, title, theme)));
    }
    expect(wordsOf(screen).length).toBeGreaterThan(300);
  }
});

test("the demo is that of today (else: node scripts/pictures.ts demo)", async () => {
  expect(demoWords(await bundled("cli"))).toBe(read("demo.txt"));
  const [, height] = /height="(\d+)"/.exec(read("demo.svg")) ?? [];
  expect(Number(height)).toBeLessThanOrEqual(500);
});

test("the report is that of today (else: node scripts/pictures.ts report)", async () => {
  expect(reportWords(demoReport(await bundled("cli")))).toBe(read("report/report.txt"));
});

describe("in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "looplia-drawn-"));
  const sizes = [390, 1280].flatMap((width) => themes.map((theme) => [width, theme] as const));

  test.each(sizes)(
    "at %i points, %s: nothing is cut off, and every text meets WCAG AA",
    async (width, theme) => {
      for (const name of TEXTS) {
        const path = join(folder, `${name}-${width}-${theme}.html`);
        writeFileSync(path, drawPage(read(`comments/${name}.md`), width, theme));
        const page = await openPage(path, width, theme);
        expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(width);
        expect(await page.evaluate(CUT_OFF), name).toEqual([]);
        expect(await page.evaluate(LOW_CONTRASTS), name).toEqual([]);
      }
    },
  );
});

/** Tables, and replies to copy, that are wider than their place. What is folded is not looked at. */
const CUT_OFF = `[...document.querySelectorAll("table,pre")]
  .filter((one) => !one.closest("details") && one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent.slice(0, 60))`;

/** The words of a picture, each with its colour. */
function drawnWords(svg: string): string {
  const words = [...svg.matchAll(/<text [^>]*fill="(#\w+)"[^>]*>(.*?)<\/text>/g)];
  return steadyWords(words.map(([, fill, text]) => `${fill} ${text}`).join("\n"));
}

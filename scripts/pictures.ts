// Makes every picture of the docs from real runs of the bundles: comments, statuses and summaries in docs/comments, the live view
// and `--ui tui` in docs/terminal, the report in docs/report, docs/demo.svg. Tests compare them with what is written today.
// Needs a Chromium (its path in CHROMIUM, or on the PATH) and util-linux `script`. Words choose the kinds; `--all <folder>` draws
// every comment and summary at 390 and 1,280 points in both themes there, to be looked at.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundled } from "../test/fakes/bundle.ts";
import { startPage } from "../test/fakes/chromium.ts";
import { drawPage, fileOf, pictures, type Theme, themes } from "./pictures/page.ts";
import { recordTexts } from "./pictures/recorded.ts";
import { drawScreens } from "./pictures/screen.ts";
import {
  DEMO_SIZE,
  demoReport,
  demoWords,
  recordDemo,
  recordViews,
  reportWords,
} from "./pictures/terminal.ts";

const root = resolve(import.meta.dirname, "..");
const docs = join(root, "docs");
const REPORT = { width: 900, height: 760 };
const COMMENT_SCALE = 1.5;

const kinds = { comments, terminal, report, demo };
const { values, positionals } = parseArgs({ options: { all: { type: "string" } }, allowPositionals: true });
const scratch = mkdtempSync(join(tmpdir(), "looplia-pictures-"));
try {
  for (const [kind, make] of Object.entries(kinds)) {
    if (positionals.length === 0 || positionals.includes(kind)) await make();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function comments(): Promise<void> {
  const texts = await recordTexts();
  if (values.all !== undefined) {
    for (const [name, text] of texts) {
      for (const width of [390, 1280]) await draw(values.all, `${name}-${width}`, text, { width, scale: 1 });
    }
    return;
  }
  const folder = join(docs, "comments");
  for (const [name, text] of texts) write(join(folder, `${name}.md`), text);
  const drawn: Record<string, string> = {};
  for (const { name, text, width } of pictures) {
    const pages = await draw(folder, name, texts.get(text) ?? "", { width, scale: COMMENT_SCALE });
    for (const [file, html] of pages) drawn[file] = createHash("sha256").update(html).digest("hex");
  }
  write(join(folder, "drawn.json"), `${JSON.stringify(drawn, null, 2)}\n`);
}

/** Returns the page of each theme, by the file's name. */
async function draw(
  folder: string,
  name: string,
  text: string,
  size: { width: number; scale: number },
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const theme of themes) {
    const html = drawPage(text, size.width, theme);
    pages.set(fileOf(name, theme), html);
    await shoot(join(folder, `${fileOf(name, theme)}.png`), html, theme, size);
  }
  return pages;
}

async function terminal(): Promise<void> {
  for (const { name, title, size, screen } of await recordViews(await bundled("cli"))) {
    for (const theme of themes) {
      write(join(docs, "terminal", `${fileOf(name, theme)}.svg`), drawScreens([screen], size, title, theme));
    }
  }
}

async function report(): Promise<void> {
  const html = demoReport(await bundled("cli"));
  write(join(docs, "report/report.txt"), reportWords(html));
  for (const theme of themes) {
    await shoot(join(docs, "report", `${fileOf("report", theme)}.png`), html, theme, { ...REPORT, scale: 1 });
  }
}

async function demo(): Promise<void> {
  const title =
    "npm start: the demo turns an article into a writing kit, step by step, and answers one question";
  write(join(docs, "demo.svg"), drawScreens(await recordDemo(root), DEMO_SIZE, title, "dark"));
  write(join(docs, "demo.txt"), demoWords(await bundled("cli")));
}

/** The whole page, unless a height is given. */
async function shoot(
  file: string,
  html: string,
  theme: Theme,
  { width, scale, ...size }: { width: number; scale: number; height?: number },
): Promise<void> {
  const path = join(scratch, "page.html");
  writeFileSync(path, html);
  const page = await startPage({ path, width, theme });
  await page.send("Emulation.setScrollbarsHidden", { hidden: true });
  // The report's result is long: closed, it leaves room for the decisions.
  await page.evaluate(
    'document.querySelectorAll(".result details[open]").forEach((one) => { one.open = false })',
  );
  const height = size.height ?? (await page.evaluate<number>("document.body.scrollHeight"));
  const clip = { x: 0, y: 0, width, height, scale };
  const { data } = await page.send("Page.captureScreenshot", {
    ...{ format: "png", clip, captureBeyondViewport: true },
  });
  await page.close();
  write(file, Buffer.from(String(data), "base64"));
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  process.stdout.write(`${path}: ${Math.ceil(content.length / 1024)} kB\n`);
}

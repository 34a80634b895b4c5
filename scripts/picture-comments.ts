// Makes docs/comments/*.png from what the publishing functions write, drawn as GitHub draws comments. Needs a Chromium
// (its path in CHROMIUM, default `chromium`): only whoever changes the texts runs this. `--texts` writes the texts alone.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Picture, pictures } from "./pictures/comments.ts";
import { drawPage, fileOf, type Theme, themes, ZOOM } from "./pictures/page.ts";

const folder = resolve(import.meta.dirname, "../docs/comments");
const chromium = process.env.CHROMIUM ?? "chromium";

mkdirSync(folder, { recursive: true });
const drawn: Record<string, string> = {};
const scratch = mkdtempSync(join(tmpdir(), "looplia-pictures-"));
try {
  for (const picture of pictures) {
    writeFileSync(join(folder, `${picture.name}.md`), picture.markdown);
    if (process.argv.includes("--texts")) continue;
    for (const theme of themes) draw(picture, theme);
  }
  if (Object.keys(drawn).length > 0) {
    writeFileSync(join(folder, "drawn.json"), `${JSON.stringify(drawn, null, 2)}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function draw(picture: Picture, theme: Theme): void {
  const name = fileOf(picture.name, theme);
  const page = join(scratch, `${name}.html`);
  const html = drawPage(picture, theme);
  writeFileSync(page, html);
  const width = picture.width * ZOOM;
  const dom = browse([`--window-size=${width},800`, "--dump-dom", `file://${page}`]);
  const height = Number(/data-height="(\d+)"/.exec(dom)?.[1]);
  if (!(height > 100)) throw new Error(`${name} was not drawn: is ${chromium} a Chromium?`);
  const out = join(folder, `${name}.png`);
  browse([`--window-size=${width},${height}`, `--screenshot=${out}`, `file://${page}`]);
  drawn[name] = createHash("sha256").update(html).digest("hex");
  process.stdout.write(`docs/comments/${name}.png: ${width} × ${height}\n`);
}

function browse(flags: readonly string[]): string {
  const quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"];
  return execFileSync(chromium, [...quiet, `--user-data-dir=${scratch}/profile`, ...flags], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

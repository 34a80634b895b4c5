// Makes docs/report/*.png: the HTML report of the demo's task list in light and dark, and its words, which a test compares
// with those of today. Needs a Chromium (its path in CHROMIUM, or on the PATH).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundled } from "../test/fakes/bundle.ts";
import { startPage } from "../test/fakes/chromium.ts";
import { fileOf, themes } from "./pictures/page.ts";
import { demoReport, reportWords } from "./pictures/report.ts";

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "docs/report");
const SIZE = { width: 900, height: 760 };

mkdirSync(folder, { recursive: true });
const html = demoReport(await bundled("cli"));
writeFileSync(join(folder, "report.txt"), reportWords(html));
const scratch = mkdtempSync(join(tmpdir(), "looplia-pictures-"));
try {
  const path = join(scratch, "report.html");
  writeFileSync(path, html);
  for (const theme of themes) {
    const page = await startPage({ path, width: SIZE.width, theme });
    await page.send("Emulation.setScrollbarsHidden", { hidden: true });
    // The result is long: closed, it leaves room for the decisions.
    await page.evaluate('document.querySelector(".result details[open]").open = false');
    const clip = { x: 0, y: 0, ...SIZE, scale: 1 };
    const { data } = await page.send("Page.captureScreenshot", { format: "png", clip });
    writeFileSync(join(folder, `${fileOf("report", theme)}.png`), Buffer.from(String(data), "base64"));
    await page.close();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

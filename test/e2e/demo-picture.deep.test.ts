import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { demoWords } from "../../scripts/pictures/demo.ts";
import { fileOf, themes } from "../../scripts/pictures/page.ts";
import { demoReport, reportWords } from "../../scripts/pictures/report.ts";
import { bundled } from "../fakes/bundle.ts";

const docs = resolve(import.meta.dirname, "../../docs");

test("the picture of the demo is of what it writes today (else: npm run build && node scripts/record-demo.ts)", async () => {
  const args = [await bundled("cli"), "demo", "content"];
  const output = execFileSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(demoWords(output)).toBe(readFileSync(join(docs, "demo.txt"), "utf8"));
  const [, height] = /height="(\d+)"/.exec(readFileSync(join(docs, "demo.svg"), "utf8")) ?? [];
  expect(Number(height)).toBeLessThanOrEqual(500);
});

test("the picture of the report is of what the demo's report says today (else: node scripts/picture-report.ts)", async () => {
  const words = reportWords(demoReport(await bundled("cli")));
  expect(words).toBe(readFileSync(join(docs, "report/report.txt"), "utf8"));
  const page = readFileSync(join(docs, "command-line.md"), "utf8");
  for (const theme of themes) {
    const path = `report/${fileOf("report", theme)}.png`;
    expect(existsSync(join(docs, path))).toBe(true);
    expect(page).toContain(path);
  }
});

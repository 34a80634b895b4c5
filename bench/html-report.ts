// What a browser needs to open the HTML report of a session of 5,000 calls. Needs a Chromium (CHROMIUM, or on the PATH).
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { htmlReport } from "../src/publish/html-report.ts";
import { CHROMIUM, startPage } from "../test/fakes/chromium.ts";
import { linesOf } from "../test/fakes/report-lines.ts";
import type { Surroundings } from "./child.ts";
import { type Figure, median } from "./report.ts";

const CALLS = 5_000;
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const audit = { ok: true, count: CALLS, head: "ab".repeat(32) } as const;

export async function benchHtmlReport({ folder, runs }: Surroundings): Promise<Figure[]> {
  const facts = { sessionId: "long", audit, usage, costUsd: null, results: new Map() };
  const html = htmlReport({ ...facts, lines: linesOf(CALLS) });
  const path = join(await mkdtemp(join(folder, "report-")), "report.html");
  await writeFile(path, html);
  const size = {
    name: "report of 5,000 calls, size",
    value: Buffer.byteLength(html) / 1e6,
    unit: "MB",
    demand: 15,
  };
  if (CHROMIUM === undefined) {
    console.error("There is no Chromium to open the report in.");
    return [size];
  }
  const times: number[] = [];
  for (let run = 0; run < Math.min(runs, 5); run += 1) {
    const page = await startPage({ path, width: 1280 });
    times.push(page.openedSeconds);
    await page.close();
  }
  return [size, { name: "report of 5,000 calls, opening", value: median(times), unit: "CPU s", demand: 2 }];
}

// The HTML report in a browser: it opens fast, asks for nothing, filters, links, and is read at every width and in both themes.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { htmlReport } from "../../src/publish/html-report.ts";
import { LOW_CONTRASTS, openPage } from "../fakes/chromium.ts";
import { linesOf, XSS } from "../fakes/report-lines.ts";

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 0 };
const audit = { ok: true, count: 4, head: "ab".repeat(32) } as const;

async function open(count: number, width: number, theme: "light" | "dark" = "light", fragment = "") {
  const facts = {
    sessionId: "night-trains",
    audit,
    usage,
    costUsd: 0.5,
    results: new Map([["writing-kit.json", { headline: XSS }]]),
  };
  const html = htmlReport({ ...facts, lines: linesOf(count) });
  const path = join(await mkdtemp(join(tmpdir(), "looplia-report-")), "report.html");
  await writeFile(path, html);
  return { page: await openPage(`${path}${fragment}`, width, theme), html };
}

const SHOWN = `[...document.querySelectorAll("#timeline>ol>li")].filter(row => !row.hidden).length`;

describe("the report in Chromium", () => {
  it("of 5,000 calls opens in less than two seconds and 15 MB, asks for nothing, and runs nothing of the session", async () => {
    const { page, html } = await open(5_000, 1280);
    expect(Buffer.byteLength(html)).toBeLessThan(15_000_000);
    expect(await page.evaluate(SHOWN)).toBe(10_003);
    expect(page.openedSeconds).toBeLessThan(2);
    expect(page.requests.filter((address) => !address.startsWith("file:"))).toEqual([]);
    expect(page.requests).toHaveLength(1);
    expect(await page.evaluate("document.title")).toBe("night-trains");
    expect(await page.evaluate("document.querySelectorAll('img,script:not(:last-child)').length")).toBe(0);
  });

  it("draws turns, calls and the wait, and says who decided what when", async () => {
    const { page } = await open(20, 1280);
    const widths = await page.evaluate<number[]>(
      `["turn","call","wait"].map(kind => [...document.querySelectorAll("rect." + kind)].reduce((sum, one) => sum + one.getBoundingClientRect().width, 0))`,
    );
    for (const width of widths) expect(width).toBeGreaterThan(10);
    expect(widths[2]).toBeLessThan(400);
    expect(await page.evaluate("document.querySelector('rect.wait title').textContent")).toContain(
      "q1-abcdef, 9h",
    );
    const rows = await page.evaluate<string>("document.querySelector('table').innerText");
    expect(rows).toMatch(/2026-11-21 03:00:40\s+github:1:ada\s+Send it\?\s+approve\s+9 h/);
    expect(await page.evaluate("document.querySelectorAll('polyline').length")).toBe(2);
  });

  it("filters by kind, failure and word, opens all, and finds a linked line that a filter hides", async () => {
    const { page } = await open(20, 1280, "light", "#l2");
    expect(await page.evaluate("document.querySelector('#l2 details').open")).toBe(true);
    const set = (selector: string, change: string) =>
      page.evaluate(
        `{ const one = document.querySelector('${selector}'); one.${change}; one.dispatchEvent(new Event("input", { bubbles: true })); }`,
      );
    await set("[data-kind=turn]", "checked = false");
    expect(await page.evaluate(SHOWN)).toBe(23);
    await set("[data-bad]", "checked = true");
    expect(await page.evaluate(SHOWN)).toBe(1);
    await set("[data-bad]", "checked = false");
    await set("[data-search]", "value = 'echo 14'");
    expect(await page.evaluate(SHOWN)).toBe(1);
    expect(await page.evaluate("document.querySelector('#timeline').offsetHeight")).toBeLessThan(200);
    await page.evaluate("document.querySelector('[data-open]').click()");
    expect(
      await page.evaluate("document.querySelectorAll('#timeline details[open]').length"),
    ).toBeGreaterThan(0);
    await page.evaluate("location.hash = '#l3'; new Promise(done => setTimeout(done, 50))");
    expect(await page.evaluate("document.querySelector('#l3').hidden")).toBe(false);
  });

  it("prints everything, and closes again what was closed", async () => {
    const { page } = await open(3, 800);
    const shut = "document.querySelectorAll('#timeline details:not([open])').length";
    expect(await page.evaluate(shut)).toBeGreaterThan(0);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.evaluate(shut)).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.evaluate(shut)).toBeGreaterThan(0);
  });

  it.each([
    [390, "light"],
    [390, "dark"],
    [1280, "light"],
    [1280, "dark"],
  ] as const)("at %i points, %s: nothing is cut off, and every text meets WCAG AA", async (width, theme) => {
    const { page } = await open(4, width, theme);
    await page.evaluate("document.querySelector('[data-open]').click()");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const fits =
      "[...document.querySelectorAll('.wide')].map(table => table.scrollWidth <= table.clientWidth)";
    expect(new Set(await page.evaluate<boolean[]>(fits))).toEqual(new Set([true]));
    expect(await page.evaluate(LOW_CONTRASTS)).toEqual([]);
  });
});

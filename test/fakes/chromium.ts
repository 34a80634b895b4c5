// A page in a headless Chromium over its debugging protocol: what it asks for, shows and takes to open.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findOwnTool } from "../../src/sandbox/own-tools.ts";

/** The path of a Chromium: that of `CHROMIUM`, else the one that the machine has, if any. */
export const CHROMIUM = process.env.CHROMIUM || findChromium();

function findChromium(): string | undefined {
  const names = ["chromium", "google-chrome"];
  return names.map((name) => findOwnTool(name, process.env.PATH ?? "", [])?.path()).find(Boolean);
}

export type Page = {
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Addresses that the page asked for. */
  requests: string[];
  /** CPU seconds of the main thread until the load event: the time on an idle machine, whatever this one does. */
  openedSeconds: number;
};

/** `path`: of a local file, with a fragment if wanted. `width` in CSS pixels. */
type Window = { path: string; width: number; theme?: "light" | "dark" };

/** Opens a local file until the test ends. Skips the test where there is no Chromium. */
export async function openPage(
  path: string,
  width: number,
  theme: "light" | "dark" = "light",
): Promise<Page> {
  // Not imported at the top: `scripts/pictures.ts` runs without a test runner.
  const { onTestFinished } = await import("vitest");
  const { skipWithout } = await import("./needed.ts");
  if (!CHROMIUM) skipWithout("chromium");
  const { close, ...page } = await startPage({ path, width, theme });
  onTestFinished(close);
  return page;
}

/** The caller closes the page. */
export async function startPage({
  path,
  width,
  theme = "light",
}: Window): Promise<Page & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "looplia-chromium-"));
  const quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const child = spawn(CHROMIUM ?? "", [...quiet, `--user-data-dir=${folder}`, "about:blank"], {
    stdio: "ignore",
  });
  const socket = new WebSocket(await addressOf(folder));
  await once(socket, "open");
  const requests: string[] = [];
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  let loaded = () => {};
  let count = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, method, result, params } = JSON.parse(String(data));
    if (method === "Network.requestWillBeSent") requests.push(params.request.url);
    if (method === "Page.loadEventFired") loaded();
    waiting.get(id)?.(result ?? {});
    waiting.delete(id);
  });
  const send: Page["send"] = (method, params = {}) =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  await Promise.all(
    ["Page.enable", "Network.enable", "Runtime.enable", "Performance.enable"].map((method) => send(method)),
  );
  await send("Emulation.setDeviceMetricsOverride", {
    width,
    height: 900,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });
  const isLoaded = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  await send("Page.navigate", { url: `file://${path}` });
  await isLoaded;
  const openedSeconds = await cpuSeconds(send);
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result } = await send("Runtime.evaluate", {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    return (result as { value: T }).value;
  };
  return {
    evaluate,
    send,
    requests,
    openedSeconds,
    close: () => stop(child),
  };
}

async function cpuSeconds(send: Page["send"]): Promise<number> {
  const { metrics } = (await send("Performance.getMetrics")) as {
    metrics: { name: string; value: number }[];
  };
  return metrics.find(({ name }) => name === "ThreadTime")?.value ?? 0;
}

/** Chromium writes its port and path into its folder once it listens. */
async function addressOf(folder: string): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    try {
      const [port] = readFileSync(join(folder, "DevToolsActivePort"), "utf8").split("\n");
      const pages = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
        type: string;
        webSocketDebuggerUrl: string;
      }[];
      const page = pages.find(({ type }) => type === "page");
      if (page) return page.webSocketDebuggerUrl;
    } catch {}
    await wait(50);
  }
  throw new Error("Chromium did not start.");
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** An expression: elements with a text whose contrast with what is behind it is below 4.5 (WCAG AA). */
export const LOW_CONTRASTS = `(() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => { const f = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = (node) => { for (let at = node; at; at = at.parentElement) { const color = parts(getComputedStyle(at).backgroundColor); if (color.length < 4 || color[3] > 0) return color; } return [255, 255, 255]; };
  const found = new Set();
  for (const node of document.querySelectorAll("body *")) {
    if (![...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim() !== "") || node.closest("button,script,title")) continue;
    const { color, fill } = getComputedStyle(node);
    const [low, high] = [light(parts(node.closest("svg") ? fill : color)), light(behind(node))].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < 4.5) found.add(node.tagName + "." + (node.getAttribute("class") ?? ""));
  }
  return [...found];
})()`;

// The full-screen view in a real terminal: what a person sees, types and gets back, at the sizes that people use.
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import xterm from "@xterm/headless";
import { expect, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";
import { KEYS, openTerminal, type Terminal } from "../fakes/pseudo-terminal.ts";

const ESC = "\u001b";
const UP = KEYS.up;
const program = await bundled("cli");

type Size = { columns: number; rows: number };

function start(
  argv: readonly string[],
  size: Size,
  more: { environment?: Record<string, string>; cwd?: string; node?: string[] } = {},
) {
  const { node = [], ...rest } = more;
  return openTerminal([process.execPath, ...node, program, ...argv], {
    ...size,
    ...rest,
    environment: { USER: "ada", ...rest.environment },
  });
}

/** The screen as a terminal of this size shows all that was written to it since the view began. */
async function seen(terminal: Terminal, { columns, rows }: Size): Promise<string[]> {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((done) => screen.write(terminal.screen(), done));
  const buffer = screen.buffer.active;
  return Array.from(
    { length: rows },
    (_, y) => buffer.getLine(buffer.viewportY + y)?.translateToString(true) ?? "",
  );
}

/** Waits until the screen of this size has the text, and returns it. */
async function shows(terminal: Terminal, size: Size, wanted: RegExp): Promise<string> {
  let text = "";
  await expect
    .poll(async () => {
      text = (await seen(terminal, size)).join("\n");
      return text;
    })
    .toMatch(wanted);
  return text;
}

/** The alternate screen is left, the cursor is back, and pasting is as it was. */
function expectRestored(terminal: Terminal): void {
  const said = terminal.screen();
  for (const [on, off] of [
    ["[?1049h", "[?1049l"],
    ["[?25l", "[?25h"],
    ["[?2004h", "[?2004l"],
  ]) {
    expect(said).toContain(`${ESC}${on}`);
    expect(said.lastIndexOf(`${ESC}${off}`)).toBeGreaterThan(said.lastIndexOf(`${ESC}${on}`));
  }
}

test.each([40, 80, 200])(
  "at %i columns: the list, the log, the question, and the answer",
  async (columns) => {
    const size = { columns, rows: 24 };
    const terminal = start(["demo", "content", "--ui", "tui"], size);
    await shows(terminal, size, /waiting for your answer[\s\S]*Which hook comes first\?[\s\S]*› 1 /);
    terminal.type(ESC);
    await shows(terminal, size, /✓ summary[\s\S]*› {3}\? ideas[\s\S]*○ outline[\s\S]*Tab answer/);
    terminal.type(UP);
    await shows(terminal, size, /› {3}✓ summary/);
    terminal.type(`${KEYS.enter}g`);
    const log = await shows(terminal, size, /done · content-analyzer[\s\S]*✓ writeArtifact summary/);
    expect(log).toContain("headline");
    terminal.type("\t2\r");
    await shows(terminal, size, /completed[\s\S]*q close/);
    terminal.type("q");
    expect(await terminal.ended()).toBe(0);
    expectRestored(terminal);
    const after = terminal.screen().slice(terminal.screen().lastIndexOf(`${ESC}[?1049l`));
    expect(after).toMatch(/writing-kit[\s\S]*Hooks/);
  },
);

test("a run that nobody touches closes the view at its end, and the demo's question is answered by itself", async () => {
  const terminal = start(["demo", "content", "--ui", "tui"], { columns: 80, rows: 24 });
  expect(await terminal.ended()).toBe(0);
  expectRestored(terminal);
});

test("follows the size of the window, down to 18 columns and back", async () => {
  const terminal = start(["demo", "content", "--ui", "tui"], { columns: 200, rows: 30 });
  await shows(terminal, { columns: 200, rows: 30 }, /✓ summary .*│[\s\S]*› 1 /);
  terminal.type(KEYS.down);
  for (const [columns, rows, wanted] of [
    [120, 20, /✓ summary .*│[\s\S]*› 2 /],
    [40, 12, /^looplia.*waiting for your answer\n[^│]*› 2 /],
    [18, 6, /too narrow/],
    [80, 24, /Which hook comes first\?[\s\S]*› 2 /],
  ] as const) {
    terminal.resize(columns, rows);
    await expect
      .poll(async () => (await seenAfterClear(terminal, { columns, rows })).join("\n"))
      .toMatch(wanted);
  }
  terminal.type(KEYS.ctrlC);
  expect(await terminal.ended()).toBe(4);
  expectRestored(terminal);
});

/** The last whole picture: what was written for another size is left out. */
async function seenAfterClear(terminal: Terminal, size: Size): Promise<string[]> {
  const said = terminal.screen();
  const from = said.lastIndexOf(`${ESC}[2J`);
  const head = said.slice(0, said.indexOf(`${ESC}[?1049h`) + 8);
  return seen({ ...terminal, screen: () => head + said.slice(Math.max(0, from)) }, size);
}

async function checklist(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "looplia-tui-")));
  await cp(resolve(import.meta.dirname, "../../examples"), folder, { recursive: true });
  execFileSync("git", ["init", "-q", folder]);
  return folder;
}

test("a task list: choose, read the danger first, approve, and see what the commands wrote", async () => {
  const size = { columns: 120, rows: 40 };
  const cwd = await checklist();
  const terminal = start(["run", "--mode", "tasks", "--ui", "tui"], size, { cwd });
  await shows(terminal, size, /✓ T1 {2}Check[\s\S]*Which part of the version goes up\?/);
  terminal.type("2\r");
  const confirm = await shows(terminal, size, /4 actions need your approval/);
  expect(confirm.indexOf("! Dangerous")).toBeLessThan(confirm.indexOf("mv VERSION.next VERSION"));
  terminal.type("a\r");
  await shows(terminal, size, /\? T3[\s\S]*› 2 Reject/);
  terminal.type(`r\r`);
  await shows(terminal, size, /Why\? \(may stay empty\)/);
  terminal.type(`not tomorow${ESC}[D${ESC}[D`);
  terminal.type("r");
  await shows(terminal, size, /> not tomorrow/);
  terminal.type(KEYS.enter);
  expect(await terminal.ended()).toBe(4);
  expect(terminal.screen()).toMatch(/They said: not tomorrow/);
});

test("Ctrl-C saves, SIGTERM saves, and a crash leaves its error on a usable terminal", async () => {
  const size = { columns: 80, rows: 24 };
  const interrupted = start(["demo", "content", "--ui", "tui"], size);
  await shows(interrupted, size, /› 1 /);
  interrupted.type(KEYS.ctrlC);
  expect(await interrupted.ended()).toBe(4);
  expectRestored(interrupted);
  expect(interrupted.screen()).toContain("Stopping and saving");
  const killer = "data:text/javascript,setTimeout(() => process.kill(process.pid, 'SIGTERM'), 4000)";
  const ended = start(["demo", "content", "--ui", "tui"], size, { node: ["--import", killer] });
  expect(await ended.ended()).toBe(4);
  expectRestored(ended);
  const fault = "data:text/javascript,setTimeout(() => { throw new Error('the roof fell in') }, 4000)";
  const crashed = start(["demo", "content", "--ui", "tui"], size, { node: ["--import", fault] });
  expect(await crashed.ended()).not.toBe(0);
  expectRestored(crashed);
  const after = crashed.screen().slice(crashed.screen().lastIndexOf(`${ESC}[?1049l`));
  expect(after).toContain("the roof fell in");
});

test("without colours the marks remain; for a screen reader no line is drawn twice and answers are typed", async () => {
  const size = { columns: 80, rows: 40 };
  const plain = start(["demo", "content", "--ui", "tui"], size, { environment: { NO_COLOR: "1" } });
  await shows(plain, size, /› 1 /);
  expect(plain.screen()).not.toMatch(new RegExp(`${ESC}\\[[0-9;]*m`));
  plain.type(KEYS.ctrlC);
  expect(await plain.ended()).toBe(4);
  const cwd = await checklist();
  const read = start(["run", "--mode", "tasks", "--ui", "tui"], size, {
    cwd,
    environment: { INK_SCREEN_READER: "true", NO_COLOR: "1" },
  });
  await read.shows("Which part of the version goes up?\r\n1. patch");
  read.type("7\r");
  await expect.poll(() => read.screen().split("Number from 1 to 3").length).toBe(3);
  read.type("2\r");
  await read.shows("4 actions need your approval\r\n1. Approve\r\n2. Reject (default)");
  read.type("\r");
  await read.shows("Why? (may stay empty)");
  read.type("not today\r");
  expect(await read.ended()).toBe(4);
  expect(read.screen()).toContain("They said: not today");
  expect(read.screen()).not.toContain(ESC);
});

// Runs of the bundled command line in a pseudo terminal: the live view and the full-screen view of a task list with a scripted
// model, the demo, and the report of the demo's task list.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startMessagesApi } from "../../test/fakes/messages-api.ts";
import type { ApiBody } from "../../test/fakes/messages-api-rules.ts";
import type { Turn } from "../../test/fakes/messages-api-script.ts";
import { startTerminal } from "../../test/fakes/pseudo-terminal.ts";
import { behave, report, use } from "../../test/fakes/tasks-world.ts";
import { readScreens, type Screen, type Size, wordsOf } from "./screen.ts";

const MOMENT_SECONDS = 0.2;
const GAP_SECONDS = 0.02;
const PATIENCE_MS = 20_000;
/** A model takes its time; twenty seconds of the program are one of ours. */
const CLOCK = new URL("../../test/fakes/fast-clock.mjs", import.meta.url).href;
const TURN_MS = 900;
const SAID = "The test passes now. What is left is to publish the version.";

export type Recorded = { name: string; title: string; size: Size; screen: Screen };

type View = { name: string; title: string; size: Size; argv: readonly string[]; until: RegExp };
const VIEWS: readonly View[] = [
  {
    name: "live",
    title: "The live view of a task list",
    size: { columns: 92, rows: 15 },
    argv: [],
    until: /What is left is to publish/,
  },
  {
    name: "tui",
    title: "--ui tui: the list of tasks and the log of one",
    size: { columns: 110, rows: 20 },
    argv: ["--ui", "tui"],
    until: /What is left is to publish/,
  },
  {
    name: "tui-question",
    title: "--ui tui in a narrow terminal: the open question",
    size: { columns: 60, rows: 16 },
    argv: ["--ui", "tui"],
    until: /› \d Reject/,
  },
];

/** The screens of the three views, each at one moment of a run of its own. `script`: the command line's bundle. */
export async function recordViews(script: string): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const view of VIEWS) recorded.push({ ...view, screen: await recordView(script, view) });
  return recorded;
}

async function recordView(script: string, { size, argv, until, name }: View): Promise<Screen> {
  const world = mkdtempSync(join(tmpdir(), "looplia-view-"));
  const folder = join(world, "parser");
  makeRepository(folder);
  const isAsking = name === "tui-question";
  const api = await startMessagesApi((body) => slowly(play(body, isAsking)));
  const node = [process.execPath, "--import", CLOCK];
  const terminal = startTerminal([...node, script, "run", "--mode", "tasks", ...argv], {
    ...size,
    cwd: folder,
    environment: {
      ...{ USER: "ada", HOME: world, FORCE_COLOR: "1", NODE_DISABLE_COMPILE_CACHE: "1" },
      ...{ CLOCK_RATE: "20", CLOCK_FROM: new Date().toISOString() },
      ...{ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url },
    },
  });
  try {
    const ends = Date.now() + PATIENCE_MS;
    for (;;) {
      const [screen = []] = await readScreens([terminal.screen()], size);
      if (until.test(wordsOf(screen))) return screen;
      if (Date.now() > ends) throw new Error(`${name} was never shown, but:\n${wordsOf(screen)}`);
      await new Promise((done) => setTimeout(done, 200));
    }
  } finally {
    terminal.process.kill("SIGKILL");
    await api.close();
    rmSync(world, { recursive: true, force: true, maxRetries: 5 });
  }
}

const PARSER = 'export const lines = (text) => text.split("\\n").slice(0, -1);\n';
const FILES: Record<string, string> = {
  "src/parse.mjs": PARSER,
  "test/parse.test.mjs":
    'import { strict } from "node:assert";\nimport { lines } from "../src/parse.mjs";\nstrict.deepEqual(lines("a\\nb"), ["a", "b"]);\nconsole.log("1 passed");\n',
  "looplia.yml": "policy:\n  - allow editFile src/**\n  - allow runCommand node test/parse.test.mjs\n",
};
const TASKS = ["Find the bug", "Fix the parser", "Write the notes"];

function makeRepository(folder: string): void {
  const tasks = TASKS.map((title, at) => ({ id: `T${at + 1}`, title, status: "todo", priority: at + 1 }));
  const list = { schema_version: 1, project: { name: "A parser", root: "." }, source_files: [], tasks };
  for (const [path, text] of Object.entries({ ...FILES, "to-do.json": JSON.stringify(list, null, 2) })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args]);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-qm", "begin");
}

/** Finds the test, corrects the parser, runs the test, and then speaks, or asks whether a command may run. */
function play(body: ApiBody, isAsking: boolean): Turn {
  const fix: readonly Turn[] = [
    say("The parser drops the last line of a text without a final newline.", "editFile", {
      path: "src/parse.mjs",
      oldStr: ".slice(0, -1)",
      newStr: ".filter((line) => line)",
    }),
    use("runCommand", { command: "node test/parse.test.mjs" }),
    isAsking
      ? use("runCommand", { command: "npm publish --tag next" })
      : { content: `${SAID} It waits for you.`, hangAfter: 4 },
  ];
  const find = use("readFile", { path: "test/parse.test.mjs" });
  return behave(
    {
      T1: (turn) => (turn === 1 ? find : report("T1", { summary: "test/parse.test.mjs fails." })),
      T2: (turn) => fix[turn - 1],
    },
    body,
  );
}

function slowly(turn: Turn): Turn {
  return typeof turn === "object" && "content" in turn ? { delayMs: TURN_MS, ...turn } : turn;
}

function say(text: string, name: string, input: Record<string, unknown>): Turn {
  const { content } = use(name, input) as { content: [] };
  return { content: [{ type: "text", text }, ...content] };
}

/** The words of a screen without what differs from run to run: ids, times, tokens, cost, the turning mark. */
export function steadyWords(words: string): string {
  return (
    words
      .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏◒◐◓◑]/g, "*")
      .replaceAll(/(?:\d+m )?\b\d+(?:\.\d+)?m?s\b/g, "<time>")
      .replaceAll(/\$\d+\.\d+ a minute/g, "<rate>")
      // A model reads how long a command took.
      .replaceAll(/[\d,]+ tokens in/g, "<count> tokens in")
      .replaceAll(/\$\d+\.\d+/g, "<cost>")
      .replaceAll(/-\d{4}-\d\d-\d\d-[0-9a-f]{6}\b/g, "-<id>")
      .replaceAll(/q(\d)-[0-9a-f]{6}/g, "q$1-<id>")
      .replaceAll(/ +/g, " ")
  );
}

export const DEMO_SIZE: Size = { columns: 96, rows: 22 };
/** Moves the cursor up, or clears: part of a picture that redraws itself. */
const REDRAW = new RegExp(`${String.fromCharCode(27)}\\[\\d*[AJ]`, "g");

/** The screens of `npm start -- content`, moment by moment, and its words where no terminal is. */
export async function recordDemo(root: string): Promise<Screen[]> {
  return readScreens(recordMoments(root).flatMap(byScreens), DEMO_SIZE);
}

/** What a real run writes to its terminal, in the pieces in which it came. */
function recordMoments(root: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "looplia-record-"));
  const [output, timing] = [join(folder, "output"), join(folder, "timing")];
  const { columns, rows } = DEMO_SIZE;
  const line = `stty cols ${columns} rows ${rows}; exec npm start --silent -- content`;
  execFileSync("script", ["-q", "-e", "-c", line, "--log-out", output, "--log-timing", timing], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...{ PATH: process.env.PATH, HOME: tmpdir(), TERM: "xterm-256color" },
      ...{ SHELL: "/bin/sh", FORCE_COLOR: "1" },
    },
  });
  // The first line and the last are those of `script` itself.
  const bytes = readFileSync(output);
  let at = bytes.indexOf("\n") + 1;
  const pieces = ["$ npm start -- content\r\n\r\n"];
  const decoder = new TextDecoder();
  let passed = 0;
  for (const entry of readFileSync(timing, "utf8").trim().split("\n")) {
    const [seconds = 0, length = 0] = entry.split(" ").map(Number);
    const text = decoder.decode(bytes.subarray(at, at + length), { stream: true });
    at += length;
    passed += seconds;
    // What comes without a gap was written at once; a spinner turns more often than a moment lasts.
    if (passed <= MOMENT_SECONDS || seconds < GAP_SECONDS) pieces.push((pieces.pop() ?? "") + text);
    else {
      pieces.push(text);
      passed = 0;
    }
  }
  return pieces;
}

/** Long output comes half a screen at a time, so that it can be read; what is redrawn within it is not shown. */
function byScreens(text: string): string[] {
  const redrawn = [...text.matchAll(REDRAW)].at(-1);
  if (redrawn) {
    const end = redrawn.index + redrawn[0].length;
    const [first = "", ...others] = byScreens(text.slice(end));
    return [text.slice(0, end) + first, ...others];
  }
  const lines = text.split(/(?<=\n)/);
  const half = DEMO_SIZE.rows >> 1;
  return Array.from({ length: Math.ceil(lines.length / half) }, (_, at) =>
    lines.slice(at * half, (at + 1) * half).join(""),
  );
}

/** The words of the demo where no terminal is, without what differs from run to run. `script`: the command line's bundle. */
export function demoWords(script: string): string {
  return execute(script, ["demo", "content"])
    .replaceAll(/\/\S*\/looplia-demo-\w+/g, "<folder>")
    .replaceAll(/-\d{4}-\d\d-\d\d-[0-9a-f]{6}\b/g, "-<id>")
    .replace(/node\s+\S+\s+run\s+--file\s+<article\.md>/, "looplia run --file <article.md>")
    .replaceAll(/\b\d+(?:\.\d+)? ?m?s\b/g, "<time>");
}

/** The report of the demo's task list, as the program writes it; nothing of the demo is left. */
export function demoReport(script: string): string {
  const [folder] = /\/\S*\/looplia-demo-\w+/.exec(execute(script, ["demo", "tasks"])) ?? [];
  if (folder === undefined) throw new Error("The demo names no folder.");
  try {
    const state = join(folder, ".looplia/state");
    const [session = ""] = readdirSync(state)
      .filter((name) => name !== "origin")
      .flatMap((work) => readdirSync(join(state, work, "sessions")));
    return execute(script, ["report", session, "--html"], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function execute(script: string, args: readonly string[], cwd?: string): string {
  return execFileSync(process.execPath, [script, ...args], {
    ...{ encoding: "utf8", cwd, stdio: ["ignore", "pipe", "ignore"], env: { PATH: process.env.PATH } },
  });
}

/** What a person reads, a line each, without what differs from run to run: ids, times, the machine's isolation. */
export function reportWords(html: string): string {
  const words = html
    .replaceAll(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+Z)?)?)?/g, "<time>")
    .replaceAll(/<time>-[0-9a-f]{6}\b|\b(?=\w*\d)[0-9a-f]{6,16}\b/g, "<id>")
    .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|min|s|h)\b/g, "<duration>")
    .replaceAll(/\/\S*\/looplia-demo-\w+/g, "<folder>")
    .replaceAll(/isolation: \w+/g, "isolation: <machine>");
  const lines = words.split("\n").map((line) => line.trim());
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

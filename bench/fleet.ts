// Folders of many items: what a finished session keeps, memory, how near the waits of the model a run comes, requests to
// GitHub, and a look of the Action at items that are all done.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ActionWorld, createActionWorld, ended } from "../test/fakes/action-world.ts";
import { createAskingWorld } from "../test/fakes/asking-world.ts";
import { bundled } from "../test/fakes/bundle.ts";
import { copyFinished } from "../test/fakes/finished-items.ts";
import { commitFiles } from "../test/fakes/git-http.ts";
import { writeDue } from "../test/fakes/kit-api.ts";
import { ARTICLE } from "../test/fakes/kit-script.ts";
import { ROOT } from "./bundle.ts";
import type { Surroundings } from "./child.ts";
import type { Figure } from "./report.ts";

const KB = 1_000;
const SESSIONS = 30;
const FEW = 100;
const MANY = 1_000;
const AT_ONCE = 40;
const ANSWER_MS = 500;

/** Bytes of a finished session of a 5 kB item: on disk, and as loose objects of one commit. */
export async function benchStored({ script, folder }: Surroundings): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const key of [undefined, "correct horse battery staple"]) {
    const root = join(folder, `stored-${key !== undefined}`);
    writeItems(root, SESSIONS);
    await look(script, root, ["--provider", "offline"], key === undefined ? {} : { LOOPLIA_STATE_KEY: key });
    const state = join(root, ".looplia/state");
    const [work = ""] = readdirSync(state).filter((name) => name.startsWith("writing-kit-"));
    const sessions = join(state, work, "sessions");
    const how = key === undefined ? "" : " with state-key";
    const name = (where: string) => `state of a finished session ${where}${how}`;
    const disk = bytesOf(sessions) / SESSIONS / KB;
    const git = bytesInGit(join(state, work), join(root, "git")) / SESSIONS / KB;
    figures.push({ name: name("on disk"), value: disk, unit: "kB", demand: 25 });
    figures.push({ name: name("in git"), value: git, unit: "kB", demand: 8 });
  }
  return figures;
}

function bytesInGit(work: string, place: string): number {
  mkdirSync(place);
  for (const name of ["frozen", "header.json", "sessions"]) {
    cpSync(join(work, name), join(place, name), { recursive: true });
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "gc.auto=0", "-c", "user.name=x", "-c", "user.email=x@y", ...args], {
      cwd: place,
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "state");
  return bytesOf(join(place, ".git/objects"));
}

/** A model that takes half a second, many items at once; memory in a run of a tenth as many, too. */
export async function benchMany({ script, folder }: Surroundings): Promise<Figure[]> {
  const few = await runOver(script, join(folder, "few"), FEW);
  const many = await runOver(script, join(folder, "many"), MANY);
  return [
    {
      name: `${MANY} items, ${AT_ONCE} at once: time to ideal`,
      value: many.time / many.ideal,
      unit: "times",
      demand: 1 / 0.9,
    },
    // On a busy machine this tells more than the time.
    { name: `CPU time of each of ${MANY} items, all threads`, value: many.cpu / MANY, unit: "ms" },
    { name: `memory for ${FEW} new items`, value: few.memory, unit: "MB" },
    { name: `memory for ${MANY} new items`, value: many.memory, unit: "MB", demand: 160 },
  ];
}

async function runOver(script: string, root: string, count: number) {
  writeItems(root, count);
  const model = spawn(process.execPath, [join(import.meta.dirname, "slow-model.ts"), String(ANSWER_MS)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said = createInterface({ input: model.stdout })[Symbol.asyncIterator]();
  const ANTHROPIC_BASE_URL = String((await said.next()).value);
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL };
  const ran = await look(script, root, ["--concurrency", String(AT_ONCE)], environment);
  model.stdin.end();
  const requests = Number((await said.next()).value);
  return { ...ran, ideal: (requests * ANSWER_MS) / AT_ONCE };
}

/** Milliseconds from start to end and of CPU time, and the most memory in MB. */
async function look(script: string, root: string, flags: string[], environment: Record<string, string>) {
  const tell =
    "process.on('exit', () => { const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage(); console.error('maxRSS', maxRSS, 'CPU', userCPUTime + systemCPUTime); })";
  const preload = `data:text/javascript,${encodeURIComponent(tell)}`;
  const words = ["--import", preload, script, "run", "--content", "content/*.md", ...flags, root];
  const start = performance.now();
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, CI: "1", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`looplia run failed: ${errors}`);
  const [, memory, cpu] = /maxRSS (\d+) CPU (\d+)/.exec(errors) ?? [];
  return { time: performance.now() - start, memory: Number(memory) / 1024, cpu: Number(cpu) / 1000 };
}

/** Items of 5 kB, each with sentences of its own. */
function writeItems(root: string, count: number): void {
  mkdirSync(join(root, "content"), { recursive: true });
  const texts = globSync(join(ROOT, "docs/*.md")).map((path) => readFileSync(path, "utf8"));
  const sentences = [
    ...new Set(
      texts
        .join(" ")
        .replace(/[`*_#|<>[\]]/g, "")
        .split(/(?<=[.!?])\s+/),
    ),
  ]
    .map((sentence) => sentence.replace(/\s+/g, " "))
    .filter((sentence) => sentence.length > 40 && sentence.length < 220);
  for (let number = 1; number <= count; number += 1) {
    let text = `${ARTICLE.replace("Kettles and time", `Kettles and time ${number}`)}\n`;
    for (let at = number * 37; text.length < 5_000; at += 1)
      text += `${sentences[at % sentences.length]}\n\n`;
    writeFileSync(join(root, `content/item-${number}.md`), text);
  }
}

/** Requests to GitHub of a run with one pull request, of one with a pull request for each item, and of questions. */
export async function benchRequests(): Promise<Figure[]> {
  return [...(await countOfRuns()), ...(await countOfQuestions())];
}

async function countOfRuns(): Promise<Figure[]> {
  const count = 12;
  const items = Array.from({ length: count }, (_, at) => [`content/${at}.md`, `# ${at}\n\n${ARTICLE}`]);
  const figures: Figure[] = [];
  for (const [how, demand] of [
    ["one", 30],
    ["per-item", 20 + 3 * count],
  ] as const) {
    const settings = `pull-request: ${how}\nmax-pull-requests: ${count}\nupload-audit: false\n`;
    const world = await createActionWorld({ ...Object.fromEntries(items), "looplia.yml": settings });
    try {
      world.modelTurn = writeDue;
      await runIn(world, "completed done");
      const value = world.github.requests.length;
      figures.push({ name: `requests to GitHub for ${count} items, ${how}`, value, unit: "", demand });
    } finally {
      await world.close();
    }
  }
  return figures;
}

/** One question of each item; people of whom each answers one of them before a single wake. */
async function countOfQuestions(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const quiet = await askAndAnswer(0);
  for (const count of [1, 4, 10]) {
    const { run, wake, next } = await askAndAnswer(count);
    const more = run - quiet.run + wake - next;
    const name = (what: string) =>
      `requests to GitHub ${what}, ${count} ${count === 1 ? "question" : "questions"}`;
    figures.push({ name: name("of a run that asks"), value: run, unit: "", demand: 30 + 6 * count });
    figures.push({ name: name("of the wake that answers"), value: wake, unit: "", demand: 30 + 6 * count });
    const each = name("for each, to ask and to answer");
    figures.push({ name: each, value: more / count, unit: "", demand: 6 });
  }
  return figures;
}

/** Requests of a run that asks so many questions, of the wake that answers them, and of a next run that asks none. */
async function askAndAnswer(count: number) {
  const items = Array.from({ length: count || 1 }, (_, at) => [`content/${at}.md`, `# ${at}\n\n${ARTICLE}`]);
  const settings = "upload-audit: false\n";
  const world = await createAskingWorld({ ...Object.fromEntries(items), "looplia.yml": settings });
  try {
    const seen = () => world.github.requests.splice(0).length;
    if (count === 0) world.modelTurn = writeDue;
    // The world's own item has no part in this.
    const inputs = { content: "content/[0-9]*.md", "state-key": "so that no run warns" };
    await world.start({ inputs });
    const run = seen();
    const questions = world.ours("looplia:request").map(({ body }) => /\/approve (q[\w-]+)/.exec(body)?.[1]);
    if (questions.length !== count) throw new Error(`${questions.length} questions`);
    const comments = questions.map((question, at) => {
      world.github.accounts.addPerson(`person-${at}`, "write");
      return world.say(`person-${at}`, `/approve ${question}`);
    });
    for (const comment of comments.slice(0, 1)) await world.deliver(comment, { inputs });
    const wake = seen();
    world.modelTurn = writeDue;
    await commitFiles(world.repository.bare, "main", { "content/99.md": `# 99\n\n${ARTICLE}` }, "another");
    const ran = await world.start({ inputs });
    if (ended(ran) !== "completed done") throw new Error(`the Action ended ${ended(ran)}`);
    return { run, wake, next: seen() };
  } finally {
    await world.close();
  }
}

/** The Action from start to end over items that all have their kits. */
export async function benchUnchanged({ script, folder }: Surroundings): Promise<Figure[]> {
  const root = join(folder, "unchanged");
  writeItems(root, 1);
  await look(script, root, ["--provider", "offline"], {});
  await copyFinished(root, MANY);
  const paths = globSync(["content/many/*.md", ".looplia/contentItem/item-*/*"], { cwd: root });
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const world = await createActionWorld({ ...files, "looplia.yml": "content: content/many/*.md\n" });
  try {
    await bundled("action");
    const start = performance.now();
    await runIn(world, "completed up-to-date");
    const value = performance.now() - start;
    return [{ name: `Action over ${MANY} unchanged items`, value, unit: "ms", demand: 5_000 }];
  } finally {
    await world.close();
  }
}

async function runIn(world: ActionWorld, expected: string): Promise<void> {
  const ran = await world.run({ inputs: { content: "content/**/*.md" } });
  if (ended(ran) !== expected) throw new Error(`the Action ended ${ended(ran)}`);
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

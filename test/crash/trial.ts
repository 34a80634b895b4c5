// One trial: a fresh repository, a run that is killed at a point, a run that goes on, and what is wrong at the end.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Ended, hear } from "../fakes/hear.ts";
import { answerInTurns } from "../fakes/kit-api.ts";
import { ARTICLE } from "../fakes/kit-script.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import { findFaults, findManifest, readEndState } from "./end-state.ts";

const ROOT = join(import.meta.dirname, "../..");
/** For `--import`. */
export const INJECTOR = pathToFileURL(join(import.meta.dirname, "injector.mjs")).href;
const ITEM = "content/kettles.md";

export type Effect = { index: number; kind: string; place: string; site: string };
export type CrashPoint = { effect: Effect; when: "before" | "after" };
/** The command line and the model that it asks. */
export type Program = { script: string; environment: Record<string, string>; close(): Promise<void> };
export type Reference = { effects: Effect[]; endState: Map<string, string> };

/** What must come up among the effects of a run, else the injector looks at the wrong ones. */
const DURABLE_OPERATIONS: readonly [name: string, pattern: RegExp][] = [
  ["header", /^link .*\/header\.json$/],
  ["frozen bytes", /^link .*\/frozen\/[0-9a-f]{64}$/],
  ...["events", "conversation", "audit"].flatMap((store): [string, RegExp][] => [
    [`${store}: segment create`, new RegExp(`^link .*/${store}/\\d{6}\\.jsonl$`)],
    [`${store}: segment append`, new RegExp(`^appendFile .*/${store}/\\d{6}\\.jsonl$`)],
  ]),
  ...["content.md", "session.json", "summary.json", "ideas.json", "outline.json", "writing-kit.json"].map(
    (name): [string, RegExp] => [
      name,
      new RegExp(`^rename .*/contentItem/[^/]+/${name.replace(".", "\\.")}$`),
    ],
  ),
];

/** The durable operations that never came up. */
export function findMissing(effects: readonly Effect[]): string[] {
  const lines = effects.map(({ kind, place }) => `${kind} ${place}`);
  return DURABLE_OPERATIONS.filter(([, pattern]) => !lines.some((line) => pattern.test(line))).map(
    ([name]) => name,
  );
}

/** `script` with a model in this process, which says the same whoever asks. */
export async function startProgram(script: string): Promise<Program> {
  const api = await startMessagesApi(answerInTurns, { keep: 0 });
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
  return { script, environment, close: () => api.close() };
}

/** Runs undisturbed. Throws when that fails already. */
export async function runReference(program: Program): Promise<Reference> {
  return inRepository(async (repository) => {
    const list = join(repository, "..", "effects");
    const run = await runCommand(program, repository, ["--file", ITEM], { CRASH_LIST: list });
    const problems = [
      ...problemsOf(run),
      ...(findManifest(repository) ? findFaults(repository) : ["no session"]),
    ];
    if (problems.length > 0) throw new Error(`The undisturbed run failed: ${problems.join("; ")}`);
    return { effects: parseEffects(readFileSync(list, "utf8")), endState: readEndState(repository) };
  });
}

/** SIGKILL takes nothing from the page cache: before and after one of these the disk is as after the write before. */
const SYNCS = new Set(["fsync", "fdatasync", "sync", "datasync"]);

/** Every point, or `count` of them as `seed` says. */
export function choosePoints(
  effects: readonly Effect[],
  sample?: { seed: string; count: number },
): CrashPoint[] {
  const points = effects
    .filter((effect) => !SYNCS.has(effect.kind))
    .flatMap((effect): CrashPoint[] => [
      { effect, when: "before" },
      { effect, when: "after" },
    ]);
  if (!sample) return points;
  const rank = ({ effect, when }: CrashPoint) =>
    createHash("sha256").update(`${sample.seed} ${effect.index} ${when}`).digest("hex");
  return points.sort((a, b) => rank(a).localeCompare(rank(b))).slice(0, sample.count);
}

/** Kills a run at the point and goes on; what is wrong at the end, one sentence each. */
export async function runTrial(program: Program, point: CrashPoint, reference: Reference): Promise<string[]> {
  return inRepository(async (repository) => {
    const crashAt = `${point.effect.index}:${point.when}`;
    const killed = await runCommand(program, repository, ["--file", ITEM], { CRASH_AT: crashAt });
    if (killed.signal !== "SIGKILL") return [`was not killed (exit ${killed.code})`];
    const sessionId = findManifest(repository);
    const how = sessionId === undefined ? ["--file", ITEM] : ["--session-id", sessionId];
    const resumed = await runCommand(program, repository, how);
    const problems = problemsOf(resumed);
    if (problems.length > 0) return problems;
    return [...findFaults(repository), ...compare(readEndState(repository), reference.endState)];
  });
}

async function inRepository<T>(use: (repository: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "crash-")));
  try {
    const repository = join(folder, "repository");
    await mkdir(join(repository, "content"), { recursive: true });
    await writeFile(join(repository, ITEM), ARTICLE);
    return await use(repository);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runCommand(
  { script, environment }: Program,
  repository: string,
  how: string[],
  crash: Record<string, string> = {},
): Promise<Ended> {
  return runWords(script, repository, ["run", ...how, "--json", repository], { ...environment, ...crash });
}

/** Runs the command line under the injector; `environment` says where it is killed. */
export function runWords(
  script: string,
  repository: string,
  words: string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ["--import", INJECTOR, script, ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, CRASH_FOLDERS: repository, CRASH_IGNORE: "/logs(/|$)", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 200_000,
    killSignal: "SIGTERM",
  });
  return hear(child).ended;
}

function problemsOf({ code, signal, stdout, stderr }: Ended): string[] {
  if (code !== 0) return [`exit ${code ?? signal}: ${stderr.trim().slice(-1_500)}`];
  const { status } = JSON.parse(stdout) as { status?: string };
  return status === "completed" ? [] : [`status ${status}`];
}

export function parseEffects(text: string): Effect[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [index, kind = "", place = "", site = ""] = line.split("\t");
      return { index: Number(index), kind, place, site };
    });
}

function compare(state: Map<string, string>, expected: Map<string, string>): string[] {
  const names = new Set([...state.keys(), ...expected.keys()]);
  return [...names].filter((name) => state.get(name) !== expected.get(name)).map((name) => `${name} differs`);
}

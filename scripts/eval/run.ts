// Makes kits of items in a folder of their own and scores them.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { parseContentItem } from "../../src/content/item.ts";
import { judgeKit } from "./judge.ts";
import { type Key, type Kit, scoreArtifact, scoreKit } from "./rubric.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "eval");

/** `why`: why there is no kit to score. */
export type Row = { item: string; scores: Record<string, number>; why?: string };

/** The names of the items, in the order of the table. */
export async function readKeys(): Promise<Map<string, Key>> {
  return new Map(Object.entries(JSON.parse(await readFile(join(FOLDER, "keys.json"), "utf8"))));
}

/** Runs the command line over one item, as a user would. Without a key it is the rehearsal, which reads English only. */
export async function evaluate(name: string, key: Key, environment: NodeJS.ProcessEnv): Promise<Row> {
  const root = await mkdtemp(join(tmpdir(), "looplia-eval-"));
  try {
    await mkdir(join(root, "content"));
    await cp(join(FOLDER, "items", `${name}.md`), join(root, "content", `${name}.md`));
    const source = `content/${name}.md`;
    const result = await runItem(root, source, environment);
    if (result.status !== "completed")
      return { item: name, scores: {}, why: result.message ?? result.status };
    const read = async (file: string) =>
      JSON.parse(await readFile(resolve(root, result.folder, file), "utf8"));
    const kit: Kit = {
      summary: await read("summary.json"),
      ideas: await read("ideas.json"),
      outline: await read("outline.json"),
    };
    const item = await parseContentItem(source, await readFile(join(root, source)));
    const scores = await scoreKit(item, key, kit);
    const { ANTHROPIC_API_KEY: apiKey = "" } = environment;
    return { item: name, scores: { ...scores, ...(apiKey ? await judgeKit(item.text, kit, apiKey) : {}) } };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

type PipelineKey = Key & { item: string };

/** The smaller pipelines, each with the item that it is tried on. */
export async function readPipelineKeys(): Promise<Map<string, PipelineKey>> {
  return new Map(Object.entries(JSON.parse(await readFile(join(FOLDER, "pipelines.json"), "utf8"))));
}

/** Runs a smaller pipeline, whose own checks it must pass, and scores facts and language of what it made. */
export async function evaluatePipeline(
  pipeline: string,
  { item, language, facts }: PipelineKey,
  environment: NodeJS.ProcessEnv,
): Promise<Row> {
  const root = await mkdtemp(join(tmpdir(), "looplia-eval-"));
  try {
    for (const folder of ["items", "pipelines"])
      await cp(join(FOLDER, folder), join(root, "content"), { recursive: true });
    const args = ["--pipeline", pipeline];
    const result = await runItem(root, `content/${item}.md`, environment, args);
    if (result.status !== "completed")
      return { item: pipeline, scores: {}, why: result.message ?? result.status };
    const { artifact } = result;
    const scores = await scoreArtifact(artifact, { language, facts });
    const named = Object.entries(scores).map(([field, score]) => [`${pipeline} ${field}`, score]);
    return { item: pipeline, scores: Object.fromEntries(named) };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

type Ended = { status: string; message?: string; folder: string; artifact?: unknown };

async function runItem(
  root: string,
  source: string,
  env: NodeJS.ProcessEnv,
  more: readonly string[] = [],
): Promise<Ended> {
  const args = [join(ROOT, "src/entry/cli.ts"), "run", "--file", source, "--json", ...more, root];
  const run = promisify(execFile)(process.execPath, args, { env, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  const said = JSON.parse(stdout || "{}");
  const folder = typeof said.path === "string" ? said.path.replace(/\/[^/]*$/, "") : "";
  const { status = "failed", message = said.reasonCode, artifact } = said;
  return { status, message, folder, artifact };
}

/** The mean of each field, beside that of the table kept last. */
export function tableOf(rows: readonly Row[], last: Readonly<Record<string, number>>): string {
  const means = meansOf(rows);
  const names = [...new Set([...Object.keys(means), ...Object.keys(last)])];
  const lines = names.map((name) => [name, shown(means[name]), shown(last[name])].join(" | "));
  const scored = rows.filter(({ why }) => why === undefined).length;
  const left = rows.filter(({ why }) => why !== undefined).map(({ item, why }) => `- ${item}: ${why}`);
  return [`${scored} of ${rows.length} items scored`, "", "| Field | Now | Last |", "|:--|--:|--:|"]
    .concat(lines.map((line) => `| ${line} |`))
    .concat(left.length > 0 ? ["", "Not scored:", "", ...left] : [])
    .join("\n");
}

export function meansOf(rows: readonly Row[]): Record<string, number> {
  const names = [...new Set(rows.flatMap(({ scores }) => Object.keys(scores)))];
  return Object.fromEntries(
    names.map((name) => {
      const found = rows.flatMap(({ scores }) => scores[name] ?? []);
      return [name, found.reduce((sum, score) => sum + score, 0) / found.length];
    }),
  );
}

function shown(score: number | undefined): string {
  return score === undefined ? "" : score.toFixed(2);
}

// The task loop on the command line, killed with SIGKILL before and after its effects and started again: no task is lost,
// none is done twice, and the file is always valid. CRASH_ALL=1 tries every point, else CRASH_COUNT of them by CRASH_SEED.
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTodo } from "../../src/todo/document.ts";
import { bundled } from "../fakes/bundle.ts";
import { startMessagesApi } from "../fakes/messages-api.ts";
import type { ApiBody } from "../fakes/messages-api-rules.ts";
import type { Turn } from "../fakes/messages-api-script.ts";
import { makeTask, makeTodo } from "../todo/samples.ts";
import { choosePoints, parseEffects, runWords } from "./trial.ts";

const SEED = process.env.CRASH_SEED ?? "1";
const COUNT = process.env.CRASH_ALL ? Number.POSITIVE_INFINITY : Number(process.env.CRASH_COUNT ?? 6);
const HOUR_MS = 3_600_000;
const TODO = makeTodo([makeTask("T1", { "x-own": 1 }), makeTask("T2", { depends_on: ["T1"] })]);
const MADE = "Made once.\n";
/** What must come up among the effects, else the injector looks at the wrong ones. */
const DURABLE = [
  /^rename .*to-do\.json$/,
  /^rename .*T1\.md$/,
  /^link .*\/events\/\d{6}\.jsonl$/,
  /^link .*\/frozen\/[0-9a-f]{64}$/,
];

function use(name: string, input: Record<string, unknown>, id: string): Turn {
  return { content: [{ type: "tool_use", id, name, input }] };
}

/** T1 writes a file first, the others are done at once; a review adds T3 unless it is there. */
function answer(body: ApiBody): Turn {
  const opening = JSON.stringify(body.messages[0]);
  const id = /Your task is `(.*?)`/.exec(opening)?.[1];
  if (id === "T1" && body.messages.length === 1) {
    return use("editFile", { path: "T1.md", oldStr: "", newStr: MADE }, "e_1");
  }
  if (id !== undefined) {
    return use(
      "reportSummary",
      { task_id: id, status: "done", summary: "Did it.", files: [`${id}.md`] },
      `r_${id}`,
    );
  }
  if (opening.includes("T3") || body.messages.length > 1) return "All is there.";
  return use("writeArtifact", { output: "to-do", content: { tasks: [makeTask("T3")] } }, "w_1");
}

async function inRepository<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "crash-todo-")));
  try {
    await writeFile(join(folder, "to-do.json"), TODO);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function endOf(folder: string): Promise<unknown> {
  const bytes = await readFile(join(folder, "to-do.json"));
  const reading = await readTodo(bytes, "to-do.json");
  if (reading.kind !== "valid") throw new Error("the file is not valid");
  return reading.document.file.tasks.map(({ updated_at: _, ...task }) => task);
}

/** Every file but the list and what is the program's own. */
async function madeIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const made = entries.filter(({ name }) => !["to-do.json", ".looplia"].includes(name));
  const texts = made.map(async ({ name, parentPath }) => [
    name,
    await readFile(join(parentPath, name), "utf8"),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

test(`the loop ends the same wherever it was killed (seed ${SEED})`, { timeout: HOUR_MS }, async () => {
  const api = await startMessagesApi(answer);
  onTestFinished(() => api.close());
  const script = await bundled("cli");
  const provider = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: api.url };
  const run = (folder: string, more: Record<string, string> = {}) =>
    runWords(script, folder, ["run", "--mode", "tasks", "--approval", "none", "--json", folder], {
      ...provider,
      ...more,
    });
  const list = join(await mkdtemp(join(tmpdir(), "crash-list-")), "effects");
  const expected = await inRepository(async (folder) => {
    const { code, stderr } = await run(folder, { CRASH_LIST: list });
    expect(code, stderr).toBe(0);
    expect(await madeIn(folder)).toEqual({ "T1.md": MADE });
    return endOf(folder);
  });
  expect(expected).toMatchObject([
    { id: "T1" },
    { id: "T2" },
    { id: "T3", status: "done" },
    { id: "project-done" },
  ]);
  const effects = parseEffects(readFileSync(list, "utf8"));
  const lines = effects.map(({ kind, place }) => `${kind} ${place}`);
  for (const pattern of DURABLE)
    expect(
      lines.some((line) => pattern.test(line)),
      String(pattern),
    ).toBe(true);
  const sample = COUNT === Number.POSITIVE_INFINITY ? undefined : { seed: SEED, count: COUNT };
  const points = choosePoints(effects, sample);
  for (const { effect, when } of points) {
    const place = `${when} ${effect.index} ${effect.kind} ${effect.place}`;
    await inRepository(async (folder) => {
      const killed = await run(folder, { CRASH_AT: `${effect.index}:${when}` });
      expect(killed.signal, place).toBe("SIGKILL");
      await endOf(folder);
      const resumed = await run(folder);
      expect([resumed.code, resumed.stderr], place).toEqual([0, expect.any(String)]);
      expect(await endOf(folder), place).toEqual(expected);
      expect(await madeIn(folder), place).toEqual({ "T1.md": MADE });
    });
  }
  console.log(`${points.length} of ${points.length}`);
});

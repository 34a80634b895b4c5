// Agent programs through the loop, and with the same tools on their own, in turn: from the start of the process to its end.
// The programs are fakes, or the real ones that LOOPLIA_TEST_PROGRAMS names (`npm run test:programs`).
import { mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KEY, type ProgramScript, programFile, serveProgram } from "../test/fakes/program-world.ts";
import { bundleBenches } from "./bundle.ts";
import { type Surroundings, startNode } from "./child.ts";
import { type Figure, median } from "./report.ts";

const READS = 4;
const MOST_MS = 100;

/** Reads a file a few times, then reports. */
const script: ProgramScript = (body) => {
  const text = JSON.stringify(body.messages);
  const done = Array.from({ length: READS }, (_, index) => `toolu_${index}`).filter((id) =>
    text.includes(id),
  );
  const id = `toolu_${done.length}`;
  const read = { type: "tool_use", id, name: "readFile", input: { path: "README.md" } };
  const summary = { task_id: "T1", status: "done", summary: "read" };
  const report = { type: "tool_use", id, name: "reportSummary", input: summary };
  return { content: [done.length < READS ? read : report] };
};

export async function benchPrograms({ script: cli, folder, runs }: Surroundings): Promise<Figure[]> {
  await bundleBenches(["bare-program"], folder);
  const figures: Figure[] = [];
  for (const name of ["claude", "codex"] as const) {
    const { path, api, environment } = await serveProgram({ name, program: programFile(name) }, script);
    const own = { ...environment, PATH: path, HOME: folder };
    const bare = [
      join(folder, "bare-program/index.js"),
      name,
      api.url,
      KEY,
      join(dirname(cli), "../bridge/index.js"),
    ];
    const loop: number[] = [];
    const alone: number[] = [];
    for (let round = 0; round <= Math.min(runs, 7); round += 1) {
      const around = await timeOf([cli, "run", "--mode", "tasks", "--task", "T1"], own, folder);
      const itself = await timeOf(bare, own, folder);
      if (round === 0) continue;
      loop.push(around);
      alone.push(itself);
    }
    api.assertDone();
    await api.close();
    const [through, on] = [median(loop), median(alone)];
    figures.push(
      { name: `${name}, ${READS} reads, on its own`, value: on, unit: "ms" },
      { name: `${name}, ${READS} reads, through the loop`, value: through, unit: "ms" },
      { name: `${name}, more through the loop`, value: through - on, unit: "ms", demand: MOST_MS },
    );
  }
  return figures;
}

/** In a new repository, whose folder is the last word. */
async function timeOf(words: string[], environment: Record<string, string>, folder: string): Promise<number> {
  const root = await mkdtemp(join(folder, "programs-"));
  const task = { id: "T1", title: "Read", priority: 1, status: "todo" };
  const list = { schema_version: 1, source_files: ["README.md"], tasks: [task] };
  await writeFile(join(root, "to-do.json"), JSON.stringify(list));
  await writeFile(join(root, "README.md"), "Read me.\n".repeat(40));
  const { startedAt, ended } = startNode([...words, root], environment);
  const { code, output } = await ended;
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}: ${output}`);
  return performance.now() - startedAt;
}

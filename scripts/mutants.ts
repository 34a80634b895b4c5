// Changes one rule of the safety code at a time and runs its tests: a change that no test notices is a rule that nothing
// guards. Works on copies of the repository, never on its files.
// node scripts/mutants.ts [--count <number>] [--seed <number>] [--only <regular expression>] [--part <k>/<n>]
//   [--resume <file>]
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { AREAS } from "./mutants/areas.ts";
import { chooseSome, findMutants, type Mutant } from "./mutants/find-mutants.ts";
import { type Outcome, Outcomes, tableOf } from "./mutants/outcomes.ts";
import { Tests } from "./mutants/run-tests.ts";

type Named = { line: string; becomes: string };
type Accepted = { line: string; mutation: string; reason: string };

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    part: { type: "string", default: "1/1" },
    resume: { type: "string" },
  },
});
const read = <Row>(name: string): Row[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, "mutants", name), "utf8"));
const accepted = read<Accepted>("accepted.json");

const all = AREAS.flatMap(({ sources, tests }) =>
  sources
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
    .flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8"), tests)),
);
const named = read<Named>("named.json").map(namedMutant);
const only = new RegExp(values.only);
const [part = 1, parts = 1] = values.part.split("/").map(Number);
const chosen = [...named, ...chooseSome(all, Number(values.count), Number(values.seed))]
  .filter((mutant) => only.test(`${mutant.file}:${mutant.number} ${mutant.mutation}`))
  .filter((_, at) => at % parts === part - 1);
const outcomes = new Outcomes(root, values.resume);
// Tests added since an earlier run notice more, never less: they may kill what is not listed.
const due = chosen.filter((mutant) => {
  const outcome = outcomes.of(mutant);
  return outcome === undefined || (outcome === "survives" && reasonOf(mutant) === undefined);
});
console.log(`${chosen.length} of ${all.length} mutants, seed ${values.seed}, ${due.length} to be tried`);

let next = 0;
const jobs = Math.min(due.length, Math.max(1, Math.floor(availableParallelism() / 2)));
await Promise.all(Array.from({ length: jobs }, tryMutants));
const rows = chosen.map((mutant) => ({
  mutant,
  outcome: outcomes.of(mutant) ?? "survives",
  isListed: reasonOf(mutant) !== undefined,
}));
console.log(tableOf(rows));
const open = rows.filter(({ outcome, isListed }) => outcome === "survives" && !isListed);
for (const { mutant } of open) console.log(`open: ${describe(mutant)}`);
process.exitCode = open.length === 0 ? 0 : 1;

/** Takes one mutant after another, in a copy of its own. */
async function tryMutants(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), "looplia-mutants-"));
  try {
    const left = new Set([".git", "node_modules", "dist", "build"]);
    cpSync(root, copy, { recursive: true, filter: (path) => !left.has(path.slice(root.length + 1)) });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const tests = new Tests(copy);
    // Tests that fail anyway would notice everything.
    const groups = new Map(due.flatMap((mutant) => mutant.tests).map((group) => [group.join(" "), group]));
    const failed = await tests.firstFailed([...groups.values()]);
    if (failed) throw new Error(`tests fail without any change: ${failed.tests.join(" ")}\n${failed.said}`);
    for (let mutant = due[next++]; mutant !== undefined; mutant = due[next++]) {
      await tryMutant(mutant, copy, tests);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function tryMutant(mutant: Mutant, copy: string, tests: Tests): Promise<void> {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, "utf8");
  const [place, begun] = [due.indexOf(mutant) + 1, performance.now()];
  writeFileSync(path, replaceLine(text, mutant));
  const failed = await tests.firstFailed(mutant.tests);
  writeFileSync(path, text);
  const outcome: Outcome = failed === undefined ? "survives" : failed.isOverLimit ? "limit" : "killed";
  outcomes.add(mutant, outcome);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const by = failed === undefined ? "" : ` by ${failed.tests[0]}`;
  console.log(`${place}/${due.length} ${outcome}${by} in ${seconds} s: ${describe(mutant)}`);
}

function replaceLine(text: string, { number, becomes }: Mutant): string {
  return text
    .split("\n")
    .map((line, index) => (index === number - 1 ? becomes : line))
    .join("\n");
}

/** A mutant that has to be killed, found by its line; fails where the line is gone, so that the list stays true. */
function namedMutant({ line, becomes }: Named): Mutant {
  for (const { sources, tests } of AREAS) {
    for (const file of sources.flatMap((pattern) => globSync(pattern, { cwd: root }))) {
      const lines = readFileSync(join(root, file), "utf8").split("\n");
      const at = lines.findIndex((one) => one.trim() === line);
      if (at >= 0) return { file, number: at + 1, line, becomes, mutation: "named", tests };
    }
  }
  throw new Error(`scripts/mutants/named.json: no source has the line ${line}`);
}

function reasonOf({ line, mutation }: Mutant): string | undefined {
  return accepted.find((one) => one.line === line && one.mutation === mutation)?.reason;
}

function describe(mutant: Mutant): string {
  const reason = reasonOf(mutant);
  const place = `${mutant.file}:${mutant.number} (${mutant.mutation})`;
  return `${place}\n  - ${mutant.line}\n  + ${mutant.becomes.trim()}${reason === undefined ? "" : `\n  accepted: ${reason}`}`;
}

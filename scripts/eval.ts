// `npm run eval`: kits of twelve items and a result of each smaller pipeline by the current prompts, scored by field beside the table kept last; `--keep` keeps this one.
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  evaluate,
  evaluatePipeline,
  meansOf,
  type Row,
  readKeys,
  readPipelineKeys,
  tableOf,
} from "./eval/run.ts";

const LAST = resolve(import.meta.dirname, "../eval/last.json");

const rows: Row[] = [];
for (const [name, key] of await readKeys()) {
  process.stderr.write(`${name}\n`);
  rows.push(await evaluate(name, key, process.env));
}
for (const [name, key] of await readPipelineKeys()) {
  process.stderr.write(`${name}\n`);
  rows.push(await evaluatePipeline(name, key, process.env));
}
const last = JSON.parse(await readFile(LAST, "utf8").catch(() => "{}"));
process.stdout.write(`${tableOf(rows, last)}\n`);
if (process.argv.includes("--keep")) await writeFile(LAST, `${JSON.stringify(meansOf(rows), null, 2)}\n`);

// Attacks the program's bundles as SECURITY describes, and prints a table attack by attack. Exit code 1 if one succeeds.
// node scripts/attacks.ts [--sample <seed> [<count>]] [--only <regular expression>]
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { chooseScenes, SCENES } from "../test/attacks/all.ts";
import { bundled } from "../test/fakes/bundle.ts";

const { values, positionals } = parseArgs({
  options: { sample: { type: "string" }, only: { type: "string" } },
  allowPositionals: true,
});
const wanted = new RegExp(values.only ?? "");
const scenes = (values.sample ? chooseScenes(values.sample, Number(positionals[0] ?? 3)) : SCENES).filter(
  ({ name }) => wanted.test(name),
);
const began = performance.now();
await bundled("cli");
const oneOf = pLimit(2);
const rows = await Promise.all(
  scenes.map(({ name, attack }) =>
    oneOf(async () => {
      const start = performance.now();
      const attacks = await attack();
      process.stderr.write(
        `${name}: ${attacks.length} attacks, ${Math.round((performance.now() - start) / 1000)} s\n`,
      );
      return attacks;
    }),
  ),
);
const all = rows.flat();
for (const { row, name, held } of all)
  process.stdout.write(`${held ? "held  " : "FAILED"} | ${row} | ${name}\n`);
const failed = all.filter(({ held }) => !held);
for (const { row, name, detail = "" } of failed) {
  process.stdout.write(`\nFAILED ${row}: ${name}\n${detail.slice(0, 600)}\n`);
}
const seconds = Math.round((performance.now() - began) / 1000);
process.stdout.write(
  `\n${all.length} attacks in ${seconds} s: ${all.length - failed.length} held, ${failed.length} failed\n`,
);
process.exitCode = failed.length > 0 || all.length === 0 ? 1 : 0;

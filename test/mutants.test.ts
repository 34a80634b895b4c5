// The script behind `npm run test:mutants`: a mutant that never ends is ended, and what became of each is kept.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseSome, findMutants } from "../scripts/mutants/find-mutants.ts";
import { type Outcome, Outcomes, tableOf } from "../scripts/mutants/outcomes.ts";
import { runWithin } from "../scripts/mutants/run-tests.ts";

const SOURCE = `export const isSmall = (size: number) => size < 10;
export function check(size: number): void {
  if (size > 100) throw new Error("too large");
}
`;

test("each process of an endless mutant is ended: also one in another group, whose parent is gone", async () => {
  // Who keeps the pipes keeps the run: it resolves only when both are gone.
  const endless = "console.log(process.pid); for (;;);";
  const program = `
    const { spawn } = require("node:child_process");
    const start = (...args) => spawn(process.execPath, args, { stdio: "inherit", detached: true });
    start("-e", ${JSON.stringify(endless)});
    start("-e", ${JSON.stringify(`require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(endless)}], { stdio: "inherit", detached: true }).unref()`)});
    for (;;);`;
  const ended = await runWithin(2, ["-e", program], tmpdir());
  expect(ended.isOverLimit).toBe(true);
  expect(ended.said.trim().split("\n")).toHaveLength(2);
});

test("a mutant that fills the memory ends before the machine's is gone", async () => {
  const program = "const all = []; for (;;) all.push(Array(1e6).fill(0.5));";
  const ended = await runWithin(60, ["--max-old-space-size=64", "-e", program], tmpdir());
  expect(ended).toMatchObject({ isOverLimit: false, said: expect.stringContaining("heap") });
  expect(ended.code).not.toBe(0);
});

test("a sample depends on its seed and the rules themselves, not on what stands around them", () => {
  const mutants = findMutants("a.ts", SOURCE, []);
  expect(mutants.map(({ mutation }) => mutation)).toEqual(["< to <=", "> to >=", "without the guard"]);
  const drawn = (text: string, seed: number) =>
    chooseSome(findMutants("a.ts", text, []), 2, seed).map(({ mutation }) => mutation);
  expect(drawn(`// A comment.\n\n${SOURCE}`, 1)).toEqual(drawn(SOURCE, 1));
  const samples = new Set(Array.from({ length: 20 }, (_, seed) => drawn(SOURCE, seed).join()));
  expect(samples.size).toBeGreaterThan(1);
});

test("outcomes count for a later run as long as the file has the same text", () => {
  const root = mkdtempSync(join(tmpdir(), "mutants-"));
  mkdirSync(join(root, "src"));
  const source = join(root, "src/a.ts");
  writeFileSync(source, SOURCE);
  const [small, large, guard] = findMutants("src/a.ts", SOURCE, []);
  if (!small || !large || !guard) throw new Error("the source has three mutants");
  const kept = join(root, "outcomes.jsonl");
  const first = new Outcomes(root, kept);
  first.add(small, "survives");
  first.add(small, "killed");
  first.add(large, "limit");
  const later = new Outcomes(root, kept);
  expect([small, large, guard].map((mutant) => later.of(mutant))).toEqual(["killed", "limit", undefined]);
  writeFileSync(source, `${SOURCE}// changed\n`);
  expect(new Outcomes(root, kept).of(small)).toBeUndefined();
});

test("the table accounts for every mutant once", () => {
  const [mutant] = findMutants("src/a.ts", SOURCE, []);
  if (!mutant) throw new Error("the source has mutants");
  const row = (outcome: Outcome, isListed = false) => ({ mutant, outcome, isListed });
  const table = tableOf([
    row("killed"),
    row("killed", true),
    row("limit"),
    row("survives", true),
    row("survives"),
  ]);
  expect(table.split("\n").map((line) => line.split(/\s+/).slice(1))).toEqual([
    ["mutants", "killed", "endless", "listed", "open"],
    ["5", "2", "1", "1", "1"],
    ["5", "2", "1", "1", "1"],
  ]);
});

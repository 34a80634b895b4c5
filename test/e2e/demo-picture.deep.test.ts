import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { demoWords } from "../../scripts/pictures/demo.ts";
import { bundled } from "../fakes/bundle.ts";

const docs = resolve(import.meta.dirname, "../../docs");

test("the picture of the demo is of what it writes today (else: npm run build && node scripts/record-demo.ts)", async () => {
  const args = [await bundled("cli"), "demo", "content"];
  const output = execFileSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(demoWords(output)).toBe(readFileSync(join(docs, "demo.txt"), "utf8"));
  const [, height] = /height="(\d+)"/.exec(readFileSync(join(docs, "demo.svg"), "utf8")) ?? [];
  expect(Number(height)).toBeLessThanOrEqual(500);
});

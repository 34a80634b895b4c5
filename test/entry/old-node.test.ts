// A Node that is too old says so: the entry of the command line is read by all of them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";

const OLD = "data:text/javascript,Object.defineProperty(process, 'versions', {value: {node: '18.20.8'}})";

test("Node 18 gets one sentence, and nothing else is loaded", async () => {
  const program = await bundled("cli");
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", OLD, program, "run"], {
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^looplia needs Node 20 or newer, and this is Node 18\.20\.8 \(\/.*\n$/);
});

test("the entry has no syntax that Node 12 lacks, and imports nothing before the check", async () => {
  const text = readFileSync(await bundled("cli"), "utf8");
  expect(text).not.toMatch(/\?\.|\?\?|\|\|=|&&=|\bawait\b|\bstatic\b|^import\b|[;}]import[\s{"'*]/m);
  expect(text.length).toBeLessThan(500);
});

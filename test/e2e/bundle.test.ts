// What is in the bundles, and what is not.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundled } from "../fakes/bundle.ts";

const licenses = readFileSync(join(await bundled("cli"), "../../licenses.txt"), "utf8");
const named = licenses.split(`\n${"-".repeat(80)}\n\n`).map((text) => text.split(" ")[0]);

test("licenses.txt has the licence of each package that is bundled", () => {
  expect(named).toEqual(expect.arrayContaining(["@actions/artifact", "@anthropic-ai/sdk", "yaml", "zod"]));
  expect(licenses).toContain("Copyright 2023 Anthropic, PBC.");
});

test("packages without a licence file or a maintainer are not bundled", () => {
  const unwanted = ["unzip-stream", "binary", "chainsaw", "traverse", "buffers"];
  expect(named.filter((name = "") => unwanted.includes(name))).toEqual([]);
});

test("the process that only hands over the keys loads little", async () => {
  const text = readFileSync(await bundled("action"), "utf8");
  const imported = [...text.matchAll(/from"([^"]+)"/g)].map(([, from = ""]) => from);
  expect(imported.filter((from) => !from.startsWith("node:"))).toEqual(["../chunks/hand-over.js"]);
  const chunk = join(await bundled("action"), "../../chunks/hand-over.js");
  expect(readFileSync(chunk, "utf8").length).toBeLessThan(6_000);
});

test("the Action's clone begins before the program is loaded", async () => {
  const text = readFileSync(await bundled("action"), "utf8");
  const lazy = [...text.matchAll(/import\(`([^`]+)`\)/g)].map(([, from]) => from);
  expect(lazy.sort()).toEqual(["../chunks/import-action-main.js", "../chunks/import-remote.js"]);
  const chunks = join(await bundled("action"), "../../chunks");
  const loaded = (name: string): string[] => {
    const found = [...readFileSync(join(chunks, name), "utf8").matchAll(/(?:from|import)"\.\/([^"]+)"/g)];
    return found.map(([, from = ""]) => from);
  };
  expect(loaded("import-remote.js")).toEqual(["clone.js"]);
  expect(loaded("clone.js")).toEqual(["hand-over.js"]);
  expect(loaded("hand-over.js")).toEqual([]);
  expect(readFileSync(join(chunks, "clone.js")).length).toBeLessThan(25_000);
});

test("an argument that is too long for a path is no crash", async () => {
  const rules = "allow runCommand cat a.txt\n".repeat(200);
  const words = ["run", "--mode", "plan", "--content", "none.md", "--policy", rules];
  const { status, stderr } = spawnSync(process.execPath, [await bundled("cli"), ...words], {
    cwd: mkdtempSync(join(tmpdir(), "looplia-arguments-")),
    env: { PATH: process.env.PATH, NODE_DISABLE_COMPILE_CACHE: "1" },
    encoding: "utf8",
  });
  expect(stderr).toContain("No file matches `content`.");
  expect(status).toBe(2);
});

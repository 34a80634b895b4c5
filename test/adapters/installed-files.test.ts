import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installedFolder } from "../../src/adapters/installed-files.ts";

test("the installation's files are read as text and listed in order; what is not there is nothing", async () => {
  const root = await mkdtemp(join(tmpdir(), "looplia-installed-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "prompts/skills"), { recursive: true });
  await writeFile(join(root, "prompts/step.md"), "Make – it.\n");
  await writeFile(join(root, "prompts/b.md"), "");
  const files = installedFolder(root);
  expect(files.label).toBe("");
  expect(await files.read("prompts/step.md")).toBe("Make – it.\n");
  expect(await files.list("prompts")).toEqual(["b.md", "skills", "step.md"]);
  for (const path of ["prompts/none.md", "prompts/skills", "prompts/step.md/below"]) {
    expect(await files.read(path)).toBeUndefined();
  }
  expect(await files.list("prompts/step.md")).toEqual([]);
  expect(await files.list("none")).toEqual([]);
});

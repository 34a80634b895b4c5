// A version that nobody tried shows that it can wait, once; one that can't is refused.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findInstalled, type ProgramName } from "../../src/programs/process.ts";
import { requireTried } from "../../src/programs/self-test.ts";
import { fakeOptions } from "../fakes/program-model.ts";

async function tryVersion(name: ProgramName, trouble: string, folder: string, model = "m-1") {
  const upstream = async () => Response.error();
  const options = await fakeOptions({ name, trouble, upstream });
  await requireTried(options, { ...(await findInstalled(options)), version: "9.9.9" }, { folder, model });
}

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), "looplia-tried-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.each(["claude", "codex"] as const)("a new version of %s passes, and that is kept", async (name) => {
  const folder = await makeFolder();
  await tryVersion(name, "", folder);
  expect(await readdir(folder)).toEqual([`${name}-9.9.9-m-1`]);
  // It is not started again: this one would fail.
  await tryVersion(name, "other-tools", folder);
  // With another model it is.
  await expect(tryVersion(name, "other-tools", folder, "m-2")).rejects.toThrow(/with the model m-2: /);
});

test.each(["claude", "codex"] as const)("a version of %s with other tools is refused", async (name) => {
  const folder = await makeFolder();
  await expect(tryVersion(name, "other-tools", folder)).rejects.toMatchObject({
    code: "config-invalid",
    message: expect.stringMatching(/9\.9\.9 failed its self-test with the model m-1: .*has other/),
    hint: expect.stringContaining("npm install --global @"),
  });
  expect(await readdir(folder)).toEqual([]);
});

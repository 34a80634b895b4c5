// Every model that has a price works with its program, the fake or the real one (`npm run test:programs`): it gets our tools
// and no others, its call waits while the process is gone, and the whole of a long result reaches it.
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PRICES } from "../../src/anthropic/prices.ts";
import { OPENAI_PRICES } from "../../src/openai/prices.ts";
import { findInstalled, type ProgramName } from "../../src/programs/process.ts";
import { requireTried } from "../../src/programs/self-test.ts";
import { fakeOptions } from "../fakes/program-model.ts";
import { programFile } from "../fakes/program-world.ts";

describe.each<[ProgramName, readonly string[]]>([
  ["claude", [...PRICES.keys()]],
  ["codex", [...OPENAI_PRICES.keys()]],
])("%s", (name, models) => {
  test.each(models)("works with %s", async (model) => {
    const folder = await mkdtemp(join(tmpdir(), "looplia-models-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await symlink(programFile(name), join(folder, name));
    const options = await fakeOptions({ name, upstream: async () => Response.error() });
    const environment = { ...options.environment, PATH: `${folder}:${process.env.PATH}` };
    const installed = findInstalled({ ...options, environment });
    const untried = { ...installed, version: "9.9.9" };
    const place = { folder: join(folder, "tried"), model };
    await expect(requireTried({ ...options, environment }, untried, place)).resolves.toBeUndefined();
  });
});

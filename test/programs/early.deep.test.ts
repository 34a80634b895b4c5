// A program that starts before its conversation is known: taken by the conversation that it fits, otherwise gone.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { startEarly } from "../../src/programs/early.ts";
import { createProgramModel, type ProgramOptions } from "../../src/programs/program.ts";
import { ask, fakeOptions, leftOf, user } from "../fakes/program-model.ts";
import { createProgramWorld, programFile } from "../fakes/program-world.ts";

const upstream = async () => new Response("{}", { status: 404 });
const folders = ({ temporary }: Pick<ProgramOptions, "temporary">) =>
  readdir(join(temporary, `looplia-programs-${process.getuid?.() ?? 0}`)).catch(() => []);

/** Asks for one turn, which fails because there is no model, and returns the folders that there were then. */
async function askOnce(options: ProgramOptions, model = createProgramModel(options)) {
  await expect(ask(model, [user("Begin.")])).rejects.toThrow();
  const used = await folders(options);
  await model.program?.release("s-1/c");
  return used;
}

describe.each(["claude", "codex"] as const)("%s", (name) => {
  test("the first conversation takes it, and the second starts another one", async () => {
    const options = await fakeOptions({ name, upstream });
    const early = await startEarly(options, "some-model");
    const begun = await folders(options);
    expect(begun).toHaveLength(1);
    const model = createProgramModel({ ...options, early });
    expect(await askOnce(options, model)).toEqual(begun);
    expect(await askOnce(options, model)).not.toEqual(begun);
    await vi.waitFor(() => expect(leftOf(options)).toEqual([]));
    await vi.waitFor(async () => expect(await folders(options)).toEqual([]));
  });

  test("it is gone once a conversation asks for another start", async () => {
    const options = await fakeOptions({ name, upstream });
    const early = await startEarly(options, "some-model");
    const begun = await folders(options);
    const placeholder = { ANTHROPIC_API_KEY: "another" };
    const used = await askOnce({ ...options, placeholder, early });
    expect(used).toHaveLength(1);
    expect(used).not.toEqual(begun);
    await vi.waitFor(() => expect(leftOf(options)).toEqual([]));
  });

  test("a run without work for it ends and leaves neither process nor folder", async () => {
    const task = { id: "T1", title: "Read", priority: 1, status: "todo" };
    const list = { schema_version: 1, source_files: ["README.md"], tasks: [task] };
    const files = { "to-do.json": JSON.stringify(list), "README.md": "Read me." };
    const world = await createProgramWorld({ name, program: programFile(name) }, () => "Never asked.", files);
    const ran = await world.run(["run", "--task", "T9"], { ...world.environment, TMPDIR: world.folder });
    expect(ran.stderr).toContain("T9");
    await vi.waitFor(() => expect(leftOf({ temporary: world.folder })).toEqual([]));
    expect(await folders({ temporary: world.folder })).toEqual([]);
    // Nor what its isolation needed.
    expect((await readdir(world.folder)).filter((one) => one.startsWith("looplia-commands"))).toEqual([]);
    expect(world.api.requests).toEqual([]);
    await world.api.close();
  });
});

test("where isolation does not work, the run says so as ever", async () => {
  const options = await fakeOptions({ name: "codex", upstream });
  const environment = { ...options.environment, PATH: options.environment.PATH?.split(":")[0] ?? "" };
  await expect(startEarly({ ...options, environment }, "some-model")).rejects.toThrow(/only runs isolated/);
});

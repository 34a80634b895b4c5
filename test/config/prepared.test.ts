// What is prepared of the program's own definitions says the same as their files, and steps aside for others' agents.
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { installedFolder } from "../../src/adapters/installed-files.ts";
import type { Prompts } from "../../src/config/definitions.ts";
import { formatDiagnostic } from "../../src/config/diagnostics.ts";
import { loadConfiguration } from "../../src/config/load.ts";
import { prepareBuiltin } from "../../src/config/prepared.ts";
import type { TrustedFiles } from "../../src/ports.ts";
import { memoryTrusted } from "../fakes/memory-trusted.ts";

const prompts: Prompts = { render: async () => "" };
const install = installedFolder(resolve(import.meta.dirname, "../.."));
const PREPARED = "prompts/prepared.json";
const unprepared: TrustedFiles = {
  ...install,
  read: async (path) => (path === PREPARED ? undefined : install.read(path)),
};

/** Everything but functions, in its order, with what is wrong. */
async function load(builtin: TrustedFiles, files: Record<string, string>, pipeline?: string) {
  const options = { prompts, ...(pipeline === undefined ? {} : { pipeline }) };
  const { configuration, diagnostics } = await loadConfiguration(memoryTrusted(files), builtin, options);
  const { pipelines, agents, skills, mainAgent } = configuration;
  const plain = JSON.stringify([mainAgent, ...[pipelines, agents, skills].map((map) => [...map])]);
  return { plain: JSON.parse(plain) as unknown, lines: diagnostics.map(formatDiagnostic) };
}

const own = {
  pipeline: {
    ".looplia/pipelines/mine.yaml":
      "name: mine\noutputs: { a: { artifact: a.json, agent: social-writer, schema: a.schema.json } }",
    ".looplia/pipelines/a.schema.json": "{}",
  },
  agent: { ".claude/agents/content-analyzer.md": "---\ndescription: d\n---\nMine." },
  readOnly: { ".claude/agents/content-analyzer.md": "---\ndescription: d\ntools: Read\n---\nMine." },
  broken: { ".looplia/.claude/agents/content-analyzer.md": "---\nname: [\n---\n" },
  other: { ".claude/agents/other.md": "---\ndescription: d\n---\nMine." },
  skill: { ".claude/skills/media-reviewer/SKILL.md": "---\ndescription: d\n---\nMine." },
};

test.each([
  ["nothing", {}],
  ["a pipeline", own.pipeline],
  ["another agent in a built-in's place", own.agent],
  ["an agent there that cannot write", own.readOnly],
  ["a broken agent there", own.broken],
  ["an agent beside the built-in", own.other],
  ["a skill", own.skill],
])("with %s of the repository's own, prepared and read are the same", async (_what, files) => {
  for (const asked of [undefined, "writing-kit", "gone"]) {
    expect(await load(install, files, asked)).toEqual(await load(unprepared, files, asked));
  }
});

test("a built-in pipeline is still checked against the repository's agents", async () => {
  const lacking = '"summary" has the agent "content-analyzer", whose tools lack writeArtifact';
  expect((await load(install, own.readOnly)).lines).toEqual([
    expect.stringContaining(`pipelines/social-posts.yaml:7: ${lacking}`),
    expect.stringContaining(`pipelines/writing-kit.yaml:7: ${lacking}`),
  ]);
});

test("with nothing of the repository's own, no other definition is read", async () => {
  const read: string[] = [];
  const watched: TrustedFiles = {
    ...install,
    async read(path) {
      read.push(path);
      return install.read(path);
    },
    list: async (folder) => {
      read.push(folder);
      return install.list(folder);
    },
  };
  await load(watched, {}, "writing-kit");
  expect(read.sort()).toEqual(["prompts/artifacts.json", PREPARED, "prompts/tools.json"]);
});

test("bundled files of a prepared skill are read, and no others", async () => {
  const files = {
    "prompts/system.md": "---\ndescription: d\n---\nLead.",
    "prompts/tools.json": "[]",
    "prompts/artifacts.json": "{}",
    "prompts/skills/spell/SKILL.md": "---\nname: other-name\ndescription: d\n---\nSpell.",
    "prompts/skills/spell/words/a.md": "words",
  };
  const prepared = await prepareBuiltin(memoryTrusted(files));
  const builtin = memoryTrusted({ ...files, [PREPARED]: JSON.stringify(prepared) });
  const { configuration } = await loadConfiguration(memoryTrusted({}), builtin, { prompts });
  const skill = configuration.skills.get("other-name");
  expect(skill?.files).toEqual(["words/a.md"]);
  expect(await skill?.read("words/a.md")).toBe("words");
  expect(await skill?.read("SKILL.md")).toBeUndefined();
});

test("what is wrong in the installation's files is never prepared", async () => {
  const files = {
    "prompts/system.md": "---\ndescription: d\n---\nLead.",
    "pipelines/p.yaml": "name: p\noutputs: { a: { artifact: a.json, agent: gone } }",
  };
  await expect(prepareBuiltin(memoryTrusted(files))).rejects.toThrow(
    'pipelines/p.yaml:2: "a" has the unknown agent',
  );
  await expect(
    prepareBuiltin(memoryTrusted({ ...files, "prompts/agents/b.md": "---\nname: b\n" })),
  ).rejects.toThrow("prompts/agents/b.md:1");
});

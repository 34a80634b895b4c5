import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Prompts, skillsOf } from "../../src/config/definitions.ts";
import { formatDiagnostic } from "../../src/config/diagnostics.ts";
import { loadConfiguration } from "../../src/config/load.ts";
import { TOOL_NAMES } from "../../src/config/policy.ts";
import { LoopliaError } from "../../src/core/errors.ts";
import { trustedFolder } from "../../src/files/sources.ts";
import { allTools } from "../../src/tools/registry.ts";
import { memoryTrusted } from "../fakes/memory-trusted.ts";

const noPrompts: Prompts = { render: async () => "" };
const install = resolve(import.meta.dirname, "../..");

const builtin = memoryTrusted({
  "prompts/tools.json": "[]",
  "prompts/artifacts.json": "{}",
  "prompts/system.md": "---\nname: main\ndescription: Leads.\n---\nLead.\n",
  "prompts/agents/writer.md": "---\nname: writer\ndescription: built in\n---\nWrite.",
  "prompts/skills/spell/SKILL.md": "---\nname: spell\ndescription: built in\n---\nSpell.",
  "pipelines/p.yaml": "name: p\noutputs: { a: { artifact: a.json, agent: writer } }",
  "pipelines/q.yaml": "name: q\noutputs: { b: { artifact: b.json, agent: writer } }",
});

async function load(files: Record<string, string>, pipeline?: string, label = "") {
  const options = { prompts: noPrompts, ...(pipeline === undefined ? {} : { pipeline }) };
  const { configuration, diagnostics } = await loadConfiguration(
    memoryTrusted(files, label),
    builtin,
    options,
  );
  const lines = diagnostics.map((found) => `${found.severity} ${formatDiagnostic(found)}`);
  return { configuration, lines };
}

describe("where definitions come from", () => {
  test("nothing but the built-in", async () => {
    const { configuration, lines } = await load({});
    expect(lines).toEqual([]);
    expect([...configuration.pipelines.keys()]).toEqual(["p", "q"]);
    expect([...configuration.agents.keys()]).toEqual(["writer"]);
    expect([...configuration.skills.keys()]).toEqual(["spell"]);
    expect(configuration).toMatchObject({ instructions: "", profileText: "", prompts: noPrompts });
    expect(configuration.profile).toBeUndefined();
  });

  test(".looplia/.claude wins over .claude, and that over the built-in", async () => {
    const own = { ".looplia/.claude/agents/w.md": "---\nname: writer\ndescription: mine\n---\nMine." };
    const shared = { ".claude/agents/writer.md": "---\ndescription: shared\n---\nShared." };
    const skill = { ".claude/skills/spell/SKILL.md": "---\ndescription: shared\n---\nShared." };
    const both = await load({ ...own, ...shared, ...skill });
    expect(both.configuration.agents.get("writer")).toMatchObject({
      description: "mine",
      instructions: "Mine.",
    });
    expect(both.configuration.skills.get("spell")?.body).toBe("Shared.");
    const one = await load(shared);
    expect(one.configuration.agents.get("writer")).toMatchObject({
      name: "writer",
      description: "shared",
      file: ".claude/agents/writer.md",
    });
  });

  test("a pipeline of the same name wins, with agents of the user's own and a schema beside it", async () => {
    const { configuration, lines } = await load({
      ".looplia/pipelines/p.yaml":
        "name: p\noutputs: { poem: { artifact: poem.json, agent: poet, schema: poem.schema.json } }",
      ".looplia/pipelines/poem.schema.json": '{"type":"object"}',
      ".looplia/.claude/agents/poet.md": "---\ndescription: rhymes\ntools: Read, Write\n---\nRhyme.",
    });
    expect(lines).toEqual([]);
    expect(configuration.pipelines.get("p")?.outputs).toEqual([
      {
        name: "poem",
        artifact: "poem.json",
        agent: "poet",
        requires: [],
        maxRetries: 2,
        schema: { file: ".looplia/pipelines/poem.schema.json", text: '{"type":"object"}' },
      },
    ]);
  });

  test("a built-in pipeline is checked against the repository's agents", async () => {
    const readOnly = "---\ndescription: d\ntools: Read\n---\nMine.";
    const { lines } = await load({ ".claude/agents/writer.md": readOnly });
    expect(lines).toEqual([
      'error pipelines/p.yaml:2: "a" has the agent "writer", whose tools lack writeArtifact (add Write to the tools in .claude/agents/writer.md)',
      'error pipelines/q.yaml:2: "b" has the agent "writer", whose tools lack writeArtifact (add Write to the tools in .claude/agents/writer.md)',
    ]);
  });

  test("instructions and profile", async () => {
    const profile = {
      userId: "u",
      topics: [{ topic: "birds", interestLevel: 5 }],
      style: { tone: "expert", targetWordCount: 900, voice: "third-person" },
    };
    const profileText = JSON.stringify(profile);
    const { configuration, lines } = await load({
      ".looplia/CLAUDE.md": "\uFEFFBe brief.\n",
      ".looplia/user-profile.json": profileText,
    });
    expect(lines).toEqual([]);
    expect(configuration).toMatchObject({ instructions: "Be brief.", profile, profileText });
  });
});

describe("agents", () => {
  test.each([
    [
      "Read, Write, Edit, Glob, Grep, Bash, Task, Skill",
      ["readFile", "writeArtifact", "editFile", "listFiles", "grep", "runCommand", "Task", "Skill"],
    ],
    ["[readFile, Read, askUser]", ["readFile", "askUser"]],
    ["\n  - grep\n  - searchCode", ["grep", "searchCode"]],
    ["[]", []],
    ["", undefined],
  ])("tools: %s", async (tools, expected) => {
    const { configuration, lines } = await load({
      ".claude/agents/a.md": `---\ndescription: d\ntools: ${tools}\nmodel: m-1\n---\nDo.`,
    });
    expect(lines).toEqual([]);
    expect(configuration.agents.get("a")?.tools).toEqual(expected);
    expect(configuration.agents.get("a")?.model).toBe("m-1");
  });

  test("the known tools are the registry's", () => {
    expect([...TOOL_NAMES].sort()).toEqual(
      allTools()
        .map((tool) => tool.name)
        .sort(),
    );
  });

  test.each([
    [
      "---\ndescription: d\ntools: [Read, WebFetch, TodoWrite]\n---\nDo.",
      "warning A:3: has tools that are unknown and ignored: WebFetch, TodoWrite",
    ],
    [
      "---\ndescription: d\ntools: Raed\n---\nDo.",
      'warning A:3: has tools that are unknown and ignored: Raed (did you mean "Read"?)',
    ],
    ["---\nname: a\n---\nDo.", "warning A: has no description"],
    [
      "---\ndescription: d\ntools: { a: 1 }\n---\nDo.",
      "error A:3: tools must be names of tools, in a list or with commas between them",
    ],
    [
      "---\ndescription: d\ntools: [[Read]]\n---\nDo.",
      "error A:3: tools must be names of tools, in a list or with commas between them",
    ],
    [
      "---\nname: ../x\ndescription: d\n---\nDo.",
      'error A:2: has the name "../x" (use letters, digits, dashes and underscores)',
    ],
    ["---\nname: [\n---\nDo.", expect.stringContaining("error A:2: is not valid YAML")],
    ["---\nname: a\nDo.", expect.stringContaining("error A:1: the front matter is opened and never closed")],
    ["---\ndescription: d\n---\n \n", "error A: has no instructions"],
  ])("%j", async (text, line) => {
    const file = ".looplia/.claude/agents/a.md";
    const { configuration, lines } = await load({ [file]: text });
    const shown = lines.filter((found) => found.includes("a.md")).map((found) => found.replace(file, "A"));
    expect(shown.filter((found) => found.startsWith(String(line).startsWith("w") ? "w" : "e"))).toEqual([
      line,
    ]);
    expect(configuration.agents.has("a")).toBe(String(line).startsWith("warning"));
  });

  test("what is broken in .claude is a warning, unless the asked pipeline needs it; nothing else steps in", async () => {
    const broken = {
      ".claude/agents/other.md": "---\nname: [\n---\n",
      ".claude/agents/writer.md": "---\nname: [\n---\n",
    };
    const { configuration, lines } = await load(broken, "p");
    expect(lines.map((line) => line.slice(0, 40))).toEqual([
      'error pipelines/p.yaml:2: "a" has the unknown'.slice(0, 40),
      'warning pipelines/q.yaml:2: "b" has the unknown'.slice(0, 40),
      "warning .claude/agents/other.md:2: is not".slice(0, 40),
      "error .claude/agents/writer.md:2: is not".slice(0, 40),
    ]);
    expect(configuration.agents.size).toBe(0);
    expect(configuration.pipelines.size).toBe(0);
  });
});

describe("skills", () => {
  test("bundled files are listed and read, never others", async () => {
    const { configuration } = await load({
      ".looplia/.claude/skills/pdf/SKILL.md": "---\ndescription: reads\n---\nRead.",
      ".looplia/.claude/skills/pdf/forms.md": "forms",
      ".looplia/.claude/skills/pdf/scripts/fill.py": "fill",
      ".looplia/.claude/skills/notes.md": "not a skill",
      "secret.txt": "secret",
    });
    const skill = configuration.skills.get("pdf");
    expect(skill?.files).toEqual(["forms.md", "scripts/fill.py"]);
    expect(await skill?.read("scripts/fill.py")).toBe("fill");
    for (const path of ["../../../../secret.txt", "/secret.txt", "SKILL.md", "scripts", "__proto__", ""]) {
      expect(await skill?.read(path)).toBeUndefined();
    }
    expect([...configuration.skills.keys()]).toEqual(["pdf", "spell"]);
  });

  test.each([
    ["---\ndescription: d\n---\n", "error S: has no instructions"],
    [
      "---\nname: a b\ndescription: d\n---\nDo.",
      'error S:2: has the name "a b" (use letters, digits, dashes and underscores)',
    ],
    ["Do.", "warning S: has no description"],
    ["---\nname: x", expect.stringContaining("error S:1: the front matter is opened and never closed")],
  ])("%j", async (text, line) => {
    const file = ".looplia/.claude/skills/s/SKILL.md";
    const { lines } = await load({ [file]: text });
    expect(lines.map((found) => found.replace(file, "S"))).toContainEqual(line);
  });
});

describe("pipelines", () => {
  test("only the asked one must be sound", async () => {
    const files = { ".looplia/pipelines/r.yaml": "name: r" };
    expect((await load(files, "p")).lines).toEqual([
      "warning .looplia/pipelines/r.yaml: has no outputs (write outputs: with one entry for each, its artifact and its agent)",
    ]);
    expect((await load(files, "r")).lines[0]).toContain("error .looplia/pipelines/r.yaml: has no outputs");
    expect((await load(files)).lines[0]).toContain("error .looplia/pipelines/r.yaml: has no outputs");
  });

  test("an unknown name is answered with the names there are", async () => {
    expect((await load({}, "pp")).lines).toEqual([
      'error pipeline: there is no pipeline "pp" (did you mean "p"? there are p, q)',
    ]);
    expect((await load({}, "__proto__")).lines).toEqual([
      'error pipeline: there is no pipeline "__proto__" (there are p, q)',
    ]);
  });

  test("a file that ends in .yml is told of", async () => {
    expect((await load({ ".looplia/pipelines/r.yml": "name: r" })).lines).toEqual([
      "warning .looplia/pipelines/r.yml: is not read (let its name end in .yaml)",
    ]);
  });

  test("diagnostics carry the label of the trusted ref", async () => {
    const { lines } = await load({ ".looplia/pipelines/p.yaml": "- x" }, "p", "main:");
    expect(lines[0]).toContain("error main:.looplia/pipelines/p.yaml:1: is not a pipeline");
  });

  test("what the trusted ref refuses to read is a diagnostic with its file", async () => {
    const refusing = {
      ...memoryTrusted({}, "main:"),
      read: async (path: string) => {
        throw new LoopliaError("config-invalid", `main:${path} is not UTF-8 text.`, { hint: "Replace it." });
      },
    };
    const { diagnostics } = await loadConfiguration(refusing, builtin, { prompts: noPrompts });
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      "main:.looplia/CLAUDE.md: is not UTF-8 text. (Replace it.)",
      "main:.looplia/user-profile.json: is not UTF-8 text. (Replace it.)",
    ]);
  });
});

describe("the user profile", () => {
  const style = '"style": {"tone": "expert", "targetWordCount": 900, "voice": "third-person"}';
  test.each([
    ['{\n "userId": "u",', "error P:2: is not valid JSON"],
    ["", "error P:1: is not valid JSON"],
    ["[]", "error P:1: Invalid input: expected object, received array"],
    [
      `{"userId": "u",\n "topics": [\n {"topic": "a", "interestLevel": 6}],\n ${style}}`,
      "error P:3: topics.0.interestLevel: Too big",
    ],
    [`{"userId": "u",\n "topics": [],\n "topcs": [],\n ${style}}`, 'error P:3: Unrecognized key: "topcs"'],
    [
      `{"userId": "u", "topics": [],\n ${style.replace("expert", "loud")}}`,
      "error P:2: style.tone: Invalid option",
    ],
    [
      `{"userId": "u", "topics": [],\n ${style.replace("900", "50")}}`,
      "error P:2: style.targetWordCount: Too small",
    ],
    [`{"topics": [],\n ${style}}`, "error P:1: userId: Invalid input"],
  ])("%j", async (text, line) => {
    const { configuration, lines } = await load({ ".looplia/user-profile.json": text });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.replace(".looplia/user-profile.json", "P")).toContain(line);
    expect(configuration.profile).toBeUndefined();
    expect(configuration.profileText).toBe(text);
  });
});

describe("on the disk", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  test("what is shipped is sound, all of it", async () => {
    const shipped = await trustedFolder(install, "");
    const { configuration, diagnostics } = await loadConfiguration(memoryTrusted({}), shipped, {
      prompts: noPrompts,
    });
    expect(diagnostics).toEqual([]);
    expect([...configuration.pipelines.keys()].sort()).toEqual([
      "docs-summary",
      "newsletter",
      "release-notes",
      "social-posts",
      "translation",
      "writing-kit",
    ]);
    expect(configuration.pipelines.get("writing-kit")?.outputs.map((output) => output.name)).toEqual([
      "summary",
      "ideas",
      "outline",
      "writing-kit",
    ]);
    expect([...configuration.skills.keys()].sort()).toEqual([
      "content-documenter",
      "id-generator",
      "idea-finder",
      "media-reviewer",
      "newsletter-examples",
      "post-examples",
      "release-note-examples",
      "search-summary-examples",
      "translation-examples",
      "user-profile-reader",
      "writing-enhancer",
    ]);
    for (const agent of configuration.agents.values()) expect(agent.tools).toContain("writeArtifact");
  });

  test("a skill of each built-in agent has two good examples and a bad one for each field that it writes", async () => {
    const folder = await trustedFolder(install, "");
    const { configuration } = await loadConfiguration(memoryTrusted({}), folder, { prompts: noPrompts });
    const outputs = [...configuration.pipelines.values()].flatMap((pipeline) => pipeline.outputs);
    for (const { name, agent, artifact, schema } of outputs) {
      const definition = configuration.agents.get(agent);
      const skills = definition ? skillsOf(configuration, definition) : [];
      const rows = skills.flatMap(({ body }) => body.match(/^\|(?:[^|\n]+\|){4,5}$/gm) ?? []).join("\n");
      const text = schema?.text ?? configuration.artifactSchemas.get(artifact) ?? "{}";
      // The program makes the kit itself.
      const missing = name === "writing-kit" ? [] : fieldsWithout(rows, JSON.parse(text));
      expect({ name, missing }).toEqual({ name, missing: [] });
    }
  });

  type Fields = { properties?: Record<string, Fields>; items?: Fields };

  /** Fields that neither a row names nor, for lists of objects, rows of the fields in them. */
  function fieldsWithout(rows: string, { properties = {}, items }: Fields): string[] {
    if (items) return fieldsWithout(rows, items);
    return Object.entries(properties).flatMap(([field, inner]) => {
      if (rows.includes(`\`${field}\``) || OF_THE_PROGRAM.has(field)) return [];
      return (inner.properties ?? inner.items?.properties) ? fieldsWithout(rows, inner) : [field];
    });
  }

  /** What the program sets, and what is copied from the ideas. */
  const OF_THE_PROGRAM = new Set(["contentId", "score", "line", "angle", "hook"]);

  test("an empty folder and a link out of a skill's folder", async () => {
    const root = mkdtempSync(join(tmpdir(), "looplia-load-"));
    folders.push(root);
    const skill = join(root, ".claude/skills/s");
    mkdirSync(join(skill, "empty"), { recursive: true });
    writeFileSync(join(skill, "SKILL.md"), "---\ndescription: d\n---\nDo.");
    symlinkSync("/etc/passwd", join(skill, "passwd"));
    const { configuration } = await loadConfiguration(await trustedFolder(root, ""), builtin, {
      prompts: noPrompts,
    });
    const read = configuration.skills.get("s")?.read("passwd") ?? Promise.resolve("skill is missing");
    const text = await read.catch((error: unknown) => (error instanceof LoopliaError ? undefined : "a bug"));
    expect(text).toBeUndefined();
  });
});

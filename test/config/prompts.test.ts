import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadConfiguration } from "../../src/config/load.ts";
import { checkPrompts, createPrompts } from "../../src/config/prompts.ts";
import { artifactSchemas } from "../../src/content/artifact.ts";
import { trustedFolder } from "../../src/files/sources.ts";
import { allTools, toolDefinition } from "../../src/tools/registry.ts";
import { memoryTrusted } from "../fakes/memory-trusted.ts";
import fc from "../fakes/properties.ts";

const install = await trustedFolder(resolve(import.meta.dirname, "../.."), "");
const prompts = createPrompts(install);
const { configuration } = await loadConfiguration(memoryTrusted({}), install, { prompts });
const folder = ".looplia/contentItem/an-item-2026-11-20-3fa94c";

function rowsOf(definitions: Iterable<{ name: string; description: string }>) {
  return [...definitions].map(({ name, description }) => ({ name, description }));
}

function frame(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const agent = configuration.agents.get(name) ?? { name, description: "", instructions: "Do the work." };
  const skills = rowsOf(configuration.skills.values());
  return { agent, instructions: "", skills, texts: [], subagents: [], isSingle: false, ...more };
}

function step(outputs: object[], more: Record<string, unknown> = {}): Record<string, unknown> {
  const facts = {
    sessionFolder: folder,
    content: `${folder}/content.md`,
    outputs,
    requires: [],
    profile: null,
  };
  const all = { ...facts, ...more };
  const { sessionFolder, content, requires, profile } = all;
  return {
    ...all,
    title: "An item",
    pipeline: { name: "writing-kit", description: "turns a content item into a kit" },
    schemas: more.schemas ?? [],
    prompt: more.prompt ?? "",
    isSingle: false,
    angle: more.angle ?? "",
    facts: JSON.stringify({ sessionFolder, content, outputs, requires, profile }),
  };
}

const summaryDue = { name: "summary", artifact: "summary.json", requires: [] };
const kitDue = [
  { name: "outline", artifact: "outline.json", requires: ["summary", "ideas"] },
  { name: "writing-kit", artifact: "writing-kit.json", requires: ["summary", "ideas", "outline"] },
];
const summarySchema = JSON.stringify(z.toJSONSchema(artifactSchemas.get("summary.json")?.() ?? z.never()));
const mainAgent = { name: "main", description: "", instructions: await prompts.render("system.md", {}) };
const where = {
  TodoPath: "to-do.json",
  WorkDir: "/work",
  Schedule: "odd-even",
  Now: "2026-11-21T10:00:00.000Z",
};
const listed = { ...where, SchemaPath: "/state/to-do.schema.json", schema: '{"type":"object"}' };
const steps = [
  { agent: "content-analyzer", outputs: ["summary"] },
  { agent: "writing-kit-builder", outputs: ["outline", "writing-kit"] },
];

/** What the program renders, each with a golden file: name → prompt file and variables. */
const renderings: [name: string, file: string, variables: Record<string, unknown>][] = [
  ["messages", "messages.md", { messages: [{ author: "ada", text: 'Use "metric" units.\nAlways.' }] }],
  ...[...configuration.agents.keys()].map((name): [string, string, Record<string, unknown>] => [
    `agent-system.${name}`,
    "agent-system.md",
    frame(name),
  ]),
  [
    "agent-system.main",
    "agent-system.md",
    frame("main", {
      agent: mainAgent,
      instructions: "Be brief.\n\nWrite British English.",
      subagents: rowsOf(configuration.agents.values()),
    }),
  ],
  ["agent-system.bare", "agent-system.md", frame("someone", { skills: [] })],
  ["system", "system.md", {}],
  [
    "section.item",
    "section.md",
    {
      ...{ number: 2, count: 9, pipeline: "writing-kit", outputs: ["summary"] },
      ...{ ofItem: { firstLine: 10, lastLine: 99 }, schema: "{}", facts: "{}" },
    },
  ],
  [
    "section.notes",
    "section.md",
    {
      ...{ number: 1, count: 2, pipeline: "writing-kit", outputs: ["summary"] },
      ...{ ofItem: false, schema: "{}", facts: "{}" },
    },
  ],
  [
    "step.first",
    "step.md",
    step([summaryDue], { schemas: [{ artifact: "summary.json", text: '{"type":"object"}' }] }),
  ],
  [
    "step.several",
    "step.md",
    step(kitDue, {
      requires: [
        { name: "summary", path: `${folder}/summary.json` },
        { name: "ideas", path: `${folder}/ideas.json` },
      ],
      profile: ".looplia/user-profile.json",
      angle: 'Waits as "budgets"',
      prompt: 'Mind the "numbers".\n```\n# Not a heading',
    }),
  ],
  [
    "orchestrate",
    "orchestrate.md",
    {
      pipeline: configuration.pipelines.get("writing-kit"),
      sessionFolder: folder,
      title: "An item",
      steps,
      facts: JSON.stringify({ sessionFolder: folder, steps }),
    },
  ],
  [
    "retry",
    "retry.md",
    {
      output: summaryDue,
      errors: ["headline: too short", "tags: missing"],
      hint: "headline: a text of 10 to 200 characters",
    },
  ],
  ["unfinished", "unfinished.md", { missing: ["outline", "writing-kit"] }],
  ["nobody", "nobody.md", {}],
  ["worker", "worker.md", {}],
  ["planner", "planner.md", {}],
  ["unreported", "unreported.md", { id: "T1" }],
  [
    "changed",
    "changed.md",
    { SelectedTask: { ID: "T1" }, facts: '{ "id": "T1", "title": "Say `hi` twice" }' },
  ],
  [
    "answers",
    "answers.md",
    { answers: [{ question: "How often?", author: "ada", answer: "Twice: please" }] },
  ],
  [
    "iteration",
    "iteration.md",
    {
      ...where,
      SelectedTask: { ID: "T1", Title: "Say `hi`", Status: "todo" },
      Iteration: 3,
      facts: JSON.stringify({ task: { id: "T1", title: "Say `hi`\n```" } }),
    },
  ],
  ["bootstrap.sources", "bootstrap.md", { ...listed, sources: ["README.md", "docs/plan.md"], facts: "{}" }],
  ["bootstrap.nothing", "bootstrap.md", { ...listed, sources: [], facts: "{}" }],
  ["repair", "repair.md", { ...listed, problems: ["to-do.json:3: tasks: expected a list, got nothing"] }],
  ["review", "review.md", { ...listed, facts: '{"done":[]}' }],
];

describe("every prompt", () => {
  test.each(renderings)("%s", async (name, file, variables) => {
    const text = await prompts.render(file, variables);
    expect(text).not.toMatch(/\{\{|\n\n\n|undefined|\[object/);
    await expect(text).toMatchFileSnapshot(`golden/${name}.golden.md`);
  });

  test("is among them", () => {
    const files = readdirSync(resolve(import.meta.dirname, "../../prompts")).filter((name) =>
      name.endsWith(".md"),
    );
    expect([...new Set(renderings.map(([, file]) => file))].sort()).toEqual(files.sort());
  });

  test("names a variable that is missing, whichever it is", async () => {
    for (const [, file, variables] of renderings) {
      for (const name of Object.keys(variables)) {
        const { [name]: _, ...others } = variables;
        const error = await prompts.render(file, others).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        // Not every prompt uses all it is given.
        if (error === undefined) continue;
        expect(error).toMatchObject({ code: "config-invalid" });
        expect(String(error)).toMatch(new RegExp(`prompts/${file}:\\d+: undefined variable: ${name}`));
      }
    }
  });

  test("has no date: a system prompt is the same bytes tomorrow", async () => {
    for (const [, file, variables] of renderings) {
      if (!file.endsWith("system.md")) continue;
      expect(await prompts.render(file, variables)).not.toMatch(/\b20\d\d-\d\d/);
    }
  });

  test("the main agent's front matter names tools that there are", async () => {
    const text = (await install.read("prompts/system.md")) ?? "";
    const tools = /^tools: (.*)$/m.exec(text)?.[1]?.split(", ");
    const known = allTools().map((tool) => tool.name);
    expect(tools).toContain("Task");
    expect(tools).not.toContain("writeArtifact");
    for (const tool of tools ?? []) expect(known).toContain(tool);
  });

  test("system, tools and first message of the longest step stay well below 20 kB", async () => {
    const system = await prompts.render("agent-system.md", frame("content-analyzer"));
    const first = await prompts.render(
      "step.md",
      step([summaryDue], { schemas: [{ artifact: "summary.json", text: summarySchema }] }),
    );
    const names = configuration.agents.get("content-analyzer")?.tools ?? [];
    const tools = allTools()
      .filter((tool) => names.includes(tool.name))
      .map(toolDefinition);
    const size = Buffer.byteLength(JSON.stringify({ system, tools, first }));
    expect(size).toBeLessThan(14_000);
  });
});

describe("strict templates", () => {
  const files = memoryTrusted({
    "prompts/plain.md":
      "---\nname: x\n---\nHello {{ who }}{{#list}} {{ @number }}{{ . }}{{^@last}},{{/@last}}{{/list}}",
    "prompts/deep.md": "a\n\n{{ a.b }}",
    "prompts/condition.md": "---\nname: x\n---\n\n{{#gone}}x{{/gone}}",
    "prompts/inverted.md": "{{^gone}}x{{/gone}}",
    "prompts/item.md": "a\n{{#list}}\n\n- {{ name }}\n{{/list}}",
    "prompts/second.md": "{{#who}}{{ name }}{{/who}}\n{{ name }}",
    "prompts/filter.md": "{{ who | shout }}",
    "prompts/broken.md": "a\n{{#who}}",
    "prompts/crossed.md": "{{#a}}\n{{#b}}\n{{/a}}{{/b}}",
    "prompts/include.md": "{{> plain.md }}",
    "prompts/escape.md": "a\n{{{ who }}}",
    "prompts/inherited.md": "{{ who.constructor }}",
    "prompts/place.md": "{{ @first }}",
    "prompts/json.md": "{{ who.@json }}",
  });
  const strict = createPrompts(files);

  test.each([
    ["plain.md", { who: "x" }, "prompts/plain.md:4: undefined variable: list"],
    ["deep.md", { a: {} }, "prompts/deep.md:3: undefined variable: a.b"],
    ["deep.md", {}, "prompts/deep.md:3: undefined variable: a"],
    ["condition.md", {}, "prompts/condition.md:5: undefined variable: gone"],
    ["inverted.md", {}, "prompts/inverted.md:1: undefined variable: gone"],
    ["item.md", { list: [{ name: "x" }, {}] }, "prompts/item.md:4: undefined variable: name"],
    ["second.md", { who: { name: "x" } }, "prompts/second.md:2: undefined variable: name"],
    ["filter.md", { who: "x" }, "prompts/filter.md:1: undefined variable: who | shout"],
    ["broken.md", { who: "x" }, 'prompts/broken.md:2: Unclosed section "who"'],
    ["crossed.md", {}, 'prompts/crossed.md:3: Unclosed section "b"'],
    ["include.md", {}, "prompts/include.md:1: a template includes no other: plain.md"],
    ["escape.md", { who: "x" }, "prompts/escape.md:2: nothing is escaped, write two braces: who"],
    ["inherited.md", { who: {} }, "prompts/inherited.md:1: undefined variable: who.constructor"],
    ["deep.md", { a: { b: [] } }, "prompts/deep.md:3: a list or an object where text belongs"],
    ["place.md", {}, "prompts/place.md:1: undefined variable: @first"],
    ["missing.md", {}, "there is no prompt prompts/missing.md"],
  ])("%s with %j", async (file, variables, message) => {
    await expect(strict.render(file, variables)).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(message),
    });
  });

  test("a value is text: nothing in it is escaped, run or lost", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.constantFrom("{{ who }}", "{{#who}}", "{{=<% %>=}}", "<b>&amp;", "$&")),
        async (who) => {
          const text = await strict.render("plain.md", { who: `<${who}>`, list: [`(${who})`, "!"] });
          expect(text).toBe(`Hello <${who}> 1(${who}), 2!`);
          expect(JSON.parse(await strict.render("json.md", { who }))).toBe(who);
        },
      ),
    );
  });
});

test("all of the program's own are looked at by doctor; one that is gone or broken is named", async () => {
  const names = readdirSync(resolve(import.meta.dirname, "../../prompts")).filter((name) =>
    name.endsWith(".md"),
  );
  expect(await checkPrompts(install)).toBe(names.length);
  const read = (path: string) => install.read(path);
  const broken = {
    ...install,
    read: async (path: string) => (path.endsWith("worker.md") ? "{{" : read(path)),
  };
  await expect(checkPrompts(broken)).rejects.toThrow("prompts/worker.md:1");
  for (const name of names) {
    const without = {
      ...install,
      read: async (path: string) => (path.endsWith(`/${name}`) ? undefined : read(path)),
    };
    await expect(checkPrompts(without)).rejects.toThrow(`no prompt prompts/${name}`);
  }
});

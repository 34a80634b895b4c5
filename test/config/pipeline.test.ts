import { describe, expect, test } from "vitest";
import type { AgentDefinition } from "../../src/config/definitions.ts";
import { formatDiagnostic } from "../../src/config/diagnostics.ts";
import { findCycle, findSinks, parsePipeline, sortByRequirement } from "../../src/config/pipeline.ts";
import fc from "../fakes/properties.ts";

function agent(name: string, tools?: string[]): [string, AgentDefinition] {
  const file = `${name}.md`;
  return [
    name,
    { name, description: "", instructions: "x", file, ...(tools === undefined ? {} : { tools }) },
  ];
}

const agents = new Map([agent("writer"), agent("reader", ["readFile"]), agent("editor", ["writeArtifact"])]);
const beside = new Map([
  ["good.schema.json", '{"type":"object","required":["a"]}'],
  ["broken.schema.json", '{"type":'],
  ["wrong.schema.json", '{"type":"nonsense"}'],
  ["list.schema.json", "[]"],
  ["lost.schema.json", '{"$ref":"#/$defs/nowhere"}'],
]);

function parse(text: string, checkBeside = true) {
  const readBeside = async (file: string) => beside.get(file);
  return parsePipeline(text, ".looplia/pipelines/p.yaml", { agents, readBeside, checkBeside });
}

async function errorsOf(text: string): Promise<string[]> {
  const { pipeline, diagnostics } = await parse(text);
  expect(pipeline === undefined).toBe(diagnostics.length > 0);
  return diagnostics.map((found) => formatDiagnostic(found).replaceAll(".looplia/pipelines/", ""));
}

/** A sound pipeline whose output `b` has these lines more. */
function withLines(...lines: string[]): string {
  const own = lines.map((line) => `    ${line}\n`).join("");
  return `name: p\noutputs:\n  a:\n    artifact: a.json\n    agent: writer\n  b:\n    artifact: b.json\n    agent: editor\n${own}`;
}

describe("a sound pipeline", () => {
  test("is read, put in order, and its only sink is final", async () => {
    const { pipeline, diagnostics } = await parse(
      `name: p
description: makes things
outputs:
  c: { artifact: c.json, agent: writer, requires: [b, a], max-retries: 0 }
  b: { artifact: b.json, agent: writer, requires: a, schema: good.schema.json }
  a: { artifact: a.json, agent: editor }
`,
    );
    expect(diagnostics).toEqual([]);
    expect(pipeline).toEqual({
      name: "p",
      description: "makes things",
      file: ".looplia/pipelines/p.yaml",
      final: "c",
      outputs: [
        { name: "a", artifact: "a.json", agent: "editor", requires: [], maxRetries: 2 },
        {
          name: "b",
          artifact: "b.json",
          agent: "writer",
          requires: ["a"],
          maxRetries: 2,
          schema: { file: ".looplia/pipelines/good.schema.json", text: beside.get("good.schema.json") },
        },
        { name: "c", artifact: "c.json", agent: "writer", requires: ["b", "a"], maxRetries: 0 },
      ],
    });
  });

  test("final: true decides between several sinks", async () => {
    const { pipeline } = await parse(withLines("final: true"));
    expect(pipeline?.final).toBe("b");
    expect(pipeline?.outputs.map((output) => output.name)).toEqual(["a", "b"]);
  });

  test("CRLF and a byte order mark are tolerated", async () => {
    const { diagnostics } = await parse(`\uFEFF${withLines("requires: a").replaceAll("\n", "\r\n")}`);
    expect(diagnostics).toEqual([]);
  });

  test("schema files of a pipeline that is not asked for are not compiled", async () => {
    const { pipeline } = await parse(withLines("requires: a", "schema: wrong.schema.json"), false);
    expect(pipeline?.name).toBe("p");
  });
});

describe("what is wrong is said with its line", () => {
  test.each([
    ["- a", "p.yaml:1: is not a pipeline: it must be a mapping with name, description and outputs"],
    ["", "p.yaml:1: is not a pipeline: it must be a mapping with name, description and outputs"],
    [
      "name: [",
      "p.yaml:1: is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    [
      "name: p",
      "p.yaml: has no outputs (write outputs: with one entry for each, its artifact and its agent)",
    ],
    [
      "name: p\noutputs: []",
      "p.yaml:2: has no outputs (write outputs: with one entry for each, its artifact and its agent)",
    ],
    [withLines("requires: a").replace("name: p", "title: p"), "p.yaml: has no name (write name: p)"],
    [
      withLines("requires: a").replace("name: p", "name: q"),
      'p.yaml:1: the name "q" differs from the file\'s (call the file q.yaml or write name: p)',
    ],
    [
      withLines("requires: a").replace("name: p", "name: P!"),
      'p.yaml:1: the name "P!" must be lower-case letters, digits and hyphens',
    ],
    [`${withLines("requires: a")}description: [x]\n`, "p.yaml:10: the description must be a text"],
    [withLines("requires: a", "require: a"), 'p.yaml:10: unknown key "require" (did you mean "requires"?)'],
    [
      withLines("requires: a").replace("    agent: editor\n", ""),
      'p.yaml:6: "b" has no agent (write agent: and the name of one)',
    ],
    [
      withLines("requires: a").replace("    artifact: b.json\n", ""),
      'p.yaml:6: "b" has no artifact (write artifact: b.json)',
    ],
    [
      withLines("requires: a").replace("agent: editor", "agent: edtor"),
      'p.yaml:8: "b" has the unknown agent "edtor" (did you mean "editor"?)',
    ],
    [
      withLines("requires: a").replace("agent: editor", "agent: zzzzzz"),
      'p.yaml:8: "b" has the unknown agent "zzzzzz" (there are writer, reader, editor)',
    ],
    [
      withLines("requires: a").replace("agent: editor", "agent: reader"),
      'p.yaml:8: "b" has the agent "reader", whose tools lack writeArtifact (add Write to the tools in reader.md)',
    ],
    [
      withLines("requires: [aa]", "final: true"),
      'p.yaml:9: "b" requires the unknown output "aa" (did you mean "a"?)',
    ],
    [
      withLines("requires: { a: 1 }", "final: true"),
      'p.yaml:9: requires of "b" must be the name of an output, or a list of names',
    ],
    [
      withLines("requires: [1]", "final: true"),
      'p.yaml:9: requires of "b" must be the name of an output, or a list of names',
    ],
    [withLines("requires: b", "final: true"), "p.yaml:9: the outputs require each other in a cycle: b → b"],
    [withLines(), "p.yaml:6: has several last outputs: a, b (write final: true in one of them)"],
    [withLines("requires: a", "final: yes"), 'p.yaml:10: final of "b" must be true or false'],
    [
      withLines("requires: a").replace("artifact: b.json", "artifact: a.json"),
      'p.yaml:7: "b" has the artifact a.json, which "a" has already',
    ],
    [
      withLines("requires: a", "max-retries: 11"),
      'p.yaml:10: max-retries of "b" must be a whole number from 0 to 10',
    ],
    [
      withLines("requires: a", "max-retries: '1'"),
      'p.yaml:10: max-retries of "b" must be a whole number from 0 to 10',
    ],
    [
      withLines("requires: a", "schema: ../x.json"),
      'p.yaml:10: schema of "b" must be the path of a .json file beside the pipeline',
    ],
    [
      withLines("requires: a", "schema: none.json"),
      'p.yaml:10: "b" has the schema none.json, and there is no file none.json',
    ],
  ])("%j", async (text, line) => {
    expect(await errorsOf(text)).toEqual(expect.arrayContaining([line]));
    if (!text.includes("title: p")) expect(await errorsOf(text)).toHaveLength(1);
  });

  test.each(["session.json", "../a.json", "/a.json", "A.json", "b.txt", ".a.json", "a\\b.json", "__proto__"])(
    "the artifact name %s is refused",
    async (artifact) => {
      const errors = await errorsOf(
        withLines("requires: a").replace("artifact: b.json", `artifact: '${artifact}'`),
      );
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain(`p.yaml:7: the artifact "${artifact}" of "b" `);
    },
  );

  test.each(["to-do", "B", "a/b", "__proto__", "-b", "ä"])("the output name %s is refused", async (name) => {
    const errors = await errorsOf(withLines("requires: a").replace("  b:", `  ${name}:`));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`p.yaml:6: the output name "${name}" `);
  });

  test.each(["broken", "wrong", "list", "lost"])("the schema %s.schema.json is refused", async (name) => {
    const errors = await errorsOf(withLines("requires: a", `schema: ${name}.schema.json`));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(
      `p.yaml:10: "b" has a schema that cannot be used: ${name}.schema.json: is not`,
    );
  });

  test("a cycle is named, and two finals", async () => {
    const text = `name: p
outputs:
  a: { artifact: a.json, agent: writer, requires: c, final: true }
  b: { artifact: b.json, agent: writer, requires: a, final: true }
  c: { artifact: c.json, agent: writer, requires: b }
`;
    expect(await errorsOf(text)).toEqual([
      "p.yaml:3: the outputs require each other in a cycle: a → c → b → a",
      'p.yaml:4: "b" is final, but "a" is already',
    ]);
  });

  test("everything at once, in the order of the checks", async () => {
    const text = `name: q
outputs:
  a:
    artifact: session.json
    agent: nobody
    require: b
  B:
    agent: writer
    requires: [x, y]
`;
    expect((await errorsOf(text)).map((line) => Number(/:(\d+):/.exec(line)?.[1])).sort()).toEqual([
      1, 4, 5, 6, 7, 7, 7, 9, 9,
    ]);
  });
});

describe("the graph", () => {
  const graphs = fc
    .uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 1 })
    .chain((names) =>
      fc.tuple(...names.map((name) => fc.subarray(names).map((requires) => ({ name, requires })))),
    );

  test("either has a cycle, which is one, or an order in which every requirement comes first", () => {
    fc.assert(
      fc.property(graphs, (nodes) => {
        const cycle = findCycle(nodes);
        if (cycle === undefined) {
          const order = sortByRequirement(nodes).map((node) => node.name);
          for (const { name, requires } of nodes) {
            for (const required of requires)
              expect(order.indexOf(required)).toBeLessThan(order.indexOf(name));
          }
          expect(findSinks(nodes).length).toBeGreaterThan(0);
          expect([...order].sort()).toEqual(nodes.map((node) => node.name).sort());
          return;
        }
        expect(cycle[0]).toBe(cycle.at(-1));
        for (const [index, name] of cycle.slice(0, -1).entries()) {
          expect(nodes.find((node) => node.name === name)?.requires).toContain(cycle[index + 1]);
        }
      }),
    );
  });
});

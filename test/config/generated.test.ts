import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { generatedFiles } from "../../scripts/generated-files.ts";
import { resolveSettings } from "../../src/config/settings.ts";
import { settingDefinitions } from "../../src/config/settings-table.ts";
import { actionOutputs } from "../../src/config/tasks.ts";
import fc, { tries } from "../fakes/properties.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = await generatedFiles(read);

test.each([...files.keys()])("%s is what `npm run generate` makes", (path) => {
  expect(existsSync(join(root, path)), `${path} is missing: run npm run generate`).toBe(true);
  expect(readFileSync(join(root, path), "utf8")).toBe(files.get(path));
});

test("a page without markers is refused, and a generated one stays as it is", async () => {
  await expect(generatedFiles(() => "# Nothing")).rejects.toThrow("<!-- settings:begin -->");
  expect(await generatedFiles((path) => files.get(path) ?? "")).toEqual(files);
});

describe("action.yml", () => {
  const action = parse(files.get("action.yml") ?? "") as {
    description: string;
    inputs: Record<string, { default?: string; required: boolean; description: string }>;
    outputs: Record<string, { description: string }>;
    runs: Record<string, string>;
  };

  test("has the inputs and outputs of the tables, in their order", () => {
    const inputs = settingDefinitions.filter((definition) => definition.isInput).map(({ name }) => name);
    expect(Object.keys(action.inputs)).toEqual(inputs);
    expect(Object.keys(action.outputs)).toEqual(actionOutputs.map(([name]) => name));
    expect(action.runs).toEqual({
      using: "node24",
      main: "dist/action/index.js",
      post: "dist/post/index.js",
      "post-if": "always()",
    });
  });

  test("the Marketplace would take its description", () => {
    expect(action.description.length).toBeLessThan(125);
  });

  test("no input has a default that would outweigh looplia.yml", () => {
    const withDefault = Object.entries(action.inputs).filter(([, input]) => "default" in input);
    expect(withDefault.map(([name, input]) => [name, input.default])).toEqual([
      ["github-token", "$" + "{{ github.token }}"],
    ]);
  });
});

describe("looplia.schema.json", () => {
  const validate = new Ajv2020().compile(JSON.parse(files.get("looplia.schema.json") ?? "") as object);

  test("has every setting that may stand in the file, no secret", () => {
    const { properties } = JSON.parse(files.get("looplia.schema.json") ?? "") as { properties: object };
    const names = settingDefinitions.filter(({ isSecret, outsideFile }) => !isSecret && !outsideFile);
    expect(Object.keys(properties)).toEqual(names.map(({ name }) => name));
  });

  test("agrees with the program about any value", async () => {
    const names = fc.constantFrom(...settingDefinitions.map(({ name }) => name), "unknown");
    const values = fc.oneof(
      fc.integer({ min: -2, max: 20_000 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constantFrom(
        "auto",
        "content",
        "anthropic",
        "program",
        "writing-kit",
        "https://x",
        "a b",
        "../x",
        "50",
        "a/b/",
      ),
      fc.array(fc.constantFrom("a", "b"), { minLength: 1 }),
      fc.constant({ a: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, values, { maxKeys: 1 }), async (settings) => {
        const { diagnostics } = await resolveSettings({
          file: JSON.stringify(settings),
          fileName: "looplia.yml",
          environment: {},
          overrides: {},
          overridesSource: "flag",
        });
        // What an entry of these lists means is beyond a JSON Schema.
        const formal = diagnostics.filter(
          ({ message }) => !/^"(?:policy|sandbox-read|network)" (?!must be )/.test(message),
        );
        expect(validate(settings)).toBe(formal.length === 0);
      }),
      tries(200),
    );
  });
});

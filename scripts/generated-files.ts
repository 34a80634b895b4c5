import { stringify } from "yaml";
import { z } from "zod";
import { userProfileSchema } from "../src/config/load.ts";
import { environmentName } from "../src/config/secrets.ts";
import { serverSchema } from "../src/config/servers.ts";
import type { SettingDefinition, SettingType } from "../src/config/setting-rows.ts";
import { allowedText } from "../src/config/settings.ts";
import { settingDefinitions } from "../src/config/settings-table.ts";
import { actionOutputs } from "../src/config/tasks.ts";
import { artifactSchemas } from "../src/content/artifact.ts";
import { todoFileSchema } from "../src/todo/document.ts";
import { allTools, toolDefinition } from "../src/tools/registry.ts";
import { summarySchema } from "../src/tools/run-command.ts";
import { listAreas } from "./self-test/areas.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Every generated file by its path in the repository. `read` returns a page of the docs as it is. */
export async function generatedFiles(read: (path: string) => string): Promise<Map<string, string>> {
  const files = new Map([
    ["action.yml", actionMetadata()],
    ["looplia.schema.json", formatJson(settingsSchema())],
    ["docs/settings.md", fillTables("docs/settings.md", read)],
    ["docs/setup.md", fillTables("docs/setup.md", read)],
    ["prompts/user-profile.schema.json", formatJson(jsonSchemaOf(userProfileSchema(), "User profile"))],
    ["prompts/to-do.schema.json", formatJson(jsonSchemaOf(todoFileSchema(), "to-do.json"))],
    ["prompts/task-summary.schema.json", formatJson(jsonSchemaOf(summarySchema(), "Summary of a task"))],
  ]);
  files.set("prompts/tools.json", formatJson(allTools().map(toolDefinition)));
  files.set("prompts/artifacts.json", formatJson(shownSchemas()));
  for (const [artifact, schema] of artifactSchemas) {
    files.set(
      `prompts/${artifact.replace(/\.json$/, ".schema.json")}`,
      formatJson(jsonSchemaOf(schema(), artifact)),
    );
  }
  return files;
}

function actionMetadata(): string {
  const inputs = settingDefinitions
    .filter((definition) => definition.isInput)
    .map((definition) => [definition.name, inputOf(definition)]);
  const metadata = {
    name: "Looplia",
    // The Marketplace takes fewer than 125 characters.
    description:
      "Turns content into checked artifacts or works through a task list, and asks on the pull request when it needs a person.",
    author: "looplia",
    branding: { icon: "edit-3", color: "purple" },
    inputs: Object.fromEntries(inputs),
    outputs: Object.fromEntries(actionOutputs.map(([name, description]) => [name, { description }])),
    runs: {
      using: "node24",
      main: "dist/action/index.js",
      post: "dist/post/index.js",
      "post-if": "always()",
    },
  };
  const note = "# Made by `npm run generate` from src/config/settings-table.ts and src/config/tasks.ts.\n";
  return note + stringify(metadata, { lineWidth: 0 });
}

// A default in action.yml would come as an input and outweigh looplia.yml; so only the token has one.
function inputOf(definition: SettingDefinition): Record<string, unknown> {
  const standard = standardOf(definition);
  const text = standard === "" ? "" : ` Default: ${standard}.`;
  const input = { description: definition.description + text, required: false };
  const githubToken = "$" + "{{ github.token }}";
  return definition.name === "github-token" ? { ...input, default: githubToken } : input;
}

function standardOf(definition: SettingDefinition): string {
  return definition.default === undefined ? (definition.defaultText ?? "") : `\`${definition.default}\``;
}

function settingsSchema(): Record<string, unknown> {
  const inFile = settingDefinitions.filter((known) => !known.isSecret && !known.outsideFile);
  return {
    $schema: DIALECT,
    title: "looplia.yml",
    type: ["object", "null"],
    additionalProperties: false,
    properties: Object.fromEntries(
      inFile.map((definition) => [
        definition.name,
        {
          description: definition.description,
          ...typeSchema(definition.type),
          ...(definition.default === undefined ? {} : { default: definition.default }),
        },
      ]),
    ),
  };
}

function typeSchema(type: SettingType): Record<string, unknown> {
  switch (type.kind) {
    case "string":
      return { type: "string", ...(type.pattern === undefined ? {} : { pattern: type.pattern.source }) };
    case "path":
      return { type: "string", pattern: "^(?!/|\\.\\.?$|\\.\\./)[^\\\\]*[^/\\\\]$" };
    case "list":
      return { type: ["string", "array"], items: { type: "string" } };
    case "enum":
      return { enum: [...type.values] };
    case "boolean":
      return { type: "boolean" };
    case "switch":
      return { type: ["boolean", "string", "array"], items: { type: "string" } };
    case "servers":
      return { type: "object", additionalProperties: schemaOf(serverSchema()) };
    case "int":
    case "number": {
      const number = {
        type: type.kind === "int" ? "integer" : "number",
        ...(type.minimum === undefined ? {} : { minimum: type.minimum }),
        ...(type.above === undefined ? {} : { exclusiveMinimum: type.above }),
        ...(type.maximum === undefined ? {} : { maximum: type.maximum }),
      };
      return type.word === undefined ? number : { anyOf: [{ const: type.word }, number] };
    }
  }
}

function jsonSchemaOf(schema: z.ZodType, title: string): Record<string, unknown> {
  return { $schema: DIALECT, title, ...schemaOf(schema) };
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}

/** The tables of each page; each replaces the text between `<!-- name:begin -->` and `<!-- name:end -->`. */
function tablesOf(page: string): [name: string, rows: string[]][] {
  if (page === "docs/setup.md")
    return [["self-test", [`**Not yet tried on GitHub itself:** ${listAreas()}.`]]];
  const outputs = actionOutputs.map(([name, text]) => `| \`${name}\` | ${text} |`);
  return [
    ["settings", settingsRows()],
    ["outputs", ["| output | meaning |", "|---|---|", ...outputs]],
  ];
}

function fillTables(page: string, read: (path: string) => string): string {
  let filled = read(page);
  for (const [name, rows] of tablesOf(page)) {
    const begin = `<!-- ${name}:begin -->`;
    const end = `<!-- ${name}:end -->`;
    const from = filled.indexOf(begin);
    const to = filled.indexOf(end);
    if (from < 0 || to < from) throw new Error(`${page} lacks the markers ${begin} and ${end}`);
    filled = `${filled.slice(0, from + begin.length)}\n\n${rows.join("\n")}\n\n${filled.slice(to)}`;
  }
  return filled;
}

function settingsRows(): string[] {
  const rows = settingDefinitions.map((definition) => {
    const { name, type, isInput, description, usualName } = definition;
    const isPlain = ["string", "path", "list", "boolean", "switch", "servers"].includes(type.kind);
    const allowed = isPlain ? "" : ` Allowed: ${allowedText(type)}.`;
    const variables = [environmentName(name), usualName].filter((variable) => variable !== undefined);
    const names = variables.map((variable) => `\`${variable}\``).join(" or ");
    return `| \`${name}\` | ${isInput ? "yes" : ""} | ${standardOf(definition)} | ${description}${allowed} | ${names} |`;
  });
  return ["| setting | input | default | meaning | variable |", "|---|---|---|---|---|", ...rows];
}

/** What models are told of an artifact. Every field of the kit is the program's, so nothing is said of it. */
function shownSchemas(): Record<string, unknown> {
  const told = [...artifactSchemas].filter(([artifact]) => artifact !== "writing-kit.json");
  const shown = told.map(([artifact, schema]) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema());
    return [artifact, rest];
  });
  const { $schema: _, ...todo } = z.toJSONSchema(todoFileSchema());
  return { ...Object.fromEntries(shown), "to-do.json": todo };
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

// The generated schemas that models see say what the program checks by.
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { readArtifactSchemas } from "../../src/config/load.ts";
import { artifactSchemas } from "../../src/content/artifact.ts";
import { trustedFolder } from "../../src/files/sources.ts";
import { todoFileSchema } from "../../src/todo/document.ts";

test("each artifact that a model writes fields of has its compact schema, and the kit has none", async () => {
  const shown = await readArtifactSchemas(await trustedFolder(resolve(import.meta.dirname, "../.."), ""));
  expect([...shown.keys()]).toEqual(["summary.json", "ideas.json", "outline.json", "to-do.json"]);
  const known = new Map<string, z.ZodType>([
    ...[...artifactSchemas].map(([file, schema]): [string, z.ZodType] => [file, schema()]),
    ["to-do.json", todoFileSchema()],
  ]);
  for (const [artifact, text] of shown) {
    const { $schema: _, ...schema } = z.toJSONSchema(known.get(artifact) ?? z.never());
    expect(text).toBe(JSON.stringify(schema));
  }
});

test("an installation without the file says which one is missing", async () => {
  await expect(
    readArtifactSchemas(await trustedFolder(resolve(import.meta.dirname, "../data"), "")),
  ).rejects.toThrow("prompts/artifacts.json is missing");
});

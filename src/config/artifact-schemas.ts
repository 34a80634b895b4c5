// What models are told of the built-in artifacts, as generated from their schemas: to make it at run time takes long.
import type { TrustedFiles } from "../ports.ts";

/** Compact JSON Schemas by artifact file, from the installation's `prompts/artifacts.json`. */
export async function readArtifactSchemas(builtin: TrustedFiles): Promise<ReadonlyMap<string, string>> {
  const file = "prompts/artifacts.json";
  const text = await builtin.read(file);
  if (text === undefined) throw new Error(`the installation's ${file} is missing`);
  const schemas = JSON.parse(text) as Record<string, unknown>;
  return new Map(Object.entries(schemas).map(([artifact, schema]) => [artifact, JSON.stringify(schema)]));
}

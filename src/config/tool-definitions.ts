// What models are told of the tools, as generated from the registry: to make it at run time takes long.
import type { TrustedFiles } from "../ports.ts";
import type { ToolDefinition } from "../session/message.ts";

/** Definitions by tool, in the registry's order, from the installation's `prompts/tools.json`. */
export async function readToolDefinitions(
  builtin: TrustedFiles,
): Promise<ReadonlyMap<string, ToolDefinition>> {
  const file = "prompts/tools.json";
  const text = await builtin.read(file);
  if (text === undefined) throw new Error(`the installation's ${file} is missing`);
  return new Map((JSON.parse(text) as ToolDefinition[]).map((definition) => [definition.name, definition]));
}

// What a model is told of the tools. Made when `prompts/tools.json` is generated, never at run time.
import { z } from "zod";
import type { ToolDefinition } from "../session/message.ts";
import type { Tool } from "./tool.ts";

/** What a model is told of a tool; the same bytes every time. */
export function toolDefinition(tool: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return { name: tool.name, description: tool.description, inputSchema };
}

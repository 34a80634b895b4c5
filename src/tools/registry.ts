// The list of tools. To add one, write a file beside this one and a line in the list.
import { z } from "zod";
import type { ToolDefinition } from "../core/events.ts";
import { editFileTool } from "./edit-file.ts";
import { grepTool, listFilesTool, readFileTool } from "./files.ts";
import { askUserTool, skillTool, taskTool } from "./people.ts";
import { reportSummaryTool, runCommandTool, writeArtifactTool } from "./run-command.ts";
import { searchCodeTool } from "./search-code.ts";
import type { Tool } from "./tool.ts";

// What a model is notified of the tools. Made when `prompts/tools.json` is generated, never at run time.

/** What a model is notified of a tool; the same bytes every time. */
export function toolDefinition(tool: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      for (const field of tool.ofProgram ?? []) delete jsonSchema.properties?.[field];
    },
  });
  return { name: tool.name, description: tool.description, inputSchema };
}

/** Every tool, in the order in which models are notified of them. */
export function allTools(): Tool[] {
  return [
    readFileTool,
    listFilesTool,
    grepTool,
    searchCodeTool,
    editFileTool,
    runCommandTool,
    writeArtifactTool,
    askUserTool,
    taskTool,
    skillTool,
    reportSummaryTool,
  ];
}

/** Everything that is wrong with the input of a call, as one reply to the model. */
export function inputProblems(error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) => {
    const place = path.map(String).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return `The input was not accepted, so nothing was done. ${problems.join("; ")}. Correct it and call again.`;
}

// The list of tools. To add one, write a file beside this one and a line in the list.
import { z } from "zod";
import type { ToolDefinition } from "../core/events.ts";
import { editFileTool } from "./edit-file.ts";
import { grepTool, listFilesTool, readFileTool, searchCodeTool } from "./files.ts";
import { askUserTool, skillTool, taskTool } from "./people.ts";
import { reportSummaryTool, runCommandTool, writeArtifactTool } from "./run-command.ts";
import type { Tool } from "./tool.ts";

// Tool definitions for models. They are made when `prompts/tools.json` is generated, never at run time.

/** A tool's definition for models; always the same bytes. */
export function toolDefinition(tool: Tool): ToolDefinition {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input(), {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      for (const field of tool.ofProgram ?? []) delete jsonSchema.properties?.[field];
    },
  });
  return { name: tool.name, description: tool.description, inputSchema };
}

/** Every tool, in the order in which models receive them. */
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

/** All problems of a call's input, as one reply to the model. */
export function inputProblems(error: z.ZodError): string {
  const problems = error.issues.map(({ path, message }) => {
    const place = path.map(String).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return `The input was not accepted, so nothing was done. ${problems.join("; ")}. Correct it and call again.`;
}

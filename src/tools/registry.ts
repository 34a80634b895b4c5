// The tools that there are. A new one: a file beside this, and a line in the list.
import type { z } from "zod";
import { askUserTool } from "./ask-user.ts";
import { editFileTool } from "./edit-file.ts";
import { grepTool } from "./grep.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { reportSummaryTool } from "./report-summary.ts";
import { runCommandTool } from "./run-command.ts";
import { searchCodeTool } from "./search-code.ts";
import { skillTool } from "./skill.ts";
import { taskTool } from "./task.ts";
import type { Tool } from "./tool.ts";
import { writeArtifactTool } from "./write-artifact.ts";

/** Every tool, in the order in which models are told of them. */
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

// reportSummary: how a to-do task ended, in the agent's words. The program checks it and writes the task list.
import { z } from "zod";
import type { Tool } from "./tool.ts";

/** Under this name the task loop takes summaries. */
export const SUMMARY_OUTPUT = "task-summary";

const input = z.strictObject({
  task_id: z.string().max(64).nullable().describe("The id of the task that you were given"),
  status: z
    .enum(["done", "blocked", "skipped"])
    .describe("skipped: nothing was tried, and it goes back to where it was"),
  summary: z.string().max(10_000).optional().describe("What was done, or why not"),
  files: z.array(z.string().max(1_000)).max(1_000).optional().describe("Paths that you changed"),
  blockers: z.array(z.string().max(1_000)).max(100).optional().describe("What stands in the way"),
});

/** What a summary must look like, wherever it comes from. */
export const summarySchema = input;

export const reportSummaryTool: Tool<z.infer<typeof input>> = {
  name: "reportSummary",
  description: "End your task: say how it ended. Call it once, last, when all that you did is in place.",
  input,
  effect: "repeatable",
  risk: "safe",
  summarize: ({ task_id, status }) => `${task_id ?? "no task"}: ${status}`,
  run: (summary, { artifacts }) => artifacts.write(SUMMARY_OUTPUT, summary),
};

// Every title, success message and next step that the command line shows, in one place.
import { toPlainLine } from "../../session/plain-text.ts";

type PipelineTexts = { title: string; done: ReadonlyMap<string, string> };

const PIPELINES: ReadonlyMap<string, PipelineTexts> = new Map([
  [
    "writing-kit",
    {
      title: "Writing Kit Builder",
      done: new Map([
        ["summary", "Summary complete"],
        ["ideas", "Ideas complete"],
        ["outline", "Outline complete"],
        ["writing-kit", "Writing kit complete"],
      ]),
    },
  ],
  ["tasks", { title: "Task List", done: new Map([["to-do", "Every task is done"]]) }],
  ["social-posts", { title: "Social Posts", done: new Map([["posts", "Posts complete"]]) }],
]);

/** Title of a pipeline's box; an unknown pipeline is named after itself. */
export function titleOf(pipeline: string): string {
  return PIPELINES.get(pipeline)?.title ?? toPlainLine(pipeline);
}

/** What is said when an output is there. */
export function successOf(pipeline: string, output: string): string {
  return PIPELINES.get(pipeline)?.done.get(output) ?? `${toPlainLine(output)} complete`;
}

/** One sentence for a reason code, where the code alone would not help. */
export const REASONS: ReadonlyMap<string, string> = new Map([
  ["up-to-date", "nothing is due: every artifact is there, valid and made from this source"],
  ["open-questions", "waits for an answer"],
  ["interrupted", "stopped on request; everything so far is saved"],
  ["deadline", "reached timeout-minutes; everything so far is saved"],
  ["max-turns", "reached max-turns; everything so far is saved"],
  ["cost-limit", "reached its limit of cost or tokens; everything so far is saved"],
  ["invalid-artifact", "an artifact never became valid"],
  ["model-failed", "the provider failed"],
  ["max-iterations", "reached max-iterations; everything so far is saved"],
  ["blocked-tasks", "only tasks are left that can't be begun"],
  ["busy", "another process works on it"],
]);

// The message of a task's commit: conventional, with trailers. Made only of ids and names that the program checked. Pure.
import { RUN_TRAILER } from "../ports/repository.ts";
import { listWords } from "./figures.ts";
import { REHEARSAL } from "./report.ts";

export type CommittedTask = {
  sessionId: string;
  outputs: readonly string[];
  status: "completed" | "failed";
  isRehearsal: boolean;
  /** `<run id>.<attempt>` of the Action. */
  run: string;
};

/** `content(<slug>): add <outputs>`, with a trailer for the session, each step and the run. */
export function writeCommitMessage(task: CommittedTask): string {
  const slug = task.sessionId.replace(/-\d{4}-\d{2}-\d{2}-[0-9a-f]{6}$/, "").slice(0, 50);
  const outputs = listWords(task.outputs);
  const change = task.status === "completed" ? `add ${outputs}` : `note that ${outputs} failed`;
  const note = task.isRehearsal ? [`This is an ${REHEARSAL}.`, ""] : [];
  return [
    `content(${slug}): ${change}`,
    "",
    ...note,
    `Looplia-Session: ${task.sessionId}`,
    ...task.outputs.map((output) => `Looplia-Step: ${output}`),
    `${RUN_TRAILER}: ${task.run}`,
    "",
  ].join("\n");
}

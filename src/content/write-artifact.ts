// What `writeArtifact` does: an artifact is on disk as the step's file only if it is valid.
import { LoopliaError, messageOf } from "../errors.ts";
import type { ToolReply } from "../tools/tool.ts";
import { checkArtifact } from "./artifact.ts";
import { readArtifacts, usableOutputs } from "./read-artifacts.ts";
import type { SessionRun } from "./session-run.ts";

/**
 * Validates, writes and records one artifact of a task, or answers with every problem and a hint. The same `callId`
 * counts as one try.
 */
export async function writeArtifact(
  run: SessionRun,
  taskId: string,
  name: string,
  content: unknown,
  callId: string,
): Promise<ToolReply> {
  const { journal, observe, workspace } = run.session;
  const task = journal.state.tasks.get(taskId);
  const output = run.pipeline.outputs.find((candidate) => candidate.name === name);
  if (!task || !output || !task.outputs.includes(name)) {
    const due = task?.outputs.join(", ") ?? "none";
    return {
      text: `Not written: ${JSON.stringify(name)} is not an output of this task. Due here: ${due}.`,
      isError: true,
    };
  }
  const artifacts = await readArtifacts(run, usableOutputs(run, task));
  const standing = run.pipeline.outputs.filter(({ artifact }) => artifacts.has(artifact));
  const missing = output.requires.filter((required) => !standing.some((found) => found.name === required));
  if (missing.length > 0) {
    return { text: `Not written: ${name} needs ${missing.join(", ")} first.`, isError: true };
  }
  const checked = await checkArtifact({
    output,
    value: content,
    item: run.item,
    sessionId: run.sessionId,
    ...(run.session.configuration.profile ? { profile: run.session.configuration.profile } : {}),
    artifacts,
  });
  if (!checked.ok) {
    await journal.append({
      store: "events",
      type: "ArtifactRefused",
      payload: { taskId, output: name, callId, errors: checked.errors },
    });
    const count = task.refusals.get(name)?.count ?? 0;
    const recoverable = count <= output.maxRetries;
    const { errors, hint } = checked;
    const { sessionId } = run;
    observe({
      type: "validation-failed",
      sessionId,
      output: name,
      artifact: output.artifact,
      errors,
      hint,
      recoverable,
    });
    const { prompts } = run.session.configuration;
    return { text: await prompts.render("retry.md", { output, errors, hint }), isError: true };
  }
  const accepted = task.accepted.get(name);
  if (accepted !== undefined && accepted !== checked.contentHash) {
    return {
      text: `Not written: ${output.artifact} was accepted already and stays as it is.`,
      isError: true,
    };
  }
  // No matter for the model: it can't mend the disk.
  const path = `${run.folder}/${output.artifact}`;
  await workspace.writeAtomic(path, checked.text).catch((cause: unknown) => {
    const hint = "Make its place writable and run again.";
    throw new LoopliaError("host-failed", `${path} was not written: ${messageOf(cause)}`, { hint, cause });
  });
  await journal.append({
    store: "events",
    type: "ArtifactAccepted",
    payload: { taskId, output: name, contentHash: checked.contentHash },
  });
  return { text: `Accepted: ${output.artifact} is valid and written.` };
}

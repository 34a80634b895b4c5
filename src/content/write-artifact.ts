// Implements `writeArtifact`: only a valid artifact reaches the disk.
import type { Delivery } from "../agent/session.ts";
import type { PipelineOutput } from "../config/definitions.ts";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { PROGRAM } from "../core/json.ts";
import type { TaskState } from "../core/state.ts";
import type { ToolReply } from "../tools/tool.ts";
import { chosenAngle } from "./asking.ts";
import { isMadeByProgram, readArtifacts, type SessionRun, usableOutputs } from "./ports.ts";
import { keepEdited } from "./session.ts";

/**
 * Validates, writes and records one artifact of a task, or replies with every problem and a hint. Repeating a `callId`
 * does not count as another try.
 */
export async function writeArtifact(
  run: SessionRun,
  taskId: string,
  { output: name, content, callId }: Delivery,
): Promise<ToolReply> {
  const { journal, configuration } = run.session;
  const task = journal.state.tasks.get(taskId);
  const output = run.pipeline.outputs.find((candidate) => candidate.name === name);
  if (!task || !output || !task.outputs.includes(name)) {
    const due = task?.outputs.join(", ") ?? "none";
    const error = `${JSON.stringify(name)} is not an output of this task. Due here: ${due}.`;
    // A turn with such calls counts as a try; otherwise only the limit of turns would end them.
    const owed = task?.outputs.find((one) => !task.accepted.has(one));
    const turn = journal.conversations.get(task?.conversationId ?? "")?.turns ?? 0;
    const payload = { taskId, output: owed ?? "", callId: `other-output@${turn}`, errors: [error] };
    if (owed !== undefined) await journal.append({ store: "events", type: "ArtifactRefused", payload });
    return notWritten(error);
  }
  const artifacts = await readArtifacts(run, usableOutputs(run, task));
  const standing = run.pipeline.outputs.filter(({ artifact }) => artifacts.has(artifact));
  const missing = output.requires.filter((required) => !standing.some((found) => found.name === required));
  if (missing.length > 0) return notWritten(`${name} needs ${missing.join(", ")} first.`);
  // Not imported at the top: the model is asked first.
  const { checkArtifact } = await import("./artifact.ts");
  const checked = await checkArtifact({
    output,
    value: content,
    item: run.item,
    sessionId: run.sessionId,
    ...(configuration.profile ? { profile: configuration.profile } : {}),
    artifacts,
    ...triesOf(run, task, output),
    angle: output.artifact === "outline.json" ? await chosenAngle(run, task) : undefined,
  });
  if (!checked.ok) return refuse(run, task, output, { ...checked, callId });
  const accepted = task.accepted.get(name);
  if (accepted !== undefined && accepted !== checked.contentHash) {
    return notWritten(`${output.artifact} was accepted already and stays as it is.`);
  }
  for (const quote of checked.dropped) {
    const message = `${output.artifact}: removed from a quote, because ${run.item.source} does not contain it: ${quote}`;
    run.session.observe({ type: "notice", level: "warning", message, sessionId: run.sessionId });
  }
  await keep(run, output, checked.text);
  const payload = { taskId, output: name, contentHash: checked.contentHash };
  // Durable before the reply is; until then a repeated call writes the same file again.
  journal.note({ store: "events", type: "ArtifactAccepted", payload });
  await makeOwn(run, taskId);
  return { text: `Accepted: ${output.artifact} is valid and written.` };
}

function triesOf(
  { session: { configuration } }: SessionRun,
  { agent, refusals }: TaskState,
  output: PipelineOutput,
) {
  const count = refusals.get(output.name)?.count ?? 0;
  const isLastTry = count >= output.maxRetries;
  const language = configuration.agents.get(agent)?.language ?? configuration.profile?.language;
  return {
    isFirstTry: count === 0 && !isLastTry,
    isLastTry,
    ...(language === undefined ? {} : { language }),
  };
}

/** Makes the outputs of a task that need no model, once the outputs that they require are valid. */
export async function makeOwn(run: SessionRun, taskId: string): Promise<void> {
  const task = run.session.journal.state.tasks.get(taskId);
  const own = run.pipeline.outputs.filter(
    (output) =>
      task?.outputs.includes(output.name) && !task.accepted.has(output.name) && isMadeByProgram(output),
  );
  for (const { name, requires } of own) {
    const usable = usableOutputs(run, task);
    if (!requires.every((required) => usable.has(required))) continue;
    await writeArtifact(run, taskId, { output: name, content: {}, callId: PROGRAM });
  }
}

function notWritten(why: string): ToolReply {
  return { text: `Not written: ${why}`, isError: true };
}

/** Records the problems, reports them to the observer, and returns the reply for the model. */
async function refuse(
  run: SessionRun,
  { taskId, refusals }: TaskState,
  output: PipelineOutput,
  { errors, hint, callId }: { errors: string[]; hint: string; callId: string },
): Promise<ToolReply> {
  const { journal, observe, configuration } = run.session;
  const { name, artifact, maxRetries } = output;
  const payload = { taskId, output: name, callId, errors };
  await journal.append({ store: "events", type: "ArtifactRefused", payload });
  const recoverable = (refusals.get(name)?.count ?? 0) <= maxRetries;
  const { sessionId } = run;
  observe({ type: "validation-failed", sessionId, output: name, artifact, errors, hint, recoverable });
  const text = await configuration.prompts.render("retry.md", { output, errors, hint });
  return { text, isError: true };
}

/** Throws `host-failed` rather than replying to the model, because a model cannot fix the disk. */
async function keep(run: SessionRun, output: PipelineOutput, text: string): Promise<void> {
  const path = `${run.folder}/${output.artifact}`;
  try {
    await keepEdited(run, output, text);
    await run.session.workspace.writeAtomic(path, text);
  } catch (cause) {
    const hint = "Make its folder writable and run again.";
    throw new LoopliaError("host-failed", `${path} was not written: ${messageOf(cause)}`, { hint, cause });
  }
}

// Ends a task: the manifest first, then the event, then whoever watches. Only here is a step marked. On a runner one
// checkpoint holds all of it, the commit as well.

import {
  buildPrefix,
  modelFor,
  runConversation,
  runSubagent,
  startConversation,
  withMessages,
} from "../agent/loop.ts";
import { type AgentRun, asOne, modelFailure, type Outcome } from "../agent/session.ts";
import type { Configuration, PipelineOutput } from "../config/definitions.ts";
import { isOpen, type TaskState } from "../core/state.ts";
import { SCHEMA_VERSION, type StepState, withDependents } from "./manifest.ts";
import { currentInputs, inputsHashOf, type TaskGroup } from "./plan.ts";
import { type ContentSettings, findChangedArtifact, type SessionRun, saveSteps } from "./ports.ts";
import { writeArtifact } from "./write-artifact.ts";

/** Marks all outputs of a task completed in one write. */
async function completeTask(run: SessionRun, task: TaskState): Promise<void> {
  const completedAt = run.session.clock.now().toISOString();
  const hashes = new Map<string, string>();
  for (const [name, step] of run.manifest.steps) if (step.contentHash) hashes.set(name, step.contentHash);
  for (const [name, contentHash] of task.accepted) hashes.set(name, contentHash);
  const changes = new Map<string, StepState>();
  for (const name of task.outputs) {
    const inputsHash = inputsHashOf(run.pipeline, name, task.inputs, hashes);
    const contentHash = hashes.get(name) ?? "";
    changes.set(name, {
      status: "completed",
      contentHash,
      inputsHash,
      completedAt,
      schemaVersion: SCHEMA_VERSION,
    });
  }
  await asOne(run.session.host, async () => {
    await saveSteps(run, changes);
    await noteCompletion(run, task);
  });
}

/** The event for a task whose run was killed when the manifest was written. */
function recordCompletion(run: SessionRun, task: TaskState): Promise<void> {
  return asOne(run.session.host, () => noteCompletion(run, task));
}

async function noteCompletion(run: SessionRun, task: TaskState): Promise<void> {
  await run.session.journal.append({
    store: "events",
    type: "TaskCompleted",
    payload: { taskId: task.taskId },
  });
  observeSteps(run, task, "completed");
  await tellHost(run, task, "completed");
}

/** Ends the attempt: a later run begins the task anew. */
async function failTask(
  run: SessionRun,
  task: TaskState,
  reasonCode: string,
  message: string,
): Promise<void> {
  const { taskId } = task;
  const payload = { taskId, reasonCode, message };
  await asOne(run.session.host, async () => {
    await run.session.journal.append({ store: "events", type: "TaskFailed", payload });
    await noteFailure(run, task, message);
  });
}

/** Marks the steps failed; the attempt itself may still go on in a later run. */
function markFailed(run: SessionRun, task: TaskState, message: string): Promise<void> {
  return asOne(run.session.host, () => noteFailure(run, task, message));
}

async function noteFailure(run: SessionRun, task: TaskState, message: string): Promise<void> {
  const errorMessage = run.session.journal.redact(message);
  await saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "failed", errorMessage }])));
  observeSteps(run, task, "failed", message);
  await tellHost(run, task, "failed");
}

/** Tells the observer about each step of a task. */
function observeSteps(
  run: SessionRun,
  task: TaskState,
  status: "started" | "completed" | "failed" | "waiting",
  message?: string,
): void {
  for (const output of task.outputs) {
    const { sessionId } = run;
    const said = message === undefined ? {} : { message };
    run.session.observe({ type: "step", sessionId, output, agent: task.agent, status, ...said });
  }
}

function tellHost(run: SessionRun, task: TaskState, status: "completed" | "failed"): Promise<void> {
  const { sessionId, folder, item } = run;
  return run.session.host.taskEnded({ sessionId, folder, title: item.title, outputs: task.outputs, status });
}

// Tasks that an earlier run left open: which may go on in their conversation, and which begin anew.

type Lead = Pick<ContentSettings, "orchestration" | "force">;

/** Completes what was marked but for its event, and cancels what can't go on: its questions are closed. */
export async function settleOpenTasks(
  run: SessionRun,
  groups: readonly TaskGroup[],
  settings: Lead,
): Promise<void> {
  const { journal } = run.session;
  for (const task of [...journal.state.tasks.values()]) {
    if (!isOpen(task)) continue;
    const isStanding = task.outputs.every((name) => run.manifest.steps.get(name)?.status === "completed");
    if (task.outputs.length > 0 && isStanding) {
      await recordCompletion(run, task);
      continue;
    }
    const reason = await whyTaskRestarts(run, groups, settings, task);
    if (reason === undefined) continue;
    const { taskId } = task;
    await journal.append({ store: "events", type: "TaskCanceled", payload: { taskId, reason } });
  }
}

/**
 * Why an open task can't go on as it was begun, as a piece of a sentence; undefined when it can. A task without outputs
 * is the main agent's.
 */
export async function whyTaskRestarts(
  run: SessionRun,
  groups: readonly TaskGroup[],
  settings: Lead,
  task: TaskState,
): Promise<string | undefined> {
  if (task.inputs.source !== run.item.sourceHash) return "the source changed";
  if (task.outputs.length === 0) {
    return settings.orchestration === "agent" ? undefined : "the program leads the session now";
  }
  const own = new Set(task.outputs);
  const outputs = run.pipeline.outputs.filter((output) => own.has(output.name));
  if (outputs.length < own.size) return "the pipeline has no such step any more";
  if (outputs.some((output) => output.agent !== task.agent)) return "its step has another agent now";
  if (settings.force?.some((name) => own.has(name))) return "its step is forced to run again";
  const apart = groups.find(
    (group) => group.taskId !== task.taskId && group.outputs.some((name) => own.has(name)),
  );
  if (apart) return "its steps are no longer due together";
  const again = withDependents(
    run.pipeline,
    groups.flatMap((group) => group.outputs),
  );
  const required = outputs
    .flatMap((output) => output.requires)
    .find((name) => again.has(name) && !own.has(name));
  if (required !== undefined) return `it was begun from ${required}, which runs again`;
  const edited = outputs.flatMap((output) => output.requires).find((name) => task.editedSince?.has(name));
  if (edited !== undefined && !own.has(edited))
    return `it was begun from ${edited}, which a person edited since`;
  const changed = await findChangedArtifact(run, task);
  return changed && `${changed} was changed after it was accepted`;
}

// The message that starts a step: one command is one prompt, and it says what, not how.

/** Names the session folder and the artifact file of each due output; `prompt` is what a main agent added. */
export function renderStep(
  run: Pick<SessionRun, "pipeline" | "folder" | "item"> & {
    session: Pick<SessionRun["session"], "configuration">;
  },
  task: Pick<TaskState, "agent" | "outputs">,
  prompt = "",
): Promise<string> {
  const { pipeline, folder, item, session } = run;
  const definition = session.configuration.agents.get(task.agent);
  const byName = new Map(pipeline.outputs.map((output) => [output.name, output]));
  const outputs = pipeline.outputs.filter((output) => task.outputs.includes(output.name));
  const inner = new Set(task.outputs);
  const required = new Set(outputs.flatMap((output) => output.requires).filter((name) => !inner.has(name)));
  const facts = {
    sessionFolder: folder,
    content: `${folder}/content.md`,
    outputs: outputs.map(({ name, artifact, requires }) => ({ name, artifact, requires })),
    requires: [...required].map((name) => ({ name, path: `${folder}/${byName.get(name)?.artifact ?? ""}` })),
    profile: session.configuration.profileText ? ".looplia/user-profile.json" : null,
    // The rehearsal can't follow instructions: it must know that these are not the program's.
    ownAgent: definition?.file.startsWith("prompts/") ? null : task.agent,
  };
  return session.configuration.prompts.render("step.md", {
    ...facts,
    title: item.title,
    pipeline: { name: pipeline.name, description: pipeline.description },
    schemas: outputs.flatMap((output) => schemaOf(output, session.configuration)),
    prompt,
    facts: JSON.stringify(facts),
  });
}

/** The schema as the model sees it. */
function schemaOf(
  { artifact, schema }: PipelineOutput,
  { artifactSchemas }: Configuration,
): { artifact: string; text: string }[] {
  const text = schema ? schema.text.trim() : artifactSchemas.get(artifact);
  return text === undefined ? [] : [{ artifact, text }];
}

// The step function: runs one task (a due step, or neighbours of one agent) in a conversation of its own.
// Whoever leads, the program or a main agent, calls this, and only this marks steps.

/** Where a task's conversation hangs: by itself, or under the `Task` call of a main agent. */
type TaskOrigin = { conversationId?: string; depth: number; prompt?: string };

/** Runs or goes on with a task until its outputs are completed together, or it failed, waits or stopped. */
export async function runTask(
  run: SessionRun,
  group: TaskGroup,
  origin: TaskOrigin = { depth: 0 },
): Promise<Outcome> {
  const task = await openTask(run, group, origin);
  try {
    const ended = await runConversation(run.session, agentRun(run, task));
    const outcome = ended.kind === "completed" ? await confirmArtifacts(run, task) : ended;
    if (outcome.kind === "completed") await completeTask(run, task);
    if (outcome.kind === "failed") await failTask(run, task, outcome.reasonCode, outcome.message);
    if (outcome.kind === "waiting") observeSteps(run, task, "waiting");
    return outcome;
  } catch (error) {
    const outcome = modelFailure(error);
    await markFailed(run, task, outcome.message);
    return outcome;
  }
}

/** What was accepted must still stand: a command of the agent, or somebody else, may have written there. */
async function confirmArtifacts(run: SessionRun, task: TaskState): Promise<Outcome> {
  const changed = await findChangedArtifact(run, task);
  if (changed === undefined) return { kind: "completed", text: "" };
  const message = `${changed} was changed after it was accepted, so its step is not done`;
  return { kind: "failed", reasonCode: "invalid-artifact", message };
}

async function openTask(run: SessionRun, group: TaskGroup, origin: TaskOrigin): Promise<TaskState> {
  const { journal } = run.session;
  const known = journal.state.tasks.get(group.taskId);
  if (!isOpen(known)) {
    const attempt = (known?.attempt ?? 0) + 1;
    const { taskId, agent, outputs } = group;
    const conversationId = origin.conversationId ?? `${taskId}#${attempt}`;
    const inputs = currentInputs(run.session.configuration, agent, run.item.sourceHash);
    await journal.append(
      { store: "events", type: "TaskCreated", payload: { taskId, agent, outputs, inputs, conversationId } },
      { store: "events", type: "TaskStarted", payload: { taskId } },
    );
  }
  const task = journal.state.tasks.get(group.taskId);
  if (!task) throw new Error(`task ${group.taskId} was not folded`);
  // Together: neither needs the other to be durable.
  const [saved, ready] = await Promise.allSettled([
    saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "in_progress" }]))),
    journal.hasBegun(task.conversationId) ? undefined : prepareConversation(run, task, origin),
  ]);
  if (saved.status === "rejected") throw saved.reason;
  observeSteps(run, task, "started");
  if (ready.status === "rejected") throw ready.reason;
  if (ready.value) {
    const { start, prefix, opening, messages } = ready.value;
    await run.mailbox.deliver(run.session.host, task.taskId, messages, () =>
      startConversation(run.session, start, prefix, opening),
    );
  }
  return task;
}

/** What the conversation begins with; its prefix is frozen already. */
async function prepareConversation(run: SessionRun, task: TaskState, origin: TaskOrigin) {
  const definition = run.session.configuration.agents.get(task.agent);
  if (!definition) throw new Error(`agent ${task.agent} passed the pipeline's check but is not known`);
  const start = {
    conversationId: task.conversationId,
    taskId: task.taskId,
    agent: task.agent,
    depth: origin.depth,
    model: modelFor(run.session, definition),
  };
  const messages = run.mailbox.take();
  const step = await renderStep(run, task, origin.prompt);
  const opening = await withMessages(run.session.configuration.prompts, step, messages);
  const prefix = await buildPrefix(run.session, definition);
  await run.session.journal.freeze(prefix);
  return { start, prefix, opening, messages };
}

function agentRun(run: SessionRun, task: TaskState): AgentRun {
  const conversation = run.session.journal.conversation(task.conversationId);
  const self: AgentRun = {
    conversationId: task.conversationId,
    taskId: task.taskId,
    agent: task.agent,
    depth: conversation.depth,
    artifacts: {
      write: (output, content, callId) => writeArtifact(run, task.taskId, output, content, callId),
    },
    subagents: [...run.session.configuration.agents.keys()],
    runSubagent: (agent, prompt, id) => runSubagent(run.session, self, agent, prompt, id),
    isDone: () => taskOutcome(run, task),
    whenEnded: (text) => remind(run, task, text),
  };
  return self;
}

function taskOutcome(run: SessionRun, task: TaskState): Outcome | undefined {
  for (const name of task.outputs) {
    const refusal = task.refusals.get(name);
    const retries = run.pipeline.outputs.find((output) => output.name === name)?.maxRetries ?? 0;
    if (task.accepted.has(name) || !refusal || refusal.count <= retries) continue;
    const message = `${name} was invalid ${refusal.count} times; last: ${refusal.errors.join("; ")}`;
    return { kind: "failed", reasonCode: "invalid-artifact", message };
  }
  return missingOutputs(task).length === 0 ? { kind: "completed", text: "" } : undefined;
}

/** How often an agent that stops without its artifact is told so. */
const REMINDERS = 1;

async function remind(
  run: SessionRun,
  task: TaskState,
  text: string,
): Promise<{ tell: string } | { outcome: Outcome }> {
  const missing = missingOutputs(task);
  const said = run.session.journal
    .conversation(task.conversationId)
    .messages.filter(
      (message) => message.role === "user" && message.content.some((block) => block.type === "text"),
    );
  if (said.length <= REMINDERS) {
    return { tell: await run.session.configuration.prompts.render("unfinished.md", { missing }) };
  }
  const last = run.session.journal.redact(text).trim().slice(0, 500).toWellFormed() || "nothing";
  const message = `${task.agent} ended without writing ${missing.join(", ")}; it said: ${last}`;
  return { outcome: { kind: "failed", reasonCode: "invalid-artifact", message } };
}

function missingOutputs(task: TaskState): string[] {
  return task.outputs.filter((name) => !task.accepted.has(name));
}

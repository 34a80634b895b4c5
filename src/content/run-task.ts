// The step function: runs one task (a due step, or neighbours of one agent) in a conversation of its own.
// Whoever leads, the program or a main agent, calls this, and only this marks steps.
import { runConversation, startConversation } from "../agent/loop.ts";
import { withMessages } from "../agent/messages.ts";
import { modelFailure, type Outcome } from "../agent/outcome.ts";
import { buildPrefix, modelFor } from "../agent/prefix.ts";
import type { AgentRun } from "../agent/session.ts";
import { runSubagent } from "../agent/subagent.ts";
import { isOpen, type TaskState } from "../session/state.ts";
import { completeTask, failTask, markFailed, observeSteps } from "./end-task.ts";
import type { TaskGroup } from "./group-tasks.ts";
import { currentInputs } from "./inputs.ts";
import { findChangedArtifact } from "./read-artifacts.ts";
import { renderStep } from "./render-step.ts";
import { type SessionRun, saveSteps } from "./session-run.ts";
import { writeArtifact } from "./write-artifact.ts";

/** Where a task's conversation hangs: by itself, or under the `Task` call of a main agent. */
export type TaskOrigin = { conversationId?: string; depth: number; prompt?: string };

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

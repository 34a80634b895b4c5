// One task of a content session, from its opening to its end.
import {
  cancelAttempt,
  type Ending,
  judgeOutputs,
  openAttempt,
  owedOutputs,
  recordEnd,
  runAttempt,
} from "../agent/attempt.ts";
import type { NextStep, Outcome } from "../agent/session.ts";
import type { Configuration, PipelineOutput } from "../config/definitions.ts";
import { hashContent, inTurn, isObject, parseJson } from "../core/json.ts";
import { isOpen, type TaskState } from "../core/state.ts";
import { askForAngle, choosesAngle, chosenAngle, editsToRepair } from "./asking.ts";
import { writeManifest } from "./folder.ts";
import { hashOfAll } from "./item.ts";
import { SCHEMA_VERSION, type StepState, updateStep, withDependents } from "./manifest.ts";
import {
  currentInputs,
  digestSchemas,
  groupTasks,
  inputsHashOf,
  type StepPlan,
  type TaskGroup,
} from "./plan.ts";
import { type ContentSettings, isMadeByProgram, type SessionRun, usableOutputs, withPages } from "./ports.ts";
import { attachTo, carriesAll, isLong, readsItem } from "./reading/parts.ts";
import { makeOwn, writeArtifact } from "./write-artifact.ts";

/** The steps of a completed task, as recorded in the manifest. */
function completedSteps(run: SessionRun, task: TaskState): Map<string, StepState> {
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
  return changes;
}

/** Reports a completed task; call only once the manifest and the event are written. */
async function tellCompletion(run: SessionRun, task: TaskState): Promise<void> {
  observeSteps(run, task, "completed");
  await tellHost(run, task, "completed");
}

/** Marks the steps failed; the attempt itself may be resumed by a later run. */
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

// Decides which tasks of an earlier run continue in their conversation and which start over.

type Lead = Pick<ContentSettings, "orchestration" | "force">;

/** The facts of a session that decide which open tasks may continue. */
type LookedAt = Pick<SessionRun, "folder" | "pipeline" | "manifest" | "item"> & {
  session: Pick<SessionRun["session"], "workspace"> & {
    journal: { state: Pick<SessionRun["session"]["journal"]["state"], "tasks"> };
  };
};

/** Groups the due steps into tasks. An open task that must start over does not keep its neighbours apart. */
export async function groupDue(
  run: LookedAt,
  plans: readonly StepPlan[],
  settings: Lead,
): Promise<TaskGroup[]> {
  const open = [...run.session.journal.state.tasks.values()].filter(isOpen);
  const groups = groupTasks(run.pipeline, plans, open);
  const going: TaskState[] = [];
  for (const task of open) {
    if ((await whyTaskRestarts(run, groups, settings, task)) === undefined) going.push(task);
  }
  return going.length === open.length ? groups : groupTasks(run.pipeline, plans, going);
}

/** Completes tasks that only lack their event, and cancels tasks that cannot continue, which closes their questions. */
export async function settleOpenTasks(
  run: SessionRun,
  groups: readonly TaskGroup[],
  settings: Lead,
): Promise<void> {
  const { journal } = run.session;
  for (const task of [...journal.state.tasks.values()]) {
    if (!isOpen(task)) continue;
    const isStanding = task.outputs.every((name) => run.manifest.steps.get(name)?.status === "completed");
    const { taskId } = task;
    if (task.outputs.length > 0 && isStanding) {
      // The run was killed after it wrote the manifest.
      const event = { store: "events", type: "TaskCompleted", payload: { taskId } } as const;
      await recordEnd(run.session, { event, after: () => tellCompletion(run, task) });
      continue;
    }
    const reason = await whyTaskRestarts(run, groups, settings, task);
    if (reason !== undefined) await cancelAttempt(journal, taskId, reason);
  }
}

/**
 * The reason why an open task cannot continue, as part of a sentence; undefined if it can. A task without outputs belongs
 * to the main agent.
 */
export async function whyTaskRestarts(
  run: LookedAt,
  groups: readonly TaskGroup[],
  settings: Lead,
  task: TaskState,
): Promise<string | undefined> {
  if (isReading(task.taskId)) {
    const isDue = groups.some(({ taskId }) => isReading(task.taskId, taskId));
    return isDue ? undefined : "the step that needed these notes is no longer due";
  }
  if (task.inputs.source !== hashOfAll(run.item)) return "the source changed";
  if (task.outputs.length === 0) {
    return settings.orchestration === "agent" ? undefined : "the program leads the session now";
  }
  const own = new Set(task.outputs);
  const outputs = run.pipeline.outputs.filter((output) => own.has(output.name));
  if (outputs.length < own.size) return "the pipeline no longer has this step";
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
  if (required !== undefined) return `it was made from ${required}, which runs again`;
  const edited = outputs.flatMap((output) => output.requires).find((name) => task.editedSince?.has(name));
  if (edited !== undefined && !own.has(edited))
    return `it was made from ${edited}, which a person edited since`;
  const changed = await findChangedArtifact(run, task);
  return changed && `${changed} was changed after it was accepted`;
}

/** True for the tasks that read a section; `of` is the task that they read it for. */
function isReading(taskId: string, of?: string): boolean {
  const owner = /^(.*)\/(?:section|notes-\d+)-\d+$/.exec(taskId)?.[1];
  return of === undefined ? owner !== undefined : owner === of;
}

// Renders the message that starts a step. It names the outputs and leaves the method to the agent.

/**
 * Names the session folder and the artifact file of each due output. `prompt` is a main agent's remark, `angle` a
 * person's choice.
 */
export function renderStep(
  run: Pick<SessionRun, "pipeline" | "folder" | "item"> & {
    session: Pick<SessionRun["session"], "configuration">;
  },
  task: Pick<TaskState, "agent" | "outputs">,
  {
    prompt = "",
    angle = "",
    isSingle = false,
  }: { prompt?: string | undefined; angle?: string | undefined; isSingle?: boolean } = {},
): Promise<string> {
  const { pipeline, folder, item, session } = run;
  const definition = session.configuration.agents.get(task.agent);
  const byName = new Map(pipeline.outputs.map((output) => [output.name, output]));
  const due = pipeline.outputs.filter((output) => task.outputs.includes(output.name));
  const asked = due.filter((output) => !isMadeByProgram(output));
  const outputs = asked.length > 0 ? asked : due;
  const inner = new Set(task.outputs);
  const required = new Set(outputs.flatMap((output) => output.requires).filter((name) => !inner.has(name)));
  const facts = {
    sessionFolder: folder,
    content: `${folder}/content.md`,
    ...(item.parts.size === 0 ? {} : { items: [...item.parts.keys()] }),
    outputs: outputs.map(({ name, artifact, requires }) => ({ name, artifact, requires })),
    requires: [...required].map((name) => ({ name, path: `${folder}/${byName.get(name)?.artifact ?? ""}` })),
    profile: session.configuration.profileText ? ".looplia/user-profile.json" : null,
    // The rehearsal cannot follow instructions, so it must know that a repository replaced the built-in ones.
    ownAgent: definition?.file.startsWith("prompts/") ? null : task.agent,
  };
  return session.configuration.prompts.render("step.md", {
    ...facts,
    title: item.title,
    pipeline: { name: pipeline.name, description: pipeline.description },
    schemas: outputs.flatMap((output) => schemaOf(output, session.configuration)),
    prompt,
    angle,
    isSingle,
    facts: JSON.stringify(facts),
  });
}

/** The schema text that the model sees. */
function schemaOf(
  { artifact, schema }: PipelineOutput,
  { artifactSchemas }: Configuration,
): { artifact: string; text: string }[] {
  const text = schema ? schema.text.trim() : artifactSchemas.get(artifact);
  return text === undefined ? [] : [{ artifact, text }];
}

// Runs a due step, or neighbouring steps of one agent, as an attempt. Both the program and a main agent call this
// function, and no other code marks steps.

/** The parent of a task's conversation: none, or the `Task` call of a main agent. */
type TaskOrigin = { conversationId?: string; depth: number; prompt?: string };

/** Runs or resumes a task until all of its outputs are completed, or until it fails, waits or stops. */
export async function runTask(
  run: SessionRun,
  { taskId, agent, outputs }: TaskGroup,
  { conversationId, depth, prompt }: TaskOrigin = { depth: 0 },
): Promise<Outcome> {
  const { session, mailbox } = run;
  const { agents } = session.configuration;
  const schemas = digestSchemas(run.pipeline, outputs);
  const inputs = {
    ...currentInputs(session.configuration, agent, hashOfAll(run.item)),
    ...(schemas === undefined ? {} : { schemas }),
  };
  const named = conversationId === undefined ? {} : { conversationId };
  // Without it the manifest says that the step is due.
  const start = { taskId, agent, outputs, inputs, ...named, isNoted: true } as const;
  const task = await openAttempt(session.journal, start);
  await makeOwn(run, taskId);
  const ahead = prepareTask(run, task);
  const answer = depth > 0 ? undefined : await answerSchemaOf(run, task);
  return runAttempt({
    ...{ session, task, mailbox, subagents: [...agents.keys()] },
    depth: session.journal.conversations.get(task.conversationId)?.depth ?? depth,
    definition: () => {
      const definition = agents.get(task.agent);
      if (definition) return definition;
      throw new Error(`agent ${task.agent} passed the pipeline's check but is not known`);
    },
    ...(ahead.before ? { before: ahead.before } : {}),
    answer,
    readText: (text) => readAnswer(run, task, text),
    opening: async () => [
      await renderStep(run, task, {
        ...{ prompt, isSingle: answer !== undefined, angle: await chosenAngle(run, task) },
      }),
      ...(await attachTo(run, task, ahead.notes)),
      ...(await editsToRepair(run, task)),
    ],
    mark: async () => {
      await saveSteps(run, new Map(task.outputs.map((output) => [output, { status: "in_progress" }])));
      observeSteps(run, task, "started");
    },
    accept: (delivery) => writeArtifact(run, taskId, delivery),
    isDone: () => judgeTask(run, task),
    debt: () => owedOutputs(task),
    end: (outcome) => endTask(run, task, outcome),
  });
}

function judgeTask({ pipeline }: SessionRun, task: TaskState): Outcome | undefined {
  const retries = new Map(pipeline.outputs.map(({ name, maxRetries }) => [name, maxRetries]));
  return judgeOutputs(task, (output) => retries.get(output) ?? 0);
}

// An agent with `batch: true` returns its artifacts in one answer, because a batch would take days for several turns.

/**
 * The schema of the whole answer, with one field per output; undefined if batches are off or if the step needs more than
 * its first message can hold.
 */
async function answerSchemaOf(
  run: SessionRun,
  task: TaskState,
): Promise<Record<string, unknown> | undefined> {
  const { wave, configuration } = run.session;
  if (!wave?.sends || !configuration.agents.get(task.agent)?.batch) return undefined;
  if (!(await carriesAll(run, task))) return undefined;
  const asked = run.pipeline.outputs.filter(
    (output) => task.outputs.includes(output.name) && !isMadeByProgram(output),
  );
  const properties: Record<string, unknown> = {};
  for (const output of asked) {
    const [schema] = schemaOf(output, configuration);
    const parsed = schema && parseJson(schema.text);
    if (!isObject(parsed)) return undefined;
    properties[output.name] = parsed;
  }
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** Writes the artifacts of a one-message answer; returns the problems to the agent. */
async function readAnswer(run: SessionRun, task: TaskState, text: string): Promise<NextStep | undefined> {
  const { journal } = run.session;
  const conversation = journal.conversation(task.conversationId);
  const { answer } = await journal.prefixOf(conversation);
  if (!answer) return undefined;
  const value = parseJson(text);
  const owed = task.outputs.filter((name) => !task.accepted.has(name));
  const problems: string[] = [];
  for (const output of owed.filter((name) => isObject(answer.properties) && name in answer.properties)) {
    const content = isObject(value) ? value[output] : text;
    const callId = `answer-${conversation.turns}-${output}`;
    const reply = await writeArtifact(run, task.taskId, { output, content, callId });
    if (reply.isError) problems.push(reply.text);
  }
  const outcome = judgeTask(run, task);
  return outcome ? { outcome } : { tell: problems.join("\n\n") };
}

/** Prepares a step: takes notes on an item that is too long for one reading, and asks a person for the angle. */
function prepareTask(run: SessionRun, task: TaskState) {
  const ahead: { notes?: string; before?: () => Promise<Outcome | undefined> } = {};
  if (isLong(run, run.session.model.longestItem) && readsItem(run, task)) {
    ahead.before = async () => {
      const { readLongItem } = await import("./reading/read.ts");
      const read = await readLongItem(run, task);
      if ("outcome" in read) return read.outcome;
      ahead.notes = read.notes;
      return undefined;
    };
  } else if (choosesAngle(run, task)) ahead.before = () => askForAngle(run, task);
  return ahead;
}

/** If the model cannot be reached, the steps fail but the attempt stays open. */
async function endTask(run: SessionRun, task: TaskState, ended: Outcome): Promise<Ending> {
  const outcome = ended.kind === "completed" ? await confirmArtifacts(run, task) : ended;
  switch (outcome.kind) {
    case "completed":
      return {
        outcome,
        before: async () => {
          const { writePages } = await import("./kit/page.ts");
          const pages = await writePages(run, task.outputs, usableOutputs(run, task));
          await saveSteps(run, completedSteps(run, task), pages);
        },
        after: () => tellCompletion(run, task),
      };
    case "failed":
      return { outcome, after: () => noteFailure(run, task, outcome.message) };
    case "waiting":
      observeSteps(run, task, "waiting", outcome.isInBatch && "its request is part of a batch");
  }
  return { outcome };
}

/** Checks that the accepted artifacts are unchanged: a command or another writer may have overwritten them. */
async function confirmArtifacts(run: SessionRun, task: TaskState): Promise<Outcome> {
  const changed = await findChangedArtifact(run, task);
  if (changed === undefined) return { kind: "completed", text: "" };
  const message = `${changed} was changed after it was accepted, so its step is not done`;
  return { kind: "failed", reasonCode: "invalid-artifact", message };
}

/** Updates steps and page hashes in the manifest; durable when it resolves. */
function saveSteps(
  run: SessionRun,
  changes: ReadonlyMap<string, StepState>,
  pages: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const save = async (): Promise<void> => {
    const now = run.session.clock.now().toISOString();
    let manifest = run.manifest;
    for (const [output, step] of changes) manifest = updateStep(manifest, output, step, now);
    manifest = withPages(manifest, pages);
    await writeManifest(run.session.workspace, manifest);
    run.manifest = manifest;
  };
  return inTurn(run, save);
}

/** The first delivered file of the task that changed after it was accepted; undefined if none did. */
async function findChangedArtifact(run: LookedAt, task: TaskState): Promise<string | undefined> {
  for (const { name, artifact } of run.pipeline.outputs) {
    const accepted = task.accepted.get(name);
    if (accepted === undefined) continue;
    const bytes = await run.session.workspace.read(`${run.folder}/${artifact}`);
    if (!bytes || hashContent(bytes) !== accepted) return artifact;
  }
  return undefined;
}

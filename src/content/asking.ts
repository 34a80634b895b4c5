// What a content session asks a person: the angle, and what to do about an invalid edit.
import type { AgentSession, Outcome } from "../agent/session.ts";
import { type InteractionRequest, isInvalidEdit } from "../core/interaction.ts";
import { PROGRAM, sha256Of } from "../core/json.ts";
import { openInteractions, type TaskState } from "../core/state.ts";
import type { WritingIdeas } from "./artifact.ts";
import { readArtifacts, type SessionRun } from "./ports.ts";
import { quoted } from "./reading/parts.ts";
import type { SessionPlan } from "./session.ts";

const OUTLINE = "outline.json";

/** True for a step whose outline is written for an angle that a person chooses first. */
export function choosesAngle(run: SessionRun, { outputs }: Pick<TaskState, "outputs">): boolean {
  const isAsked = run.chooseAngle && run.session.host.canAsk;
  return (
    isAsked &&
    run.pipeline.outputs.some(({ name, artifact }) => artifact === OUTLINE && outputs.includes(name))
  );
}

/** The outcome that ends the step for now: nobody has chosen yet. Nothing once somebody has, or declined to. */
export async function askForAngle(run: SessionRun, task: TaskState): Promise<Outcome | undefined> {
  const ideas = await readIdeas(run);
  if (!ideas || ideas.angles.length < 2 || angleOf(choiceOf(run, task), ideas)) return undefined;
  const [{ askPerson }, { createProgramQuestion }] = await Promise.all([
    import("../agent/people.ts"),
    import("../approval/request.ts"),
  ]);
  const asked = await askPerson(run.session, task, isChoice, (origin) => ({
    ...createProgramQuestion(origin, {
      kind: "Select",
      purpose: "choose_strategy",
      display: {
        title: "Which angle should the text take?",
        content: ideas.angles.map(({ title, description, relevanceScore }, at) => ({
          option: optionId(at),
          angle: title,
          "what it says": description,
          relevance: relevanceScore,
        })),
        contentKind: "Table",
      },
      options: ideas.angles.map(({ title }, at) => ({ id: optionId(at), label: title })),
    }),
  }));
  return asked.kind === "unanswered" ? asked.outcome : undefined;
}

/** The title of the angle that a person chose for this step, while it is among the ideas. */
export async function chosenAngle(
  run: SessionRun,
  task: Pick<TaskState, "taskId">,
): Promise<string | undefined> {
  const choice = choiceOf(run, task);
  // Most runs never ask, so they need no schema of ideas.
  const ideas = choice === undefined ? undefined : await readIdeas(run);
  return ideas && angleOf(choice, ideas);
}

/** What a person answered for this step. */
function choiceOf({ session }: SessionRun, { taskId }: Pick<TaskState, "taskId">): string | undefined {
  const answered = [...session.journal.state.interactions.values()].findLast(
    ({ request, response }) => response && request.taskId === taskId && isChoice(request),
  );
  const { selectedOptionId } = answered?.response ?? {};
  return answered?.request.options?.find(({ id }) => id === selectedOptionId)?.label;
}

function angleOf(choice: string | undefined, { angles }: WritingIdeas): string | undefined {
  return angles.find(({ title }) => title === choice)?.title;
}

/** An agent's own questions have its name. */
function isChoice({ purpose, authorActorId }: InteractionRequest): boolean {
  return purpose === "choose_strategy" && authorActorId === PROGRAM;
}

function optionId(at: number): string {
  return `angle-${at + 1}`;
}

async function readIdeas(run: SessionRun): Promise<WritingIdeas | undefined> {
  const names = run.pipeline.outputs
    .filter(({ artifact }) => artifact === "ideas.json")
    .map(({ name }) => name);
  const artifacts = await readArtifacts(run, new Set(names));
  const { writingIdeasSchema } = await import("./artifact.ts");
  return writingIdeasSchema().safeParse(artifacts.get("ideas.json")).data;
}

// Asks what to do about a person's invalid edit of an artifact on the branch.

/** Stands for the commit of a file in the worktree. */
const HERE = "edited";

/** Asks once about each invalid edit, up to the limit of open questions. */
export async function askAboutInvalid(
  session: AgentSession,
  { folder, pipeline, plans }: Pick<SessionPlan, "folder" | "pipeline" | "plans">,
): Promise<void> {
  const { asking, journal, clock, workspace } = session;
  const blocked = plans.filter(({ isBlocked }) => isBlocked);
  if (blocked.length === 0) return;
  const { createInvalidEdit } = await import("../approval/request.ts");
  for (const { output, reason } of blocked) {
    const file = pipeline.outputs.find(({ name }) => name === output)?.artifact ?? output;
    const bytes = await workspace.read(`${folder}/${file}`);
    if (!bytes || asking.open.isFull) continue;
    const edit = {
      path: placeOf(asking.workingDirectory, `${folder}/${file}`),
      commit: HERE,
      sha256: sha256Of(bytes),
    };
    const isAsked = [...journal.state.interactions.values()].some(({ request }) =>
      request.conflict?.some(({ sha256 }) => sha256 === edit.sha256),
    );
    if (isAsked) continue;
    const ordinal = await asking.nextOrdinal();
    const expiresAt = new Date(clock.now().getTime() + asking.ttlHours * 3_600_000).toISOString();
    const { workId, sessionId } = journal;
    const { workingDirectory } = asking;
    const origin = { workId, sessionId, ordinal, workingDirectory, expiresAt };
    const payload = createInvalidEdit(origin, edit, { output, problem: reason });
    asking.open.raise(payload.interactionId);
    await journal.append({ store: "events", type: "UserInteractionRequested", payload });
  }
}

/** Closes questions about edits that are now valid or gone. */
export async function closeCorrected({ asking, journal }: AgentSession): Promise<void> {
  for (const { taskId, interactionId, ...request } of openInteractions(journal.state)) {
    if (!isInvalidEdit({ taskId }) || request.conflict === undefined) continue;
    const payload = { taskId, reason: "the edit was corrected" };
    await journal.append({ store: "events", type: "TaskCanceled", payload });
    asking.open.settle(interactionId);
  }
}

/** What a step repairs: the person's text of each output whose question was answered so, with the fault. */
export async function editsToRepair(
  { session, folder, pipeline }: Pick<SessionRun, "session" | "folder" | "pipeline">,
  { outputs }: { outputs: readonly string[] },
): Promise<string[]> {
  const parts: string[] = [];
  for (const { request, response } of session.journal.state.interactions.values()) {
    const { taskId, conflict, display } = request;
    if (!isInvalidEdit({ taskId }) || response?.selectedOptionId !== "repair") continue;
    const artifact = pipeline.outputs.find(
      ({ name }) => outputs.includes(name) && taskId.endsWith(`/${name}`),
    )?.artifact;
    const bytes = artifact === undefined ? undefined : await session.workspace.read(`${folder}/${artifact}`);
    if (!bytes || !conflict?.some(({ sha256 }) => sha256 === sha256Of(bytes))) continue;
    const task = "Correct what is not valid. Leave everything else as the person wrote it";
    const label = `\`${artifact}\`, as a person edited it. ${display.description ?? ""} ${task}`;
    parts.push(quoted(label, session.journal.redact(new TextDecoder().decode(bytes))));
  }
  return parts;
}

function placeOf(workingDirectory: string, path: string): string {
  return workingDirectory === "." ? path : `${workingDirectory}/${path}`;
}

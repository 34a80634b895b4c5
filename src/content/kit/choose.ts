// A person chooses the angle, between the ideas and the outline.
import { askPerson } from "../../agent/people.ts";
import type { Outcome } from "../../agent/session.ts";
import { createProgramQuestion } from "../../approval/request.ts";
import type { InteractionRequest } from "../../core/interaction.ts";
import { PROGRAM } from "../../core/json.ts";
import type { TaskState } from "../../core/state.ts";
import { type WritingIdeas, writingIdeasSchema } from "../artifact.ts";
import { readArtifacts, type SessionRun } from "../ports.ts";

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
  if (!ideas || ideas.angles.length < 2 || findChoice(run, task, ideas)) return undefined;
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
  const ideas = await readIdeas(run);
  return ideas && findChoice(run, task, ideas);
}

function findChoice(
  { session }: SessionRun,
  { taskId }: Pick<TaskState, "taskId">,
  { angles }: WritingIdeas,
): string | undefined {
  const answered = [...session.journal.state.interactions.values()].findLast(
    ({ request, response }) => response && request.taskId === taskId && isChoice(request),
  );
  const { selectedOptionId } = answered?.response ?? {};
  const label = answered?.request.options?.find(({ id }) => id === selectedOptionId)?.label;
  return angles.find(({ title }) => title === label)?.title;
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
  return writingIdeasSchema.safeParse(artifacts.get("ideas.json")).data;
}

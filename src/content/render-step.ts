// The message that starts a step: one command is one prompt, and it says what, not how.
import type { Configuration, PipelineOutput } from "../config/definitions.ts";
import type { TaskState } from "../session/state.ts";
import type { SessionRun } from "./session-run.ts";

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

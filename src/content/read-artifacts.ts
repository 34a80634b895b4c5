// The artifacts that a step may build on: completed before, or accepted earlier in the same task.
import type { TaskState } from "../session/state.ts";
import type { SessionRun } from "./session-run.ts";

/** The part of a running session that says where its artifacts are. */
type Standing = Pick<SessionRun, "folder" | "pipeline" | "manifest"> & {
  session: Pick<SessionRun["session"], "workspace">;
};

/** Names of the outputs whose artifact stands. */
export function usableOutputs(run: Standing, task?: TaskState): Set<string> {
  return new Set(
    run.pipeline.outputs
      .map((output) => output.name)
      .filter((name) => task?.accepted.has(name) || run.manifest.steps.get(name)?.status === "completed"),
  );
}

/** Values of the named outputs by artifact file name. They were valid when written; a missing file is left out. */
export async function readArtifacts(
  run: Standing,
  names: ReadonlySet<string>,
): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const output of run.pipeline.outputs) {
    if (!names.has(output.name)) continue;
    const bytes = await run.session.workspace.read(`${run.folder}/${output.artifact}`);
    if (bytes) values.set(output.artifact, JSON.parse(new TextDecoder().decode(bytes)));
  }
  return values;
}

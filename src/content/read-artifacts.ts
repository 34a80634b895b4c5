// The artifacts that a step may build on: completed before, or accepted earlier in the same task.

import { hashContent } from "../session/hash.ts";
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

/** Values of the named outputs by artifact file name; a file that is missing or no JSON is left out. */
export async function readArtifacts(
  run: Standing,
  names: ReadonlySet<string>,
): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const output of run.pipeline.outputs) {
    if (!names.has(output.name)) continue;
    const bytes = await run.session.workspace.read(`${run.folder}/${output.artifact}`);
    const value = bytes && parseJson(bytes);
    if (value !== undefined) values.set(output.artifact, value);
  }
  return values;
}

/** The file of an output that the task delivered and that is no longer what was accepted, or undefined. */
export async function findChangedArtifact(run: Standing, task: TaskState): Promise<string | undefined> {
  for (const { name, artifact } of run.pipeline.outputs) {
    const accepted = task.accepted.get(name);
    if (accepted === undefined) continue;
    const bytes = await run.session.workspace.read(`${run.folder}/${artifact}`);
    if (!bytes || hashContent(bytes) !== accepted) return artifact;
  }
  return undefined;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

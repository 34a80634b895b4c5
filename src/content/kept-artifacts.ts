// Artifacts that a person pushed over a run's own, and that stay: their steps count as done.

import type { PipelineOutput } from "../config/definitions.ts";
import { keptFiles } from "../session/conflict.ts";
import { lookAt } from "./look-at.ts";
import type { StepState } from "./manifest.ts";
import type { ContentPorts } from "./ports.ts";
import { type SessionOnDisk, sessionFolder } from "./session-folder.ts";

/** The session with every valid artifact that a person's answer keeps; one that was changed since is not among them. */
export async function withKept(
  ports: Pick<ContentPorts, "stores">,
  outputs: readonly PipelineOutput[],
  found: SessionOnDisk,
): Promise<SessionOnDisk> {
  const { manifest, observed } = found;
  const changed = outputs.flatMap(({ name, artifact }) => {
    const seen = observed.get(name);
    const isNew = seen && "contentHash" in seen && seen.contentHash !== manifest.steps.get(name)?.contentHash;
    return isNew && seen.problems.length === 0 ? [{ name, artifact, contentHash: seen.contentHash }] : [];
  });
  const view = changed.length === 0 ? undefined : await lookAt(ports, manifest.contentId);
  const kept = view ? keptFiles(view.state) : [];
  const isKept = ({ artifact, contentHash }: (typeof changed)[number]) =>
    kept.some(
      ({ path, sha256 }) =>
        sha256?.startsWith(contentHash) &&
        `/${path}`.endsWith(`/${sessionFolder(manifest.contentId)}/${artifact}`),
    );
  const steps = changed
    .filter(isKept)
    .map(({ name, contentHash }): [string, StepState] => [name, { status: "completed", contentHash }]);
  if (steps.length === 0) return found;
  return { ...found, manifest: { ...manifest, steps: new Map([...manifest.steps, ...steps]) } };
}

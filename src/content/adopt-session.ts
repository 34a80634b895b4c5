// A session folder from before there were manifests: its artifacts say what is done.

import type { Workspace } from "../ports.ts";
import { hashContent } from "../session/hash.ts";
import type { SessionManifest, StepState } from "./manifest.ts";

const LEGACY_VERSION = "0.4.0";

const LEGACY_ARTIFACTS: ReadonlyMap<string, string> = new Map([
  ["summary", "summary.json"],
  ["ideas", "ideas.json"],
  ["outline", "outline.json"],
  ["writing-kit", "writing-kit.json"],
]);

/**
 * The manifest of a folder without one, or undefined when it has no `content.md`. Writes nothing. Whether the
 * artifacts are valid is judged later, like those of any session. `createdAt` is the day in the session id.
 */
export async function adoptSession(
  workspace: Workspace,
  folder: string,
  sessionId: string,
): Promise<SessionManifest | undefined> {
  const content = await workspace.read(`${folder}/content.md`);
  if (content === undefined) return undefined;
  const steps = new Map<string, StepState>();
  for (const [output, artifact] of LEGACY_ARTIFACTS) {
    const bytes = await workspace.read(`${folder}/${artifact}`);
    if (bytes === undefined) continue;
    const contentHash = hashContent(bytes);
    steps.set(output, { status: "completed", contentHash, schemaVersion: LEGACY_VERSION });
  }
  const createdAt = dayOf(sessionId).toISOString();
  return {
    version: 1,
    contentId: sessionId,
    source: `${folder}/content.md`,
    pipeline: "writing-kit",
    desiredOutput: "writing-kit",
    createdAt,
    updatedAt: createdAt,
    sourceHash: hashContent(content),
    steps,
    extra: new Map(),
  };
}

function dayOf(sessionId: string): Date {
  const day = /(?:^|-)(\d{4}-\d{2}-\d{2})(?:-|$)/.exec(sessionId)?.[1];
  return new Date(Date.parse(day ?? "") || 0);
}

// One content session while it runs: its item, pipeline, manifest and agent session.

import type { Mailbox } from "../agent/messages.ts";
import type { AgentSession } from "../agent/session.ts";
import type { Pipeline } from "../config/definitions.ts";
import { inTurn } from "../session/in-turn.ts";
import type { TaskGroup } from "./group-tasks.ts";
import type { ContentItem } from "./item.ts";
import { type SessionManifest, type StepState, updateStep } from "./manifest.ts";
import { writeManifest } from "./session-folder.ts";

/** `manifest` is what is on disk; it changes only through `saveSteps`. */
export type SessionRun = {
  sessionId: string;
  /** Relative to the workspace root. */
  folder: string;
  item: ContentItem;
  pipeline: Pipeline;
  manifest: SessionManifest;
  session: AgentSession;
  mailbox: Mailbox;
  /** Hashes of artifacts that earlier runs recorded as their own. */
  ownHashes: ReadonlySet<string>;
};

/** Changes steps of the manifest and makes the change durable before it resolves. */
export function saveSteps(run: SessionRun, changes: ReadonlyMap<string, StepState>): Promise<void> {
  const save = async (): Promise<void> => {
    const now = run.session.clock.now().toISOString();
    let manifest = run.manifest;
    for (const [output, step] of changes) manifest = updateStep(manifest, output, step, now);
    await writeManifest(run.session.workspace, manifest);
    run.manifest = manifest;
  };
  return inTurn(run, save);
}

/** True when everything that the group builds on is completed. */
export function isReady(run: Pick<SessionRun, "pipeline" | "manifest">, group: TaskGroup): boolean {
  const own = new Set(group.outputs);
  return run.pipeline.outputs
    .filter((output) => own.has(output.name))
    .flatMap((output) => output.requires)
    .every((name) => own.has(name) || run.manifest.steps.get(name)?.status === "completed");
}

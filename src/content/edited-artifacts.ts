// Artifacts that a person changed and that stay: their steps count as done.
import type { PipelineOutput } from "../config/definitions.ts";
import { keptFiles } from "../session/conflict.ts";
import { hashContent } from "../session/hash.ts";
import type { ConflictFile } from "../session/interaction.ts";
import type { State } from "../session/state.ts";
import { lookAt } from "./look-at.ts";
import { type SessionManifest, updateStep } from "./manifest.ts";
import type { ContentPorts } from "./ports.ts";
import { type SessionOnDisk, sessionFolder } from "./session-folder.ts";
import type { SessionRun } from "./session-run.ts";

/** By output name: what a person changed and may stay (`valid`, with its hash), and what a person wants made again. */
export type Edits = { valid: ReadonlyMap<string, string>; redone: ReadonlySet<string> };

/**
 * The artifacts that are no longer what the manifest records, or that a person's answer keeps. What the person wants made
 * again is among `redone` instead.
 */
export async function findEdits(
  ports: Pick<ContentPorts, "stores">,
  outputs: readonly PipelineOutput[],
  { manifest, observed }: SessionOnDisk,
): Promise<Edits> {
  const changed = outputs.flatMap(({ name, artifact }) => {
    const seen = observed.get(name);
    const step = manifest.steps.get(name);
    if (!seen || "missing" in seen || seen.contentHash === step?.contentHash) return [];
    const isEdited = step?.status === "completed" && step.contentHash !== undefined;
    return [{ name, artifact, isEdited, ...seen }];
  });
  const view = changed.length === 0 ? undefined : await lookAt(ports, manifest.contentId);
  const isAmong = (files: readonly ConflictFile[], { artifact, contentHash }: (typeof changed)[number]) =>
    files.some(
      ({ path, sha256 }) =>
        sha256?.startsWith(contentHash) &&
        `/${path}`.endsWith(`/${sessionFolder(manifest.contentId)}/${artifact}`),
    );
  const redone = changed.filter((one) => isAmong(view?.state.redo ?? [], one));
  const kept = view ? keptFiles(view.state) : [];
  const stays = changed.filter(
    (one) => one.problems.length === 0 && !redone.includes(one) && (one.isEdited || isAmong(kept, one)),
  );
  return {
    valid: new Map(stays.map(({ name, contentHash }) => [name, contentHash])),
    redone: new Set(redone.map(({ name }) => name)),
  };
}

/** Records who edited the artifacts that stay, and says so. The manifest comes back as it must be saved. */
export async function adoptEdits(
  run: Pick<SessionRun, "sessionId" | "folder" | "pipeline" | "manifest" | "session">,
  adopted: ReadonlySet<string>,
): Promise<SessionManifest> {
  const { session, sessionId } = run;
  let { manifest } = run;
  for (const { name, artifact } of run.pipeline.outputs) {
    const step = manifest.steps.get(name);
    if (!step?.contentHash || !adopted.has(name)) continue;
    const found = await session.host.editorOf?.(`${run.folder}/${artifact}`);
    const editedBy = session.journal.redact(found ?? SOMEBODY);
    const payload = { output: name, contentHash: step.contentHash, editedBy };
    await session.journal.append({ store: "events", type: "ArtifactAdopted", payload });
    const message = editSentence(artifact, editedBy);
    session.observe({ type: "notice", level: "info", message, sessionId });
    manifest = updateStep(manifest, name, { ...step, editedBy }, session.clock.now().toISOString());
  }
  return manifest;
}

/** Where nothing tells who it was. */
const SOMEBODY = "a person";

function editSentence(artifact: string, editedBy: string): string {
  return `${artifact} was edited by ${editedBy} and is kept`;
}

/** What people are told of the edits in a session: those that stay, then the copies of those that were made again. */
export function tellEdits(
  outputs: readonly PipelineOutput[],
  manifest: SessionManifest,
  state: State | undefined,
): string[] {
  const standing = outputs.flatMap(({ name, artifact }) => {
    const editedBy = manifest.steps.get(name)?.editedBy;
    return editedBy === undefined ? [] : [editSentence(artifact, editedBy)];
  });
  const copies = [...(state?.copies ?? [])].map(([path, output]) => copySentence(output, path));
  return [...standing, ...copies];
}

/**
 * Before a step writes over a file that is not its own: keeps the file beside it and says so. What the program itself
 * wrote there is not kept.
 */
export async function keepEdited(run: SessionRun, output: PipelineOutput, next: string): Promise<void> {
  const { workspace, journal, observe } = run.session;
  const bytes = await workspace.read(`${run.folder}/${output.artifact}`);
  if (!bytes) return;
  const contentHash = hashContent(bytes);
  const isOwn = run.ownHashes.has(contentHash) || journal.state.written?.has(contentHash);
  if (isOwn || contentHash === hashContent(next)) return;
  const file = output.artifact.replace(/(?:\.json)?$/, `.kept-${contentHash}.json`);
  await workspace.writeAtomic(`${run.folder}/${file}`, bytes);
  const payload = { output: output.artifact, path: file, contentHash };
  await journal.append({ store: "events", type: "ArtifactKept", payload });
  const message = copySentence(output.artifact, file);
  observe({ type: "notice", level: "warning", message, sessionId: run.sessionId });
}

function copySentence(artifact: string, file: string): string {
  return `${artifact} is made again; the version that a person edited is kept as ${file}`;
}

// Plans a session: existing artifacts, people's edits, due steps and waiting steps.
import { lookAt } from "../agent/job.ts";
import type { Pipeline, PipelineOutput } from "../config/definitions.ts";
import { isWaiting } from "../core/conversation.ts";
import { LoopliaError } from "../core/errors.ts";
import { type ConflictFile, isInvalidEdit } from "../core/interaction.ts";
import { hashContent } from "../core/json.ts";
import { isOpen, keptFiles, openInteractions, type State } from "../core/state.ts";
import {
  findMissingPages,
  madePages,
  readSessionFolder,
  requireSessionsFolder,
  type SessionOnDisk,
  sessionFolder,
} from "./folder.ts";
import {
  type ContentItem,
  createSessionId,
  hashOfAll,
  parseContentItem,
  partsChange,
  redactItem,
  withParts,
} from "./item.ts";
import {
  createManifest,
  SCHEMA_VERSION,
  type SessionManifest,
  type StepState,
  updateStep,
} from "./manifest.ts";
import { currentInputs, groupTasks, INPUTS_CHANGED, inputsHashOf, planSteps, type StepPlan } from "./plan.ts";
import { type ContentPorts, type ContentSettings, isReady, type SessionRun } from "./ports.ts";
import { findManifest, findSession, type SessionIndex } from "./session-index.ts";

// Keeps artifacts that a person edited: their steps count as done.

/** By output name: edits that may stay (`valid`, with their hashes), and artifacts that a person wants remade. */
type Edits = { valid: ReadonlyMap<string, string>; redone: ReadonlySet<string> };

/**
 * The artifacts that differ from the manifest or that a person's answer keeps. Artifacts that a person wants remade are
 * in `redone` instead.
 */
async function findEdits(
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

/** Records and reports who edited the artifacts that stay. Returns the manifest to save. */
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

/** For an edit whose author is unknown. */
const SOMEBODY = "a person";

function editSentence(artifact: string, editedBy: string): string {
  return `${artifact} was edited by ${editedBy} and is kept`;
}

/** The notices about edits in a session: first the edits that stay, then the copies of artifacts that were remade. */
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
 * Keeps and reports a copy of a file before a step overwrites it. A file that the program itself wrote is not kept.
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
  return `${artifact} is made again; the edited version is kept as ${file}`;
}

// Finds or starts the session of an item and decides which steps are due. Changes nothing on disk.

/** An existing or a new session, with the plan of its steps. */
export type SessionPlan = Pick<SessionRun, "sessionId" | "folder" | "item" | "pipeline"> & {
  /** The manifest to save before anything runs; equal to the one on disk if nothing is due. */
  manifest: SessionManifest;
  isNew: boolean;
  /** The item's bytes differ from `content.md`, or its parts changed. */
  isSourceChanged: boolean;
  desiredOutput: string;
  plans: StepPlan[];
  /** Outputs whose edits by a person stay; `manifest` has their new hashes. */
  adopted: ReadonlySet<string>;
  /** The item's earlier path, if it was renamed since its session was saved. */
  renamedFrom?: string;
  /** Outputs whose page was made but no longer exists. */
  missingPages: ReadonlySet<string>;
};

/** The pipeline of that name. Throws `config-invalid` with the available names. */
function pipelineNamed(ports: ContentPorts, name: string): Pipeline {
  const pipeline = ports.configuration.pipelines.get(name);
  if (pipeline) return pipeline;
  const names = [...ports.configuration.pipelines.keys()].join(", ");
  throw new LoopliaError("config-invalid", `There is no pipeline ${JSON.stringify(name)}.`, {
    hint: `Available pipelines: ${names}.`,
  });
}

/** A session in which nothing is due, found without parsing its item. */
export type SessionUpToDate = { manifest: SessionManifest; pipeline: Pipeline; desiredOutput: string };

/** Undefined if anything is due, must be recorded or must be asked: call `planItem` then. Changes nothing. */
export async function findUpToDate(
  ports: ContentPorts,
  settings: ContentSettings,
  { path, bytes, index }: { path: string; bytes: Uint8Array; index: SessionIndex },
): Promise<SessionUpToDate | undefined> {
  const pipeline = pipelineNamed(ports, settings.pipeline);
  // The item must be read to find its parts.
  if (readsItems(pipeline)) return undefined;
  const item = { source: path, sourceHash: hashContent(bytes), parts: new Map() };
  const { manifest } = (await findManifest(index, item, pipeline)) ?? {};
  if (!manifest) return undefined;
  const files = new Map(pipeline.outputs.map(({ name, artifact }) => [name, artifact]));
  const folder = sessionFolder(manifest.contentId);
  const pages = [...madePages(pipeline.outputs, manifest).values()];
  const hashes = await ports.workspace.hashSeveral(folder, ["content.md", ...files.values(), ...pages]);
  if (hashes.get("content.md") !== item.sourceHash) return undefined;
  const observed: SessionOnDisk["observed"] = new Map(
    [...files].map(([name, artifact]) => {
      const contentHash = hashes.get(artifact);
      return [name, contentHash === undefined ? { missing: true } : { contentHash, problems: [] }];
    }),
  );
  const isRecorded = ({ status, contentHash, inputsHash }: StepState) =>
    status !== "completed" || (contentHash !== undefined && inputsHash !== undefined);
  // An artifact that was never recorded must be read and validated.
  if (![...manifest.steps.values()].every(isRecorded)) return undefined;
  if (pages.some((file) => !hashes.has(file))) return undefined;
  const desiredOutput = settings.output ?? pipeline.final;
  const plans = plan(ports, settings, { item, pipeline, manifest, observed });
  return plans.some(({ due }) => due) ? undefined : { manifest, pipeline, desiredOutput };
}

type SourceToPlan = { path: string; bytes: Uint8Array } & (
  | { fresh: true }
  | { fresh: false; index: SessionIndex; canceled: ReadonlySet<string> }
);

/** Plans an item. Continues the newest session of its source and pipeline unless that is `canceled` or a fresh one is wanted. */
export async function planItem(
  ports: ContentPorts,
  settings: ContentSettings,
  source: SourceToPlan,
): Promise<SessionPlan> {
  const pipeline = pipelineNamed(ports, settings.pipeline);
  const item = await parseWhole(ports, pipeline, source);
  if (source.fresh) await requireSessionsFolder(ports.workspace);
  const found = source.fresh
    ? undefined
    : await findSession(ports.workspace, item, pipeline, {
        index: source.index,
        except: source.canceled,
        isGone: async (path) => (await ports.readSource(path)) === undefined,
      });
  if (found) return planFound(ports, settings, { item, pipeline }, found);
  const sessionId = createSessionId(item, ports.clock.now(), ports.ids.hex(3));
  const desiredOutput = settings.output ?? pipeline.final;
  const { sourceHash, parts } = item;
  const start = { sessionId, source: source.path, pipeline, desiredOutput, sourceHash, parts };
  const manifest = createManifest(start, ports.clock.now().toISOString());
  const plans = plan(ports, settings, { item, pipeline, manifest, observed: new Map() });
  const folder = sessionFolder(sessionId);
  return {
    sessionId,
    folder,
    item,
    pipeline,
    manifest,
    isNew: true,
    isSourceChanged: false,
    desiredOutput,
    plans,
    adopted: new Set(),
    missingPages: new Set(),
  };
}

/** Plans a session by its id, from its source or, if that is gone, from its copy `content.md`. */
export async function planSession(
  ports: ContentPorts,
  settings: ContentSettings,
  sessionId: string,
): Promise<SessionPlan> {
  return planKnown(ports, sessionId, () => settings);
}

/** As `planSession`, but only up to the output that was requested when the question was asked. */
export async function planAnswered(
  ports: ContentPorts,
  settings: ContentSettings,
  sessionId: string,
): Promise<SessionPlan> {
  return planKnown(ports, sessionId, ({ desiredOutput }, pipeline) =>
    pipeline.outputs.some((output) => output.name === desiredOutput)
      ? { output: desiredOutput, ...settings }
      : settings,
  );
}

async function planKnown(
  ports: ContentPorts,
  sessionId: string,
  settingsFor: (manifest: SessionManifest, pipeline: Pipeline) => ContentSettings,
): Promise<SessionPlan> {
  const found = await readSessionFolder(ports.workspace, sessionId, ports.configuration.pipelines);
  const { source } = found.manifest;
  const bytes = (await ports.readSource(source)) ?? found.content;
  if (!bytes) {
    throw new LoopliaError("config-invalid", `The source of ${sessionId} is missing: ${source}.`, {
      hint: "The session folder has no copy either. Start a new session with --file.",
    });
  }
  requireKnownSource(found, bytes);
  const pipeline = pipelineNamed(ports, found.manifest.pipeline);
  const settings = settingsFor(found.manifest, pipeline);
  const item = await parseWhole(ports, pipeline, { path: source, bytes });
  return planFound(ports, settings, { item, pipeline }, found);
}

function readsItems({ outputs }: Pipeline): boolean {
  return outputs.some((output) => output.readsItems);
}

/** An item as its session sees it: with its parts, if the pipeline reads them. */
async function parseWhole(
  ports: ContentPorts,
  pipeline: Pipeline,
  { path, bytes }: Pick<SourceToPlan, "path" | "bytes">,
): Promise<ContentItem> {
  const item = await parseContentItem(path, bytes);
  return redactItem(readsItems(pipeline) ? await withParts(item, ports) : item, ports.redact);
}

/** Guards against forged manifests: a source outside the repository must match the copy that the session already has. */
function requireKnownSource({ manifest, contentHash }: SessionOnDisk, bytes: Uint8Array): void {
  const { source, contentId, sourceHash } = manifest;
  const isOutside = /^(?:[/\\]|[a-z]:)/i.test(source) || source.split(/[/\\]/).includes("..");
  if (!isOutside || [contentHash, sourceHash].includes(hashContent(bytes))) return;
  const file = `${sessionFolder(contentId)}/session.json`;
  const what = `its source ${JSON.stringify(source)} lies outside the repository and is not what the session began with`;
  throw new LoopliaError("config-invalid", `${file}: ${what}.`, {
    hint: "If you changed the file, start a new session with --file; otherwise the manifest was forged.",
  });
}

async function planFound(
  ports: ContentPorts,
  settings: ContentSettings,
  { item, pipeline }: { item: ContentItem; pipeline: Pipeline },
  found: SessionOnDisk,
): Promise<SessionPlan> {
  const desiredOutput = settings.output ?? pipeline.final;
  const sessionId = found.manifest.contentId;
  const edits = await findEdits(ports, pipeline.outputs, found);
  const whole = adopt(hashesOfInputs(ports, item, pipeline, found.observed), found, edits);
  const toPlan = { item, pipeline, observed: found.observed, manifest: whole, edits };
  const strict = plan(ports, settings, toPlan);
  const isHeld =
    strict.some(({ reason }) => reason === INPUTS_CHANGED) && (await hasOpenTask(ports, sessionId));
  const plans = isHeld ? plan(ports, settings, { ...toPlan, keepsInputs: true }) : strict;
  const { items } = found.manifest;
  const isSourceChanged =
    found.contentHash !== item.sourceHash || (items && partsChange(items, item.parts)) !== undefined;
  const again = new Set(plans.filter(({ due }) => due).map(({ output }) => output));
  const adopted = new Set([...edits.valid.keys()].filter((name) => !again.has(name) && !isSourceChanged));
  const steps = new Map([...whole.steps].filter(([name]) => adopted.has(name)));
  const { source: renamedFrom } = found.manifest;
  const named = renamedFrom === item.source ? found.manifest : { ...found.manifest, source: item.source };
  const manifest = adopted.size === 0 ? named : { ...named, steps: new Map([...named.steps, ...steps]) };
  const folder = sessionFolder(sessionId);
  return {
    sessionId,
    folder,
    item,
    pipeline,
    manifest,
    isNew: false,
    isSourceChanged,
    desiredOutput,
    plans,
    adopted,
    ...(renamedFrom === item.source ? {} : { renamedFrom }),
    missingPages: await findMissingPages(ports.workspace, folder, madePages(pipeline.outputs, manifest)),
  };
}

/** An upgrade or a changed prompt must not void an answer that people are about to give: the open task ends first. */
async function hasOpenTask(ports: ContentPorts, sessionId: string): Promise<boolean> {
  const view = await lookAt(ports, sessionId);
  return [...(view?.state.tasks.values() ?? [])].some((task) => isOpen(task) && task.outputs.length > 0);
}

/** The manifest with every edit that may stay. The person saw the present inputs, so the edit counts as made from them. */
function adopt(
  inputsHashOf: (name: string) => string,
  { manifest }: Pick<SessionOnDisk, "manifest">,
  { valid }: Edits,
): SessionManifest {
  if (valid.size === 0) return manifest;
  const adopted = [...valid].map(([name, contentHash]): [string, StepState] => {
    const { completedAt } = manifest.steps.get(name) ?? {};
    const when = completedAt === undefined ? {} : { completedAt };
    const inputsHash = inputsHashOf(name);
    return [name, { status: "completed", contentHash, inputsHash, ...when, schemaVersion: SCHEMA_VERSION }];
  });
  return { ...manifest, steps: new Map([...manifest.steps, ...adopted]) };
}

type SessionToPlan = Pick<SessionOnDisk, "manifest" | "observed"> & {
  item: Pick<ContentItem, "sourceHash" | "parts">;
  pipeline: Pipeline;
  edits?: Edits;
  /** Finished steps count as made from the present inputs. */
  keepsInputs?: boolean;
};

function plan(
  ports: ContentPorts,
  settings: ContentSettings,
  { item, pipeline, manifest, observed, edits, keepsInputs }: SessionToPlan,
): StepPlan[] {
  const now = hashesOfInputs(ports, item, pipeline, observed);
  const recorded = (name: string) => manifest.steps.get(name)?.inputsHash ?? now(name);
  return planSteps({
    pipeline,
    manifest,
    sourceHash: item.sourceHash,
    parts: item.parts,
    observed,
    inputsHashOf: keepsInputs ? recorded : now,
    desiredOutput: settings.output ?? pipeline.final,
    ...(settings.force === undefined ? {} : { force: settings.force }),
    ...(edits === undefined ? {} : { adopted: new Set(edits.valid.keys()), redone: edits.redone }),
  });
}

function hashesOfInputs(
  { configuration }: ContentPorts,
  item: Pick<ContentItem, "sourceHash" | "parts">,
  pipeline: Pipeline,
  observed: SessionOnDisk["observed"],
): (name: string) => string {
  const hashes = new Map<string, string>();
  for (const [name, seen] of observed) if ("contentHash" in seen) hashes.set(name, seen.contentHash);
  const agentOf = new Map(pipeline.outputs.map((output) => [output.name, output.agent]));
  const source = hashOfAll(item);
  return (name) =>
    inputsHashOf(pipeline, name, currentInputs(configuration, agentOf.get(name) ?? "", source), hashes);
}

/** The recorded reason why the task for this output failed. */
export function failureCodeOf(state: State | undefined, output: string): string {
  const task = [...(state?.tasks.values() ?? [])].findLast(({ outputs }) => outputs.includes(output));
  // A failed step whose conversation is still open means that the model could not be reached.
  if (isOpen(task)) return "model-failed";
  return task?.failures.at(-1) ?? "invalid-artifact";
}

/** True if every step that could run is waiting for a person, so a run would do nothing. */
export function isSessionWaiting(planned: SessionPlan, state: State): boolean {
  const conflicts = openInteractions(state).filter(({ conflict }) => conflict !== undefined);
  // A corrected edit answers the question about it.
  const isCorrected = !planned.plans.some(({ isBlocked }) => isBlocked);
  if (conflicts.some((request) => !isInvalidEdit(request) || !isCorrected)) return true;
  if (planned.isSourceChanged || planned.adopted.size > 0) return false;
  const open = [...state.tasks.values()].filter(isOpen);
  if (open.length === 0 || !open.every((task) => isWaiting(state, task))) return false;
  const begun = new Set(open.flatMap((task) => task.outputs));
  return groupTasks(planned.pipeline, planned.plans, open).every(
    (group) => !isReady(planned, group) || group.outputs.every((output) => begun.has(output)),
  );
}

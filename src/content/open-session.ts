// Finds or begins the session of an item and decides what is due in it. Changes nothing on disk.

import type { Pipeline } from "../config/definitions.ts";
import { LoopliaError } from "../errors.ts";
import { hashContent } from "../session/hash.ts";
import { type Edits, findEdits } from "./edited-artifacts.ts";
import { currentInputs, inputsHashOf } from "./inputs.ts";
import { type ContentItem, parseContentItem, redactItem } from "./item.ts";
import { createManifest, type SessionManifest, type StepState } from "./manifest.ts";
import { planSteps, type StepPlan } from "./plan.ts";
import type { ContentPorts, ContentSettings } from "./ports.ts";
import { SCHEMA_VERSION } from "./schema-version.ts";
import {
  findSession,
  readSession,
  requireSessionsFolder,
  type SessionOnDisk,
  sessionFolder,
} from "./session-folder.ts";
import { createSessionId } from "./session-id.ts";

/** A session as found or as it would begin, with the plan of its steps. */
export type PlannedSession = {
  sessionId: string;
  folder: string;
  item: ContentItem;
  pipeline: Pipeline;
  /** What is to be saved before anything runs; equal to the one on disk when nothing is due. */
  manifest: SessionManifest;
  isNew: boolean;
  /** The item's bytes differ from `content.md`. */
  isSourceChanged: boolean;
  desiredOutput: string;
  plans: StepPlan[];
  /** Outputs that a person edited and that stay so; `manifest` has their new hashes. */
  adopted: ReadonlySet<string>;
};

/** The pipeline of that name. Throws `config-invalid` with the names there are. */
function pipelineNamed(ports: ContentPorts, name: string): Pipeline {
  const pipeline = ports.configuration.pipelines.get(name);
  if (pipeline) return pipeline;
  const names = [...ports.configuration.pipelines.keys()].join(", ");
  throw new LoopliaError("config-invalid", `There is no pipeline ${JSON.stringify(name)}.`, {
    hint: `There are: ${names}.`,
  });
}

/** Plans an item: the newest session of the same source and pipeline goes on, unless a fresh one is wanted or it is `canceled`. */
export async function planItem(
  ports: ContentPorts,
  settings: ContentSettings,
  source: { path: string; bytes: Uint8Array; fresh: boolean; canceled?: ReadonlySet<string> },
): Promise<PlannedSession> {
  const item = redactItem(await parseContentItem(source.path, source.bytes), ports.redact);
  const pipeline = pipelineNamed(ports, settings.pipeline);
  if (source.fresh) await requireSessionsFolder(ports.workspace);
  const found = source.fresh
    ? undefined
    : await findSession(
        ports.workspace,
        item,
        pipeline,
        (message) => ports.observe({ type: "notice", level: "warning", message }),
        source.canceled,
      );
  if (found) return planFound(ports, settings, item, pipeline, found);
  const sessionId = createSessionId(item, ports.clock.now(), ports.ids.hex(3));
  const desiredOutput = settings.output ?? pipeline.final;
  const { sourceHash } = item;
  const start = { sessionId, source: source.path, pipeline, desiredOutput, sourceHash };
  const manifest = createManifest(start, ports.clock.now().toISOString());
  const plans = plan(ports, settings, item, pipeline, desiredOutput, { manifest, observed: new Map() });
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
  };
}

/** Plans a session by its id, from its source; where that is gone, from its copy `content.md`. */
export async function planSession(
  ports: ContentPorts,
  settings: ContentSettings,
  sessionId: string,
): Promise<PlannedSession> {
  return planKnown(ports, sessionId, () => settings);
}

/** As `planSession`, but no further than the output that was asked for when the question was raised. */
export async function planAnswered(
  ports: ContentPorts,
  settings: ContentSettings,
  sessionId: string,
): Promise<PlannedSession> {
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
): Promise<PlannedSession> {
  const found = await readSession(ports.workspace, sessionId, ports.configuration.pipelines);
  const { source } = found.manifest;
  const bytes = (await ports.readSource(source)) ?? found.content;
  if (!bytes) {
    throw new LoopliaError("config-invalid", `The source of ${sessionId} is gone: ${source}.`, {
      hint: "There is no copy in its folder either. Begin a new session with --file.",
    });
  }
  requireKnownSource(found, bytes);
  const pipeline = pipelineNamed(ports, found.manifest.pipeline);
  const settings = settingsFor(found.manifest, pipeline);
  const item = redactItem(await parseContentItem(source, bytes), ports.redact);
  return planFound(ports, settings, item, pipeline, found);
}

/** A manifest may have come with the repository: what it names outside counts only where the session holds it already. */
function requireKnownSource({ manifest, contentHash }: SessionOnDisk, bytes: Uint8Array): void {
  const { source, contentId, sourceHash } = manifest;
  const isOutside = /^(?:[/\\]|[a-z]:)/i.test(source) || source.split(/[/\\]/).includes("..");
  if (!isOutside || [contentHash, sourceHash].includes(hashContent(bytes))) return;
  const file = `${sessionFolder(contentId)}/session.json`;
  const what = `its source ${JSON.stringify(source)} lies outside the repository and is not what the session began with`;
  throw new LoopliaError("config-invalid", `${file}: ${what}.`, {
    hint: "If the file is yours and has changed, begin a new session with --file; else the manifest was forged.",
  });
}

async function planFound(
  ports: ContentPorts,
  settings: ContentSettings,
  item: ContentItem,
  pipeline: Pipeline,
  found: SessionOnDisk,
): Promise<PlannedSession> {
  const desiredOutput = settings.output ?? pipeline.final;
  const sessionId = found.manifest.contentId;
  const edits = await findEdits(ports, pipeline.outputs, found);
  const whole = adopt(ports, item, pipeline, found, edits);
  const plans = plan(ports, settings, item, pipeline, desiredOutput, { ...found, manifest: whole }, edits);
  const isSourceChanged = found.contentHash !== item.sourceHash;
  const again = new Set(plans.filter(({ due }) => due).map(({ output }) => output));
  const adopted = new Set([...edits.valid.keys()].filter((name) => !again.has(name) && !isSourceChanged));
  const steps = new Map([...whole.steps].filter(([name]) => adopted.has(name)));
  const manifest =
    adopted.size === 0
      ? found.manifest
      : { ...found.manifest, steps: new Map([...found.manifest.steps, ...steps]) };
  return {
    sessionId,
    folder: sessionFolder(sessionId),
    item,
    pipeline,
    manifest,
    isNew: false,
    isSourceChanged,
    desiredOutput,
    plans,
    adopted,
  };
}

/** The manifest with every edit that may stay: the person saw what is there now, so it counts as made from that. */
function adopt(
  ports: ContentPorts,
  item: ContentItem,
  pipeline: Pipeline,
  { manifest, observed }: SessionOnDisk,
  { valid }: Edits,
): SessionManifest {
  if (valid.size === 0) return manifest;
  const inputsHashOf = hashesOfInputs(ports, item, pipeline, observed);
  const adopted = [...valid].map(([name, contentHash]): [string, StepState] => {
    const { completedAt } = manifest.steps.get(name) ?? {};
    const when = completedAt === undefined ? {} : { completedAt };
    const inputsHash = inputsHashOf(name);
    return [name, { status: "completed", contentHash, inputsHash, ...when, schemaVersion: SCHEMA_VERSION }];
  });
  return { ...manifest, steps: new Map([...manifest.steps, ...adopted]) };
}

function plan(
  ports: ContentPorts,
  settings: ContentSettings,
  item: ContentItem,
  pipeline: Pipeline,
  desiredOutput: string,
  found: Pick<SessionOnDisk, "manifest" | "observed">,
  edits?: Edits,
): StepPlan[] {
  return planSteps({
    pipeline,
    manifest: found.manifest,
    sourceHash: item.sourceHash,
    observed: found.observed,
    inputsHashOf: hashesOfInputs(ports, item, pipeline, found.observed),
    desiredOutput,
    ...(settings.force === undefined ? {} : { force: settings.force }),
    ...(edits === undefined ? {} : { adopted: new Set(edits.valid.keys()), redone: edits.redone }),
  });
}

function hashesOfInputs(
  { configuration }: ContentPorts,
  { sourceHash }: ContentItem,
  pipeline: Pipeline,
  observed: SessionOnDisk["observed"],
): (name: string) => string {
  const hashes = new Map<string, string>();
  for (const [name, seen] of observed) if ("contentHash" in seen) hashes.set(name, seen.contentHash);
  const agentOf = new Map(pipeline.outputs.map((output) => [output.name, output.agent]));
  return (name) =>
    inputsHashOf(pipeline, name, currentInputs(configuration, agentOf.get(name) ?? "", sourceHash), hashes);
}

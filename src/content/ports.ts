// The ports of content sessions, and their view of the disk.
import type { Mailbox } from "../agent/attempt.ts";
import { Wave } from "../agent/batch.ts";
import type { ClaimedWork, SessionPorts } from "../agent/job.ts";
import type { AgentSession, Limits, QuestionSettings } from "../agent/session.ts";
import type { GateRules } from "../approval/gate.ts";
import type { Pipeline, PipelineOutput } from "../config/definitions.ts";
import type { Model } from "../core/ports.ts";
import type { TaskState } from "../core/state.ts";
import type { ContentItem, ItemFiles } from "./item.ts";
import type { SessionManifest } from "./manifest.ts";
import type { TaskGroup } from "./plan.ts";

export type ContentPorts = ItemFiles & SessionPorts & { model: Model };

export type ContentSettings = {
  pipeline: string;
  output?: string;
  /** Outputs to make again. */
  force?: readonly string[];
  orchestration: "program" | "agent";
  model: string;
  fallbackModel?: string;
  limits: Limits;
  /** Items at once; `auto`: as many as the model's service allows. */
  concurrency: number | "auto";
  dryRun: boolean;
  /** Requests of agents with `batch: true` go in batches. */
  batch?: boolean;
  /** Whether a person chooses the angle before the outline is written. */
  chooseAngle?: boolean;
  people: QuestionSettings;
  gate: GateRules;
};

/** Opens the work with its batches. `send` is called once all sessions have ended: it sends their requests. */
export function withBatches(
  ports: ContentPorts,
  settings: Pick<ContentSettings, "batch">,
  open: () => Promise<ClaimedWork>,
): { open(): Promise<ClaimedWork>; send(): Promise<void> } {
  const { batches: service, priceOf } = ports.model;
  if (!service) return { open, send: async () => {} };
  const openAll = async () => {
    const work = await open();
    const place = { ...ports, budget: ports.budget, log: work.store, sends: settings.batch === true };
    return { ...work, wave: await Wave.open({ ...place, service, priceOf }) };
  };
  let opened: ReturnType<typeof openAll> | undefined;
  return {
    open: () => {
      opened ??= openAll();
      return opened;
    },
    send: async () => (await opened?.catch(() => undefined))?.wave.close(),
  };
}

// One content session while it runs: its item, pipeline, manifest and agent session.

/** `manifest` is the version on disk; only `saveSteps` (`task.ts`) changes it. */
export type SessionRun = {
  sessionId: string;
  /** Relative to the workspace root. */
  folder: string;
  item: ContentItem;
  pipeline: Pipeline;
  manifest: SessionManifest;
  session: AgentSession;
  mailbox: Mailbox;
  /** Hashes of artifacts that earlier runs made. */
  ownHashes: ReadonlySet<string>;
  chooseAngle: boolean;
};

/** The manifest with new page hashes. */
export function withPages(manifest: SessionManifest, pages: ReadonlyMap<string, string>): SessionManifest {
  return pages.size === 0 ? manifest : { ...manifest, pages: new Map([...(manifest.pages ?? []), ...pages]) };
}

/** True if all outputs that the group requires are completed. */
export function isReady(run: Pick<SessionRun, "pipeline" | "manifest">, group: TaskGroup): boolean {
  const own = new Set(group.outputs);
  return run.pipeline.outputs
    .filter((output) => own.has(output.name))
    .flatMap((output) => output.requires)
    .every((name) => own.has(name) || run.manifest.steps.get(name)?.status === "completed");
}

// The artifacts that a step may use: completed ones, and those accepted earlier in the same task.

/** The part of a running session that says where its artifacts are. */
type Standing = Pick<SessionRun, "folder" | "pipeline" | "manifest"> & {
  session: Pick<SessionRun["session"], "workspace">;
};

/** True for an output that the program assembles from the others, without a model. */
export function isMadeByProgram({ artifact, schema }: PipelineOutput): boolean {
  return artifact === "writing-kit.json" && schema === undefined;
}

/** Names of the outputs with a usable artifact. */
export function usableOutputs(run: Standing, task?: TaskState): Set<string> {
  return new Set(
    run.pipeline.outputs
      .map((output) => output.name)
      .filter((name) => task?.accepted.has(name) || run.manifest.steps.get(name)?.status === "completed"),
  );
}

/** Values of the named outputs by artifact file name, without missing or malformed files. */
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

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

// `session.json`: the completed steps of a session. Only the program writes it, never a model.
import { z } from "zod";
import type { Pipeline } from "../config/definitions.ts";
import { fieldName, findUnsoundJson, formatProblem } from "../config/schema.ts";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { isObject, lazily } from "../core/json.ts";
import type { Repository } from "../core/ports-host.ts";
import { type ContentItem, partsChange } from "./item.ts";

type StepStatus = "pending" | "in_progress" | "completed" | "failed";

/** Hashes are 16 hex digits; absent if an older manifest did not record them. */
export type StepState = {
  status: StepStatus;
  contentHash?: string;
  inputsHash?: string;
  completedAt?: string;
  errorMessage?: string;
  schemaVersion?: string;
  /** The name of the person who last edited the artifact, if known. */
  editedBy?: string;
};

export type SessionManifest = {
  version: 1;
  /** The session id, also the folder's name. */
  contentId: string;
  source: string;
  pipeline: string;
  desiredOutput: string;
  createdAt: string;
  updatedAt: string;
  sourceHash?: string;
  /** Hashes by path of the items that the session's item is made from; absent without any. */
  items?: ReadonlyMap<string, string>;
  /** By output name. */
  steps: ReadonlyMap<string, StepState>;
  /**
   * Hash of each page that the program last made, by output name: a different page on disk is a person's
   * edit.
   */
  pages?: ReadonlyMap<string, string>;
  /** Unknown fields, which every rewrite keeps. */
  extra: ReadonlyMap<string, unknown>;
};

/** A session without completed steps. `now` is ISO 8601. */
export function createManifest(
  start: { sessionId: string; pipeline: Pipeline; desiredOutput: string } & Made,
  now: string,
): SessionManifest {
  const { sessionId, source, sourceHash, parts, pipeline, desiredOutput } = start;
  return {
    version: 1,
    contentId: sessionId,
    source,
    pipeline: pipeline.name,
    desiredOutput,
    createdAt: now,
    updatedAt: now,
    sourceHash,
    ...itemsOf(parts),
    steps: new Map(pipeline.outputs.map((output) => [output.name, { status: "pending" }])),
    extra: new Map(),
  };
}

/** What a session is made from. */
type Made = Pick<ContentItem, "source" | "sourceHash"> & Partial<Pick<ContentItem, "parts">>;

function itemsOf(parts: Made["parts"]): Pick<SessionManifest, "items"> {
  return parts === undefined || parts.size === 0 ? {} : { items: parts };
}

/** The manifest with one step's state replaced. `now` is ISO 8601. */
export function updateStep(
  manifest: SessionManifest,
  output: string,
  step: StepState,
  now: string,
): SessionManifest {
  return { ...manifest, updatedAt: now, steps: new Map([...manifest.steps, [output, step]]) };
}

type AppliedPlan = {
  pipeline: Pipeline;
  steps: readonly { output: string; due: boolean }[];
  desiredOutput: string;
} & Omit<Made, "source">;

/**
 * The manifest to write before the first due step begins: due steps and their dependents no longer count as
 * completed, even those that this run does not need; after a change of source no step does. Returns the same
 * object if nothing changes. `now` is ISO 8601.
 */
export function applyPlan(manifest: SessionManifest, plan: AppliedPlan, now: string): SessionManifest {
  const { sourceHash, parts = new Map(), desiredOutput, pipeline } = plan;
  const isNewSource = manifest.sourceHash !== undefined && manifest.sourceHash !== sourceHash;
  const due = plan.steps.filter((step) => step.due).map((step) => step.output);
  const stale = withDependents(pipeline, due);
  const undone = [...manifest.steps]
    .filter(([name, step]) => (isNewSource ? step.status !== "pending" : stale.has(name) && isDone(step)))
    .map(([name]) => name);
  const added = pipeline.outputs.map((output) => output.name).filter((name) => !manifest.steps.has(name));
  const isSame =
    manifest.sourceHash === sourceHash &&
    manifest.desiredOutput === desiredOutput &&
    partsChange(manifest.items ?? new Map(), parts) === undefined;
  if (isSame && undone.length + added.length === 0) return manifest;
  const pending = [...undone, ...added].map((name): [string, StepState] => [name, { status: "pending" }]);
  const steps = new Map([...manifest.steps, ...pending]);
  const { items: _, ...rest } = manifest;
  return { ...rest, sourceHash, ...itemsOf(parts), desiredOutput, updatedAt: now, steps };
}

function isDone(step: StepState): boolean {
  return step.status === "completed";
}

/** The outputs and all outputs that depend on them. */
export function withDependents(pipeline: Pipeline, outputs: readonly string[]): Set<string> {
  const stale = new Set(outputs);
  for (const { name, requires } of pipeline.outputs) {
    if (requires.some((required) => stale.has(required))) stale.add(name);
  }
  return stale;
}

/** Two-space JSON with a newline at the end. */
export function serializeManifest(manifest: SessionManifest): string {
  const { steps, items, pages, extra, ...rest } = manifest;
  const made = pages === undefined ? {} : { pages: Object.fromEntries(pages) };
  const known = items === undefined ? rest : { ...rest, items: Object.fromEntries(items) };
  const whole = { ...known, steps: Object.fromEntries(steps), ...made, ...Object.fromEntries(extra) };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

// Reads `session.json` in its present and older forms (INTERFACE §7).

const VERSION = 1;
const DEFAULT_PIPELINE = "writing-kit";

const OLD_STEP_NAMES: ReadonlyMap<string, string> = new Map([
  ["analyzing", "summary"],
  ["generating_ideas", "ideas"],
  ["building_outline", "outline"],
  ["assembling_kit", "writing-kit"],
]);

const status = lazily(() => z.enum(["pending", "in_progress", "completed", "failed", "done"]));
const text = lazily(() => z.string().nullish());

const stepSchema = lazily(() =>
  z.object({
    status: status(),
    contentHash: text(),
    inputsHash: text(),
    completedAt: text(),
    errorMessage: text(),
    schemaVersion: text(),
    editedBy: text(),
  }),
);

const manifestSchema = lazily(() =>
  z.object({
    version: z.literal(VERSION),
    contentId: text(),
    source: text(),
    pipeline: text(),
    desiredOutput: text(),
    createdAt: text(),
    updatedAt: text(),
    sourceHash: text(),
    items: z.record(z.string(), z.string()).nullish(),
    steps: z.unknown(),
    pages: z.record(z.string(), z.string()).nullish(),
  }),
);

/**
 * `file` ends in `<session-id>/session.json`. `upgraded`: the file is incomplete or old and must be written
 * again. Throws `config-invalid` with the file name if it is torn, malformed or of a newer version.
 */
export function parseManifest(
  content: string,
  file: string,
): { manifest: SessionManifest; upgraded: boolean } {
  const raw = readObject(content, file);
  const parsed = manifestSchema().safeParse(raw);
  if (!parsed.success) throw malformed(file, parsed.error);
  const known = parsed.data;
  const { steps, isOld } = readSteps(known.steps, file);
  const folder = file.split("/").slice(0, -1);
  const updatedAt = known.updatedAt ?? known.createdAt ?? new Date(0).toISOString();
  const pipeline = known.pipeline ?? DEFAULT_PIPELINE;
  const contentId = folder.at(-1) ?? known.contentId ?? "";
  const manifest: SessionManifest = {
    version: VERSION,
    contentId,
    source: known.source || [...folder, "content.md"].join("/"),
    pipeline,
    desiredOutput: known.desiredOutput ?? DEFAULT_PIPELINE,
    createdAt: known.createdAt ?? updatedAt,
    updatedAt,
    ...(known.sourceHash ? { sourceHash: known.sourceHash } : {}),
    ...(known.items ? { items: new Map(Object.entries(known.items)) } : {}),
    steps,
    ...(known.pages ? { pages: new Map(Object.entries(known.pages)) } : {}),
    extra: new Map(Object.entries(raw).filter(([key]) => !Object.hasOwn(manifestSchema().shape, key))),
  };
  const isWhole =
    known.contentId === contentId &&
    [known.source, known.pipeline, known.desiredOutput, known.createdAt, known.updatedAt].every(Boolean);
  return { manifest, upgraded: isOld || !isWhole };
}

/** The manifests among these files of a commit; unreadable ones are left out, because the session's own run reports them. */
export async function manifestsAmong(
  repository: Pick<Repository, "readBlobs">,
  files: readonly { path: string; oid: string }[],
): Promise<{ path: string; manifest: SessionManifest }[]> {
  const found = files.filter(({ path }) => path.endsWith("/session.json"));
  const blobs = await repository.readBlobs(found.map(({ oid }) => oid));
  return found.flatMap(({ path }, at) => {
    try {
      return [{ path, manifest: parseManifest(new TextDecoder().decode(blobs[at]), path).manifest }];
    } catch (error) {
      if (error instanceof LoopliaError) return [];
      throw error;
    }
  });
}

function readObject(content: string, file: string): Record<string, unknown> {
  const raw = readJson(content, file);
  const [unsound] = findUnsoundJson(raw);
  if (unsound) throw refusal(file, formatProblem(unsound));
  if (!isObject(raw)) throw refusal(file, "is not a JSON object");
  if (typeof raw.version === "number" && raw.version > VERSION) {
    throw new LoopliaError(
      "config-invalid",
      `${file}: a newer looplia wrote this file (manifest version ${raw.version}; this looplia reads ${VERSION})`,
      { hint: "run the newer version; nothing was changed" },
    );
  }
  return raw;
}

function readJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refusal(file, `is torn or not JSON: ${messageOf(error)}`);
  }
}

function readSteps(raw: unknown, file: string): { steps: Map<string, StepState>; isOld: boolean } {
  if (raw !== undefined && !isObject(raw)) throw refusal(file, "steps is not an object");
  const steps = new Map<string, StepState>();
  let isOld = raw === undefined;
  for (const [key, value] of Object.entries(raw ?? {})) {
    const name = OLD_STEP_NAMES.get(key) ?? key;
    const step = readStep(value, key, file);
    isOld ||= name !== key || step.isOld;
    // If both names are present, the newer name has the later state.
    if (name === key || !steps.has(name)) steps.set(name, step.state);
  }
  return { steps, isOld };
}

function readStep(raw: unknown, name: string, file: string): { state: StepState; isOld: boolean } {
  const isShort = typeof raw === "string";
  const parsed = stepSchema().safeParse(isShort ? { status: raw } : raw);
  if (!parsed.success) throw malformed(file, parsed.error, ["steps", name]);
  const { status: word, ...recorded } = parsed.data;
  const known = Object.fromEntries(Object.entries(recorded).filter(([, value]) => value));
  const state: StepState = { status: word === "done" ? "completed" : word, ...known };
  return { state, isOld: isShort || word === "done" };
}

function malformed(file: string, error: z.ZodError, above: PropertyKey[] = []): LoopliaError {
  const problems = error.issues.map(({ path, message }) => `${fieldName([...above, ...path])}: ${message}`);
  return refusal(file, `is not a session manifest: ${problems.join("; ")}`);
}

function refusal(file: string, what: string): LoopliaError {
  return new LoopliaError("config-invalid", `${file}: ${what}`, {
    hint: "restore the file from version control, or delete it: looplia then checks and adopts the artifacts beside it; nothing was changed",
  });
}

// Separate, because a new session needs the version long before it needs a schema.

/**
 * Version of the content schemas, recorded with each completed step; a step with another version is stale.
 */
export const SCHEMA_VERSION = "1.0.0";

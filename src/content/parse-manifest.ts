// Reads `session.json` in its current form and in the older ones (INTERFACE §7).
import { z } from "zod";
import { findUnsoundJson } from "../config/json-limits.ts";
import { fieldName, formatProblem } from "../config/problem.ts";
import { LoopliaError, messageOf } from "../errors.ts";
import { isObject } from "../session/json.ts";
import type { SessionManifest, StepState } from "./manifest.ts";

const VERSION = 1;
const DEFAULT_PIPELINE = "writing-kit";

const OLD_STEP_NAMES: ReadonlyMap<string, string> = new Map([
  ["analyzing", "summary"],
  ["generating_ideas", "ideas"],
  ["building_outline", "outline"],
  ["assembling_kit", "writing-kit"],
]);

const status = z.enum(["pending", "in_progress", "completed", "failed", "done"]);
const text = z.string().nullish();

const stepSchema = z.object({
  status,
  contentHash: text,
  inputsHash: text,
  completedAt: text,
  errorMessage: text,
  schemaVersion: text,
  editedBy: text,
});

const manifestSchema = z.object({
  version: z.literal(VERSION),
  contentId: text,
  source: text,
  pipeline: text,
  desiredOutput: text,
  createdAt: text,
  updatedAt: text,
  sourceHash: text,
  steps: z.unknown(),
});

/**
 * `file` ends in `<session-id>/session.json`. `upgraded`: the file lacks fields or has an older form, so write it anew.
 * Throws `config-invalid` naming the file for what is torn, malformed or of a newer version.
 */
export function parseManifest(
  content: string,
  file: string,
): { manifest: SessionManifest; upgraded: boolean } {
  const raw = readObject(content, file);
  const parsed = manifestSchema.safeParse(raw);
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
    steps,
    extra: new Map(Object.entries(raw).filter(([key]) => !Object.hasOwn(manifestSchema.shape, key))),
  };
  const isWhole =
    known.contentId === contentId &&
    [known.source, known.pipeline, known.desiredOutput, known.createdAt, known.updatedAt].every(Boolean);
  return { manifest, upgraded: isOld || !isWhole };
}

function readObject(content: string, file: string): Record<string, unknown> {
  const raw = readJson(content, file);
  const [unsound] = findUnsoundJson(raw);
  if (unsound) throw refusal(file, formatProblem(unsound));
  if (!isObject(raw)) throw refusal(file, "is not a JSON object");
  if (typeof raw.version === "number" && raw.version > VERSION) {
    throw new LoopliaError(
      "config-invalid",
      `${file}: was written by a newer looplia (manifest version ${raw.version}, this one reads ${VERSION})`,
      { hint: "run the newer version; the file was left as it is" },
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
    // Where both names stand, the newer one was written later.
    if (name === key || !steps.has(name)) steps.set(name, step.state);
  }
  return { steps, isOld };
}

function readStep(raw: unknown, name: string, file: string): { state: StepState; isOld: boolean } {
  const isShort = typeof raw === "string";
  const parsed = stepSchema.safeParse(isShort ? { status: raw } : raw);
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
    hint: "restore it from version control, or delete it: the artifacts beside it are then checked and taken over; it was left as it is",
  });
}

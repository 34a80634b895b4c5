// The session folder on disk, including old folders without a manifest.
import type { Pipeline, PipelineOutput } from "../config/definitions.ts";
import { LoopliaError } from "../core/errors.ts";
import { hashContent } from "../core/json.ts";
import type { Workspace } from "../core/ports.ts";
import { type ContentItem, isSessionId, parseContentItem } from "./item.ts";
import {
  parseManifest,
  SCHEMA_VERSION,
  type SessionManifest,
  type StepState,
  serializeManifest,
} from "./manifest.ts";
import type { StepObservation } from "./plan.ts";

const LEGACY_VERSION = "0.4.0";

const LEGACY_ARTIFACTS: ReadonlyMap<string, string> = new Map([
  ["summary", "summary.json"],
  ["ideas", "ideas.json"],
  ["outline", "outline.json"],
  ["writing-kit", "writing-kit.json"],
]);

/**
 * The manifest of a folder without one, or undefined without `content.md`. Writes nothing. Artifacts are validated later.
 * `createdAt` is the time of `content.md`, or the day in the session id where that is earlier (a checkout is newer).
 */
async function adoptSession(
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
  const written = (await workspace.modifiedAt(`${folder}/content.md`))?.getTime() ?? 0;
  const day = dayOf(sessionId);
  const createdAt = new Date(written < day + DAY_MS ? written : day).toISOString();
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

const DAY_MS = 86_400_000;

/** In milliseconds; infinite where the id names none. */
function dayOf(sessionId: string): number {
  const day = /(?:^|-)(\d{4}-\d{2}-\d{2})(?:-|$)/.exec(sessionId)?.[1];
  return Date.parse(day ?? "") || Number.POSITIVE_INFINITY;
}

// The folder of a session on disk: `content.md`, `session.json` and the artifacts, through the workspace port.

/** The folder of all sessions. */
export const SESSIONS = ".looplia/contentItem";

/** A session as stored on disk. */
export type SessionOnDisk = {
  manifest: SessionManifest;
  /** The manifest is missing, old or incomplete and must be written again. */
  upgraded: boolean;
  /** `content.md`; undefined if a run died before it wrote the file. */
  content: Uint8Array | undefined;
  /** Hash of `content.md`, or empty. */
  contentHash: string;
  /** By output name. */
  observed: ReadonlyMap<string, StepObservation>;
};

/**
 * The session's folder, relative to the workspace root. Throws `config-invalid` for an invalid session id.
 */
export function sessionFolder(sessionId: string): string {
  if (isSessionId(sessionId)) return `${SESSIONS}/${sessionId}`;
  throw new LoopliaError("config-invalid", `${JSON.stringify(sessionId.slice(0, 100))} is not a session id`, {
    hint: "a session id has at most 81 characters: lower-case letters, digits and hyphens",
  });
}

/** Whether the session exists. Throws `config-invalid` for an invalid id or an unreadable manifest. */
export async function hasSession(workspace: Workspace, sessionId: string): Promise<boolean> {
  return (await readManifest(workspace, sessionId)) !== undefined;
}

/**
 * Reads a session, also in older forms. Throws `config-invalid` if it is missing or its manifest is
 * unreadable.
 */
export async function readSessionFolder(
  workspace: Workspace,
  sessionId: string,
  pipelines: ReadonlyMap<string, Pipeline>,
): Promise<SessionOnDisk> {
  const found = await readManifest(workspace, sessionId);
  if (found === undefined) {
    throw new LoopliaError("config-invalid", `There is no session ${sessionId}.`, {
      hint: "`looplia status` lists the sessions",
    });
  }
  return readRest(workspace, found, pipelines.get(found.manifest.pipeline));
}

/** Throws `config-invalid` if the path of the sessions' folder is no folder. */
export async function requireSessionsFolder(workspace: Workspace): Promise<void> {
  await workspace.list(SESSIONS);
}

/** Throws `config-invalid` if no session can be written. Changes nothing. */
export function requireRoomForSession(workspace: Workspace): Promise<void> {
  return workspace.requireWritable(SESSIONS);
}

/** Creates a session's folder. Throws `config-invalid` if the session exists. */
export async function createSessionFolder(
  workspace: Workspace,
  manifest: SessionManifest,
  bytes: Uint8Array,
): Promise<void> {
  const folder = sessionFolder(manifest.contentId);
  for (const file of ["session.json", "content.md"]) {
    if ((await workspace.read(`${folder}/${file}`)) === undefined) continue;
    throw new LoopliaError("config-invalid", `${folder}/${file} already exists`, {
      hint: `continue that session with --session-id ${manifest.contentId}`,
    });
  }
  // The manifest first: it names the source, so a later run can still make the copy.
  await writeManifest(workspace, manifest);
  await writeContent(workspace, manifest.contentId, bytes);
}

/** Writes `session.json` atomically. */
export function writeManifest(workspace: Workspace, manifest: SessionManifest): Promise<void> {
  const file = `${sessionFolder(manifest.contentId)}/session.json`;
  return workspace.writeAtomic(file, serializeManifest(manifest));
}

/** Writes `content.md`, a byte copy of the item. */
export function writeContent(workspace: Workspace, sessionId: string, bytes: Uint8Array): Promise<void> {
  return workspace.writeAtomic(`${sessionFolder(sessionId)}/content.md`, bytes);
}

/** `upgraded` as in `SessionOnDisk`. */
export type ManifestOnDisk = { manifest: SessionManifest; upgraded: boolean };

/**
 * The bytes of a session's `session.json`; undefined without one. Throws `config-invalid` for an invalid id.
 */
export function readManifestBytes(workspace: Workspace, sessionId: string): Promise<Uint8Array | undefined> {
  return workspace.read(`${sessionFolder(sessionId)}/session.json`);
}

/** The manifest of a session, derived from its artifacts if it has none; undefined without a session. */
export async function readManifest(
  workspace: Workspace,
  sessionId: string,
  known?: Uint8Array,
): Promise<ManifestOnDisk | undefined> {
  const folder = sessionFolder(sessionId);
  const bytes = known ?? (await readManifestBytes(workspace, sessionId));
  if (bytes) {
    return parseManifest(new TextDecoder().decode(bytes), `${folder}/session.json`);
  }
  const manifest = await adoptSession(workspace, folder, sessionId);
  return manifest && { manifest, upgraded: true };
}

/** The rest of a manifest's session: its copy of the item, and the state of each artifact. */
export async function readRest(
  workspace: Workspace,
  found: ManifestOnDisk,
  pipeline: Pipeline | undefined,
): Promise<SessionOnDisk> {
  const { manifest } = found;
  const folder = sessionFolder(manifest.contentId);
  const outputs = pipeline?.outputs ?? [];
  const content = await workspace.read(`${folder}/content.md`);
  const contentHash = content ? hashContent(content) : "";
  let item: Promise<ContentItem | undefined> | undefined;
  const observed = new Map<string, StepObservation>();
  for (const output of outputs) {
    const bytes = await workspace.read(`${folder}/${output.artifact}`);
    const known = bytes && asRecorded(manifest.steps.get(output.name), bytes);
    if (!known && bytes && content) item ??= sameItem(manifest, content, contentHash);
    if (known || !bytes) observed.set(output.name, known ?? { missing: true });
    else {
      // Not imported at the top: few runs find a file that must be checked before the model is asked.
      const { checkStoredArtifact } = await import("./artifact.ts");
      observed.set(output.name, await checkStoredArtifact(output, bytes, await item));
    }
  }
  return { ...found, content, contentHash, observed };
}

/**
 * Bytes that the program already checked against the present schemas are not checked again, which would take
 * most of a run over unchanged items. `inputsHash` shows whether schema and item changed.
 */
function asRecorded(step: StepState | undefined, bytes: Uint8Array): StepObservation | undefined {
  if (step?.status !== "completed" || step.schemaVersion !== SCHEMA_VERSION) return undefined;
  if (step.contentHash === undefined || step.inputsHash === undefined) return undefined;
  const contentHash = hashContent(bytes);
  return contentHash === step.contentHash ? { contentHash, problems: [] } : undefined;
}

// A changed copy of the item can't verify the quotes in the artifacts.
async function sameItem(
  manifest: SessionManifest,
  content: Uint8Array,
  hash: string,
): Promise<ContentItem | undefined> {
  if (manifest.sourceHash !== undefined && manifest.sourceHash !== hash) return undefined;
  try {
    return await parseContentItem(manifest.source, content);
  } catch (error) {
    if (error instanceof LoopliaError) return undefined;
    throw error;
  }
}

// The pages of a session, which `kit/page.ts` makes.

/** The name of an output's page. */
export function pageFile(output: string): string {
  return `${output}.md`;
}

/** Files of the pages that were made, by output. */
export function madePages(
  outputs: readonly PipelineOutput[],
  { steps, pages }: Pick<SessionManifest, "steps" | "pages">,
): Map<string, string> {
  const made = outputs.filter(
    ({ name, page }) => page && pages?.has(name) && steps.get(name)?.status === "completed",
  );
  return new Map(made.map(({ name }) => [name, pageFile(name)]));
}

/** The outputs whose page was made and is gone. */
export async function findMissingPages(
  workspace: Workspace,
  folder: string,
  made: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  if (made.size === 0) return new Set();
  const hashes = await workspace.hashSeveral(folder, [...made.values()]);
  return new Set([...made].filter(([, file]) => !hashes.has(file)).map(([name]) => name));
}

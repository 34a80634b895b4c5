// The header of a work, and what ids may be: they become parts of paths.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errnoOf, LoopliaError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { parseJson, valueAt } from "../session/json.ts";
import { diskError } from "./disk-errors.ts";
import { createFile } from "./durable-file.ts";

const SCHEMA_VERSION = 1;
const ID = /^[a-z0-9][a-z0-9-]{0,80}$/;

const headerSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  codeVersion: z.string(),
  workId: z.string().regex(ID),
  kind: z.string(),
  key: z.string(),
  createdAt: z.string(),
});
export type WorkHeader = z.infer<typeof headerSchema>;

/** What a new work's header says; an existing header stays as it is. */
export type NewWork = Pick<WorkHeader, "workId" | "kind" | "key" | "codeVersion">;

/**
 * Fails with `store-corrupt` where a newer version wrote the header. Judged before anything else of a work, whose files may
 * look otherwise there. `place`: where the header is, for people.
 */
export function refuseNewer(header: unknown, place: string): void {
  const version = valueAt(header, "schemaVersion");
  if (typeof version !== "number" || version <= SCHEMA_VERSION) return;
  const code = valueAt(header, "codeVersion");
  const writer = typeof code === "string" && /^[\w.+-]{1,40}$/.test(code) ? `looplia ${code}, ` : "";
  throw new LoopliaError(
    "store-corrupt",
    `${place}: written by a newer version (${writer}state format ${version}); this version reads state format ${SCHEMA_VERSION}.`,
    { hint: "Upgrade looplia to that version or a later one; nothing was changed." },
  );
}

/** The same of the header in a work's folder; one that is missing or damaged passes. */
export async function refuseNewerWork(folder: string): Promise<void> {
  const { path, text } = await readText(folder);
  if (text !== undefined) refuseNewer(parseJson(text), path);
}

/** The header of a work, or undefined where there is none. Fails with `store-corrupt` when it is not ours. */
export async function readHeader(folder: string): Promise<WorkHeader | undefined> {
  const { path, text } = await readText(folder);
  if (text === undefined) return undefined;
  const value = parseHeader(text, path);
  refuseNewer(value, path);
  const result = headerSchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw damagedHeader(path, `${issue?.path.join(".") || "the header"}: ${issue?.message ?? "wrong shape"}`);
  }
  return result.data;
}

async function readText(folder: string): Promise<{ path: string; text: string | undefined }> {
  const path = join(folder, "header.json");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw diskError(error, path);
  });
  return { path, text };
}

function parseHeader(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedHeader(path, "not JSON", cause);
  }
}

/** Writes the header of a new work; an existing one stays, if it is this work's. */
export async function writeHeader(folder: string, work: NewWork, clock: Clock): Promise<void> {
  const found = await readHeader(folder);
  if (found && found.workId !== work.workId) {
    throw damagedHeader(join(folder, "header.json"), `it belongs to the work ${found.workId}`);
  }
  if (found) return;
  const { workId, kind, key, codeVersion } = work;
  const createdAt = clock.now().toISOString();
  const header: WorkHeader = { schemaVersion: SCHEMA_VERSION, codeVersion, workId, kind, key, createdAt };
  await createFile(join(folder, "header.json"), `${JSON.stringify(header, null, 2)}\n`);
}

/** Fails with `config-invalid` for what may not become part of a path. */
export function checkId(id: string, what: "work" | "session"): void {
  if (ID.test(id)) return;
  throw new LoopliaError("config-invalid", `${JSON.stringify(id)} is no ${what} id.`, {
    hint: "An id has 1 to 81 characters: lower-case letters, digits and hyphens, no hyphen first.",
  });
}

function damagedHeader(path: string, reason: string, cause?: unknown): LoopliaError {
  return new LoopliaError("store-corrupt", `${path}: ${reason}.`, {
    hint: "Restore the file from a copy, or move its folder away.",
    cause,
  });
}

// Uploads a folder as a workflow artifact. The package is large and is loaded at the upload only.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { LoopliaError, messageOf } from "../errors.ts";
import { isDraft } from "./durable-file.ts";

/**
 * Uploads the regular files below `folder` under `name`, which must be new in this run. The artifact's id, or undefined
 * when there is no file. Fails with `host-failed`, on servers without this service (GHES) as well.
 */
export async function uploadFolder(upload: {
  name: string;
  folder: string;
  retentionDays: number;
  /** Gives up after this many milliseconds. */
  timeoutMs: number;
}): Promise<number | undefined> {
  const files = await regularFiles(upload.folder);
  if (files.length === 0) return undefined;
  const { DefaultArtifactClient } = await import("@actions/artifact");
  const options = { retentionDays: upload.retentionDays };
  const request = new DefaultArtifactClient().uploadArtifact(upload.name, files, upload.folder, options);
  try {
    const { id } = await withTimeout(request, upload.timeoutMs);
    return id;
  } catch (cause) {
    throw new LoopliaError("host-failed", `the artifact could not be uploaded: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Without drafts: they are gone in a moment, and the package uploads nothing where a file is gone. */
async function regularFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !isDraft(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

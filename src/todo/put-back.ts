// What stands in the list's place, whatever an agent made of it, and the list put back there.
import { LoopliaError } from "../errors.ts";
import type { Workspace } from "../ports.ts";

type Files = Pick<Workspace, "read" | "writeAtomic" | "remove">;

/** Bytes of the file; undefined: there is none; `strange`: a folder, a link or another thing that is not to be read. */
export async function look(
  files: Pick<Files, "read">,
  path: string,
): Promise<Uint8Array | "strange" | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof LoopliaError && error.code === "config-invalid") return "strange";
    throw error;
  }
}

/** Makes the file these bytes, durably, or takes it away; what is no file goes first. */
export async function putBack(files: Files, path: string, bytes: Uint8Array | undefined): Promise<void> {
  if (!bytes || (await look(files, path)) === "strange") await files.remove(path);
  if (bytes) await files.writeAtomic(path, bytes);
}

// What stands in the list's place, whatever an agent made of it, and the list put back there.
import { LoopliaError } from "../errors.ts";
import type { Workspace } from "../ports.ts";
import { writeWhole } from "./todo-file.ts";

type Files = Pick<Workspace, "read" | "writeAtomic" | "remove" | "list">;

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

/**
 * Makes the file these bytes, durably, or takes it away; what is no file goes first, on its way what is no folder. What was
 * moved elsewhere stays there.
 */
export async function putBack(files: Files, path: string, bytes: Uint8Array | undefined): Promise<void> {
  const inTheWay = await findInTheWay(files, path);
  if (inTheWay !== undefined) await files.remove(inTheWay);
  else if (!bytes || (await look(files, path)) === "strange") await files.remove(path);
  if (bytes) await writeWhole(files, path, bytes);
}

/** The first name above the path that is a link, a file or another thing that is no folder. */
async function findInTheWay(files: Pick<Files, "list">, path: string): Promise<string | undefined> {
  const names = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const entries = await files.list(names.slice(0, depth - 1).join("/"));
    const entry = entries.find(({ name }) => name === names[depth - 1]);
    if (!entry) return undefined;
    if (!entry.isFolder) return names.slice(0, depth).join("/");
  }
  return undefined;
}

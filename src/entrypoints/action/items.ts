// Content items as they are at the tip of the base, never on a work branch.
import { LoopliaError } from "../../errors.ts";
import type { Repository } from "../../ports/repository.ts";
import { selectItems } from "../../trigger/select-items.ts";
import type { Found } from "./find-settings.ts";

/** Paths are relative to the working directory. */
export type Items = { sources: readonly string[]; read(path: string): Promise<Uint8Array | undefined> };

const MAX_BYTES = 10 * 1024 * 1024;

/** The items that the globs match, and any file of the base by its path. */
export async function findItems(repository: Repository, found: Found): Promise<Items> {
  const prefix = found.folder === "" ? "" : `${found.folder}/`;
  const files = await repository.listFiles(found.baseCommit, found.folder);
  const byPath = new Map(files.map((file) => [file.path.slice(prefix.length), file]));
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const file = byPath.get(path);
    if (!file) return undefined;
    // Only the length of what is too large is looked at.
    if (file.size > MAX_BYTES) return new Uint8Array(MAX_BYTES + 1);
    return (await repository.readBlobs([file.oid]))[0];
  };
  return { sources: selectItems([...byPath.keys()], found.settings.content), read };
}

/** A content run must have something to do. Throws `config-invalid` without globs, `no-items` where none matches. */
export function requireItems({ sources }: Items, { settings, base }: Found): void {
  const { content, sessionId } = settings;
  if (sessionId !== undefined) return;
  if (content.length === 0) {
    throw new LoopliaError("config-invalid", "there is nothing to do: `content` is not set", {
      hint: "give globs of content items, one a line, for example content/**/*.md",
    });
  }
  if (sources.length > 0) return;
  throw new LoopliaError("no-items", `no file on ${base} matches ${content.join(", ")}`, {
    hint: "check the globs and working-directory",
  });
}

// Content items as they are at the tip of the base, never on a work branch.
import { SOURCE_FILES } from "../../config/task-agents.ts";
import { LoopliaError } from "../../errors.ts";
import type { Repository } from "../../ports/repository.ts";
import { selectItems } from "../../trigger/select-items.ts";
import type { Found } from "./find-settings.ts";

/** Paths are relative to the working directory. */
export type Items = {
  sources: readonly string[];
  /** Files of the base that match any of the globs. */
  match(globs: readonly string[]): string[];
  /** Whether the base has a file of this very path, which no glob may match. */
  has(path: string): boolean;
  read(path: string): Promise<Uint8Array | undefined>;
};

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
  const match = (globs: readonly string[]) => selectItems([...byPath.keys()], globs);
  return { sources: match(found.settings.content), match, has: (path) => byPath.has(path), read };
}

/** Where no mode is set there must be something to do: throws `config-invalid` without globs, list and documents. */
export function requireTasks({ match, has }: Items, { settings, base }: Found): void {
  const { mode, todo, sourceFiles } = settings;
  if (mode !== "auto" || has(todo)) return;
  if (match(sourceFiles.length > 0 ? sourceFiles : SOURCE_FILES).length === 0) {
    throw nothingToDo(todo, `, and ${base} has no ${todo}, nor documents to make one from`);
  }
}

/** A content run must have something to do. Throws `config-invalid` without globs, `no-items` where none matches. */
export function requireItems({ sources }: Items, { settings, base }: Found): void {
  const { content, sessionId } = settings;
  if (sessionId !== undefined) return;
  if (content.length === 0) throw nothingToDo(settings.todo);
  if (sources.length > 0) return;
  throw new LoopliaError("no-items", `no file on ${base} matches ${content.join(", ")}`, {
    hint: "check the globs and working-directory",
  });
}

function nothingToDo(todo: string, more = ""): LoopliaError {
  return new LoopliaError("config-invalid", `there is nothing to do: \`content\` is not set${more}`, {
    hint: `give globs of content items, one a line, for example content/**/*.md, or write a ${todo}`,
  });
}

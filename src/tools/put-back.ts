// What people and the model are told when a command changed files that decide what runs or who has permission. Pure.
import type { PutBack } from "../ports.ts";

const MOST = 5;

/** For people, with the place of the copy. */
export function tellPutBack({ paths, failed, copy }: PutBack): string {
  const said = `A command changed ${namePaths(paths)}: ${paths.length === 1 ? "this path decides" : "these paths decide"} what runs or who has permission. The change was undone, and a copy is in ${copy}.`;
  if (failed.length === 0) return said;
  return `${said} ${namePaths(failed)} could not be restored: check before anything else runs.`;
}

/** For the model: what to do instead. */
export function advisePutBack({ paths }: PutBack): string {
  return `The command changed ${namePaths(paths)}. The change was undone: such files decide what runs or who has permission. Change them with editFile, which asks a person.`;
}

function namePaths(paths: readonly string[]): string {
  const named = paths.slice(0, MOST).map((path) => JSON.stringify(path));
  const more = paths.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}

// The one list of files that decide what runs or who has permission. Edits of them ask a person, isolated commands can only
// read them, and what any command changes of them is put back (SECURITY, first row). Pure.
import { foldName } from "../session/fold-name.ts";

/** In any folder: such a file, or such a folder with all that is in it. A workflow may work in that folder. */
const DECIDING = new Set([
  ...["looplia.yml", "action.yml", "action.yaml", "codeowners"],
  ...[".claude", ".github", ".husky", ".npmrc", ".envrc"],
]);
/** Directly in `.looplia`, wherever that is. */
const WORKSPACE = new Set(["pipelines", ".claude", "claude.md", "user-profile.json", "contentitem", "state"]);

/**
 * Whether an agent would widen its own power by changing the file. `path` is relative to the worktree, `settingsFile` is the
 * file of settings as it is configured.
 */
export function isDangerousPath(path: string, settingsFile: string): boolean {
  const names = namesOf(path);
  if (names.join("/") === namesOf(settingsFile).join("/") || names[0] === ".git") return true;
  return names.some(
    (name, at) => DECIDING.has(name) || (name === ".looplia" && WORKSPACE.has(names[at + 1] ?? "")),
  );
}

/** Whether a link at `path` could put other files in the place of listed ones that are not listed by the link's own name. */
export function mayLeadToDangerousPath(path: string, settingsFile: string): boolean {
  const names = namesOf(path);
  return (
    names.at(-1) === ".looplia" ||
    namesOf(settingsFile)
      .join("/")
      .startsWith(`${names.join("/")}/`)
  );
}

function namesOf(path: string): string[] {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .map(foldName);
}

// Files that decide what runs and who may: a person is asked before an agent changes one (SECURITY, "path escape"). Pure.
import { foldName } from "../session/fold-name.ts";

const WORKSPACE_FILES = new Set(["pipelines", ".claude", "claude.md"]);

/**
 * Whether an agent would widen its own power by changing the file: workflows, actions, its settings (`settingsFile`, as
 * configured), pipelines and prompts. `path` is relative to the worktree.
 */
export function isDangerousPath(path: string, settingsFile: string): boolean {
  const names = namesOf(path);
  const last = names.at(-1) ?? "";
  if (names.join("/") === namesOf(settingsFile).join("/")) return true;
  if (/^action\.ya?ml$/.test(last) || last === "looplia.yml") return true;
  if (names[0] === ".git") return true;
  // In any folder: a workflow may work in that one, with instructions of its own.
  return names.some((name, at) => {
    const next = names[at + 1] ?? "";
    if (name === ".looplia") return WORKSPACE_FILES.has(next);
    return name === ".claude" || (name === ".github" && next === "workflows");
  });
}

function namesOf(path: string): string[] {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .map(foldName);
}

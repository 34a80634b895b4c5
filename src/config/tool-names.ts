// The names of tools in an agent's front matter: the project's own, and Claude Code's as aliases.

/** Every tool that an agent can be given (INTERFACE §8). */
export const TOOL_NAMES = [
  "readFile",
  "listFiles",
  "grep",
  "searchCode",
  "editFile",
  "runCommand",
  "writeArtifact",
  "askUser",
  "Task",
  "Skill",
  "reportSummary",
] as const;

const aliases = new Map<string, string>([
  ["Read", "readFile"],
  ["Write", "writeArtifact"],
  ["Edit", "editFile"],
  ["Glob", "listFiles"],
  ["Grep", "grep"],
  ["Bash", "runCommand"],
]);

/** Every name that front matter may have. */
export const WRITTEN_TOOL_NAMES: readonly string[] = [...TOOL_NAMES, ...aliases.keys()];

/** Splits names into the project's own, each once and in the order given, and those that nobody knows. */
export function resolveToolNames(names: readonly string[]): { tools: string[]; unknown: string[] } {
  const known = new Set<string>(TOOL_NAMES);
  const resolved = names.map((name) => aliases.get(name) ?? name);
  return {
    tools: [...new Set(resolved.filter((name) => known.has(name)))],
    unknown: resolved.filter((name) => !known.has(name)),
  };
}

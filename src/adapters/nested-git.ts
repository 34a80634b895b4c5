// Repositories inside the worktree: their hooks and configuration would run whenever a person uses git there.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Beyond these, looking would hold the run up; what is behind them stays open. */
const MOST_FOLDERS = 20_000;

/** The `.git` of every repository and submodule below `root` but its own, in any order. `node_modules` is passed over. */
export function findNestedGit(root: string): string[] {
  const found: string[] = [];
  const folders = [root];
  for (let next = 0; next < folders.length && next < MOST_FOLDERS; next += 1) {
    const folder = folders[next] ?? root;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.name.toLowerCase() === ".git") {
        if (folder !== root && !entry.isSymbolicLink()) found.push(path);
      } else if (entry.isDirectory() && entry.name !== "node_modules") folders.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What can't be read can't be changed by a command either, or is gone.
    return [];
  }
}

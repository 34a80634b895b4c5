// Runs groups of tests in a copy of the repository.
import { spawn } from "node:child_process";
import { join } from "node:path";

/** A change that makes a loop endless is noticed as well. */
const TIMEOUT_MS = 180_000;

/** Whether a group of tests fails; later groups are run only where the earlier ones notice nothing. */
export async function isKilled(folder: string, groups: readonly string[][]): Promise<boolean> {
  for (const tests of groups) if (!(await pass(folder, tests))) return true;
  return false;
}

function pass(folder: string, tests: readonly string[]): Promise<boolean> {
  const program = join(folder, "node_modules/vitest/vitest.mjs");
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, "run", "--bail=1", ...tests], {
      cwd: folder,
      stdio: "ignore",
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    child.once("error", fail);
    child.once("close", (code) => done(code === 0));
  });
}

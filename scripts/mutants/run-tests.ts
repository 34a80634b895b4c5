// Runs groups of tests in a copy of the repository.
import { spawn } from "node:child_process";
import { join } from "node:path";

/** A change that makes a loop endless is noticed as well. On a busy machine the slowest group takes minutes. */
const TIMEOUT_MS = 600_000;

export type Failed = { tests: readonly string[]; said: string };

/** The first group of tests that fails; later groups are run only where the earlier ones notice nothing. */
export async function firstFailed(folder: string, groups: readonly string[][]): Promise<Failed | undefined> {
  for (const tests of groups) {
    const said = await runTests(folder, tests);
    if (said !== undefined) return { tests, said };
  }
  return undefined;
}

/** What the tests said where one fails or takes too long. */
function runTests(folder: string, tests: readonly string[]): Promise<string | undefined> {
  const program = join(folder, "node_modules/vitest/vitest.mjs");
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, "run", "--bail=1", ...tests], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-20_000);
      });
    }
    child.once("error", fail);
    child.once("close", (code, signal) => done(code === 0 ? undefined : `${said}\n(${signal ?? code})`));
  });
}

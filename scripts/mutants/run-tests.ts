// Runs groups of tests in a copy of the repository, within limits: a changed rule can make a loop endless.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { endMarked, newMark } from "../../src/sandbox/limits.ts";

/** A changed rule can also fill the memory. */
const HEAP = "--max-old-space-size=2048";
/** Of a group's first run, whose changed sources nothing has limited yet. */
const FIRST_RUN_SECONDS = 900;

type Ended = { code: number | null; isOverLimit: boolean; said: string };
export type Failed = { tests: readonly string[]; isOverLimit: boolean; said: string };

/** Groups of tests in one copy; each group may take ten times as long as its first run, and a minute more. */
export class Tests {
  readonly #folder: string;
  readonly #limits = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The first group that fails; later groups are run only where the earlier ones notice nothing. */
  async firstFailed(groups: readonly string[][]): Promise<Failed | undefined> {
    for (const tests of groups) {
      const { code, isOverLimit, said } = await this.#run(tests);
      if (code !== 0) return { tests, isOverLimit, said };
    }
    return undefined;
  }

  async #run(tests: readonly string[]): Promise<Ended> {
    const program = join(this.#folder, "node_modules/vitest/vitest.mjs");
    const limit = this.#limits.get(tests.join(" "));
    const begun = performance.now();
    const ended = await runWithin(
      limit ?? FIRST_RUN_SECONDS,
      [program, "run", "--bail=1", "--maxWorkers=2", ...tests],
      this.#folder,
    );
    const seconds = (performance.now() - begun) / 1000;
    if (limit === undefined) this.#limits.set(tests.join(" "), 60 + 10 * seconds);
    return ended;
  }
}

/**
 * Runs Node and ends it after `seconds` together with every process that it has started, in whatever group: a worker in
 * an endless loop does not end with the process that started it. `said` is the end of what they printed.
 */
export function runWithin(seconds: number, args: readonly string[], folder: string): Promise<Ended> {
  const mark = { ...newMark(), name: "LOOPLIA_MUTANT" };
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: HEAP, [mark.name]: mark.value },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let said = "";
    let isOverLimit = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-20_000);
      });
    }
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // The group has ended already.
      }
      endMarked(mark);
    };
    // Counts its own seconds: time in which the machine sleeps is not the mutant's.
    let left = seconds;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return;
      isOverLimit = true;
      end();
    }, 1000);
    child.once("error", fail);
    // Nobody waits for what the process has left behind.
    child.once("exit", end);
    child.once("close", (code) => {
      clearInterval(timer);
      done({ code, isOverLimit, said });
    });
  });
}

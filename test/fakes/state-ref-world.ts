// A repository whose state ref the runs of a test move. Each run has a clone of its own.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { foldWork } from "../../src/core/work-state.ts";
import { gitEnvironment } from "../../src/sandbox/git-process.ts";
import { readWork } from "../../src/store/scan.ts";
import { type GitServer, startGitServer } from "./git-http.ts";
import { BRANCH, openRun, type Run, STATE } from "./state-run.ts";

const TOKEN = "ghs_canaryTokenCanaryToken";
/** The state ref without its prefix has the same name: git would take that one. */
export const HEAD = `refs/heads/${BRANCH}`;

/** The folder and the repository of the test that runs. */
export let root: string;
export let server: GitServer;
let runs: Run[] = [];
let isWired = false;

/** Each test of the file begins with one commit on `main`. Runs reach it by its path, or over HTTP. */
export function useStateRefs(reach: "by path" | "over HTTP"): void {
  beforeEach(async () => {
    isWired = reach === "over HTTP";
    runs = [];
    root = await mkdtemp(join(tmpdir(), "looplia-state-ref-"));
    const files = { "a.md": "one\ntwo\nthree\n", "b.md": "b\n", ".gitignore": "ignored/\n", "tool.sh": "x" };
    server = await startGitServer({
      root: join(root, "served"),
      repository: "owner/repo",
      token: TOKEN,
      files,
    });
  });
  afterEach(async () => {
    for (const run of runs) await run.store.close();
    await server.close();
    await rm(root, { recursive: true, force: true });
  });
}

export async function begin(
  name: string,
  options: Partial<Parameters<typeof openRun>[1]> = {},
): Promise<Run> {
  const remote = isWired ? { remote: server.url, token: TOKEN } : { remote: server.bare };
  const run = await openRun(root, { name, ...remote, ...options });
  runs.push(run);
  return run;
}

export async function openWork(): Promise<Run> {
  const run = await begin("1.1");
  await run.claim();
  await run.store.appendWorkEvents([{ type: "WorkReleased", payload: { run: "1.1" } }]);
  await run.state.checkpoint("release", { isWhole: true });
  return run;
}

/** The environment of a git before which a shell looks at the words of each call: `cases` of a `case` statement. */
export async function gitThat(cases: string): Promise<Record<string, string>> {
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const program = `#!/bin/sh\nreal=${real}\ncase "$*" in${cases}\nesac\nexec "$real" "$@"\n`;
  await mkdir(join(root, "bin"));
  await writeFile(join(root, "bin/git"), program, { mode: 0o755 });
  return gitEnvironment({ ...process.env, PATH: `${join(root, "bin")}:${process.env.PATH}` });
}

export const tipOf = (ref: string) => server.git("rev-parse", "--verify", "-q", ref).catch(() => undefined);
export const stateNow = async () => ({ state: await tipOf(STATE), branch: await tipOf(HEAD) });
export const filesOf = async (commit: string) =>
  (await server.git("ls-tree", "-r", "--name-only", commit)).split("\n");
export const claimedBy = async (run: Run) => foldWork((await readWork(run.folder)).events).claim?.run;

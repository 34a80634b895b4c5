// git as the Action runs it: a repository of its own, nobody's settings, the token for one server alone.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Platform } from "./probe.ts";

/** Branches and refs of this run; `removeRefs` of the last probe takes them away. */
export function namesOf({ runId, attempt }: Pick<Platform, "runId" | "attempt">) {
  const name = `self-test-${runId}-${attempt}`;
  const state = `refs/looplia/${name}`;
  return {
    branch: `looplia/${name}`,
    gone: `looplia/${name}-gone`,
    state,
    other: `refs/heads/looplia-state/${name}`,
    letters: [1, 2].map((digit) => `${state}.letter-${String(digit).repeat(16)}`),
  };
}

export type Git = {
  (...words: string[]): string;
  /** With something to read on its standard input. */
  fed(input: string, ...words: string[]): string;
};

export function openGit({ repositoryUrl, token }: Pick<Platform, "repositoryUrl" | "token">): Git {
  const folder = mkdtempSync(join(tmpdir(), "self-test-"));
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${repositoryUrl}.extraheader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
    GIT_AUTHOR_NAME: "looplia self-test",
    GIT_AUTHOR_EMAIL: "self-test@users.noreply.github.com",
    GIT_COMMITTER_NAME: "looplia self-test",
    GIT_COMMITTER_EMAIL: "self-test@users.noreply.github.com",
  };
  const fed = (input: string, ...words: string[]): string =>
    execFileSync("git", words, { cwd: folder, env, encoding: "utf8", input, stdio: "pipe" }).trim();
  const git: Git = Object.assign((...words: string[]) => fed("", ...words), { fed });
  git("init", "-q");
  git("remote", "add", "origin", repositoryUrl);
  return git;
}

/** A commit without files, or with those of its parent. */
export function makeCommit(git: Git, message: string, parent?: string): string {
  const tree = parent === undefined ? git("mktree") : `${parent}^{tree}`;
  return git("commit-tree", tree, "-m", message, ...(parent === undefined ? [] : ["-p", parent]));
}

/** Where the server has a ref; empty where it has none. */
export function tipOf(git: Git, ref: string): string {
  return git("ls-remote", "origin", ref).split("\t")[0] ?? "";
}

export function defaultBranch(platform: Platform): string {
  const [, branch] =
    /refs\/heads\/(\S+)/.exec(openGit(platform)("ls-remote", "--symref", "origin", "HEAD")) ?? [];
  if (branch === undefined) throw new Error("the server does not name its default branch");
  return branch;
}

/** Takes away all that a run pushed. */
export function removeRefs(platform: Platform): string {
  const git = openGit(platform);
  const { branch, gone, state, other, letters } = namesOf(platform);
  for (const ref of [`refs/heads/${branch}`, `refs/heads/${gone}`, state, other, ...letters]) {
    if (tipOf(git, ref) !== "") git("push", "-q", "origin", `:${ref}`);
  }
  return "removed";
}

/** Why git refused; throws where it did not. */
export function refusalOf(run: () => string): string {
  try {
    run();
  } catch (error) {
    const reason = String(error)
      .split("\n")
      .find((line) => line.includes("!"));
    return `refused: ${reason ?? "no reason given"}`;
  }
  throw new Error("it was accepted");
}

// Pushes as the durable state needs them: custom refs, two refs at once, leases that hold for both.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Platform, Probe } from "./probe.ts";

/** Branch and refs of this run; `removeRefs` of the last probe takes them away. */
export function namesOf({ runId, attempt }: Pick<Platform, "runId" | "attempt">) {
  const name = `self-test-${runId}-${attempt}`;
  return {
    branch: `looplia/${name}`,
    state: `refs/looplia/${name}`,
    other: `refs/heads/looplia-state/${name}`,
  };
}

export type Git = (...words: string[]) => string;

/** git in a new repository, with the token for this server alone and nobody's settings. */
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
  const git: Git = (...words) =>
    execFileSync("git", words, {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  git("init", "-q");
  git("remote", "add", "origin", repositoryUrl);
  return git;
}

export function gitProbes(platform: Platform): Probe[] {
  const git = openGit(platform);
  const { branch, state, other } = namesOf(platform);
  const head = `refs/heads/${branch}`;
  const makeCommit = (message: string, ...parents: string[]): string => {
    const tree = parents[0] ? `${parents[0]}^{tree}` : git("mktree");
    return git("commit-tree", tree, "-m", message, ...parents.flatMap((parent) => ["-p", parent]));
  };
  const remote = (ref: string): string => git("ls-remote", "origin", ref).split("\t")[0] ?? "";
  let first = "";
  let work = "";
  return [
    {
      what: "a state ref outside of refs/heads, with a history of its own",
      run: () => {
        first = makeCommit("state 1");
        git("push", "-q", `--force-with-lease=${state}:`, "origin", `${first}:${state}`);
        return expect(remote(state), first, "pushed and found again");
      },
    },
    {
      what: "the alternative below refs/heads",
      run: () => {
        git("push", "-q", `--force-with-lease=${other}:`, "origin", `${first}:${other}`);
        return expect(remote(other), first, "pushed and found again");
      },
    },
    {
      what: "state ref and work branch in one atomic push with leases",
      run: () => {
        git("fetch", "-q", "--depth=1", "origin", "HEAD");
        work = makeCommit("work 1", git("rev-parse", "FETCH_HEAD"));
        const second = makeCommit("state 2", first);
        const leases = [`--force-with-lease=${state}:${first}`, `--force-with-lease=${head}:`];
        git("push", "-q", "--atomic", ...leases, "origin", `${second}:${state}`, `${work}:${head}`);
        expect(remote(state), second, "");
        return expect(remote(head), work, "both moved");
      },
    },
    {
      what: "a lease that is out of date refuses both refs",
      run: () => {
        const late = makeCommit("state 3", first);
        const more = makeCommit("work 2", work);
        const leases = [`--force-with-lease=${state}:${first}`, `--force-with-lease=${head}:${work}`];
        const refused = fails(() =>
          git("push", "-q", "--atomic", ...leases, "origin", `${late}:${state}`, `${more}:${head}`),
        );
        expect(remote(head), work, "");
        return refused;
      },
    },
  ];
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
  const { branch, state, other } = namesOf(platform);
  for (const ref of [`refs/heads/${branch}`, state, other]) {
    if (git("ls-remote", "origin", ref) !== "") git("push", "-q", "origin", `:${ref}`);
  }
  return "removed";
}

function fails(push: () => string): string {
  try {
    push();
  } catch (error) {
    return `refused: ${
      String(error)
        .split("\n")
        .find((line) => line.includes("!")) ?? "no reason given"
    }`;
  }
  throw new Error("the push was accepted");
}

function expect(found: string, wanted: string, said: string): string {
  if (found !== wanted) throw new Error(`found ${found || "nothing"} instead of ${wanted}`);
  return said;
}

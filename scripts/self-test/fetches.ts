// Fetches that bring no more than is needed: one commit, the newest of a branch, checkpoints without what they hold.
import { defaultBranch, namesOf, openGit, tipOf } from "./git.ts";
import { expect, type Platform, type Probe } from "./probe.ts";

const QUIET = ["fetch", "-q", "--no-tags", "--no-write-fetch-head"];

export function fetchProbes(platform: Platform): Probe[] {
  const { branch, state } = namesOf(platform);
  const head = `refs/heads/${branch}`;
  return [
    { what: "the server names its default branch", run: () => defaultBranch(platform) },
    {
      what: "one commit by its id",
      run: () => {
        const git = openGit(platform);
        const commit = tipOf(git, head);
        git(...QUIET, "--depth=1", "origin", commit);
        return expect(git("cat-file", "-t", commit), "commit", "it came");
      },
    },
    {
      what: "the newest commits of a branch, as many as are asked for",
      run: () => {
        const git = openGit(platform);
        git(...QUIET, "--depth=2", "origin", `+${head}:refs/fetched/0`);
        return expect(git("rev-list", "--count", "refs/fetched/0"), "2", "two came");
      },
    },
    {
      what: "checkpoints without their trees (`--filter=tree:0`), named on standard input",
      run: () => {
        const git = openGit(platform);
        const fetch = [...QUIET, "--depth=1", "--filter=tree:0", "--stdin", "origin"];
        git.fed(`+${state}:refs/states/it\n`, ...fetch);
        expect(git("log", "-1", "--format=%s", "refs/states/it"), "state 2");
        const missing = git("rev-list", "--objects", "--missing=print", "refs/states/it").includes("?");
        return missing ? "commits alone came" : "commits came, and their trees all the same";
      },
    },
  ];
}

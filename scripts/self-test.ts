// Tries what the Action needs of GitHub itself and of its runners, and prints a table. `self-test.yml` runs it; with no
// dependency installed. Arguments: `isolation` tries the runner, else the platform is tried with GITHUB_TOKEN.
import { appendFileSync } from "node:fs";
import { caller, type Opened, ok } from "./self-test/api.ts";
import { commentProbes } from "./self-test/comments.ts";
import { fetchProbes } from "./self-test/fetches.ts";
import { removeRefs } from "./self-test/git.ts";
import { isolationProbes } from "./self-test/isolation.ts";
import { letterProbes } from "./self-test/letters.ts";
import { type Probes, renderTable, tryAll } from "./self-test/probe.ts";
import { pullProbes } from "./self-test/pulls.ts";
import { checkProbes, doctorProbes, peopleProbes, runProbes } from "./self-test/rights.ts";
import { commitProbes, stateProbes } from "./self-test/state.ts";

function need(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: this runs as a step of .github/workflows/self-test.yml`);
}

/** The branch that the first ones push carries the pull request of the others. */
function platformProbes(): Probes[] {
  const platform = {
    apiUrl: process.env.GITHUB_API_URL || "https://api.github.com",
    repositoryUrl: `${process.env.GITHUB_SERVER_URL || "https://github.com"}/${need("GITHUB_REPOSITORY")}`,
    repository: need("GITHUB_REPOSITORY"),
    token: need("GITHUB_TOKEN"),
    actor: need("GITHUB_ACTOR"),
    actorId: process.env.GITHUB_ACTOR_ID ?? "",
    triggeredBy: process.env.GITHUB_TRIGGERING_ACTOR ?? "",
    runId: need("GITHUB_RUN_ID"),
    attempt: need("GITHUB_RUN_ATTEMPT"),
  };
  const call = caller(platform);
  const opened: Opened = { number: 0, head: "" };
  const takeAway = async () => {
    if (opened.number > 0) await ok(call("PATCH", `/pulls/${opened.number}`, { state: "closed" }));
    return removeRefs(platform);
  };
  return [
    { area: "state", probes: stateProbes(platform) },
    { area: "letters", probes: letterProbes(platform) },
    { area: "commits", probes: commitProbes(platform, call) },
    { area: "fetches", probes: fetchProbes(platform) },
    { area: "pulls", probes: pullProbes(platform, call, opened) },
    { area: "comments", probes: commentProbes(call, opened) },
    { area: "people", probes: peopleProbes(platform, call) },
    { area: "checks", probes: checkProbes(call, opened) },
    { area: "runs", probes: runProbes(platform, call) },
    { area: "doctor", probes: doctorProbes(platform, call) },
    { area: "state", probes: [{ what: "all of it can be taken away again", run: takeAway }] },
  ];
}

const isolation: Probes[] = [{ area: "isolation", probes: isolationProbes() }];
const tried = await tryAll(process.argv.includes("isolation") ? isolation : platformProbes());
const table = renderTable(tried);
process.stdout.write(table);
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, table);
process.exitCode = tried.every(({ isAsNeeded }) => isAsNeeded) ? 0 : 1;

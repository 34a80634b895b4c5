// Tries what the Action needs of GitHub itself and of its runners, and prints a table. `self-test.yml` runs it; with no
// dependency installed. Arguments: `isolation` tries the runner, else the platform is tried with GITHUB_TOKEN.
import { appendFileSync } from "node:fs";
import { apiProbes } from "./self-test/api.ts";
import { gitProbes } from "./self-test/git.ts";
import { isolationProbes } from "./self-test/isolation.ts";
import { type Probe, renderTable, tryAll } from "./self-test/probe.ts";

function need(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: this runs as a step of .github/workflows/self-test.yml`);
}

function platformProbes(): Probe[] {
  const platform = {
    apiUrl: process.env.GITHUB_API_URL || "https://api.github.com",
    repositoryUrl: `${process.env.GITHUB_SERVER_URL || "https://github.com"}/${need("GITHUB_REPOSITORY")}`,
    repository: need("GITHUB_REPOSITORY"),
    token: need("GITHUB_TOKEN"),
    actor: need("GITHUB_ACTOR"),
    runId: need("GITHUB_RUN_ID"),
    attempt: need("GITHUB_RUN_ATTEMPT"),
  };
  // The branch that the first ones push carries the pull request of the others.
  return [...gitProbes(platform), ...apiProbes(platform)];
}

const tried = await tryAll(process.argv.includes("isolation") ? isolationProbes() : platformProbes());
const table = renderTable(tried);
process.stdout.write(table);
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, table);
process.exitCode = tried.every(({ isAsNeeded }) => isAsNeeded) ? 0 : 1;

// Starts the Action's main step in a process whose environment holds no keys. The clone begins before the rest of the
// program is loaded, which takes as long as the first requests of git.
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BegunClone } from "../git/remote.ts";
import { handOverSecrets } from "./hand-over.ts";

const exposed = handOverSecrets();
if (exposed !== undefined) process.stdout.write(`Keys stay in this process's environment: ${exposed}.\n`);
const begun = await begin(process.env).catch(() => undefined);
const { runMain } = await import("./action-main.ts");
await runMain(begun);

/** Undefined where facts are missing or odd: then the run makes its clone itself, and reports what is wrong. */
async function begin(environment: NodeJS.ProcessEnv): Promise<BegunClone | undefined> {
  const {
    GITHUB_REPOSITORY: repository,
    GITHUB_WORKSPACE: checkout,
    RUNNER_TEMP,
    GITHUB_EVENT_PATH,
  } = environment;
  const token = environment["INPUT_GITHUB-TOKEN"]?.trim();
  if (!repository || !checkout || !RUNNER_TEMP || !GITHUB_EVENT_PATH || !token) return undefined;
  const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8"));
  const branch: unknown = event.repository.default_branch;
  const said: unknown = event.comment?.body;
  const isPlain =
    typeof branch === "string" && /^\w[\w/-]*$/.test(branch) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  // Most comments are no commands, and start nothing.
  if (!isPlain || (said !== undefined && !/^\s*\//m.test(String(said)))) return undefined;
  const { beginClone } = await import("../git/remote.ts");
  const serverUrl = environment.GITHUB_SERVER_URL || "https://github.com";
  const temporary = mkdtempSync(join(RUNNER_TEMP, "looplia-"));
  return beginClone({ temporary, token, branch, repository, checkout, serverUrl }, environment);
}

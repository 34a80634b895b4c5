// Begins the Action's clone before the rest of the program is loaded, which takes as long as the first requests of git.
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson, valueAt } from "../../core/json.ts";
import { type BegunClone, beginClone } from "../../git/remote.ts";

/** Undefined where facts are missing or odd: then the run makes its clone itself, and reports what is wrong. */
export const begun: BegunClone | undefined = await begin(process.env).catch(() => undefined);

async function begin(environment: NodeJS.ProcessEnv): Promise<BegunClone | undefined> {
  const {
    GITHUB_REPOSITORY: repository,
    GITHUB_WORKSPACE: checkout,
    RUNNER_TEMP,
    GITHUB_EVENT_PATH,
  } = environment;
  const token = environment["INPUT_GITHUB-TOKEN"]?.trim();
  if (!repository || !checkout || !RUNNER_TEMP || !GITHUB_EVENT_PATH || !token) return undefined;
  const payload = parseJson(await readFile(GITHUB_EVENT_PATH, "utf8"));
  const branch = valueAt(payload, "repository", "default_branch");
  const said = valueAt(payload, "comment", "body");
  const isPlain =
    typeof branch === "string" && /^\w[\w/-]*$/.test(branch) && /^[\w.-]+\/[\w.-]+$/.test(repository);
  // Most comments are no commands, and start nothing.
  if (!isPlain || (said !== undefined && !/^\s*\//m.test(String(said)))) return undefined;
  const serverUrl = environment.GITHUB_SERVER_URL || "https://github.com";
  const temporary = await mkdtemp(join(RUNNER_TEMP, "looplia-"));
  return beginClone({ temporary, token, branch, repository, checkout, serverUrl }, environment);
}

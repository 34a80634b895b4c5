// What the runner tells the Action through its environment. Pure, but for the event's payload.
import { readFile } from "node:fs/promises";
import { LoopliaError } from "../../errors.ts";
import { parseJson } from "../../session/json.ts";
import type { EventFacts } from "../../trigger/event.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type RunnerFacts = {
  /** `owner/name` */
  repository: string;
  serverUrl: string;
  apiUrl: string;
  /** Folder of the checkout. */
  checkout: string;
  /** The runner's folder for temporary files. */
  temporary: string;
  runId: string;
  attempt: string;
  /** Counts the runs of a workflow: what people call a run. */
  runNumber: string;
  /** Whom GitHub names for the run, as an actor; undefined where it does not, or without the account's id. */
  actorId: string | undefined;
  /** Login of who had this attempt run; undefined where GitHub does not say. */
  triggeredBy: string | undefined;
  job: string;
};

/** Throws `config-invalid` where this is no runner. */
export function readRunnerFacts(environment: Environment): RunnerFacts {
  const need = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new LoopliaError("config-invalid", `${name} is not set: this runs as a GitHub Action only`, {
      hint: "on a machine of your own use the command line instead",
    });
  };
  const repository = need("GITHUB_REPOSITORY");
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new LoopliaError(
      "config-invalid",
      `GITHUB_REPOSITORY is not owner/name: ${JSON.stringify(repository)}`,
    );
  }
  return {
    repository,
    serverUrl: environment.GITHUB_SERVER_URL || "https://github.com",
    apiUrl: environment.GITHUB_API_URL || "https://api.github.com",
    checkout: need("GITHUB_WORKSPACE"),
    temporary: need("RUNNER_TEMP"),
    runId: environment.GITHUB_RUN_ID || "0",
    attempt: environment.GITHUB_RUN_ATTEMPT || "1",
    runNumber: environment.GITHUB_RUN_NUMBER || environment.GITHUB_RUN_ID || "0",
    actorId: actorOf(environment),
    triggeredBy: environment.GITHUB_TRIGGERING_ACTOR || undefined,
    job: environment.GITHUB_JOB || "job",
  };
}

function actorOf({ GITHUB_ACTOR: login, GITHUB_ACTOR_ID: id }: Environment): string | undefined {
  return login && id && /^\d+$/.test(id) ? `github:${id}:${login}` : undefined;
}

/** The event; a payload that is missing or no JSON counts as empty. */
export async function readEvent(environment: Environment): Promise<EventFacts> {
  const path = environment.GITHUB_EVENT_PATH;
  const text = path ? await readFile(path, "utf8").catch(() => "") : "";
  return {
    name: environment.GITHUB_EVENT_NAME ?? "",
    payload: parseJson(text.replace(/^\uFEFF/, "")),
    ref: environment.GITHUB_REF ?? "",
    sha: environment.GITHUB_SHA ?? "",
  };
}

const INPUT_PREFIX = "INPUT_";

/**
 * What stands in the workflow's `with:`, by name, as the runner passes it. The runner only warns of a name that is no input
 * and passes it on, so every name is here: the settings refuse those that they do not know.
 */
export function readInputs(environment: Environment): Record<string, string> {
  const inputs = Object.entries(environment)
    .filter(([variable]) => variable.startsWith(INPUT_PREFIX))
    .map(([variable, value = ""]) => [variable.slice(INPUT_PREFIX.length).toLowerCase(), value.trim()]);
  return Object.fromEntries(inputs);
}

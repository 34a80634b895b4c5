// What `doctor` checks for the Action: the repository's workflows, and what GitHub tells of the repository and the token.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { plainOf } from "../config/located.ts";
import { toPlain } from "../config/servers.ts";
import { readYaml } from "../config/yaml.ts";
import { LoopliaError, messageOf } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import type { GithubFacts, Permission } from "../core/ports-host.ts";
import { programsOf } from "./init.ts";
import type { CliPlace, Wiring } from "./surface.ts";

/** `isFatal`: runs cannot succeed; otherwise the problem is only advice. */
type WorkflowProblem = { path: string; what: string; fix: string; isFatal: boolean };

type Job = { workflow: Record<string, unknown>; job: Record<string, unknown>; uses: readonly string[] };

const USES = /(?:^|\/)looplia-action@/;
const OWN_STEP = /(?:^|\/)looplia-action(?:\/isolation)?@/;
const PLACEHOLDER = /^OWNER\/|@0{40}$/;
const COMMIT = /@[0-9a-f]{40}$/;
/** The job has its own token without a secret. */
const SECRET = /\$\{\{\s*secrets\.(?!GITHUB_TOKEN\b)(\w+)\s*\}\}/g;
/** docs/setup.md explains the reason for each. */
const PERMISSIONS = { contents: "write", "pull-requests": "write", checks: "write", actions: "read" };

/** The problems of all workflows below `root` by file name, how many use the action, and the secrets that those name. */
async function checkWorkflowFiles(
  root: string,
  runsCommands = false,
): Promise<{ count: number; problems: WorkflowProblem[]; secrets: string[] }> {
  const problems: WorkflowProblem[] = [];
  const triggers: string[] = [];
  const secrets = new Set<string>();
  let count = 0;
  for (const { path, text } of await readWorkflows(root)) {
    if (!text.includes("looplia-action@")) continue;
    count += 1;
    for (const [, secret = ""] of text.matchAll(SECRET)) secrets.add(secret);
    const { root: read, diagnostics } = await readYaml(text, path);
    const workflow = read === undefined ? undefined : toPlain(plainOf(read));
    if (!isObject(workflow)) {
      const [first] = diagnostics;
      const what = `${path}${first?.line === undefined ? "" : `:${first.line}`}: ${first?.message ?? "is not a mapping"}`;
      problems.push({ path, what, fix: "correct the YAML", isFatal: true });
      continue;
    }
    triggers.push(...triggersOf(workflow));
    for (const job of jobsOf(workflow)) {
      problems.push(...problemsOf(path, job), ...(runsCommands ? isolationProblem(path, job) : []));
    }
  }
  if (count > 0 && !triggers.includes("issue_comment")) {
    problems.push({
      path: ".github/workflows",
      what: "no workflow that uses the action runs on `issue_comment`: nobody can answer a question",
      fix: "copy examples/workflows/looplia-answer.yml, or run `looplia init`",
      isFatal: true,
    });
  }
  return { count, problems, secrets: [...secrets].sort() };
}

/** The workflows below `root`, by file name. */
async function readWorkflows(root: string): Promise<{ path: string; text: string }[]> {
  const folder = ".github/workflows";
  const names = (await readdir(join(root, folder)).catch(() => [])).filter((name) => /\.ya?ml$/.test(name));
  const paths = names.sort().map((name) => `${folder}/${name}`);
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") })));
}

function triggersOf({ on }: Record<string, unknown>): string[] {
  if (typeof on === "string") return [on];
  if (Array.isArray(on)) return on.map(String);
  return isObject(on) ? Object.keys(on) : [];
}

function jobsOf(workflow: Record<string, unknown>): Job[] {
  const jobs = isObject(workflow.jobs) ? Object.values(workflow.jobs).filter(isObject) : [];
  return jobs.flatMap((job) => {
    const uses = stepsOf(job)
      .map((step) => String(step.uses ?? ""))
      .filter((name) => OWN_STEP.test(name));
    return uses.some((name) => USES.test(name)) ? [{ workflow, job, uses }] : [];
  });
}

function stepsOf({ steps }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(steps) ? steps.filter(isObject) : [];
}

const FILL_IN =
  "`looplia init --ref <owner>/looplia-action@<commit or tag>` fills it in, or write the owner and the commit there";

function problemsOf(path: string, { workflow, job, uses }: Job): WorkflowProblem[] {
  const found: WorkflowProblem[] = [];
  const add = (isFatal: boolean, what: string, fix: string) =>
    found.push({ path, what: `${path}: ${what}`, fix, isFatal });
  const placeholder = uses.find((name) => PLACEHOLDER.test(name));
  const unpinned = uses.find((name) => !COMMIT.test(name));
  if (placeholder !== undefined) {
    add(true, `\`uses: ${placeholder}\` is a placeholder`, FILL_IN);
  } else if (unpinned !== undefined) {
    add(
      false,
      `\`uses: ${unpinned}\` can change without notice`,
      "pin the action to the commit of a release",
    );
  }
  const lacking = lackingPermissions(job.permissions ?? workflow.permissions);
  if (lacking === undefined) {
    add(false, "no `permissions`: the repository's default may be read-only", permissionsLine());
  } else if (lacking.length > 0) {
    add(true, `the job lacks ${lacking.join(", ")}`, permissionsLine());
  }
  const concurrency = job.concurrency ?? workflow.concurrency;
  if (isObject(concurrency) && concurrency["cancel-in-progress"] === true) {
    add(false, "`cancel-in-progress: true` stops a run whenever the next one starts", "set it to false");
  } else if (concurrency === undefined && job.strategy === undefined) {
    add(
      false,
      "no `concurrency`: runs at the same time wait for each other",
      "copy that line from examples/workflows",
    );
  }
  return found;
}

/** GitHub's own Ubuntu runners isolate no command without help. */
function isolationProblem(path: string, { job }: Job): WorkflowProblem[] {
  const isHosted = /^ubuntu-/.test(String(job["runs-on"] ?? ""));
  // The built-in agents for articles run no commands.
  const isForArticles = stepsOf(job).some((step) => isObject(step.with) && "content" in step.with);
  if (!isHosted || isForArticles || /looplia-action\/isolation@|bubblewrap/.test(JSON.stringify(job.steps)))
    return [];
  return [
    {
      path,
      what: `${path}: no step isolates commands: each one needs a person's approval, and none runs with \`sandbox: required\``,
      fix: "add the step `looplia-action/isolation` before the action, as in docs/setup.md",
      isFatal: false,
    },
  ];
}

/** Undefined if nothing is set. */
function lackingPermissions(permissions: unknown): string[] | undefined {
  if (permissions === undefined || permissions === "write-all")
    return permissions === undefined ? undefined : [];
  const granted = isObject(permissions) ? permissions : {};
  const suffices = (name: string, least: string) =>
    granted[name] === "write" ||
    (least === "read" && (granted[name] === "read" || permissions === "read-all"));
  return Object.entries(PERMISSIONS).flatMap(([name, least]) =>
    suffices(name, least) ? [] : [`\`${name}: ${least}\``],
  );
}

function permissionsLine(): string {
  const entries = Object.entries(PERMISSIONS).map(([name, access]) => `${name}: ${access}`);
  return `add \`permissions: { ${entries.join(", ")} }\``;
}

// The findings of `doctor`.

/** `fix`: advice for the user. */
export type Finding = { name: string; isWell: boolean; detail: string; fix?: string | undefined };

/** A check that passed; `fix` where more could be checked. */
export function passed(name: string, detail: string, fix?: string): Finding {
  return { name, isWell: true, detail, fix };
}

/** A check that failed. */
export function failed(name: string, detail: string, fix: string | undefined): Finding {
  return { name, isWell: false, detail, fix };
}

/** A missing optional feature that a person should know about. */
export function warningOf(name: string, what: string, fix: string): Finding {
  return passed(name, `warning: ${what}`, fix);
}

/** Workflows of the repository that use the action. Nothing where there are none. */
export async function checkWorkflows({ root, settings }: CliPlace, wiring: Wiring): Promise<Finding[]> {
  const { root: repository = root } = await wiring.readCheckout(root);
  const runsCommands = programsOf(settings).length > 0 || existsSync(join(repository, settings.todo));
  const { count, problems } = await checkWorkflowFiles(repository, runsCommands);
  const own = problems.map(({ what, fix, isFatal }) => (isFatal ? failed : warningOf)("workflow", what, fix));
  const many = `${count} ${count === 1 ? "uses" : "use"} the action`;
  const well = count === 0 || own.length > 0 ? [] : [passed("workflow", many)];
  return [...own, ...well, ...(await checkInstalls(repository, settings, wiring))];
}

/** Whether each workflow of the action installs the agent programs that the settings name. */
async function checkInstalls(
  repository: string,
  settings: CliPlace["settings"],
  wiring: Wiring,
): Promise<Finding[]> {
  const programs = programsOf(settings);
  if (programs.length === 0) return [];
  const packages = await wiring.programPackages();
  const fix =
    "add the steps of docs/agents.md before the action: `looplia init` writes them into new workflows";
  const own = (await readWorkflows(repository)).filter(({ text }) => /\buses:.*\blooplia-action@/.test(text));
  const found = own.flatMap(({ path, text }) => {
    const missing = programs.filter((program) => !text.includes(packages[program].replace(/@[^@]*$/, "")));
    const what = `${path} does not install ${missing.join(" and ")}`;
    return missing.length === 0 ? [] : [warningOf("workflow", what, fix)];
  });
  return found.length > 0 ? found : [passed("workflow", `none lacks ${programs.join(" or ")}`)];
}

/** Tests the remote's state refs. Nothing without a token: `checkGithub` reports that. */
export async function checkStateRef(place: CliPlace, wiring: Wiring): Promise<Finding[]> {
  try {
    const detail = await wiring.probeStateRef(place);
    return detail === undefined ? [] : [passed("state-ref", detail)];
  } catch (thrown) {
    return [failure("state-ref", thrown, "check the network, the token and its `contents: write`")];
  }
}

/** What the Action needs from GitHub, as far as the token shows. The command line needs none of it. */
export async function checkGithub(place: CliPlace, wiring: Wiring): Promise<Finding[]> {
  try {
    const facts = await wiring.probeGithub(place);
    if (!facts) return [notAsked(place)];
    const { root = place.root } = await wiring.readCheckout(place.root);
    const { secrets } = await checkWorkflowFiles(root);
    const isEncrypted = place.settings.stateKey !== undefined;
    return [
      aboutRepository(facts),
      ...aboutStateKey(facts, isEncrypted),
      ...aboutToken(facts),
      aboutActions(facts),
      ...aboutSecrets(facts, secrets),
    ];
  } catch (thrown) {
    return [failure("github", thrown, "check the network and GITHUB_API_URL")];
  }
}

function notAsked({ settings }: CliPlace): Finding {
  if (settings.githubToken === undefined) {
    const fix = "set GITHUB_TOKEN to have repository, permissions and state ref checked";
    return passed("github", "not checked: there is no token (the Action has one)", fix);
  }
  const detail = "not checked: `origin` is not a repository on the server";
  return passed("github", detail, "set GITHUB_REPOSITORY, or GITHUB_SERVER_URL");
}

function aboutRepository({ repository, isPublic, isArchived }: GithubFacts): Finding {
  const detail = `${repository}, ${isPublic ? "public" : "private"}`;
  if (!isArchived) return passed("repository", detail);
  return failed("repository", `${detail}, archived`, "unarchive it: nobody can write to it");
}

function aboutStateKey({ isPublic }: GithubFacts, isEncrypted: boolean): Finding[] {
  if (isEncrypted) return [passed("state-key", "what models and tools said is stored encrypted")];
  if (!isPublic) return [];
  const what = "this repository is public: everybody can read what models and tools said in the stored state";
  return [warningOf("state-key", what, "set `state-key` to a secret")];
}

const WITHOUT: Record<Permission, string> = {
  "pull-requests: write": "nothing can be opened or answered",
  "checks: write": "pull requests get no check",
  "actions: read": "a dead run can only be recognised by its age",
};

function aboutToken({ has, lacks }: GithubFacts): Finding[] {
  const well = has.length === 0 ? [] : [passed("token", has.join(", "))];
  const ill = lacks.map((permission) => {
    const find = permission === "pull-requests: write" ? failed : warningOf;
    const fix = `give the job \`permissions: { ${permission} }\``;
    return find("token", `without ${permission} ${WITHOUT[permission]}`, fix);
  });
  return [...well, ...ill];
}

const WHERE =
  "Settings → Actions → General → Workflow permissions → “Allow GitHub Actions to create and approve pull requests”";

function aboutActions({ mayActionsOpen }: GithubFacts): Finding {
  const name = "actions";
  if (mayActionsOpen) return passed(name, "may open pull requests");
  if (mayActionsOpen === undefined) {
    const what = "this token can't read whether Actions may open pull requests";
    return warningOf(name, what, `check ${WHERE}, or use an administrator's token`);
  }
  return failed(name, "may not open pull requests", `allow it under ${WHERE}`);
}

/** The secrets that the workflows name: whether the repository or its organisation has them. */
function aboutSecrets({ secrets, repository }: GithubFacts, wanted: readonly string[]): Finding[] {
  const name = "secrets";
  if (wanted.length === 0) return [];
  const look = `look with \`gh secret list --repo ${repository}\`; \`gh secret set <name>\` adds one`;
  if (!secrets) {
    const what = `this token can't read whether ${wanted.join(" and ")} ${wanted.length === 1 ? "is" : "are"} set`;
    return [warningOf(name, what, look)];
  }
  const missing = wanted.filter((secret) => !secrets.names.includes(secret));
  if (missing.length === 0) return [passed(name, `${wanted.join(", ")}: set`)];
  const detail = `not set: ${missing.join(", ")}`;
  const fix = `add it: \`gh secret set ${missing[0]}\``;
  if (secrets.isWhole) return [failed(name, detail, fix)];
  return [warningOf(name, `${detail} in the repository; its organisation's are not told to this token`, fix)];
}

/** What was thrown, with its own hint or this advice. */
export function failure(name: string, thrown: unknown, fallback?: string): Finding {
  return failed(
    name,
    messageOf(thrown),
    (thrown instanceof LoopliaError ? thrown.hint : undefined) ?? fallback,
  );
}

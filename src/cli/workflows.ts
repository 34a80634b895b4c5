// Checks the repository's workflows that use the action for problems that would only show on GitHub.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { plainOf, readYaml } from "../config/yaml.ts";
import { isObject } from "../core/json.ts";

/** `isFatal`: runs cannot succeed; otherwise the problem is only advice. */
type WorkflowProblem = { path: string; what: string; fix: string; isFatal: boolean };

type Job = { workflow: Record<string, unknown>; job: Record<string, unknown>; uses: string };

const USES = /(?:^|\/)looplia-action@/;
const PLACEHOLDER = /^OWNER\/|@0{40}$/;
const COMMIT = /@[0-9a-f]{40}$/;
/** docs/setup.md explains the reason for each. */
const PERMISSIONS = { contents: "write", "pull-requests": "write", checks: "write", actions: "read" };

/** The problems of all workflows below `root`, sorted by file name; `count`: the number of workflows with the action. */
export async function checkWorkflowFiles(
  root: string,
): Promise<{ count: number; problems: WorkflowProblem[] }> {
  const folder = join(root, ".github", "workflows");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.ya?ml$/.test(name)).sort();
  const problems: WorkflowProblem[] = [];
  const triggers: string[] = [];
  let count = 0;
  for (const name of names) {
    const path = `.github/workflows/${name}`;
    const text = await readFile(join(folder, name), "utf8");
    if (!text.includes("looplia-action@")) continue;
    count += 1;
    const { root: read, diagnostics } = await readYaml(text, path);
    const workflow = read === undefined ? undefined : objectsOf(plainOf(read));
    if (!isObject(workflow)) {
      const [first] = diagnostics;
      const what = `${path}${first?.line === undefined ? "" : `:${first.line}`}: ${first?.message ?? "is not a mapping"}`;
      problems.push({ path, what, fix: "correct the YAML", isFatal: true });
      continue;
    }
    triggers.push(...triggersOf(workflow));
    for (const job of jobsOf(workflow)) problems.push(...problemsOf(path, job));
  }
  if (count > 0 && !triggers.includes("issue_comment")) {
    problems.push({
      path: ".github/workflows",
      what: "no workflow that uses the action runs on `issue_comment`: nobody can answer a question",
      fix: "copy examples/workflows/looplia-answer.yml, or run `looplia init`",
      isFatal: true,
    });
  }
  return { count, problems };
}

/** Converts mappings to objects, recursively. */
function objectsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(objectsOf);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, entry]) => [key, objectsOf(entry)]));
}

function triggersOf({ on }: Record<string, unknown>): string[] {
  if (typeof on === "string") return [on];
  if (Array.isArray(on)) return on.map(String);
  return isObject(on) ? Object.keys(on) : [];
}

function jobsOf(workflow: Record<string, unknown>): Job[] {
  const jobs = isObject(workflow.jobs) ? Object.values(workflow.jobs).filter(isObject) : [];
  return jobs.flatMap((job) => {
    const steps = Array.isArray(job.steps) ? job.steps.filter(isObject) : [];
    const uses = steps.map((step) => String(step.uses ?? "")).find((name) => USES.test(name));
    return uses === undefined ? [] : [{ workflow, job, uses }];
  });
}

function problemsOf(path: string, { workflow, job, uses }: Job): WorkflowProblem[] {
  const found: WorkflowProblem[] = [];
  const add = (isFatal: boolean, what: string, fix: string) =>
    found.push({ path, what: `${path}: ${what}`, fix, isFatal });
  if (PLACEHOLDER.test(uses)) {
    add(true, `\`uses: ${uses}\` is a placeholder`, "write the action's owner and the commit of a release");
  } else if (!COMMIT.test(uses)) {
    add(false, `\`uses: ${uses}\` can change without notice`, "pin the action to the commit of a release");
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

// The checks of `doctor` that need no network.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Diagnostic, formatDiagnostic } from "../../config/diagnostics.ts";
import { LoopliaError, messageOf } from "../../errors.ts";
import type { Isolation } from "../../ports.ts";
import { countTasks, readTasks } from "./read-tasks.ts";
import type { Place, Wiring } from "./wiring.ts";

/** `mend` is what to do. */
export type Finding = { name: string; isWell: boolean; detail: string; mend?: string };

const LEAST_NODE = 20;

/** `version` as Node tells it: `v24.1.0`. */
export function checkNode(version: string): Finding {
  const major = Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
  if (major >= LEAST_NODE) return { name: "node", isWell: true, detail: version };
  return {
    name: "node",
    isWell: false,
    detail: `${version} is too old`,
    mend: `install Node ${LEAST_NODE} or newer`,
  };
}

/** A warning is well, but shown. */
export function findingOf(name: string, { hint, ...bare }: Diagnostic): Finding {
  const isWell = bare.severity === "warning";
  const detail = `${isWell ? "warning: " : ""}${formatDiagnostic(bare)}`;
  return { name, isWell, detail, ...(hint === undefined ? {} : { mend: hint }) };
}

/** What a run can do without, but a person should know. */
export function warningOf(name: string, what: string, mend: string): Finding {
  return { name, isWell: true, detail: `warning: ${what}`, mend };
}

/** Git must be there; a folder outside a repository is said but well. */
export async function checkGit(place: Place, wiring: Wiring): Promise<Finding> {
  try {
    const { version, repository = "not in a repository" } = await wiring.probeGit(place);
    return { name: "git", isWell: true, detail: `${version}, ${repository}` };
  } catch (error) {
    const hint = error instanceof LoopliaError ? error.hint : undefined;
    const mend = hint ?? "install git and put it on the PATH";
    return { name: "git", isWell: false, detail: messageOf(error), mend };
  }
}

/** Pipelines, agents, skills, profile and prompts, all that is wrong with them at once. */
export async function checkConfiguration(root: string, pipeline: string, wiring: Wiring): Promise<Finding[]> {
  try {
    const { trusted, builtin } = await wiring.readFiles(root);
    const { loadConfiguration } = await import("../../config/load.ts");
    const { checkPrompts, createPrompts } = await import("../../config/prompts.ts");
    const prompts = createPrompts(builtin);
    const { configuration, diagnostics } = await loadConfiguration(trusted, builtin, { prompts });
    const { pipelines, agents, skills } = configuration;
    const findings = diagnostics.map((diagnostic) => findingOf("files", diagnostic));
    const named = pipelines.has(pipeline) ? [...pipelines.keys()] : [];
    if (named.length > 0) findings.push({ name: "pipelines", isWell: true, detail: named.join(", ") });
    else if (findings.every((finding) => finding.isWell)) {
      const mend = `use one of ${[...pipelines.keys()].join(", ")}`;
      findings.push({ name: "pipelines", isWell: false, detail: `there is no pipeline ${pipeline}`, mend });
    }
    findings.push({ name: "agents", isWell: agents.size > 0, detail: [...agents.keys()].join(", ") });
    findings.push({ name: "skills", isWell: true, detail: [...skills.keys()].join(", ") || "none" });
    const count = await checkPrompts(builtin);
    return [...findings, { name: "prompts", isWell: true, detail: `${count}, the install's own` }];
  } catch (thrown) {
    return [{ name: "files", isWell: false, detail: messageOf(thrown), mend: "mend or reinstall that file" }];
  }
}

/** The task list, everything that is wrong with it; none is well. */
export async function checkTasks(root: string, path: string, wiring: Wiring): Promise<Finding[]> {
  const name = "tasks";
  try {
    const list = await readTasks((await wiring.readFiles(root)).trusted, path);
    if (!list) return [{ name, isWell: true, detail: `there is no ${path}` }];
    if (list.diagnostics.length === 0) {
      return [{ name, isWell: true, detail: `${path}: ${countTasks(list.tasks)}` }];
    }
    return list.diagnostics.map((diagnostic) => findingOf(name, diagnostic));
  } catch (thrown) {
    const hint = thrown instanceof LoopliaError ? thrown.hint : undefined;
    const detail = messageOf(thrown);
    return [{ name, isWell: false, detail, ...(hint === undefined ? {} : { mend: hint }) }];
  }
}

/** Without isolation commands need a person, or none run: told as a warning unless it is required. */
export async function checkSandbox(place: Place, wiring: Wiring): Promise<Finding> {
  const isRequired = place.settings.sandbox === "required";
  try {
    return describeIsolation(await wiring.probeIsolation(place), isRequired);
  } catch (thrown) {
    const detail = `cannot be tried: ${messageOf(thrown)}`;
    return { name: "sandbox", isWell: false, detail, mend: "check that the folder is there and readable" };
  }
}

function describeIsolation({ kind, network, reason = "", isOff }: Isolation, isRequired: boolean): Finding {
  if (kind !== "none") {
    return { name: "sandbox", isWell: true, detail: `${kind}, ${network ? "with" : "without"} network` };
  }
  const [why = "", mend] = reason.split("; ", 2);
  const detail = isRequired ? `required, but ${why}` : `warning: commands are not isolated: ${why}`;
  return { name: "sandbox", isWell: !isRequired, detail, ...(mend && !isOff ? { mend } : {}) };
}

/** True to what a write will meet: the folder, or the nearest one above it that is there. */
export async function checkFolder(name: string, folder: string): Promise<Finding> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined);
    if (!found && path !== dirname(path)) continue;
    const isWritable =
      found?.isDirectory() === true &&
      (await access(path, constants.W_OK).then(
        () => true,
        () => false,
      ));
    if (isWritable) return { name, isWell: true, detail: `${folder} is writable` };
    const detail = found?.isDirectory() ? `${path} is not writable` : `${path} is no folder`;
    return {
      name,
      isWell: false,
      detail,
      mend: `make it a writable folder, or move state with LOOPLIA_STATE_DIR`,
    };
  }
}

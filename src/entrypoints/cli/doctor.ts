// `doctor`: everything a run needs, checked one by one; each line is well or says how to mend it.
import type { Colors } from "picocolors/types.js";
import { toPlainLine } from "../../session/plain-text.ts";
import {
  checkConfiguration,
  checkFolder,
  checkGit,
  checkNode,
  checkSandbox,
  checkTasks,
  type Finding,
  findingOf,
} from "./doctor-checks.ts";
import { checkGithub, checkProvider, checkStateRef } from "./doctor-remote.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { type FoundPlace, findPlace } from "./resolve-place.ts";
import { colorsFor, type Surface } from "./surface.ts";
import type { Wiring } from "./wiring.ts";

/** Prints the findings; 0 only if all are well. */
export async function doctorCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const found = await findPlace(surface, line.folder, line.overrides);
  const findings = await examine(found, wiring);
  if (line.isJson) surface.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else surface.stdout.write(findingLines(findings, colorsFor(surface, surface.stdout)).join(""));
  return findings.every((finding) => finding.isWell) ? 0 : 1;
}

/** Every check; one that fails stops no other. */
async function examine(found: FoundPlace, wiring: Wiring): Promise<Finding[]> {
  const { place } = found;
  const { root, stateFolder, settings } = place;
  const remote = Promise.all([
    checkProvider(found, wiring),
    checkGithub(place, wiring),
    checkStateRef(place, wiring),
  ]);
  return [
    checkNode(process.version),
    await checkGit(place, wiring),
    ...checkSettings(found),
    ...(await checkConfiguration(root, settings.pipeline, wiring)),
    ...(await checkTasks(root, settings.todo, wiring)),
    await checkSandbox(place, wiring),
    await checkFolder("artifacts", `${root}/.looplia`),
    await checkFolder("state", stateFolder),
    ...(await remote).flat(),
  ];
}

function checkSettings({ diagnostics, place }: FoundPlace): Finding[] {
  if (diagnostics.length === 0) return [{ name: "settings", isWell: true, detail: place.root }];
  return diagnostics.map((diagnostic) => findingOf("settings", diagnostic));
}

/** One line each, and how to mend it below. */
function findingLines(findings: readonly Finding[], { green, red, dim }: Colors): string[] {
  return findings.flatMap(({ name, isWell, detail, mend }) => [
    `${isWell ? green("✓") : red("✗")} ${name.padEnd(10)} ${toPlainLine(detail)}\n`,
    ...(mend === undefined ? [] : [dim(`  ${" ".repeat(10)} → ${toPlainLine(mend)}\n`)]),
  ]);
}

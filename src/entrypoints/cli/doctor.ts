// `doctor`: everything a run needs, checked one by one; each line is well or says how to mend it.
import type { Colors } from "picocolors/types.js";
import { LoopliaError, messageOf } from "../../errors.ts";
import { toPlainLine } from "../../session/plain-text.ts";
import {
  checkConfiguration,
  checkFolder,
  checkGit,
  checkIsolation,
  checkNode,
  checkTasks,
  type Finding,
  findingOf,
} from "./doctor-checks.ts";
import type { CommandLine } from "./parse-arguments.ts";
import { type FoundPlace, findPlace } from "./resolve-place.ts";
import { colorsFor, type Surface } from "./surface.ts";
import { REHEARSAL } from "./texts.ts";
import type { Wiring } from "./wiring.ts";

const PROBE_MS = 15_000;

/** Prints the findings; 0 only if all are well. */
export async function doctorCommand(line: CommandLine, surface: Surface, wiring: Wiring): Promise<number> {
  const found = await findPlace(surface, line.folder, line.overrides);
  const findings = await examine(found, wiring);
  if (line.isJson) surface.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else surface.stdout.write(findingLines(findings, colorsFor(surface, surface.stdout)).join(""));
  return findings.every((finding) => finding.isWell) ? 0 : 1;
}

/** Every check; one that fails stops no other. */
export async function examine(found: FoundPlace, wiring: Wiring): Promise<Finding[]> {
  const { root, stateFolder, settings } = found.place;
  return [
    checkNode(process.version),
    await checkGit(root),
    ...checkSettings(found),
    ...(await checkConfiguration(root, settings.pipeline, wiring)),
    ...(await checkTasks(root, settings.todo, wiring)),
    ...(await checkProvider(found, wiring)),
    checkIsolation(await wiring.probeIsolation(found.place), settings.sandbox === "required"),
    await checkFolder("artifacts", `${root}/.looplia`),
    await checkFolder("state", stateFolder),
    ...(await checkStateRef(found, wiring)),
  ];
}

/** Nothing where there is no token: the command line itself pushes nothing. */
async function checkStateRef({ place }: FoundPlace, wiring: Wiring): Promise<Finding[]> {
  const name = "state-ref";
  try {
    const detail = await wiring.probeStateRef(place);
    return detail === undefined ? [] : [{ name, isWell: true, detail }];
  } catch (thrown) {
    const mend = thrown instanceof LoopliaError ? thrown.hint : undefined;
    const fallback = "check the network, the token and its `contents: write`";
    return [{ name, isWell: false, detail: messageOf(thrown), mend: mend ?? fallback }];
  }
}

function checkSettings({ diagnostics, place }: FoundPlace): Finding[] {
  if (diagnostics.length === 0) return [{ name: "settings", isWell: true, detail: place.root }];
  return diagnostics.map((diagnostic) => findingOf("settings", diagnostic));
}

async function checkProvider({ place }: FoundPlace, wiring: Wiring): Promise<Finding[]> {
  const { provider, anthropicApiKey } = place.settings;
  if (provider === "offline") {
    const detail = `offline (${REHEARSAL}); set ANTHROPIC_API_KEY for a language model`;
    return [{ name: "provider", isWell: true, detail }];
  }
  if (anthropicApiKey === undefined) {
    const mend = "set the variable ANTHROPIC_API_KEY, or use --provider offline";
    return [{ name: "key", isWell: false, detail: "there is no key for anthropic", mend }];
  }
  const key: Finding = { name: "key", isWell: true, detail: "anthropic-api-key is set" };
  try {
    const detail = await wiring.probeProvider(place, AbortSignal.timeout(PROBE_MS));
    return [key, { name: "provider", isWell: true, detail }];
  } catch (thrown) {
    const mend =
      (thrown instanceof LoopliaError ? thrown.hint : undefined) ??
      "check the network and anthropic-base-url";
    return [key, { name: "provider", isWell: false, detail: messageOf(thrown), mend }];
  }
}

/** One line each, and how to mend it below. */
export function findingLines(findings: readonly Finding[], { green, red, dim }: Colors): string[] {
  return findings.flatMap(({ name, isWell, detail, mend }) => [
    `${isWell ? green("✓") : red("✗")} ${name.padEnd(10)} ${toPlainLine(detail)}\n`,
    ...(mend === undefined ? [] : [dim(`  ${" ".repeat(10)} → ${toPlainLine(mend)}\n`)]),
  ]);
}
